// SPDX-License-Identifier: BSD-2-Clause
/* How many SMPs walks send, and how long they wait for them. */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "tests/mib/expected.h"
#include "tests/unit.h"

enum { DELAY_MS = 10, SWITCH_TOP = 1023, LFT_BLOCKS = 16 };

static const uint32_t port_table[] = {1, 5};
static const uint32_t arbitration_tables[] = {1, 8};
static const uint32_t linear_table[] = {1, 9};
static const uint32_t random_table[] = {1, 10};
static const uint32_t multicast_table[] = {1, 11};
static const uint32_t sm_table[] = {1, 12};

#define WALK(fixture, root) walk(fixture, root, UNIT_COUNT(root))

static void open_node(struct fixture *fixture, const char *name)
{
	unit_case("%s", name);
	fixture_init(fixture, name);
	fixture_open(fixture);
}

static void check_cold_and_warm(const char *name)
{
	struct fixture b;
	unsigned cold;

	open_node(&b, name);
	cold = walk(&b, NULL, 0);
	CHECK(cold > 300);
	CHECK_EQUAL(fake_qp0_count_most(b.fake, FAKE_ANY), 1);
	fake_qp0_forget_counts(b.fake);
	CHECK_EQUAL(walk(&b, NULL, 0), cold);
	CHECK_EQUAL(fake_qp0_count(b.fake, FAKE_ANY), 0);
	fixture_close(&b);
}

static void test_cold_and_warm(void)
{
	check_cold_and_warm("ca");
	check_cold_and_warm("sw8");
	check_cold_and_warm("sw40");
}

/* sw40 with a linear table of 1024 LIDs. */
static void open_large_table(struct fixture *fixture)
{
	uint8_t *info;

	open_node(fixture, "sw40");
	info = fake_qp0_data(fixture->fake, 0, UMAD_SM_ATTR_SWITCH_INFO, 0);
	sma_component_set(info, SMA_SwitchInfo_LinearFDBCap, 2048);
	sma_component_set(info, SMA_SwitchInfo_LinearFDBTop, SWITCH_TOP);
	for (unsigned i = 0; i < 2 * LFT_BLOCKS; i++)
		memset(fake_qp0_data(fixture->fake, 0, UMAD_SM_ATTR_LINEAR_FT, i), 1, SMA_BLOCK_SIZE);
}

static void test_linear_table(void)
{
	struct fixture b;

	open_large_table(&b);
	CHECK_EQUAL(WALK(&b, linear_table), SWITCH_TOP + 1);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_LINEAR_FT), LFT_BLOCKS);
	fixture_close(&b);
}

static void test_port_info(void)
{
	struct fixture b;

	open_node(&b, "sw40");
	CHECK_EQUAL(WALK(&b, port_table), 39 * 25);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_PORT_INFO), 41);
	fixture_close(&b);
}

/* With one block at a time 16 blocks would take 160 ms. */
static void test_look_ahead(void)
{
	struct fixture b;
	uint64_t start;

	open_large_table(&b);
	fake_qp0_delay(b.fake, FAKE_ANY, DELAY_MS);
	start = b.now;
	CHECK_EQUAL(WALK(&b, linear_table), SWITCH_TOP + 1);
	CHECK(b.now - start <= 8 * DELAY_MS);
	CHECK(fake_qp0_most_pending(b.fake) > 8);
	fixture_close(&b);
}

static void test_window(void)
{
	static const unsigned windows[] = {1, 4, 16};

	for (size_t i = 0; i < UNIT_COUNT(windows); i++) {
		struct fixture b;

		fixture_init(&b, "sw40");
		b.config.window = windows[i];
		fixture_open(&b);
		unit_case("window %u", windows[i]);
		fake_qp0_delay(b.fake, FAKE_ANY, DELAY_MS);
		CHECK_EQUAL(WALK(&b, port_table), 39 * 25);
		CHECK_EQUAL(fake_qp0_most_pending(b.fake), windows[i]);
		CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_PORT_INFO), 41);
		fixture_close(&b);
	}
}

/* The walk of one table ends at the first row of the next, for which one block is enough. */
static void test_one_block_to_enter(void)
{
	struct fixture b;

	open_large_table(&b);
	CHECK_EQUAL(WALK(&b, arbitration_tables), 38 * 8 * 4);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_LINEAR_FT), 1);
	fixture_close(&b);
}

