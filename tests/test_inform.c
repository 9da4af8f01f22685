// SPDX-License-Identifier: BSD-2-Clause
/* The subscription to traps: each MAD and address byte for byte, and each moment at which one is sent. */
#include <errno.h>
#include <string.h>

#include "sma/inform.h"
#include "tests/fake_qp1.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { REFRESH_MS = 60000, ANSWER_MS = 2000, GET_RESP = 0x81, SM_LID = 1 };

/* Set(InformInfo): the first 92 bytes, as IBA 13.4.8.3 and 15.2.1 lay them out; the rest is 0. */
static const uint8_t own_set[92] = {
	0x01, 0x03, 0x02, 0x02,                         /* base version, class, class version, Set */
	0x00, 0x00, 0x00, 0x00,                         /* status */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, /* TransactionID */
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

enum { AT_TID = 12, AT_TID_LOW = 15, AT_DATA = 56, AT_SUBSCRIBE = 79, AT_QPN = 84, AT_GID = 56 };

static const struct facts port = {
	.known = true,
	.active = true,
	.lid = 7,
	.sm_lid = SM_LID,
	.sm_sl = 3,
	.gid = {0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0x00, 0x02, 0xC9, 0x03, 0x00, 0x12, 0x34, 0x57},
	.type = 1,
};

struct bench {
	struct fake_qp1 qp1;
	struct inform *inform;
	struct facts facts;
	uint64_t now;
	unsigned found;
	enum sma_notice_source source;
	size_t size;
	uint32_t tid;
	uint8_t data[SMA_BLOCK_SIZE];
	uint8_t gid[16];
};

static void note(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                 const uint8_t *issuer_gid, uint32_t tid)
{
	struct bench *b = arg;

	b->found++;
	b->source = source;
	b->size = size;
	b->tid = tid;
	memcpy(b->data, data, SMA_BLOCK_SIZE);
	memcpy(b->gid, issuer_gid, sizeof(b->gid));
}

static void begin(struct bench *b, bool subnet)
{
	*b = (struct bench){.now = 1000, .facts = port};
	fake_qp1_init(&b->qp1);
	logged_start(false);
	b->inform = inform_new(&b->qp1.qp1, subnet, REFRESH_MS, note, b);
}

static void end(struct bench *b)
{
	inform_free(b->inform);
	logged_stop();
}

/* One round of the loop. */
static uint64_t turn(struct bench *b)
{
	inform_facts(b->inform, &b->facts, b->now);
	return inform_run(b->inform, b->now);
}

static bool take(struct bench *b, struct sma_mail mail)
{
	return inform_take(b->inform, &mail, b->now);
}

/* The last request is answered. */
static bool answer(struct bench *b, uint16_t status)
{
	return take(b, fake_qp1_answer(fake_qp1_last(&b->qp1), GET_RESP, status));
}

static void begin_subscribed(struct bench *b)
{
	begin(b, false);
	turn(b);
	CHECK(answer(b, 0));
	CHECK(inform_is_active(b->inform));
	fake_qp1_clear(&b->qp1);
	logged_start(false);
}

/* Check a Set(InformInfo) against `own_set` with some bytes changed. The TransactionID's upper bytes are
 * those of the subscription. */
static void check_set(const struct fake_qp1_sent *sent, uint8_t tid, bool subscribe, const uint8_t *gid)
{
	uint8_t wanted[SMA_MAD_SIZE] = {0};

	memcpy(wanted, own_set, sizeof(own_set));
	memcpy(wanted + AT_TID, sent->mad + AT_TID, 2);
	wanted[AT_TID_LOW] = tid;
	wanted[AT_SUBSCRIBE] = subscribe;
	wanted[AT_QPN + 2] = subscribe ? 0 : 1;
	memcpy(wanted + AT_GID, gid, 16);
	CHECK_OCTETS(sent->mad, wanted, SMA_MAD_SIZE);
	CHECK(memcmp(sent->mad + 64, wanted + 64, SMA_MAD_SIZE - 64) == 0);
}

/* ---- what is sent ---- */

static void test_own(void)
{
	struct bench b;

	begin(&b, false);
	CHECK_EQUAL(turn(&b), b.now + ANSWER_MS + 1000);
	CHECK_EQUAL(b.qp1.count, 1);
	check_set(&b.qp1.sent[0], 1, true, port.gid);
	CHECK_EQUAL(b.qp1.sent[0].dlid, SM_LID);
	CHECK_EQUAL(b.qp1.sent[0].sl, 3);
	CHECK_EQUAL(b.qp1.sent[0].timeout_ms, ANSWER_MS);
	CHECK(!inform_is_active(b.inform));
	end(&b);
}

static void test_subnet(void)
{
	static const uint8_t no_gid[16];
	struct bench b;

	begin(&b, true);
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 1);
	check_set(&b.qp1.sent[0], 1, true, no_gid);
	end(&b);
}

