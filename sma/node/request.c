// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include "sma/clock.h"
#include "sma/log.h"
#include "sma/mad/mad.h"
#include "sma/node/request_parts.h"

enum {
	BEGUN_PER_PLACE = 8, /* requests of which all but one are late, for each place in the window */
	LATENCY_WEIGHT = 16, /* with which an answer that came sooner counts against those before */
};

struct sma_requests *requests_new(const struct sma_config *config, request_done *done, void *arg)
{
	struct sma_requests *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	*r = (struct sma_requests){.config = *config, .done = done, .arg = arg, .due = UINT64_MAX};
	TAILQ_INIT(&r->waiting);
	TAILQ_INIT(&r->begun);
	return r;
}

static void free_list(struct request_list *list)
{
	struct request *q;

	while ((q = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, q, link);
		free(q);
	}
}

void requests_free(struct sma_requests *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i <= SMA_MAX_PORTS; i++) {
		if (r->ports[i])
			r->ports[i]->ops->close(r->ports[i]);
	}
	free_list(&r->waiting);
	free_list(&r->begun);
	free(r);
}

void requests_configure(struct sma_requests *r, const struct sma_config *config)
{
	r->config = *config;
}

void requests_attach(struct sma_requests *r, unsigned port, struct sma_qp0 *qp0)
{
	r->ports[port] = qp0;
}

struct sma_qp0 *requests_qp0(const struct sma_requests *r, unsigned port)
{
	return port <= SMA_MAX_PORTS ? r->ports[port] : NULL;
}

bool requests_reaches(const struct sma_requests *r, unsigned port)
{
	return requests_qp0(r, port) != NULL;
}

/* ---- beginning ---- */

int requests_submit(struct sma_requests *r, const struct sma_key *key, bool solicited)
{
	struct request *q;

	if (!requests_reaches(r, key->port))
		return -ENODEV;
	q = calloc(1, sizeof(*q));
	if (!q)
		return -ENOMEM;
	q->key = *key;
	q->solicited = solicited;
	TAILQ_INSERT_TAIL(&r->waiting, q, link);
	return 0;
}

static void solicit(struct request_list *list, const struct sma_key *key)
{
	struct request *q;

	TAILQ_FOREACH (q, list, link) {
		if (sma_key_is_same(&q->key, key))
			q->solicited = true;
	}
}

void requests_solicit(struct sma_requests *r, const struct sma_key *key)
{
	solicit(&r->waiting, key);
	solicit(&r->begun, key);
}

/* Whether a request counts in the window: it may be answered yet, for all that is known. */
static bool holds_place(const struct sma_requests *r, const struct request *q, uint64_t now)
{
	return now < request_late_at(r, q) || !request_is_passed_over(r, q);
}

static unsigned count_places(const struct sma_requests *r, uint64_t now)
{
	const struct request *q;
	unsigned count = 0;

	TAILQ_FOREACH (q, &r->begun, link)
		count += holds_place(r, q, now);
	return count;
}

/* Half of what an SMA may be sent unsolicited is left for probes. */
static bool may_send(const struct sma_requests *r, const struct request *q, uint64_t now)
{
	return q->solicited || request_unsolicited_at(r, REQUEST_UNSOLICITED_MAX / 2, now) == 0;
}

static void begin_waiting(struct sma_requests *r, uint64_t now)
{
	unsigned places = count_places(r, now);
	struct request *q;
	struct request *next;

	for (q = TAILQ_FIRST(&r->waiting); q; q = next) {
		next = TAILQ_NEXT(q, link);
		if (r->doubt.is || r->failure || places >= r->config.window ||
		    r->begun_count >= BEGUN_PER_PLACE * r->config.window)
			return;
		if (!may_send(r, q, now))
			continue;
		TAILQ_REMOVE(&r->waiting, q, link);
		TAILQ_INSERT_TAIL(&r->begun, q, link);
		r->begun_count++;
		places++;
		request_try(r, q, now);
	}
}

/* ---- ending ---- */

static void finish(struct sma_requests *r, struct request *q, int result, const uint8_t *data)
{
	struct sma_key key = q->key;

	TAILQ_REMOVE(&r->begun, q, link);
	r->begun_count--;
	free(q);
	if (result < 0)
		r->counters.timed_out++;
	else if (result == 0)
		r->counters.answered++;
	else
		r->counters.refused++;
	r->done(r->arg, &key, result, data);
}

void request_end_all(struct sma_requests *r)
{
	struct request *q;

	/* what is submitted meanwhile waits for the next time */
	while ((q = TAILQ_FIRST(&r->waiting))) {
		TAILQ_REMOVE(&r->waiting, q, link);
		TAILQ_INSERT_TAIL(&r->begun, q, link);
		r->begun_count++;
	}
	while ((q = TAILQ_FIRST(&r->begun)))
		finish(r, q, -EHOSTDOWN, NULL);
}

