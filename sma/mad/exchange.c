// SPDX-License-Identifier: BSD-2-Clause
/* Requests on their way: the lists they are in, from their submission to their end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/mad/exchange.h"

struct engine_counters *exchange_counters(struct engine *engine, uint8_t class)
{
	static const uint8_t places[ENGINE_CLASSES] = {MAD_CLASS_SM, MAD_CLASS_SA, MAD_CLASS_PERF,
	                                               MAD_CLASS_DEVICE};
	unsigned place = 0; /* of subnet management, also with directed routes */

	for (unsigned i = 0; i < ENGINE_CLASSES; i++) {
		if (places[i] == class)
			place = i;
	}
	return &engine->counters[place];
}

struct exchange *exchange_new(struct peer *peer, const struct engine_request *request)
{
	const struct engine_config *config = &peer->engine->config;
	size_t size = request->data ? request->size : 0;
	struct exchange *exchange = calloc(1, sizeof(*exchange) + size);

	if (!exchange)
		return NULL;
	*exchange = (struct exchange){
		.peer = peer,
		.tries = request->tries ? request->tries : config->tries,
		.busy_ends = request->busy_ends,
		.done = request->done,
		.arg = request->arg,
		.size = size,
		.attempt = {.timeout_ms = request->timeout_ms ? request->timeout_ms : config->timeout_ms,
	                    .priority = request->priority,
	                    .keyless = request->keyless,
	                    .is_spare = request->priority != ENGINE_MANAGER && !request->insists,
	                    .method = request->method,
	                    .attribute = request->attribute,
	                    .modifier = request->modifier},
	};
	if (size)
		memcpy(exchange->data, request->data, size);
	return exchange;
}

/* ---- where a peer and its requests are ---- */

bool exchange_any(const struct peer *peer)
{
	bool any = !TAILQ_EMPTY(&peer->begun);

	for (unsigned p = 0; p < ENGINE_PRIORITIES; p++)
		any = any || !TAILQ_EMPTY(&peer->waiting[p]);
	return any;
}

void exchange_list_peer(struct peer *peer)
{
	struct engine *engine = peer->engine;
	bool busy = exchange_any(peer) || peer->doubt.probe.tid;

	for (unsigned p = 0; p < ENGINE_PRIORITIES; p++) {
		bool waits = !TAILQ_EMPTY(&peer->waiting[p]);

		if (waits && !peer->in_ring[p])
			TAILQ_INSERT_TAIL(&engine->rings[p], peer, ring[p]);
		if (!waits && peer->in_ring[p])
			TAILQ_REMOVE(&engine->rings[p], peer, ring[p]);
		peer->in_ring[p] = waits;
	}
	if (busy && !peer->is_busy)
		TAILQ_INSERT_TAIL(&engine->busy, peer, busy);
	if (!busy && peer->is_busy)
		TAILQ_REMOVE(&engine->busy, peer, busy);
	peer->is_busy = busy;
}

/* Out of the lists it is in. */
static void take_out(struct exchange *exchange)
{
	struct peer *peer = exchange->peer;

	if (exchange->place == EXCHANGE_WAITING) {
		TAILQ_REMOVE(&peer->waiting[exchange->attempt.priority], exchange, link);
	} else if (exchange->place == EXCHANGE_BEGUN) {
		TAILQ_REMOVE(&peer->begun, exchange, link);
		TAILQ_REMOVE(&peer->engine->begun, exchange, flight);
		peer->begun_count--;
	}
}

void exchange_begin(struct exchange *exchange)
{
	struct peer *peer = exchange->peer;

	take_out(exchange);
	exchange->place = EXCHANGE_BEGUN;
	TAILQ_INSERT_TAIL(&peer->begun, exchange, link);
	TAILQ_INSERT_TAIL(&peer->engine->begun, exchange, flight);
	peer->begun_count++;
	exchange_list_peer(peer);
}

void exchange_end(struct exchange *exchange, int error)
{
	struct peer *peer = exchange->peer;

	take_out(exchange);
	exchange->place = EXCHANGE_ENDED;
	exchange->error = error;
	TAILQ_INSERT_TAIL(&peer->engine->ended, exchange, link);
	if (error && error != -ECANCELED) {
		peer->counters.timed_out++;
		exchange_counters(peer->engine, peer->class->id)->timed_out++;
	}
	exchange_list_peer(peer);
}

/* ---- what has ended ---- */

static struct exchange *find_ended(const struct engine *engine, const struct peer *peer)
{
	struct exchange *exchange;

	/* NOLINTBEGIN(clang-analyzer-unix.Malloc): what was freed is not in the list any more */
	TAILQ_FOREACH (exchange, &engine->ended, link) {
		if (!peer || exchange->peer == peer)
			return exchange;
	}
	/* NOLINTEND(clang-analyzer-unix.Malloc) */
	return NULL;
}

void exchange_call_ended(struct engine *engine, const struct peer *peer)
{
	struct exchange *exchange;

	while ((exchange = find_ended(engine, peer))) {
		const struct engine_result result = {.error = exchange->error};
		engine_done *done = exchange->done;
		void *arg = exchange->arg;

		TAILQ_REMOVE(&engine->ended, exchange, link);
		free(exchange);
		done(arg, &result);
	}
}

/* ---- the way out ---- */

int exchange_transmit(struct engine *engine, const struct packet *packet, unsigned timeout_ms)
{
	return engine->transport ? engine->transport->ops->send(engine->transport, packet, timeout_ms)
	                         : -ENODEV;
}
