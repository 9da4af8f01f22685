/* SPDX-License-Identifier: BSD-2-Clause */
/* QP1 in memory, behind the transport interface of sma/mad/qp1.h: it records what was sent, and answers
 * nothing.
 */
#ifndef TESTS_FAKES_FAKE_QP1_H
#define TESTS_FAKES_FAKE_QP1_H

#include "sma/mad/qp1.h"

enum { FAKE_QP1_KEPT = 64 /* MADs that are remembered */ };

struct fake_qp1_sent {
	uint8_t mad[SMA_MAD_SIZE];
	uint16_t dlid;
	unsigned sl;
	unsigned timeout_ms;
};

struct fake_qp1 {
	struct sma_qp1 qp1;                       /* the transport */
	unsigned count;                           /* MADs sent */
	struct fake_qp1_sent sent[FAKE_QP1_KEPT]; /* the n-th at n % FAKE_QP1_KEPT */
	int result; /* what sending gives: 0, or -errno, and then nothing counts as sent */
	bool closed;
};

void fake_qp1_init(struct fake_qp1 *fake);

/* Forget what was sent. */
void fake_qp1_clear(struct fake_qp1 *fake);

/* What was sent last; all zero if nothing was. */
const struct fake_qp1_sent *fake_qp1_last(const struct fake_qp1 *fake);

/* The answer that `sent` may get: its MAD with another method and status, from where it was sent to. */
struct sma_mail fake_qp1_answer(const struct fake_qp1_sent *sent, uint8_t method, uint16_t status);

/* What comes back when there was no answer: the header alone, as the kernel gives it. */
struct sma_mail fake_qp1_unanswered(const struct fake_qp1_sent *sent);

#endif
