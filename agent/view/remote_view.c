// SPDX-License-Identifier: BSD-2-Clause
/* The view of a node of the fabric, which is known by its NodeGUID, wherever it is. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "agent/view/views_parts.h"
#include "sma/log.h"

enum {
	FORGET_MS = 60 * 60 * 1000, /* how long a view is kept whose node is lost */
};

/* ---- how its SMAs are reached ---- */

/* The subnet is up where this host is: its port has a LID, and lets data pass, from which VL15 is exempt. */
static bool has_subnet(const struct host_port *port)
{
	const struct fabric_node *root = fabric_root(port->fabric);
	unsigned number = host_port_mad(port)->number;
	const struct fabric_port *own = root && number <= root->port_count ? &root->ports[number] : NULL;

	return own && own->lid && own->sm_lid && (number == 0 || own->state == SMA_PORT_ACTIVE);
}

/* LIDs where they lead there; the node of this host has no other one than itself. */
static struct engine_address address_of(const struct view *view, unsigned number)
{
	const struct fabric_node *node = view->remote.node;
	const unsigned lid = node->ports[number].lid;

	if (!lid || view->remote.by_route || node == fabric_root(view->port->fabric) ||
	    !has_subnet(view->port))
		return *fabric_route(node, number);
	return (struct engine_address){.route = ENGINE_LID, .lid = (uint16_t)lid};
}

static bool has_route(const struct view *view, unsigned number)
{
	return view->remote.node->reachable && fabric_route(view->remote.node, number);
}

/* The ports with an SMA: port 0 of a switch, and all of another node. */
static unsigned first_port(const struct fabric_node *node)
{
	return node->type == SMA_NODE_SWITCH ? 0 : 1;
}

static unsigned last_port(const struct fabric_node *node)
{
	return node->type == SMA_NODE_SWITCH ? 0 : node->port_count;
}

/* The port that the scalars describe: the first that is reached. -1: none is. */
static int management_port(const struct view *view)
{
	const struct fabric_node *node = view->remote.node;

	for (unsigned i = first_port(node); i <= last_port(node); i++) {
		if (has_route(view, i))
			return (int)i;
	}
	return -1;
}

static int attach(struct view *view, unsigned number)
{
	const struct fabric_port *port = &view->remote.node->ports[number];
	const struct engine_address address = address_of(view, number);
	int rc = 0;

	if (sma_node_reaches(view->node, number))
		sma_node_move(view->node, number, &address);
	else
		rc = sma_node_attach_remote(view->node, number, host_port_mad(view->port)->engine, &address,
		                            view->guid, VIEW_SMPS);
	if (rc == 0 && port->mad_peer)
		peer_share(sma_node_peer(view->node, number), port->mad_peer);
	return rc;
}

static int attach_all(struct view *view)
{
	const struct fabric_node *node = view->remote.node;
	int rc = 0;

	for (unsigned i = first_port(node); rc == 0 && i <= last_port(node); i++) {
		if (has_route(view, i))
			rc = attach(view, i);
		else
			sma_node_detach(view->node, i);
	}
	return rc;
}

/* ---- what is shown ---- */

static bool has_dm(const struct fabric_node *node)
{
	for (unsigned i = first_port(node); i <= last_port(node); i++) {
		if (node->ports[i].has_dm)
			return true;
	}
	return false;
}

/* Another node answers where this one is expected: it has been moved. */
static void note_stranger(void *arg, unsigned port, uint64_t guid)
{
	const struct view *view = arg;

	(void)port;
	(void)guid;
	if (view->port && view->remote.node)
		fabric_refresh(view->port->fabric, view->remote.node);
}

/* A node has one management port as long as it lives. */
static int make_node(struct view *view, unsigned management)
{
	const struct sma_config config = view_sma_config(view);
	struct sma_node *node;
	int rc;

	if (view->node && sma_node_port(view->node) == management)
		return view->shown ? mib_show_dm(view->shown, has_dm(view->remote.node)) : 0;
	rc = sma_node_new(&config, management, &node);
	if (rc < 0)
		return rc;
	sma_node_on_stranger(node, note_stranger, view);
	return view_show(view, node, has_dm(view->remote.node));
}

/* As the tools print a description: without blanks at the end, as they cannot be seen. */
static void clean(const char *description, char *text, size_t size)
{
	size_t length;

	snprintf(text, size, "%s", description);
	for (char *c = text; *c; c++) {
		if (*c < ' ' || *c > '~')
			*c = ' ';
	}
	length = strlen(text);
	while (length && text[length - 1] == ' ')
		text[--length] = '\0';
}