static void test_confirmed(void)
{
	struct bench b;

	begin(&b, false);
	turn(&b);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 0);
	CHECK(answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	CHECK_EQUAL(logged_with("subscribed to traps with the SA at LID 1"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	CHECK_EQUAL(turn(&b), b.now + REFRESH_MS);
	CHECK_EQUAL(b.qp1.count, 1);
	end(&b);
}

/* A success of opensm ends with the InformInfo; the kernel puts the agent into the upper TransactionID. */
static void test_short_answer(void)
{
	struct sma_mail mail;
	struct bench b;

	begin(&b, false);
	turn(&b);
	mail = fake_qp1_answer(fake_qp1_last(&b.qp1), GET_RESP, 0);
	mail.size = 92;
	memcpy(mail.mad + 8, "\x00\x02\x00\x05", 4);
	CHECK(take(&b, mail));
	CHECK(inform_is_active(b.inform));
	end(&b);
}

static void test_unsubscribe(void)
{
	struct bench b;

	begin_subscribed(&b);
	end(&b);
	CHECK_EQUAL(b.qp1.count, 1);
	check_set(&b.qp1.sent[0], 2, false, port.gid);
	CHECK_EQUAL(b.qp1.sent[0].mad[AT_QPN + 2], 1);
	CHECK_EQUAL(b.qp1.sent[0].mad[AT_SUBSCRIBE], 0);
	CHECK_EQUAL(b.qp1.sent[0].dlid, SM_LID);
	CHECK_EQUAL(b.qp1.sent[0].sl, 3);
	CHECK_EQUAL(b.qp1.sent[0].timeout_ms, 0);
}

static void test_unsubscribe_unheld(void)
{
	struct bench b;

	begin(&b, false);
	end(&b);
	CHECK_EQUAL(b.qp1.count, 0);

	begin(&b, false); /* the SA may have taken what it has not answered */
	turn(&b);
	end(&b);
	CHECK_EQUAL(b.qp1.count, 2);

	begin(&b, false);
	turn(&b);
	answer(&b, 0x0700);
	end(&b);
	CHECK_EQUAL(b.qp1.count, 1);

	begin_subscribed(&b);
	b.facts.active = false;
	turn(&b);
	end(&b);
	CHECK_EQUAL(b.qp1.count, 0);
	inform_free(NULL);
}

/* ---- when nothing is sent ---- */

struct obstacle {
	const char *name;
	struct facts facts;
	const char *line; /* NULL: none */
};

static const struct obstacle obstacles[] = {
	{"nothing read yet", {.known = false, .active = true, .lid = 7, .sm_lid = 1}, NULL},
	{"not active", {.known = true, .lid = 7, .sm_lid = 1}, "while the port is not active"},
	{"LID 0", {.known = true, .active = true, .sm_lid = 1}, "while the port has no LID yet"},
	{"SM LID 0", {.known = true, .active = true, .lid = 7}, "while the port knows no subnet manager"},
};

static void check_obstacle(const struct obstacle *o)
{
	struct bench b;

	begin(&b, false);
	b.facts = o->facts;
	for (b.now = 1000; b.now < 300000; b.now += 1000)
		CHECK_EQUAL(turn(&b), UINT64_MAX);
	CHECK_EQUAL(b.qp1.count, 0);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), o->line ? 1 : 0);
	if (o->line)
		CHECK_EQUAL(logged_with(o->line), 1);
	b.facts = port;
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 1);
	CHECK(answer(&b, 0));
	b.facts = o->facts;
	CHECK_EQUAL(turn(&b), UINT64_MAX);
	CHECK(!inform_is_active(b.inform));
	CHECK_EQUAL(b.qp1.count, 1);
	end(&b);
}

