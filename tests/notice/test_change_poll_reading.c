// SPDX-License-Identifier: BSD-2-Clause
/* How a poll reads: how often, how many SMPs that costs, and what comes of an SMA in trouble. */
#include <infiniband/umad_sm.h>

#include "tests/notice/poll_fixture.h"
#include "tests/unit.h"

enum { OUTSTANDING = 4 /* SMPs at once */ };

static struct poll_fixture b;

/* Before the local port is known nothing is asked. */
static void test_unknown_port(void)
{
	poll_fixture_prepare_ca(&b);
	b.local.known = false;
	poll_fixture_open(&b, true);
	poll_fixture_advance(&b, 2 * POLL_INTERVAL_MS);
	CHECK_EQUAL(poll_fixture_asked(&b, FAKE_ANY), 0);
	CHECK_EQUAL(b.fake.count, 0);
	CHECK(b.rounds < 10);
	poll_fixture_end(&b);
}

/* ---- cost ---- */

static void test_cost(void)
{
	poll_fixture_prepare_switch(&b, 4);
	poll_fixture_begin(&b);
	CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_PORT_INFO), 5);
	CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_SWITCH_INFO), 1);
	CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_NODE_INFO), 1);
	CHECK_EQUAL(poll_fixture_asked(&b, FAKE_ANY), 7);
	poll_fixture_look(&b);
	CHECK_EQUAL(poll_fixture_asked(&b, FAKE_ANY), 13);
	poll_fixture_advance(&b, 4 * POLL_INTERVAL_MS);
	CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_PORT_INFO), 30);
	CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_SWITCH_INFO), 6);
	CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_NODE_INFO), 1);
	CHECK_EQUAL(fake_qp0_count_most(b.fixture.fake, UMAD_SM_ATTR_PORT_INFO), 6);
	CHECK(b.rounds < 100);
	poll_fixture_end(&b);
}

static void test_cost_of_ca(void)
{
	poll_fixture_prepare_ca(&b);
	poll_fixture_begin(&b);
	CHECK_EQUAL(poll_fixture_asked(&b, FAKE_ANY), 2);
	poll_fixture_look(&b);
	CHECK_EQUAL(poll_fixture_asked(&b, FAKE_ANY), 3);
	CHECK_EQUAL(fake_qp0_count_block(b.fixture.fake, POLL_CA_PORT, UMAD_SM_ATTR_PORT_INFO, POLL_CA_PORT),
	            2);
	poll_fixture_end(&b);
}

static void test_outstanding(void)
{
	poll_fixture_prepare_switch(&b, SMA_MAX_PORTS);
	fake_qp0_delay(b.fixture.fake, FAKE_ANY, 10);
	poll_fixture_open(&b, false);
	poll_fixture_advance(&b, 2 * POLL_INTERVAL_MS);
	CHECK(fake_qp0_most_pending(b.fixture.fake) <= OUTSTANDING);
	CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_PORT_INFO), 2 * (SMA_MAX_PORTS + 1));
	poll_fixture_set_state(&b, SMA_MAX_PORTS, 1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_end(&b);
}

/* What the cache has of ports and switch is too old, whatever its age. */
static void test_cached(void)
{
	static const unsigned ages[] = {0, 40000, 1000000};

	for (size_t i = 0; i < UNIT_COUNT(ages); i++) {
		unit_case("cache time %u ms", ages[i]);
		poll_fixture_prepare_switch(&b, 4);
		b.fixture.config.age_ms[SMA_PortInfo] = ages[i];
		b.fixture.config.age_ms[SMA_SwitchInfo] = ages[i];
		poll_fixture_begin(&b);
		poll_fixture_set_state(&b, 3, 1);
		poll_fixture_look(&b);
		CHECK_EQUAL(b.reported, 1);
		CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_PORT_INFO), 10);
		CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_SWITCH_INFO), 2);
		CHECK_EQUAL(poll_fixture_asked(&b, UMAD_SM_ATTR_NODE_INFO), 1);
		poll_fixture_end(&b);
	}
	unit_case(NULL);
}