static void name(struct view *view)
{
	const struct fabric_node *node = view->remote.node;
	const struct name_map *map = view->views->map;
	bool is_shown = subnet_shows(view->port, node->type);
	const char *mapped = name_map_find(map, view->guid);
	char guid[17] = "";
	char text[sizeof(node->description)] = "";

	if (is_shown)
		snprintf(guid, sizeof(guid), "%016" PRIx64, view->guid);
	if (is_shown && map && !mapped)
		clean(node->description, text, sizeof(text));
	view_set_name(view, VIEW_NAME_GUID, guid);
	view_set_name(view, VIEW_NAME_NODE, is_shown && mapped ? mapped : text);
}

static void fail(struct view *view, int rc)
{
	sma_log(SMA_LOG_ERROR, "view", "the view of %s cannot be shown: %s", view_title(view), strerror(-rc));
	view_clear(view);
}

static void show(struct view *view)
{
	int management = management_port(view);
	int rc = management < 0 ? 0 : make_node(view, (unsigned)management);

	if (rc == 0 && view->node)
		rc = attach_all(view);
	if (rc < 0)
		fail(view, rc);
}

/* ---- what the fabric tells ---- */

static bool is_behind(const struct view *view, const struct host_port *port)
{
	return port == host_find(view->views, view->via.device, view->via.port);
}

/* NULL: there is none. */
static struct view *find(const struct host_port *port, uint64_t guid)
{
	struct view *view;

	TAILQ_FOREACH (view, &port->device->views->list, link) {
		if (view->kind == VIEW_REMOTE && view->guid == guid && is_behind(view, port))
			return view;
	}
	return NULL;
}

static struct view *make(struct views *views, const struct view_via *via, uint64_t guid)
{
	struct view *view = view_new(views, VIEW_REMOTE);

	if (view) {
		view->guid = guid;
		view->via = *via;
	}
	return view;
}

void remote_view_update(struct host_port *port, struct fabric_node *node)
{
	struct view *view = node->owner ? node->owner : find(port, node->guid);

	if (!view && subnet_shows(port, node->type))
		view = make(port->device->views, &port->device->views->lines->discover_via, node->guid);
	if (!view)
		return;
	view->port = port;
	view->remote.node = node;
	view->remote.lost_at = 0;
	node->owner = view;
	name(view);
	show(view);
}

void remote_view_lose(struct fabric_node *node, uint64_t now)
{
	struct view *view = node->owner;

	if (!view)
		return;
	view->remote.lost_at = now;
	if (view->node)
		attach_all(view);
}

/* ---- time ---- */

/* An agent that does not answer at its LID may do so along its route, and the other way round. */
static void watch_silence(struct view *view)
{
	bool is_silent = sma_node_state(view->node) == SMA_SILENT;

	if (is_silent && !view->remote.was_silent) {
		view->remote.by_route = !view->remote.by_route;
		show(view);
		fabric_refresh(view->port->fabric, view->remote.node);
	}
	view->remote.was_silent = is_silent;
}

static void drop(struct view *view)
{
	struct fabric_node *node = view->remote.node;

	node->owner = NULL;
	view_free(view);
	fabric_drop(node);
}

void remote_view_tick(struct view *view, uint64_t now)
{
	if (view->remote.lost_at && !view->remote.is_named && now >= view->remote.lost_at + FORGET_MS)
		drop(view);
	else if (!view->remote.lost_at && view->node)
		watch_silence(view);
}

/* ---- the configuration ---- */

void remote_view_add_line(struct views *views, const struct view_line *line)
{
	struct host_port *port = host_find(views, line->via.device, line->via.port);
	struct view *view = port ? find(port, line->guid) : NULL;

	if (!view)
		view = make(views, &line->via, line->guid);
	if (!view)
		return;
	view->remote.is_named = true;
	view_set_name(view, VIEW_NAME_LINE, line->name);
}

void remote_view_drop_lines(struct view *view)
{
	view_drop_lines(view);
	view->remote.is_named = false;
}

void remote_view_configure(struct view *view)
{
	const struct sma_config config = view_sma_config(view);

	if (view->node)
		sma_node_configure(view->node, &config);
	if (view->remote.node)
		name(view);
}

void remote_view_leave(struct view *view)
{
	if (view->remote.node)
		view->remote.node->owner = NULL;
	view->remote.node = NULL;
	view_clear(view);
	view->port = NULL;
	if (!view->remote.is_named)
		view_free(view);
}
