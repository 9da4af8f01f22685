/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of a node share. */
#ifndef NODE_NODE_PARTS_H
#define NODE_NODE_PARTS_H

#include "sma/node/cache.h"
#include "sma/node/node.h"
#include "sma/node/trouble.h"

/* The SMA of one local port. */
struct endpoint {
	struct endpoint *next;
	uint8_t port;
	bool trusted;
	struct engine *engine; /* not owned */
	struct peer *peer;
};

struct sma_node {
	struct sma_config config;
	struct sma_id id;
	struct endpoint *endpoints;
	struct cache cache;
	struct trouble trouble;
	unsigned epochs[SMA_ATTR_COUNT]; /* blocks of earlier ones are too old */
	sma_listener *listener;
	void *listener_arg;
};

/* The SMA of a local port; NULL: it is not reached. */
const struct endpoint *node_endpoint(const struct sma_node *node, unsigned port);

/* Ask for a block unless it is on its way already. `solicited`: a manager waits for it. */
void node_request(struct sma_node *node, struct block *block, bool solicited, uint64_t now);

#endif