static void test_obstacles(void)
{
	for (size_t i = 0; i < UNIT_COUNT(obstacles); i++) {
		unit_case("%s", obstacles[i].name);
		check_obstacle(&obstacles[i]);
	}
}

/* ---- when it may be forgotten ---- */

/* The SA may have forgotten the subscription, or a request may be for one that is no more. */
static void test_renewed(void)
{
	struct bench b;

	begin_subscribed(&b);
	b.now += 5;
	inform_renew(b.inform, b.now);
	CHECK(inform_is_active(b.inform));
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 1);
	check_set(fake_qp1_last(&b.qp1), 2, true, port.gid);

	/* while that is under way: its answer comes too late */
	inform_renew(b.inform, b.now);
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 2);
	CHECK(!take(&b, fake_qp1_answer(&b.qp1.sent[0], GET_RESP, 0)));
	CHECK(answer(&b, 0));
	CHECK_EQUAL(turn(&b), b.now + REFRESH_MS);

	/* and while it has to be waited for */
	b.now += REFRESH_MS;
	turn(&b);
	CHECK(take(&b, fake_qp1_unanswered(fake_qp1_last(&b.qp1))));
	CHECK_EQUAL(turn(&b), b.now + 1000);
	inform_renew(b.inform, b.now);
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 4);
	CHECK(answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	end(&b);
}

/* With nobody to ask. */
static void test_renewed_in_vain(void)
{
	struct bench b;

	begin(&b, false);
	b.facts = obstacles[1].facts;
	turn(&b);
	inform_renew(b.inform, b.now);
	CHECK_EQUAL(turn(&b), UINT64_MAX);
	CHECK_EQUAL(b.qp1.count, 0);
	end(&b);
}

/* ---- failures ---- */

static const unsigned backoff_s[] = {1, 2, 4, 8, 16, 32, 60, 60, 60};

/* The last request came to nothing at `now`: the next is sent after a back-off, not a millisecond before. */
static void check_backoff(struct bench *b, unsigned seconds)
{
	unsigned count = b->qp1.count;

	CHECK(!inform_is_active(b->inform));
	CHECK_EQUAL(turn(b), b->now + seconds * 1000);
	b->now += seconds * 1000 - 1;
	turn(b);
	CHECK_EQUAL(b->qp1.count, count);
	b->now++;
	turn(b);
	CHECK_EQUAL(b->qp1.count, count + 1);
}

