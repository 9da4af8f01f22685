// SPDX-License-Identifier: BSD-2-Clause
/* The choice of device and port, as the InfiniBand tools make it, and the node that is read through it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/node.h"
#include "sma/sysfs.h"
#include "sma/umad.h"

enum { STATE_ACTIVE = 4, PHYS_LINK_UP = 5 };

/* How well a port suits when none is named. */
enum rank { RANK_NONE, RANK_PRESENT, RANK_LINK_UP, RANK_ACTIVE };

struct search {
	const char *name; /* NULL: any device */
	int port;         /* negative: any port */
	enum rank rank;   /* of the best so far */
	struct sma_device *best;
	bool name_seen;
	bool ethernet_seen;
	int last_port; /* highest port number of the named device */
	char devices[640];
};

static enum rank rank_of(const struct sysfs_port *port)
{
	if (port->state == STATE_ACTIVE)
		return RANK_ACTIVE;
	return port->phys_state == PHYS_LINK_UP ? RANK_LINK_UP : RANK_PRESENT;
}

static bool is_usable(struct search *s, const struct sysfs_device *ca, const struct sysfs_port *port)
{
	if (!sysfs_is_infiniband(port)) {
		s->ethernet_seen = true;
		return false;
	}
	if (port->guid_is_zero) {
		sma_log(SMA_LOG_WARNING, "sma", "%s port %u has port GUID 0 and is passed over", ca->name,
		        port->number);
		return false;
	}
	return true;
}

static void take(struct search *s, const struct sysfs_device *ca, unsigned number)
{
	struct sma_device *d = s->best;

	*d = (struct sma_device){.port = number};
	snprintf(d->name, sizeof(d->name), "%s", ca->name);
	if (number == 0) /* a switch has one SMA for all ports */
		return;
	for (unsigned i = 0; i < ca->count; i++) {
		const struct sysfs_port *other = &ca->ports[i];

		if (other->number != number && sysfs_is_infiniband(other))
			d->others[d->other_count++] = other->number;
	}
}

static void try_port(struct search *s, const struct sysfs_device *ca, const struct sysfs_port *port)
{
	s->last_port = (int)port->number;
	if (s->port >= 0 && (unsigned)s->port != port->number)
		return;
	if (!is_usable(s, ca, port) || rank_of(port) <= s->rank)
		return;
	s->rank = rank_of(port);
	take(s, ca, port->number);
}

static void list_device(struct search *s, const char *name)
{
	size_t used = strlen(s->devices);
	size_t left = sizeof(s->devices) - used;

	if ((size_t)snprintf(s->devices + used, left, "%s%s", used ? ", " : "", name) >= left)
		memcpy(&s->devices[sizeof(s->devices) - sizeof("...")], "...", sizeof("..."));
}

static void try_device(struct search *s, const char *name)
{
	struct sysfs_device ca;
	int rc;

	list_device(s, name);
	if (s->name && strcmp(s->name, name) != 0)
		return;
	s->name_seen = true;
	rc = sysfs_read(name, &ca);
	if (rc < 0) {
		sma_log(SMA_LOG_WARNING, "sma", "device %s cannot be read (%s) and is passed over", name,
		        strerror(-rc));
		return;
	}
	for (unsigned i = 0; i < ca.count; i++)
		try_port(s, &ca, &ca.ports[i]);
}

static int explain(const struct search *s, char *error, size_t size)
{
	if (!s->devices[0]) {
		snprintf(error, size,
		         "no InfiniBand device on this host: /sys/class/infiniband is empty; is the "
		         "driver of the adapter loaded?");
		return -ENODEV;
	}
	if (!s->name_seen) {
		snprintf(error, size, "there is no device %s; there are: %s", s->name, s->devices);
		return -ENOENT;
	}
	if (s->name && s->last_port >= 0 && s->port > s->last_port) {
		snprintf(error, size, "%s has no port %d; its last port is %d", s->name, s->port,
		         s->last_port);
		return -ERANGE;
	}
	if (s->ethernet_seen) {
		snprintf(error, size,
		         "only Ethernet ports found; an SMA exists on InfiniBand ports only (devices: %s)",
		         s->devices);
		return -ENODEV;
	}
	if (s->port >= 0) {
		snprintf(error, size, "no device has an InfiniBand port %d (devices: %s)", s->port,
		         s->devices);
		return -ERANGE;
	}
	snprintf(error, size, "no InfiniBand port can be used (devices: %s)", s->devices);
	return -ENODEV;
}

int sma_device_choose(const char *name, int port, struct sma_device *device, char *error, size_t size)
{
	struct search s = {.name = name, .port = port, .best = device, .last_port = -1};
	struct sysfs_names names;

	sysfs_list(&names);
	for (int i = 0; i < names.count; i++)
		try_device(&s, names.entries[i]->d_name);
	sysfs_free(&names);
	return s.rank == RANK_NONE ? explain(&s, error, size) : 0;
}

/* Ports besides the chosen one are a bonus: tables of theirs are shown where their own SMA can be asked. */
static void open_others(struct sma_node *node, const struct sma_device *device)
{
	struct sma_qp0 *qp0;
	char error[768];

	for (unsigned i = 0; i < device->other_count; i++) {
		if (umad_qp0_open(device->name, device->others[i], node->mailbox, &qp0, error,
		                  sizeof(error)) == 0)
			sma_node_attach(node, device->others[i], qp0);
		else
			sma_log(SMA_LOG_WARNING, "sma", "%s; tables of that port are not shown", error);
	}
}

int sma_node_open(const struct sma_device *device, const struct sma_config *config,
                  struct sma_node **node_out, char *error, size_t size)
{
	struct sma_node *node;
	struct sma_qp0 *qp0;
	int rc = sma_node_new(config, device->port, &node);

	if (rc < 0) {
		snprintf(error, size, "%s: %s", device->name, strerror(-rc));
		return rc;
	}
	rc = umad_qp0_open(device->name, device->port, node->mailbox, &qp0, error, size);
	if (rc < 0) {
		sma_node_close(node);
		return rc;
	}
	sma_node_attach(node, device->port, qp0);
	open_others(node, device);
	*node_out = node;
	return 0;
}
