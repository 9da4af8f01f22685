// SPDX-License-Identifier: BSD-2-Clause
/* Notices that report the same: each event is delivered once, and the last state in the end. */
#include "sma/iba/wire.h"
#include "tests/logged.h"
#include "tests/notice/sources_fixture.h"
#include "tests/unit.h"

enum { NEW_MASK = 0x0250C04A };

static void test_two_sources(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	notice_build(notice, SMA_TRAP_CAPABILITY, SMA_NODE_CA, OWN_LID);
	notice_set(notice, NOTICE_LIDADDR, OWN_LID);
	notice_set(notice, NOTICE_CAPABILITYMASK, NEW_MASK);
	sources_fixture_find(&b, SMA_NOTICE_POLL, notice, NULL);
	sources_fixture_find(&b, SMA_NOTICE_SA, notice, own_gid);
	CHECK_EQUAL(b.given, 1);
	CHECK_EQUAL(b.counters.repeated, 1);
	sources_fixture_run(&b, 16001); /* the window has ended */
	sources_fixture_find(&b, SMA_NOTICE_SA, notice, own_gid);
	CHECK_EQUAL(b.given, 2);
	sources_fixture_close(&b);
}

/* What the software SMA raises are events, of which none repeats another. */
static void test_software_events(void)
{
	static const unsigned traps[] = {SMA_TRAP_LINK_STATE, SMA_TRAP_LINK_INTEGRITY, SMA_TRAP_BAD_P_KEY};
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	for (unsigned i = 0; i < 4 * UNIT_COUNT(traps); i++)
		sources_fixture_find_trap(&b, SMA_NOTICE_SOFT, traps[i / 4], OWN_LID, NULL);
	CHECK_EQUAL(b.given, 4 * UNIT_COUNT(traps));
	CHECK_EQUAL(b.counters.repeated, 0);
	CHECK_EQUAL(sources_fixture_run(&b, 1001), 2001); /* the subscription's turn: no window ends */
	sources_fixture_run(&b, 60000);
	CHECK_EQUAL(b.given, 4 * UNIT_COUNT(traps));
	sources_fixture_close(&b);
}

/* In a flood of bad keys, each another, the last state is delivered at the end of its window. */
static void test_last_state_in_a_flood(void)
{
	enum { KEYS = 5000 };
	uint8_t notice[SMA_BLOCK_SIZE];
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	sources_fixture_report_twice(&b);
	notice_build(notice, SMA_TRAP_BAD_M_KEY, SMA_NODE_CA, OWN_LID);
	for (unsigned i = 0; i < KEYS; i++) {
		notice_set(notice, NOTICE_KEY, i);
		sources_fixture_find(&b, SMA_NOTICE_SA, notice, own_gid);
	}
	CHECK_EQUAL(b.given, 1 + KEYS);
	sources_fixture_run(&b, 15999);
	CHECK_EQUAL(b.given, 1 + KEYS);
	sources_fixture_run(&b, 16000);
	CHECK_EQUAL(b.given, 2 + KEYS);
	CHECK_EQUAL(notice_trap(b.last.data), SMA_TRAP_LINK_STATE);
	sources_fixture_close(&b);
}

/* What was heard again of notices that had to give way is in the log as well. */
static void test_log_of_a_flood(void)
{
	enum { KEYS = 5000 };
	uint8_t notice[SMA_BLOCK_SIZE];
	struct sources_fixture b;

	sources_fixture_init(&b);
	logged_start(false);
	sources_fixture_open(&b);
	notice_build(notice, SMA_TRAP_BAD_M_KEY, SMA_NODE_CA, OWN_LID);
	for (unsigned i = 0; i < 2 * KEYS; i++) {
		notice_set(notice, NOTICE_KEY, i / 2);
		sources_fixture_find(&b, SMA_NOTICE_SA, notice, own_gid);
	}
	CHECK_EQUAL(b.counters.repeated, KEYS);
	sources_fixture_run(&b, 16000);
	CHECK_EQUAL(logged_with("heard again and not sent again: 5000"), 1);
	sources_fixture_close(&b);
	logged_stop();
}

/* A flapping link: what was heard again within the window is delivered once more at its end. */
static void test_last_state(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	sources_fixture_report_twice(&b);
	CHECK(sources_fixture_run(&b, 1001) <= 16000);
	CHECK_EQUAL(b.given, 1);
	sources_fixture_run(&b, 16000);
	CHECK_EQUAL(b.given, 2);
	CHECK_EQUAL(b.last.when, 16000);
	sources_fixture_close(&b);
}

/* A storm makes one log line a minute. */
static void test_log(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.config.repeat_ms = 1000;
	logged_start(false);
	sources_fixture_open(&b);
	for (uint64_t now = 1000; now < 61000; now += 100) {
		sources_fixture_find_trap(&b, SMA_NOTICE_SA, SMA_TRAP_BAD_P_KEY, OWN_LID, own_gid);
		sources_fixture_run(&b, now);
	}
	CHECK_EQUAL(logged_with("heard again"), 1);
	sources_fixture_run(&b, 70000);
	CHECK_EQUAL(logged_with("heard again"), 2);
	sources_fixture_close(&b);
	logged_stop();
}

/* The node takes a Trap, at a later time, before it is the sources' turn. */
static void test_when(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	sources_fixture_find_trap(&b, SMA_NOTICE_TRAP, SMA_TRAP_LINK_STATE, OWN_LID, NULL);
	CHECK_EQUAL(b.last.when, 1000);
	fake_qp0_process(b.sma, 16000);
	sources_fixture_find_trap(&b, SMA_NOTICE_TRAP, SMA_TRAP_LINK_STATE, OWN_LID, NULL);
	CHECK_EQUAL(b.given, 2);
	CHECK_EQUAL(b.last.when, 16000);
	sources_fixture_close(&b);
}

static const struct unit_test tests[] = {
	{"two sources", test_two_sources},
	{"events of the software SMA", test_software_events},
	{"last state", test_last_state},
	{"last state in a flood", test_last_state_in_a_flood},
	{"log of a flood", test_log_of_a_flood},
	{"log", test_log},
	{"when", test_when},
};

int main(void)
{
	return UNIT_MAIN("sources duplicates", tests);
}
