// SPDX-License-Identifier: BSD-2-Clause
/* What came: answers, what nobody asked for, and whether the port can be read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/log.h"
#include "sma/mad/exchange.h"

enum { LATENCY_WEIGHT = 16 }; /* with which an answer that came sooner counts against those before */

/* ---- answers ---- */

/* The method of the answer to a request (IBA 13.4.5): a Set is answered as a Get. */
static uint8_t answer_method(uint8_t method)
{
	return method == MAD_SET ? MAD_GET : method;
}

/* An answer may be to an earlier try of the same request; what the transport reports is about the last. */
static bool is_answer(const struct attempt *attempt, const struct mad_head *head, const struct mail *mail)
{
	uint32_t tid = (uint32_t)head->tid;

	if (!attempt->tid || attempt->attribute != head->attribute || attempt->modifier != head->modifier)
		return false;
	if (mail->status)
		return attempt->tid == tid && attempt->class == head->class &&
		       attempt->method == head->method && !head->response;
	return (attempt->tid ^ tid) <= UINT8_MAX && tid <= attempt->tid && attempt->class == head->class &&
	       head->response && head->method == answer_method(attempt->method) &&
	       (attempt->class == MAD_CLASS_SM_DIRECTED || mail->slid == attempt->lid);
}

static struct exchange *find_exchange(const struct engine *engine, const struct mad_head *head,
                                      const struct mail *mail)
{
	struct exchange *exchange;

	TAILQ_FOREACH (exchange, &engine->begun, flight) {
		if (is_answer(&exchange->attempt, head, mail))
			return exchange;
	}
	return NULL;
}

static struct peer *find_probe(const struct engine *engine, const struct mad_head *head,
                               const struct mail *mail)
{
	struct peer *peer;

	TAILQ_FOREACH (peer, &engine->busy, busy) {
		if (peer->doubt.probe.tid && is_answer(&peer->doubt.probe, head, mail))
			return peer;
	}
	return NULL;
}

static void note_latency(struct peer *peer, const struct attempt *attempt)
{
	uint64_t now = peer->engine->now;
	unsigned took = now > attempt->sent ? (unsigned)(now - attempt->sent) : 0;

	if (took >= peer->latency_ms)
		peer->latency_ms = took;
	else
		peer->latency_ms -= (peer->latency_ms - took + LATENCY_WEIGHT - 1) / LATENCY_WEIGHT;
}

/* Of an earlier try than the last is known that it was the first or a later one. */
static void note_answer(struct peer *peer, const struct attempt *attempt, uint32_t tid)
{
	uint64_t serial = attempt->tid == tid ? attempt->serial : attempt->first_serial;

	if (attempt->tid == tid)
		note_latency(peer, attempt);
	if (serial > peer->heard) {
		doubt_spare(peer, serial);
		peer->heard = serial;
	}
	peer->answered = true;
	memset(peer->unsolicited, 0, sizeof(peer->unsolicited));
	doubt_end(peer);
}

static size_t received_size(const struct mad_class *class, const struct mail *mail)
{
	size_t size = mail->size > class->data_at ? (size_t)(mail->size - class->data_at) : 0;

	return size < class->data_size ? size : class->data_size;
}

/* The exchange is gone afterwards, and perhaps its peer. */
static void answer(struct exchange *exchange, const struct mad_head *head, const struct mail *mail)
{
	struct peer *peer = exchange->peer;
	const struct mad_class *class = mad_class_find(head->class);
	struct engine_counters *counters = exchange_counters(peer->engine, class->id);
	const struct engine_result result = {
		.status = head->status,
		.data = mail->mad + class->data_at,
		.size = received_size(class, mail),
	};
	engine_done *done = exchange->done;
	void *arg = exchange->arg;

	exchange_end(exchange, 0);
	TAILQ_REMOVE(&peer->engine->ended, exchange, link);
	free(exchange);
	++*(head->status ? &counters->refused : &counters->answered);
	++*(head->status ? &peer->counters.refused : &peer->counters.answered);
	done(arg, &result);
}

/* With probes a request whose last try finds the agent busy ends when it is passed over. */
static bool is_tried_again(const struct exchange *exchange)
{
	if (exchange->busy_ends)
		return false;
	return exchange->peer->class->probes[0] || exchange->attempt.tries < exchange->tries;
}

