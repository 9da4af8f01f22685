/* SPDX-License-Identifier: BSD-2-Clause */
/* What the loop has to do for a node, its MIB and the software SMA. */
#ifndef AGENT_SERVE_H
#define AGENT_SERVE_H

#include "agent/config.h"
#include "mib/mib.h"
#include "sma/sma.h"

/* Register the MIB of a node, and add both to the loop. The view is the caller's to close after the loop's
 * end. Errors as mib_open. */
int serve_node(struct sma_node *node, const struct agent_config *config, struct mib **mib_out);

/* Add a software SMA to the loop, before the node that reads it, which is made here and the caller's to
 * close. -ENOMEM. */
int serve_soft(struct sma_soft *soft, const struct agent_config *config, struct sma_node **node_out);

#endif
