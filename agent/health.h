/* SPDX-License-Identifier: BSD-2-Clause */
/* What IBSMAD-MIB says about this daemon. */
#ifndef AGENT_HEALTH_H
#define AGENT_HEALTH_H

#include "mib/mib.h"

/* Fill in all values: the `daemon` of struct mib_config, with the struct serving as `arg`. What they point to
 * is valid until the next call. */
void health_fill(void *arg, struct mib_daemon *daemon);

#endif