static void test_lost(void)
{
	struct bench b;

	begin(&b, false);
	turn(&b);
	for (size_t i = 0; i < UNIT_COUNT(backoff_s); i++) {
		b.now += ANSWER_MS;
		CHECK(take(&b, fake_qp1_unanswered(fake_qp1_last(&b.qp1))));
		check_backoff(&b, backoff_s[i]);
		check_set(fake_qp1_last(&b.qp1), (uint8_t)(i + 2), true, port.gid);
	}
	CHECK_EQUAL(logged_with("no subscription to traps with the SA at LID 1: no answer"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	CHECK(answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	CHECK_EQUAL(logged_with("subscribed to traps with the SA at LID 1"), 1);

	/* and from 1 s again */
	b.now = turn(&b);
	turn(&b);
	CHECK(take(&b, fake_qp1_unanswered(fake_qp1_last(&b.qp1))));
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 2);
	check_backoff(&b, 1);
	end(&b);
}

/* Neither an answer nor the time-out arrives. */
static void test_lost_twice(void)
{
	struct bench b;

	begin(&b, false);
	b.now = turn(&b) - 1;
	turn(&b);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	b.now++;
	CHECK_EQUAL(turn(&b), b.now + 1000);
	CHECK_EQUAL(logged_with("no answer"), 1);
	check_backoff(&b, 1);
	end(&b);
}

struct refusal {
	uint16_t status;
	const char *line;
};

static const struct refusal refusals[] = {
	{0x0001, "status 0x0001 (busy)"},           {0x000C, "status 0x000c (attribute not supported)"},
	{0x0100, "status 0x0100 (no resources)"},   {0x0200, "status 0x0200 (request invalid)"},
	{0x0700, "status 0x0700 (request denied)"}, {0xFF00, "status 0xff00"},
};

static void test_refused(void)
{
	for (size_t i = 0; i < UNIT_COUNT(refusals); i++) {
		struct bench b;

		unit_case("status 0x%04x", refusals[i].status);
		begin(&b, false);
		turn(&b);
		for (unsigned n = 0; n < 3; n++) {
			CHECK(answer(&b, refusals[i].status));
			check_backoff(&b, 1U << n);
		}
		CHECK_EQUAL(logged_with(refusals[i].line), 1);
		CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
		end(&b);
	}
}

static void test_unsendable(void)
{
	struct bench b;

	begin(&b, false);
	b.qp1.result = -ENODEV;
	CHECK_EQUAL(turn(&b), b.now + 1000);
	b.now += 1000;
	CHECK_EQUAL(turn(&b), b.now + 2000);
	CHECK_EQUAL(logged_with("No such device"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	b.qp1.result = 0;
	b.now += 2000;
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 1);
	CHECK(answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	end(&b);

	begin(&b, false);
	b.qp1.result = -EBUSY;
	turn(&b);
	CHECK_EQUAL(logged_with("another program on this port takes the Reports"), 1);
	end(&b);
}

/* ---- renewal and changes ---- */

static void test_refresh(void)
{
	struct bench b;

	begin_subscribed(&b);
	for (unsigned i = 0; i < 5; i++) {
		b.now = turn(&b) - 1;
		turn(&b);
		CHECK_EQUAL(b.qp1.count, i);
		b.now++;
		turn(&b);
		CHECK_EQUAL(b.qp1.count, i + 1);
		check_set(fake_qp1_last(&b.qp1), (uint8_t)(i + 2), true, port.gid);
		CHECK(inform_is_active(b.inform));
		b.now += 5;
		CHECK(answer(&b, 0));
		CHECK_EQUAL(turn(&b), b.now + REFRESH_MS);
	}
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 0);
	end(&b);
}

/* A renewal may be wanted sooner, but one at a time, and only of what is in force. */
static void test_hurry(void)
{
	struct bench b;

	begin(&b, false);
	inform_hurry(b.inform, b.now);
	turn(&b);
	b.now++;
	inform_hurry(b.inform, b.now);
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 1);
	answer(&b, 0);
	b.now += 1000;
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 1);
	inform_hurry(b.inform, b.now);
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 2);
	check_set(fake_qp1_last(&b.qp1), 2, true, port.gid);
	inform_hurry(b.inform, b.now); /* it is under way */
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 2);
	CHECK(inform_is_active(b.inform));
	b.now += 3000;
	turn(&b);
	CHECK(!inform_is_active(b.inform));
	inform_hurry(b.inform, b.now); /* the back-off goes on */
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 2);
	end(&b);
}

/* The transport may still know the ids of the subscription before. */
static void test_ids(void)
{
	uint8_t before[8];
	struct bench b;

	begin(&b, false);
	turn(&b);
	memcpy(before, b.qp1.sent[0].mad + 8, sizeof(before));
	end(&b);
	begin(&b, false);
	turn(&b);
	CHECK(memcmp(before, b.qp1.sent[0].mad + 8, sizeof(before)) != 0);
	end(&b);
}

