/* SPDX-License-Identifier: BSD-2-Clause */
/* A subscription to traps of sma/notice/inform.h on a QP1 in memory, whose port and clock a test sets. */
#ifndef TESTS_NOTICE_INFORM_FIXTURE_H
#define TESTS_NOTICE_INFORM_FIXTURE_H

#include "sma/notice/inform.h"
#include "tests/fakes/fake_qp1.h"

enum {
	INFORM_REFRESH_MS = 60000,
	INFORM_ANSWER_MS = 2000, /* for how long an answer of the SA is waited for */
	INFORM_SM_LID = 1,       /* of inform_fixture_port */
	INFORM_GET_RESP = 0x81,  /* the method of an answer */
};

/* A port that has nothing against a subscription: LID 7, and 3 as the SL to the SM. */
extern const struct local_port inform_fixture_port;

struct inform_fixture {
	struct fake_qp1 qp1;
	struct inform *inform;
	struct local_port local; /* what the port is like; first as inform_fixture_port */
	uint64_t now;
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

/* One round of the loop. When the next is due. */
uint64_t inform_fixture_turn(struct inform_fixture *b);

/* A MAD comes in. Whether it was taken. */
bool inform_fixture_take(struct inform_fixture *b, struct sma_mail mail);

/* The last request is answered with `status`, or comes back unanswered. Whether that was taken. */
bool inform_fixture_answer(struct inform_fixture *b, uint16_t status);
bool inform_fixture_lose(struct inform_fixture *b);

/* Check each byte of a Set(InformInfo) but the upper ones of the TransactionID, which each subscription
 * chooses. `tid` counts its requests from 1; `gid` is all 0 for the whole subnet. */
void inform_fixture_check_set(const struct fake_qp1_sent *sent, uint8_t tid, bool subscribe,
                              const uint8_t *gid);

#endif
