// SPDX-License-Identifier: BSD-2-Clause
/* Polling: what is told of changes that are seen by reading, and what it costs to look. */
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/poll.h"
#include "tests/bench.h"
#include "tests/fake_qp1.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { INTERVAL = 10000, NODE_AGE = 60000, LID = 3, SL = 5, CA_PORT = 2, MAX_ROUNDS = 1000000 };
enum { MAX_NOTICES = 64, OUTSTANDING = 4 };

enum { AT_PORT_SELECT = 65, AT_COUNTERS = 83 /* of PortCounters, in a MAD */ };
enum { AT_MASK_END = 19 /* of a notice 144 */ };

static struct bench b;
static struct poll *poller;
static struct facts facts;
static bool covered;
static unsigned interval;
static uint64_t wake;
static unsigned rounds;

static struct {
	uint8_t data[MAX_NOTICES][SMA_BLOCK_SIZE];
	unsigned count;
} told;

static struct fake_qp1 qp1;

/* ---- the node ---- */

static uint8_t *port_info(unsigned port)
{
	return fake_qp0_data(b.fake, fake_qp0_port(b.fake), UMAD_SM_ATTR_PORT_INFO, port);
}

static uint8_t *node_info(void)
{
	return fake_qp0_data(b.fake, fake_qp0_port(b.fake), UMAD_SM_ATTR_NODE_INFO, 0);
}

static uint8_t *switch_info(void)
{
	return fake_qp0_data(b.fake, 0, UMAD_SM_ATTR_SWITCH_INFO, 0);
}

static void set_state(unsigned port, unsigned state)
{
	sma_component_set(port_info(port), SMA_PortInfo_PortState, state);
}

static void set_flag(unsigned flag)
{
	sma_component_set(switch_info(), SMA_SwitchInfo_PortStateChange, flag);
}

static void set_mask(uint32_t mask)
{
	sma_component_set(port_info(fake_qp0_port(b.fake)), SMA_PortInfo_CapabilityMask, mask);
}

static void change_link(void)
{
	set_state(2, 1);
}

static void change_mask(void)
{
	set_mask(1);
}

static void change_guid(void)
{
	sma_component_set(node_info(), SMA_NodeInfo_SystemImageGUID, 5);
}

static void prepare(unsigned port, unsigned type, unsigned ports)
{
	bench_init(&b, NULL);
	fake_qp0_data(b.fake, port, UMAD_SM_ATTR_NODE_INFO, 0);
	sma_component_set(node_info(), SMA_NodeInfo_NodeType, type);
	sma_component_set(node_info(), SMA_NodeInfo_NumPorts, ports);
	sma_component_set(node_info(), SMA_NodeInfo_SystemImageGUID, 0x0008F10400410010);
	set_mask(0x0250C048);
	set_state(port, 4);
	fake_qp1_init(&qp1);
	told.count = 0;
	covered = false;
	interval = INTERVAL;
	rounds = 0;
	facts = (struct facts){
		.known = true, .active = true, .lid = LID, .sm_lid = 1, .sm_sl = SL, .type = type};
	facts.gid[0] = 0xFE;
}

static void prepare_switch(unsigned ports)
{
	prepare(0, SMA_NODE_SWITCH, ports);
	set_flag(0);
	for (unsigned port = 1; port <= ports; port++)
		set_state(port, 4);
}

static void prepare_ca(void)
{
	prepare(CA_PORT, SMA_NODE_CA, 2);
}

/* ---- the loop ---- */

static void hear(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                 const uint8_t issuer_gid[16], uint32_t tid)
{
	CHECK(arg == &told);
	CHECK_EQUAL(source, SMA_NOTICE_POLL);
	CHECK_EQUAL(size, SMA_BLOCK_SIZE);
	CHECK_OCTETS(issuer_gid, facts.gid, sizeof(facts.gid));
	CHECK_EQUAL(tid, 0);
	CHECK_EQUAL(notice_judge(data, size), NOTICE_WANTED);
	if (CHECK(told.count < MAX_NOTICES))
		memcpy(told.data[told.count++], data, SMA_BLOCK_SIZE);
}

