// SPDX-License-Identifier: BSD-2-Clause
#include <search.h>
#include <stdlib.h>

#include "sma/node/cache.h"

static uint64_t order(const struct sma_key *key)
{
	return (uint64_t)key->attr << 40 | (uint64_t)key->port << 32 | key->modifier;
}

/* A key is the start of a block, so that tfind(3) can compare a block with a bare key. */
static int compare(const void *a, const void *b)
{
	uint64_t x = order(a);
	uint64_t y = order(b);

	return (x > y) - (x < y);
}

struct block *cache_find(struct cache *cache, const struct sma_key *key)
{
	void *node = tfind(key, &cache->tree, compare);

	return node ? *(struct block **)node : NULL;
}

struct block *cache_add(struct cache *cache, struct sma_node *node, const struct sma_key *key)
{
	struct block *block = calloc(1, sizeof(*block) + sma_attr_size(key->attr));

	if (!block)
		return NULL;
	block->key = *key;
	block->node = node;
	if (!tsearch(block, &cache->tree, compare)) {
		free(block);
		return NULL;
	}
	return block;
}

void cache_retire(struct cache *cache, struct block *block)
{
	if (!block->good)
		return;
	*(block->older ? &block->older->newer : &cache->oldest) = block->newer;
	*(block->newer ? &block->newer->older : &cache->newest) = block->older;
	block->older = block->newer = NULL;
	block->good = 0;
}

void cache_renew(struct cache *cache, struct block *block, uint64_t now)
{
	cache_retire(cache, block);
	block->good = now;
	block->older = cache->newest;
	*(block->older ? &block->older->newer : &cache->oldest) = block;
	cache->newest = block;
}

void cache_free(struct cache *cache)
{
	tdestroy(cache->tree, free);
	*cache = (struct cache){0};
}