/* A block is not answered if all its tries are over, and the SMA has answered others since the last began. */
static bool is_given_up(const struct sma_requests *r, const struct request *q)
{
	return q->over && q->tries > r->config.retries && request_is_passed_over(r, q);
}

/* Whether an SMA that answers others is to be asked once more. */
static bool wants_try(const struct sma_requests *r, const struct request *q, uint64_t now)
{
	return q->over && request_is_passed_over(r, q) && now >= request_next_try(r, q) &&
	       may_send(r, q, now);
}

static void end_tries(struct sma_requests *r, uint64_t now)
{
	unsigned places = count_places(r, now);
	struct request *q;
	struct request *next;

	for (q = TAILQ_FIRST(&r->begun); q; q = next) {
		next = TAILQ_NEXT(q, link);
		q->over = q->over || now >= q->due;
		if (is_given_up(r, q)) {
			finish(r, q, -ETIMEDOUT, NULL);
		} else if (!r->doubt.is && !r->failure && places < r->config.window && wants_try(r, q, now)) {
			places++;
			request_try(r, q, now);
		}
	}
}

/* ---- answers ---- */

static struct request *find(struct sma_requests *r, uint8_t port, const struct smp *smp)
{
	struct request *probe = &r->doubt.probe;
	struct request *q;

	TAILQ_FOREACH (q, &r->begun, link) {
		if (q->tid == smp->tid)
			break;
	}
	if (!q && probe->tid == smp->tid)
		q = probe;
	if (!q || !q->tid || q->key.port != port || q->key.modifier != smp->modifier ||
	    sma_attr_id(q->key.attr) != smp->attribute)
		return NULL;
	return q;
}

static void note_answer(struct sma_requests *r, const struct request *q, uint64_t now)
{
	unsigned took = now > q->sent ? (unsigned)(now - q->sent) : 0;

	if (took >= r->latency_ms)
		r->latency_ms = took;
	else
		r->latency_ms -= (r->latency_ms - took + LATENCY_WEIGHT - 1) / LATENCY_WEIGHT;
	if (q->serial > r->heard)
		r->heard = q->serial;
	for (unsigned i = 0; i < REQUEST_UNSOLICITED_MAX; i++)
		r->unsolicited[i] = 0;
	request_doubt_end(r);
}

static void take_answer(struct sma_requests *r, struct request *q, const struct smp *smp, uint64_t now)
{
	note_answer(r, q, now);
	if (q == &r->doubt.probe)
		q->tid = 0;
	else if (smp->status == SMP_STATUS_BUSY)
		q->over = true;
	else
		finish(r, q, smp->status, smp->data);
}

void requests_take(struct sma_requests *r, const struct sma_mail *mail, uint64_t now)
{
	struct request *q = NULL;
	struct smp smp;

	if (smp_parse(mail->mad, &smp) == 0)
		q = find(r, mail->port, &smp);
	if (!q || (mail->status == 0 && !smp.response)) {
		r->counters.strange++;
		sma_log(SMA_LOG_DEBUG, "smp", "port %u: a MAD that answers nothing was dropped", mail->port);
		return;
	}
	sma_log(SMA_LOG_DEBUG, "smp", "port %u tid 0x%x came back: umad status %d, status 0x%04x (%s)",
	        mail->port, smp.tid, mail->status, smp.status, smp_status_text(smp.status));
	if (mail->status)
		q->over = true;
	else
		take_answer(r, q, &smp, now);
}

/* ---- time ---- */

/* What a request that must not be tried now waits for happens at another time. */
static uint64_t due_of(const struct sma_requests *r, const struct request *q, uint64_t now)
{
	uint64_t late = request_late_at(r, q);

	if (now < late)
		return late;
	if (!q->over)
		return q->due;
	return now < request_next_try(r, q) ? request_next_try(r, q) : UINT64_MAX;
}

/* When a request that is held back may be sent. */
static uint64_t unsolicited_due(const struct sma_requests *r, uint64_t now)
{
	uint64_t at = request_unsolicited_at(r, REQUEST_UNSOLICITED_MAX / 2, now);

	return at && !r->doubt.is ? at : UINT64_MAX;
}

uint64_t requests_run(struct sma_requests *r, uint64_t now)
{
	const struct request *q;

	request_bear_stall(r, now);
	end_tries(r, now);
	begin_waiting(r, now);
	request_doubt_run(r, now);
	r->due = sma_earlier(request_doubt_due(r, now), unsolicited_due(r, now));
	TAILQ_FOREACH (q, &r->begun, link)
		r->due = sma_earlier(r->due, due_of(r, q, now));
	return r->due;
}

int requests_lost(const struct sma_requests *r)
{
	return r->failure && r->failed_at - r->fails_since >= OUTAGE_LOST_MS ? r->failure : 0;
}

void requests_count(const struct sma_requests *r, struct sma_counters *counters)
{
	*counters = r->counters;
}
