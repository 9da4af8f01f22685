// SPDX-License-Identifier: BSD-2-Clause
/* The choice of device and port, as the InfiniBand tools make it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/mad/host.h"
#include "sma/mad/sysfs.h"

/* How well a port suits when none is named. */
enum rank { RANK_PRESENT, RANK_LINK_UP, RANK_ACTIVE };

/* An InfiniBand port. */
struct endpoint {
	char device[SMA_DEVICE_NAME_SIZE];
	struct sysfs_port port;
};

/* All that the host has. */
struct survey {
	struct endpoint *endpoints;
	unsigned count;
	bool ethernet_seen; /* of the devices that may be chosen */
	bool name_seen;
	int last_port; /* highest port number of the named device */
	char devices[640];
};

/* What is asked for. */
struct wish {
	const char *name; /* NULL: any device */
	int port;         /* negative: any port */
	bool is_hushed;   /* what is passed over was logged when the choice was made */
};

static bool is_meant(const struct wish *wish, const char *device, unsigned port)
{
	return (!wish->name || strcmp(wish->name, device) == 0) &&
	       (wish->port < 0 || (unsigned)wish->port == port);
}

/* ---- the survey ---- */

static int add_endpoint(struct survey *s, const struct sysfs_device *ca, const struct sysfs_port *port)
{
	struct endpoint *grown = realloc(s->endpoints, (s->count + 1) * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	s->endpoints = grown;
	grown[s->count].port = *port;
	snprintf(grown[s->count].device, sizeof(grown[0].device), "%s", ca->name);
	s->count++;
	return 0;
}

static void list_device(struct survey *s, const char *name)
{
	size_t used = strlen(s->devices);
	size_t left = sizeof(s->devices) - used;

	if ((size_t)snprintf(s->devices + used, left, "%s%s", used ? ", " : "", name) >= left)
		memcpy(&s->devices[sizeof(s->devices) - sizeof("...")], "...", sizeof("..."));
}

static int survey_port(struct survey *s, const struct wish *wish, const struct sysfs_device *ca,
                       const struct sysfs_port *port)
{
	bool meant = is_meant(wish, ca->name, port->number);

	if (!wish->name || strcmp(wish->name, ca->name) == 0)
		s->last_port = (int)port->number;
	if (!sysfs_is_infiniband(port)) {
		s->ethernet_seen = s->ethernet_seen || meant;
		return 0;
	}
	if (port->guid_is_zero && meant && !wish->is_hushed)
		sma_log(SMA_LOG_WARNING, "sma", "%s port %u has port GUID 0 and is passed over", ca->name,
		        port->number);
	return add_endpoint(s, ca, port);
}

/* 0 or -ENOMEM. */
static int survey_device(struct survey *s, const struct wish *wish, const char *name)
{
	bool named = !wish->name || strcmp(wish->name, name) == 0;
	struct sysfs_device ca;
	int rc = sysfs_read(name, !wish->is_hushed, &ca);

	list_device(s, name);
	s->name_seen = s->name_seen || named;
	if (rc < 0) {
		if (named && !wish->is_hushed)
			sma_log(SMA_LOG_WARNING, "sma", "device %s cannot be read (%s) and is passed over",
			        name, strerror(-rc));
		return 0;
	}
	for (unsigned i = 0; rc == 0 && i < ca.count; i++)
		rc = survey_port(s, wish, &ca, &ca.ports[i]);
	return rc;
}

static int survey_host(struct survey *s, const struct wish *wish)
{
	struct sysfs_names names;
	int rc = sysfs_list(&names);

	for (int i = 0; rc == 0 && i < names.count; i++)
		rc = survey_device(s, wish, names.entries[i]->d_name);
	sysfs_free(&names);
	return rc;
}

/* ---- the choice ---- */

static bool is_named(const struct wish *wish, const struct endpoint *e)
{
	return is_meant(wish, e->device, e->port.number);
}

/* Whether two are the same port of an adapter that shows it by two devices. */
static bool are_one(const struct endpoint *a, const struct endpoint *b)
{
	return a->port.guid && a->port.guid == b->port.guid && strcmp(a->device, b->device) != 0;
}

/* Naming either device of an adapter means both. */
static bool is_wanted(const struct survey *s, const struct wish *wish, const struct endpoint *e)
{
	bool wanted = is_named(wish, e);

	for (unsigned i = 0; wish->name && i < s->count && !wanted; i++)
		wanted = are_one(e, &s->endpoints[i]) && is_named(wish, &s->endpoints[i]);
	return wanted && !e->port.guid_is_zero;
}

static enum rank rank_of(const struct sysfs_port *port)
{
	if (port->state == SMA_PORT_ACTIVE)
		return RANK_ACTIVE;
	return port->phys_state == SMA_PHYSICAL_LINK_UP ? RANK_LINK_UP : RANK_PRESENT;
}

/* A port whose QP0 seems to be elsewhere is better than none, then what was named comes first. */
static bool is_better(const struct wish *wish, const struct endpoint *a, const struct endpoint *b)
{
	if (a->port.sm_disabled != b->port.sm_disabled)
		return b->port.sm_disabled;
	if (is_named(wish, a) != is_named(wish, b))
		return is_named(wish, a);
	return rank_of(&a->port) > rank_of(&b->port);
}

/* The same port as the other device of the adapter shows it; NULL: it has none. */
static const struct endpoint *find_partner(const struct survey *s, const struct endpoint *e)
{
	for (unsigned i = 0; i < s->count; i++) {
		if (are_one(e, &s->endpoints[i]))
			return &s->endpoints[i];
	}
	return NULL;
}

static void add_gsi(struct sma_device *device, const struct endpoint *e)
{
	struct sma_gsi *gsi = &device->gsi[device->gsi_count++];

	snprintf(gsi->name, sizeof(gsi->name), "%s", e->device);
	gsi->port = e->port.number;
}

/* QP1 is where IsSMDisabled says so, else more likely where QP0 is. */
static void find_gsi(const struct survey *s, const struct endpoint *e, struct sma_device *device)
{
	const struct endpoint *partner = find_partner(s, e);
	bool is_apart = partner && partner->port.sm_disabled;

	add_gsi(device, is_apart ? partner : e);
	if (partner)
		add_gsi(device, is_apart ? e : partner);
}

static void fill(const struct survey *s, const struct endpoint *e, struct sma_device *device)
{
	*device = (struct sma_device){.port = e->port.number};
	snprintf(device->name, sizeof(device->name), "%s", e->device);
	find_gsi(s, e, device);
	if (device->port == 0) /* a switch has one SMA for all ports */
		return;
	for (unsigned i = 0; i < s->count; i++) {
		const struct endpoint *other = &s->endpoints[i];

		if (other != e && strcmp(other->device, e->device) == 0 && !other->port.sm_disabled)
			device->others[device->other_count++] = other->port.number;
	}
}

/* Put those that are wanted into `ranked`, the best first, else as the survey has them. Their number. */
static unsigned rank(const struct survey *s, const struct wish *wish, unsigned *ranked)
{
	unsigned count = 0;

	for (unsigned i = 0; i < s->count; i++) {
		unsigned at = count;

		if (!is_wanted(s, wish, &s->endpoints[i]))
			continue;
		for (; at > 0 && is_better(wish, &s->endpoints[i], &s->endpoints[ranked[at - 1]]); at--)
			ranked[at] = ranked[at - 1];
		ranked[at] = i;
		count++;
	}
	return count;
}

static int choose(const struct survey *s, const struct wish *wish, struct sma_devices *devices)
{
	unsigned *ranked = calloc(s->count + 1, sizeof(*ranked));
	int rc = -ENOMEM;

	devices->count = ranked ? rank(s, wish, ranked) : 0;
	devices->list = calloc(devices->count + 1, sizeof(devices->list[0]));
	for (unsigned i = 0; devices->list && i < devices->count; i++)
		fill(s, &s->endpoints[ranked[i]], &devices->list[i]);
	if (ranked && devices->list)
		rc = devices->count ? 0 : -ENODEV;
	free(ranked);
	return rc;
}

static int explain(const struct survey *s, const struct wish *wish, char *error, size_t size)
{
	if (!s->devices[0]) {
		snprintf(error, size,
		         "no InfiniBand device on this host: /sys/class/infiniband is empty; is the "
		         "driver of the adapter loaded?");
		return -ENODEV;
	}
	if (!s->name_seen) {
		snprintf(error, size, "there is no device %s; there are: %s", wish->name, s->devices);
		return -ENOENT;
	}
	if (wish->name && s->last_port >= 0 && wish->port > s->last_port) {
		snprintf(error, size, "%s has no port %d; its last port is %d", wish->name, wish->port,
		         s->last_port);
		return -ERANGE;
	}
	if (s->ethernet_seen) {
		snprintf(error, size,
		         "only Ethernet ports found; an SMA exists on InfiniBand ports only (devices: %s)",
		         s->devices);
		return -ENODEV;
	}
	if (wish->port >= 0) {
		snprintf(error, size, "no device has an InfiniBand port %d (devices: %s)", wish->port,
		         s->devices);
		return -ERANGE;
	}
	snprintf(error, size, "no InfiniBand port can be used (devices: %s)", s->devices);
	return -ENODEV;
}

/* What a survey has found, put into `devices` by `select`. */
static int report(struct survey *s, const struct wish *wish,
                  int (*select)(const struct survey *s, const struct wish *wish, struct sma_devices *devices),
                  struct sma_devices *devices, char *error, size_t size)
{
	int rc = survey_host(s, wish);

	*devices = (struct sma_devices){0};
	if (rc == 0)
		rc = select(s, wish, devices);
	if (rc == -ENODEV)
		rc = explain(s, wish, error, size);
	else if (rc < 0)
		snprintf(error, size, "the devices below " SYS_INFINIBAND " cannot be read: %s",
		         strerror(-rc));
	free(s->endpoints);
	if (rc < 0)
		sma_devices_free(devices);
	return rc;
}

int sma_device_choose(const char *name, int port, struct sma_devices *devices, char *error, size_t size)
{
	const struct wish wish = {.name = name, .port = port};
	struct survey s = {.last_port = -1};

	return report(&s, &wish, choose, devices, error, size);
}

static bool is_usable(const struct endpoint *e)
{
	return !e->port.sm_disabled && !e->port.guid_is_zero;
}

static int take_all(const struct survey *s, const struct wish *wish, struct sma_devices *devices)
{
	const char *last = "";

	(void)wish;
	devices->list = calloc(s->count + 1, sizeof(devices->list[0]));
	if (!devices->list)
		return -ENOMEM;
	for (unsigned i = 0; i < s->count; i++) {
		const struct endpoint *e = &s->endpoints[i];

		if (!is_usable(e) || strcmp(e->device, last) == 0)
			continue;
		fill(s, e, &devices->list[devices->count++]);
		last = e->device;
	}
	return devices->count ? 0 : -ENODEV;
}

int sma_device_all(struct sma_devices *devices, char *error, size_t size)
{
	const struct wish wish = {.port = -1, .is_hushed = true};
	struct survey s = {.last_port = -1};

	return report(&s, &wish, take_all, devices, error, size);
}

void sma_devices_free(struct sma_devices *devices)
{
	free(devices->list);
	*devices = (struct sma_devices){0};
}