static void begin_with(struct sma_qp1 *with)
{
	logged_start(false);
	bench_open(&b);
	poller = poll_new(b.node, with, interval, hear, &told);
}

static void end(void)
{
	CHECK(rounds < MAX_ROUNDS);
	poll_free(poller);
	bench_close(&b);
	logged_stop();
}

/* A round of the loop. The number of MADs that came after it. */
static unsigned run_once(void)
{
	wake = poll_run(poller, &facts, covered, b.now);
	rounds++;
	return bench_settle(&b);
}

/* When something is due next. */
static uint64_t next_time(void)
{
	uint64_t next = fake_qp0_due(b.fake);

	next = b.wake < next ? b.wake : next;
	next = wake < next ? wake : next;
	return next > b.now ? next : b.now;
}

/* What is due now is done, then time goes on to when something is due. */
static void advance(uint64_t ms)
{
	uint64_t last = b.now + ms;

	do {
		while (bench_settle(&b) + run_once() > 0 && rounds < MAX_ROUNDS)
			continue;
		b.now = next_time() < last ? next_time() : last;
	} while (b.now < last && rounds < MAX_ROUNDS);
}

/* Begin, and take the values that are compared with. */
static void begin(void)
{
	begin_with(NULL);
	advance(100);
	CHECK_EQUAL(told.count, 0);
}

/* One more reading. */
static void look(void)
{
	advance(INTERVAL);
}

static unsigned asked(uint16_t attribute)
{
	return fake_qp0_count(b.fake, attribute);
}

static const uint8_t *last_told(void)
{
	static const uint8_t none[SMA_BLOCK_SIZE];

	return told.count ? told.data[told.count - 1] : none;
}

/* ---- 128 ---- */

static void test_link(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = {0x81, 0, 0, 2, 0, 128, 0, LID, 0, 0, 0, LID};

	prepare_switch(8);
	begin();
	set_state(5, 1);
	look();
	CHECK_EQUAL(told.count, 1);
	CHECK_OCTETS(last_told(), wanted, SMA_BLOCK_SIZE);
	CHECK_EQUAL(
		logged_with("seen by polling: link state (trap 128): PortState of port 5 is 1, was 4; ports"),
		1);
	CHECK_EQUAL(logged_level(SMA_LOG_INFO), 1);
	look();
	CHECK_EQUAL(told.count, 1);
	set_state(5, 2);
	look();
	CHECK_EQUAL(told.count, 2);
	end();
}

/* Whatever changed in one reading is one notice. */
static void test_links(void)
{
	prepare_switch(8);
	begin();
	set_state(1, 1);
	set_state(8, 2);
	set_flag(1);
	look();
	CHECK_EQUAL(told.count, 1);
	CHECK_EQUAL(logged_with("PortState of port 1 is 1, was 4; ports that changed: 2"), 1);
	look();
	CHECK_EQUAL(told.count, 1);
	end();
}

static void test_each_port(void)
{
	for (unsigned port = 1; port <= SMA_MAX_PORTS; port += 11) {
		prepare_switch(SMA_MAX_PORTS);
		begin();
		set_state(port, 1);
		look();
		unit_case("port %u", port);
		CHECK_EQUAL(told.count, 1);
		end();
	}
}

static void test_flag(void)
{
	static const struct {
		unsigned flag, notices;
	} steps[] = {{0, 0}, {1, 1}, {1, 1}, {0, 1}, {1, 2}, {0, 2}};

	prepare_switch(8);
	begin();
	for (size_t i = 0; i < UNIT_COUNT(steps); i++) {
		set_flag(steps[i].flag);
		look();
		unit_case("step %zu", i);
		CHECK_EQUAL(told.count, steps[i].notices);
	}
	CHECK_EQUAL(logged_with("PortStateChange was set"), 2);
	end();
}

