// SPDX-License-Identifier: BSD-2-Clause
/* Silence of an SMA, back-off, and what the log says of it. */
#include <errno.h>

#include <infiniband/umad_sm.h>

#include "sma/log.h"
#include "sma/node/trouble.h"
#include "tests/logged.h"
#include "tests/node/node_fixture.h"
#include "tests/unit.h"

enum { SECOND = 1000 };

/* ---- the account ---- */

static struct trouble trouble;
static struct block blocks[SMA_ATTR_COUNT][2];

static void begin(void)
{
	trouble = (struct trouble){0};
	for (unsigned i = 0; i < SMA_ATTR_COUNT; i++) {
		for (unsigned j = 0; j < 2; j++)
			blocks[i][j] = (struct block){.key = {.attr = i, .port = 3, .modifier = j}};
	}
	logged_start(false);
}

/* The end of a request for one of two blocks of an attribute. */
static void note(enum sma_attr attr, unsigned which, int result, uint64_t now)
{
	enum block_outcome outcome = result == 0 ? BLOCK_GOOD : result == 0x0C ? BLOCK_ABSENT : BLOCK_LOST;

	trouble_note(&trouble, &blocks[attr][which], outcome, result, now);
	blocks[attr][which].outcome = outcome;
}

/* ---- troubles ---- */

static void test_trouble_once(void)
{
	begin();
	for (unsigned i = 0; i < 5; i++) {
		note(SMA_LedInfo, 0, 0x1C, i);
		note(SMA_LedInfo, 1, 0x1C, i);
	}
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	CHECK_EQUAL(logged_with("LedInfo (port 3, modifier 0x0): refused"), 1);
	CHECK_EQUAL(logged_with("0x001c"), 1);
	note(SMA_LedInfo, 0, 0, 6);
	CHECK_EQUAL(logged_with("LedInfo can be read again"), 0);
	note(SMA_LedInfo, 1, 0, 7);
	CHECK_EQUAL(logged_with("LedInfo can be read again"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	note(SMA_LedInfo, 1, 0, 8);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	logged_stop();
}

static void test_trouble_by_attribute(void)
{
	begin();
	note(SMA_LedInfo, 0, -ETIMEDOUT, 1);
	note(SMA_SMInfo, 0, -ETIMEDOUT, 1);
	CHECK_EQUAL(logged_with("LedInfo (port 3, modifier 0x0): no answer"), 1);
	CHECK_EQUAL(logged_with("SMInfo (port 3, modifier 0x0): no answer"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 2);
	logged_stop();
}

/* What a node does not have is no trouble, and it ends one. */
static void test_absence_is_no_trouble(void)
{
	begin();
	note(SMA_LedInfo, 0, 0x0C, 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	note(SMA_LedInfo, 0, -ETIMEDOUT, 2);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	note(SMA_LedInfo, 0, 0x0C, 3);
	CHECK_EQUAL(logged_with("LedInfo can be read again"), 1);
	logged_stop();
}

/* ---- a node whose SMA falls silent ---- */

static void begin_silent(struct fixture *b)
{
	fixture_init(b, "sw40");
	fixture_open(b);
	logged_start(false);
	fake_qp0_fault(b->fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
}

static void end_silent(struct fixture *b)
{
	logged_stop();
	fixture_close(b);
}

/* Ask for one of many blocks. */
static int read_some(const struct fixture *b, unsigned which, bool solicited)
{
	const struct sma_key key = {SMA_LinearForwardingTable, 0, which % 64};
	struct sma_reader reader = fixture_reader(b, SMA_FRESH, 1);
	const uint8_t *block;

	reader.unsolicited = !solicited;
	return sma_read_block(&reader, &key, &block);
}

/* Ask for another block each 100 ms, as a manager would that walks on and on. */
static void poll_blocks(struct fixture *b, unsigned seconds)
{
	for (unsigned i = 0; i < 10 * seconds; i++) {
		read_some(b, i, true);
		fixture_advance(b, 100);
	}
}

/* Many losses at one moment bring about one question for NodeInfo, and no tries in vain. */
static void test_one_probe(void)
{
	const uint8_t *block;
	struct sma_reader reader;
	struct fixture b;

	begin_silent(&b);
	reader = fixture_reader(&b, SMA_FRESH, 16);
	for (unsigned i = 0; i < 16; i++)
		sma_read_block(&reader, &(struct sma_key){SMA_LinearForwardingTable, 0, i}, &block);
	fixture_advance(&b, b.config.timeout_ms);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_NODE_INFO), 1);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_LINEAR_FT), 16);
	fixture_advance(&b, 2000);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_NODE_INFO), 2 * (b.config.retries + 1));
	CHECK_EQUAL(fake_qp0_count_most(b.fake, UMAD_SM_ATTR_LINEAR_FT), 1);
	end_silent(&b);
}

static void test_no_storm(void)
{
	struct fixture b;
	unsigned first;

	begin_silent(&b);
	poll_blocks(&b, 5);
	first = fake_qp0_count(b.fake, FAKE_ANY);
	CHECK(first > 0 && first <= 3 + 2 * (b.config.retries + 1));
	poll_blocks(&b, 600);
	/* 5 to 300 s of silence: seven times, each ended by the tries for one block */
	CHECK(fake_qp0_count(b.fake, FAKE_ANY) - first <= 7 * (b.config.retries + 1));
	CHECK(logged_level(SMA_LOG_WARNING) <= 3);
	CHECK_EQUAL(logged_with("does not answer"), 1);
	end_silent(&b);
}

/* However often, and for how many blocks, without a manager: four SMPs in any minute, retries and probes
 * included. */
