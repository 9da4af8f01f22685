// SPDX-License-Identifier: BSD-2-Clause
/* Whether the SMA answers at all, or its device takes requests. */
#include <errno.h>

#include "sma/node/request_parts.h"

enum {
	PAUSE_MS = 500, /* after a lost probe, before the next */
	PROBES = 2,     /* that are lost in a row when the SMA is silent */
};

void request_doubt_end(struct sma_requests *r)
{
	r->doubt.is = false;
	r->doubt.probing = false;
	r->doubt.lost_probes = 0;
	r->doubt.pause_until = 0;
}

/* All that was sent is late, or something is not answered at all, and the SMA has come to nothing later. */
static bool is_doubtful(const struct sma_requests *r, uint64_t now)
{
	const struct request *q;
	bool passed_over = true;
	bool late = true;

	TAILQ_FOREACH (q, &r->begun, link) {
		bool passed = request_is_passed_over(r, q);

		if (!passed && q->over)
			return true;
		passed_over = passed_over && passed;
		late = late && now >= request_late_at(r, q);
	}
	return late && !passed_over;
}

/* ---- the probe ---- */

static bool is_begun(const struct sma_requests *r, enum sma_attr attr)
{
	const struct request *q;

	TAILQ_FOREACH (q, &r->begun, link) {
		if (q->key.attr == attr)
			return true;
	}
	return false;
}

/* Every SMA answers NodeInfo, and PortInfo of its own port; one that does not answer the one of them gets the
 * other. */
static struct sma_key probe_key(const struct sma_requests *r, uint8_t port)
{
	bool other = is_begun(r, SMA_NodeInfo) && (!is_begun(r, SMA_PortInfo) || r->doubt.lost_probes % 2);

	if (other)
		return (struct sma_key){.attr = SMA_PortInfo, .port = port, .modifier = port};
	return (struct sma_key){.attr = SMA_NodeInfo, .port = port};
}

/* The request that is waited for longest. */
static const struct request *first(const struct sma_requests *r)
{
	const struct request *q = TAILQ_FIRST(&r->begun);

	return q ? q : TAILQ_FIRST(&r->waiting);
}

static bool is_any_solicited(const struct sma_requests *r)
{
	const struct request *q;

	TAILQ_FOREACH (q, &r->begun, link) {
		if (q->solicited)
			return true;
	}
	TAILQ_FOREACH (q, &r->waiting, link) {
		if (q->solicited)
			return true;
	}
	return false;
}

/* Nobody could have answered in that time: it counts for no try. */
static void keep_tries(struct sma_requests *r, uint64_t now)
{
	struct request *q;

	TAILQ_FOREACH (q, &r->begun, link) {
		if (now >= request_late_at(r, q) && !request_is_passed_over(r, q))
			q->tries = 0;
	}
}

/* What cannot be sent bothers no SMA. */
static bool may_probe(const struct sma_requests *r, uint64_t now)
{
	return r->failure || is_any_solicited(r) || request_unsolicited_at(r, 0, now) == 0;
}

static void lose_probe(struct sma_requests *r, uint64_t now)
{
	r->doubt.probing = false;
	r->doubt.pause_until = now + PAUSE_MS;
	if (++r->doubt.lost_probes >= PROBES)
		request_end_all(r);
}

static void try_probe(struct sma_requests *r, uint64_t now)
{
	r->doubt.probe.solicited = is_any_solicited(r);
	request_try(r, &r->doubt.probe, now);
}

static void watch_probe(struct sma_requests *r, uint64_t now)
{
	struct request *probe = &r->doubt.probe;

	probe->over = probe->over || now >= probe->due;
	if (!probe->over || now < request_next_try(r, probe))
		return;
	keep_tries(r, now);
	if (probe->tries <= r->config.retries && may_probe(r, now))
		try_probe(r, now);
	else
		lose_probe(r, now);
}

/* An SMA that was found silent already is asked again when that is due, if only for our own sake. */
static void begin_probe(struct sma_requests *r, uint64_t now)
{
	const struct request *q = first(r);

	if (!q || now < r->doubt.pause_until)
		return;
	if (may_probe(r, now)) {
		r->doubt.probe = (struct request){.key = probe_key(r, q->key.port)};
		r->doubt.probing = true;
		try_probe(r, now);
	} else if (r->doubt.lost_probes < PROBES) {
		lose_probe(r, now);
	}
}

void request_doubt_run(struct sma_requests *r, uint64_t now)
{
	r->doubt.is = r->doubt.is || r->failure || is_doubtful(r, now);
	if (r->doubt.probing)
		watch_probe(r, now);
	else if (r->doubt.is)
		begin_probe(r, now);
}

uint64_t request_doubt_due(const struct sma_requests *r, uint64_t now)
{
	const struct request *probe = &r->doubt.probe;

	if (!r->doubt.is || !first(r))
		return UINT64_MAX;
	if (r->doubt.probing)
		return probe->over ? request_next_try(r, probe) : probe->due;
	if (now < r->doubt.pause_until)
		return r->doubt.pause_until;
	if (r->doubt.lost_probes < PROBES || may_probe(r, now))
		return now;
	return request_unsolicited_at(r, 0, now);
}
