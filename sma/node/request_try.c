// SPDX-License-Identifier: BSD-2-Clause
/* One SMP of a request: when it is sent, and when it is late. */
#include "sma/clock.h"
#include "sma/log.h"
#include "sma/node/request_parts.h"

enum { ALONE_MS = 3000 }; /* failures that are further apart do not go together */

/* 0 means that there is no transaction. */
static uint32_t next_tid(struct sma_requests *r)
{
	if (++r->last_tid == 0)
		++r->last_tid;
	return r->last_tid;
}

static void note_send(struct sma_requests *r, int rc, uint64_t now)
{
	if (rc < 0 && (!r->failure || now - r->failed_at > ALONE_MS))
		r->fails_since = now;
	r->failure = rc < 0 ? -rc : 0;
	r->failed_at = now;
}

static void note_unsolicited(struct sma_requests *r, uint64_t now)
{
	unsigned oldest = 0;

	for (unsigned i = 1; i < REQUEST_UNSOLICITED_MAX; i++) {
		if (r->unsolicited[i] < r->unsolicited[oldest])
			oldest = i;
	}
	r->unsolicited[oldest] = now;
}

uint64_t request_unsolicited_at(const struct sma_requests *r, unsigned reserve, uint64_t now)
{
	uint64_t oldest = UINT64_MAX;
	unsigned used = 0;

	for (unsigned i = 0; i < REQUEST_UNSOLICITED_MAX; i++) {
		uint64_t end = r->unsolicited[i] + REQUEST_UNSOLICITED_MS;

		if (r->unsolicited[i] && end > now) {
			used++;
			oldest = end < oldest ? end : oldest;
		}
	}
	return used + reserve < REQUEST_UNSOLICITED_MAX ? 0 : oldest;
}

/* Whoever registered as the subnet manager gets SMInfo, and no key to learn from it: the SM itself checks
 * none. */
static uint64_t m_key_for(const struct sma_requests *r, enum sma_attr attr)
{
	return attr == SMA_SMInfo ? 0 : r->config.m_key;
}

/* A try with a transaction id that the transport still holds would be refused, so each try has a new one; a
 * late answer to an earlier try is no answer to this one. */
void request_try(struct sma_requests *r, struct request *q, uint64_t now)
{
	struct sma_qp0 *qp0 = r->ports[q->key.port];
	uint16_t attribute = sma_attr_id(q->key.attr);
	uint8_t mad[SMA_MAD_SIZE];
	int rc;

	q->tid = next_tid(r);
	q->serial = ++r->last_serial;
	q->sent = now;
	/* the transport reports a time-out itself; the margin keeps the two from crossing */
	q->due = now + r->config.timeout_ms + r->config.timeout_ms / 4;
	smp_build_get(mad, attribute, q->key.modifier, q->tid, m_key_for(r, q->key.attr));
	rc = qp0->ops->send(qp0, mad, r->config.timeout_ms);
	sma_log(SMA_LOG_DEBUG, "smp", "send port %u attr 0x%04x mod 0x%08x tid 0x%x: %d", q->key.port,
	        attribute, q->key.modifier, q->tid, rc);
	note_send(r, rc, now);
	q->over = rc < 0;
	if (rc < 0)
		return;
	q->tries++;
	r->counters.sent++;
	if (!q->solicited)
		note_unsolicited(r, now);
}

/* Answers that usually take longer than half of a try are late when the try ends. */
uint64_t request_late_at(const struct sma_requests *r, const struct request *q)
{
	unsigned usual = 2 * r->latency_ms;

	if (q->over)
		return 0;
	if (usual < r->config.timeout_ms / 2)
		usual = r->config.timeout_ms / 2;
	return q->sent + (usual < r->config.timeout_ms ? usual : r->config.timeout_ms);
}

bool request_is_passed_over(const struct sma_requests *r, const struct request *q)
{
	return r->heard >= q->serial;
}

uint64_t request_next_try(const struct sma_requests *r, const struct request *q)
{
	return q->sent + r->config.timeout_ms;
}

static void shift(struct request *q, uint64_t ms)
{
	q->sent += ms;
	q->due += ms;
}

void request_bear_stall(struct sma_requests *r, uint64_t now)
{
	uint64_t late = now > r->due ? now - r->due : 0;
	struct request *q;

	if (late < SMA_STALL_MS)
		return;
	TAILQ_FOREACH (q, &r->begun, link)
		shift(q, late + SMA_GRACE_MS);
	shift(&r->doubt.probe, late + SMA_GRACE_MS);
}
