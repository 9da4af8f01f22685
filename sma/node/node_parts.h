/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of a node share. */
#ifndef NODE_NODE_PARTS_H
#define NODE_NODE_PARTS_H

#include "sma/mad/mad.h"
#include "sma/node/cache.h"
#include "sma/node/health.h"
#include "sma/node/node.h"
#include "sma/node/request.h"

/* Be given each Trap that comes in on QP0, from within sma_node_process. */
typedef void node_trap(void *arg, const struct sma_mail *mail);

struct sma_node {
	struct sma_config config;
	unsigned port; /* management port */
	struct sma_mailbox *mailbox;
	struct sma_requests *requests;
	struct cache cache;
	struct health health;
	unsigned epochs[SMA_ATTR_COUNT]; /* blocks of earlier ones are too old */
	sma_listener *listener;
	void *listener_arg;
	node_trap *on_trap;
	void *on_trap_arg;
	struct outage outage; /* of the management port's QP0 */
	uint64_t now;         /* of the current sma_node_process */
};

/* Give Traps to `on_trap` from now on; NULL: to nobody. */
void node_on_trap(struct sma_node *node, node_trap *on_trap, void *arg);

/* Ask for a block unless it is on its way already. `solicited`: a manager waits for it. */
void node_request(struct sma_node *node, struct block *block, bool solicited, uint64_t now);

#endif
