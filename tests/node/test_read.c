// SPDX-License-Identifier: BSD-2-Clause
/* Reading blocks: what counts as fresh, how long the last good data stand in, and what is asked for. */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/log.h"
#include "sma/node/node_parts.h"
#include "tests/logged.h"
#include "tests/node/node_fixture.h"
#include "tests/unit.h"

enum { AGE = 1000, LAST_GOOD = 60000, TIMEOUT = 100, GIVE_UP = 2 * TIMEOUT };

static struct fixture b;

static const struct sma_key lft = {SMA_LinearForwardingTable, 0, 3};
static const struct sma_key other = {SMA_MulticastForwardingTable, 0, 3};

static void begin_with_age(unsigned age_ms)
{
	static const uint8_t data[2] = {0x12, 0x34};

	fixture_init(&b, NULL);
	b.config.timeout_ms = TIMEOUT;
	b.config.retries = 1;
	for (unsigned i = 0; i < SMA_ATTR_COUNT; i++)
		b.config.age_ms[i] = age_ms;
	for (unsigned i = 0; i < 8; i++)
		fake_qp0_set(b.fake, 0, UMAD_SM_ATTR_LINEAR_FT, i, data, sizeof(data));
	fake_qp0_set(b.fake, 0, UMAD_SM_ATTR_MCAST_FT, 3, data, sizeof(data));
	fake_qp0_set(b.fake, 0, UMAD_SM_ATTR_NODE_INFO, 0, data, sizeof(data));
	logged_start(false);
	fixture_open(&b);
}

static void begin(void)
{
	begin_with_age(AGE);
}

static void end(void)
{
	fixture_close(&b);
	logged_stop();
}

/* One look, without waiting. */
static int look(enum sma_patience patience, const struct sma_key *key)
{
	struct sma_reader reader = fixture_reader(&b, patience, 16);
	const uint8_t *block;
	int rc = sma_read_block(&reader, key, &block);

	CHECK_EQUAL(reader.missed, rc == -EAGAIN);
	CHECK_EQUAL(reader.unknown, rc == -ETIMEDOUT);
	if (rc == 0)
		CHECK(block[0] == 0x12 && block[1] == 0x34 && block[2] == 0);
	return rc;
}

static int read_now(const struct sma_key *key)
{
	const uint8_t *block;

	return fixture_read(&b, key, &block);
}

static unsigned asked(void)
{
	return fake_qp0_count(b.fake, UMAD_SM_ATTR_LINEAR_FT);
}

static void test_first_time(void)
{
	struct sma_reader reader;
	const uint8_t *block;

	begin();
	reader = fixture_reader(&b, SMA_FRESH, 1);
	CHECK_EQUAL(sma_read_block(&reader, &lft, &block), -EAGAIN);
	CHECK(reader.missed);
	CHECK_EQUAL(reader.waits_for.attr, lft.attr);
	CHECK_EQUAL(reader.waits_for.modifier, lft.modifier);
	CHECK_EQUAL(reader.budget, 0);
	fixture_settle(&b);
	CHECK_EQUAL(look(SMA_FRESH, &lft), 0);
	CHECK_EQUAL(asked(), 1);
	end();
}

static void test_age(void)
{
	begin();
	read_now(&lft);
	fixture_advance(&b, AGE - 1);
	CHECK_EQUAL(look(SMA_FRESH, &lft), 0);
	CHECK_EQUAL(asked(), 1);
	fixture_advance(&b, 1);
	CHECK_EQUAL(look(SMA_FRESH, &lft), -EAGAIN);
	fixture_settle(&b);
	CHECK_EQUAL(asked(), 2);
	CHECK_EQUAL(look(SMA_FRESH, &lft), 0);
	end();
}

/* What was answered since an evaluation was asked for is fresh to it, even with age 0. */
static void test_age_zero(void)
{
	struct sma_reader reader;
	const uint8_t *block;

	begin_with_age(0);
	fake_qp0_delay(b.fake, FAKE_ANY, 10);
	for (unsigned i = 1; i <= 3; i++) {
		CHECK_EQUAL(read_now(&lft), 0);
		CHECK_EQUAL(asked(), i);
		fixture_advance(&b, 1);
	}
	reader = fixture_reader(&b, SMA_FRESH, 1);
	CHECK_EQUAL(sma_read_block(&reader, &lft, &block), -EAGAIN);
	end();
}