static void check_unsolicited(unsigned retries)
{
	enum { MINUTE = 60 * SECOND, STEP = 50, MOST = 4 };
	uint64_t sent[1000];
	unsigned count = 0;
	struct fixture b;

	begin_silent(&b);
	b.config.retries = retries;
	fixture_configure(&b);
	for (unsigned i = 0; i < 10 * MINUTE / STEP && count < UNIT_COUNT(sent); i++) {
		read_some(&b, i, false);
		fixture_advance(&b, STEP);
		while (count < fake_qp0_count(b.fake, FAKE_ANY) && count < UNIT_COUNT(sent))
			sent[count++] = b.now;
	}
	unit_case("%u retries, %u SMPs", retries, count);
	CHECK(count > MOST);
	for (unsigned i = MOST; i < count; i++)
		CHECK(sent[i] - sent[i - MOST] > MINUTE - 2 * STEP);
	CHECK_EQUAL(logged_with("does not answer"), 1);
	/* a manager is not held up by that */
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_NONE, 0);
	fixture_advance(&b, 300 * SECOND);
	CHECK_EQUAL(read_some(&b, 0, true), -EAGAIN);
	fixture_settle(&b);
	CHECK_EQUAL(read_some(&b, 0, true), 0);
	end_silent(&b);
}

static void test_unsolicited(void)
{
	check_unsolicited(0);
	check_unsolicited(1);
	check_unsolicited(7);
}

/* While an SMA answers, what nobody asked for is not limited. */
static void test_unsolicited_answered(void)
{
	struct fixture b;

	fixture_init(&b, "sw40");
	fixture_open(&b);
	fake_qp0_delay(b.fake, FAKE_ANY, 10);
	for (unsigned i = 0; i < 40; i++) {
		read_some(&b, i, false);
		fixture_advance(&b, 25);
	}
	CHECK_EQUAL(fake_qp0_count(b.fake, FAKE_ANY), 40);
	fixture_close(&b);
}

/* A manager that asks for what was asked for unsolicited need not wait for its turn. */
static void test_solicited_later(void)
{
	struct fixture b;
	unsigned sent;

	begin_silent(&b);
	read_some(&b, 0, false);
	fixture_advance(&b, 6 * SECOND);
	sent = fake_qp0_count(b.fake, FAKE_ANY);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_NONE, 0);
	read_some(&b, 1, false);
	fixture_advance(&b, SECOND);
	CHECK_EQUAL(fake_qp0_count(b.fake, FAKE_ANY), sent);
	CHECK_EQUAL(read_some(&b, 1, true), -EAGAIN);
	fixture_settle(&b);
	CHECK_EQUAL(read_some(&b, 1, true), 0);
	end_silent(&b);
}

/* With another M_Key a silent SMA is asked at once. */
static void test_another_m_key(void)
{
	struct fixture b;

	begin_silent(&b);
	poll_blocks(&b, 100);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_NONE, 0);
	CHECK_EQUAL(read_some(&b, 0, true), -ETIMEDOUT);
	fixture_configure(&b);
	CHECK_EQUAL(read_some(&b, 0, true), -ETIMEDOUT);
	b.config.m_key = 0x1234;
	fixture_configure(&b);
	CHECK_EQUAL(read_some(&b, 0, true), -EAGAIN);
	fixture_settle(&b);
	CHECK_EQUAL(read_some(&b, 0, true), 0);
	end_silent(&b);
}

static void test_end_of_silence(void)
{
	const struct sma_key key = {SMA_LinearForwardingTable, 0, 0};
	const uint8_t *block;
	struct fixture b;

	fixture_init(&b, "sw40");
	fixture_open(&b);
	logged_start(false);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	poll_blocks(&b, 5);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_NONE, 0);
	poll_blocks(&b, 80);
	CHECK_EQUAL(fixture_read(&b, &key, &block), 0);
	CHECK_EQUAL(logged_with("answers again"), 1);
	CHECK_EQUAL(logged_with("does not answer"), 1);
	logged_stop();
	fixture_close(&b);
}

/* One attribute without answers does not make the SMA silent: NodeInfo comes. */
static void test_one_attribute(void)
{
	const struct sma_key info = {SMA_NodeInfo, 0, 0};
	const uint8_t *block;
	struct fixture b;

	fixture_init(&b, "sw40");
	fixture_open(&b);
	logged_start(false);
	fake_qp0_fault(b.fake, UMAD_SM_ATTR_LINEAR_FT, FAKE_SILENT, FAKE_FOREVER);
	poll_blocks(&b, 20);
	CHECK_EQUAL(fixture_read(&b, &info, &block), 0);
	CHECK_EQUAL(logged_with("does not answer"), 0);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	logged_stop();
	fixture_close(&b);
}

static const struct unit_test tests[] = {
	{"one line for a trouble and one for its end", test_trouble_once},
	{"troubles by attribute", test_trouble_by_attribute},
	{"what the node does not have is no trouble", test_absence_is_no_trouble},
	{"one question for NodeInfo", test_one_probe},
	{"no SMP storm to a silent SMA", test_no_storm},
	{"four unsolicited SMPs a minute to a silent SMA", test_unsolicited},
	{"unsolicited SMPs to an SMA that answers", test_unsolicited_answered},
	{"a manager asks for what was asked for unsolicited", test_solicited_later},
	{"another M_Key ends the silence", test_another_m_key},
	{"a silent SMA answers again", test_end_of_silence},
	{"one silent attribute", test_one_attribute},
};

int main(void)
{
	return UNIT_MAIN("health", tests);
}
