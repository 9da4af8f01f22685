// SPDX-License-Identifier: BSD-2-Clause
/* The subscription to traps: how it is made, confirmed, renewed and ended, each MAD byte for byte. */
#include <string.h>

#include "sma/log.h"
#include "tests/logged.h"
#include "tests/notice/inform_fixture.h"
#include "tests/unit.h"

/* ---- subscribing ---- */

static void test_own(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	CHECK_EQUAL(inform_fixture_turn(&b), UINT64_MAX);
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_check_set(&b.fake.sent[0], true, inform_fixture_port.gid);
	CHECK_EQUAL(b.fake.sent[0].packet.lid, INFORM_SM_LID);
	CHECK_EQUAL(b.fake.sent[0].packet.sl, 3);
	CHECK_EQUAL(b.fake.sent[0].timeout_ms, INFORM_ANSWER_MS);
	CHECK(!inform_is_active(b.inform));
	inform_fixture_end(&b);
}

static void test_subnet(void)
{
	static const uint8_t no_gid[16];
	struct inform_fixture b;

	inform_fixture_begin(&b, true);
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_check_set(&b.fake.sent[0], true, no_gid);
	inform_fixture_end(&b);
}

static void test_confirmed(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	inform_fixture_turn(&b);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 0);
	CHECK(inform_fixture_answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	CHECK_EQUAL(logged_with("subscribed to traps with the SA at LID 1"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	CHECK_EQUAL(inform_fixture_turn(&b), b.now + INFORM_REFRESH_MS);
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_end(&b);
}

/* A success of opensm ends with the InformInfo; the kernel puts the agent into the upper TransactionID. */
static void test_short_answer(void)
{
	struct mail mail;
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	inform_fixture_turn(&b);
	mail = fake_transport_answer(fake_transport_last(&b.fake), 0);
	mail.size = 92;
	memcpy(mail.mad + 8, "\x00\x02\x00\x05", 4);
	CHECK(inform_fixture_take(&b, mail));
	CHECK(inform_is_active(b.inform));
	inform_fixture_end(&b);
}

static void test_answer_once(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	inform_fixture_turn(&b);
	CHECK(inform_fixture_answer(&b, 0));
	CHECK(!inform_fixture_answer(&b, 0x0700));
	CHECK(inform_is_active(b.inform));
	inform_fixture_end(&b);
}

/* ---- renewing ---- */

static void test_refresh(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	for (unsigned i = 0; i < 5; i++) {
		b.now = inform_fixture_turn(&b) - 1;
		inform_fixture_turn(&b);
		CHECK_EQUAL(b.fake.count, i);
		b.now++;
		inform_fixture_turn(&b);
		CHECK_EQUAL(b.fake.count, i + 1);
		inform_fixture_check_set(fake_transport_last(&b.fake), true, inform_fixture_port.gid);
		CHECK(inform_is_active(b.inform));
		b.now += 5;
		CHECK(inform_fixture_answer(&b, 0));
		CHECK_EQUAL(inform_fixture_turn(&b), b.now + INFORM_REFRESH_MS);
	}
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 0);
	inform_fixture_end(&b);
}

/* A renewal may be wanted sooner, but one at a time, and only of what is in force. */
static void test_hurry(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	inform_confirm(b.inform, b.now);
	inform_fixture_turn(&b);
	b.now++;
	inform_confirm(b.inform, b.now);
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_answer(&b, 0);
	b.now += 1000;
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 1);
	inform_confirm(b.inform, b.now);
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 2);
	inform_fixture_check_set(fake_transport_last(&b.fake), true, inform_fixture_port.gid);
	inform_confirm(b.inform, b.now); /* it is under way */
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 2);
	CHECK(inform_is_active(b.inform));
	inform_fixture_advance(&b, 3000);
	CHECK(!inform_is_active(b.inform));
	inform_confirm(b.inform, b.now); /* the back-off continues */
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 2);
	inform_fixture_end(&b);
}

/* The SA may have forgotten the subscription, or a request may be for one that is no more. */
static void test_renewed(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	b.now += 5;
	inform_restart(b.inform, b.now);
	CHECK(inform_is_active(b.inform));
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_check_set(fake_transport_last(&b.fake), true, inform_fixture_port.gid);

	/* while that is under way: its answer comes too late */
	inform_restart(b.inform, b.now);
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 2);
	CHECK(!inform_fixture_take(&b, fake_transport_answer(&b.fake.sent[0], 0)));
	CHECK(inform_fixture_answer(&b, 0));
	CHECK_EQUAL(inform_fixture_turn(&b), b.now + INFORM_REFRESH_MS);

	/* and while it has to be waited for */
	b.now += INFORM_REFRESH_MS;
	inform_fixture_turn(&b);
	CHECK(inform_fixture_lose(&b));
	CHECK_EQUAL(inform_fixture_turn(&b), b.now + 1000);
	inform_restart(b.inform, b.now);
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 4);
	CHECK(inform_fixture_answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	inform_fixture_end(&b);
}

/* ---- unsubscribing ---- */

static void test_unsubscribe(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	inform_fixture_end(&b);
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_check_set(&b.fake.sent[0], false, inform_fixture_port.gid);
	CHECK_EQUAL(b.fake.sent[0].packet.lid, INFORM_SM_LID);
	CHECK_EQUAL(b.fake.sent[0].packet.sl, 3);
	CHECK_EQUAL(b.fake.sent[0].timeout_ms, 0);
}

static void test_unsubscribe_unheld(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	inform_fixture_end(&b);
	CHECK_EQUAL(b.fake.count, 0);

	inform_fixture_begin(&b, false); /* the SA may have taken what it has not answered */
	inform_fixture_turn(&b);
	inform_fixture_end(&b);
	CHECK_EQUAL(b.fake.count, 2);

	inform_fixture_begin(&b, false);
	inform_fixture_turn(&b);
	inform_fixture_answer(&b, 0x0700);
	inform_fixture_end(&b);
	CHECK_EQUAL(b.fake.count, 1);

	inform_fixture_begin_subscribed(&b);
	b.local.active = false;
	inform_fixture_turn(&b);
	inform_fixture_end(&b);
	CHECK_EQUAL(b.fake.count, 0);
	inform_free(NULL);
}

static const struct unit_test tests[] = {
	{"the own port", test_own},
	{"the subnet", test_subnet},
	{"confirmed", test_confirmed},
	{"an answer of 92 bytes", test_short_answer},
	{"an answer comes once", test_answer_once},
	{"renewed", test_refresh},
	{"renewal in a hurry", test_hurry},
	{"subscribed again", test_renewed},
	{"unsubscribing", test_unsubscribe},
	{"nothing to unsubscribe", test_unsubscribe_unheld},
};

int main(void)
{
	return UNIT_MAIN("inform", tests);
}
