// SPDX-License-Identifier: BSD-2-Clause
/* Changes that a poll holds while another source covers them, and whether it reports them then. */
#include "tests/logged.h"
#include "tests/notice/poll_fixture.h"
#include "tests/unit.h"

enum { HOLD = 5000 };

static struct poll_fixture b;

static const struct {
	unsigned trap;
	enum sma_component component;
	unsigned port, value;
} changes[] = {
	{SMA_TRAP_LINK_STATE, SMA_PortInfo_PortState, 2, 1},
	{SMA_TRAP_CAPABILITY, SMA_PortInfo_CapabilityMask, 0, 1},
	{SMA_TRAP_SYSTEM_GUID, SMA_NodeInfo_SystemImageGUID, 0, 5},
};

/* Begin, covered, with a change that the next reading sees. */
static void begin_covered(size_t i)
{
	unit_case("trap %u", changes[i].trap);
	poll_fixture_prepare_switch(&b, 4);
	b.fixture.config.age_ms[SMA_NodeInfo] = 1;
	poll_fixture_begin(&b);
	b.covered = true;
	poll_fixture_set(&b, changes[i].component, changes[i].port, changes[i].value);
}

/* The reading that sees it has ended. */
static void see(void)
{
	poll_fixture_advance(&b, POLL_INTERVAL_MS);
	CHECK_EQUAL(b.reported, 0);
	CHECK(change_poll_wants_check(b.poll));
	CHECK(!change_poll_wants_check(b.poll));
}

/* The notice comes before the reading, or a little after it. */
static void test_heard(void)
{
	for (size_t i = 0; i < 2 * UNIT_COUNT(changes); i++) {
		bool before = i % 2;

		begin_covered(i / 2);
		if (before)
			change_poll_heard(b.poll, changes[i / 2].trap, b.fixture.now);
		see();
		poll_fixture_advance(&b, HOLD - 1000);
		if (!before)
			change_poll_heard(b.poll, changes[i / 2].trap, b.fixture.now);
		poll_fixture_advance(&b, 5 * POLL_INTERVAL_MS);
		CHECK_EQUAL(b.reported, 0);
		CHECK(!change_poll_wants_check(b.poll));
		b.covered = false;
		poll_fixture_advance(&b, 5 * POLL_INTERVAL_MS);
		CHECK_EQUAL(b.reported, 0);
		poll_fixture_end(&b);
	}
	unit_case(NULL);
}

/* A subnet manager that was started again confirms the subscription, but what was before is lost. */
static void test_unheard(void)
{
	for (size_t i = 0; i < UNIT_COUNT(changes); i++) {
		begin_covered(i);
		change_poll_heard(b.poll, changes[(i + 1) % UNIT_COUNT(changes)].trap, b.fixture.now);
		see();
		poll_fixture_advance(&b, HOLD - 200);
		CHECK_EQUAL(b.reported, 0);
		poll_fixture_advance(&b, 200);
		CHECK_EQUAL(b.reported, 1);
		CHECK_EQUAL(notice_trap(poll_fixture_last(&b)), changes[i].trap);
		CHECK_EQUAL(logged_with("seen by polling, and not reported otherwise: "), 1);
		poll_fixture_advance(&b, 5 * POLL_INTERVAL_MS);
		CHECK_EQUAL(b.reported, 1);
		poll_fixture_end(&b);
	}
	unit_case(NULL);
}

/* The subscription turns out not to be in force. */
static void test_lapse(void)
{
	for (size_t i = 0; i < UNIT_COUNT(changes); i++) {
		begin_covered(i);
		see();
		poll_fixture_advance(&b, 1000);
		b.covered = false;
		poll_fixture_round(&b);
		CHECK_EQUAL(b.reported, 1);
		poll_fixture_advance(&b, 5 * POLL_INTERVAL_MS);
		CHECK_EQUAL(b.reported, 1);
		poll_fixture_end(&b);
	}
	unit_case(NULL);
}

