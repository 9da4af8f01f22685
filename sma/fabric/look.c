// SPDX-License-Identifier: BSD-2-Clause
/*
 * What is behind a link: NodeInfo, one hop further. Where nothing answers it is asked again, by a peer of its
 * own each time, as one that has fallen silent is not asked for a while; after LOOKS times the link counts as
 * silent, and is asked in longer and longer intervals.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sma/clock.h"
#include "sma/fabric/fabric_parts.h"
#include "sma/log.h"

enum {
	LOOKS = 3,
	FIRST_PAUSE_MS = 5 * 1000,
	LAST_PAUSE_MS = 300 * 1000,
};

static bool is_trying(const struct look *look)
{
	return look->failures < LOOKS;
}

static void end(struct look *look)
{
	struct fabric *fabric = look->fabric;
	struct peer *peer = look->peer;

	TAILQ_REMOVE(&fabric->looks, look, link);
	fabric->trying -= is_trying(look);
	if (look->node)
		look->node->public.ports[look->port].own.flags &= (uint8_t)~PORT_LOOKING;
	fabric->in_flight -= peer != NULL;
	free(look);
	peer_close(peer);
}

/* ---- what is there ---- */

/* Two nodes with one NodeGUID would be one with twice as many links. */
static bool is_taken(const struct look *look, const struct graph_node *node, unsigned port)
{
	const struct fabric_port *to = &node->public.ports[port];

	if (!look->node || !to->peer || to->own.confirmed != look->fabric->round ||
	    (to->peer == &look->node->public && to->peer_port == look->port))
		return false;
	if (look->node->public.ports[look->port].own.flags & PORT_TWIN)
		return true;
	look->node->public.ports[look->port].own.flags |= PORT_TWIN;
	sma_log(SMA_LOG_WARNING, "fabric",
	        "port %u of node 0x%016" PRIx64
	        " is behind two links, as if two nodes had its GUID: that of port "
	        "%u of node 0x%016" PRIx64 " is left out",
	        port, node->public.guid, look->port, look->node->public.guid);
	return true;
}

static void note_link(const struct look *look, struct graph_node *node, unsigned port)
{
	const uint32_t round = look->fabric->round;

	if (!look->node) {
		look->fabric->root = node;
		return;
	}
	graph_connect(look->node, look->port, node, port);
	look->node->public.ports[look->port].own.confirmed = round;
	node->public.ports[port].own.confirmed = round;
}

/* The first way to a node is a short one; a shorter one is taken when all are known. */
static void arrive(const struct look *look, struct graph_node *node, unsigned port)
{
	struct fabric *fabric = look->fabric;
	bool is_new_port = !fabric_route(&node->public, port);
	bool is_new = !node->public.reachable;

	node->public.seen = fabric->now;
	if (is_new_port && route_set(node, port, peer_address(look->peer)) < 0)
		return;
	if (is_new || (fabric->is_sweeping && node->swept != fabric->sweep))
		read_node(node, !fabric->is_sweeping || sweep_priority(fabric) == ENGINE_PROMPT);
	else if (is_new_port)
		read_port(node, port);
}

static void take_node_info(const struct look *look, const uint8_t *info)
{
	struct graph_node *node = graph_take(look->fabric, info);
	unsigned port = (unsigned)sma_component_get(info, SMA_NodeInfo_LocalPortNum);

	if (!node || port > graph_last_port(node) || is_taken(look, node, port))
		return;
	node->public.ports[graph_entry(node, port)].guid = sma_component_get(info, SMA_NodeInfo_PortGUID);
	note_link(look, node, port);
	arrive(look, node, port);
}

/* ---- asking ---- */

static void log_silence(const struct look *look)
{
	const struct fabric_node *expected;

	if (!look->node) {
		sma_log(SMA_LOG_WARNING, "fabric",
		        "the SMA of this host does not answer, so no node is found");
		return;
	}
	expected = look->node->public.ports[look->port].peer;
	sma_log(SMA_LOG_WARNING, "fabric",
	        "the link of port %u of node 0x%016" PRIx64
	        " is up, but nothing answers behind it%s; it is asked "
	        "again every %d to %d s",
	        look->port, look->node->public.guid, expected ? " any more" : "", FIRST_PAUSE_MS / 1000,
	        LAST_PAUSE_MS / 1000);
}

static void fail(struct look *look)
{
	struct fabric *fabric = look->fabric;
	struct peer *peer = look->peer;
	uint64_t pause = 0;

	look->peer = NULL;
	fabric->in_flight--;
	peer_close(peer);
	if (is_trying(look))
		look->failures++;
	else
		look->failures += look->failures < 16;
	if (!is_trying(look))
		pause = (uint64_t)FIRST_PAUSE_MS << (look->failures - LOOKS);
	look->due = fabric->now + sma_earlier(pause, LAST_PAUSE_MS);
	if (look->failures != LOOKS)
		return;
	fabric->trying--;
	log_silence(look);
	if (look->node)
		graph_disconnect(look->node, look->port);
}