/* The SM takes a port from Initialize by Armed to Active: no link has changed. Back is by Down. */
static void test_way_to_active(void)
{
	static const struct {
		unsigned state, told;
	} steps[] = {{2, 1}, {3, 1}, {4, 1}, {1, 2}, {4, 3}, {2, 4}};

	prepare_switch(8);
	begin();
	for (size_t i = 0; i < UNIT_COUNT(steps); i++) {
		unit_case("state %u", steps[i].state);
		set_state(5, steps[i].state);
		look();
		CHECK_EQUAL(told.count, steps[i].told);
	}
	unit_case(NULL);
	end();
}

/* That of port 0 is no data port's; other components are nothing that 128 is about. */
static void test_no_link(void)
{
	prepare_switch(8);
	begin();
	set_state(0, 2);
	sma_component_set(port_info(3), SMA_PortInfo_LinkWidthActive, 2);
	sma_component_set(port_info(3), SMA_PortInfo_CapabilityMask, 7);
	sma_component_set(switch_info(), SMA_SwitchInfo_LinearFDBTop, 12);
	look();
	CHECK_EQUAL(told.count, 0);
	end();
}

static void test_link_of_ca(void)
{
	prepare_ca();
	begin();
	set_state(CA_PORT, 1);
	look();
	CHECK_EQUAL(told.count, 0);
	end();
}

/* ---- 144 and 145 ---- */

static void test_mask(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = {0x84, 0, 0, 1,   0, 144, 0,    LID,  0,    0,
	                                               0,    0, 0, LID, 0, 0,   0x02, 0x50, 0xC0, 0x4A};

	prepare_ca();
	begin();
	set_mask(0x0250C04A); /* IsSM */
	look();
	CHECK_EQUAL(told.count, 1);
	CHECK_OCTETS(last_told(), wanted, SMA_BLOCK_SIZE);
	CHECK_EQUAL(logged_with("seen by polling: capability mask (trap 144): 0x0250c04a, was 0x0250c048"),
	            1);
	look();
	CHECK_EQUAL(told.count, 1);
	set_mask(0x0250C048);
	look();
	CHECK_EQUAL(told.count, 2);
	end();
}

static void test_mask_bits(void)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		prepare_switch(2);
		begin();
		set_mask(0x0250C048 ^ 1U << bit);
		look();
		unit_case("bit %u", bit);
		CHECK_EQUAL(told.count, 1);
		CHECK_EQUAL(last_told()[3], 2);
		CHECK_EQUAL(sma_notice_trap(last_told()), 144);
		end();
	}
}

static void test_guid(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = {0x84, 0,   0, 1, 0, 145, 0,    LID, 0, 0,    0, 0,
	                                               0,    LID, 0, 0, 0, 8,   0xF1, 4,   0, 0x41, 0, 0x15};

	prepare_ca();
	begin();
	sma_component_set(node_info(), SMA_NodeInfo_SystemImageGUID, 0x0008F10400410015);
	advance(NODE_AGE + INTERVAL);
	CHECK_EQUAL(told.count, 1);
	CHECK_OCTETS(last_told(), wanted, SMA_BLOCK_SIZE);
	CHECK_EQUAL(logged_with("seen by polling: system image GUID (trap 145): 0x0008f10400410015"), 1);
	advance(2 * NODE_AGE);
	CHECK_EQUAL(told.count, 1);
	end();
}

/* Nor do others of NodeInfo count. */
static void test_no_guid(void)
{
	prepare_ca();
	begin();
	sma_component_set(node_info(), SMA_NodeInfo_NodeGUID, 99);
	sma_component_set(node_info(), SMA_NodeInfo_PortGUID, 98);
	sma_node_expire(b.node, SMA_ALL_ATTRS);
	look();
	CHECK_EQUAL(told.count, 0);
	end();
}

/* ---- the LID ---- */