/* A reader may insist on what was answered since it was asked, whatever the age is. */
static void test_anew(void)
{
	struct sma_reader reader;
	const uint8_t *block;

	begin();
	read_now(&lft);
	fixture_advance(&b, 1);
	reader = fixture_reader(&b, SMA_FRESH, 1);
	reader.force_refresh = true;
	CHECK_EQUAL(sma_read_block(&reader, &lft, &block), -EAGAIN);
	fixture_settle(&b);
	CHECK_EQUAL(sma_read_block(&reader, &lft, &block), 0);
	fixture_advance(&b, AGE / 2);
	reader.now = b.now;
	CHECK_EQUAL(sma_read_block(&reader, &lft, &block), 0);
	CHECK_EQUAL(asked(), 2);
	end();
}

/* But what was lost is not asked for more often than by others. */
static void test_anew_lost(void)
{
	struct sma_reader reader;
	const uint8_t *block;

	begin();
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_LINEAR_FT, 0x1C);
	CHECK_EQUAL(read_now(&lft), -EIO);
	fixture_advance(&b, AGE - 1);
	reader = fixture_reader(&b, SMA_FRESH, 1);
	reader.force_refresh = true;
	CHECK_EQUAL(sma_read_block(&reader, &lft, &block), -EIO);
	fixture_advance(&b, 1);
	reader.now = reader.since = b.now;
	CHECK_EQUAL(sma_read_block(&reader, &lft, &block), -EAGAIN);
	end();
}

static void test_stale(void)
{
	begin();
	CHECK_EQUAL(look(SMA_STALE, &lft), -EAGAIN);
	fixture_settle(&b);
	fixture_advance(&b, 10 * AGE);
	CHECK_EQUAL(look(SMA_STALE, &lft), 0);
	fixture_settle(&b);
	CHECK_EQUAL(asked(), 1);
	end();
}

static void test_final(void)
{
	begin();
	CHECK_EQUAL(look(SMA_FINAL, &lft), -ETIMEDOUT);
	fixture_settle(&b);
	CHECK_EQUAL(asked(), 0);
	read_now(&lft);
	fixture_advance(&b, 10 * AGE);
	CHECK_EQUAL(look(SMA_FINAL, &lft), 0);
	CHECK_EQUAL(asked(), 1);
	/* while it is on its way for the first time it is not known */
	fake_qp0_delay(b.fake, FAKE_ANY, 50);
	CHECK_EQUAL(look(SMA_FRESH, &other), -EAGAIN);
	CHECK_EQUAL(look(SMA_FINAL, &other), -ETIMEDOUT);
	end();
}

/* Status 0x0C or 0x08: the node does not have it. It is asked again when that answer is too old. */
static void test_absent(void)
{
	static const uint16_t statuses[] = {0x08, 0x0C};

	for (size_t i = 0; i < UNIT_COUNT(statuses); i++) {
		begin();
		fake_qp0_refuse(b.fake, UMAD_SM_ATTR_LINEAR_FT, statuses[i]);
		unit_case("status 0x%x", statuses[i]);
		CHECK_EQUAL(read_now(&lft), -ENOENT);
		fixture_advance(&b, AGE - 1);
		CHECK_EQUAL(look(SMA_FRESH, &lft), -ENOENT);
		CHECK_EQUAL(look(SMA_FINAL, &lft), -ENOENT);
		CHECK_EQUAL(asked(), 1);
		fake_qp0_fault(b.fake, UMAD_SM_ATTR_LINEAR_FT, FAKE_NONE, FAKE_FOREVER);
		fixture_advance(&b, 1);
		CHECK_EQUAL(read_now(&lft), 0);
		CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
		end();
	}
}

/* What the node had, and says that it has no more, is gone at once. */
static void test_becomes_absent(void)
{
	begin();
	CHECK_EQUAL(read_now(&lft), 0);
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_LINEAR_FT, 0x0C);
	fixture_advance(&b, AGE);
	CHECK_EQUAL(read_now(&lft), -ENOENT);
	CHECK_EQUAL(look(SMA_FINAL, &lft), -ENOENT);
	end();
}

