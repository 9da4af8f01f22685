// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "tests/fakes/fake_transport.h"

enum { AT_METHOD = 3, AT_STATUS = 4 };

static int fake_send(struct transport *transport, const struct packet *packet, unsigned timeout_ms)
{
	struct fake_transport *fake = (struct fake_transport *)transport;
	struct fake_sent *sent = &fake->sent[fake->count % FAKE_TRANSPORT_KEPT];

	if (fake->result < 0)
		return fake->result;
	*sent = (struct fake_sent){.packet = *packet, .timeout_ms = timeout_ms};
	fake->count++;
	if (fake->on_send)
		fake->on_send(sent);
	return 0;
}

static int fake_listen(struct transport *transport, uint8_t class, uint8_t method, bool on)
{
	struct fake_transport *fake = (struct fake_transport *)transport;

	++*(on ? &fake->listened : &fake->stopped);
	if (on && fake->refusal)
		return fake->refusal;
	fake->class = on ? class : 0;
	fake->method = on ? method : 0;
	return 0;
}

static void fake_close(struct transport *transport)
{
	((struct fake_transport *)transport)->closed = true;
}

void fake_transport_attach(struct fake_transport *fake, struct engine *engine)
{
	static const struct transport_ops ops = {
		.send = fake_send, .listen = fake_listen, .close = fake_close};

	*fake = (struct fake_transport){.transport.ops = &ops, .box = engine_mailbox(engine)};
	engine_attach(engine, &fake->transport);
}

void fake_transport_clear(struct fake_transport *fake)
{
	memset(fake->sent, 0, sizeof(fake->sent));
	fake->count = 0;
}

const struct fake_sent *fake_transport_sent(const struct fake_transport *fake, unsigned i)
{
	return &fake->sent[i % FAKE_TRANSPORT_KEPT];
}

const struct fake_sent *fake_transport_last(const struct fake_transport *fake)
{
	return fake_transport_sent(fake, fake->count + FAKE_TRANSPORT_KEPT - 1);
}

struct mail fake_transport_answer(const struct fake_sent *sent, uint16_t status)
{
	struct mail mail = {
		.kind = MAIL_MAD, .slid = sent->packet.lid, .sl = sent->packet.sl, .size = MAD_SIZE};

	memcpy(mail.mad, sent->packet.mad, MAD_SIZE);
	mail.mad[AT_METHOD] = MAD_GET | MAD_RESPONSE; /* of a Get, and of a Set */
	wire_put16(mail.mad + AT_STATUS, status);
	return mail;
}

struct mail fake_transport_unanswered(const struct fake_sent *sent)
{
	struct mail mail = {.kind = MAIL_MAD, .status = ETIMEDOUT, .size = MAD_HEADER_SIZE};

	memcpy(mail.mad, sent->packet.mad, MAD_HEADER_SIZE);
	return mail;
}

void fake_transport_post(struct fake_transport *fake, const struct mail *mail)
{
	mailbox_put(fake->box, mail);
}
