// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sma/clock.h"
#include "sma/log.h"
#include "sma/mad/device.h"
#include "sma/mad/ports.h"
#include "sma/mad/umadtransport.h"

/* ---- any ports ---- */

struct mad_ports *mad_ports_new(unsigned count)
{
	struct mad_ports *ports = calloc(1, sizeof(*ports) + count * sizeof(ports->list[0]));

	if (!ports)
		return NULL;
	ports->fd = epoll_create1(EPOLL_CLOEXEC);
	if (ports->fd >= 0)
		return ports;
	free(ports);
	return NULL;
}

/* Have the descriptor of the ports be readable while that of an engine is. */
static int watch(const struct mad_ports *ports, const struct engine *engine)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(ports->fd, EPOLL_CTL_ADD, engine_fd(engine), &event) < 0 ? -errno : 0;
}

static int open_engine(const struct mad_ports *ports, unsigned number, const struct engine_config *config,
                       struct engine **engine)
{
	struct engine_config own = *config;
	int rc;

	own.port = number;
	*engine = engine_open(&own);
	if (!*engine)
		return -errno;
	rc = watch(ports, *engine);
	if (rc < 0)
		engine_close(*engine);
	return rc;
}

int mad_ports_add(struct mad_ports *ports, unsigned number, const struct engine_config *config,
                  mad_port_open *open, void *arg, char *error, size_t size)
{
	struct mad_port *port = &ports->list[ports->count];
	int rc;

	*port = (struct mad_port){.number = number};
	rc = open_engine(ports, number, config, &port->engine);
	if (rc < 0) {
		snprintf(error, size, "cannot open an engine for port %u: %s", number, strerror(-rc));
		return rc;
	}
	rc = open(arg, number, engine_mailbox(port->engine), &port->transport, error, size);
	if (rc < 0) {
		engine_close(port->engine);
		return rc;
	}
	engine_attach(port->engine, port->transport);
	ports->count++;
	return 0;
}

void mad_ports_close(struct mad_ports *ports)
{
	if (!ports)
		return;
	for (unsigned i = 0; i < ports->count; i++)
		engine_close(ports->list[i].engine);
	close(ports->fd);
	free(ports->device);
	free(ports);
}

uint64_t mad_ports_process(struct mad_ports *ports, uint64_t now)
{
	uint64_t due = UINT64_MAX;

	for (unsigned i = 0; i < ports->count; i++)
		due = sma_earlier(due, engine_process(ports->list[i].engine, now));
	return due;
}

uint64_t mad_ports_begin(struct mad_ports *ports)
{
	uint64_t due = UINT64_MAX;

	for (unsigned i = 0; i < ports->count; i++)
		due = sma_earlier(due, engine_begin(ports->list[i].engine));
	return due;
}

void mad_ports_configure(struct mad_ports *ports, const struct engine_config *config)
{
	struct engine_config own = *config;

	for (unsigned i = 0; i < ports->count; i++) {
		own.port = ports->list[i].number;
		engine_configure(ports->list[i].engine, &own);
	}
}

int mad_ports_lost(const struct mad_ports *ports)
{
	int lost = 0;

	for (unsigned i = 0; i < ports->count && !lost; i++)
		lost = engine_lost(ports->list[i].engine);
	return lost;
}

/* ---- those of a device ---- */

static int open_umad(void *arg, unsigned number, struct mailbox *box, struct transport **transport,
                     char *error, size_t size)
{
	const struct sma_device *device = arg;

	return umadtransport_open(device->name, number, UMAD_MANAGER, box, transport, error, size);
}

/* Ports besides the chosen one are a bonus: tables of theirs are shown where their own SMA can be asked. */
static void add_others(struct mad_ports *ports, const struct sma_device *device,
                       const struct engine_config *config)
{
	char error[768];

	for (unsigned i = 0; i < device->other_count; i++) {
		if (mad_ports_add(ports, device->others[i], config, open_umad, (void *)device, error,
		                  sizeof(error)) < 0)
			sma_log(SMA_LOG_WARNING, "sma", "%s; tables of that port are not shown", error);
	}
}

/* Where QP1 of a port is: the port chosen of an adapter with two devices may have it at the other one. */
static void note_gsi(struct mad_port *port, const struct sma_device *device)
{
	if (port->number == device->port && device->gsi_count) {
		port->gsi = device->gsi[0];
		return;
	}
	snprintf(port->gsi.name, sizeof(port->gsi.name), "%s", device->name);
	port->gsi.port = port->number;
}

int mad_ports_open_device(const struct sma_device *device, const struct engine_config *config,
                          struct mad_ports **ports_out, char *error, size_t size)
{
	struct mad_ports *ports = mad_ports_new(1 + device->other_count);
	int rc = ports ? 0 : -errno;

	if (ports && !(ports->device = malloc(sizeof(*device)))) {
		mad_ports_close(ports);
		rc = -ENOMEM;
	}
	if (rc < 0) {
		snprintf(error, size, "cannot open the ports of %s: %s", device->name, strerror(-rc));
		return rc;
	}
	*ports->device = *device;
	rc = mad_ports_add(ports, device->port, config, open_umad, ports->device, error, size);
	if (rc < 0) {
		mad_ports_close(ports);
		return rc;
	}
	add_others(ports, device, config);
	for (unsigned i = 0; i < ports->count; i++)
		note_gsi(&ports->list[i], device);
	*ports_out = ports;
	return 0;
}

struct opening {
	const struct engine_config *config;
	struct mad_ports *ports;
};

static int open_device(void *arg, const struct sma_device *device, char *error, size_t size)
{
	struct opening *opening = arg;

	return mad_ports_open_device(device, opening->config, &opening->ports, error, size);
}

int mad_ports_open(const struct sma_devices *devices, const struct engine_config *config,
                   struct mad_ports **ports, char *error, size_t size)
{
	struct opening opening = {.config = config};
	const struct sma_device *opened;
	int rc = device_open_first(devices, open_device, &opening, &opened, error, size);

	*ports = opening.ports;
	return rc;
}

static int open_qp1(struct mad_port *port, const struct sma_gsi *gsi, char *error, size_t size)
{
	int rc = umadtransport_open_qp1(port->transport, gsi->name, gsi->port, error, size);

	if (rc < 0)
		return rc;
	port->gsi = *gsi;
	port->has_qp1 = true;
	return 0;
}

int mad_ports_open_qp1(struct mad_ports *ports, unsigned index, char *error, size_t size)
{
	struct mad_port *port = &ports->list[index];
	const struct sma_device *device = ports->device;
	int rc = -ENODEV;

	snprintf(error, size, "there is no device");
	if (port->has_qp1)
		return 0;
	if (device && port->number != device->port)
		return open_qp1(port, &port->gsi, error, size);
	for (unsigned i = 0; device && i < device->gsi_count; i++) {
		rc = open_qp1(port, &device->gsi[i], error, size);
		if (rc == 0 || !device_is_refusal(rc))
			return rc;
	}
	return rc;
}
