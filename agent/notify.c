// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/clock.h"
#include "agent/notify.h"
#include "agent/queue.h"
#include "agent/rate.h"
#include "agent/session.h"
#include "agent/stamp.h"
#include "mib/mib.h"

enum {
	RETRY_MS = 1000, /* after the session has refused a notification */
	MINUTE_MS = 60000,
	ATTEMPTS = 3, /* to send one, each of which ended the session */
};

struct notify {
	struct notify_counters counters; /* `queued` is not kept */
	struct rate rate;
	struct queue *queue;
	struct tally failed; /* notices that make no notification */
	bool expose_keys;
	uint64_t now; /* of the last round */
	struct {
		bool busy;      /* the head of the queue is on its way, or a notice that */
		bool overtaken; /* was the head until the queue was full */
		bool late;
		unsigned trap;
	} way;
	unsigned attempts;   /* to send the head of the queue, that ended the session */
	bool refused;        /* for a reason that was logged */
	bool away;           /* snmpd was, since the queue was empty */
	unsigned waited;     /* late ones that were sent, and not logged yet */
	unsigned lost;       /* given up as the queue was full, since */
	uint64_t lost_since; /* this time, and not logged yet */
};

struct notify *notify_new(const struct notify_config *config)
{
	struct notify *notify = calloc(1, sizeof(*notify));

	if (!notify)
		return NULL;
	rate_init(&notify->rate, config->rate, config->burst);
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
	notify->expose_keys = expose;
}

static const char *name_of(unsigned trap)
{
	const char *name = mib_notification_name(trap);

	return name ? name : "no notification";
}

/* ---- taking ---- */

static void lose(struct notify *notify)
{
	notify->counters.dropped++;
	if (notify->lost++)
		return;
	notify->lost_since = notify->now;
	sma_log(SMA_LOG_WARNING, "notify", "the queue is full (%u): the oldest notifications are dropped",
	        queue_length(notify->queue));
}

static void keep(struct notify *notify, const struct sma_notice *notice)
{
	if (!queue_put(notify->queue, notice))
		return;
	notify->attempts = 0;
	/* what is on its way is not lost yet */
	if (notify->way.busy && !notify->way.overtaken)
		notify->way.overtaken = true;
	else
		lose(notify);
}

void notify_take(void *arg, const struct sma_notice *notice)
{
	struct notify *notify = arg;

	if (!rate_take(&notify->rate, sma_notice_trap(notice->data), notice->when)) {
		notify->counters.held_back++;
		return;
	}
	keep(notify, notice);
}

int notify_configure(struct notify *notify, const struct notify_config *config)
{
	struct queue *old = notify->queue;
	struct queue *queue = queue_new(config->queue);

	if (!queue)
		return -ENOMEM;
	rate_configure(&notify->rate, config->rate, config->burst);
	notify->queue = queue;
	for (; queue_head(old); queue_drop(old))
		keep(notify, queue_head(old));
	queue_free(old);
	return 0;
}

/* ---- sending ---- */

static void drop_head(struct notify *notify)
{
	queue_drop(notify->queue);
	notify->attempts = 0;
}

static uint64_t age_of(const struct sma_notice *notice, uint64_t now)
{
	return now > notice->when ? now - notice->when : 0;
}

static void note_sent(struct notify *notify)
{
	notify->counters.sent++;
	notify->waited += notify->way.late;
	sma_log(SMA_LOG_DEBUG, "notify", "%s was sent", name_of(notify->way.trap));
}

static void end_way(void *arg, enum session_outcome outcome)
{
	struct notify *notify = arg;
	bool overtaken = notify->way.overtaken;

	notify->way.busy = false;
	notify->way.overtaken = false;
	if (outcome == SESSION_SENT)
		note_sent(notify);
	if (outcome == SESSION_REFUSED)
		notify->counters.dropped++;
	if (outcome != SESSION_UNSENT && !overtaken)
		drop_head(notify);
	if (outcome == SESSION_UNSENT && overtaken)
		lose(notify);
	if (outcome == SESSION_UNSENT && !overtaken)
		notify->attempts++;
}

/* What the session does not take now it may take later: the link may be about to fail. */
static void note_refusal(struct notify *notify, int error)
{
	bool is_odd = error != -EAGAIN;

	if (is_odd && !notify->refused)
		sma_log(SMA_LOG_WARNING, "notify", "snmpd cannot be sent a notification: %s; trying again",
		        strerror(-error));
	notify->refused = is_odd;
}

