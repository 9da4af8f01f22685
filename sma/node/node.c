// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/node/node_parts.h"

/* ---- requests ---- */

static enum block_outcome outcome_of(const struct block *block, int result)
{
	if (result == 0)
		return BLOCK_GOOD;
	if (result == MAD_STATUS_METHOD || result == MAD_STATUS_METHOD_ATTRIBUTE)
		return BLOCK_ABSENT;
	if (result > 0 && dm_is_absence(block, (uint16_t)result))
		return BLOCK_ABSENT;
	return BLOCK_LOST;
}

void node_learn(struct sma_node *node, struct block *block, int result, const uint8_t *data)
{
	enum block_outcome outcome = outcome_of(block, result);
	uint64_t now = engine_now(sma_node_engine(node, block->key.port));

	trouble_note(&node->trouble, block, outcome, result, now);
	block->outcome = outcome;
	block->checked = now;
	block->epoch = block->asked;
	block->began = block->asked_at;
	block->turn = block->asked_turn;
	block->began_step = block->asked_step;
	block->ended_step = ++node->steps;
	if (outcome == BLOCK_GOOD) {
		dm_note(node, block, data);
		memcpy(block->data, data, sma_attr_size(block->key.attr));
		cache_renew(&node->cache, block, now);
	} else if (outcome == BLOCK_ABSENT) {
		cache_retire(&node->cache, block);
	}
}

void node_tell(const struct sma_node *node, const struct block *block)
{
	if (node->listener)
		node->listener(node->listener_arg, &block->key);
}

static void take_result(struct sma_node *node, struct block *block, int result, const uint8_t *data)
{
	struct endpoint *endpoint = node_endpoint(node, block->key.port);

	if (confirm_is_due(endpoint)) {
		confirm_take(endpoint, block, result, data);
	} else {
		node_learn(node, block, result, data);
		node_tell(node, block);
	}
}

/* Of a block whose agent is silent, or whose port fails, nothing is learnt. */
static void block_done(void *arg, const struct engine_result *result)
{
	struct block *block = arg;
	struct sma_node *node = block->node;
	uint8_t readiness[2];

	block->exchange = NULL;
	if (result->error == -ECANCELED)
		return;
	if (result->error == 0)
		node->last = engine_now(sma_node_engine(node, block->key.port));
	confirm_end(node_endpoint(node, block->key.port));
	if (result->error == 0 && dm_is_readiness(block, result->status)) {
		wire_put16(readiness, result->status);
		take_result(node, block, 0, readiness);
	} else if (result->error == 0 || result->error == -ETIMEDOUT ||
	           dm_is_unreachable(block, result->error)) {
		take_result(node, block, result->error ? result->error : result->status, result->data);
	} else {
		node_tell(node, block);
	}
}

/* What nobody waits for keeps within the rate for the background, unless it stays within this host. */
static enum engine_priority priority_of(const struct sma_node *node, const struct block *block,
                                        bool solicited)
{
	if (solicited)
		return ENGINE_MANAGER;
	return confirm_is_due(node_endpoint(node, block->key.port)) ? ENGINE_BACKGROUND : ENGINE_PROMPT;
}

/* Whoever registered as the subnet manager gets SMInfo, and no key to learn from it: the SM itself checks
 * none. */
void node_request(struct sma_node *node, struct block *block, bool solicited, uint64_t now)
{
	struct peer *peer = node_peer(node, &block->key);
	const struct engine_request request = {
		.method = MAD_GET,
		.attribute = sma_attr_id(block->key.attr),
		.modifier = block->key.modifier,
		.keyless = block->key.attr == SMA_SMInfo,
		.busy_ends = block->key.attr == SMA_DM_PrepareToTest,
		.timeout_ms = node->config.timeout_ms,
		.tries = node->config.retries + 1,
		.priority = priority_of(node, block, solicited),
		.done = block_done,
		.arg = block,
	};

	if (block->is_draft)
		confirm_hurry(node_endpoint(node, block->key.port));
	if (block->exchange && solicited)
		peer_promote(block->exchange);
	if (block->is_draft || block->exchange || peer_submit(peer, &request, now, &block->exchange) < 0)
		return;
	block->asked = node->epochs[block->key.attr];
	block->asked_at = now;
	block->asked_turn = dm_turn(node, block->key.port);
	block->asked_step = ++node->steps;
	confirm_begin(node_endpoint(node, block->key.port), block);
}

