// SPDX-License-Identifier: BSD-2-Clause
/* Peers: the requests of each, from their submission to their end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/mad/exchange.h"

/* ---- where a peer and its requests are ---- */

bool peer_has_requests(const struct peer *peer)
{
	return !TAILQ_EMPTY(&peer->begun) || !TAILQ_EMPTY(&peer->waiting[ENGINE_MANAGER]) ||
	       !TAILQ_EMPTY(&peer->waiting[ENGINE_BACKGROUND]);
}

void peer_update(struct peer *peer)
{
	struct engine *engine = peer->engine;
	bool busy = peer_has_requests(peer) || peer->doubt.probe.tid;

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

void peer_begin(struct exchange *exchange)
{
	struct peer *peer = exchange->peer;

	take_out(exchange);
	exchange->place = EXCHANGE_BEGUN;
	TAILQ_INSERT_TAIL(&peer->begun, exchange, link);
	TAILQ_INSERT_TAIL(&peer->engine->begun, exchange, flight);
	peer->begun_count++;
	peer_update(peer);
}

void peer_end(struct exchange *exchange, int error)
{
	struct peer *peer = exchange->peer;

	take_out(exchange);
	exchange->place = EXCHANGE_ENDED;
	exchange->error = error;
	TAILQ_INSERT_TAIL(&peer->engine->ended, exchange, link);
	if (error && error != -ECANCELED) {
		peer->counters.timed_out++;
		engine_counters(peer->engine, peer->class->id)->timed_out++;
	}
	peer_update(peer);
}

/* ---- requests ---- */

static struct exchange *new_exchange(struct peer *peer, const struct engine_request *request)
{
	const struct engine_config *config = &peer->engine->config;
	size_t size = request->data ? request->size : 0;
	struct exchange *exchange = calloc(1, sizeof(*exchange) + size);

	if (!exchange)
		return NULL;
	*exchange = (struct exchange){
		.peer = peer,
		.tries = request->tries ? request->tries : config->tries,
		.done = request->done,
		.arg = request->arg,
		.size = size,
		.attempt = {.timeout_ms = request->timeout_ms ? request->timeout_ms : config->timeout_ms,
	                    .priority = request->priority,
	                    .keyless = request->keyless,
	                    .method = request->method,
	                    .attribute = request->attribute,
	                    .modifier = request->modifier},
	};
	if (size)
		memcpy(exchange->data, request->data, size);
	return exchange;
}

static int check_request(const struct peer *peer, const struct engine_request *request)
{
	if ((peer->class->id != MAD_CLASS_SM && peer->address.route != ENGINE_LID) ||
	    (request->data && request->size > peer->class->data_size) || request->tries > ENGINE_TRIES)
		return -EINVAL;
	return peer->closing ? -ECANCELED : 0;
}

int peer_submit(struct peer *peer, const struct engine_request *request, uint64_t now,
                struct exchange **exchange_out)
{
	struct exchange *exchange;
	int rc = check_request(peer, request);

	if (rc < 0)
		return rc;
	if (!doubt_allows(peer, now))
		return -EHOSTDOWN;
	exchange = new_exchange(peer, request);
	if (!exchange)
		return -ENOMEM;
	TAILQ_INSERT_TAIL(&peer->waiting[request->priority], exchange, link);
	peer_update(peer);
	if (exchange_out)
		*exchange_out = exchange;
	return 0;
}

int peer_send(struct peer *peer, const struct engine_request *request)
{
	struct exchange *exchange;
	int rc = check_request(peer, request);

	if (rc < 0)
		return rc;
	exchange = new_exchange(peer, request);
	if (!exchange)
		return -ENOMEM;
	exchange->attempt.timeout_ms = 0;
	rc = attempt_send(peer, &exchange->attempt, exchange);
	if (rc == 0)
		rc = exchange->attempt.error;
	free(exchange);
	return rc;
}

void peer_promote(struct exchange *exchange)
{
	struct peer *peer = exchange->peer;

	if (exchange->attempt.priority == ENGINE_MANAGER)
		return;
	if (exchange->place == EXCHANGE_WAITING) {
		TAILQ_REMOVE(&peer->waiting[ENGINE_BACKGROUND], exchange, link);
		TAILQ_INSERT_TAIL(&peer->waiting[ENGINE_MANAGER], exchange, link);
	}
	exchange->attempt.priority = ENGINE_MANAGER;
	peer_update(peer);
}

/* ---- state ---- */

enum peer_state peer_state(const struct peer *peer)
{
	if (peer->doubt.hold_ms)
		return PEER_SILENT;
	return peer->answered ? PEER_ANSWERING : PEER_UNKNOWN;
}

uint64_t peer_silent_until(const struct peer *peer)
{
	return peer->doubt.silent_until;
}

void peer_count(const struct peer *peer, struct engine_counters *counters)
{
	*counters = peer->counters;
}

/* ---- life ---- */

struct peer *peer_open(struct engine *engine, uint8_t class, const struct engine_address *address,
                       unsigned limit)
{
	struct peer *peer = calloc(1, sizeof(*peer));

	if (!peer)
		return NULL;
	peer->engine = engine;
	peer->class = mad_class_find(class);
	peer->address = *address;
	peer->limit = limit;
	TAILQ_INIT(&peer->begun);
	for (unsigned p = 0; p < ENGINE_PRIORITIES; p++)
		TAILQ_INIT(&peer->waiting[p]);
	return peer;
}

static void cancel(struct exchange_list *list)
{
	struct exchange *exchange;

	while ((exchange = TAILQ_FIRST(list)))
		peer_end(exchange, -ECANCELED);
}

void peer_close(struct peer *peer)
{
	if (!peer)
		return;
	peer->closing = true;
	cancel(&peer->begun);
	for (unsigned p = 0; p < ENGINE_PRIORITIES; p++)
		cancel(&peer->waiting[p]);
	engine_call_ended(peer->engine, peer);
	peer->doubt.probe.tid = 0;
	peer_update(peer);
	free(peer);
}

void peer_move(struct peer *peer, const struct engine_address *address)
{
	if (memcmp(&peer->address, address, sizeof(*address)) != 0)
		peer->doubt.silent_until = 0;
	peer->address = *address;
}

const struct engine_address *peer_address(const struct peer *peer)
{
	return &peer->address;
}

void peer_set_key(struct peer *peer, uint64_t key)
{
	if (peer->key != key)
		peer->doubt.silent_until = 0;
	peer->key = key;
}
