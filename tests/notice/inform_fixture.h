/* SPDX-License-Identifier: BSD-2-Clause */
/* A subscription to traps of sma/notice/inform.h on an engine in memory, whose port and clock a test sets. */
#ifndef TESTS_NOTICE_INFORM_FIXTURE_H
#define TESTS_NOTICE_INFORM_FIXTURE_H

#include "sma/notice/inform.h"
#include "tests/fakes/fake_transport.h"

enum {
	INFORM_REFRESH_MS = 60000,
	INFORM_ANSWER_MS = 2000, /* for how long an answer of the SA is waited for */
	INFORM_SM_LID = 1,       /* of inform_fixture_port */
};

/* A port that has nothing against a subscription: LID 7, and 3 as the SL to the SM. */
extern const struct local_port inform_fixture_port;

struct inform_fixture {
	struct engine *engine;
	struct fake_transport fake;
	struct inform *inform;
	struct local_port local; /* what the port is like; first as inform_fixture_port */
	uint64_t now;
	uint64_t wake;  /* when the engine wants to be called again */
	unsigned found; /* notices; the last is below */
	enum sma_notice_source source;
	size_t size;
	uint32_t tid;
	uint8_t data[SMA_BLOCK_SIZE];
	uint8_t gid[16];
};

/* A new subscription, for which nothing is sent yet; log lines are caught. */
void inform_fixture_begin(struct inform_fixture *b, bool subnet);

/* One for the own port that the SA has confirmed; what was sent and logged until then is forgotten. */
void inform_fixture_begin_subscribed(struct inform_fixture *b);

/* Free the subscription. What it sends then can still be looked at. */
void inform_fixture_end(struct inform_fixture *b);

/* One round of the loop. When the subscription wants the next. */
uint64_t inform_fixture_turn(struct inform_fixture *b);

/* Let time pass, with a round whenever one is due. */
void inform_fixture_advance(struct inform_fixture *b, uint64_t ms);

/* A MAD comes in. Whether it was an answer, or one that is listened to. */
bool inform_fixture_take(struct inform_fixture *b, struct mail mail);

/* The last request is answered with `status`, or comes back unanswered. Whether that was taken. */
bool inform_fixture_answer(struct inform_fixture *b, uint16_t status);
bool inform_fixture_lose(struct inform_fixture *b);

/* Check each byte of a Set(InformInfo) but the TransactionID; `gid` is all 0 for the whole subnet. */
void inform_fixture_check_set(const struct fake_sent *sent, bool subscribe, const uint8_t *gid);

#endif
