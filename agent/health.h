/* SPDX-License-Identifier: BSD-2-Clause */
/* What IBSMAD-MIB says of this daemon. */
#ifndef AGENT_HEALTH_H
#define AGENT_HEALTH_H

#include "mib/mib.h"

/* Fill in all values: `daemon` of struct mib_config, `arg` is the struct serving. What they point to lasts
 * until the next call. */
void health_fill(void *arg, struct mib_daemon *daemon);

#endif