static void test_nothing_beyond_capacity(void)
{
	struct fixture b;

	open_node(&b, "sw8");
	walk(&b, NULL, 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_RANDOM_FT), 16);
	CHECK_EQUAL(fake_qp0_count_block(b.fake, 0, UMAD_SM_ATTR_RANDOM_FT, 16), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_PKEY_TABLE), 2 * 9);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_LINEAR_FT), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_MCAST_FT), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_SLVL_TABLE), 81);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_GUID_INFO), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_SM_INFO), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_LED_INFO), 0);
	fixture_close(&b);
}

static void test_multicast_positions(void)
{
	struct fixture b;

	open_node(&b, "sw40");
	WALK(&b, multicast_table);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_MCAST_FT), 9);
	CHECK_EQUAL(fake_qp0_count_block(b.fake, 0, UMAD_SM_ATTR_MCAST_FT, 0x30000000), 0);
	CHECK_EQUAL(fake_qp0_count_block(b.fake, 0, UMAD_SM_ATTR_MCAST_FT, 0x20000002), 1);
	fixture_close(&b);
}

/* MulticastFDBCap 0: there is no table, and no question for a block of it, nor for whether it has a top. */
static void test_no_multicast(void)
{
	static const uint32_t row[] = {1, 11, 1, 1, 2, 0xC000};
	struct mib_answer answer;
	struct fixture b;

	open_node(&b, "sw40");
	sma_component_set(fake_qp0_data(b.fake, 0, UMAD_SM_ATTR_SWITCH_INFO, 0),
	                  SMA_SwitchInfo_MulticastFDBCap, 0);
	CHECK_EQUAL(ask(&b, tree_get, row, UNIT_COUNT(row), &answer), -ENOENT);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_SWITCH_INFO), 1);
	CHECK_EQUAL(fake_qp0_count(b.fake, FAKE_ANY), 1);
	CHECK_EQUAL(WALK(&b, multicast_table), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_MCAST_FT), 0);
	fixture_close(&b);
}

/* 254 ports and the largest table, with the last entry alone: the search continues where it had to wait, and
 * each block is asked for once. A value of a row needs the blocks of that row only. */
static void test_sparse_table(void)
{
	enum { MLIDS = 16384, LAST = 0xFFFF, STRIPES = MLIDS / SMA_MLIDS_PER_BLOCK, POSITIONS = 16 };
	static const uint32_t last[] = {1, 11, 1, 1, 2, LAST};
	struct mib_answer answer = {0};
	struct fixture b;
	uint8_t *block;

	open_node(&b, "sw40");
	sma_component_set(fake_qp0_data(b.fake, 0, UMAD_SM_ATTR_NODE_INFO, 0), SMA_NodeInfo_NumPorts, 254);
	sma_component_set(fake_qp0_data(b.fake, 0, UMAD_SM_ATTR_SWITCH_INFO, 0),
	                  SMA_SwitchInfo_MulticastFDBCap, MLIDS);
	sma_component_set(fake_qp0_data(b.fake, 0, UMAD_SM_ATTR_SWITCH_INFO, 0),
	                  SMA_SwitchInfo_MulticastFDBTop, 0);
	for (unsigned p = 0; p < POSITIONS; p++) {
		for (unsigned s = 0; s < STRIPES; s++) {
			block = fake_qp0_data(b.fake, 0, UMAD_SM_ATTR_MCAST_FT, p << 28 | s);
			memset(block, 0, SMA_BLOCK_SIZE);
		}
	}
	block[SMA_BLOCK_SIZE - 2] = 0x40;
	CHECK_EQUAL(ask(&b, tree_get, last, UNIT_COUNT(last), &answer), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_MCAST_FT), POSITIONS);
	CHECK_EQUAL(ask(&b, tree_next, last, 2, &answer), 0);
	CHECK_TEXT(oid_text(answer.subid, answer.length), "1.11.1.1.2.65535");
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_MCAST_FT), POSITIONS * STRIPES);
	CHECK_EQUAL(fake_qp0_count_most(b.fake, UMAD_SM_ATTR_MCAST_FT), 1);
	fixture_close(&b);
}

