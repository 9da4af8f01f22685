// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/fakes/fake_qp1.h"

enum { AT_METHOD = 3, AT_STATUS = 4, HEADER_SIZE = 24 };

static int fake_send(struct sma_qp1 *qp1, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid, unsigned sl,
                     unsigned timeout_ms)
{
	struct fake_qp1 *fake = (struct fake_qp1 *)qp1;
	struct fake_qp1_sent *sent = &fake->sent[fake->count % FAKE_QP1_KEPT];

	if (fake->result < 0)
		return fake->result;
	*sent = (struct fake_qp1_sent){.dlid = dlid, .sl = sl, .timeout_ms = timeout_ms};
	memcpy(sent->mad, mad, SMA_MAD_SIZE);
	fake->count++;
	return 0;
}

static void fake_close(struct sma_qp1 *qp1)
{
	((struct fake_qp1 *)qp1)->closed = true;
}

void fake_qp1_init(struct fake_qp1 *fake)
{
	static const struct sma_qp1_ops ops = {.send = fake_send, .close = fake_close};

	*fake = (struct fake_qp1){.qp1.ops = &ops};
}

void fake_qp1_clear(struct fake_qp1 *fake)
{
	memset(fake->sent, 0, sizeof(fake->sent));
	fake->count = 0;
}

const struct fake_qp1_sent *fake_qp1_last(const struct fake_qp1 *fake)
{
	return &fake->sent[(fake->count + FAKE_QP1_KEPT - 1) % FAKE_QP1_KEPT];
}

struct sma_mail fake_qp1_answer(const struct fake_qp1_sent *sent, uint8_t method, uint16_t status)
{
	struct sma_mail mail = {.kind = SMA_MAIL_MAD,
	                        .port = 1,
	                        .slid = sent->dlid,
	                        .sl = (uint8_t)sent->sl,
	                        .size = SMA_MAD_SIZE};

	memcpy(mail.mad, sent->mad, SMA_MAD_SIZE);
	mail.mad[AT_METHOD] = method;
	wire_put16(mail.mad + AT_STATUS, status);
	return mail;
}

struct sma_mail fake_qp1_unanswered(const struct fake_qp1_sent *sent)
{
	struct sma_mail mail = {.kind = SMA_MAIL_MAD, .port = 1, .status = ETIMEDOUT, .size = HEADER_SIZE};

	memcpy(mail.mad, sent->mad, HEADER_SIZE);
	return mail;
}
