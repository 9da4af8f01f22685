// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "sma/node.h"

enum {
	LOST_HOLD_MS = 5 * 1000,  /* how long a lost block is not asked for again */
	LAST_GOOD_MS = 60 * 1000, /* how long the last good data stand in for a lost answer */
};

/* How long the outcome of the last request counts: the cache time, but what was lost is asked for again soon.
 */
static unsigned hold_ms(const struct sma_reader *reader, const struct block *block)
{
	unsigned age_ms = reader->node->config.age_ms[block->key.attr];

	if (block->outcome != BLOCK_LOST)
		return reader->anew ? 0 : age_ms;
	return age_ms > LOST_HOLD_MS ? LOST_HOLD_MS : age_ms;
}

/* What was asked for after the evaluation is new enough for it, however often notices have expired it since:
 * in a storm of them no answer would do otherwise. */
static bool is_fresh(const struct sma_reader *reader, const struct block *block)
{
	if (block->outcome == BLOCK_NEVER)
		return false;
	if (block->epoch != reader->node->epochs[block->key.attr])
		return block->began > reader->since;
	return block->checked >= reader->since || reader->now - block->checked < hold_ms(reader, block);
}

/* The best answer that the last request and the data before it give. */
static int settle(const struct sma_reader *reader, const struct block *block, const uint8_t **data)
{
	if (block->outcome == BLOCK_ABSENT)
		return -ENOENT;
	if (!block->good ||
	    reader->now - block->good >= LAST_GOOD_MS + reader->node->config.age_ms[block->key.attr])
		return -EIO;
	*data = block->data;
	return 0;
}

static int miss(struct sma_reader *reader, struct block *block)
{
	if (!reader->missed)
		reader->waits_for = block->key;
	reader->missed = true;
	if (!block->pending) {
		if (reader->budget == 0)
			return -EBUSY;
		reader->budget--;
		node_request(reader->node, block, reader->now);
	}
	return -EAGAIN;
}

/* Whether a block that is missing or too old is worth asking for. */
static bool may_ask(const struct sma_reader *reader, enum sma_attr attr)
{
	const struct health *health = &reader->node->health;

	if (reader->patience == SMA_FINAL || health_is_silent(health, reader->now))
		return false;
	return reader->patience != SMA_SKIP || !health_is_unanswered(health, attr, reader->now);
}

static int read_known(struct sma_reader *reader, struct block *block, const uint8_t **data)
{
	int rc = block->outcome == BLOCK_NEVER ? -EIO : settle(reader, block, data);

	if (is_fresh(reader, block) || !may_ask(reader, block->key.attr))
		return rc;
	if (reader->patience != SMA_FRESH && rc != -EIO)
		return rc;
	return miss(reader, block);
}

int sma_read_block(struct sma_reader *reader, const struct sma_key *key, const uint8_t **data)
{
	struct sma_node *node = reader->node;
	struct block *block;

	if (!sma_node_reaches(node, key->port))
		return -ENOENT;
	block = cache_find(&node->cache, key);
	if (!block && may_ask(reader, key->attr))
		block = cache_add(&node->cache, key);
	return block ? read_known(reader, block, data) : -EIO;
}

int sma_read(struct sma_reader *reader, const struct sma_key *key, enum sma_component component,
             uint64_t *value)
{
	const uint8_t *data;
	int rc = sma_read_block(reader, key, &data);

	if (rc == 0)
		*value = sma_component_get(data, component);
	return rc;
}
