// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include "agent/in_flight.h"
#include "agent/latest.h"
#include "agent/notify.h"
#include "agent/notify_time.h"
#include "agent/queue.h"
#include "agent/rate.h"
#include "sma/clock.h"
#include "sma/log.h"

enum {
	MINUTE_MS = 60000,
	PACES_AT_ONCE = 10, /* a second's pace divided by this may leave at once */
};

struct notify {
	const struct mib_sender *sender;
	struct rate rate;
	struct latest latest;
	struct queue *queue;
	struct bucket pace;
	struct in_flight in_flight;
	bool finishing;
	uint64_t held_back;
	uint64_t lost;       /* because the queue was full */
	unsigned unlogged;   /* of these */
	uint64_t lost_since; /* the time of the first of those */
	bool away;           /* snmpd was away since the queue was last empty */
	uint64_t now;        /* time of the last round */
};

/* ---- configuration ---- */

static unsigned pace_at_once(const struct notify_config *config)
{
	return config->pace < PACES_AT_ONCE ? 1 : config->pace / PACES_AT_ONCE;
}

struct notify *notify_new(const struct notify_config *config, const struct mib_sender *sender)
{
	struct notify *notify = calloc(1, sizeof(*notify));

	if (!notify)
		return NULL;
	notify->sender = sender;
	rate_init(&notify->rate, config->rate, config->burst);
	bucket_init(&notify->pace, config->pace, pace_at_once(config));
	notify->queue = queue_new(config->queue);
	if (!notify->queue) {
		free(notify);
		return NULL;
	}
	return notify;
}

void notify_free(struct notify *notify)
{
	if (!notify)
		return;
	queue_free(notify->queue);
	free(notify);
}

void notify_expose_keys(struct notify *notify, bool expose)
{
	notify->in_flight.expose_keys = expose;
}

/* ---- taking ---- */

static void lose(struct notify *notify)
{
	notify->lost++;
	if (notify->unlogged++)
		return;
	notify->lost_since = notify->now;
	sma_log(SMA_LOG_WARNING, "notify", "the queue is full (%u): the oldest notifications are dropped",
	        queue_size(notify->queue));
}

static void keep(struct notify *notify, const struct sma_notice *notice)
{
	if (queue_put(notify->queue, notice))
		lose(notify);
}

int notify_configure(struct notify *notify, const struct notify_config *config)
{
	struct queue *old = notify->queue;
	struct queue *queue = queue_new(config->queue);

	if (!queue)
		return -ENOMEM;
	rate_configure(&notify->rate, config->rate, config->burst);
	bucket_configure(&notify->pace, config->pace, pace_at_once(config));
	notify->queue = queue;
	for (; queue_head(old); queue_drop(old))
		keep(notify, queue_head(old));
	queue_free(old);
	return 0;
}

static void hold_back(struct notify *notify, unsigned trap, uint64_t when)
{
	notify->held_back++;
	rate_hold_back(&notify->rate, trap, when);
}

/* While states wait for the rate, further ones queue up behind them: else those of one port could keep others
 * out. */
static void take_state(struct notify *notify, const struct sma_notice *notice, unsigned trap)
{
	unsigned given_up;

	if (!latest_first(&notify->latest) && rate_passes(&notify->rate, trap, notice->when)) {
		keep(notify, notice);
		return;
	}
	given_up = latest_put(&notify->latest, notice);
	if (given_up)
		hold_back(notify, given_up, notice->when);
}

void notify_take(void *arg, const struct sma_notice *notice)
{
	struct notify *notify = arg;
	unsigned trap = notice_trap(notice->data);

	if (notice_is_state(trap))
		take_state(notify, notice, trap);
	else if (rate_passes(&notify->rate, trap, notice->when))
		keep(notify, notice);
	else
		hold_back(notify, trap, notice->when);
}

/* Queue what waited for the rate and need not wait any more. Returns when to call again. */
static uint64_t release_states(struct notify *notify)
{
	const struct sma_notice *first;

	while ((first = latest_first(&notify->latest))) {
		if (!notify->finishing && !rate_passes(&notify->rate, notice_trap(first->data), notify->now))
			return rate_states_due(&notify->rate);
		keep(notify, first);
		latest_drop(&notify->latest);
	}
	return UINT64_MAX;
}

/* ---- after an outage ---- */

static void report_waited(struct notify *notify)
{
	const struct in_flight *in_flight = &notify->in_flight;
	unsigned waited = in_flight->waited;

	/* there still is a backlog: because of the pace its last ones are hardly late, or not at all */
	if (in_flight->taken && in_flight_age(&in_flight->notice, notify->now) >= NOTIFY_TIME_LATE_MS / 2)
		return;
	if (waited == 0)
		return;
	sma_log(SMA_LOG_NOTICE, "notify", "%u notification%s sent", waited,
	        waited == 1 ? " that waited was" : "s that waited were");
	notify->in_flight.waited = 0;
}

static void log_lost(const struct notify *notify)
{
	if (notify->unlogged)
		sma_log(SMA_LOG_WARNING, "notify", "%u notification%s dropped while the queue was full",
		        notify->unlogged, notify->unlogged == 1 ? " was" : "s were");
}

/* The queue is empty. While snmpd is not away it may become full many times a second. */
static uint64_t report_lost(struct notify *notify)
{
	bool away = notify->away;

	notify->away = false;
	if (notify->unlogged == 0)
		return UINT64_MAX;
	if (!away && notify->now < notify->lost_since + MINUTE_MS)
		return notify->lost_since + MINUTE_MS;
	log_lost(notify);
	notify->unlogged = 0;
	return UINT64_MAX;
}

/* ---- sending ---- */

/* Returns when to call again. */
static uint64_t send_next(struct notify *notify, uint32_t uptime)
{
	const struct sma_notice *head = queue_head(notify->queue);

	if (!notify->in_flight.taken && head) {
		in_flight_take(&notify->in_flight, head);
		queue_drop(notify->queue);
	}
	report_waited(notify);
	if (!notify->in_flight.taken)
		return report_lost(notify);
	if (!notify->finishing && !bucket_take(&notify->pace, notify->now))
		return bucket_due(&notify->pace);
	return in_flight_send(&notify->in_flight, notify->sender, uptime, notify->now);
}

uint64_t notify_process(void *arg, uint64_t now)
{
	struct notify *notify = arg;
	uint32_t uptime;
	uint64_t due;

	notify->now = now;
	due = sma_earlier(rate_report(&notify->rate, now), release_states(notify));
	if (!notify->sender->is_ready(&uptime))
		notify->away = true;
	else if (!notify->in_flight.busy)
		due = sma_earlier(due, send_next(notify, uptime));
	return due;
}

/* ---- shutting down ---- */

static unsigned left(const struct notify *notify)
{
	return queue_length(notify->queue) + notify->latest.count + notify->in_flight.taken;
}

void notify_finish(struct notify *notify)
{
	notify->finishing = true;
}

bool notify_is_idle(const struct notify *notify)
{
	return left(notify) == 0;
}

void notify_end(const struct notify *notify)
{
	rate_log(&notify->rate);
	log_lost(notify);
	if (left(notify))
		sma_log(SMA_LOG_WARNING, "notify", "%u notification%s not sent before the shutdown",
		        left(notify), left(notify) == 1 ? " was" : "s were");
}

void notify_count(const struct notify *notify, struct notify_counters *counters)
{
	*counters = (struct notify_counters){
		.sent = notify->in_flight.sent,
		.held_back = notify->held_back,
		.dropped = notify->lost + notify->in_flight.dropped,
		.queued = left(notify),
	};
}