/* What was heard before the subnet manager died may have been about another change between the readings. */
static void test_heard_before_lapse(void)
{
	begin_covered(0);
	change_poll_heard(b.poll, SMA_TRAP_LINK_STATE, b.fixture.now);
	see();
	b.covered = false;
	poll_fixture_advance(&b, HOLD - 200);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_advance(&b, 200);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_end(&b);

	begin_covered(0); /* it is there again: the notice was about this one */
	change_poll_heard(b.poll, SMA_TRAP_LINK_STATE, b.fixture.now);
	see();
	b.covered = false;
	poll_fixture_advance(&b, 1000);
	b.covered = true;
	poll_fixture_advance(&b, HOLD);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_end(&b);

	begin_covered(0); /* it lapsed before the reading, and is there again soon */
	change_poll_heard(b.poll, SMA_TRAP_LINK_STATE, b.fixture.now);
	b.covered = false;
	see();
	b.covered = true;
	poll_fixture_advance(&b, HOLD);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_end(&b);
	unit_case(NULL);
}

/* A notice goes with the readings around it, not with later ones. */
static void test_heard_long_ago(void)
{
	begin_covered(0);
	poll_fixture_set_state(&b, 2, 4);
	poll_fixture_advance(&b, POLL_INTERVAL_MS / 2);
	change_poll_heard(b.poll, SMA_TRAP_LINK_STATE, b.fixture.now);
	poll_fixture_advance(&b, 2 * POLL_INTERVAL_MS);
	poll_fixture_set_state(&b, 3, 1);
	poll_fixture_advance(&b, POLL_INTERVAL_MS + HOLD);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_end(&b);
	unit_case(NULL);
}

/* A change that is undone while it is held is reported; of two the later is. */
static void test_held_twice(void)
{
	uint64_t mask = 0;

	poll_fixture_prepare_switch(&b, 4);
	b.interval = 1000;
	poll_fixture_begin(&b);
	b.covered = true;
	poll_fixture_set_mask(&b, 1);
	poll_fixture_set_state(&b, 2, 1);
	poll_fixture_advance(&b, 2000);
	poll_fixture_set_mask(&b, 0x11);
	poll_fixture_set_state(&b, 2, 4);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_advance(&b, HOLD);
	CHECK_EQUAL(b.reported, 2);
	CHECK_EQUAL(notice_trap(b.notices[0]), SMA_TRAP_LINK_STATE);
	CHECK_EQUAL(notice_trap(b.notices[1]), SMA_TRAP_CAPABILITY);
	CHECK_EQUAL(notice_get(b.notices[1], NOTICE_CAPABILITYMASK, &mask), 0);
	CHECK_EQUAL(mask, 0x11);
	poll_fixture_advance(&b, 5 * POLL_INTERVAL_MS);
	CHECK_EQUAL(b.reported, 2);
	poll_fixture_end(&b);
}

/* Before the poll ends. */
static void test_conclude(void)
{
	begin_covered(0);
	see();
	change_poll_flush(b.poll);
	CHECK_EQUAL(b.reported, 1);
	change_poll_flush(b.poll);
	poll_fixture_advance(&b, POLL_INTERVAL_MS);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_end(&b);

	begin_covered(0);
	change_poll_heard(b.poll, SMA_TRAP_LINK_STATE, b.fixture.now);
	see();
	change_poll_flush(b.poll);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_end(&b);
	unit_case(NULL);
}

static const struct unit_test tests[] = {
	{"another source reports it", test_heard},
	{"another source does not report it", test_unheard},
	{"another source lapses", test_lapse},
	{"another source reports it and lapses", test_heard_before_lapse},
	{"another source reported an earlier change", test_heard_long_ago},
	{"two changes in doubt", test_held_twice},
	{"the end of a doubt", test_conclude},
};

int main(void)
{
	return UNIT_MAIN("poll hold", tests);
}