static void test_lid(void)
{
	static const uint16_t lids[] = {0x1234, 0xBFFF, 0};

	prepare_ca();
	begin();
	for (unsigned i = 0; i < UNIT_COUNT(lids); i++) {
		uint64_t lid = 1;

		facts.lid = lids[i];
		set_mask(i);
		look();
		unit_case("LID %u", lids[i]);
		CHECK_EQUAL(told.count, i + 1);
		CHECK_EQUAL(sma_notice_issuer(last_told()), lids[i]);
		CHECK_EQUAL(sma_notice_get(last_told(), SMA_NOTICE_LIDADDR, &lid), 0);
		CHECK_EQUAL(lid, lids[i]);
	}
	end();
}

/* Before the facts are known nothing is asked. */
static void test_no_facts(void)
{
	prepare_ca();
	facts.known = false;
	begin_with(&qp1.qp1);
	advance(2 * INTERVAL);
	CHECK_EQUAL(asked(FAKE_ANY), 0);
	CHECK_EQUAL(qp1.count, 0);
	CHECK(rounds < 10);
	end();
}

/* ---- covered ---- */

enum { HOLD = 5000 };

static const struct {
	const char *name;
	unsigned trap;
	void (*change)(void);
} changes[] = {
	{"128", SMA_TRAP_LINK_STATE, change_link},
	{"144", SMA_TRAP_CAPABILITY, change_mask},
	{"145", SMA_TRAP_SYSTEM_GUID, change_guid},
};

/* Begin, covered, with a change that the next reading sees. */
static void begin_covered(size_t i)
{
	unit_case("trap %s", changes[i].name);
	prepare_switch(4);
	b.config.age_ms[SMA_NodeInfo] = 1;
	begin();
	covered = true;
	changes[i].change();
}

/* The reading that sees it has ended. */
static void see(void)
{
	advance(INTERVAL);
	CHECK_EQUAL(told.count, 0);
	CHECK(poll_has_doubts(poller));
	CHECK(!poll_has_doubts(poller));
}

/* The notice comes before the reading, or a little after it. */
static void test_heard(void)
{
	for (size_t i = 0; i < 2 * UNIT_COUNT(changes); i++) {
		bool before = i % 2;

		begin_covered(i / 2);
		if (before)
			poll_heard(poller, changes[i / 2].trap, b.now);
		see();
		advance(HOLD - 1000);
		if (!before)
			poll_heard(poller, changes[i / 2].trap, b.now);
		advance(5 * INTERVAL);
		CHECK_EQUAL(told.count, 0);
		CHECK(!poll_has_doubts(poller));
		covered = false;
		advance(5 * INTERVAL);
		CHECK_EQUAL(told.count, 0);
		end();
	}
	unit_case(NULL);
}

/* A subnet manager that was started again confirms the subscription, but what was before is lost. */
static void test_unheard(void)
{
	for (size_t i = 0; i < UNIT_COUNT(changes); i++) {
		begin_covered(i);
		poll_heard(poller, changes[(i + 1) % UNIT_COUNT(changes)].trap, b.now);
		see();
		advance(HOLD - 200);
		CHECK_EQUAL(told.count, 0);
		advance(200);
		CHECK_EQUAL(told.count, 1);
		CHECK_EQUAL(sma_notice_trap(last_told()), changes[i].trap);
		CHECK_EQUAL(logged_with("seen by polling, and not told of otherwise: "), 1);
		advance(5 * INTERVAL);
		CHECK_EQUAL(told.count, 1);
		end();
	}
	unit_case(NULL);
}

/* The subscription turns out not to be in force. */
static void test_lapse(void)
{
	for (size_t i = 0; i < UNIT_COUNT(changes); i++) {
		begin_covered(i);
		see();
		advance(1000);
		covered = false;
		run_once();
		CHECK_EQUAL(told.count, 1);
		advance(5 * INTERVAL);
		CHECK_EQUAL(told.count, 1);
		end();
	}
	unit_case(NULL);
}

