/* SPDX-License-Identifier: BSD-2-Clause */
/* QP0 through libibumad. */
#ifndef MAD_UMAD_H
#define MAD_UMAD_H

#include <stddef.h>

#include "sma/mad/qp0.h"

/* Open QP0 of a port and start its reader thread; received MADs go to `box`. On failure -errno, and `error`
 * says which device file or class failed and how to fix it. -EPROTONOSUPPORT: a class is refused;
 * -EOVERFLOW as umadport_open. */
int umad_qp0_open(const char *device, unsigned port, struct sma_mailbox *box, struct sma_qp0 **qp0,
                  char *error, size_t size);

#endif
