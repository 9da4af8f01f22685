// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/verbs.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/mad/verbs.h"

#define TOPIC "verbs"

struct verbs {
	struct ibv_context *context;
	unsigned port;
};

/* ---- opening ---- */

static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;
	int error = devices || errno == ENOSYS ? ENODEV : errno; /* ENOSYS: no driver is loaded */

	for (unsigned i = 0; devices && devices[i]; i++) {
		if (strcmp(ibv_get_device_name(devices[i]), name) != 0)
			continue;
		context = ibv_open_device(devices[i]);
		error = errno;
	}
	if (devices)
		ibv_free_device_list(devices);
	errno = error;
	return context;
}

/* 0 or -errno. */
static int make_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0;
}

static int start(struct verbs *verbs, const char *device)
{
	verbs->context = open_device(device);
	if (!verbs->context)
		return errno ? -errno : -EIO;
	return make_nonblocking(verbs->context->async_fd);
}

int verbs_open(const char *device, unsigned port, struct verbs **verbs_out, char *error, size_t size)
{
	struct verbs *verbs = calloc(1, sizeof(*verbs));
	int rc = -ENOMEM;

	if (verbs) {
		verbs->port = port;
		rc = start(verbs, device);
	}
	if (rc == 0) {
		*verbs_out = verbs;
		return 0;
	}
	snprintf(error, size, "libibverbs cannot open %s: %s", device, strerror(-rc));
	verbs_close(verbs);
	return rc;
}

void verbs_close(struct verbs *verbs)
{
	if (verbs && verbs->context)
		ibv_close_device(verbs->context);
	free(verbs);
}

int verbs_fd(const struct verbs *verbs)
{
	return verbs->context->async_fd;
}

/* ---- events ---- */

enum {
	OF_PORT = 1U << SMA_PortInfo,
	OF_SM = 1U << SMA_PortInfo | 1U << SMA_SMInfo,
	OF_GIDS = 1U << SMA_PortInfo | 1U << SMA_GUIDInfo,
	OF_KEYS = 1U << SMA_P_KeyTable,
};

static const struct {
	enum ibv_event_type type;
	struct verbs_event event;
	bool of_device; /* else of a port */
} kinds[] = {
	{IBV_EVENT_DEVICE_FATAL, {SMA_ALL_ATTRS, false}, true},
	{IBV_EVENT_PORT_ACTIVE, {OF_SM, true}, false},
	{IBV_EVENT_PORT_ERR, {OF_PORT, false}, false},
	{IBV_EVENT_LID_CHANGE, {OF_SM, true}, false},
	{IBV_EVENT_PKEY_CHANGE, {OF_KEYS, false}, false},
	{IBV_EVENT_SM_CHANGE, {OF_SM, true}, false},
	{IBV_EVENT_CLIENT_REREGISTER, {OF_SM, true}, false},
	{IBV_EVENT_GID_CHANGE, {OF_GIDS, false}, false},
};

static bool find_kind(const struct verbs *verbs, const struct ibv_async_event *raw, struct verbs_event *event)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (raw->event_type == kinds[i].type &&
		    (kinds[i].of_device || raw->element.port_num == (int)verbs->port)) {
			*event = kinds[i].event;
			return true;
		}
	}
	return false;
}

int verbs_take(struct verbs *verbs, struct verbs_event *event)
{
	struct ibv_async_event raw;
	bool found;

	do {
		errno = EIO; /* for a read that is only short */
		if (ibv_get_async_event(verbs->context, &raw) < 0)
			return errno == EAGAIN ? 0 : -errno;
		found = find_kind(verbs, &raw, event);
		sma_log(SMA_LOG_DEBUG, TOPIC, "the driver tells of: %s%s", ibv_event_type_str(raw.event_type),
		        found ? "" : ", not of this port, or nothing to do");
		ibv_ack_async_event(&raw);
	} while (!found);
	return 1;
}
