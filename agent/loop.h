/* SPDX-License-Identifier: BSD-2-Clause */
/* The one loop: Net-SNMP's sockets and alarms, the node's MADs, signals. */
#ifndef AGENT_LOOP_H
#define AGENT_LOOP_H

#include "mib/mib.h"
#include "sma/sma.h"

/* Block the signals that end the daemon, so that the loop takes them; before any thread is started. -errno.
 */
int loop_init(void);

/* Serve `node` and its view until SIGTERM or SIGINT. 0, or -errno when waiting for events failed. */
int loop_run(struct sma_node *node, struct mib *mib);

#endif
