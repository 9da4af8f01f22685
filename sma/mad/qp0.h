/* SPDX-License-Identifier: BSD-2-Clause */
/* QP0 of one port, as a transport: umad in the daemon, a fake in the tests. */
#ifndef MAD_QP0_H
#define MAD_QP0_H

#include <stdbool.h>
#include <stdint.h>

#include "sma/mad/sma_mailbox.h"

struct sma_qp0;

struct sma_qp0_ops {
	/* Send a request to the port's own SMA and return at once. The answer arrives in the mailbox that the
	 * transport was opened with, or the same MAD with status ETIMEDOUT when none came within timeout_ms.
	 * 0 or -errno. */
	int (*send)(struct sma_qp0 *qp0, const uint8_t mad[SMA_MAD_SIZE], unsigned timeout_ms);
	/* Receive the Traps that are sent to this port, or no longer. They arrive in the mailbox. 0 or
	 * -errno: -EINVAL, -EPERM or -EBUSY when another program holds them. NULL where a transport has no
	 * Traps. */
	int (*listen)(struct sma_qp0 *qp0, bool traps);
	/* Send a LID-routed SMP that needs no answer to QP0 of `dlid`. 0 or -errno. NULL as `listen`. */
	int (*respond)(struct sma_qp0 *qp0, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid, unsigned sl);
	/* Stop, and free the transport; nothing is posted afterwards. */
	void (*close)(struct sma_qp0 *qp0);
};

struct sma_qp0 {
	const struct sma_qp0_ops *ops;
	bool trusted; /* the SMA shows PortInfo.M_Key to it whatever the protection level */
};

#endif
