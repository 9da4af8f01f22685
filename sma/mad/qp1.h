/* SPDX-License-Identifier: BSD-2-Clause */
/* QP1 of one port, for the classes of subnet administration and performance, as a transport. */
#ifndef MAD_QP1_H
#define MAD_QP1_H

#include <stdint.h>

#include "sma/mad/sma_mailbox.h"

enum {
	QP1_CLASS_SA = 0x03,   /* class version 2 */
	QP1_CLASS_PERF = 0x04, /* class version 1 */
};

struct sma_qp1;

struct sma_qp1_ops {
	/* Send a MAD to QP1 of `dlid`, with the well-known Q_Key and P_Key index 0, through the agent of its
	 * class. With a timeout_ms of 0 no answer is expected; otherwise the answer arrives in the mailbox,
	 * or the same MAD with status ETIMEDOUT. 0 or -errno: -EBUSY when another program holds the requests
	 * of that class. */
	int (*send)(struct sma_qp1 *qp1, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid, unsigned sl,
	            unsigned timeout_ms);
	/* Stop, and free the transport; nothing is posted afterwards. */
	void (*close)(struct sma_qp1 *qp1);
};

struct sma_qp1 {
	const struct sma_qp1_ops *ops;
	unsigned port; /* of its device */
};

#endif
