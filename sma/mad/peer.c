// SPDX-License-Identifier: BSD-2-Clause
/* Peers: what is submitted to them, and their state. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/mad/exchange.h"

/* ---- requests ---- */

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
	exchange = exchange_new(peer, request);
	if (!exchange)
		return -ENOMEM;
	TAILQ_INSERT_TAIL(&peer->waiting[request->priority], exchange, link);
	exchange_list_peer(peer);
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
	exchange = exchange_new(peer, request);
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
		TAILQ_REMOVE(&peer->waiting[exchange->attempt.priority], exchange, link);
		TAILQ_INSERT_TAIL(&peer->waiting[ENGINE_MANAGER], exchange, link);
	}
	exchange->attempt.priority = ENGINE_MANAGER;
	exchange->attempt.is_spare = false;
	exchange_list_peer(peer);
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

	if (peer)
		peer->quota = calloc(1, sizeof(*peer->quota));
	if (!peer || !peer->quota) {
		free(peer);
		return NULL;
	}
	peer->quota->peers = 1;
	peer->engine = engine;
	peer->class = mad_class_find(class);
	peer->address = *address;
	peer->quota->limit = limit;
	TAILQ_INIT(&peer->begun);
	for (unsigned p = 0; p < ENGINE_PRIORITIES; p++)
		TAILQ_INIT(&peer->waiting[p]);
	return peer;
}

static void leave_quota(const struct peer *peer)
{
	if (--peer->quota->peers == 0)
		free(peer->quota);
}

void peer_hush(struct peer *peer)
{
	peer->is_hushed = true;
}

void peer_share(struct peer *peer, struct peer *with)
{
	if (peer->quota == with->quota)
		return;
	leave_quota(peer);
	peer->quota = with->quota;
	peer->quota->peers++;
}

static void cancel(struct exchange_list *list)
{
	struct exchange *exchange;

	while ((exchange = TAILQ_FIRST(list)))
		exchange_end(exchange, -ECANCELED);
}

void peer_close(struct peer *peer)
{
	if (!peer)
		return;
	peer->closing = true;
	cancel(&peer->begun);
	for (unsigned p = 0; p < ENGINE_PRIORITIES; p++)
		cancel(&peer->waiting[p]);
	exchange_call_ended(peer->engine, peer);
	peer->doubt.probe.tid = 0;
	exchange_list_peer(peer);
	leave_quota(peer);
	free(peer);
}

bool engine_address_is_same(const struct engine_address *a, const struct engine_address *b)
{
	if (a->route != b->route)
		return false;
	if (a->route == ENGINE_ROUTED)
		return a->hops == b->hops && memcmp(a->path + 1, b->path + 1, a->hops) == 0;
	return a->lid == b->lid && a->sl == b->sl;
}

void peer_move(struct peer *peer, const struct engine_address *address)
{
	if (!engine_address_is_same(&peer->address, address))
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
