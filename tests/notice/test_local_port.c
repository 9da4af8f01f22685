// SPDX-License-Identifier: BSD-2-Clause
/* What is known of the management port, and what it costs to know it. */
#include <infiniband/umad_sm.h>

#include "sma/notice/local_port.h"
#include "tests/logged.h"
#include "tests/node/node_fixture.h"
#include "tests/unit.h"

enum { INTERVAL = 10000, GIVE_UP = 5000, FORMER = 30000, WANT = 1000, CA_PORT = 2 };

static struct fixture b;
static struct local_port_reader *reader;
static uint64_t wake;
static unsigned rounds;

static uint8_t *port_info(unsigned port)
{
	return fake_qp0_data(b.fake, port, UMAD_SM_ATTR_PORT_INFO, port);
}

static uint8_t *node_info(unsigned port)
{
	return fake_qp0_data(b.fake, port, UMAD_SM_ATTR_NODE_INFO, 0);
}

/* An SMA of port 0 of a switch or of port 2 of a CA, in state Active. */
static void prepare(unsigned port)
{
	fixture_init(&b, NULL);
	sma_component_set(node_info(port), SMA_NodeInfo_NodeType, port ? SMA_NODE_CA : SMA_NODE_SWITCH);
	sma_component_set(node_info(port), SMA_NodeInfo_NumPorts, 2);
	sma_component_set(node_info(port), SMA_NodeInfo_NodeGUID, 0x0002C90300001000);
	sma_component_set(node_info(port), SMA_NodeInfo_PortGUID, 0x0002C90300001002);
	sma_component_set(port_info(port), SMA_PortInfo_GidPrefix, 0xFE80000000000000);
	sma_component_set(port_info(port), SMA_PortInfo_LID, 0x1234);
	sma_component_set(port_info(port), SMA_PortInfo_MasterSMLID, 0x0102);
	sma_component_set(port_info(port), SMA_PortInfo_MasterSMSL, 11);
	sma_component_set(port_info(port), SMA_PortInfo_LMC, 3);
	sma_component_set(port_info(port), SMA_PortInfo_PortState, 4);
}

static void begin(void)
{
	logged_start(false);
	fixture_open(&b);
	reader = local_port_new(b.node, INTERVAL);
	rounds = 0;
}

static void end(void)
{
	local_port_free(reader);
	fixture_close(&b);
	logged_stop();
}

static uint64_t run(void *arg, uint64_t now)
{
	(void)arg;
	rounds++;
	wake = local_port_run(reader, now);
	return wake;
}

static void advance(uint64_t ms)
{
	fixture_run(&b, ms, run, NULL);
}

static void read_port(unsigned port)
{
	begin();
	CHECK(!local_port_get(reader)->known);
	advance(10);
	unit_case("port %u", port);
	CHECK(local_port_get(reader)->known);
}

static void set_lid(uint16_t lid, unsigned lmc)
{
	sma_component_set(port_info(CA_PORT), SMA_PortInfo_LID, lid);
	sma_component_set(port_info(CA_PORT), SMA_PortInfo_LMC, lmc);
}

static bool is_own(uint16_t lid)
{
	return local_port_has_lid(reader, lid, b.now);
}

static unsigned asked(uint16_t attribute)
{
	return fake_qp0_count(b.fake, attribute);
}

/* ---- values ---- */

static void test_values(void)
{
	static const uint8_t gid[16] = {0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 0xC9, 3, 0, 0, 0x10, 2};
	static const unsigned ports[] = {0, CA_PORT};

	for (size_t i = 0; i < UNIT_COUNT(ports); i++) {
		const struct local_port *local;

		prepare(ports[i]);
		read_port(ports[i]);
		local = local_port_get(reader);
		CHECK(local->active);
		CHECK_EQUAL(local->lid, 0x1234);
		CHECK_EQUAL(local->lmc, 3);
		CHECK_EQUAL(local->sm_lid, 0x0102);
		CHECK_EQUAL(local->sm_sl, 11);
		CHECK_EQUAL(local->type, ports[i] ? 1 : 2);
		CHECK_OCTETS(local->gid, gid, sizeof(gid));
		end();
	}
}