static void test_refresh_refused(void)
{
	struct bench b;

	begin_subscribed(&b);
	b.now = turn(&b);
	turn(&b);
	CHECK(answer(&b, 0x0200));
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	check_backoff(&b, 1);
	CHECK(answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	CHECK_EQUAL(logged_with("subscribed to traps with the SA at LID 1"), 1);
	end(&b);
}

/* An SM that has another LID knows nothing of us, and the old one may be gone. */
static void test_other_sm(void)
{
	struct bench b;

	begin_subscribed(&b);
	b.now += 10;
	b.facts.sm_lid = 5;
	turn(&b);
	CHECK(!inform_is_active(b.inform));
	CHECK_EQUAL(b.qp1.count, 1);
	check_set(&b.qp1.sent[0], 2, true, port.gid);
	CHECK_EQUAL(b.qp1.sent[0].dlid, 5);
	CHECK(answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	CHECK_EQUAL(logged_with("subscribed to traps with the SA at LID 5"), 1);
	end(&b);
	CHECK_EQUAL(b.qp1.count, 2);
	CHECK_EQUAL(b.qp1.sent[1].dlid, 5);
}

/* The SA matches a subscriber by its LID: from another one the old subscription cannot be taken back. */
static void test_other_lid(void)
{
	struct bench b;

	begin_subscribed(&b);
	b.facts.lid = 9;
	turn(&b);
	CHECK(!inform_is_active(b.inform));
	CHECK_EQUAL(b.qp1.count, 1);
	check_set(&b.qp1.sent[0], 2, true, port.gid);
	end(&b);
}

static void test_other_gid(void)
{
	struct bench b;

	begin_subscribed(&b);
	b.facts.gid[1] = 0xC0;
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 2);
	check_set(&b.qp1.sent[0], 2, false, port.gid);
	CHECK_EQUAL(b.qp1.sent[0].timeout_ms, 0);
	check_set(&b.qp1.sent[1], 3, true, b.facts.gid);
	CHECK_EQUAL(b.qp1.sent[1].timeout_ms, ANSWER_MS);

	/* the answer to the first is none to the second */
	CHECK(!take(&b, fake_qp1_answer(&b.qp1.sent[0], GET_RESP, 0)));
	CHECK(!inform_is_active(b.inform));
	CHECK(answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	end(&b);
}

/* A subscription is found by the SL it was made with, too. */
static void test_other_sl(void)
{
	struct bench b;

	begin_subscribed(&b);
	b.facts.sm_sl = 6;
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 2);
	check_set(&b.qp1.sent[0], 2, false, port.gid);
	CHECK_EQUAL(b.qp1.sent[0].sl, 3);
	check_set(&b.qp1.sent[1], 3, true, port.gid);
	CHECK_EQUAL(b.qp1.sent[1].sl, 6);
	end(&b);
}

static void test_active_again(void)
{
	struct bench b;

	begin_subscribed(&b);
	b.facts.active = false;
	turn(&b);
	b.now += 3000;
	b.facts.active = true;
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 1);
	check_set(&b.qp1.sent[0], 2, true, port.gid);
	CHECK(answer(&b, 0));
	CHECK_EQUAL(logged_with("subscribed to traps"), 1);
	end(&b);
}

/* A change ends the back-off, and what was asked before it is forgotten. */
static void test_change_while_failing(void)
{
	struct fake_qp1_sent old;
	struct bench b;

	begin(&b, false);
	turn(&b);
	old = *fake_qp1_last(&b.qp1);
	b.facts.sm_lid = 5;
	turn(&b);
	CHECK_EQUAL(b.qp1.count, 2);
	CHECK(!take(&b, fake_qp1_unanswered(&old)));
	CHECK(!take(&b, fake_qp1_answer(&old, GET_RESP, 0)));
	for (unsigned i = 0; i < 4; i++) {
		answer(&b, 0x0700);
		b.now = turn(&b);
		turn(&b);
	}
	answer(&b, 0x0700);
	b.now += 10;
	b.facts.sm_lid = 6;
	turn(&b);
	CHECK_EQUAL(fake_qp1_last(&b.qp1)->dlid, 6);
	answer(&b, 0x0700);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 2);
	check_backoff(&b, 1);
	end(&b);
}

