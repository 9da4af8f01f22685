// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/clock.h"
#include "sma/mad/exchange.h"

enum { LOST_MS = 10 * 1000 }; /* a port that cannot be read, or takes nothing, for so long is lost */

/* ---- life ---- */

struct engine *engine_open(const struct engine_config *config)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return NULL;
	engine->config = *config;
	engine->due = UINT64_MAX;
	engine->mailbox = mailbox_new();
	if (!engine->mailbox) {
		free(engine);
		return NULL;
	}
	TAILQ_INIT(&engine->busy);
	for (unsigned p = 0; p < ENGINE_PRIORITIES; p++)
		TAILQ_INIT(&engine->rings[p]);
	TAILQ_INIT(&engine->begun);
	TAILQ_INIT(&engine->ended);
	return engine;
}

void engine_close(struct engine *engine)
{
	if (!engine)
		return;
	if (engine->transport)
		engine->transport->ops->close(engine->transport);
	mailbox_free(engine->mailbox);
	free(engine);
}

void engine_attach(struct engine *engine, struct transport *transport)
{
	engine->transport = transport;
}

struct mailbox *engine_mailbox(struct engine *engine)
{
	return engine->mailbox;
}

void engine_configure(struct engine *engine, const struct engine_config *config)
{
	engine->config = *config;
}

int engine_fd(const struct engine *engine)
{
	return mailbox_fd(engine->mailbox);
}

uint64_t engine_now(const struct engine *engine)
{
	return engine->now;
}

/* ---- counters ---- */

struct engine_counters *engine_counters(struct engine *engine, uint8_t class)
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

void engine_count(const struct engine *engine, uint8_t class, struct engine_counters *counters)
{
	*counters = *engine_counters((struct engine *)engine, class);
}

uint64_t engine_strange(const struct engine *engine)
{
	return engine->strange;
}

/* ---- whether the port works ---- */

int engine_lost(const struct engine *engine)
{
	if (engine->broken && engine->now - engine->broken_since >= LOST_MS)
		return engine->broken;
	return engine->failure.last - engine->failure.since >= LOST_MS ? engine->failure.error : 0;
}

static uint64_t lost_due(const struct engine *engine)
{
	uint64_t lost_at = engine->broken_since + LOST_MS;

	return engine->broken && engine->now < lost_at ? lost_at : UINT64_MAX;
}

/* ---- rounds ---- */

static struct exchange *find_ended(const struct engine *engine, const struct peer *peer)
{
	struct exchange *exchange;

	TAILQ_FOREACH (exchange, &engine->ended, link) {
		if (!peer || exchange->peer == peer)
			return exchange;
	}
	return NULL;
}

void engine_call_ended(struct engine *engine, const struct peer *peer)
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

static uint64_t set_due(struct engine *engine)
{
	engine->due = sma_earlier(round_due(engine), lost_due(engine));
	if (!TAILQ_EMPTY(&engine->ended))
		engine->due = engine->now;
	return engine->due;
}

uint64_t engine_process(struct engine *engine, uint64_t now)
{
	if (now > engine->now)
		engine->now = now;
	receive_mail(engine);
	attempt_bear_stall(engine, engine->now);
	round_end_tries(engine);
	engine_call_ended(engine, NULL);
	round_begin_waiting(engine);
	doubt_run(engine);
	engine_call_ended(engine, NULL);
	return set_due(engine);
}

uint64_t engine_begin(struct engine *engine)
{
	round_begin_waiting(engine);
	return set_due(engine);
}

/* ---- sending what answers nothing of ours ---- */

int engine_send(struct engine *engine, const struct packet *packet, unsigned timeout_ms)
{
	return engine->transport ? engine->transport->ops->send(engine->transport, packet, timeout_ms)
	                         : -ENODEV;
}

int engine_reply(struct engine *engine, const struct engine_received *received, uint8_t method)
{
	struct packet packet = {.lid = received->slid, .sl = received->sl};

	memcpy(packet.mad, received->mad, MAD_SIZE);
	mad_set_method(packet.mad, method);
	return engine_send(engine, &packet, 0);
}
