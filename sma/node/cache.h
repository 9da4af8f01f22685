/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks as they came off the wire, by key. */
#ifndef NODE_CACHE_H
#define NODE_CACHE_H

#include "sma/node/node.h"

enum block_outcome {
	BLOCK_NEVER,  /* not asked yet */
	BLOCK_GOOD,   /* data came */
	BLOCK_ABSENT, /* the SMA does not have it */
	BLOCK_LOST,   /* an error, or no answer while the SMA answered others */
};

struct block {
	struct sma_key key;
	enum block_outcome outcome; /* of the last request from which something was learnt */
	unsigned epoch;             /* of the attribute, when that request began */
	uint64_t began;             /* when that was */
	unsigned asked;             /* of the attribute, when the last request began */
	uint64_t asked_at;          /* when that was */
	unsigned asked_turn;        /* of the I/O unit, when the last request began; `turn` likewise */
	unsigned turn;
	uint64_t asked_step; /* of the node, when the last request began; */
	uint64_t began_step; /* likewise of the last from which something was learnt, and when it ended */
	uint64_t ended_step;
	struct exchange *exchange; /* the request that is on its way; NULL: none is */
	bool is_draft;             /* its answer has come, and is not certain yet */
	unsigned asked_way;        /* of the endpoint, when the last request began */
	struct sma_node *node;
	uint64_t checked;    /* when that request ended */
	uint64_t good;       /* when `data` came; 0: never */
	struct block *older; /* among the blocks with data; NULL at the end */
	struct block *newer; /* likewise */
	uint8_t data[];      /* sma_attr_size bytes */
};

struct cache {
	void *tree;           /* of tsearch(3) */
	struct block *oldest; /* of those with data, in the order in which they came */
	struct block *newest;
};

/* The block of a key, NULL where there is none yet. */
struct block *cache_find(struct cache *cache, const struct sma_key *key);

/* Add an empty block of `node` for a key that has none. NULL when out of memory. */
struct block *cache_add(struct cache *cache, struct sma_node *node, const struct sma_key *key);

/* Data came for a block at `now`: it is the newest from now on. */
void cache_renew(struct cache *cache, struct block *block, uint64_t now);

/* The data of a block are of no use any more. */
void cache_retire(struct cache *cache, struct block *block);

void cache_free(struct cache *cache);

#endif
