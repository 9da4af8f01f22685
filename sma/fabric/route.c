// SPDX-License-Identifier: BSD-2-Clause
/* The routes to the nodes of a fabric, along its links. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/fabric/fabric_parts.h"

static uint64_t key_of(const struct graph_node *node)
{
	const struct fabric_config *config = &node->fabric->config;

	return config->m_key ? config->m_key(config->arg, node->public.guid) : 0;
}

/* ---- one route ---- */

int route_set(struct graph_node *node, unsigned port, const struct engine_address *address)
{
	struct fabric_port *entry = &node->public.ports[graph_entry(node, port)];

	if (entry->mad_peer && engine_address_is_same(peer_address(entry->mad_peer), address))
		return 0;
	if (entry->mad_peer) {
		peer_move(entry->mad_peer, address);
	} else {
		entry->mad_peer = peer_open(node->fabric->engine, MAD_CLASS_SM, address, NODE_SMPS);
		if (!entry->mad_peer)
			return -ENOMEM;
	}
	peer_hush(entry->mad_peer);
	peer_set_key(entry->mad_peer, key_of(node));
	node->public.reachable = true;
	node->fabric->is_counted = false;
	graph_tell(node);
	return 0;
}

static void close_port(struct fabric_port *port)
{
	struct peer *peer = port->mad_peer;

	port->mad_peer = NULL;
	peer_close(peer);
}

void route_drop(struct graph_node *node)
{
	look_end(node->fabric, node);
	read_stop(node);
	for (unsigned i = 0; i <= graph_last_port(node); i++)
		close_port(&node->public.ports[i]);
	if (node->public.reachable)
		graph_tell(node);
	node->public.reachable = false;
	node->fabric->is_counted = false;
}

const struct engine_address *fabric_route(const struct fabric_node *node, unsigned port)
{
	const struct fabric_port *entry;

	if (port > node->port_count)
		return NULL;
	entry = &node->ports[graph_entry(graph_of(node), port)];
	return entry->mad_peer ? peer_address(entry->mad_peer) : NULL;
}

bool route_behind(const struct graph_node *node, unsigned port, struct engine_address *address)
{
	const struct engine_address *route = fabric_route(&node->public, port);

	if (!route || route->hops >= MAD_MAX_HOPS)
		return false;
	*address = *route;
	address->path[++address->hops] = (uint8_t)port;
	return true;
}

/* ---- all routes ---- */

struct search {
	struct graph_node **queue;
	unsigned count;
	uint32_t number;
};

static void reach(struct search *search, struct graph_node *node, unsigned hops)
{
	if (node->visited == search->number || hops > MAD_MAX_HOPS)
		return;
	node->visited = search->number;
	node->hops = hops;
	search->queue[search->count++] = node;
}

static void reach_neighbours(struct search *search, const struct graph_node *node)
{
	for (unsigned port = 1; graph_passes_on(node) && port <= graph_last_port(node); port++) {
		const struct fabric_port *link = &node->public.ports[port];

		if (link->peer)
			reach(search, graph_of(link->peer), node->hops + 1);
	}
}

/* The way by one of its links, where that is a shortest one. */
static bool way_by(const struct graph_node *node, unsigned port, struct engine_address *address)
{
	const struct fabric_port *link = &node->public.ports[port];
	const struct graph_node *from = link->peer ? graph_of(link->peer) : NULL;

	return from && from->visited == node->visited && graph_passes_on(from) &&
	       (graph_entry(node, port) || from->hops + 1 == node->hops) &&
	       route_behind(from, link->peer_port, address);
}

/* A switch keeps the way that it has if that is as short as any. */
static void settle(struct graph_node *node)
{
	const bool is_switch = node->public.type == SMA_NODE_SWITCH;
	struct engine_address first = {.hops = 0};
	struct engine_address address;
	const struct engine_address *now = is_switch ? fabric_route(&node->public, 0) : NULL;

	for (unsigned port = 1; port <= graph_last_port(node); port++) {
		if (!way_by(node, port, &address))
			continue;
		if (!is_switch)
			route_set(node, port, &address);
		else if (now && engine_address_is_same(now, &address))
			return;
		else if (!first.hops)
			first = address;
	}
	if (first.hops)
		route_set(node, 0, &first);
}

/* A port of a channel adapter whose link is gone is not reached, others may be. */
static void close_unlinked(struct graph_node *node)
{
	if (node->public.type == SMA_NODE_SWITCH || node == node->fabric->root)
		return;
	for (unsigned i = 1; i <= graph_last_port(node); i++) {
		struct fabric_port *port = &node->public.ports[i];
		const struct graph_node *peer = port->peer ? graph_of(port->peer) : NULL;

		if (!port->mad_peer || (peer && peer->visited == node->fabric->search))
			continue;
		close_port(port);
		graph_tell(node);
	}
}

void route_search(struct fabric *fabric)
{
	struct search search = {.number = ++fabric->search};
	struct graph_node *node;

	fabric->has_lost_link = false;
	search.queue = calloc(fabric->count + 1, sizeof(struct graph_node *));
	if (!search.queue || !fabric->root) {
		free(search.queue);
		return;
	}
	reach(&search, fabric->root, 0);
	for (unsigned i = 0; i < search.count; i++)
		reach_neighbours(&search, search.queue[i]);
	for (unsigned i = 1; i < search.count; i++) /* those nearer come first */
		settle(search.queue[i]);
	free(search.queue);
	TAILQ_FOREACH (node, &fabric->nodes, link) {
		if (node->visited != fabric->search && node->public.reachable)
			route_drop(node);
		else if (node->public.reachable)
			close_unlinked(node);
	}
}