static void take_answer(void *arg, const struct engine_result *result)
{
	struct look *look = arg;

	if (result->error == -ECANCELED)
		return;
	look->fabric->now = engine_now(look->fabric->engine);
	if (result->error || result->status) {
		fail(look);
		return;
	}
	take_node_info(look, result->data);
	end(look);
}

static bool find_way(const struct look *look, struct engine_address *address)
{
	*address = (struct engine_address){.route = ENGINE_ROUTED};
	return !look->node || route_behind(look->node, look->port, address);
}

static uint64_t key_of(const struct look *look)
{
	const struct fabric_config *config = &look->fabric->config;
	const struct fabric_node *expected = look->node ? look->node->public.ports[look->port].peer : NULL;

	return config->m_key ? config->m_key(config->arg, expected ? expected->guid : 0) : 0;
}

/* False: there is no way there any more. */
static bool ask(struct look *look)
{
	struct fabric *fabric = look->fabric;
	struct engine_request request = {.method = MAD_GET,
	                                 .attribute = sma_attr_id(SMA_NodeInfo),
	                                 .timeout_ms = fabric->config.timeout_ms,
	                                 .tries = fabric->config.tries,
	                                 .priority = sweep_priority(fabric),
	                                 .insists = is_trying(look),
	                                 .done = take_answer,
	                                 .arg = look};
	struct engine_address address;

	if (!find_way(look, &address))
		return false;
	if (!is_trying(look))
		request.priority = ENGINE_BACKGROUND;
	look->peer = peer_open(fabric->engine, MAD_CLASS_SM, &address, 1);
	if (!look->peer)
		return true;
	peer_hush(look->peer);
	peer_set_key(look->peer, key_of(look));
	if (peer_submit(look->peer, &request, fabric->now, NULL) == 0) {
		fabric->in_flight++;
		fabric->progress.smps++;
		return true;
	}
	peer_close(look->peer);
	look->peer = NULL;
	look->due = fabric->now + FIRST_PAUSE_MS;
	return true;
}

/* ---- for the fabric ---- */

static bool has_room(const struct fabric *fabric)
{
	return fabric->in_flight < FABRIC_SMPS;
}

static struct look *find(const struct fabric *fabric, const struct graph_node *node, unsigned port)
{
	struct look *look;

	TAILQ_FOREACH (look, &fabric->looks, link) {
		if (look->node == node && look->port == port)
			return look;
	}
	return NULL;
}

static struct look *make(struct fabric *fabric, struct graph_node *node, unsigned port)
{
	struct look *look = calloc(1, sizeof(*look));

	if (!look)
		return NULL;
	look->fabric = fabric;
	look->node = node;
	look->port = port;
	if (node)
		node->public.ports[port].own.flags |= PORT_LOOKING;
	fabric->trying++;
	TAILQ_INSERT_TAIL(&fabric->looks, look, link);
	return look;
}

/* One that waits to be tried again is due at once. */
static void hasten(struct look *look)
{
	look->fabric->trying += !is_trying(look);
	look->failures = 0;
	look->due = look->fabric->now;
}

void look_begin(struct fabric *fabric, struct graph_node *node, unsigned port)
{
	bool may_be = !node || node->public.ports[port].own.flags & PORT_LOOKING;
	struct look *look = may_be ? find(fabric, node, port) : NULL;

	if (!look)
		look = make(fabric, node, port);
	if (!look || look->peer)
		return;
	hasten(look);
	if (has_room(fabric) && !ask(look))
		end(look);
}

uint64_t look_run(struct fabric *fabric)
{
	uint64_t due = UINT64_MAX;
	struct look *look;
	struct look *next;

	for (look = TAILQ_FIRST(&fabric->looks); look; look = next) {
		next = TAILQ_NEXT(look, link);
		if (!look->peer && look->due <= fabric->now && has_room(fabric) && !ask(look))
			end(look);
		else if (!look->peer && (look->due > fabric->now || has_room(fabric)))
			due = sma_earlier(due, look->due);
	}
	return due;
}

void look_end(struct fabric *fabric, const struct graph_node *node)
{
	struct look *look;
	struct look *next;

	for (look = TAILQ_FIRST(&fabric->looks); look; look = next) {
		next = TAILQ_NEXT(look, link);
		if (look->node == node)
			end(look);
	}
}

void look_end_port(struct graph_node *node, unsigned port)
{
	struct look *look =
		node->public.ports[port].own.flags & PORT_LOOKING ? find(node->fabric, node, port) : NULL;

	if (look)
		end(look);
}

void look_end_all(struct fabric *fabric)
{
	struct look *look;
	struct look *next;

	for (look = TAILQ_FIRST(&fabric->looks); look; look = next) {
		next = TAILQ_NEXT(look, link);
		end(look);
	}
}