/* What was heard before the subnet manager died may have been about another change between the readings. */
static void test_heard_before_lapse(void)
{
	begin_covered(0);
	poll_heard(poller, SMA_TRAP_LINK_STATE, b.now);
	see();
	covered = false;
	advance(HOLD - 200);
	CHECK_EQUAL(told.count, 0);
	advance(200);
	CHECK_EQUAL(told.count, 1);
	end();

	begin_covered(0); /* it is there again: the notice was about this one */
	poll_heard(poller, SMA_TRAP_LINK_STATE, b.now);
	see();
	covered = false;
	advance(1000);
	covered = true;
	advance(HOLD);
	CHECK_EQUAL(told.count, 0);
	end();

	begin_covered(0); /* it lapsed before the reading, and is there again soon */
	poll_heard(poller, SMA_TRAP_LINK_STATE, b.now);
	covered = false;
	see();
	covered = true;
	advance(HOLD);
	CHECK_EQUAL(told.count, 0);
	end();
	unit_case(NULL);
}

/* A notice goes with the readings around it, not with later ones. */
static void test_heard_long_ago(void)
{
	begin_covered(0);
	set_state(2, 4);
	advance(INTERVAL / 2);
	poll_heard(poller, SMA_TRAP_LINK_STATE, b.now);
	advance(2 * INTERVAL);
	set_state(3, 1);
	advance(INTERVAL + HOLD);
	CHECK_EQUAL(told.count, 1);
	end();
	unit_case(NULL);
}

/* A change that is undone while it is held is told; the later of two is. */
static void test_held_twice(void)
{
	prepare_switch(4);
	interval = 1000;
	begin();
	covered = true;
	change_mask();
	change_link();
	advance(2000);
	set_mask(0x11);
	set_state(2, 4);
	CHECK_EQUAL(told.count, 0);
	advance(HOLD);
	CHECK_EQUAL(told.count, 2);
	CHECK_EQUAL(sma_notice_trap(told.data[0]), SMA_TRAP_LINK_STATE);
	CHECK_EQUAL(sma_notice_trap(told.data[1]), SMA_TRAP_CAPABILITY);
	CHECK_EQUAL(told.data[1][AT_MASK_END], 0x11);
	advance(5 * INTERVAL);
	CHECK_EQUAL(told.count, 2);
	end();
}

/* Before the poll ends. */
static void test_conclude(void)
{
	begin_covered(0);
	see();
	poll_conclude(poller);
	CHECK_EQUAL(told.count, 1);
	poll_conclude(poller);
	advance(INTERVAL);
	CHECK_EQUAL(told.count, 1);
	end();

	begin_covered(0);
	poll_heard(poller, SMA_TRAP_LINK_STATE, b.now);
	see();
	poll_conclude(poller);
	CHECK_EQUAL(told.count, 0);
	end();
	unit_case(NULL);
}

/* ---- cost ---- */

static void test_cost(void)
{
	prepare_switch(4);
	begin();
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 5);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_SWITCH_INFO), 1);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_NODE_INFO), 1);
	CHECK_EQUAL(asked(FAKE_ANY), 7);
	look();
	CHECK_EQUAL(asked(FAKE_ANY), 13);
	advance(4 * INTERVAL);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 30);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_SWITCH_INFO), 6);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_NODE_INFO), 1);
	CHECK_EQUAL(fake_qp0_count_most(b.fake, UMAD_SM_ATTR_PORT_INFO), 6);
	CHECK(rounds < 100);
	end();
}

static void test_cost_of_ca(void)
{
	prepare_ca();
	begin();
	CHECK_EQUAL(asked(FAKE_ANY), 2);
	look();
	CHECK_EQUAL(asked(FAKE_ANY), 3);
	CHECK_EQUAL(fake_qp0_count_block(b.fake, CA_PORT, UMAD_SM_ATTR_PORT_INFO, CA_PORT), 2);
	end();
}

static void test_outstanding(void)
{
	prepare_switch(SMA_MAX_PORTS);
	fake_qp0_delay(b.fake, FAKE_ANY, 10);
	begin_with(NULL);
	advance(2 * INTERVAL);
	CHECK(fake_qp0_most_pending(b.fake) <= OUTSTANDING);
	CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 2 * (SMA_MAX_PORTS + 1));
	set_state(SMA_MAX_PORTS, 1);
	look();
	CHECK_EQUAL(told.count, 1);
	end();
}

