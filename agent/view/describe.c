// SPDX-License-Identifier: BSD-2-Clause
/* What IBSMAD-MIB and the table of views say of a view. */
#include <stdio.h>
#include <string.h>

#include "agent/view/views_parts.h"

enum { PATH_TEXT_SIZE = (MAD_MAX_HOPS + 1) * 4 };

/* ---- one that is read with SMPs only ---- */

static void read_block(const struct view *view, const struct sma_key *key, const uint8_t **data)
{
	struct sma_reader reader = {.node = view->node, .now = view->views->now, .patience = SMA_FINAL};

	if (sma_read_block(&reader, key, data) < 0)
		*data = NULL;
}

static bool is_up(const struct view *view, unsigned port)
{
	const struct sma_key key = sma_key_port(sma_node_id(view->node), port);
	const uint8_t *info;

	read_block(view, &key, &info);
	return info && sma_component_get(info, SMA_PortInfo_PortState) == SMA_PORT_ACTIVE;
}

static void describe_port(const struct view *view, struct mib_view *to)
{
	const struct sma_key key = sma_key_port(sma_node_id(view->node), sma_node_port(view->node));
	const uint8_t *info;

	read_block(view, &key, &info);
	to->lid = info ? (unsigned)sma_component_get(info, SMA_PortInfo_LID) : 0;
}

static void describe_read(const struct view *view, struct mib_view *to)
{
	static char description[SMA_BLOCK_SIZE + 1];
	const struct sma_key node = sma_key_node(sma_node_id(view->node), SMA_NodeInfo);
	const struct sma_key text = sma_key_node(sma_node_id(view->node), SMA_NodeDescription);
	const uint8_t *data;

	read_block(view, &node, &data);
	if (data) {
		to->guid = sma_component_get(data, SMA_NodeInfo_NodeGUID);
		to->type = (unsigned)sma_component_get(data, SMA_NodeInfo_NodeType);
		to->ports = (unsigned)sma_component_get(data, SMA_NodeInfo_NumPorts);
	}
	read_block(view, &text, &data);
	snprintf(description, sizeof(description), "%.*s", SMA_BLOCK_SIZE, data ? (const char *)data : "");
	to->description = description;
	for (unsigned i = 1; i <= to->ports; i++)
		to->ports_up += is_up(view, i);
	describe_port(view, to);
}

/* ---- a node of the fabric ---- */

static void describe_remote(const struct view *view, struct mib_view *to)
{
	const struct fabric_node *node = view->remote.node;
	const unsigned management = view->node ? sma_node_port(view->node) : 0;

	if (!node)
		return;
	to->type = node->type;
	to->description = node->description;
	to->ports = node->port_count;
	for (unsigned i = 1; i <= node->port_count; i++)
		to->ports_up += node->ports[i].state == SMA_PORT_ACTIVE;
	if (management <= node->port_count)
		to->lid = node->ports[management].lid;
}

/* ---- any ---- */

static void write_path(const struct engine_address *address, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "0");

	for (unsigned i = 1; i <= address->hops && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, ",%u", address->path[i]);
}

static void describe_way(const struct view *view, struct mib_view *to)
{
	static char path[PATH_TEXT_SIZE];
	const struct peer *peer = view->node ? sma_node_peer(view->node, sma_node_port(view->node)) : NULL;

	path[0] = '\0';
	if (peer && peer_address(peer)->route == ENGINE_ROUTED)
		write_path(peer_address(peer), path, sizeof(path));
	to->path = path;
	to->device = view->via.device;
	to->port = view->via.port;
	if (!view->port)
		return;
	to->device = view->port->device->ports->device ? view->port->device->ports->device->name : "";
	to->port = host_port_mad(view->port)->number;
}

static void describe_state(const struct view *view, struct mib_view *to)
{
	static const enum mib_view_state states[] = {[SMA_UNKNOWN] = MIB_VIEW_UNKNOWN,
	                                             [SMA_ANSWERING] = MIB_VIEW_ANSWERING,
	                                             [SMA_SILENT] = MIB_VIEW_SILENT};

	to->state = view->kind == VIEW_LOCAL ? MIB_VIEW_UNKNOWN : MIB_VIEW_UNREACHABLE;
	if (!view->node || !sma_node_reaches(view->node, sma_node_port(view->node)))
		return;
	to->state = states[sma_node_state(view->node)];
	sma_node_condition(view->node, &to->sma);
	to->last = to->sma.last;
	sma_node_counters(view->node, &to->smps);
}

static const struct mib_view *describe(struct view *view)
{
	static struct mib_view to;
	const struct view_name *name = STAILQ_FIRST(&view->names);
	const struct view_name *alias = name ? STAILQ_NEXT(name, link) : NULL;

	to = (struct mib_view){.id = view->id,
	                       .context = name ? name->text : "",
	                       .alias = alias ? alias->text : "",
	                       .guid = view->guid,
	                       .remote = view->kind != VIEW_LOCAL,
	                       .description = "",
	                       .notices = SOURCES_OFF};
	describe_way(view, &to);
	describe_state(view, &to);
	if (view->kind == VIEW_REMOTE)
		describe_remote(view, &to);
	else if (view->node)
		describe_read(view, &to);
	if (view->kind == VIEW_LOCAL && view->port->sources)
		to.notices = sources_state(view->port->sources);
	if (view->shown)
		mib_shown_count(view->shown, &to.values);
	return &to;
}

const struct mib_view *views_describe(void *arg, uint32_t from)
{
	struct views *views = arg;
	struct view *view = views->described;

	if (!view || view->id > from)
		view = TAILQ_FIRST(&views->list);
	while (view && view->id < from)
		view = TAILQ_NEXT(view, link);
	views->described = view;
	if (!view)
		return NULL;
	if (view->kind != VIEW_REMOTE && view->node)
		local_view_learn(view);
	return describe(view);
}
