/* SPDX-License-Identifier: BSD-2-Clause */
/* A transport of sma/mad/transport.h in memory, which keeps what is sent; a test answers it, or not. */
#ifndef TESTS_FAKES_FAKE_TRANSPORT_H
#define TESTS_FAKES_FAKE_TRANSPORT_H

#include "sma/mad/engine.h"
#include "sma/mad/mailbox.h"

enum { FAKE_TRANSPORT_KEPT = 64 /* MADs that are remembered */ };

struct fake_sent {
	struct packet packet;
	unsigned timeout_ms;
};

struct fake_transport {
	struct transport transport;
	struct mailbox *box;
	unsigned count;                             /* MADs sent */
	struct fake_sent sent[FAKE_TRANSPORT_KEPT]; /* the n-th at n % FAKE_TRANSPORT_KEPT */
	int result;        /* what sending gives: 0, or -errno, and then nothing counts as sent */
	int refusal;       /* what listening gives: 0 or -errno */
	unsigned listened; /* calls to listen, and no longer to */
	unsigned stopped;
	uint8_t class; /* what is listened to; 0: nothing */
	uint8_t method;
	bool closed;
	/* what is called with each MAD sent, if anything; it may post */
	void (*on_send)(const struct fake_sent *sent);
};

/* Be the transport of an engine. */
void fake_transport_attach(struct fake_transport *fake, struct engine *engine);

/* Forget what was sent. */
void fake_transport_clear(struct fake_transport *fake);

/* The i-th MAD that was sent, and the last; all zero if nothing was. */
const struct fake_sent *fake_transport_sent(const struct fake_transport *fake, unsigned i);
const struct fake_sent *fake_transport_last(const struct fake_transport *fake);

/* The answer that `sent` may get: itself with the method of an answer and a status, from where it went. */
struct mail fake_transport_answer(const struct fake_sent *sent, uint16_t status);

/* What comes back when there was no answer: the header alone, as the kernel gives it. */
struct mail fake_transport_unanswered(const struct fake_sent *sent);

/* A MAD comes in. */
void fake_transport_post(struct fake_transport *fake, const struct mail *mail);

#endif