/* What the cache has of ports and switch is too old, whatever its age. */
static void test_cached(void)
{
	static const unsigned ages[] = {0, 40000, 1000000};

	for (size_t i = 0; i < UNIT_COUNT(ages); i++) {
		unit_case("cache time %u ms", ages[i]);
		prepare_switch(4);
		b.config.age_ms[SMA_PortInfo] = ages[i];
		b.config.age_ms[SMA_SwitchInfo] = ages[i];
		begin();
		set_state(3, 1);
		look();
		CHECK_EQUAL(told.count, 1);
		CHECK_EQUAL(asked(UMAD_SM_ATTR_PORT_INFO), 10);
		CHECK_EQUAL(asked(UMAD_SM_ATTR_SWITCH_INFO), 2);
		CHECK_EQUAL(asked(UMAD_SM_ATTR_NODE_INFO), 1);
		end();
	}
	unit_case(NULL);
}

/* ---- an SMA in trouble ---- */

static void test_silent(void)
{
	prepare_switch(8);
	begin();
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	fake_qp0_forget_counts(b.fake);
	rounds = 0;
	for (unsigned i = 0; i < 60; i++) {
		look();
		run_once();
		CHECK(wake > b.now);
	}
	CHECK_EQUAL(told.count, 0);
	CHECK(asked(FAKE_ANY) < 200);
	CHECK(rounds < 2000);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_NONE, FAKE_FOREVER);
	advance(NODE_AGE * 10);
	CHECK_EQUAL(told.count, 0);
	set_state(7, 1);
	look();
	CHECK_EQUAL(told.count, 1);
	end();
}

static void test_silent_from_the_start(void)
{
	prepare_switch(8);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	begin_with(NULL);
	advance(10 * INTERVAL);
	CHECK_EQUAL(told.count, 0);
	CHECK(rounds < 500);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_NONE, FAKE_FOREVER);
	advance(30 * INTERVAL);
	CHECK_EQUAL(told.count, 0);
	set_state(7, 1);
	look();
	CHECK_EQUAL(told.count, 1);
	end();
}

/* One block that is refused takes nothing else with it, and what it says later is compared as before. */
static void test_one_refused(void)
{
	prepare_switch(8);
	begin();
	fake_qp0_set_status(b.fake, 0, UMAD_SM_ATTR_PORT_INFO, 4, 0x1C);
	set_state(8, 1);
	advance(3 * INTERVAL);
	CHECK_EQUAL(told.count, 1);
	advance(10 * INTERVAL);
	CHECK_EQUAL(told.count, 1);
	set_state(4, 1);
	look();
	CHECK_EQUAL(told.count, 2);
	end();
}

/* Readings that take longer than they may: never two at once, and what was seen counts. */
static void test_slow(void)
{
	prepare_switch(40);
	b.config.timeout_ms = 60000;
	begin();
	fake_qp0_delay(b.fake, FAKE_ANY, 3000);
	fake_qp0_forget_counts(b.fake);
	set_mask(7);
	advance(10 * INTERVAL);
	CHECK(fake_qp0_most_pending(b.fake) <= OUTSTANDING);
	CHECK(asked(FAKE_ANY) <= OUTSTANDING * 10 * INTERVAL / 3000);
	CHECK_EQUAL(told.count, 1);
	CHECK_EQUAL(sma_notice_trap(last_told()), 144);
	end();
}

/* ---- counters ---- */

/* The answer to the last request: LocalLinkIntegrityErrors in the upper half of a byte, and
 * ExcessiveBufferOverrunErrors in the lower. */
static bool answer(uint8_t counters)
{
	struct sma_mail mail = fake_qp1_answer(fake_qp1_last(&qp1), UMAD_METHOD_GET_RESP, 0);

	mail.mad[AT_COUNTERS] = counters;
	return poll_take(poller, &mail, b.now);
}

