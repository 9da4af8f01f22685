/* SPDX-License-Identifier: BSD-2-Clause */
/* An engine over the fake transport, in virtual time. What its agents do is for a test to say. */
#ifndef TESTS_MAD_ENGINE_FIXTURE_H
#define TESTS_MAD_ENGINE_FIXTURE_H

#include "sma/mad/exchange.h"
#include "tests/fakes/fake_transport.h"

enum {
	FIXTURE_TIMEOUT = 100,
	FIXTURE_TRIES = 2,
	FIXTURE_START = 1000 * 1000,
	FIXTURE_SL = 3,
	FIXTURE_NEVER = -1,
	FIXTURE_ENDS = 4096,
	FIXTURE_COMING = 1024,
	/* attributes */
	NODE_INFO = 0x11,
	PORT_INFO = 0x15,
};

/* How a request ended. */
struct fixture_end {
	uint32_t modifier;
	int result; /* -errno, or the status */
	size_t size;
	uint8_t octet; /* with which the attribute begins */
	uint64_t at;
};

struct fixture {
	struct engine *engine;
	struct engine_config config;
	struct fake_transport fake;
	uint64_t now;
	uint64_t wake;
	/* after how many ms a MAD is answered, or FIXTURE_NEVER; NULL: never */
	int (*delay_of)(const struct packet *packet, const struct mad_head *head);
	unsigned coming_count;
	struct {
		uint64_t at;
		struct mail mail;
	} coming[FIXTURE_COMING];
	unsigned asked_count;
	uint32_t asked[FIXTURE_ENDS]; /* modifiers */
	unsigned ended;
	struct fixture_end ends[FIXTURE_ENDS];
};

extern struct fixture t;

void fixture_begin(unsigned window, unsigned tries);

/* Close the engine; its peers are closed. */
void fixture_end(void);

/* Peers of class MAD_CLASS_SM, and of any. */
struct peer *fixture_self(unsigned limit);
struct peer *fixture_lid(uint16_t lid, unsigned limit);
struct peer *fixture_peer(uint8_t class, enum engine_route route, uint16_t lid, unsigned limit);

/* A Get, whose end is kept. */
struct engine_request fixture_get(uint16_t attribute, uint32_t modifier);

/* Its `done`; `arg` is the modifier, or NULL. */
void fixture_done(void *arg, const struct engine_result *result);

int fixture_submit(struct peer *peer, uint16_t attribute, uint32_t modifier);
struct exchange *fixture_background(struct peer *peer, uint32_t modifier);

/* Rounds until none is due, and while time passes. */
void fixture_run(void);
void fixture_advance(uint64_t ms);

/* The i-th MAD sent (of the last FAKE_TRANSPORT_KEPT): its header; answer it; return it unanswered. */
struct mad_head fixture_head(unsigned i);
void fixture_answer(unsigned i, uint16_t status);
void fixture_return(unsigned i);

/* A change of the port's state. */
void fixture_state(enum mail_kind kind, int error);

/* The counters of subnet management. */
struct engine_counters fixture_counters(void);

#endif
