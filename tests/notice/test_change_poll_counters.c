// SPDX-License-Identifier: BSD-2-Clause
/* The counters that a poll looks at through QP1. */
#include "tests/logged.h"
#include "tests/notice/poll_fixture.h"
#include "tests/unit.h"

enum { AT_PORT_SELECT = 65, AT_COUNTERS = 83 /* of PortCounters, in a MAD */ };

enum { MANY_ROUNDS = 100000 /* more than it takes */ };

static struct poll_fixture b;

/* The answer to the last request: LocalLinkIntegrityErrors in the upper half of a byte, and
 * ExcessiveBufferOverrunErrors in the lower. */
static bool answer(uint8_t counters)
{
	struct mail mail = fake_transport_answer(fake_transport_last(&b.fake), 0);
	uint64_t strange = engine_strange(b.engine);

	mail.mad[AT_COUNTERS] = counters;
	fake_transport_post(&b.fake, &mail);
	engine_process(b.engine, b.fixture.now);
	return engine_strange(b.engine) == strange;
}

static void test_counters(void)
{
	static const uint8_t integrity[SMA_BLOCK_SIZE] = {0x81, 0, 0, 1, 0, 129,      0,           POLL_LID,
	                                                  0,    0, 0, 0, 0, POLL_LID, POLL_CA_PORT};
	static const uint8_t overrun[SMA_BLOCK_SIZE] = {0x81, 0, 0, 1, 0, 130,      0,           POLL_LID,
	                                                0,    0, 0, 0, 0, POLL_LID, POLL_CA_PORT};

	poll_fixture_prepare_ca(&b);
	poll_fixture_open(&b, true);
	poll_fixture_advance(&b, 100);
	CHECK_EQUAL(fake_transport_last(&b.fake)->packet.mad[AT_PORT_SELECT], POLL_CA_PORT);
	CHECK(answer(0x00));
	poll_fixture_look(&b);
	CHECK(answer(0x10));
	CHECK_EQUAL(b.reported, 1);
	CHECK_OCTETS(poll_fixture_last(&b), integrity, SMA_BLOCK_SIZE);
	CHECK_EQUAL(
		logged_with(
			"seen by polling: link integrity (trap 129): the counter of port 2 went from 0 to 1"),
		1);
	poll_fixture_look(&b);
	CHECK(answer(0x1F));
	CHECK_EQUAL(b.reported, 2);
	CHECK_OCTETS(poll_fixture_last(&b), overrun, SMA_BLOCK_SIZE);
	poll_fixture_end(&b);
}

/* QP1 is that of another device, whose port has another number. */
static void test_counters_elsewhere(void)
{
	poll_fixture_prepare_ca(&b);
	b.qp1_port = POLL_CA_PORT + 3;
	poll_fixture_open(&b, true);
	poll_fixture_advance(&b, 100);
	CHECK_EQUAL(fake_transport_last(&b.fake)->packet.mad[AT_PORT_SELECT], POLL_CA_PORT + 3);
	poll_fixture_end(&b);
}

static void test_counters_of_switch(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = {0x81, 0, 0, 2, 0, 129,      0, POLL_LID,
	                                               0,    0, 0, 0, 0, POLL_LID, 3};

	poll_fixture_prepare_switch(&b, 5);
	poll_fixture_open(&b, true);
	for (unsigned i = 0; i < 10; i++) {
		while (b.fake.count == i && b.rounds < MANY_ROUNDS)
			poll_fixture_advance(&b, 100);
		unit_case("request %u", i);
		CHECK_EQUAL(fake_transport_last(&b.fake)->packet.mad[AT_PORT_SELECT], i % 5 + 1);
		CHECK(answer(i == 7 ? 0x20 : 0x00));
	}
	CHECK_EQUAL(b.reported, 1);
	CHECK_OCTETS(poll_fixture_last(&b), wanted, SMA_BLOCK_SIZE);
	poll_fixture_end(&b);
}

static void test_without_qp1(void)
{
	poll_fixture_prepare_ca(&b);
	poll_fixture_begin(&b);
	CHECK_EQUAL(b.fake.count, 0);
	poll_fixture_end(&b);
	change_poll_free(NULL);
}

/* No other source reports counters. */
static void test_counters_covered(void)
{
	poll_fixture_prepare_ca(&b);
	b.covered = true;
	poll_fixture_open(&b, true);
	poll_fixture_advance(&b, 10);
	CHECK(answer(0x00));
	poll_fixture_look(&b);
	CHECK(answer(0x10));
	CHECK_EQUAL(b.reported, 1);
	CHECK_EQUAL(notice_trap(poll_fixture_last(&b)), 129);
	poll_fixture_end(&b);
}

static const struct unit_test tests[] = {
	{"counters of a CA", test_counters},
	{"counters of the port that QP1 is of", test_counters_elsewhere},
	{"counters of a switch", test_counters_of_switch},
	{"without QP1", test_without_qp1},
	{"counters while the rest is covered", test_counters_covered},
};

int main(void)
{
	return UNIT_MAIN("change poll counters", tests);
}
