// SPDX-License-Identifier: BSD-2-Clause
/* Silence of an SMA, back-off, and what the log says of it. */
#include <errno.h>

#include <infiniband/umad_sm.h>

#include "sma/health.h"
#include "tests/bench.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { LOST_MAX = 8, SECOND = 1000 };

static const unsigned holds[] = {5, 10, 20, 40, 80, 160, 300, 300, 300};

/* ---- the account ---- */

static struct health health;
static struct block blocks[SMA_ATTR_COUNT][2];

static void begin(void)
{
	health = (struct health){0};
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

	health_note_request(&health, attr, now);
	health_note(&health, &blocks[attr][which], outcome, result, now);
	blocks[attr][which].outcome = outcome;
}

static void test_suspicion(void)
{
	begin();
	for (unsigned i = 0; i < LOST_MAX; i++) {
		CHECK(!health_is_suspect(&health));
		note(SMA_PortInfo, 0, -ETIMEDOUT, i);
	}
	CHECK(health_is_suspect(&health));
	CHECK(!health_is_silent(&health, 10));
	note(SMA_PortInfo, 0, 0x1C, 10);
	CHECK(!health_is_suspect(&health));
	logged_stop();
}

/* Only the loss of NodeInfo makes a suspect silent. */
static void test_silence_needs_node_info(void)
{
	begin();
	for (unsigned i = 0; i < 3 * LOST_MAX; i++)
		note(SMA_LedInfo, 0, -ETIMEDOUT, i);
	CHECK(!health_is_silent(&health, 100));
	CHECK_EQUAL(logged_with("does not answer"), 0);
	note(SMA_NodeInfo, 0, -ETIMEDOUT, 100);
	CHECK(health_is_silent(&health, 100));
	CHECK(health_is_silent(&health, 100 + 5 * SECOND - 1));
	CHECK(!health_is_silent(&health, 100 + 5 * SECOND));
	CHECK_EQUAL(logged_with("port 3 does not answer"), 1);
	logged_stop();
}

static void test_back_off(void)
{
	uint64_t now = 1000;

	begin();
	for (unsigned i = 0; i < LOST_MAX - 1; i++)
		note(SMA_PortInfo, 0, -ETIMEDOUT, now);
	for (size_t i = 0; i < UNIT_COUNT(holds); i++) {
		unit_case("hold %zu", i);
		note(SMA_NodeInfo, 0, -ETIMEDOUT, now);
		CHECK(health_is_silent(&health, now + holds[i] * SECOND - 1));
		now += holds[i] * SECOND;
		CHECK(!health_is_silent(&health, now));
	}
	CHECK_EQUAL(logged_with("does not answer"), 1);
	note(SMA_NodeInfo, 0, 0, now);
	CHECK_EQUAL(logged_with("answers again"), 1);
	CHECK(!health_is_suspect(&health));
	/* the next silence begins anew */
	for (unsigned i = 0; i < LOST_MAX; i++)
		note(SMA_NodeInfo, 0, -ETIMEDOUT, now);
	CHECK(health_is_silent(&health, now + 5 * SECOND - 1));
	CHECK(!health_is_silent(&health, now + 5 * SECOND));
	CHECK_EQUAL(logged_with("does not answer"), 2);
	logged_stop();
}