/* ---- life ---- */

int sma_node_new(const struct sma_config *config, unsigned port, struct sma_node **node_out)
{
	struct sma_node *node = calloc(1, sizeof(*node));

	if (!node)
		return -ENOMEM;
	node->config = *config;
	node->id.port = (uint8_t)port;
	*node_out = node;
	return 0;
}

void sma_node_close(struct sma_node *node)
{
	struct endpoint *endpoint;

	if (!node)
		return;
	while ((endpoint = node->endpoints))
		sma_node_detach(node, endpoint->port);
	cache_free(&node->cache);
	free(node);
}

static struct endpoint *attach(struct sma_node *node, unsigned port, struct engine *engine,
                               const struct engine_address *address, unsigned limit)
{
	struct endpoint *endpoint = calloc(1, sizeof(*endpoint));
	struct peer *peer = peer_open(engine, MAD_CLASS_SM, address, limit);

	if (!endpoint || !peer) {
		free(endpoint);
		peer_close(peer);
		return NULL;
	}
	peer_set_key(peer, node->config.m_key);
	endpoint->next = node->endpoints;
	endpoint->node = node;
	endpoint->port = (uint8_t)port;
	endpoint->engine = engine;
	endpoint->peer = peer;
	STAILQ_INIT(&endpoint->confirm.drafts);
	node->endpoints = endpoint;
	return endpoint;
}

int sma_node_attach(struct sma_node *node, unsigned port, struct engine *engine, bool trusted)
{
	const struct engine_address self = {.route = ENGINE_SELF};
	struct endpoint *endpoint = attach(node, port, engine, &self, node->config.window);

	if (!endpoint)
		return -ENOMEM;
	endpoint->trusted = trusted;
	return 0;
}

int sma_node_attach_remote(struct sma_node *node, unsigned port, struct engine *engine,
                           const struct engine_address *address, uint64_t guid, unsigned limit)
{
	struct endpoint *endpoint = attach(node, port, engine, address, limit);

	if (!endpoint)
		return -ENOMEM;
	endpoint->confirm.guid = guid;
	return 0;
}

void sma_node_move(struct sma_node *node, unsigned port, const struct engine_address *address)
{
	struct endpoint *endpoint = node_endpoint(node, port);

	if (!endpoint || engine_address_is_same(peer_address(endpoint->peer), address))
		return;
	peer_move(endpoint->peer, address);
	endpoint->confirm.way++;
	confirm_drop(endpoint);
}

void sma_node_detach(struct sma_node *node, unsigned port)
{
	struct endpoint **link = &node->endpoints;
	struct endpoint *endpoint;

	while (*link && (*link)->port != port)
		link = &(*link)->next;
	endpoint = *link;
	if (!endpoint)
		return;
	confirm_drop(endpoint);
	peer_close(endpoint->peer);
	peer_close(endpoint->dm.peer);
	*link = endpoint->next;
	free(endpoint);
}

void sma_node_on_stranger(struct sma_node *node, sma_stranger *stranger, void *arg)
{
	node->stranger = stranger;
	node->stranger_arg = arg;
}

void sma_node_configure(struct sma_node *node, const struct sma_config *config)
{
	const unsigned window = node->config.window;

	node->config = *config;
	node->config.window = window;
	for (struct endpoint *endpoint = node->endpoints; endpoint; endpoint = endpoint->next)
		peer_set_key(endpoint->peer, config->m_key);
}

