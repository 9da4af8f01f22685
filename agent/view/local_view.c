// SPDX-License-Identifier: BSD-2-Clause
/* The view of a port of this host, and the sources of its notices. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/view/views_parts.h"

int views_local_node(const struct mad_ports *ports, unsigned index, const struct sma_config *config,
                     struct sma_node **node_out)
{
	struct sma_node *node;
	int rc = sma_node_new(config, ports->list[index].number, &node);

	for (unsigned i = 0; rc == 0 && i < ports->count; i++) {
		const struct mad_port *port = &ports->list[i];

		rc = sma_node_attach(node, port->number, port->engine, port->trusted);
		if (rc < 0)
			sma_node_close(node);
	}
	if (rc == 0)
		*node_out = node;
	return rc;
}

/* ---- which there are ---- */

static bool is_shown(const struct host_port *port)
{
	const struct sma_device *device = port->device->ports->device;

	return device &&
	       view_config_shows(port->device->views->lines, device->name, host_port_mad(port)->number);
}

static void name(struct host_port *port)
{
	char text[SMA_DEVICE_NAME_SIZE + 8] = "";

	if (is_shown(port))
		snprintf(text, sizeof(text), "%s:%u", port->device->ports->device->name,
		         host_port_mad(port)->number);
	if (host_port_is_chosen(port))
		view_set_name(port->view, VIEW_NAME_DEFAULT, "");
	view_set_name(port->view, VIEW_NAME_PORT, text);
}

/* ---- notices ---- */

/* Notices of other nodes come from one port, so that each comes once: that behind which they are discovered.
 */
struct sources_config local_view_sources(const struct host_port *port)
{
	const struct views *views = port->device->views;
	struct sources_config config = views->config->sources;
	const struct view_config *lines = views->lines;

	if (port != host_find(views, lines->discover_via.device, lines->discover_via.port))
		config.subnet = false;
	return config;
}

/* Whether it is a further plane of an XDR adapter, whose planes have QP1, at another device, in common. */
static bool is_plane(const struct host_port *port)
{
	const struct sma_device *device = port->device->ports->device;

	return port->index && device && strcmp(device->gsi[0].name, device->name) != 0;
}

static int open_sources(struct host_port *port)
{
	struct views *views = port->device->views;
	const struct sources_config config = local_view_sources(port);
	int rc;

	if (!views->notify || is_plane(port))
		return 0;
	rc = sources_open(port->view->node, port->device->ports, port->index, &config, notify_take,
	                  views->notify, &port->sources);
	if (rc == 0)
		rc = views_watch(views, sources_fd(port->sources));
	if (rc == 0)
		subnet_listen(port);
	return rc;
}

/* ---- life ---- */

int local_view_open(struct host_port *port)
{
	struct views *views = port->device->views;
	struct sma_node *node = NULL;
	int rc;

	if (!host_port_is_chosen(port) && !is_shown(port))
		return 0;
	rc = views_local_node(port->device->ports, port->index, &views->config->sma, &node);
	if (rc < 0)
		return rc;
	port->view = view_new(views, VIEW_LOCAL);
	if (!port->view) {
		sma_node_close(node);
		return -ENOMEM;
	}
	port->view->port = port;
	name(port);
	rc = view_show(port->view, node, true);
	if (rc == 0)
		rc = open_sources(port);
	if (rc < 0)
		local_view_close(port);
	return rc;
}

void local_view_close(struct host_port *port)
{
	count_retain_notices(port);
	sources_close(port->sources);
	port->sources = NULL;
	if (port->view)
		view_free(port->view);
	port->view = NULL;
}

void local_view_configure(struct host_port *port)
{
	if (!port->view)
		return;
	if (!host_port_is_chosen(port) && !is_shown(port))
		local_view_close(port);
	else
		name(port);
}

/* ---- what describes it ---- */

void local_view_learn(struct view *view)
{
	const struct sma_id *id = sma_node_id(view->node);
	const struct sma_key keys[] = {sma_key_node(id, SMA_NodeInfo), sma_key_node(id, SMA_NodeDescription),
	                               sma_key_port(id, sma_node_port(view->node))};
	struct sma_reader reader = {
		.node = view->node, .now = view->views->now, .unsolicited = true, .budget = 3};
	const uint8_t *data;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (sma_read_block(&reader, &keys[i], &data) == 0 && keys[i].attr == SMA_NodeInfo)
			view->guid = sma_component_get(data, SMA_NodeInfo_NodeGUID);
	}
}
