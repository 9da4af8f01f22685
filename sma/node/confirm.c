// SPDX-License-Identifier: BSD-2-Clause
/*
 * Whose an answer was. Behind a LID or a directed route may be another node than a moment before: what came
 * from there is a draft until NodeInfo, which is asked for afterwards, shows the node that is meant. It is
 * asked for when nothing else is on its way, so that many drafts share one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sma/log.h"
#include "sma/node/node_parts.h"

enum {
	DRAFTS_MOST = 64,       /* with which NodeInfo does not wait for more of them */
	STRANGER_MS = 5 * 1000, /* before a place is asked again where another node is */
};

struct draft {
	STAILQ_ENTRY(draft) link;
	struct block *block;
	int result;
	uint8_t data[];
};

bool confirm_is_due(const struct endpoint *endpoint)
{
	return endpoint->confirm.guid != 0;
}

/* ---- drafts ---- */

static struct draft *take_first(struct confirm *confirm)
{
	struct draft *draft = STAILQ_FIRST(&confirm->drafts);

	STAILQ_REMOVE_HEAD(&confirm->drafts, link);
	confirm->count--;
	draft->block->is_draft = false;
	return draft;
}

void confirm_drop(struct endpoint *endpoint)
{
	while (endpoint->confirm.count)
		free(take_first(&endpoint->confirm));
	endpoint->confirm.covered = 0;
}

/* Blocks may be asked for meanwhile, whose answers come behind those that are covered. */
static void end_covered(struct endpoint *endpoint, bool is_right)
{
	struct confirm *confirm = &endpoint->confirm;

	for (; confirm->covered; confirm->covered--) {
		struct draft *draft = take_first(confirm);
		struct block *block = draft->block;

		if (is_right)
			node_learn(endpoint->node, block, draft->result, draft->data);
		free(draft);
		node_tell(endpoint->node, block);
	}
}

/* ---- NodeInfo ---- */

static bool is_expected(const struct endpoint *endpoint, const uint8_t *info)
{
	return sma_component_get(info, SMA_NodeInfo_NodeGUID) == endpoint->confirm.guid &&
	       (endpoint->port == 0 || sma_component_get(info, SMA_NodeInfo_LocalPortNum) == endpoint->port);
}

static void note_stranger(struct endpoint *endpoint, const uint8_t *info)
{
	const struct sma_node *node = endpoint->node;
	const uint64_t guid = sma_component_get(info, SMA_NodeInfo_NodeGUID);

	if (!endpoint->confirm.stranger_until)
		sma_log(SMA_LOG_NOTICE, "sma",
		        "port %u of node 0x%016" PRIx64 " answers where port %u of node 0x%016" PRIx64
		        " was; that is not shown for this",
		        (unsigned)sma_component_get(info, SMA_NodeInfo_LocalPortNum), guid, endpoint->port,
		        endpoint->confirm.guid);
	endpoint->confirm.stranger_until = engine_now(endpoint->engine) + STRANGER_MS;
	if (node->stranger)
		node->stranger(node->stranger_arg, endpoint->port, guid);
}

static void check(struct endpoint *endpoint);

static void check_done(void *arg, const struct engine_result *result)
{
	struct endpoint *endpoint = arg;
	bool is_answered = result->error == 0 && result->status == 0;
	bool is_right = is_answered && is_expected(endpoint, result->data);

	if (result->error == -ECANCELED)
		return;
	if (is_right)
		endpoint->confirm.stranger_until = 0;
	else if (is_answered)
		note_stranger(endpoint, result->data);
	end_covered(endpoint, is_right);
	endpoint->confirm.is_checking = false;
	check(endpoint);
}

static void submit_check(struct endpoint *endpoint)
{
	const struct sma_config *config = &endpoint->node->config;
	struct confirm *confirm = &endpoint->confirm;
	const struct engine_request request = {.method = MAD_GET,
	                                       .attribute = sma_attr_id(SMA_NodeInfo),
	                                       .timeout_ms = config->timeout_ms,
	                                       .tries = config->retries + 1,
	                                       .priority = ENGINE_MANAGER,
	                                       .done = check_done,
	                                       .arg = endpoint};

	confirm->covered = confirm->count;
	confirm->is_checking = peer_submit(endpoint->peer, &request, engine_now(endpoint->engine), NULL) == 0;
	if (!confirm->is_checking)
		confirm_drop(endpoint);
}

static void check(struct endpoint *endpoint)
{
	const struct confirm *confirm = &endpoint->confirm;

	if (confirm->count && !confirm->is_checking &&
	    (confirm->outstanding == 0 || confirm->count >= DRAFTS_MOST))
		submit_check(endpoint);
}

void confirm_hurry(struct endpoint *endpoint)
{
	if (endpoint->confirm.count && !endpoint->confirm.is_checking)
		submit_check(endpoint);
}

/* ---- requests ---- */

void confirm_begin(struct endpoint *endpoint, struct block *block)
{
	endpoint->confirm.outstanding++;
	block->asked_way = endpoint->confirm.way;
}

void confirm_end(struct endpoint *endpoint)
{
	endpoint->confirm.outstanding--;
}

static void keep(struct confirm *confirm, struct block *block, int result, const uint8_t *data)
{
	const size_t size = result == 0 ? sma_attr_size(block->key.attr) : 0;
	struct draft *draft = calloc(1, sizeof(*draft) + size);

	if (!draft)
		return;
	draft->block = block;
	draft->result = result;
	if (size)
		memcpy(draft->data, data, size);
	STAILQ_INSERT_TAIL(&confirm->drafts, draft, link);
	confirm->count++;
	block->is_draft = true;
}

/* NodeInfo itself says whose it is. */
void confirm_take(struct endpoint *endpoint, struct block *block, int result, const uint8_t *data)
{
	struct confirm *confirm = &endpoint->confirm;
	const bool is_node_info = block->key.attr == SMA_NodeInfo && result == 0;

	if (is_node_info && is_expected(endpoint, data)) {
		node_learn(endpoint->node, block, result, data);
		node_tell(endpoint->node, block);
	} else if (is_node_info) {
		note_stranger(endpoint, data);
		node_tell(endpoint->node, block);
	} else if (block->asked_way == confirm->way) {
		keep(confirm, block, result, data);
	} else {
		node_tell(endpoint->node, block);
	}
	check(endpoint);
}