static void test_counters(void)
{
	static const uint8_t integrity[SMA_BLOCK_SIZE] = {0x81, 0, 0, 1, 0, 129, 0,      LID,
	                                                  0,    0, 0, 0, 0, LID, CA_PORT};
	static const uint8_t overrun[SMA_BLOCK_SIZE] = {0x81, 0, 0, 1, 0, 130, 0,      LID,
	                                                0,    0, 0, 0, 0, LID, CA_PORT};

	prepare_ca();
	begin_with(&qp1.qp1);
	advance(100);
	CHECK_EQUAL(fake_qp1_last(&qp1)->mad[AT_PORT_SELECT], CA_PORT);
	CHECK(answer(0x00));
	look();
	CHECK(answer(0x10));
	CHECK_EQUAL(told.count, 1);
	CHECK_OCTETS(last_told(), integrity, SMA_BLOCK_SIZE);
	CHECK_EQUAL(
		logged_with(
			"seen by polling: link integrity (trap 129): the counter of port 2 went from 0 to 1"),
		1);
	look();
	CHECK(answer(0x1F));
	CHECK_EQUAL(told.count, 2);
	CHECK_OCTETS(last_told(), overrun, SMA_BLOCK_SIZE);
	end();
}

static void test_counters_of_switch(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = {0x81, 0, 0, 2, 0, 129, 0, LID, 0, 0, 0, 0, 0, LID, 3};

	prepare_switch(5);
	begin_with(&qp1.qp1);
	for (unsigned i = 0; i < 10; i++) {
		while (qp1.count == i && rounds < MAX_ROUNDS)
			advance(100);
		unit_case("request %u", i);
		CHECK_EQUAL(fake_qp1_last(&qp1)->mad[AT_PORT_SELECT], i % 5 + 1);
		CHECK(answer(i == 7 ? 0x20 : 0x00));
	}
	CHECK_EQUAL(told.count, 1);
	CHECK_OCTETS(last_told(), wanted, SMA_BLOCK_SIZE);
	end();
}

static void test_without_qp1(void)
{
	struct sma_mail mail = {.mad = {1, 4, 1, 0x81}};

	prepare_ca();
	begin();
	CHECK(!poll_take(poller, &mail, b.now));
	end();
	poll_free(NULL);
}

/* Another source tells of no counters. */
static void test_counters_covered(void)
{
	prepare_ca();
	covered = true;
	begin_with(&qp1.qp1);
	advance(10);
	CHECK(answer(0x00));
	look();
	CHECK(answer(0x10));
	CHECK_EQUAL(told.count, 1);
	CHECK_EQUAL(sma_notice_trap(last_told()), 129);
	end();
}

static const struct unit_test tests[] = {
	{"a link goes down", test_link},
	{"one notice for all links", test_links},
	{"each port of a large switch", test_each_port},
	{"PortStateChange", test_flag},
	{"the way to Active", test_way_to_active},
	{"what is no change of a link", test_no_link},
	{"the link of a CA", test_link_of_ca},
	{"CapabilityMask", test_mask},
	{"each bit of CapabilityMask", test_mask_bits},
	{"SystemImageGUID", test_guid},
	{"other GUIDs", test_no_guid},
	{"the LID of a notice", test_lid},
	{"before the facts are known", test_no_facts},
	{"another source tells", test_heard},
	{"another source does not tell", test_unheard},
	{"another source lapses", test_lapse},
	{"another source tells and lapses", test_heard_before_lapse},
	{"another source told of an earlier change", test_heard_long_ago},
	{"two changes in doubt", test_held_twice},
	{"the end of a doubt", test_conclude},
	{"SMPs on a switch", test_cost},
	{"SMPs on a CA", test_cost_of_ca},
	{"SMPs at once", test_outstanding},
	{"cache times", test_cached},
	{"an SMA that falls silent", test_silent},
	{"an SMA that does not answer", test_silent_from_the_start},
	{"one block is refused", test_one_refused},
	{"readings that take too long", test_slow},
	{"counters of a CA", test_counters},
	{"counters of a switch", test_counters_of_switch},
	{"without QP1", test_without_qp1},
	{"counters while the rest is covered", test_counters_covered},
};

int main(void)
{
	return UNIT_MAIN("poll", tests);
}