/* A refusal is an answer: the SMA is there. */
static void test_refusals_are_no_silence(void)
{
	begin();
	for (unsigned i = 0; i < 5 * LOST_MAX; i++)
		note(SMA_NodeInfo, 0, i % 4 ? -ETIMEDOUT : 0x1C, i);
	CHECK(!health_is_silent(&health, 100));
	CHECK_EQUAL(logged_with("answer again"), 0);
	logged_stop();
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

/* ---- attributes that are not answered ---- */

static void test_unanswered(void)
{
	begin();
	CHECK(!health_is_unanswered(&health, SMA_LedInfo, 0));
	health_note_request(&health, SMA_LedInfo, 1000);
	CHECK(!health_is_unanswered(&health, SMA_LedInfo, 1249));
	CHECK(health_is_unanswered(&health, SMA_LedInfo, 1250));
	CHECK(!health_is_unanswered(&health, SMA_SMInfo, 1250));
	health_note(&health, &blocks[SMA_LedInfo][0], BLOCK_GOOD, 0, 1300);
	CHECK(!health_is_unanswered(&health, SMA_LedInfo, 9000));
	note(SMA_LedInfo, 0, -ETIMEDOUT, 9000);
	CHECK(health_is_unanswered(&health, SMA_LedInfo, 9000));
	CHECK(!health_is_unanswered(&health, SMA_SMInfo, 9000));
	note(SMA_LedInfo, 0, 0, 9001);
	CHECK(!health_is_unanswered(&health, SMA_LedInfo, 9001));
	logged_stop();
}

/* ---- a node whose SMA falls silent ---- */

/* Ask for another block each 100 ms, as a manager would that walks on and on. */
static void poll_blocks(struct bench *b, unsigned seconds)
{
	for (unsigned i = 0; i < 10 * seconds; i++) {
		const struct sma_key key = {SMA_LinearForwardingTable, 0, i % 64};
		struct sma_reader reader = bench_reader(b, SMA_FRESH, 1);
		const uint8_t *block;

		sma_read_block(&reader, &key, &block);
		bench_advance(b, 100);
	}
}

/* Many losses at one moment bring about one question for NodeInfo. */
static void test_one_probe(void)
{
	const uint8_t *block;
	struct sma_reader reader;
	struct bench b;

	bench_init(&b, "sw40");
	bench_open(&b);
	logged_start(false);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	reader = bench_reader(&b, SMA_FRESH, 16);
	for (unsigned i = 0; i < 16; i++)
		sma_read_block(&reader, &(struct sma_key){SMA_LinearForwardingTable, 0, i}, &block);
	bench_advance(&b, b.config.timeout_ms * (b.config.retries + 1));
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_NODE_INFO), 1);
	logged_stop();
	bench_close(&b);
}

static void test_no_storm(void)
{
	struct bench b;
	unsigned first;

	bench_init(&b, "sw40");
	bench_open(&b);
	logged_start(false);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	poll_blocks(&b, 5);
	first = fake_qp0_count(b.fake, FAKE_ANY);
	CHECK(first > LOST_MAX);
	poll_blocks(&b, 600);
	/* 5 to 300 s of silence: seven times, each ended by the SMPs of about a second */
	CHECK(fake_qp0_count(b.fake, FAKE_ANY) - first < 7 * 60);
	CHECK(logged_level(SMA_LOG_WARNING) <= 3);
	CHECK_EQUAL(logged_with("does not answer"), 1);
	logged_stop();
	bench_close(&b);
}

static void test_end_of_silence(void)
{
	const struct sma_key key = {SMA_LinearForwardingTable, 0, 0};
	const uint8_t *block;
	struct bench b;

	bench_init(&b, "sw40");
	bench_open(&b);
	logged_start(false);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	poll_blocks(&b, 5);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_NONE, 0);
	poll_blocks(&b, 80);
	CHECK_EQUAL(bench_read(&b, &key, &block), 0);
	CHECK_EQUAL(logged_with("answers again"), 1);
	CHECK_EQUAL(logged_with("does not answer"), 1);
	logged_stop();
	bench_close(&b);
}

/* One attribute without answers does not make the SMA silent: NodeInfo comes. */
static void test_one_attribute(void)
{
	const struct sma_key info = {SMA_NodeInfo, 0, 0};
	const uint8_t *block;
	struct bench b;

	bench_init(&b, "sw40");
	bench_open(&b);
	logged_start(false);
	fake_qp0_fault(b.fake, UMAD_SM_ATTR_LINEAR_FT, FAKE_SILENT, FAKE_FOREVER);
	poll_blocks(&b, 20);
	CHECK_EQUAL(bench_read(&b, &info, &block), 0);
	CHECK_EQUAL(logged_with("does not answer"), 0);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	logged_stop();
	bench_close(&b);
}

static const struct unit_test tests[] = {
	{"eight requests lost in a row", test_suspicion},
	{"silence needs NodeInfo", test_silence_needs_node_info},
	{"back-off from 5 s to 300 s", test_back_off},
	{"a refusal is an answer", test_refusals_are_no_silence},
	{"one line for a trouble and one for its end", test_trouble_once},
	{"troubles by attribute", test_trouble_by_attribute},
	{"what the node does not have is no trouble", test_absence_is_no_trouble},
	{"attributes that are not answered", test_unanswered},
	{"one question for NodeInfo", test_one_probe},
	{"no SMP storm to a silent SMA", test_no_storm},
	{"a silent SMA answers again", test_end_of_silence},
	{"one silent attribute", test_one_attribute},
};

int main(void)
{
	return UNIT_MAIN("health", tests);
}