static void test_lost(void)
{
	begin();
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_LINEAR_FT, 0x1C);
	CHECK_EQUAL(read_now(&lft), -EIO);
	CHECK_EQUAL(look(SMA_FRESH, &lft), -EIO);
	CHECK_EQUAL(look(SMA_FINAL, &lft), -EIO);
	CHECK_EQUAL(asked(), 1);
	CHECK_EQUAL(read_now(&other), 0);
	end();
}

/* However long a group's cache time is, what was lost is asked for again after 5 s. */
static void test_lost_again(void)
{
	enum { HOLD = 5000 };

	begin();
	b.node->config.age_ms[SMA_LinearForwardingTable] = 10 * HOLD;
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_LINEAR_FT, 0x1C);
	CHECK_EQUAL(read_now(&lft), -EIO);
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_LINEAR_FT, 0);
	fixture_advance(&b, HOLD - 1);
	CHECK_EQUAL(look(SMA_FRESH, &lft), -EIO);
	fixture_advance(&b, 1);
	CHECK_EQUAL(look(SMA_FRESH, &lft), -EAGAIN);
	CHECK_EQUAL(read_now(&lft), 0);
	end();
}

/* The last good data stand in for a lost answer, for their age and a minute more. */
static void test_last_good(void)
{
	begin();
	CHECK_EQUAL(read_now(&lft), 0);
	fake_qp0_fault(b.fake, UMAD_SM_ATTR_LINEAR_FT, FAKE_SILENT, FAKE_FOREVER);
	fixture_advance(&b, AGE);
	CHECK_EQUAL(look(SMA_FRESH, &lft), -EAGAIN);
	fixture_advance(&b, GIVE_UP);
	CHECK_EQUAL(look(SMA_FRESH, &lft), 0);
	fixture_advance(&b, LAST_GOOD + AGE - 1 - (b.now - BENCH_START));
	CHECK_EQUAL(look(SMA_STALE, &lft), 0);
	CHECK_EQUAL(look(SMA_FINAL, &lft), 0);
	fixture_advance(&b, 1);
	CHECK_EQUAL(look(SMA_FINAL, &lft), -ETIMEDOUT);
	CHECK_EQUAL(look(SMA_STALE, &lft), -EAGAIN);
	end();
}

/* What an SMA said a minute ago is not what it says, if nobody has asked since. */
static void test_long_ago(void)
{
	begin();
	CHECK_EQUAL(read_now(&lft), 0);
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_MCAST_FT, 0x0C);
	CHECK_EQUAL(read_now(&other), -ENOENT);
	fixture_advance(&b, LAST_GOOD + AGE - 1);
	CHECK_EQUAL(look(SMA_FINAL, &lft), 0);
	CHECK_EQUAL(look(SMA_FINAL, &other), -ENOENT);
	fixture_advance(&b, 1);
	CHECK_EQUAL(look(SMA_FINAL, &lft), -ETIMEDOUT);
	CHECK_EQUAL(look(SMA_FINAL, &other), -ETIMEDOUT);
	end();
}

/* A loss counts for as long as it is not asked again; after that nobody knows. */
static void test_lost_and_asked_again(void)
{
	begin();
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_LINEAR_FT, 0x1C);
	CHECK_EQUAL(read_now(&lft), -EIO);
	fixture_advance(&b, AGE - 1);
	CHECK_EQUAL(look(SMA_FINAL, &lft), -EIO);
	fixture_advance(&b, 1);
	CHECK_EQUAL(look(SMA_FINAL, &lft), -ETIMEDOUT);
	fake_qp0_delay(b.fake, UMAD_SM_ATTR_LINEAR_FT, 50);
	CHECK_EQUAL(look(SMA_STALE, &lft), -EAGAIN);
	CHECK_EQUAL(look(SMA_FINAL, &lft), -ETIMEDOUT);
	fixture_advance(&b, 50);
	CHECK_EQUAL(look(SMA_FINAL, &lft), -EIO);
	end();
}

