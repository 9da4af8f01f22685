// SPDX-License-Identifier: BSD-2-Clause
/* Whether a peer answers at all, and what its silence means. */
#include <errno.h>
#include <stdio.h>

#include "sma/log.h"
#include "sma/mad/exchange.h"

enum {
	PAUSE_MS = 500, /* after a lost probe, before the next */
	PROBES = 2,     /* that are lost in a row when the peer is silent */
	KEPT_MAX = 3,   /* times that a request keeps its tries: one always late must not be asked for ever */
	FIRST_HOLD_MS = 5 * 1000,
	LAST_HOLD_MS = 300 * 1000,
};

/* ---- silence ---- */

static const char *name_of(const struct peer *peer, char *name, size_t size)
{
	const struct engine_address *address = &peer->address;
	const char *agent = peer->class->agent;

	if (address->route == ENGINE_LID)
		snprintf(name, size, "%s at LID %u", agent, address->lid);
	else if (address->route == ENGINE_ROUTED)
		snprintf(name, size, "%s %u hops from port %u", agent, address->hops,
		         peer->engine->config.port);
	else
		snprintf(name, size, "%s of port %u", agent, peer->engine->config.port);
	return name;
}

/* An SMA whose M_Key forbids reading counts each request as a violation and raises a trap (IBA 14.2.4), so a
 * silent peer is asked less and less. */
static void fall_silent(struct peer *peer)
{
	struct doubt *doubt = &peer->doubt;
	uint64_t now = peer->engine->now;
	char name[64];

	if (now < doubt->silent_until)
		return;
	if (doubt->hold_ms == 0 && !peer->is_hushed)
		sma_log(SMA_LOG_WARNING, "sma",
		        "the %s does not answer: is the device gone, or an M_Key set? Asking again "
		        "every %d to %d s",
		        name_of(peer, name, sizeof(name)), FIRST_HOLD_MS / 1000, LAST_HOLD_MS / 1000);
	doubt->hold_ms = doubt->hold_ms ? doubt->hold_ms * 2 : FIRST_HOLD_MS;
	if (doubt->hold_ms > LAST_HOLD_MS)
		doubt->hold_ms = LAST_HOLD_MS;
	doubt->silent_until = now + doubt->hold_ms;
}

static void end_all(struct peer *peer)
{
	struct exchange *exchange;

	fall_silent(peer);
	while ((exchange = TAILQ_FIRST(&peer->begun)))
		exchange_end(exchange, -EHOSTDOWN);
	for (unsigned priority = 0; priority < ENGINE_PRIORITIES; priority++) {
		while ((exchange = TAILQ_FIRST(&peer->waiting[priority])))
			exchange_end(exchange, -EHOSTDOWN);
	}
}

void doubt_end(struct peer *peer)
{
	char name[64];

	if (peer->doubt.hold_ms && !peer->is_hushed)
		sma_log(SMA_LOG_NOTICE, "sma", "the %s answers again", name_of(peer, name, sizeof(name)));
	peer->doubt = (struct doubt){.probe = peer->doubt.probe};
}

bool doubt_allows(const struct peer *peer, uint64_t now)
{
	return now >= peer->doubt.silent_until;
}

/* ---- doubt ---- */

/* All that was sent is late, or something is not answered at all, and the peer has come to nothing later. */
static bool is_doubtful(const struct peer *peer)
{
	const struct exchange *exchange;
	bool passed_over = true;
	bool late = true;

	TAILQ_FOREACH (exchange, &peer->begun, link) {
		bool passed = attempt_is_passed_over(peer, &exchange->attempt);

		if (!passed && exchange->attempt.over)
			return true;
		passed_over = passed_over && passed;
		late = late && peer->engine->now >= attempt_late_at(peer, &exchange->attempt);
	}
	return late && !passed_over;
}

/* ---- the probe ---- */

static bool is_begun(const struct peer *peer, uint16_t attribute)
{
	const struct exchange *exchange;

	TAILQ_FOREACH (exchange, &peer->begun, link) {
		if (exchange->attempt.attribute == attribute)
			return true;
	}
	return false;
}

/* Every agent answers both; one that does not answer the one of them gets the other. */
static uint16_t probe_attribute(const struct peer *peer)
{
	const uint16_t *probes = peer->class->probes;
	bool other = is_begun(peer, probes[0]) && (!is_begun(peer, probes[1]) || peer->doubt.lost_probes % 2);

	return probes[other];
}

/* Whether a request is for a manager, or insists. */
static bool is_any_solicited(const struct peer *peer)
{
	const struct exchange *exchange;

	TAILQ_FOREACH (exchange, &peer->begun, link) {
		if (!exchange->attempt.is_spare)
			return true;
	}
	for (unsigned priority = 0; priority < ENGINE_PRIORITIES; priority++) {
		exchange = TAILQ_FIRST(&peer->waiting[priority]);
		if (exchange && !exchange->attempt.is_spare)
			return true;
	}
	return false;
}

static void keep(struct exchange *exchange)
{
	if (!exchange->attempt.tries || exchange->kept == KEPT_MAX)
		return;
	exchange->attempt.tries = 0;
	exchange->kept++;
}

