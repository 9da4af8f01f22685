// SPDX-License-Identifier: BSD-2-Clause
/* The nodes of a fabric and the links between their ports. */
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "sma/fabric/fabric_parts.h"
#include "sma/log.h"

/* ---- nodes ---- */

static int compare(const void *a, const void *b)
{
	uint64_t x = ((const struct fabric_node *)a)->guid;
	uint64_t y = ((const struct fabric_node *)b)->guid;

	return (x > y) - (x < y);
}

struct fabric_node *fabric_find(const struct fabric *fabric, uint64_t guid)
{
	const struct fabric_node key = {.guid = guid};
	struct fabric_node **found = tfind(&key, &fabric->by_guid, compare);

	return found ? *found : NULL;
}

unsigned graph_last_port(const struct graph_node *node)
{
	return node->public.port_count;
}

bool graph_passes_on(const struct graph_node *node)
{
	return node->public.type == SMA_NODE_SWITCH || node == node->fabric->root;
}

unsigned graph_entry(const struct graph_node *node, unsigned port)
{
	return node->public.type == SMA_NODE_SWITCH ? 0 : port;
}

static bool has_room(struct fabric *fabric, unsigned ports)
{
	if (fabric->count < FABRIC_MAX_NODES && fabric->port_count + ports + 1 <= FABRIC_MAX_PORTS)
		return true;
	if (!fabric->is_full)
		sma_log(SMA_LOG_WARNING, "fabric", "further nodes are left out: there are %u with %u ports",
		        fabric->count, fabric->port_count);
	fabric->is_full = true;
	return false;
}

static struct graph_node *make(struct fabric *fabric, uint64_t guid, unsigned ports)
{
	struct graph_node *node = calloc(1, sizeof(*node));

	if (node)
		node->public.ports = calloc(ports + 1, sizeof(node->public.ports[0]));
	if (node)
		node->public.guid = guid;
	if (!node || !node->public.ports || !tsearch(node, &fabric->by_guid, compare)) {
		if (node)
			free(node->public.ports);
		free(node);
		return NULL;
	}
	node->fabric = fabric;
	node->public.port_count = (uint8_t)ports;
	TAILQ_INSERT_TAIL(&fabric->nodes, node, link);
	fabric->count++;
	fabric->port_count += ports + 1;
	return node;
}

static unsigned number(const uint8_t *info, enum sma_component component)
{
	return (unsigned)sma_component_get(info, component);
}

struct graph_node *graph_take(struct fabric *fabric, const uint8_t *info)
{
	uint64_t guid = sma_component_get(info, SMA_NodeInfo_NodeGUID);
	struct fabric_node *found = fabric_find(fabric, guid);
	unsigned ports = number(info, SMA_NodeInfo_NumPorts);
	struct graph_node *node = found ? graph_of(found) : NULL;

	if (ports > SMA_MAX_PORTS)
		ports = SMA_MAX_PORTS;
	/* another node under the same GUID, or new firmware: it is found anew once the old one is lost */
	if (node &&
	    (node->public.port_count != ports || node->public.type != number(info, SMA_NodeInfo_NodeType)))
		return NULL;
	if (!node && (!guid || !has_room(fabric, ports)))
		return NULL;
	if (!node)
		node = make(fabric, guid, ports);
	if (!node)
		return NULL;
	node->public.type = (uint8_t)number(info, SMA_NodeInfo_NodeType);
	node->public.system_guid = sma_component_get(info, SMA_NodeInfo_SystemImageGUID);
	node->public.vendor = number(info, SMA_NodeInfo_VendorID);
	node->public.device_id = (uint16_t)number(info, SMA_NodeInfo_DeviceID);
	return node;
}

void graph_free(struct graph_node *node)
{
	struct fabric *fabric = node->fabric;

	route_drop(node);
	for (unsigned port = 0; port <= graph_last_port(node); port++) {
		graph_disconnect(node, port);
		graph_set_lid(node, port, 0, 0);
	}
	if (node->has_news)
		TAILQ_REMOVE(&fabric->news, node, news);
	tdelete(node, &fabric->by_guid, compare);
	TAILQ_REMOVE(&fabric->nodes, node, link);
	fabric->count--;
	fabric->port_count -= graph_last_port(node) + 1;
	if (fabric->root == node)
		fabric->root = NULL;
	free(node->public.ports);
	free(node);
}

/* ---- links ---- */

void graph_disconnect(struct graph_node *node, unsigned number_of_port)
{
	struct fabric_port *port = &node->public.ports[number_of_port];
	struct fabric_port *other;

	if (!port->peer)
		return;
	other = &port->peer->ports[port->peer_port];
	other->peer = NULL;
	other->peer_port = 0;
	port->peer = NULL;
	port->peer_port = 0;
	node->fabric->has_lost_link = true;
	node->fabric->is_counted = false;
}

void graph_connect(struct graph_node *a, unsigned a_port, struct graph_node *b, unsigned b_port)
{
	struct fabric_port *from = &a->public.ports[a_port];
	struct fabric_port *to = &b->public.ports[b_port];

	if (from->peer == &b->public && from->peer_port == b_port)
		return;
	graph_disconnect(a, a_port);
	graph_disconnect(b, b_port);
	a->fabric->is_counted = false;
	from->peer = &b->public;
	from->peer_port = (uint8_t)b_port;
	to->peer = &a->public;
	to->peer_port = (uint8_t)a_port;
}

/* ---- LIDs ---- */

static void mark(struct graph_node *node, const struct fabric_port *port, const struct graph_node *from,
                 struct graph_node *to)
{
	struct fabric *fabric = node->fabric;

	for (unsigned i = 0; port->lid && i < 1U << port->lmc; i++) {
		unsigned lid = port->lid + i;

		if (lid <= MAD_LAST_LID && (!from || fabric->by_lid[lid] == from))
			fabric->by_lid[lid] = to;
	}
}

void graph_set_lid(struct graph_node *node, unsigned number_of_port, uint16_t lid, uint8_t lmc)
{
	struct fabric_port *port = &node->public.ports[number_of_port];

	if (port->lid == lid && port->lmc == lmc)
		return;
	mark(node, port, node, NULL);
	port->lid = lid;
	port->lmc = lmc;
	mark(node, port, NULL, node);
}

struct fabric_node *fabric_find_lid(const struct fabric *fabric, uint16_t lid)
{
	struct graph_node *node = lid && lid <= MAD_LAST_LID ? fabric->by_lid[lid] : NULL;

	return node && node->public.reachable ? &node->public : NULL;
}

struct fabric_node *fabric_find_port(const struct fabric *fabric, uint64_t port_guid)
{
	struct graph_node *node;

	TAILQ_FOREACH (node, &fabric->nodes, link) {
		for (unsigned i = 0; node->public.reachable && i <= graph_last_port(node); i++) {
			if (port_guid && node->public.ports[i].guid == port_guid)
				return &node->public;
		}
	}
	return NULL;
}

/* ---- news ---- */

void graph_tell(struct graph_node *node)
{
	if (!node->has_news)
		TAILQ_INSERT_TAIL(&node->fabric->news, node, news);
	node->has_news = true;
}
