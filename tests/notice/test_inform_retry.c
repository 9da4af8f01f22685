// SPDX-License-Identifier: BSD-2-Clause
/* The subscription to traps when it fails: what is said, and after which back-off it is tried again. */
#include <errno.h>

#include "sma/log.h"
#include "tests/logged.h"
#include "tests/notice/inform_fixture.h"
#include "tests/unit.h"

/* The last request came to nothing at `now`: the next is sent after a back-off, not a millisecond before. */
static void check_backoff(struct inform_fixture *b, unsigned seconds)
{
	unsigned count = b->fake.count;

	CHECK(!inform_is_active(b->inform));
	CHECK_EQUAL(inform_fixture_turn(b), b->now + seconds * 1000);
	b->now += seconds * 1000 - 1;
	inform_fixture_turn(b);
	CHECK_EQUAL(b->fake.count, count);
	b->now++;
	inform_fixture_turn(b);
	CHECK_EQUAL(b->fake.count, count + 1);
}

static const unsigned backoff_s[] = {1, 2, 4, 8, 16, 32, 60, 60, 60};

static void test_lost(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	inform_fixture_turn(&b);
	for (size_t i = 0; i < UNIT_COUNT(backoff_s); i++) {
		b.now += INFORM_ANSWER_MS;
		CHECK(inform_fixture_lose(&b));
		check_backoff(&b, backoff_s[i]);
		inform_fixture_check_set(fake_transport_last(&b.fake), true, inform_fixture_port.gid);
	}
	CHECK_EQUAL(logged_with("no subscription to traps with the SA at LID 1: no answer"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	CHECK(inform_fixture_answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	CHECK_EQUAL(logged_with("subscribed to traps with the SA at LID 1"), 1);

	/* and from 1 s again */
	b.now = inform_fixture_turn(&b);
	inform_fixture_turn(&b);
	CHECK(inform_fixture_lose(&b));
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 2);
	check_backoff(&b, 1);
	inform_fixture_end(&b);
}

/* Neither an answer nor the time-out arrives. */
static void test_lost_twice(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	inform_fixture_advance(&b, INFORM_ANSWER_MS);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	while (!logged_with("no answer") && b.now < 10000)
		inform_fixture_advance(&b, 1);
	CHECK(b.now <= 1000 + 3000);
	check_backoff(&b, 1);
	inform_fixture_end(&b);
}

struct refusal {
	uint16_t status;
	const char *line;
};

/* IBA 13.4.7 and 15.4.1: the upper byte is the class's own. */
static const struct refusal refusals[] = {
	{0x0001, "status 0x0001 (busy)"},
	{0x0004, "status 0x0004 (version not supported)"},
	{0x0008, "status 0x0008 (method not supported)"},
	{0x000C, "status 0x000c (attribute not supported)"},
	{0x001C, "status 0x001c (invalid value in a component or the modifier)"},
	{0x0100, "status 0x0100 (no resources)"},
	{0x0200, "status 0x0200 (request invalid)"},
	{0x0300, "status 0x0300 (no records)"},
	{0x0400, "status 0x0400 (too many records)"},
	{0x0500, "status 0x0500 (invalid GID)"},
	{0x0600, "status 0x0600 (insufficient components)"},
	{0x0700, "status 0x0700 (request denied)"},
	{0x0704, "status 0x0704 (request denied)"},
	{0x0800, "status 0x0800 (priority suggested)"},
	{0x0900, "status 0x0900 (unknown status)"},
	{0xFF00, "status 0xff00 (unknown status)"},
};

static void test_refused(void)
{
	for (size_t i = 0; i < UNIT_COUNT(refusals); i++) {
		struct inform_fixture b;

		unit_case("status 0x%04x", refusals[i].status);
		inform_fixture_begin(&b, false);
		inform_fixture_turn(&b);
		for (unsigned n = 0; n < 3; n++) {
			CHECK(inform_fixture_answer(&b, refusals[i].status));
			check_backoff(&b, 1U << n);
		}
		CHECK_EQUAL(logged_with(refusals[i].line), 1);
		CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
		inform_fixture_end(&b);
	}
}

static void test_unsendable(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	b.fake.result = -ENODEV;
	CHECK_EQUAL(inform_fixture_turn(&b), b.now + 1000);
	b.now += 1000;
	CHECK_EQUAL(inform_fixture_turn(&b), b.now + 2000);
	CHECK_EQUAL(logged_with("No such device"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	b.fake.result = 0;
	b.now += 2000;
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 1);
	CHECK(inform_fixture_answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	inform_fixture_end(&b);

	inform_fixture_begin(&b, false);
	b.fake.result = -EBUSY;
	inform_fixture_turn(&b);
	CHECK_EQUAL(logged_with("another program on this port takes the Reports"), 1);
	inform_fixture_end(&b);
}

static void test_refresh_refused(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	b.now = inform_fixture_turn(&b);
	inform_fixture_turn(&b);
	CHECK(inform_fixture_answer(&b, 0x0200));
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	check_backoff(&b, 1);
	CHECK(inform_fixture_answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	CHECK_EQUAL(logged_with("subscribed to traps with the SA at LID 1"), 1);
	inform_fixture_end(&b);
}

/* A change ends the back-off, and what was asked before it is forgotten. */
static void test_change_while_failing(void)
{
	struct fake_sent old;
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	inform_fixture_turn(&b);
	old = *fake_transport_last(&b.fake);
	b.local.sm_lid = 5;
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 2);
	CHECK(!inform_fixture_take(&b, fake_transport_unanswered(&old)));
	CHECK(!inform_fixture_take(&b, fake_transport_answer(&old, 0)));
	for (unsigned i = 0; i < 4; i++) {
		inform_fixture_answer(&b, 0x0700);
		b.now = inform_fixture_turn(&b);
		inform_fixture_turn(&b);
	}
	inform_fixture_answer(&b, 0x0700);
	b.now += 10;
	b.local.sm_lid = 6;
	inform_fixture_turn(&b);
	CHECK_EQUAL(fake_transport_last(&b.fake)->packet.lid, 6);
	inform_fixture_answer(&b, 0x0700);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 2);
	check_backoff(&b, 1);
	inform_fixture_end(&b);
}

static const struct unit_test tests[] = {
	{"no answer: back-off from 1 s to 60 s", test_lost},
	{"neither answer nor time-out", test_lost_twice},
	{"refused", test_refused},
	{"not sent", test_unsendable},
	{"renewal refused", test_refresh_refused},
	{"a change while it does not work", test_change_while_failing},
};

int main(void)
{
	return UNIT_MAIN("inform retry", tests);
}
