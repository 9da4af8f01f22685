/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MADs of one local port through libibumad. Each device file has one descriptor and one reader thread,
 * whatever the number of classes; QP0 and QP1 share a file, except those of an XDR adapter.
 *
 * A class is registered when it is first sent or listened to, in either case for answers, too. A class that
 * another program holds is tried again with the next MAD; a new reason is logged once.
 */
#ifndef MAD_UMADTRANSPORT_H
#define MAD_UMADTRANSPORT_H

#include <stddef.h>

#include "sma/mad/mailbox.h"
#include "sma/mad/transport.h"
#include "sma/mad/umadrole.h"

/* Open QP0 of a port, for UMAD_MANAGER or UMAD_SMA, and start its reader thread; received MADs go to `box`,
 * which must outlive the transport, and so does whether the device can be read. On failure -errno, and
 * `error`, of at least 256 bytes, says which device file or class failed and how to fix it. -EPROTONOSUPPORT:
 * a class is refused; -EOVERFLOW: libibumad has no room for the device. Closing waits up to 250 ms for
 * answers on their way. */
int umadtransport_open(const char *device, unsigned port, enum umad_role role, struct mailbox *box,
                       struct transport **transport, char *error, size_t size);

/* Open QP1, which may be on another device than QP0, for the transport of a port. Until then no MAD of its
 * classes can be sent. Errors as umadtransport_open; the transport is as before then. */
int umadtransport_open_qp1(struct transport *transport, const char *device, unsigned port, char *error,
                           size_t size);

#endif
