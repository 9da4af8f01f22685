/* SPDX-License-Identifier: BSD-2-Clause */
/* QP1 through libibumad. */
#ifndef MAD_UMADQP1_H
#define MAD_UMADQP1_H

#include <stddef.h>

#include "sma/mad/qp1.h"

/* Open QP1 of a port, on a descriptor of its own, and start its reader thread: answers, and Reports of subnet
 * administration, go to `box`. Where another program holds the Reports, sending to subnet administration
 * gives -EBUSY until it has gone. On failure as umad_qp0_open. */
int umad_qp1_open(const char *device, unsigned port, struct sma_mailbox *box, struct sma_qp1 **qp1,
                  char *error, size_t size);

#endif