/* Of a silent SMA what is known is told, and nothing of the rest. */
static void test_silent(void)
{
	static const struct sma_key fourth = {SMA_LinearForwardingTable, 0, 4};

	begin_with_age(60000);
	CHECK_EQUAL(read_now(&lft), 0);
	fake_qp0_fault(b.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	CHECK_EQUAL(look(SMA_FRESH, &other), -EAGAIN);
	fixture_advance(&b, 2000);
	CHECK_EQUAL(look(SMA_FRESH, &lft), 0);
	CHECK_EQUAL(look(SMA_FRESH, &other), -ETIMEDOUT);
	CHECK_EQUAL(look(SMA_STALE, &other), -ETIMEDOUT);
	CHECK_EQUAL(look(SMA_FRESH, &fourth), -ETIMEDOUT);
	CHECK_EQUAL(asked(), 1);
	end();
}

static void test_budget(void)
{
	static const unsigned budgets[] = {0, 1, 2, 7};

	for (size_t i = 0; i < UNIT_COUNT(budgets); i++) {
		struct sma_reader reader;
		const uint8_t *block;

		begin();
		reader = fixture_reader(&b, SMA_FRESH, budgets[i]);
		for (unsigned n = 0; n < 8; n++) {
			const struct sma_key key = {SMA_LinearForwardingTable, 0, n};

			unit_case("budget %u, block %u", budgets[i], n);
			CHECK_EQUAL(sma_read_block(&reader, &key, &block), n < budgets[i] ? -EAGAIN : -EBUSY);
			CHECK_EQUAL(reader.waits_for.modifier, 0);
		}
		fixture_settle(&b);
		CHECK_EQUAL(asked(), budgets[i]);
		end();
	}
}

/* Blocks on their way cost no budget and no second SMP. */
static void test_pending(void)
{
	begin();
	fake_qp0_delay(b.fake, FAKE_ANY, 50);
	for (unsigned i = 0; i < 5; i++) {
		struct sma_reader reader = fixture_reader(&b, SMA_FRESH, i == 0);
		const uint8_t *block;

		CHECK_EQUAL(sma_read_block(&reader, &lft, &block), -EAGAIN);
		fixture_advance(&b, 5);
	}
	fixture_advance(&b, 50);
	CHECK_EQUAL(asked(), 1);
	CHECK_EQUAL(look(SMA_FRESH, &lft), 0);
	end();
}

static void test_unreachable(void)
{
	const struct sma_key key = {SMA_LinearForwardingTable, 2, 3};

	begin();
	CHECK_EQUAL(look(SMA_FRESH, &key), -ENOENT);
	fixture_settle(&b);
	CHECK_EQUAL(fake_qp0_count(b.fake, FAKE_ANY), 0);
	end();
}

/* Behind the first block that is missed a search looks ahead, but not for ever. */
static void test_ahead(void)
{
	enum { KNOWN = 1000 };
	struct sma_reader reader;
	const uint8_t *block;
	unsigned looked = 0;

	begin();
	for (unsigned i = 0; i < KNOWN; i++) {
		const struct sma_key key = {SMA_P_KeyTable, 0, i};

		fake_qp0_set(b.fake, 0, UMAD_SM_ATTR_PKEY_TABLE, i, "\x12\x34", 2);
		read_now(&key);
	}
	reader = fixture_reader(&b, SMA_FRESH, 2);
	reader.place = 77;
	CHECK_EQUAL(sma_read_block(&reader, &lft, &block), -EAGAIN);
	reader.place = 88;
	CHECK_EQUAL(sma_read_block(&reader, &other, &block), -EAGAIN);
	CHECK_EQUAL(reader.missed_at, 77);
	while (looked < KNOWN &&
	       sma_read_block(&reader, &(struct sma_key){SMA_P_KeyTable, 0, looked}, &block) == 0)
		looked++;
	CHECK(looked >= 16 && looked < 32);
	CHECK_EQUAL(sma_read_block(&reader, &(struct sma_key){SMA_P_KeyTable, 0, 0}, &block), -EBUSY);
	end();
}

static void test_component(void)
{
	const struct sma_key key = {SMA_NodeInfo, 0, 0};
	struct sma_reader reader;
	uint64_t value = 7;

	begin();
	reader = fixture_reader(&b, SMA_FRESH, 1);
	CHECK_EQUAL(sma_read(&reader, &key, SMA_NodeInfo_ClassVersion, &value), -EAGAIN);
	CHECK_EQUAL(value, 7);
	fixture_settle(&b);
	CHECK_EQUAL(sma_read(&reader, &key, SMA_NodeInfo_ClassVersion, &value), 0);
	CHECK_EQUAL(value, 0x34);
	end();
}

static unsigned heard;

static void hear(void *arg, const struct sma_key *key)
{
	CHECK(arg == &heard);
	CHECK(key->attr == SMA_LinearForwardingTable || key->attr == SMA_NodeInfo);
	heard++;
}

/* The listener hears of each block, whatever became of it. */
static void test_listener(void)
{
	static const enum fake_fault faults[] = {FAKE_NONE, FAKE_SILENT, FAKE_REFUSE, FAKE_LOST};

	for (size_t i = 0; i < UNIT_COUNT(faults); i++) {
		begin();
		heard = 0;
		unit_case("fault %d", faults[i]);
		fake_qp0_fault(b.fake, UMAD_SM_ATTR_LINEAR_FT, faults[i], FAKE_FOREVER);
		sma_node_listen(b.node, hear, &heard);
		look(SMA_FRESH, &lft);
		fixture_advance(&b, 5 * GIVE_UP);
		CHECK_EQUAL(heard, 1);
		sma_node_listen(b.node, NULL, NULL);
		end();
	}
}

/* What is under way when it expires may have been read before. */
static void test_expired(void)
{
	begin();
	read_now(&lft);
	sma_node_expire(b.node, 1U << lft.attr);
	CHECK_EQUAL(look(SMA_FRESH, &lft), -EAGAIN);
	fixture_settle(&b);
	CHECK_EQUAL(look(SMA_FRESH, &lft), 0);
	CHECK_EQUAL(asked(), 2);

	sma_node_expire(b.node, 1U << lft.attr);
	CHECK_EQUAL(look(SMA_FRESH, &lft), -EAGAIN);
	sma_node_expire(b.node, 1U << lft.attr);
	fixture_settle(&b);
	CHECK_EQUAL(look(SMA_FRESH, &lft), -EAGAIN);
	fixture_settle(&b);
	CHECK_EQUAL(look(SMA_FRESH, &lft), 0);
	CHECK_EQUAL(asked(), 4);
	end();
}

/* It expires while each answer is under way: what was asked for after the question answers it. */
static void test_expired_again_and_again(void)
{
	enum { ANSWER_MS = 5, LIMIT_MS = 100 };
	struct sma_reader reader;
	const uint8_t *block;
	unsigned spent = 0;

	begin();
	read_now(&lft);
	fake_qp0_delay(b.fake, UMAD_SM_ATTR_LINEAR_FT, ANSWER_MS);
	fixture_advance(&b, 1);
	reader = fixture_reader(&b, SMA_FRESH, 100);
	do {
		sma_node_expire(b.node, 1U << lft.attr);
		fixture_advance(&b, 1);
		reader.now = b.now;
	} while (sma_read_block(&reader, &lft, &block) == -EAGAIN && ++spent < LIMIT_MS);
	CHECK(spent <= 3 * ANSWER_MS);
	CHECK(asked() <= 1 + 2);
	sma_node_expire(b.node, 1U << lft.attr);
	CHECK_EQUAL(look(SMA_FRESH, &lft), -EAGAIN); /* a later question */
	end();
}

static const struct unit_test tests[] = {
	{"a block that was never asked for", test_first_time},
	{"fresh until its age", test_age},
	{"age 0: one SMP for each evaluation", test_age_zero},
	{"a reader that insists", test_anew},
	{"a reader that insists on what was lost", test_anew_lost},
	{"blocks that have expired", test_expired},
	{"blocks that expire while each answer is under way", test_expired_again_and_again},
	{"a stale reader takes what is old", test_stale},
	{"a final reader asks for nothing", test_final},
	{"absent blocks", test_absent},
	{"a block that becomes absent", test_becomes_absent},
	{"lost blocks", test_lost},
	{"lost blocks are asked for again soon", test_lost_again},
	{"the last good data and their limit", test_last_good},
	{"budget", test_budget},
	{"a block on its way", test_pending},
	{"a port that cannot be asked", test_unreachable},
	{"what was answered long ago", test_long_ago},
	{"a lost block that is asked for again", test_lost_and_asked_again},
	{"a silent SMA", test_silent},
	{"how far a search looks ahead", test_ahead},
	{"one component", test_component},
	{"the listener", test_listener},
};

int main(void)
{
	return UNIT_MAIN("read", tests);
}
