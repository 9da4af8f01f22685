// SPDX-License-Identifier: BSD-2-Clause
/* The requests of all peers in one round of the engine: which are given up, repeated and begun. */
#include <errno.h>

#include "sma/clock.h"
#include "sma/mad/exchange.h"

enum {
	BEGUN_PER_PLACE = 8, /* requests of which all but one are late, for each place that a peer may have */
	SECOND_MS = 1000,
};

/* ---- places in the window ---- */

/* Whether a try counts in the window: it may be answered yet, for all that is known. */
static bool holds_place(const struct exchange *exchange)
{
	const struct peer *peer = exchange->peer;
	const struct attempt *attempt = &exchange->attempt;

	if (peer->engine->now < attempt_late_at(peer, attempt))
		return true;
	return !peer->doubt.is && !attempt_is_passed_over(peer, attempt) &&
	       (peer->class->probes[0] || !attempt->over);
}

static void count_places(struct engine *engine)
{
	struct exchange *exchange;
	struct peer *peer;

	engine->places = 0;
	TAILQ_FOREACH (peer, &engine->busy, busy)
		peer->quota->places = 0;
	TAILQ_FOREACH (exchange, &engine->begun, flight) {
		bool holds = holds_place(exchange);

		engine->places += holds;
		exchange->peer->quota->places += holds;
	}
}

static bool has_room(const struct peer *peer)
{
	const struct engine *engine = peer->engine;

	return !attempt_port_fails(peer) && !peer->doubt.is && engine->places < engine->config.window &&
	       peer->quota->places < peer->quota->limit;
}

/* Half of what a peer may be sent unsolicited is left for probes. */
static bool may_send(const struct exchange *exchange)
{
	const struct peer *peer = exchange->peer;

	return !exchange->attempt.is_spare || attempt_unsolicited_at(peer, PEER_UNSOLICITED_MAX / 2) == 0;
}

static void send_try(struct exchange *exchange)
{
	struct peer *peer = exchange->peer;
	int rc = attempt_send(peer, &exchange->attempt, exchange);

	if (rc < 0) {
		exchange_end(exchange, rc);
		return;
	}
	peer->engine->places++;
	peer->quota->places++;
}

/* ---- ending ---- */

/* Without probes nothing is known of a peer that answers nothing. */
static bool had_its_chance(const struct exchange *exchange)
{
	return exchange->attempt.over && (!exchange->peer->class->probes[0] ||
	                                  attempt_is_passed_over(exchange->peer, &exchange->attempt));
}

static bool has_ended(const struct exchange *exchange)
{
	return had_its_chance(exchange) && exchange->attempt.tries >= exchange->tries;
}

static bool may_try_again(const struct exchange *exchange)
{
	const struct peer *peer = exchange->peer;

	return had_its_chance(exchange) && peer->engine->now >= attempt_next(&exchange->attempt) &&
	       has_room(peer) && may_send(exchange);
}

void round_end_tries(struct engine *engine)
{
	struct exchange *exchange;
	struct exchange *next;

	TAILQ_FOREACH (exchange, &engine->begun, flight)
		exchange->attempt.over = exchange->attempt.over || engine->now >= exchange->attempt.due;
	count_places(engine); /* what is over leaves its place to its next try first */
	for (exchange = TAILQ_FIRST(&engine->begun); exchange; exchange = next) {
		next = TAILQ_NEXT(exchange, flight);
		if (has_ended(exchange))
			exchange_end(exchange,
			             exchange->attempt.error ? exchange->attempt.error : -ETIMEDOUT);
		else if (may_try_again(exchange))
			send_try(exchange);
	}
}

/* ---- beginning ---- */

static bool may_begin(const struct peer *peer, enum engine_priority priority)
{
	return has_room(peer) && peer->begun_count < BEGUN_PER_PLACE * peer->quota->limit &&
	       may_send(TAILQ_FIRST(&peer->waiting[priority]));
}

static bool is_rate_left(const struct engine *engine, enum engine_priority priority)
{
	return priority != ENGINE_BACKGROUND || engine->now >= engine->background_at;
}

/* Peers take turns, one request each. */
static void begin_next(struct peer *peer, enum engine_priority priority)
{
	struct engine *engine = peer->engine;
	struct exchange *exchange = TAILQ_FIRST(&peer->waiting[priority]);

	TAILQ_REMOVE(&engine->rings[priority], peer, ring[priority]);
	TAILQ_INSERT_TAIL(&engine->rings[priority], peer, ring[priority]);
	exchange_begin(exchange);
	if (priority == ENGINE_BACKGROUND && engine->config.background)
		engine->background_at = engine->now + SECOND_MS / engine->config.background;
	send_try(exchange);
}

/* Whether any of the peers in a ring could begin a request. */
static bool begin_one(struct engine *engine, enum engine_priority priority)
{
	struct peer *peer;

	TAILQ_FOREACH (peer, &engine->rings[priority], ring[priority]) {
		if (engine->places >= engine->config.window || !is_rate_left(engine, priority))
			return false;
		if (may_begin(peer, priority)) {
			begin_next(peer, priority);
			return true;
		}
	}
	return false;
}

void round_begin_waiting(struct engine *engine)
{
	count_places(engine);
	for (unsigned priority = 0; priority < ENGINE_PRIORITIES; priority++) {
		while (begin_one(engine, priority))
			continue;
	}
}

/* ---- time ---- */

/* What a request that must not be tried now waits for happens at another time. */
static uint64_t due_of(const struct exchange *exchange)
{
	const struct attempt *attempt = &exchange->attempt;
	uint64_t now = exchange->peer->engine->now;
	uint64_t late = attempt_late_at(exchange->peer, attempt);

	if (has_ended(exchange) || may_try_again(exchange))
		return now;
	if (now < late)
		return late;
	if (!attempt->over)
		return attempt->due;
	return now < attempt_next(attempt) ? attempt_next(attempt) : UINT64_MAX;
}

/* When requests that no manager waits for may be sent again. */
static uint64_t unsolicited_due(const struct peer *peer)
{
	uint64_t at = attempt_unsolicited_at(peer, PEER_UNSOLICITED_MAX / 2);

	return at && !peer->doubt.is && exchange_any(peer) ? at : UINT64_MAX;
}

uint64_t round_due(struct engine *engine)
{
	const struct exchange *exchange;
	const struct peer *peer;
	uint64_t due = UINT64_MAX;

	count_places(engine); /* doubts and ends may have freed some */
	TAILQ_FOREACH (exchange, &engine->begun, flight)
		due = sma_earlier(due, due_of(exchange));
	TAILQ_FOREACH (peer, &engine->busy, busy)
		due = sma_earlier(due, sma_earlier(doubt_due(peer), unsolicited_due(peer)));
	for (unsigned priority = 0; priority < ENGINE_PRIORITIES; priority++) {
		TAILQ_FOREACH (peer, &engine->rings[priority], ring[priority]) {
			if (may_begin(peer, priority))
				due = sma_earlier(due, is_rate_left(engine, priority)
				                               ? engine->now
				                               : engine->background_at);
		}
	}
	return due;
}
