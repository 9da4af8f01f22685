// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sma/clock.h"
#include "tests/logged.h"
#include "tests/notice/inform_fixture.h"
#include "tests/unit.h"

/* Set(InformInfo): the first 92 bytes, as IBA 13.4.8.3 and 15.2.1 lay them out; the rest is 0. */
static const uint8_t own_set[92] = {
	0x01, 0x03, 0x02, 0x02,                         /* base version, class, class version, Set */
	0x00, 0x00, 0x00, 0x00,                         /* status */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* TransactionID */
	0x00, 0x03, 0x00, 0x00,                         /* InformInfo */
	0x00, 0x00, 0x00, 0x00,                         /* modifier */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* RMPP */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* SM_Key */
	0x00, 0x00, 0x00, 0x00,                                                 /* AttributeOffset */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* ComponentMask */
	0xFE, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* GID */
	0x00, 0x02, 0xC9, 0x03, 0x00, 0x12, 0x34, 0x57, 0xFF, 0xFF, 0x00, 0x00,
	0x00, 0x00,             /* LIDRangeBegin, LIDRangeEnd, reserved */
	0x01, 0x01,             /* IsGeneric, Subscribe */
	0xFF, 0xFF, 0xFF, 0xFF, /* Type, TrapNumber */
	0x00, 0x00, 0x00, 0x12, /* QPN, RespTimeValue 18 */
	0x00, 0xFF, 0xFF, 0xFF, /* ProducerType */
};

enum { AT_TID = 8, AT_GID = 56, AT_SUBSCRIBE = 79, AT_QPN = 84 };

const struct local_port inform_fixture_port = {
	.known = true,
	.active = true,
	.lid = 7,
	.sm_lid = INFORM_SM_LID,
	.sm_sl = 3,
	.gid = {0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0x00, 0x02, 0xC9, 0x03, 0x00, 0x12, 0x34, 0x57},
	.type = 1,
};

static void note(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                 const uint8_t *issuer_gid, uint32_t tid)
{
	struct inform_fixture *b = arg;

	b->found++;
	b->source = source;
	b->size = size;
	b->tid = tid;
	memcpy(b->data, data, SMA_BLOCK_SIZE);
	memcpy(b->gid, issuer_gid, sizeof(b->gid));
}

void inform_fixture_begin(struct inform_fixture *b, bool subnet)
{
	const struct engine_config config = {.port = 1, .window = 16, .timeout_ms = 250, .tries = 2};

	*b = (struct inform_fixture){.now = 1000, .local = inform_fixture_port};
	b->engine = engine_open(&config);
	fake_transport_attach(&b->fake, b->engine);
	logged_start(false);
	b->inform = inform_new(b->engine, subnet, INFORM_REFRESH_MS, note, b);
}

void inform_fixture_begin_subscribed(struct inform_fixture *b)
{
	inform_fixture_begin(b, false);
	inform_fixture_turn(b);
	CHECK(inform_fixture_answer(b, 0));
	CHECK(inform_is_active(b->inform));
	fake_transport_clear(&b->fake);
	logged_start(false);
}

void inform_fixture_end(struct inform_fixture *b)
{
	inform_free(b->inform);
	CHECK_EQUAL(b->fake.class, 0);
	engine_close(b->engine);
	logged_stop();
}

uint64_t inform_fixture_turn(struct inform_fixture *b)
{
	uint64_t due;

	do {
		engine_process(b->engine, b->now);
		inform_update(b->inform, &b->local, b->now);
		due = inform_run(b->inform, b->now);
		b->wake = engine_process(b->engine, b->now);
	} while (b->wake <= b->now);
	return due;
}

void inform_fixture_advance(struct inform_fixture *b, uint64_t ms)
{
	uint64_t until = b->now + ms;
	uint64_t due = inform_fixture_turn(b);

	while (b->now < until) {
		due = sma_earlier(due, b->wake);
		b->now = sma_earlier(due, until);
		due = inform_fixture_turn(b);
	}
}

bool inform_fixture_take(struct inform_fixture *b, struct mail mail)
{
	uint64_t strange = engine_strange(b->engine);

	fake_transport_post(&b->fake, &mail);
	engine_process(b->engine, b->now);
	return engine_strange(b->engine) == strange;
}

bool inform_fixture_answer(struct inform_fixture *b, uint16_t status)
{
	return inform_fixture_take(b, fake_transport_answer(fake_transport_last(&b->fake), status));
}

bool inform_fixture_lose(struct inform_fixture *b)
{
	return inform_fixture_take(b, fake_transport_unanswered(fake_transport_last(&b->fake)));
}

void inform_fixture_check_set(const struct fake_sent *sent, bool subscribe, const uint8_t *gid)
{
	uint8_t wanted[MAD_SIZE] = {0};

	memcpy(wanted, own_set, sizeof(own_set));
	memcpy(wanted + AT_TID, sent->packet.mad + AT_TID, 8);
	wanted[AT_SUBSCRIBE] = subscribe;
	wanted[AT_QPN + 2] = subscribe ? 0 : 1;
	memcpy(wanted + AT_GID, gid, 16);
	CHECK_OCTETS(sent->packet.mad, wanted, MAD_SIZE);
}
