// SPDX-License-Identifier: BSD-2-Clause
/* The devices of this host, as they come and go. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/view/views_parts.h"
#include "sma/log.h"

enum { ERROR_SIZE = 1024 };

/* ---- one device ---- */

static int open_port(struct host_port *port)
{
	int rc = local_view_open(port);

	return rc == 0 ? subnet_configure(port) : rc;
}

int host_add(struct views *views, struct mad_ports *ports, bool has_chosen)
{
	struct host_device *device = calloc(1, sizeof(*device) + ports->count * sizeof(device->list[0]));
	int rc = device ? views_watch(views, ports->fd) : -ENOMEM;

	if (rc < 0) {
		free(device);
		mad_ports_close(ports);
		return rc;
	}
	device->views = views;
	device->ports = ports;
	device->has_chosen = has_chosen;
	device->count = ports->count;
	if (has_chosen) /* it is found first, and described first */
		TAILQ_INSERT_HEAD(&views->devices, device, link);
	else
		TAILQ_INSERT_TAIL(&views->devices, device, link);
	for (unsigned i = 0; i < ports->count; i++)
		device->list[i] = (struct host_port){.device = device, .index = i};
	for (unsigned i = 0; rc == 0 && i < ports->count; i++)
		rc = open_port(&device->list[i]);
	if (rc < 0)
		host_remove(device);
	return rc;
}

void host_remove(struct host_device *device)
{
	struct views *views = device->views;
	struct view *view;

	TAILQ_REMOVE(&views->devices, device, link);
	for (unsigned i = 0; i < device->count; i++) {
		struct host_port *port = &device->list[i];

		TAILQ_FOREACH (view, &views->list, link) {
			if (view->kind == VIEW_PLACE && view->port == port)
				place_view_lose(view);
		}
		subnet_close(port);
		local_view_close(port);
	}
	count_retain_smps(device);
	mad_ports_close(device->ports);
	free(device);
}

struct host_port *host_find(const struct views *views, const char *name, unsigned number)
{
	struct host_device *device;

	TAILQ_FOREACH (device, &views->devices, link) {
		if (!*name && device->has_chosen)
			return &device->list[0];
		for (unsigned i = 0; *name && device->ports->device && i < device->count; i++) {
			if (device->ports->list[i].number == number &&
			    strcmp(device->ports->device->name, name) == 0)
				return &device->list[i];
		}
	}
	return NULL;
}

/* ---- all of them ---- */

static const struct sma_device *find_device(const struct sma_devices *devices, const char *name)
{
	for (unsigned i = 0; i < devices->count; i++) {
		if (strcmp(devices->list[i].name, name) == 0)
			return &devices->list[i];
	}
	return NULL;
}

static bool is_same(const struct sma_device *a, const struct sma_device *b)
{
	return a && b && a->port == b->port && a->other_count == b->other_count &&
	       memcmp(a->others, b->others, a->other_count * sizeof(a->others[0])) == 0;
}

static bool is_open(const struct views *views, const char *name)
{
	const struct host_device *device;

	TAILQ_FOREACH (device, &views->devices, link) {
		if (device->ports->device && strcmp(device->ports->device->name, name) == 0)
			return true;
	}
	return false;
}

static bool is_wanted(const struct views *views, const struct sma_device *device)
{
	if (strcmp(device->name, views->chosen) == 0 ||
	    view_config_shows(views->lines, device->name, device->port))
		return true;
	for (unsigned i = 0; i < device->other_count; i++) {
		if (view_config_shows(views->lines, device->name, device->others[i]))
			return true;
	}
	return false;
}

/* The chosen port comes first again, where the device still has it. */
static bool choose_again(const struct views *views, const struct sma_device *device,
                         struct sma_devices *devices)
{
	char error[ERROR_SIZE];

	return strcmp(device->name, views->chosen) == 0 &&
	       sma_device_choose(views->chosen, (int)views->chosen_port, devices, error, sizeof(error)) ==
	               0 &&
	       strcmp(devices->list[0].name, views->chosen) == 0;
}

static void open_device(struct views *views, const struct sma_device *device)
{
	const struct engine_config engine = sma_config_engine(&views->config->sma);
	struct sma_devices chosen = {0};
	bool has_chosen = choose_again(views, device, &chosen);
	struct mad_ports *ports;
	char error[ERROR_SIZE];
	int rc = mad_ports_open_device(has_chosen ? &chosen.list[0] : device, &engine, &ports, error,
	                               sizeof(error));

	sma_devices_free(&chosen);
	if (rc == 0) {
		rc = host_add(views, ports, has_chosen);
		snprintf(error, sizeof(error), "%s", strerror(-rc));
	}
	if (rc < 0)
		sma_log(SMA_LOG_WARNING, "view", "no views of %s: %s", device->name, error);
	else
		sma_log(SMA_LOG_INFO, "view", "the ports of %s are shown", device->name);
}

static void close_vanished(struct views *views, const struct sma_devices *devices)
{
	struct host_device *device;
	struct host_device *next;

	for (device = TAILQ_FIRST(&views->devices); device; device = next) {
		const char *name = device->ports->device ? device->ports->device->name : NULL;

		next = TAILQ_NEXT(device, link);
		if (!name || is_same(find_device(&views->seen, name), find_device(devices, name)))
			continue;
		sma_log(SMA_LOG_NOTICE, "view", "the ports of %s are gone, or are others now%s", name,
		        device->has_chosen ? "; the default context is empty until the chosen one is back"
		                           : "");
		host_remove(device);
	}
}

void host_look(struct views *views)
{
	struct sma_devices devices = {0};
	char error[ERROR_SIZE];
	int rc = sma_device_all(&devices, error, sizeof(error));

	if (rc < 0 && rc != -ENODEV) {
		sma_log(SMA_LOG_DEBUG, "view", "%s", error);
		return;
	}
	if (views->seen.count)
		close_vanished(views, &devices);
	for (unsigned i = 0; i < devices.count; i++) {
		if (is_wanted(views, &devices.list[i]) && !is_open(views, devices.list[i].name))
			open_device(views, &devices.list[i]);
	}
	sma_devices_free(&views->seen);
	views->seen = devices;
}

/* ---- configuration ---- */

static int configure_port(struct host_port *port)
{
	const struct sources_config sources = local_view_sources(port);
	int rc = 0;

	local_view_configure(port);
	if (port->view)
		sma_node_configure(port->view->node, &port->device->views->config->sma);
	else
		rc = local_view_open(port);
	if (rc == 0 && port->sources)
		rc = sources_configure(port->sources, &sources);
	return rc == 0 ? subnet_configure(port) : rc;
}

int host_configure(struct views *views)
{
	const struct engine_config engine = sma_config_engine(&views->config->sma);
	struct host_device *device;
	int rc = 0;

	TAILQ_FOREACH (device, &views->devices, link) {
		mad_ports_configure(device->ports, &engine);
		for (unsigned i = 0; rc == 0 && i < device->count; i++)
			rc = configure_port(&device->list[i]);
	}
	return rc;
}
