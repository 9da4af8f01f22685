/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modules of a node share. */
#ifndef NODE_NODE_PARTS_H
#define NODE_NODE_PARTS_H

#include <sys/queue.h>

#include "sma/node/cache.h"
#include "sma/node/node.h"
#include "sma/node/trouble.h"

/* The I/O unit that a local port has. */
struct dm {
	struct peer *peer; /* its device management agent, at the port's own LID; NULL: not asked yet */
	unsigned turn;     /* counts changes of IOUnitInfo */
	uint64_t second;   /* when the last second with changes began */
	unsigned changes;  /* in it */
};

/* What a remote node has answered, until it is certain that it was this one. */
struct confirm {
	uint64_t guid; /* NodeGUID; 0: the port is of this host, whose answers are certain */
	STAILQ_HEAD(draft_list, draft) drafts;
	unsigned count;
	unsigned covered;        /* the first so many had come when NodeInfo was asked for */
	unsigned outstanding;    /* blocks that are asked for */
	bool is_checking;        /* NodeInfo is asked for */
	unsigned way;            /* counts its addresses */
	uint64_t stranger_until; /* another node has answered: it is not asked before */
};

/* The SMA of one port. */
struct endpoint {
	struct endpoint *next;
	struct sma_node *node;
	uint8_t port;
	bool trusted;
	struct engine *engine; /* not owned */
	struct peer *peer;
	struct dm dm;
	struct confirm confirm;
};

struct sma_node {
	struct sma_config config;
	struct sma_id id;
	struct endpoint *endpoints;
	struct cache cache;
	struct trouble trouble;
	unsigned epochs[SMA_READ_COUNT]; /* blocks of earlier ones are too old */
	uint64_t steps;                  /* requests that began, and ended */
	uint64_t last;                   /* when anything was answered */
	sma_listener *listener;
	void *listener_arg;
	sma_stranger *stranger;
	void *stranger_arg;
};

/* The SMA of a port; NULL: it is not reached. */
struct endpoint *node_endpoint(const struct sma_node *node, unsigned port);

/* Who is asked for a block; NULL: the agent is not known yet. */
struct peer *node_peer(const struct sma_node *node, const struct sma_key *key);

/* Ask for a block that is known as for one that is missing, with the results of sma_read_block. */
int node_read_again(struct sma_reader *reader, struct block *block);

/* Ask for a block unless it is on its way already. `solicited`: a manager waits for it. */
void node_request(struct sma_node *node, struct block *block, bool solicited, uint64_t now);

/* A request has ended: with `result` as of trouble_note, from which the node learns, and whoever waits for
 * the block is told. */
void node_learn(struct sma_node *node, struct block *block, int result, const uint8_t *data);
void node_tell(const struct sma_node *node, const struct block *block);

/* ---- confirm.c ---- */

/* Whether an answer of the endpoint has to be confirmed. */
bool confirm_is_due(const struct endpoint *endpoint);

/* Keep what a block's request has ended with, until it is certain. */
void confirm_take(struct endpoint *endpoint, struct block *block, int result, const uint8_t *data);

/* A request of the endpoint has begun, or ended. */
void confirm_begin(struct endpoint *endpoint, struct block *block);
void confirm_end(struct endpoint *endpoint);

/* Somebody waits for a block whose answer is kept. */
void confirm_hurry(struct endpoint *endpoint);

/* Nothing that is kept counts. */
void confirm_drop(struct endpoint *endpoint);

/* ---- dm.c ---- */

/* How often the I/O unit of a port was found changed. */
unsigned dm_turn(const struct sma_node *node, unsigned port);

/* A block came, and `block` has the data before: whether the unit has changed. */
void dm_note(struct sma_node *node, const struct block *block, const uint8_t *data);

/* Whether the status of an answer is the contents of a block, or says that there is none. */
bool dm_is_readiness(const struct block *block, uint16_t status);
bool dm_is_absence(const struct block *block, uint16_t status);

/* Whether a request ended because the port has no way to the agent. */
bool dm_is_unreachable(const struct block *block, int error);

#endif