void doubt_spare(struct peer *peer, uint64_t serial)
{
	struct exchange *exchange;

	if (!peer->class->probes[0])
		return;
	TAILQ_FOREACH (exchange, &peer->begun, link) {
		const struct attempt *attempt = &exchange->attempt;

		if (!attempt_is_passed_over(peer, attempt) && serial > attempt->serial &&
		    peer->engine->now > attempt_next(attempt))
			keep(exchange);
	}
}

/* What cannot be sent bothers no peer. */
static bool may_probe(const struct peer *peer)
{
	return attempt_port_fails(peer) || is_any_solicited(peer) || attempt_unsolicited_at(peer, 0) == 0;
}

/* Until when a probe takes a place among those that are on their way. */
static uint64_t probe_late_at(const struct attempt *probe)
{
	return probe->over ? 0 : probe->sent + probe->timeout_ms / 2;
}

static void count_probes(struct engine *engine)
{
	const struct peer *peer;

	engine->probes = 0;
	TAILQ_FOREACH (peer, &engine->busy, busy)
		engine->probes += peer->doubt.probing && engine->now < probe_late_at(&peer->doubt.probe);
}

static bool is_room(const struct engine *engine)
{
	return engine->probes < engine->config.window;
}

static void lose_probe(struct peer *peer)
{
	struct doubt *doubt = &peer->doubt;

	doubt->probing = false;
	doubt->pause_until = peer->engine->now + PAUSE_MS;
	if (++doubt->lost_probes >= PROBES)
		end_all(peer);
}

static void try_probe(struct peer *peer)
{
	struct attempt *probe = &peer->doubt.probe;

	probe->is_spare = !is_any_solicited(peer);
	if (attempt_send(peer, probe, NULL) < 0)
		lose_probe(peer);
	else if (!probe->over)
		peer->engine->probes++;
}

static void watch_probe(struct peer *peer)
{
	struct attempt *probe = &peer->doubt.probe;
	uint64_t now = peer->engine->now;

	probe->over = probe->over || now >= probe->due;
	if (!probe->over || now < attempt_next(probe))
		return;
	if (probe->tries >= peer->engine->config.tries || !may_probe(peer))
		lose_probe(peer);
	else if (is_room(peer->engine))
		try_probe(peer);
}

/* A peer that was found silent already is asked again when that is due, if only for our own sake. */
static void begin_probe(struct peer *peer)
{
	struct doubt *doubt = &peer->doubt;

	if (!exchange_any(peer) || peer->engine->now < doubt->pause_until || !is_room(peer->engine))
		return;
	if (may_probe(peer)) {
		doubt->probe = (struct attempt){.method = MAD_GET,
		                                .attribute = probe_attribute(peer),
		                                .timeout_ms = peer->engine->config.timeout_ms};
		doubt->probing = true;
		try_probe(peer);
	} else if (doubt->lost_probes < PROBES) {
		lose_probe(peer);
	}
}

/* That of a silent peer may be answered at any time; another one was overtaken by an answer. */
static void forget_probe(struct peer *peer)
{
	struct doubt *doubt = &peer->doubt;

	if (doubt->is || !doubt->probe.tid || peer->engine->now < doubt->probe.due)
		return;
	doubt->probe.tid = 0;
	exchange_list_peer(peer);
}

static void run(struct peer *peer)
{
	struct doubt *doubt = &peer->doubt;

	doubt->is = doubt->is || attempt_port_fails(peer) || is_doubtful(peer);
	if (doubt->probing)
		watch_probe(peer);
	else if (doubt->is)
		begin_probe(peer);
	forget_probe(peer);
}

/* No `done` is called meanwhile, so that no peer goes. */
void doubt_run(struct engine *engine)
{
	struct peer *peer;
	struct peer *next;

	count_probes(engine);
	for (peer = TAILQ_FIRST(&engine->busy); peer; peer = next) {
		next = TAILQ_NEXT(peer, busy);
		if (peer->class->probes[0])
			run(peer);
	}
}

static uint64_t probe_due(const struct peer *peer)
{
	const struct attempt *probe = &peer->doubt.probe;
	uint64_t now = peer->engine->now;

	if (now < probe_late_at(probe))
		return probe_late_at(probe);
	if (!probe->over)
		return probe->due;
	return now < attempt_next(probe) || is_room(peer->engine) ? attempt_next(probe) : UINT64_MAX;
}

uint64_t doubt_due(const struct peer *peer)
{
	const struct doubt *doubt = &peer->doubt;

	if (!exchange_any(peer))
		return UINT64_MAX;
	if (!doubt->is) /* the port failed when this one had been looked at */
		return attempt_port_fails(peer) ? peer->engine->now : UINT64_MAX;
	if (doubt->probing)
		return probe_due(peer);
	if (peer->engine->now < doubt->pause_until)
		return doubt->pause_until;
	if (!is_room(peer->engine))
		return UINT64_MAX;
	if (doubt->lost_probes < PROBES || may_probe(peer))
		return peer->engine->now;
	return attempt_unsolicited_at(peer, 0);
}