/* A port without LID may say 0xFFFF. */
static void test_lids(void)
{
	static const uint16_t lids[][2] = {{0, 0},      {1, 1},      {0xBFFF, 0xBFFF},
	                                   {0xC000, 0}, {0xFFFE, 0}, {0xFFFF, 0}};

	for (size_t i = 0; i < UNIT_COUNT(lids); i++) {
		prepare(CA_PORT);
		sma_component_set(port_info(CA_PORT), SMA_PortInfo_LID, lids[i][0]);
		sma_component_set(port_info(CA_PORT), SMA_PortInfo_MasterSMLID, lids[i][0]);
		read_port(CA_PORT);
		unit_case("LID 0x%04x", lids[i][0]);
		CHECK_EQUAL(local_port_get(reader)->lid, lids[i][1]);
		CHECK_EQUAL(local_port_get(reader)->sm_lid, lids[i][1]);
		end();
	}
}

static void test_states(void)
{
	static const struct {
		unsigned port, state;
		bool active;
	} states[] = {
		{CA_PORT, 0, false}, {CA_PORT, 1, false}, {CA_PORT, 2, false}, {CA_PORT, 3, false},
		{CA_PORT, 4, true},  {CA_PORT, 5, false}, {0, 0, true},        {0, 1, false},
		{0, 2, false},       {0, 3, false},       {0, 4, true},
	};

	for (size_t i = 0; i < UNIT_COUNT(states); i++) {
		prepare(states[i].port);
		sma_component_set(port_info(states[i].port), SMA_PortInfo_PortState, states[i].state);
		read_port(states[i].port);
		unit_case("port %u, state %u", states[i].port, states[i].state);
		CHECK_EQUAL(local_port_get(reader)->active, states[i].active);
		end();
	}
}

static void test_own_lid(void)
{
	static const struct {
		uint16_t base, lid;
		unsigned lmc;
		bool own;
	} cases[] = {
		{8, 8, 0, true},           {8, 7, 0, false},      {8, 9, 0, false},    {8, 8, 3, true},
		{8, 15, 3, true},          {8, 16, 3, false},     {8, 7, 3, false},    {0, 0, 0, false},
		{0, 1, 7, false},          {8, 0, 3, false},      {128, 255, 7, true}, {128, 256, 7, false},
		{0xBFFF, 0xBFFF, 0, true}, {8, 0xFFFF, 7, false},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		prepare(CA_PORT);
		set_lid(cases[i].base, cases[i].lmc);
		read_port(CA_PORT);
		unit_case("case %zu", i);
		CHECK_EQUAL(is_own(cases[i].lid), cases[i].own);
		end();
	}
}

/* Traps that were sent with the LID before are under way for a while. */
static void test_former_lid(void)
{
	prepare(CA_PORT);
	set_lid(8, 2);
	read_port(CA_PORT);
	set_lid(100, 0);
	advance(INTERVAL + 10);
	unit_case("once it is known that it changed");
	CHECK(is_own(100));
	CHECK(is_own(8) && is_own(11));
	CHECK(!is_own(7) && !is_own(12) && !is_own(0));
	unit_case("which is so when a reading has ended");
	advance(FORMER - 30);
	CHECK(is_own(8) && is_own(11));
	advance(20);
	CHECK(!is_own(8) && !is_own(11));
	CHECK(is_own(100));
	end();
}

/* A change of LMC alone, and a LID that is taken away. */
static void test_former_lmc(void)
{
	prepare(CA_PORT);
	set_lid(8, 3);
	read_port(CA_PORT);
	set_lid(8, 0);
	advance(INTERVAL + 10);
	CHECK(is_own(8) && is_own(15));
	set_lid(0, 0);
	advance(2 * INTERVAL);
	CHECK(is_own(8) && is_own(15) && !is_own(0));
	advance(INTERVAL + 20);
	CHECK(is_own(8) && !is_own(15)); /* each for its own 30 s */
	advance(2 * INTERVAL);
	CHECK(!is_own(8));
	end();
}

/* The last of many. */
static void test_former_lids(void)
{
	enum { CHANGES = 100 };

	prepare(CA_PORT);
	read_port(CA_PORT);
	for (uint16_t lid = 1; lid <= CHANGES; lid++) {
		set_lid(lid, 0);
		local_port_refresh_now(reader);
		advance(10);
	}
	CHECK(is_own(CHANGES) && is_own(CHANGES - 1) && is_own(CHANGES - 8));
	CHECK(!is_own(CHANGES - 9) && !is_own(0));
	end();
}

