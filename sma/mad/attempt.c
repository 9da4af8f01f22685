// SPDX-License-Identifier: BSD-2-Clause
/* One MAD of a request: how it is sent, and when it is late. */
#include <errno.h>
#include <string.h>

#include "sma/clock.h"
#include "sma/log.h"
#include "sma/mad/exchange.h"

enum {
	ALONE_MS = 3000, /* failures that are further apart do not go together */
	TRY_BITS = 8,    /* of a transaction id: the try; the others: the request */
	LAST_TRY = (1 << TRY_BITS) - 1,
};

static void note_send(struct engine *engine, int rc)
{
	if (rc < 0 && (!engine->failure.error || engine->now - engine->failure.last > ALONE_MS))
		engine->failure.since = engine->now;
	engine->failure.error = rc < 0 ? -rc : 0;
	engine->failure.last = engine->now;
}

static void note_unsolicited(struct peer *peer)
{
	unsigned oldest = 0;

	for (unsigned i = 1; i < PEER_UNSOLICITED_MAX; i++) {
		if (peer->unsolicited[i] < peer->unsolicited[oldest])
			oldest = i;
	}
	peer->unsolicited[oldest] = peer->engine->now;
}

uint64_t attempt_unsolicited_at(const struct peer *peer, unsigned reserve)
{
	uint64_t oldest = UINT64_MAX;
	unsigned used = 0;

	for (unsigned i = 0; i < PEER_UNSOLICITED_MAX; i++) {
		uint64_t end = peer->unsolicited[i] + PEER_UNSOLICITED_MS;

		if (peer->unsolicited[i] && end > peer->engine->now) {
			used++;
			oldest = sma_earlier(end, oldest);
		}
	}
	return used + reserve < PEER_UNSOLICITED_MAX ? 0 : oldest;
}

/* ---- sending ---- */

/* The class on the wire of what goes along a route. NULL: it does not go there. */
static const struct mad_class *class_on(const struct mad_class *class, enum engine_route route)
{
	if (class->id == MAD_CLASS_SM)
		return route == ENGINE_LID ? class : mad_class_find(MAD_CLASS_SM_DIRECTED);
	/* general services are LID-routed only (IBA 13.5) */
	return route == ENGINE_LID ? class : NULL;
}

static void build(const struct peer *peer, const struct attempt *attempt, const struct exchange *exchange,
                  struct packet *packet)
{
	const struct engine_address *to = &peer->address;
	const struct mad_class *class = mad_class_find(attempt->class);
	const struct mad_head head = {
		.class = attempt->class,
		.method = attempt->method,
		.tid = attempt->tid,
		.attribute = attempt->attribute,
		.modifier = attempt->modifier,
	};

	*packet = (struct packet){.lid = attempt->lid, .sl = to->route == ENGINE_LID ? to->sl : 0};
	mad_build(packet->mad, &head);
	mad_set_key(packet->mad, attempt->keyless ? 0 : peer->key);
	if (class->id == MAD_CLASS_SM_DIRECTED)
		mad_set_route(packet->mad, to->path, to->route == ENGINE_ROUTED ? to->hops : 0);
	if (exchange && exchange->size)
		memcpy(packet->mad + class->data_at, exchange->data, exchange->size);
}

static int send_packet(struct peer *peer, const struct attempt *attempt, const struct exchange *exchange)
{
	struct engine *engine = peer->engine;
	struct packet packet;
	int rc;

	build(peer, attempt, exchange, &packet);
	rc = exchange_transmit(engine, &packet, attempt->timeout_ms);
	sma_log(SMA_LOG_DEBUG, "smp",
	        "send port %u attr 0x%04x mod 0x%08x class 0x%02x to 0x%04x tid 0x%x: %d",
	        engine->config.port, attempt->attribute, attempt->modifier, attempt->class, attempt->lid,
	        attempt->tid, rc);
	return rc;
}

/* The number of a request never is 0, nor that of one that is on its way. The upper half is the kernel's. */
static uint32_t first_tid(struct engine *engine)
{
	engine->last_tid += 1U << TRY_BITS;
	if (engine->last_tid == 0)
		engine->last_tid += 1U << TRY_BITS;
	return engine->last_tid;
}

/* What concerns this class only, and not the port. */
static bool is_refusal(int rc)
{
	return rc == -EBUSY || rc == -ENOTSUP || rc == -EPROTONOSUPPORT;
}

/* A try with a transaction id that the transport still holds would be refused, so each has a new one. */
int attempt_send(struct peer *peer, struct attempt *attempt, const struct exchange *exchange)
{
	struct engine *engine = peer->engine;
	const struct mad_class *class = class_on(peer->class, peer->address.route);
	int rc;

	if (!class)
		return -EINVAL;
	attempt->class = class->id;
	attempt->lid = peer->address.route == ENGINE_LID ? peer->address.lid : MAD_PERMISSIVE_LID;
	attempt->tid = attempt->tid % (1U << TRY_BITS) == LAST_TRY || !attempt->tid ? first_tid(engine)
	                                                                            : attempt->tid + 1;
	attempt->serial = ++engine->last_serial;
	if (!attempt->first_serial)
		attempt->first_serial = attempt->serial;
	attempt->sent = engine->now;
	/* the transport reports a time-out itself; the margin keeps the two from crossing */
	attempt->due = engine->now + attempt->timeout_ms + attempt->timeout_ms / 4;
	rc = send_packet(peer, attempt, exchange);
	if (is_refusal(rc))
		return rc;
	if (class->qp == 0)
		note_send(engine, rc);
	attempt->over = rc < 0;
	attempt->error = rc;
	attempt->tries += rc == 0 || class->qp == 1;
	if (rc < 0)
		return 0;
	peer->counters.sent++;
	exchange_counters(engine, peer->class->id)->sent++;
	if (attempt->is_spare && class->probes[0])
		note_unsolicited(peer);
	return 0;
}

/* ---- time ---- */

/* Answers that usually take longer than half of a try are late when the try ends. */
uint64_t attempt_late_at(const struct peer *peer, const struct attempt *attempt)
{
	unsigned usual = 2 * peer->latency_ms;

	if (attempt->over)
		return 0;
	if (usual < attempt->timeout_ms / 2)
		usual = attempt->timeout_ms / 2;
	return attempt->sent + (usual < attempt->timeout_ms ? usual : attempt->timeout_ms);
}

bool attempt_is_passed_over(const struct peer *peer, const struct attempt *attempt)
{
	return peer->heard >= attempt->serial;
}

bool attempt_port_fails(const struct peer *peer)
{
	return peer->class->qp == 0 && peer->engine->failure.error;
}

uint64_t attempt_next(const struct attempt *attempt)
{
	return attempt->sent + attempt->timeout_ms;
}

static void shift(struct attempt *attempt, uint64_t ms)
{
	attempt->sent += ms;
	attempt->due += ms;
}

void attempt_bear_stall(struct engine *engine, uint64_t now)
{
	uint64_t late = now > engine->due ? now - engine->due : 0;
	struct exchange *exchange;
	struct peer *peer;

	if (late < SMA_STALL_MS)
		return;
	TAILQ_FOREACH (exchange, &engine->begun, flight)
		shift(&exchange->attempt, late + SMA_GRACE_MS);
	TAILQ_FOREACH (peer, &engine->busy, busy)
		shift(&peer->doubt.probe, late + SMA_GRACE_MS);
}
