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
#include "sma/node/node_parts.h"
#include "sma/notice/watch_parts.h"

enum { FACTS_MS = 5 * 1000 };

/* ---- sources ---- */

/* Have sma_watch_fd be readable while `fd` is. 0 or -errno. */
static int follow(const struct sma_watch *watch, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(watch->fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static int open_box(struct sma_watch *watch)
{
	watch->fd = epoll_create1(EPOLL_CLOEXEC);
	if (watch->fd < 0)
		return -errno;
	watch->box = sma_mailbox_new();
	return watch->box ? follow(watch, sma_mailbox_fd(watch->box)) : -errno;
}

static void close_verbs(struct sma_watch *watch)
{
	verbs_close(watch->verbs);
	watch->verbs = NULL;
}

/* Without it a restarted SM is noticed when a subscription is renewed, and caches keep to their times. */
static void open_verbs(struct sma_watch *watch)
{
	char error[256];
	int rc;

	if (watch->verbs)
		return;
	rc = verbs_open(watch->gsi->name, watch->gsi->port, &watch->verbs, error, sizeof(error));
	if (rc == 0)
		rc = follow(watch, verbs_fd(watch->verbs));
	else
		sma_log(rc == -ENODEV ? SMA_LOG_DEBUG : SMA_LOG_NOTICE, "watch",
		        "no events of the driver, so what it would tell of is found out later: %s", error);
	if (rc < 0)
		close_verbs(watch);
}

/* Whether it is wanted now or may be later. */
static void open_qp1(struct sma_watch *watch)
{
	const struct sma_watch_config *config = &watch->config;
	bool wanted = !config->off && (config->subscribe || config->poll_ms);
	char error[512];

	if (watch->qp1 ||
	    device_open_qp1(&watch->device, watch->box, &watch->qp1, &watch->gsi, error, sizeof(error)) == 0)
		return;
	sma_log(wanted ? SMA_LOG_WARNING : SMA_LOG_DEBUG, "watch", "no subscription to traps: %s", error);
}

static bool open_facts(struct sma_watch *watch)
{
	watch->facts = facts_new(watch->node, FACTS_MS);
	return watch->facts;
}

static bool open_inform(struct sma_watch *watch)
{
	const struct sma_watch_config *config = &watch->config;

	if (!config->subscribe || !watch->qp1)
		return true;
	watch->inform = inform_new(watch->qp1, config->subnet, config->refresh_ms, watch_take, watch);
	return watch->inform;
}

static bool open_traps(struct sma_watch *watch)
{
	if (watch->config.take_traps)
		watch->traps = trapagent_new(watch->node, watch_take, watch);
	return watch->traps || !watch->config.take_traps;
}

static bool open_poll(struct sma_watch *watch)
{
	if (watch->config.poll_ms)
		watch->poll = poll_new(watch->node, watch->qp1, watch->config.poll_ms, watch_take, watch);
	return watch->poll || !watch->config.poll_ms;
}

static bool open_device(struct sma_watch *watch)
{
	return open_facts(watch) && open_inform(watch) && open_traps(watch) && open_poll(watch);
}

void sma_watch_take_own(void *arg, uint64_t now, const uint8_t notice[SMA_BLOCK_SIZE])
{
	struct sma_watch *watch = arg;

	if (watch->config.off)
		return;
	watch->now = now > watch->now ? now : watch->now;
	watch_take(watch, SMA_NOTICE_SOFT, notice, SMA_BLOCK_SIZE, NULL, 0);
}

static int open_sources(struct sma_watch *watch)
{
	if (watch->soft)
		return 0;
	open_qp1(watch);
	open_verbs(watch);
	return watch->config.off || open_device(watch) ? 0 : -ENOMEM;
}

static void close_sources(struct sma_watch *watch)
{
	inform_free(watch->inform);
	trapagent_free(watch->traps);
	poll_free(watch->poll);
	facts_free(watch->facts);
	watch->inform = NULL;
	watch->traps = NULL;
	watch->poll = NULL;
	watch->facts = NULL;
}

/* ---- the watch ---- */

void sma_watch_config_init(struct sma_watch_config *config)
{
	*config = (struct sma_watch_config){
		.subscribe = true, .poll_ms = 10 * 1000, .refresh_ms = 60 * 1000, .repeat_ms = 15 * 1000};
}

int sma_watch_open(struct sma_node *node, const struct sma_device *device,
                   const struct sma_watch_config *config, sma_notice_sink *sink, void *arg,
                   struct sma_watch **watch_out)
{
	struct sma_watch *watch = calloc(1, sizeof(*watch));
	int rc;

	if (!watch)
		return -ENOMEM;
	watch->node = node;
	watch->soft = !device;
	if (device)
		watch->device = *device;
	watch->gsi = &watch->device.gsi[0];
	watch->config = *config;
	watch->sink = sink;
	watch->arg = arg;
	watch->repeats = repeats_new(config->repeat_ms);
	rc = open_box(watch);
	if (rc == 0)
		rc = watch->repeats ? open_sources(watch) : -ENOMEM;
	if (rc < 0)
		sma_watch_close(watch);
	else
		*watch_out = watch;
	return rc;
}

int sma_watch_configure(struct sma_watch *watch, const struct sma_watch_config *config)
{
	const struct sma_watch_config *old = &watch->config;
	int rc;

	if (old->off == config->off && old->subnet == config->subnet && old->subscribe == config->subscribe &&
	    old->take_traps == config->take_traps && old->poll_ms == config->poll_ms &&
	    old->refresh_ms == config->refresh_ms && old->repeat_ms == config->repeat_ms)
		return 0;
	watch_end_waiting(watch, true);
	if (watch->poll)
		poll_conclude(watch->poll);
	if (old->repeat_ms != config->repeat_ms || config->off)
		watch_restart_repeats(watch, config->repeat_ms);
	close_sources(watch);
	watch->config = *config;
	rc = open_sources(watch);
	if (rc < 0) {
		close_sources(watch);
		watch->config.off = true;
	}
	return rc;
}

void sma_watch_close(struct sma_watch *watch)
{
	if (!watch)
		return;
	close_sources(watch);
	close_verbs(watch);
	if (watch->qp1)
		watch->qp1->ops->close(watch->qp1);
	sma_mailbox_free(watch->box);
	if (watch->fd >= 0)
		close(watch->fd);
	repeats_free(watch->repeats);
	free(watch);
}

int sma_watch_fd(const struct sma_watch *watch)
{
	return watch->fd;
}

void sma_watch_count(const struct sma_watch *watch, struct sma_watch_counters *counters)
{
	*counters = watch->counters;
}

enum sma_watch_state sma_watch_state(const struct sma_watch *watch)
{
	if (watch->config.off)
		return SMA_WATCH_OFF;
	if (watch->soft)
		return SMA_WATCH_SOFT;
	if (watch->inform && inform_is_active(watch->inform))
		return SMA_WATCH_SUBSCRIBED;
	return watch->traps && trapagent_is_active(watch->traps) ? SMA_WATCH_TRAPS : SMA_WATCH_UNSUBSCRIBED;
}

static void take_mail(struct sma_watch *watch)
{
	struct sma_mail mail;
	unsigned dropped;

	while (sma_mailbox_take(watch->box, &mail)) {
		if (mail.kind != SMA_MAIL_MAD)
			continue; /* QP0 of the same adapter tells of it */
		if (watch->inform && inform_take(watch->inform, &mail, watch->now))
			continue;
		if (watch->poll && poll_take(watch->poll, &mail, watch->now))
			continue;
		sma_log(SMA_LOG_DEBUG, "watch", "a MAD on QP1 that answers nothing was dropped");
	}
	dropped = sma_mailbox_dropped(watch->box);
	if (dropped)
		sma_log(SMA_LOG_WARNING, "watch",
		        "%u MADs on QP1 were dropped: they came faster than they were read", dropped);
}

static void take_event(struct sma_watch *watch, const struct verbs_event *event)
{
	sma_node_expire(watch->node, event->attrs);
	if (watch->facts)
		facts_hurry(watch->facts);
	if (watch->inform && event->subscribe)
		inform_renew(watch->inform, watch->now);
}

static void take_events(struct sma_watch *watch)
{
	struct verbs_event event;
	int rc;

	if (!watch->verbs)
		return;
	while ((rc = verbs_take(watch->verbs, &event)) > 0)
		take_event(watch, &event);
	if (rc == 0)
		return;
	sma_log(SMA_LOG_NOTICE, "watch", "no more events of the driver: %s", strerror(-rc));
	close_verbs(watch);
}

/* The CapabilityMask before the first notice. */
static void learn_mask(struct sma_watch *watch)
{
	struct sma_key key = sma_key_port(watch->node, 0);
	struct sma_reader reader = {.node = watch->node, .now = watch->now, .unsolicited = true, .budget = 1};

	if (!watch->mask_known && !watch->config.off)
		watch->mask_known = sma_read(&reader, &key, SMA_PortInfo_CapabilityMask, &watch->mask) == 0;
}

static uint64_t run_sources(struct sma_watch *watch)
{
	uint64_t due = facts_run(watch->facts, watch->now);
	const struct facts *facts = facts_get(watch->facts);
	bool covered = false;

	watch_end_waiting(watch, false);
	if (watch->inform) {
		inform_facts(watch->inform, facts, watch->now);
		due = sma_earlier(due, inform_run(watch->inform, watch->now));
		covered = inform_is_active(watch->inform);
	}
	if (watch->traps) {
		trapagent_facts(watch->traps, facts);
		covered = covered || trapagent_is_active(watch->traps);
	}
	if (watch->poll)
		due = sma_earlier(due, poll_run(watch->poll, facts, covered, watch->now));
	if (watch->poll && watch->inform && poll_has_doubts(watch->poll)) {
		inform_hurry(watch->inform, watch->now);
		due = sma_earlier(due, inform_run(watch->inform, watch->now));
	}
	return due;
}

uint64_t sma_watch_process(struct sma_watch *watch, uint64_t now)
{
	uint64_t due = UINT64_MAX;

	if (now > watch->now)
		watch->now = now;
	learn_mask(watch);
	take_mail(watch);
	take_events(watch);
	if (watch->facts)
		due = run_sources(watch);
	due = sma_earlier(due, watch_end_repeats(watch));
	/* what the sources want to read has to be sent for in this round */
	return sma_earlier(due, requests_run(watch->node->requests, now));
}
