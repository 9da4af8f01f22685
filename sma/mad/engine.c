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

void engine_count(const struct engine *engine, uint8_t class, struct engine_counters *counters)
{
	*counters = *exchange_counters((struct engine *)engine, class);
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
	exchange_call_ended(engine, NULL);
	round_begin_waiting(engine);
	doubt_run(engine);
	exchange_call_ended(engine, NULL);
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
	return exchange_transmit(engine, packet, timeout_ms);
}

int engine_reply(struct engine *engine, const struct engine_received *received, uint8_t method)
{
	struct packet packet = {.lid = received->slid, .sl = received->sl};

	memcpy(packet.mad, received->mad, MAD_SIZE);
	mad_set_method(packet.mad, method);
	return engine_send(engine, &packet, 0);
}
