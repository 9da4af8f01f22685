/* SPDX-License-Identifier: BSD-2-Clause */
/* What a QP is opened for through libibumad, and what to do when a management class is refused. */
#ifndef MAD_UMADROLE_H
#define MAD_UMADROLE_H

#include <stddef.h>
#include <stdint.h>

enum umad_role {
	UMAD_MANAGER, /* QP0: requests to SMAs */
	UMAD_SMA,     /* QP0: being the SMA of the port, with Get, Set and TrapRepress of both SM classes */
	UMAD_GSI      /* QP1 */
};

/* Methods that are received in the classes of a role besides answers, as bits. */
uint64_t umadrole_methods(enum umad_role role);

/* Say in `error` that a class of a port, without which the role is not possible, was refused with `rc`, a
 * -errno, and how to fix it. Always -EPROTONOSUPPORT. */
int umadrole_refused(enum umad_role role, const char *device, unsigned port, uint8_t class, int rc,
                     char *error, size_t size);

#endif