static void test_strange_answers(void)
{
	struct sma_mail mail;
	struct bench b;

	begin(&b, false);
	turn(&b);
	mail = fake_qp1_answer(fake_qp1_last(&b.qp1), GET_RESP, 0);
	mail.mad[AT_TID_LOW]++;
	CHECK(!take(&b, mail));
	mail.mad[AT_TID_LOW]--;
	mail.mad[17] = 0x11; /* another attribute */
	CHECK(!take(&b, mail));
	mail.mad[17] = 0x03;
	mail.mad[1] = 0x04; /* another class */
	CHECK(!take(&b, mail));
	mail.mad[1] = 0x03;
	mail.mad[2] = 1; /* another class version */
	CHECK(!take(&b, mail));
	mail.mad[2] = 2;
	mail.mad[0] = 2; /* another base version */
	CHECK(!take(&b, mail));
	mail.mad[0] = 1;
	mail.mad[3] = 0x02; /* no answer */
	CHECK(!take(&b, mail));
	mail.mad[3] = GET_RESP;
	mail.kind = SMA_MAIL_MENDED;
	CHECK(!take(&b, mail));
	CHECK(!inform_is_active(b.inform));
	mail.kind = SMA_MAIL_MAD;
	CHECK(take(&b, mail));
	CHECK(inform_is_active(b.inform));
	CHECK(!take(&b, mail)); /* once only */
	end(&b);
}

/* ---- Reports ---- */

/* A Report of trap 144 from the port with LID 7, as opensm sends it. */
static struct sma_mail report(void)
{
	static const uint8_t header[24] = {0x01, 0x03, 0x02, 0x06, [8] = 0x00, 0x00, 0x00,
	                                   0x0B, 0x02, 0xDA, 0xB0, 0x01,       0x00, 0x02};
	static const uint8_t notice[24] = {0x84, 0x00, 0x00, 0x01, 0x00, 0x90, 0x00, 0x07, 0x00, 0x00,
	                                   0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x02, 0x50, 0xE8, 0x48};
	struct sma_mail mail = {.kind = SMA_MAIL_MAD, .port = 1, .slid = SM_LID, .sl = 2, .size = 256};

	memcpy(mail.mad, header, sizeof(header));
	memcpy(mail.mad + AT_DATA, notice, sizeof(notice));
	memcpy(mail.mad + AT_DATA + 64, port.gid, 16);
	mail.mad[4] = 0x5A; /* status and RMPP bytes that a sender left over */
	mail.mad[24] = 0x01;
	mail.mad[255] = 0xA5;
	return mail;
}

static void test_report(void)
{
	struct sma_mail mail = report();
	uint8_t wanted[SMA_MAD_SIZE];
	struct bench b;

	begin_subscribed(&b);
	CHECK(take(&b, mail));
	CHECK_EQUAL(b.qp1.count, 1);
	memcpy(wanted, mail.mad, SMA_MAD_SIZE);
	wanted[3] = 0x86;
	wanted[4] = 0;
	CHECK_OCTETS(b.qp1.sent[0].mad, wanted, SMA_MAD_SIZE);
	CHECK_EQUAL(b.qp1.sent[0].dlid, SM_LID);
	CHECK_EQUAL(b.qp1.sent[0].sl, 2);
	CHECK_EQUAL(b.qp1.sent[0].timeout_ms, 0);
	CHECK_EQUAL(b.found, 1);
	CHECK_EQUAL(b.source, SMA_NOTICE_SA);
	CHECK_EQUAL(b.size, 64);
	CHECK_EQUAL(b.tid, 0x02DAB001);
	CHECK_OCTETS(b.data, mail.mad + 56, 64);
	CHECK_OCTETS(b.gid, port.gid, 16);

	/* it is answered as often as it comes, and whether or not it could be sent */
	b.qp1.result = -EAGAIN;
	CHECK(take(&b, mail));
	CHECK_EQUAL(b.found, 2);
	b.qp1.result = 0;
	end(&b);
}

