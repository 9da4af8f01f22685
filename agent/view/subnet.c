// SPDX-License-Identifier: BSD-2-Clause
/* The fabric behind a port of this host: its nodes become views. */
#include "agent/view/views_parts.h"

/* ---- what is looked for ---- */

static bool discovers_behind(const struct host_port *port)
{
	const struct view_config *lines = port->device->views->lines;

	return lines->discover != VIEW_DISCOVER_OFF &&
	       port == host_find(port->device->views, lines->discover_via.device, lines->discover_via.port);
}

bool subnet_shows(const struct host_port *port, unsigned type)
{
	const bool is_switch = type == SMA_NODE_SWITCH;

	if (!discovers_behind(port))
		return false;
	switch (port->device->views->lines->discover) {
	case VIEW_DISCOVER_SWITCHES:
		return is_switch;
	case VIEW_DISCOVER_CAS:
		return !is_switch;
	default:
		return true;
	}
}

/* A node that is named by its GUID has to be found as well. */
static bool is_wanted(const struct host_port *port)
{
	const struct views *views = port->device->views;
	const struct view_config *lines = views->lines;

	if (discovers_behind(port))
		return true;
	for (unsigned i = 0; i < lines->line_count; i++) {
		const struct view_line *line = &lines->lines[i];

		if (line->kind == VIEW_LINE_GUID &&
		    port == host_find(views, line->via.device, line->via.port))
			return true;
	}
	return false;
}

/* ---- what is found ---- */

static void hear(void *arg, enum fabric_event event, struct fabric_node *node)
{
	struct host_port *port = arg;

	if (event == FABRIC_LOST)
		remote_view_lose(node, port->device->views->now);
	else
		remote_view_update(port, node);
}

/* What was found before it was wanted. */
static void show_known(struct host_port *port)
{
	struct fabric_node *node;

	for (node = fabric_first(port->fabric); node; node = fabric_next(node)) {
		if (node->reachable)
			remote_view_update(port, node);
	}
}

/* One that is not known yet is found by a sweep. */
static void hear_change(void *arg, uint16_t issuer_lid)
{
	const struct host_port *port = arg;
	struct fabric_node *issuer = port->fabric ? fabric_find_lid(port->fabric, issuer_lid) : NULL;

	if (issuer)
		fabric_refresh(port->fabric, issuer);
	else if (port->fabric)
		fabric_sweep(port->fabric);
}

void subnet_listen(struct host_port *port)
{
	sources_on_change(port->sources, hear_change, port);
}

/* ---- life ---- */

static uint64_t key_of(void *arg, uint64_t guid)
{
	const struct views *views = arg;

	return key_file_find(views->keys, guid);
}

static void close_fabric(struct host_port *port)
{
	struct view *view;
	struct view *next;

	for (view = TAILQ_FIRST(&port->device->views->list); view; view = next) {
		next = TAILQ_NEXT(view, link);
		if (view->kind == VIEW_REMOTE && view->port == port)
			remote_view_leave(view);
	}
	fabric_close(port->fabric);
	port->fabric = NULL;
}

void subnet_close(struct host_port *port)
{
	if (port->fabric)
		close_fabric(port);
}

int subnet_configure(struct host_port *port)
{
	struct views *views = port->device->views;
	const struct fabric_config config = {
		.sweep_ms = views->config->sweep_ms, .m_key = key_of, .arg = views};
	int rc;

	if (!is_wanted(port)) {
		subnet_close(port);
		return 0;
	}
	if (port->fabric) {
		fabric_configure(port->fabric, &config);
		show_known(port);
		return 0;
	}
	rc = fabric_open(host_port_mad(port)->engine, &config, &port->fabric);
	if (rc == 0)
		fabric_listen(port->fabric, hear, port);
	return rc;
}
