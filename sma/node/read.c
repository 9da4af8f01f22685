// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "sma/node/node_parts.h"

enum {
	LOST_HOLD_MS = 5 * 1000,  /* how long a lost block is not asked for again */
	LAST_GOOD_MS = 60 * 1000, /* how long the last answer stands in for one that does not come */
	AHEAD = 8, /* blocks to look at beyond the first that was missed, for each to ask for */
};

/* How long the outcome of the last request counts: the cache time, but what was lost is asked for again soon.
 */
static unsigned hold_ms(const struct sma_reader *reader, const struct block *block)
{
	unsigned age_ms = reader->node->config.age_ms[block->key.attr];

	if (block->outcome != BLOCK_LOST)
		return reader->force_refresh ? 0 : age_ms;
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

static bool stands(const struct sma_reader *reader, const struct block *block, uint64_t when)
{
	return reader->now - when < LAST_GOOD_MS + reader->node->config.age_ms[block->key.attr];
}

/* The best answer that is known. -ETIMEDOUT: none; a loss of long ago says nothing of today. */
static int recall(const struct sma_reader *reader, const struct block *block, const uint8_t **data)
{
	*data = block->data;
	if (block->good && stands(reader, block, block->good))
		return 0;
	if (block->outcome == BLOCK_ABSENT && stands(reader, block, block->checked))
		return -ENOENT;
	return block->outcome == BLOCK_LOST && is_fresh(reader, block) ? -EIO : -ETIMEDOUT;
}

static int give_up(struct sma_reader *reader)
{
	reader->unknown = true;
	return -ETIMEDOUT;
}

static int miss(struct sma_reader *reader, struct block *block)
{
	if (!reader->missed) {
		reader->waits_for = block->key;
		reader->missed_at = reader->place;
		reader->ahead = AHEAD * (reader->budget + 1);
	}
	reader->missed = true;
	if (!block->exchange) {
		if (reader->budget == 0)
			return -EBUSY;
		reader->budget--;
	}
	node_request(reader->node, block, !reader->unsolicited, reader->now);
	return -EAGAIN;
}

/* Whether a block that is missing or too old is worth asking for. */
static bool may_ask(const struct sma_reader *reader, const struct sma_key *key)
{
	const struct peer *peer = node_peer(reader->node, key);
	const struct endpoint *endpoint = node_endpoint(reader->node, key->port);

	return reader->patience != SMA_FINAL && reader->now >= peer_silent_until(peer) &&
	       reader->now >= endpoint->confirm.stranger_until;
}

static int read_known(struct sma_reader *reader, struct block *block, const uint8_t **data)
{
	int rc = recall(reader, block, data);

	if (rc == -EIO && reader->budget < reader->lost_budget)
		reader->budget = reader->lost_budget;
	if (is_fresh(reader, block))
		return rc;
	if (may_ask(reader, &block->key) && (reader->patience == SMA_FRESH || rc == -ETIMEDOUT))
		return miss(reader, block);
	return rc == -ETIMEDOUT ? give_up(reader) : rc;
}

int node_read_again(struct sma_reader *reader, struct block *block)
{
	return may_ask(reader, &block->key) ? miss(reader, block) : give_up(reader);
}

int sma_read_block(struct sma_reader *reader, const struct sma_key *key, const uint8_t **data)
{
	struct sma_node *node = reader->node;
	struct block *block;

	if (!sma_node_reaches(node, key->port))
		return -ENOENT;
	if (reader->missed && reader->ahead == 0)
		return -EBUSY;
	reader->ahead -= reader->missed;
	block = cache_find(&node->cache, key);
	if (!block && may_ask(reader, key))
		block = cache_add(&node->cache, node, key);
	return block ? read_known(reader, block, data) : give_up(reader);
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