static void test_ca_has_no_switch(void)
{
	static const uint16_t attributes[] = {UMAD_SM_ATTR_SWITCH_INFO, UMAD_SM_ATTR_LINEAR_FT,
	                                      UMAD_SM_ATTR_RANDOM_FT, UMAD_SM_ATTR_MCAST_FT};
	struct fixture b;

	open_node(&b, "ca");
	walk(&b, NULL, 0);
	for (size_t i = 0; i < UNIT_COUNT(attributes); i++)
		CHECK_EQUAL(fake_qp0_count(b.fake, attributes[i]), 0);
	fixture_close(&b);
}

static void test_no_sm_is_not_asked(void)
{
	struct fixture b;

	open_node(&b, "ca");
	for (unsigned port = 1; port <= 3; port++)
		sma_component_set(fake_qp0_data(b.fake, 1, UMAD_SM_ATTR_PORT_INFO, port), SMA_PortInfo_IsSM,
		                  0);
	for (unsigned periods = 0; periods < 5; periods++) {
		CHECK_EQUAL(WALK(&b, sm_table), 0);
		fixture_advance(&b, b.config.age_ms[SMA_SMInfo]);
	}
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_SM_INFO), 0);
	fixture_close(&b);
}

static void test_refresh_by_age(void)
{
	struct fixture b;

	open_node(&b, "sw40");
	walk(&b, NULL, 0);
	fake_qp0_forget_counts(b.fake);
	fixture_advance(&b, b.config.age_ms[SMA_PortInfo]);
	walk(&b, NULL, 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_PORT_INFO), 41);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_SWITCH_INFO), 1);
	/* and what was refused: a block of each forwarding table */
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_LINEAR_FT), 1);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_MCAST_FT), 1);
	CHECK_EQUAL(fake_qp0_count(b.fake, FAKE_ANY), 44);
	fixture_close(&b);
}

/* One question over many blocks that hold no row does not give up in between. */
static void test_long_hole(void)
{
	static const uint32_t first[] = {1, 9, 1, 1, 2, 0};
	struct mib_answer answer;
	struct fixture b;

	open_large_table(&b);
	for (unsigned i = 0; i < LFT_BLOCKS; i++) {
		uint8_t *block = fake_qp0_data(b.fake, 0, UMAD_SM_ATTR_LINEAR_FT, i);

		for (unsigned j = 0; j < SMA_BLOCK_SIZE; j++)
			block[j] = i == LFT_BLOCKS - 1 && j == SMA_BLOCK_SIZE - 1 ? 7 : 0xFF;
	}
	b.config.window = 4;
	CHECK_EQUAL(ask(&b, tree_next, first, UNIT_COUNT(first), &answer), 0);
	CHECK_TEXT(oid_text(answer.subid, answer.length), "1.9.1.1.2.1023");
	CHECK_EQUAL(answer.value.number, 7);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_LINEAR_FT), LFT_BLOCKS);
	CHECK_EQUAL(WALK(&b, random_table), 0);
	fixture_close(&b);
}

static const struct unit_test tests[] = {
	{"a cold walk asks for each block once, a warm one for none", test_cold_and_warm},
	{"LinearFDBTop 1023: 16 SMPs", test_linear_table},
	{"PortInfo of 40 ports: 41 SMPs", test_port_info},
	{"a table is fetched ahead", test_look_ahead},
	{"no more SMPs at once than the window has", test_window},
	{"a walk that ends at a table asks for its first block only", test_one_block_to_enter},
	{"nothing is asked beyond capacities", test_nothing_beyond_capacity},
	{"multicast positions for 40 ports: 0 to 2", test_multicast_positions},
	{"MulticastFDBCap 0: no SMP", test_no_multicast},
	{"the last entry of the largest multicast table", test_sparse_table},
	{"a CA is not asked for attributes of switches", test_ca_has_no_switch},
	{"ports without an SM are not asked for SMInfo", test_no_sm_is_not_asked},
	{"only what is too old is asked for again", test_refresh_by_age},
	{"blocks without a row are passed over", test_long_hole},
};

int main(void)
{
	return UNIT_MAIN("walk_cost", tests);
}
