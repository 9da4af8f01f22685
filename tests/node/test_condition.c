// SPDX-License-Identifier: BSD-2-Clause
/* What a node says of how well it can be read, after traffic that is known. */
#include <infiniband/umad_sm.h>

#include "tests/logged.h"
#include "tests/node/node_fixture.h"
#include "tests/unit.h"

static void open_node(struct fixture *b)
{
	logged_start(false);
	fixture_init(b, "sw40");
	fixture_open(b);
}

static void close_node(struct fixture *b)
{
	fixture_close(b);
	logged_stop();
}

static void read_block(struct fixture *b, const struct sma_key *key)
{
	const uint8_t *block;

	fixture_read(b, key, &block);
}

static void check_smps(const struct fixture *b, const struct sma_counters *wanted)
{
	struct sma_counters got;

	sma_node_counters(b->node, &got);
	CHECK_EQUAL(got.sent, wanted->sent);
	CHECK_EQUAL(got.answered, wanted->answered);
	CHECK_EQUAL(got.timed_out, wanted->timed_out);
	CHECK_EQUAL(got.refused, wanted->refused);
	CHECK_EQUAL(got.strange, wanted->strange);
}

/* Default: two tries of 250 ms for each request. With each of them NodeInfo tells whether the SMA answers. */
static void test_smps(void)
{
	const struct sma_key port_1 = {SMA_PortInfo, 0, 1};
	const struct sma_key led = {SMA_LedInfo, 0, 0};
	struct sma_condition c;
	struct fixture b;

	open_node(&b);
	fake_qp0_fault(b.fake, UMAD_SM_ATTR_PORT_INFO, FAKE_SILENT, 2);
	read_block(&b, &port_1);
	check_smps(&b, &(struct sma_counters){.sent = 4, .timed_out = 1});
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.state, SMA_ANSWERING);
	CHECK_EQUAL(c.attrs[SMA_PortInfo].lost, 1);
	CHECK_EQUAL(c.attrs[SMA_PortInfo].last, 0);
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_LED_INFO, 0x1C);
	read_block(&b, &led);
	check_smps(&b, &(struct sma_counters){.sent = 5, .timed_out = 1, .refused = 1});
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.state, SMA_ANSWERING);
	CHECK_EQUAL(c.attrs[SMA_LedInfo].lost, 1);
	CHECK_EQUAL(c.oldest, 0);
	fixture_advance(&b, 6000);
	read_block(&b, &port_1);
	check_smps(&b, &(struct sma_counters){.sent = 6, .answered = 1, .timed_out = 1, .refused = 1});
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.attrs[SMA_PortInfo].lost, 0);
	CHECK_EQUAL(c.attrs[SMA_PortInfo].good, 1);
	CHECK_EQUAL(c.attrs[SMA_PortInfo].last, b.now);
	CHECK_EQUAL(c.oldest, b.now);
	close_node(&b);
}

/* The oldest block, as blocks come, come again, and are found to be absent. */
static void test_oldest(void)
{
	const struct sma_key info = {SMA_NodeInfo, 0, 0};
	const struct sma_key port_1 = {SMA_PortInfo, 0, 1};
	struct sma_condition c;
	struct fixture b;
	uint64_t first;

	open_node(&b);
	read_block(&b, &port_1);
	first = b.now;
	fixture_advance(&b, 1000);
	read_block(&b, &info);
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.oldest, first);
	CHECK_EQUAL(c.attrs[SMA_NodeInfo].last, first + 1000);
	/* read again, it is the newest */
	fixture_advance(&b, 5000);
	read_block(&b, &port_1);
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.oldest, first + 1000);
	CHECK_EQUAL(c.attrs[SMA_PortInfo].good, 2);
	CHECK_EQUAL(c.attrs[SMA_PortInfo].last, first + 6000);
	/* a lost block is kept, an absent one is not */
	sma_node_expire(b.node, SMA_ALL_ATTRS);
	fake_qp0_fault(b.fake, UMAD_SM_ATTR_NODE_INFO, FAKE_SILENT, 2);
	read_block(&b, &info);
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.oldest, first + 1000);
	sma_node_expire(b.node, SMA_ALL_ATTRS);
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_NODE_INFO, 0x0C);
	read_block(&b, &info);
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.oldest, first + 6000);
	close_node(&b);
}

static void test_silence(void)
{
	struct sma_condition c;
	struct fixture b;

	open_node(&b);
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.state, SMA_UNKNOWN);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	for (unsigned i = 0; i < 9; i++)
		read_block(&b, &(struct sma_key){SMA_LinearForwardingTable, 0, i});
	fixture_advance(&b, 1000);
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.state, SMA_SILENT);
	/* still so when it may be asked again, until it answers */
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, 0);
	fixture_advance(&b, 301 * 1000);
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.state, SMA_SILENT);
	read_block(&b, &(struct sma_key){SMA_NodeInfo, 0, 0});
	sma_node_condition(b.node, &c);
	CHECK_EQUAL(c.state, SMA_ANSWERING);
	close_node(&b);
}

static const struct unit_test tests[] = {
	{"SMPs and attributes", test_smps},
	{"the oldest block", test_oldest},
	{"silence", test_silence},
};

int main(void)
{
	return UNIT_MAIN("condition", tests);
}