/* -EAGAIN: later. The session may tell the outcome before it returns. */
static int set_out(struct notify *notify, const struct sma_notice *notice,
                   const struct variable_list *varbinds)
{
	int rc;

	notify->way.busy = true;
	notify->way.late = age_of(notice, notify->now) >= STAMP_LATE_MS;
	notify->way.trap = sma_notice_trap(notice->data);
	rc = session_notify(varbinds, end_way, notify);
	if (rc == 0) {
		notify->refused = false;
		return 0;
	}
	notify->way.busy = false;
	note_refusal(notify, rc);
	return -EAGAIN;
}

static int send_notice(struct notify *notify, const struct sma_notice *notice)
{
	netsnmp_variable_list *varbinds = NULL;
	int rc = mib_notification(notice, notify->expose_keys, &varbinds);

	if (rc < 0)
		return rc;
	rc = stamp_add(&varbinds, session_uptime(), age_of(notice, notify->now), clock_wall_ms());
	if (rc == 0)
		rc = set_out(notify, notice, varbinds);
	snmp_free_varbind(varbinds);
	return rc;
}

static const char *reason(int error)
{
	static const struct {
		int error;
		const char *text;
	} reasons[] = {
		{-ENOENT, "the MIB has no notification for what it says"},
		{-ERANGE, "a value is out of its object's range"},
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].error == error)
			return reasons[i].text;
	}
	return strerror(-error);
}

static void drop(struct notify *notify, unsigned trap, int error)
{
	drop_head(notify);
	notify->counters.dropped++;
	if (tally_add(&notify->failed, trap) == 1)
		sma_log(SMA_LOG_WARNING, "notify",
		        "trap %u (%s) cannot be sent: %s; further ones are dropped without a line", trap,
		        name_of(trap), reason(error));
}

/* That it was snmpd which restarted each time is not likely. */
static void give_up_head(struct notify *notify, unsigned trap)
{
	drop_head(notify);
	notify->counters.dropped++;
	sma_log(SMA_LOG_WARNING, "notify",
	        "trap %u (%s) is dropped: each of %d attempts to send it ended the session with snmpd", trap,
	        name_of(trap), ATTEMPTS);
}

/* Returns when to try the next. */
static uint64_t send_head(struct notify *notify)
{
	const struct sma_notice *head = queue_head(notify->queue);
	unsigned trap = sma_notice_trap(head->data);
	int rc;

	if (notify->attempts >= ATTEMPTS) {
		give_up_head(notify, trap);
		return notify->now;
	}
	rc = send_notice(notify, head);
	if (rc == -EAGAIN)
		return notify->now + RETRY_MS;
	if (rc < 0)
		drop(notify, trap, rc);
	return notify->way.busy ? UINT64_MAX : notify->now;
}

/* ---- after an outage ---- */

static void report_waited(struct notify *notify)
{
	const struct sma_notice *head = queue_head(notify->queue);

	if (notify->waited == 0 || (head && age_of(head, notify->now) >= STAMP_LATE_MS))
		return;
	sma_log(SMA_LOG_NOTICE, "notify", "%u notification%s sent", notify->waited,
	        notify->waited == 1 ? " that waited was" : "s that waited were");
	notify->waited = 0;
}

static void log_lost(const struct notify *notify)
{
	if (notify->lost)
		sma_log(SMA_LOG_WARNING, "notify", "%u notification%s dropped while the queue was full",
		        notify->lost, notify->lost == 1 ? " was" : "s were");
}

/* With an empty queue. Where snmpd was not away, the queue may be full many times a second. */
static uint64_t report_lost(struct notify *notify)
{
	bool away = notify->away;

	notify->away = false;
	if (notify->lost == 0)
		return UINT64_MAX;
	if (!away && notify->now < notify->lost_since + MINUTE_MS)
		return notify->lost_since + MINUTE_MS;
	log_lost(notify);
	notify->lost = 0;
	return UINT64_MAX;
}

/* ---- */

static uint64_t go_on(struct notify *notify)
{
	if (!session_is_up()) {
		notify->away = true;
		return UINT64_MAX;
	}
	if (notify->way.busy)
		return UINT64_MAX;
	report_waited(notify);
	return queue_head(notify->queue) ? send_head(notify) : report_lost(notify);
}

uint64_t notify_process(void *arg, uint64_t now)
{
	struct notify *notify = arg;
	uint64_t due = rate_report(&notify->rate, now);
	uint64_t next;

	notify->now = now;
	next = go_on(notify);
	return next < due ? next : due;
}

/* ---- */

static unsigned left(const struct notify *notify)
{
	return queue_length(notify->queue) + notify->way.overtaken;
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
		sma_log(SMA_LOG_WARNING, "notify", "%u notification%s not sent before the end", left(notify),
		        left(notify) == 1 ? " was" : "s were");
}

void notify_count(const struct notify *notify, struct notify_counters *counters)
{
	*counters = notify->counters;
	counters->queued = left(notify);
}
