// SPDX-License-Identifier: BSD-2-Clause
/* Notices from all sources to one sink: which sources there are, and when it is their turn. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sma/clock.h"
#include "sma/log.h"
#include "sma/mad/mad.h"
#include "sma/node/node.h"
#include "sma/notice/sources_parts.h"

enum { LOCAL_PORT_MS = 5 * 1000 };

/* ---- sources ---- */

static struct engine *engine_of(const struct sources *sources)
{
	return sources->ports->list[sources->index].engine;
}

/* Where QP1 is, or would be. */
static const struct sma_gsi *gsi_of(const struct sources *sources)
{
	return &sources->ports->list[sources->index].gsi;
}

/* Have sources_fd be readable while `fd` is. 0 or -errno. */
static int follow(const struct sources *sources, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(sources->fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static void close_verbs(struct sources *sources)
{
	verbs_close(sources->verbs);
	sources->verbs = NULL;
}

/* Without them a restarted SM is noticed when a subscription is renewed, and caches keep to their times. */
static void open_verbs(struct sources *sources)
{
	const struct sma_gsi *gsi = gsi_of(sources);
	char error[256];
	int rc;

	if (sources->verbs)
		return;
	rc = verbs_open(gsi->name, gsi->port, &sources->verbs, error, sizeof(error));
	if (rc == 0)
		rc = follow(sources, verbs_fd(sources->verbs));
	else
		sma_log(rc == -ENODEV ? SMA_LOG_DEBUG : SMA_LOG_NOTICE, "watch",
		        "no events of the driver, so what they would report is found out later: %s", error);
	if (rc < 0)
		close_verbs(sources);
}

/* Whether it is wanted now or may be later. */
static void open_qp1(struct sources *sources)
{
	const struct sources_config *config = &sources->config;
	bool wanted = !config->off && (config->subscribe || config->poll_ms);
	char error[512];

	if (mad_ports_open_qp1(sources->ports, sources->index, error, sizeof(error)) == 0)
		return;
	sma_log(wanted ? SMA_LOG_WARNING : SMA_LOG_DEBUG, "watch", "no subscription to traps: %s", error);
}

static bool open_local_port(struct sources *sources)
{
	sources->local = local_port_new(sources->node, LOCAL_PORT_MS);
	return sources->local;
}

static bool open_inform(struct sources *sources)
{
	const struct sources_config *config = &sources->config;

	if (!config->subscribe || !sources->ports->list[sources->index].has_qp1)
		return true;
	sources->inform =
		inform_new(engine_of(sources), config->subnet, config->refresh_ms, sources_take, sources);
	return sources->inform;
}

static bool open_traps(struct sources *sources)
{
	if (!sources->config.take_traps)
		return true;
	sources->traps = trap_receiver_new(engine_of(sources), sources->node, sources_take, sources);
	sources->ready = ready_receiver_new(engine_of(sources), sources_take, sources);
	return sources->traps && sources->ready;
}

static bool open_poll(struct sources *sources)
{
	const struct mad_port *port = &sources->ports->list[sources->index];

	if (sources->config.poll_ms)
		sources->poll =
			change_poll_new(sources->node, port->has_qp1 ? port->engine : NULL, port->gsi.port,
		                        sources->config.poll_ms, sources_take, sources);
	return sources->poll || !sources->config.poll_ms;
}

static bool open_device(struct sources *sources)
{
	return open_local_port(sources) && open_inform(sources) && open_traps(sources) && open_poll(sources);
}

void sources_take_own(void *arg, uint64_t now, const uint8_t notice[SMA_BLOCK_SIZE])
{
	struct sources *sources = arg;

	if (sources->config.off)
		return;
	sources->now = now > sources->now ? now : sources->now;
	sources_take(sources, SMA_NOTICE_SOFT, notice, SMA_BLOCK_SIZE, NULL, 0);
}

static int open_sources(struct sources *sources)
{
	if (sources->soft)
		return 0;
	open_qp1(sources);
	open_verbs(sources);
	return sources->config.off || open_device(sources) ? 0 : -ENOMEM;
}

static void close_sources(struct sources *sources)
{
	inform_free(sources->inform);
	trap_receiver_free(sources->traps);
	ready_receiver_free(sources->ready);
	change_poll_free(sources->poll);
	local_port_free(sources->local);
	sources->inform = NULL;
	sources->traps = NULL;
	sources->ready = NULL;
	sources->poll = NULL;
	sources->local = NULL;
}

/* ---- start, configuration and end ---- */

void sources_config_init(struct sources_config *config)
{
	*config = (struct sources_config){
		.subscribe = true, .poll_ms = 10 * 1000, .refresh_ms = 60 * 1000, .repeat_ms = 15 * 1000};
}

int sources_open(struct sma_node *node, struct mad_ports *ports, unsigned index,
                 const struct sources_config *config, sma_notice_sink *sink, void *arg,
                 struct sources **sources_out)
{
	struct sources *sources = calloc(1, sizeof(*sources));
	int rc = -ENOMEM;

	if (!sources)
		return -ENOMEM;
	sources->node = node;
	sources->ports = ports;
	sources->index = index;
	sources->soft = !ports->device;
	sources->config = *config;
	sources->sink = sink;
	sources->arg = arg;
	sources->fd = epoll_create1(EPOLL_CLOEXEC);
	sources->duplicates = duplicates_new(config->repeat_ms);
	if (sources->fd < 0)
		rc = -errno;
	else if (sources->duplicates)
		rc = open_sources(sources);
	if (rc < 0)
		sources_close(sources);
	else
		*sources_out = sources;
	return rc;
}

int sources_configure(struct sources *sources, const struct sources_config *config)
{
	const struct sources_config *old = &sources->config;
	int rc;

	if (old->off == config->off && old->subnet == config->subnet && old->subscribe == config->subscribe &&
	    old->take_traps == config->take_traps && old->poll_ms == config->poll_ms &&
	    old->refresh_ms == config->refresh_ms && old->repeat_ms == config->repeat_ms)
		return 0;
	sources_judge_waiting(sources, true);
	if (sources->poll)
		change_poll_flush(sources->poll);
	if (old->repeat_ms != config->repeat_ms || config->off)
		sources_restart_windows(sources, config->repeat_ms);
	close_sources(sources);
	sources->config = *config;
	rc = open_sources(sources);
	if (rc < 0) {
		close_sources(sources);
		sources->config.off = true;
	}
	return rc;
}

void sources_close(struct sources *sources)
{
	if (!sources)
		return;
	close_sources(sources);
	close_verbs(sources);
	if (sources->fd >= 0)
		close(sources->fd);
	duplicates_free(sources->duplicates);
	free(sources);
}

void sources_on_change(struct sources *sources, sources_heard *heard, void *arg)
{
	sources->heard = heard;
	sources->heard_arg = arg;
}

int sources_fd(const struct sources *sources)
{
	return sources->fd;
}

void sources_count(const struct sources *sources, struct sources_counters *counters)
{
	*counters = sources->counters;
}

enum sources_state sources_state(const struct sources *sources)
{
	if (sources->config.off)
		return SOURCES_OFF;
	if (sources->soft)
		return SOURCES_SOFT;
	if (sources->inform && inform_is_active(sources->inform))
		return SOURCES_SUBSCRIBED;
	return sources->traps && trap_receiver_is_active(sources->traps) ? SOURCES_TRAPS
	                                                                 : SOURCES_UNSUBSCRIBED;
}

static void take_event(struct sources *sources, const struct verbs_event *event)
{
	sma_node_expire(sources->node, event->attrs);
	if (sources->local)
		local_port_refresh_now(sources->local);
	if (sources->inform && event->subscribe)
		inform_restart(sources->inform, sources->now);
}

static void take_events(struct sources *sources)
{
	struct verbs_event event;
	int rc;

	if (!sources->verbs)
		return;
	while ((rc = verbs_take(sources->verbs, &event)) > 0)
		take_event(sources, &event);
	if (rc == 0)
		return;
	sma_log(SMA_LOG_NOTICE, "watch", "no more events of the driver: %s", strerror(-rc));
	close_verbs(sources);
}

/* The CapabilityMask before the first notice. */
static void learn_mask(struct sources *sources)
{
	struct sma_key key = sma_key_port(sma_node_id(sources->node), 0);
	struct sma_reader reader = {
		.node = sources->node, .now = sources->now, .unsolicited = true, .budget = 1};

	if (!sources->mask_known && !sources->config.off)
		sources->mask_known =
			sma_read(&reader, &key, SMA_PortInfo_CapabilityMask, &sources->mask) == 0;
}

static uint64_t run_sources(struct sources *sources)
{
	uint64_t due = local_port_run(sources->local, sources->now);
	const struct local_port *local = local_port_get(sources->local);
	bool covered = false;

	sources_judge_waiting(sources, false);
	if (sources->inform) {
		inform_update(sources->inform, local, sources->now);
		due = sma_earlier(due, inform_run(sources->inform, sources->now));
		covered = inform_is_active(sources->inform);
	}
	if (sources->traps) {
		trap_receiver_update(sources->traps, local);
		covered = covered || trap_receiver_is_active(sources->traps);
	}
	if (sources->poll)
		due = sma_earlier(due, change_poll_run(sources->poll, local, covered, sources->now));
	if (sources->poll && sources->inform && change_poll_wants_check(sources->poll)) {
		inform_confirm(sources->inform, sources->now);
		due = sma_earlier(due, inform_run(sources->inform, sources->now));
	}
	return due;
}

uint64_t sources_process(struct sources *sources, uint64_t now)
{
	uint64_t due = UINT64_MAX;

	if (now > sources->now)
		sources->now = now;
	learn_mask(sources);
	take_events(sources);
	if (sources->local)
		due = run_sources(sources);
	return sma_earlier(due, sources_end_windows(sources));
}
