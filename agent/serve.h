/* SPDX-License-Identifier: BSD-2-Clause */
/* Serving: the work of the loop for a node, its MIB, its notifications and the software SMA. */
#ifndef AGENT_SERVE_H
#define AGENT_SERVE_H

#include "agent/config.h"
#include "mib/mib.h"
#include "sma/notice/notice.h"
#include "sma/soft/soft.h"

/* A node that is served, and whose notices leave as notifications. */
struct serving {
	struct sma_devices devices; /* that may be used */
	struct mad_ports *ports;    /* of one of these, or of the software SMA */
	struct sma_node *node;      /* which is read through them */
	struct sma_soft *soft;      /* NULL: the device's SMA is read */
	struct mib *mib;
	struct notify *notify;
	struct sources *sources;
	uint64_t started;
};

/* Register the MIB of `serving->node`, start its sources of notices, and add all to the loop. Errors as
 * mib_open; the caller calls serve_stop and serve_free in any case. */
int serve_start(struct serving *serving, const struct agent_config *config);

/* Send what still waits to snmpd, for at most 1 s, and stop; before the session is closed. */
void serve_stop(struct serving *serving);

/* Free what serve_start made; after the session is closed. */
void serve_free(struct serving *serving);

/* Apply a changed configuration. -ENOMEM: not all of it. */
int serve_configure(struct serving *serving, const struct agent_config *config);

/* Make the node that is read through ports, the caller's to close before them; and add the software SMA,
 * whose ports these are, to the loop, before them. `soft` NULL: they are a device's. -errno: there is no
 * memory. */
int serve_node(struct mad_ports *ports, struct sma_soft *soft, const struct agent_config *config,
               struct sma_node **node);

#endif
