// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/request.h"

enum {
	LOST_MS = 10 * 1000,   /* a device that takes no request for so long is lost */
	TRIES_PER_TIMEOUT = 8, /* tries that are reported lost early are repeated, but no faster than this */
};

/* An outstanding request; free where tid is 0. */
struct request {
	struct sma_key key;
	uint32_t tid;
	uint64_t sent;    /* start of this try */
	uint64_t due;     /* its end */
	uint64_t give_up; /* end of the last try */
};

/* Keys that wait for a place in the window: a ring that grows. */
struct queue {
	struct sma_key *keys;
	size_t size;
	size_t first;
	size_t count;
};

struct sma_requests {
	struct sma_config config;
	request_done *done;
	void *arg;
	struct sma_qp0 *ports[SMA_MAX_PORTS + 1];
	struct queue waiting;
	struct request *outstanding; /* config.window of them */
	uint32_t last_tid;
	int failure;          /* of the last send, a positive errno; 0: it went out */
	uint64_t fails_since; /* all failed from here */
	uint64_t failed_at;   /* to here */
	struct sma_counters counters;
};

/* ---- the queue ---- */

static int queue_grow(struct queue *queue)
{
	size_t size = queue->size ? queue->size * 2 : 64;
	struct sma_key *keys = calloc(size, sizeof(*keys));

	if (!keys)
		return -ENOMEM;
	for (size_t i = 0; i < queue->count; i++)
		keys[i] = queue->keys[(queue->first + i) % queue->size];
	free(queue->keys);
	*queue = (struct queue){.keys = keys, .size = size, .count = queue->count};
	return 0;
}

static int queue_put(struct queue *queue, const struct sma_key *key)
{
	int rc = queue->count == queue->size ? queue_grow(queue) : 0;

	if (rc == 0)
		queue->keys[(queue->first + queue->count++) % queue->size] = *key;
	return rc;
}

static struct sma_key queue_take(struct queue *queue)
{
	struct sma_key key = queue->keys[queue->first];

	queue->first = (queue->first + 1) % queue->size;
	queue->count--;
	return key;
}

/* ---- requests ---- */

struct sma_requests *requests_new(const struct sma_config *config, request_done *done, void *arg)
{
	struct sma_requests *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	*r = (struct sma_requests){.config = *config, .done = done, .arg = arg};
	r->outstanding = calloc(config->window, sizeof(*r->outstanding));
	if (!r->outstanding) {
		free(r);
		return NULL;
	}
	return r;
}

void requests_free(struct sma_requests *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i <= SMA_MAX_PORTS; i++) {
		if (r->ports[i])
			r->ports[i]->ops->close(r->ports[i]);
	}
	free(r->waiting.keys);
	free(r->outstanding);
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

int requests_submit(struct sma_requests *r, const struct sma_key *key)
{
	return requests_reaches(r, key->port) ? queue_put(&r->waiting, key) : -ENODEV;
}

static uint32_t next_tid(struct sma_requests *r)
{
	if (++r->last_tid == 0)
		++r->last_tid;
	return r->last_tid;
}

/* This try has failed: the next is due, but not at once where the transport fails at once. */
static void end_try(const struct sma_requests *r, struct request *q, uint64_t now)
{
	uint64_t next = q->sent + r->config.timeout_ms / TRIES_PER_TIMEOUT + 1;

	q->due = next > now ? next : now;
}

static void note_send(struct sma_requests *r, int rc, uint64_t now)
{
	if (rc < 0 && !r->failure)
		r->fails_since = now;
	r->failure = rc < 0 ? -rc : 0;
	r->failed_at = now;
}

/* Whoever registered as the subnet manager gets SMInfo, and no key to learn from it: the SM itself checks
 * none. */
static uint64_t m_key_for(const struct sma_requests *r, enum sma_attr attr)
{
	return attr == SMA_SMInfo ? 0 : r->config.m_key;
}

static void send_try(struct sma_requests *r, struct request *q, uint64_t now)
{
	struct sma_qp0 *qp0 = r->ports[q->key.port];
	uint16_t attribute = sma_attr_id(q->key.attr);
	uint8_t mad[SMA_MAD_SIZE];
	int rc;

	smp_build_get(mad, attribute, q->key.modifier, q->tid, m_key_for(r, q->key.attr));
	r->counters.sent++;
	rc = qp0->ops->send(qp0, mad, r->config.timeout_ms);
	sma_log(SMA_LOG_DEBUG, "smp", "send port %u attr 0x%04x mod 0x%08x tid 0x%x: %d", q->key.port,
	        attribute, q->key.modifier, q->tid, rc);
	note_send(r, rc, now);
	q->sent = now;
	/* the transport reports a time-out itself; the margin keeps the two from crossing */
	q->due = now + r->config.timeout_ms + r->config.timeout_ms / 4;
	if (rc < 0)
		end_try(r, q, now);
}

static void finish(struct sma_requests *r, struct request *q, int result, const uint8_t *data)
{
	struct sma_key key = q->key;

	q->tid = 0;
	if (result == -ETIMEDOUT)
		r->counters.timed_out++;
	else if (result == 0)
		r->counters.answered++;
	else
		r->counters.refused++;
	r->done(r->arg, &key, result, data);
}

static struct request *find(struct sma_requests *r, uint8_t port, const struct smp *smp)
{
	for (unsigned i = 0; i < r->config.window; i++) {
		struct request *q = &r->outstanding[i];

		if (q->tid && q->tid == smp->tid && q->key.port == port && q->key.modifier == smp->modifier &&
		    sma_attr_id(q->key.attr) == smp->attribute)
			return q;
	}
	return NULL;
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
	if (mail->status || smp.status == SMP_STATUS_BUSY)
		end_try(r, q, now);
	else
		finish(r, q, smp.status, smp.data);
}

static void start(struct sma_requests *r, struct request *q, uint64_t now)
{
	*q = (struct request){
		.key = queue_take(&r->waiting),
		.tid = next_tid(r),
		.give_up = now + (uint64_t)r->config.timeout_ms * (r->config.retries + 1),
	};
	send_try(r, q, now);
}

/* A try with a transaction id that the transport still holds would be refused, so each try has a new one; a
 * late answer to an earlier try is no answer to this one. */
static void retry(struct sma_requests *r, struct request *q, uint64_t now)
{
	q->tid = next_tid(r);
	send_try(r, q, now);
}

static void check_due(struct sma_requests *r, struct request *q, uint64_t now)
{
	if (!q->tid || now < q->due)
		return;
	if (now >= q->give_up)
		finish(r, q, -ETIMEDOUT, NULL);
	else
		retry(r, q, now);
}

uint64_t requests_run(struct sma_requests *r, uint64_t now)
{
	uint64_t next = UINT64_MAX;

	for (unsigned i = 0; i < r->config.window; i++)
		check_due(r, &r->outstanding[i], now);
	for (unsigned i = 0; i < r->config.window; i++) {
		struct request *q = &r->outstanding[i];

		if (!q->tid && r->waiting.count)
			start(r, q, now);
		if (q->tid && q->due < next)
			next = q->due;
	}
	return next;
}

int requests_lost(const struct sma_requests *r)
{
	return r->failed_at - r->fails_since >= LOST_MS ? r->failure : 0;
}

void requests_count(const struct sma_requests *r, struct sma_counters *counters)
{
	*counters = r->counters;
}