/* ---- what it is ---- */

struct endpoint *node_endpoint(const struct sma_node *node, unsigned port)
{
	struct endpoint *endpoint = node->endpoints;

	while (endpoint && endpoint->port != port)
		endpoint = endpoint->next;
	return endpoint;
}

const struct sma_id *sma_node_id(const struct sma_node *node)
{
	return &node->id;
}

struct peer *node_peer(const struct sma_node *node, const struct sma_key *key)
{
	const struct endpoint *endpoint = node_endpoint(node, key->port);

	return sma_attr_class(key->attr) == MAD_CLASS_SM ? endpoint->peer : endpoint->dm.peer;
}

unsigned sma_node_port(const struct sma_node *node)
{
	return node->id.port;
}

bool sma_is_switch(const struct sma_node *node)
{
	return node->id.port == 0;
}

bool sma_node_reaches(const struct sma_node *node, unsigned port)
{
	return node_endpoint(node, port) != NULL;
}

struct engine *sma_node_engine(const struct sma_node *node, unsigned port)
{
	const struct endpoint *endpoint = node_endpoint(node, port);

	return endpoint ? endpoint->engine : NULL;
}

struct peer *sma_node_peer(const struct sma_node *node, unsigned port)
{
	const struct endpoint *endpoint = node_endpoint(node, port);

	return endpoint ? endpoint->peer : NULL;
}

uint64_t sma_node_m_key(const struct sma_node *node)
{
	return node->config.m_key;
}

bool sma_node_is_trusted(const struct sma_node *node)
{
	const struct endpoint *endpoint = node_endpoint(node, node->id.port);

	return endpoint && endpoint->trusted;
}

uint64_t sma_node_now(const struct sma_node *node)
{
	const struct endpoint *endpoint = node_endpoint(node, node->id.port);

	return endpoint ? engine_now(endpoint->engine) : 0;
}

void sma_node_listen(struct sma_node *node, sma_listener *listener, void *arg)
{
	node->listener = listener;
	node->listener_arg = arg;
}

void sma_node_expire(struct sma_node *node, unsigned attrs)
{
	for (unsigned attr = 0; attr < SMA_READ_COUNT; attr++)
		node->epochs[attr] += attrs >> attr & 1;
}

/* ---- how it fares ---- */

void sma_node_counters(const struct sma_node *node, struct sma_counters *counters)
{
	*counters = (struct sma_counters){0};
	for (const struct endpoint *endpoint = node->endpoints; endpoint; endpoint = endpoint->next) {
		struct engine_counters of_peer;

		peer_count(endpoint->peer, &of_peer);
		counters->sent += of_peer.sent;
		counters->answered += of_peer.answered;
		counters->timed_out += of_peer.timed_out;
		counters->refused += of_peer.refused;
		counters->strange += engine_strange(endpoint->engine);
	}
}

enum sma_state sma_node_state(const struct sma_node *node)
{
	static const enum sma_state states[] = {
		[PEER_UNKNOWN] = SMA_UNKNOWN, [PEER_ANSWERING] = SMA_ANSWERING, [PEER_SILENT] = SMA_SILENT};
	const struct endpoint *endpoint = node_endpoint(node, node->id.port);

	return endpoint ? states[peer_state(endpoint->peer)] : SMA_UNKNOWN;
}

void sma_node_condition(const struct sma_node *node, struct sma_condition *condition)
{
	*condition = (struct sma_condition){
		.state = sma_node_state(node),
		.last = node->last,
		.oldest = node->cache.oldest ? node->cache.oldest->good : 0,
	};
	for (unsigned i = 0; i < SMA_READ_COUNT; i++) {
		condition->attrs[i].good = node->trouble.attrs[i].good;
		condition->attrs[i].last = node->trouble.attrs[i].last_good;
		condition->attrs[i].lost = node->trouble.attrs[i].lost;
	}
}