/* ---- reading ---- */

static void test_hurries(void)
{
	prepare(CA_PORT);
	read_port(CA_PORT);
	sma_component_set(port_info(CA_PORT), SMA_PortInfo_LID, 77);
	advance(INTERVAL / 2);
	CHECK_EQUAL(local_port_get(reader)->lid, 0x1234);
	local_port_refresh_now(reader);
	advance(20);
	CHECK_EQUAL(local_port_get(reader)->lid, 77);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 2);
	end();
}

/* Wanted as they are now: soon, but however often they are wanted no more than once a second. */
static void test_wanted(void)
{
	uint64_t when;

	prepare(CA_PORT);
	read_port(CA_PORT);
	when = b.now;
	CHECK(!local_port_is_current(reader, when));
	set_lid(77, 0);
	local_port_refresh_soon(reader, when);
	advance(WANT - 20);
	CHECK_EQUAL(local_port_get(reader)->lid, 0x1234);
	CHECK_EQUAL(wake, BENCH_START + WANT);
	advance(20);
	CHECK_EQUAL(local_port_get(reader)->lid, 77);
	CHECK(local_port_is_current(reader, when) && !local_port_is_current(reader, b.now));
	local_port_refresh_soon(reader, when); /* they are */
	advance(INTERVAL / 2);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 2);
	local_port_refresh_soon(reader, b.now);
	advance(10);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 3);
	for (unsigned i = 0; i < 100; i++) {
		local_port_refresh_soon(reader, b.now);
		advance(INTERVAL / 100);
	}
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 3 + INTERVAL / WANT);
	end();
}

/* A reading that is under way began too early. */
static void test_wanted_while_reading(void)
{
	prepare(CA_PORT);
	fake_qp0_delay(b.fake, UMAD_SM_ATTR_PORT_INFO, 100);
	begin();
	CHECK(!local_port_is_current(reader, 0));
	advance(50);
	local_port_refresh_soon(reader, BENCH_START); /* as of its begin */
	advance(60);
	CHECK(local_port_is_current(reader, BENCH_START));
	CHECK_EQUAL(wake, BENCH_START + INTERVAL + 100);
	advance(INTERVAL + 40);
	local_port_refresh_soon(reader, b.now);
	advance(60);
	CHECK(!local_port_is_current(reader, b.now - 60));
	advance(WANT);
	CHECK(local_port_is_current(reader, b.now - WANT - 60));
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 3);
	end();
}

/* Where there is no answer what was wanted comes to its end as well. */
static void test_wanted_in_vain(void)
{
	uint64_t when;

	prepare(CA_PORT);
	read_port(CA_PORT);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	advance(WANT);
	when = b.now;
	local_port_refresh_soon(reader, when);
	advance(GIVE_UP + 10);
	CHECK(local_port_is_current(reader, when));
	CHECK_EQUAL(local_port_get(reader)->lid, 0x1234);
	end();
}

/* What is under way may be older. */
static void test_hurries_while_reading(void)
{
	prepare(CA_PORT);
	begin();
	local_port_run(reader, b.now);
	sma_node_expire(b.node, 1U << SMA_PortInfo);
	local_port_refresh_now(reader);
	advance(20);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 2);
	CHECK_EQUAL(wake, b.now + INTERVAL - 20);
	end();
}

static void test_follows(void)
{
	prepare(CA_PORT);
	read_port(CA_PORT);
	sma_component_set(port_info(CA_PORT), SMA_PortInfo_LID, 77);
	sma_component_set(port_info(CA_PORT), SMA_PortInfo_PortState, 1);
	advance(INTERVAL - 20);
	CHECK_EQUAL(local_port_get(reader)->lid, 0x1234);
	advance(20);
	CHECK_EQUAL(local_port_get(reader)->lid, 77);
	CHECK(!local_port_get(reader)->active);
	end();
}

/* One PortInfo each interval; NodeInfo only when it may no longer be used. */
static void test_cost(void)
{
	prepare(CA_PORT);
	begin();
	advance(10);
	CHECK_EQUAL(asked(FAKE_ANY), 2);
	advance(INTERVAL);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 2);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_NODE_INFO), 1);
	advance(58 * INTERVAL);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 60);
	CHECK(asked(UMAD_SM_ATTR_NODE_INFO) <= 6);
	CHECK_EQUAL(asked(FAKE_ANY), asked(UMAD_SM_ATTR_PORT_INFO) + asked(UMAD_SM_ATTR_NODE_INFO));
	CHECK(rounds < 500);
	end();
}

