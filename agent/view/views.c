// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "agent/view/views_parts.h"
#include "sma/clock.h"
#include "sma/log.h"

enum {
	LOOK_MS = 30 * 1000, /* at the devices of this host, where no event tells of them */
	TICK_MS = 1000,
};

/* ---- life ---- */

int views_open(const struct agent_config *config, struct mib *mib, struct notify *notify,
               struct views **views_out)
{
	struct views *views = calloc(1, sizeof(*views));

	if (!views)
		return -ENOMEM;
	views->config = config;
	views->mib = mib;
	views->notify = notify;
	views->look_at = UINT64_MAX;
	TAILQ_INIT(&views->devices);
	TAILQ_INIT(&views->list);
	views->fd = epoll_create1(EPOLL_CLOEXEC);
	if (views->fd < 0) {
		free(views);
		return -errno;
	}
	view_lines_apply(views);
	*views_out = views;
	return 0;
}

int views_add_chosen(struct views *views, struct mad_ports *ports)
{
	if (ports->device) {
		snprintf(views->chosen, sizeof(views->chosen), "%s", ports->device->name);
		views->chosen_port = ports->list[0].number;
	}
	return host_add(views, ports, true);
}

void views_follow_host(struct views *views)
{
	int rc = hotplug_open(&views->hotplug);

	if (rc == 0)
		rc = views_watch(views, hotplug_fd(views->hotplug));
	if (rc < 0)
		sma_log(SMA_LOG_DEBUG, "view", "no events of devices: %s; they are looked at each %d s",
		        strerror(-rc), LOOK_MS / 1000);
	views->look_at = 0;
}

void views_close(struct views *views)
{
	struct host_device *device;
	struct view *view;

	if (!views)
		return;
	while ((device = TAILQ_FIRST(&views->devices)))
		host_remove(device);
	while ((view = TAILQ_FIRST(&views->list)))
		view_free(view);
	hotplug_close(views->hotplug);
	sma_devices_free(&views->seen);
	view_config_unref(views->lines);
	name_map_free(views->map);
	key_file_free(views->keys);
	close(views->fd);
	free(views);
}

int views_configure(struct views *views)
{
	int rc;

	view_lines_apply(views);
	rc = host_configure(views);
	if (views->look_at != UINT64_MAX)
		views->look_at = 0;
	return rc;
}

/* ---- rounds ---- */

int views_watch(const struct views *views, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(views->fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

int views_fd(const struct views *views)
{
	return views->fd;
}

/* A device other than the chosen one is opened again when it is found again. */
static void close_lost(struct views *views)
{
	struct host_device *device;
	struct host_device *next;

	for (device = TAILQ_FIRST(&views->devices); device; device = next) {
		next = TAILQ_NEXT(device, link);
		if (device->has_chosen || !mad_ports_lost(device->ports))
			continue;
		sma_log(SMA_LOG_WARNING, "view", "QP0 of %s is lost: %s; it is opened again when it is back",
		        device->ports->device->name, strerror(mad_ports_lost(device->ports)));
		host_remove(device);
		views->look_at = views->now + LOOK_MS;
	}
}

uint64_t views_receive(void *arg, uint64_t now)
{
	struct views *views = arg;
	struct host_device *device;
	uint64_t due = UINT64_MAX;

	views->now = now;
	TAILQ_FOREACH (device, &views->devices, link)
		due = sma_earlier(due, mad_ports_process(device->ports, now));
	close_lost(views);
	return due;
}

static void tick_views(struct views *views)
{
	struct view *view;
	struct view *next;

	for (view = TAILQ_FIRST(&views->list); view; view = next) {
		next = TAILQ_NEXT(view, link);
		if (view->kind == VIEW_REMOTE)
			remote_view_tick(view, views->now);
		else if (view->kind == VIEW_PLACE)
			place_view_tick(view, views->now);
		else if (!view->guid && view->port->fabric)
			local_view_learn(view);
	}
}

static bool has_others(const struct views *views)
{
	const struct view *view;

	TAILQ_FOREACH (view, &views->list, link) {
		if (view->kind != VIEW_LOCAL)
			return true;
	}
	return false;
}

/* Without views of other nodes there is nothing to do in time. */
static uint64_t tick(struct views *views)
{
	if (!has_others(views))
		return UINT64_MAX;
	if (views->now >= views->tick_at) {
		tick_views(views);
		views->tick_at = views->now + TICK_MS;
	}
	return views->tick_at;
}

static uint64_t follow_host(struct views *views)
{
	if (views->hotplug && hotplug_take(views->hotplug))
		views->look_at = views->now;
	if (views->now >= views->look_at) {
		host_look(views);
		views->look_at = views->now + LOOK_MS;
	}
	return views->look_at;
}

static void retry_names(struct views *views)
{
	struct view *view;

	if (!views->freed_name)
		return;
	views->freed_name = false;
	TAILQ_FOREACH (view, &views->list, link)
		view_retry_names(view);
}

static uint64_t run_ports(struct views *views)
{
	struct host_device *device;
	uint64_t due = UINT64_MAX;

	TAILQ_FOREACH (device, &views->devices, link) {
		for (unsigned i = 0; i < device->count; i++) {
			struct host_port *port = &device->list[i];

			if (port->fabric)
				due = sma_earlier(due, fabric_run(port->fabric, views->now));
			if (port->sources)
				due = sma_earlier(due, sources_process(port->sources, views->now));
		}
	}
	return due;
}

uint64_t views_work(void *arg, uint64_t now)
{
	struct views *views = arg;
	uint64_t due;

	views->now = now;
	due = views->look_at == UINT64_MAX ? UINT64_MAX : follow_host(views);
	due = sma_earlier(due, run_ports(views));
	due = sma_earlier(due, tick(views));
	retry_names(views);
	return due;
}

uint64_t views_begin(void *arg, uint64_t now)
{
	struct views *views = arg;
	struct host_device *device;
	uint64_t due = UINT64_MAX;

	(void)now;
	TAILQ_FOREACH (device, &views->devices, link)
		due = sma_earlier(due, mad_ports_begin(device->ports));
	return due;
}

/* ---- the chosen port ---- */

static const struct host_device *chosen(const struct views *views)
{
	const struct host_device *device = TAILQ_FIRST(&views->devices);

	return device && device->has_chosen ? device : NULL;
}

int views_lost(const struct views *views)
{
	const struct host_device *device = chosen(views);

	return device ? engine_lost(device->ports->list[0].engine) : 0;
}

struct sma_node *views_chosen_node(const struct views *views)
{
	const struct host_device *device = chosen(views);

	return device && device->list[0].view ? device->list[0].view->node : NULL;
}

struct sources *views_chosen_sources(const struct views *views)
{
	const struct host_device *device = chosen(views);

	return device ? device->list[0].sources : NULL;
}

/* ---- all ports ---- */

void views_end_notices(struct views *views)
{
	const struct sources_config off = {.off = true};
	struct host_device *device;

	TAILQ_FOREACH (device, &views->devices, link) {
		for (unsigned i = 0; i < device->count; i++) {
			if (device->list[i].sources)
				sources_configure(device->list[i].sources, &off);
		}
	}
}