/* What an earlier run left behind is answered before the new subscription is confirmed. */
static void test_early_report(void)
{
	struct bench b;

	begin(&b, false);
	turn(&b);
	CHECK(take(&b, report()));
	CHECK_EQUAL(b.found, 1);
	CHECK_EQUAL(b.qp1.count, 2);
	CHECK_EQUAL(fake_qp1_last(&b.qp1)->mad[3], 0x86);
	end(&b);
}

static void test_foreign_report(void)
{
	struct sma_mail mail = report();
	struct bench b;

	begin_subscribed(&b);
	logged_start(true);
	mail.slid = 3;
	CHECK(take(&b, mail));
	mail.slid = 0;
	CHECK(take(&b, mail));
	CHECK_EQUAL(b.found, 0);
	CHECK_EQUAL(b.qp1.count, 0);
	CHECK_EQUAL(logged_with("was dropped"), 2);
	CHECK_EQUAL(logged_level(SMA_LOG_DEBUG), 2);
	b.facts.sm_lid = 0; /* with no SM there is none to take a Report from */
	turn(&b);
	CHECK(take(&b, mail));
	CHECK_EQUAL(b.found, 0);
	end(&b);
}

struct patch {
	const char *name;
	unsigned at;
	uint8_t value;
	uint16_t size;
};

static const struct patch malformed[] = {
	{"too short for IssuerGID", 0, 1, 135}, {"header only", 0, 1, 24},      {"base version 2", 0, 2, 256},
	{"class version 1", 2, 1, 256},         {"class version 3", 2, 3, 256}, {"class 0x04", 1, 4, 256},
	{"ReportResp", 3, 0x86, 256},           {"Trap", 3, 0x05, 256},         {"InformInfo", 17, 3, 256},
	{"attribute 0x0102", 16, 1, 256},
};

static void test_malformed_report(void)
{
	struct bench b;

	begin_subscribed(&b);
	for (size_t i = 0; i < UNIT_COUNT(malformed); i++) {
		struct sma_mail mail = report();

		unit_case("%s", malformed[i].name);
		mail.mad[malformed[i].at] = malformed[i].value;
		mail.size = malformed[i].size;
		take(&b, mail);
		CHECK_EQUAL(b.found, 0);
		CHECK_EQUAL(b.qp1.count, 0);
	}
	unit_case("the shortest");
	struct sma_mail mail = report();

	mail.size = 136;
	CHECK(take(&b, mail));
	CHECK_EQUAL(b.found, 1);
	unit_case("a Report that came back unanswered");
	mail.status = ETIMEDOUT;
	CHECK(!take(&b, mail));
	CHECK_EQUAL(b.found, 1);
	end(&b);
}

static const struct unit_test tests[] = {
	{"the own port", test_own},
	{"the subnet", test_subnet},
	{"confirmed", test_confirmed},
	{"an answer of 92 bytes", test_short_answer},
	{"unsubscribing", test_unsubscribe},
	{"nothing to unsubscribe", test_unsubscribe_unheld},
	{"port without LID, SM or link", test_obstacles},
	{"no answer: back-off from 1 s to 60 s", test_lost},
	{"neither answer nor time-out", test_lost_twice},
	{"refused", test_refused},
	{"not sent", test_unsendable},
	{"renewed", test_refresh},
	{"renewal in a hurry", test_hurry},
	{"subscribed anew", test_renewed},
	{"nobody to subscribe with", test_renewed_in_vain},
	{"ids of two subscriptions", test_ids},
	{"renewal refused", test_refresh_refused},
	{"another SM", test_other_sm},
	{"another LID", test_other_lid},
	{"another GID", test_other_gid},
	{"another SM SL", test_other_sl},
	{"active again", test_active_again},
	{"a change while it does not work", test_change_while_failing},
	{"answers that are none", test_strange_answers},
	{"Report", test_report},
	{"Report before the confirmation", test_early_report},
	{"Report from elsewhere", test_foreign_report},
	{"malformed Reports", test_malformed_report},
};

int main(void)
{
	return UNIT_MAIN("inform", tests);
}