/* ---- an SMA in trouble ---- */

static void test_silent(void)
{
	poll_fixture_prepare_switch(&b, 8);
	poll_fixture_begin(&b);
	fake_qp0_fault(b.fixture.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	fake_qp0_forget_counts(b.fixture.fake);
	b.rounds = 0;
	for (unsigned i = 0; i < 60; i++) {
		poll_fixture_look(&b);
		poll_fixture_round(&b);
		CHECK(b.wake > b.fixture.now);
	}
	CHECK_EQUAL(b.reported, 0);
	CHECK(poll_fixture_asked(&b, FAKE_ANY) < 200);
	CHECK(b.rounds < 2000);
	fake_qp0_fault(b.fixture.fake, FAKE_ANY, FAKE_NONE, FAKE_FOREVER);
	poll_fixture_advance(&b, POLL_NODE_AGE_MS * 10);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_set_state(&b, 7, 1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_end(&b);
}

static void test_silent_from_the_start(void)
{
	poll_fixture_prepare_switch(&b, 8);
	fake_qp0_fault(b.fixture.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	poll_fixture_open(&b, false);
	poll_fixture_advance(&b, 10 * POLL_INTERVAL_MS);
	CHECK_EQUAL(b.reported, 0);
	CHECK(b.rounds < 500);
	fake_qp0_fault(b.fixture.fake, FAKE_ANY, FAKE_NONE, FAKE_FOREVER);
	poll_fixture_advance(&b, 30 * POLL_INTERVAL_MS);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_set_state(&b, 7, 1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_end(&b);
}

/* One block that is refused takes nothing else with it, and what it says later is compared as before. */
static void test_one_refused(void)
{
	poll_fixture_prepare_switch(&b, 8);
	poll_fixture_begin(&b);
	fake_qp0_set_status(b.fixture.fake, 0, UMAD_SM_ATTR_PORT_INFO, 4, 0x1C);
	poll_fixture_set_state(&b, 8, 1);
	poll_fixture_advance(&b, 3 * POLL_INTERVAL_MS);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_advance(&b, 10 * POLL_INTERVAL_MS);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_set_state(&b, 4, 1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 2);
	poll_fixture_end(&b);
}

/* Readings that take longer than they may: never two at once, and what was seen counts. */
static void test_slow(void)
{
	poll_fixture_prepare_switch(&b, 40);
	b.fixture.config.timeout_ms = 60000;
	poll_fixture_begin(&b);
	fake_qp0_delay(b.fixture.fake, FAKE_ANY, 3000);
	fake_qp0_forget_counts(b.fixture.fake);
	poll_fixture_set_mask(&b, 7);
	poll_fixture_advance(&b, 10 * POLL_INTERVAL_MS);
	CHECK(fake_qp0_most_pending(b.fixture.fake) <= OUTSTANDING);
	CHECK(poll_fixture_asked(&b, FAKE_ANY) <= OUTSTANDING * 10 * POLL_INTERVAL_MS / 3000);
	CHECK_EQUAL(b.reported, 1);
	CHECK_EQUAL(notice_trap(poll_fixture_last(&b)), 144);
	poll_fixture_end(&b);
}

static const struct unit_test tests[] = {
	{"before the local port is known", test_unknown_port},
	{"SMPs on a switch", test_cost},
	{"SMPs on a CA", test_cost_of_ca},
	{"SMPs at once", test_outstanding},
	{"cache times", test_cached},
	{"an SMA that falls silent", test_silent},
	{"an SMA that does not answer", test_silent_from_the_start},
	{"one block is refused", test_one_refused},
	{"readings that take too long", test_slow},
};

int main(void)
{
	return UNIT_MAIN("poll reading", tests);
}