static void take_answer(struct exchange *exchange, const struct mad_head *head, const struct mail *mail)
{
	struct attempt *attempt = &exchange->attempt;

	sma_log(SMA_LOG_DEBUG, "smp", "port %u tid 0x%x came back: umad status %d, status 0x%04x (%s)",
	        exchange->peer->engine->config.port, (uint32_t)head->tid, mail->status, head->status,
	        mad_status_text(head->status));
	if (mail->status) {
		attempt->over = true;
		return;
	}
	note_answer(exchange->peer, attempt, (uint32_t)head->tid);
	if (head->status == MAD_STATUS_BUSY && is_tried_again(exchange))
		attempt->over = true;
	else
		answer(exchange, head, mail);
}

static void take_probe(struct peer *peer, const struct mad_head *head, const struct mail *mail)
{
	struct attempt *probe = &peer->doubt.probe;

	if (mail->status) {
		probe->over = true;
		return;
	}
	note_answer(peer, probe, (uint32_t)head->tid);
	probe->tid = 0;
	exchange_list_peer(peer);
}

/* ---- what comes unasked ---- */

static struct listener *find_listener(struct engine *engine, uint8_t class, uint8_t method)
{
	for (unsigned i = 0; i < ENGINE_LISTENERS; i++) {
		struct listener *listener = &engine->listeners[i];

		if (listener->heard && listener->class == class && listener->method == method)
			return listener;
	}
	return NULL;
}

/* A TrapRepress has no R bit, and comes without being asked for like the others. */
static bool give_unasked(struct engine *engine, const struct mad_head *head, const struct mail *mail)
{
	const struct listener *listener =
		head->response || mail->status ? NULL : find_listener(engine, head->class, head->method);
	const struct engine_received received = {
		.head = *head, .slid = mail->slid, .sl = mail->sl, .size = mail->size, .mad = mail->mad};

	if (listener)
		listener->heard(listener->arg, &received);
	return listener;
}

int engine_listen(struct engine *engine, uint8_t class, uint8_t method, engine_heard *heard, void *arg)
{
	struct listener *listener = find_listener(engine, class, method);
	struct transport *transport = engine->transport;
	int rc;

	if (!heard && !listener)
		return 0;
	if (heard && listener)
		return -EBUSY;
	for (unsigned i = 0; !listener && i < ENGINE_LISTENERS; i++) {
		if (!engine->listeners[i].heard)
			listener = &engine->listeners[i];
	}
	if (!listener)
		return -ENOSPC;
	rc = transport && transport->ops->listen ? transport->ops->listen(transport, class, method, heard)
	                                         : -ENOTSUP;
	if (rc < 0 && heard)
		return rc;
	*listener = (struct listener){.class = class, .method = method, .heard = heard, .arg = arg};
	return 0;
}

/* ---- mail ---- */

static void take_mad(struct engine *engine, const struct mail *mail)
{
	struct exchange *exchange = NULL;
	struct peer *prober = NULL;
	struct mad_head head;
	int rc = mad_read_head(mail->mad, mail->size, &head);

	if (rc == 0)
		exchange = find_exchange(engine, &head, mail);
	if (rc == 0 && !exchange)
		prober = find_probe(engine, &head, mail);
	if (exchange) {
		take_answer(exchange, &head, mail);
	} else if (prober) {
		take_probe(prober, &head, mail);
	} else if (rc < 0 || !give_unasked(engine, &head, mail)) {
		engine->strange++;
		sma_log(SMA_LOG_DEBUG, "smp", "port %u: a MAD that answers nothing was dropped",
		        engine->config.port);
	}
}

static void take_state(struct engine *engine, const struct mail *mail)
{
	if (!engine->broken)
		engine->broken_since = engine->now;
	engine->broken = mail->kind == MAIL_BROKEN ? mail->status : 0;
	if (mail->kind == MAIL_BROKEN)
		sma_log(SMA_LOG_ERROR, "sma", "QP0 of port %u cannot be read: %s; trying again every second",
		        engine->config.port, strerror(mail->status));
	else
		sma_log(SMA_LOG_NOTICE, "sma", "QP0 of port %u can be read again", engine->config.port);
}

/* What came until now: while more comes all the time, the loop is to go on, too. */
void receive_mail(struct engine *engine)
{
	struct mail mail;
	unsigned dropped;

	for (unsigned i = 0; i <= MAILBOX_CAPACITY && mailbox_take(engine->mailbox, &mail); i++) {
		if (mail.kind == MAIL_MAD)
			take_mad(engine, &mail);
		else
			take_state(engine, &mail);
	}
	dropped = mailbox_dropped(engine->mailbox);
	if (dropped)
		sma_log(SMA_LOG_WARNING, "sma",
		        "%u received MADs were dropped: they came faster than they were read", dropped);
}