/* What the cache time is does not matter, nor what others have read since. */
static void test_age(void)
{
	static const unsigned ages[] = {0, 1000, 40000, 1000000};

	for (size_t i = 0; i < UNIT_COUNT(ages); i++) {
		unit_case("cache time %u ms", ages[i]);
		prepare(CA_PORT);
		b.config.age_ms[SMA_PortInfo] = ages[i];
		begin();
		advance(INTERVAL / 2);
		sma_component_set(port_info(CA_PORT), SMA_PortInfo_LID, 77);
		advance(INTERVAL / 2 + 10);
		CHECK_EQUAL(local_port_get(reader)->lid, 77);
		advance(8 * INTERVAL);
		CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 10);
		end();
	}
	unit_case(NULL);
}

/* ---- trouble ---- */

static void test_silent(void)
{
	prepare(CA_PORT);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	begin();
	for (unsigned i = 0; i < 60; i++) {
		run(NULL, b.now);
		CHECK(wake > b.now);
		advance(10000);
	}
	CHECK(!local_port_get(reader)->known);
	CHECK(rounds < 1000);
	CHECK(asked(FAKE_ANY) < 300);
	end();
}

static void test_keeps(void)
{
	prepare(CA_PORT);
	read_port(CA_PORT);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	advance(600000);
	CHECK(local_port_get(reader)->known);
	CHECK_EQUAL(local_port_get(reader)->lid, 0x1234);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_NONE, FAKE_FOREVER);
	sma_component_set(port_info(CA_PORT), SMA_PortInfo_LID, 77);
	advance(600000);
	CHECK_EQUAL(local_port_get(reader)->lid, 77);
	end();
}

/* Facts are whole: without PortInfo, NodeInfo says nothing, and the other way round. */
static void test_half(void)
{
	static const uint16_t refused[] = {UMAD_SM_ATTR_PORT_INFO, UMAD_SM_ATTR_NODE_INFO};

	for (size_t i = 0; i < UNIT_COUNT(refused); i++) {
		prepare(CA_PORT);
		fake_qp0_refuse(b.fake, refused[i], 0x1C);
		begin();
		advance(100);
		CHECK(!local_port_get(reader)->known);
		fake_qp0_fault(b.fake, refused[i], FAKE_NONE, FAKE_FOREVER);
		advance(INTERVAL);
		CHECK(local_port_get(reader)->known);
		end();
	}
}

/* A reading that takes too long is given up; the next waits for the same request. */
static void test_give_up(void)
{
	prepare(CA_PORT);
	b.config.timeout_ms = 60000;
	b.config.retries = 0;
	fake_qp0_delay(b.fake, UMAD_SM_ATTR_PORT_INFO, GIVE_UP + INTERVAL + 1000);
	begin();
	advance(GIVE_UP - 1);
	CHECK_EQUAL(wake, BENCH_START + GIVE_UP);
	advance(2);
	CHECK_EQUAL(wake, BENCH_START + GIVE_UP + INTERVAL);
	advance(INTERVAL);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 1);
	CHECK(!local_port_get(reader)->known);
	advance(1000);
	CHECK(local_port_get(reader)->known);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 1);
	end();
}

static const struct unit_test tests[] = {
	{"what they say", test_values},
	{"LIDs that are none", test_lids},
	{"active or not", test_states},
	{"own LIDs", test_own_lid},
	{"the LID before", test_former_lid},
	{"another LMC, and no LID", test_former_lmc},
	{"many LIDs in a short time", test_former_lids},
	{"they follow the port", test_follows},
	{"a reading in a hurry", test_hurries},
	{"in a hurry while reading", test_hurries_while_reading},
	{"wanted as they are now", test_wanted},
	{"wanted while reading", test_wanted_while_reading},
	{"wanted in vain", test_wanted_in_vain},
	{"how many SMPs they cost", test_cost},
	{"cache times", test_age},
	{"an SMA that does not answer", test_silent},
	{"the last values stay", test_keeps},
	{"one of two blocks", test_half},
	{"a reading that takes too long", test_give_up},
};

int main(void)
{
	return UNIT_MAIN("local port", tests);
}
