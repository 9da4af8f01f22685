// SPDX-License-Identifier: BSD-2-Clause
/* SubnGets on their way, over the fake transport in virtual time. */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/node/request_parts.h"
#include "tests/fakes/fake_qp0.h"
#include "tests/unit.h"

enum {
	TIMEOUT = 200,
	RETRIES = 1,
	GIVE_UP = TIMEOUT * (RETRIES + 1),
	MARGIN = 250,
	START = 5000,
	MAX_DONE = 64
};

static struct {
	struct fake_qp0 *fake;
	struct sma_mailbox *box;
	struct sma_requests *requests;
	uint64_t now;
	uint64_t wake;
	unsigned done;
	struct {
		struct sma_key key;
		int result;
		uint64_t at;
	} ends[MAX_DONE];
	uint8_t data[SMA_BLOCK_SIZE]; /* of the last that was answered */
} t;

static const struct sma_key node_info = {.attr = SMA_NodeInfo, .port = 1};

static void take_done(void *arg, const struct sma_key *key, int result, const uint8_t *data)
{
	CHECK(arg == &t);
	CHECK(t.done < MAX_DONE);
	t.ends[t.done].key = *key;
	t.ends[t.done].at = t.now;
	t.ends[t.done++].result = result;
	if (result == 0)
		memcpy(t.data, data, sizeof(t.data));
}

/* Two ports; NodeInfo of a port begins with its number, and the blocks of its LFT with theirs. */
static void begin(unsigned window, unsigned retries)
{
	struct sma_config config = {.timeout_ms = TIMEOUT, .retries = retries, .window = window};

	memset(&t, 0, sizeof(t));
	t.now = START;
	t.fake = fake_qp0_new();
	t.box = sma_mailbox_new();
	t.requests = requests_new(&config, take_done, &t);
	for (uint8_t port = 1; port <= 2; port++) {
		fake_qp0_set(t.fake, port, UMAD_SM_ATTR_NODE_INFO, 0, &port, 1);
		requests_attach(t.requests, port, fake_qp0_open(t.fake, port, t.box));
	}
	for (uint8_t i = 0; i < MAX_DONE; i++)
		fake_qp0_set(t.fake, 1, UMAD_SM_ATTR_LINEAR_FT, i, &i, 1);
	fake_qp0_deliver(t.fake, t.now);
}

static void end(void)
{
	requests_free(t.requests);
	CHECK_EQUAL(fake_qp0_open_count(t.fake), 0);
	sma_mailbox_free(t.box);
	fake_qp0_free(t.fake);
}

static void run(void)
{
	struct sma_mail mail;

	do {
		fake_qp0_deliver(t.fake, t.now);
		while (sma_mailbox_take(t.box, &mail))
			requests_take(t.requests, &mail, t.now);
		t.wake = requests_run(t.requests, t.now);
	} while (fake_qp0_due(t.fake) <= t.now || t.wake <= t.now);
}

/* Let time pass from event to event. */
static void advance(uint64_t ms)
{
	uint64_t stop = t.now + ms;

	run();
	while (t.now < stop) {
		uint64_t next = fake_qp0_due(t.fake);

		next = t.wake < next ? t.wake : next;
		t.now = next < stop ? next : stop;
		run();
	}
}

static struct sma_counters counters(void)
{
	struct sma_counters c;

	requests_count(t.requests, &c);
	return c;
}

static void submit(const struct sma_key *key)
{
	CHECK_EQUAL(requests_submit(t.requests, key, true), 0);
}

/* ---- answers ---- */

static void test_answer(void)
{
	begin(4, RETRIES);
	submit(&node_info);
	CHECK_EQUAL(fake_qp0_count(t.fake, FAKE_ANY), 0);
	run();
	CHECK_EQUAL(t.done, 1);
	CHECK_EQUAL(t.ends[0].result, 0);
	CHECK(t.ends[0].key.attr == SMA_NodeInfo && t.ends[0].key.port == 1);
	CHECK_EQUAL(t.data[0], 1);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	CHECK_EQUAL(counters().sent, 1);
	CHECK_EQUAL(counters().answered, 1);
	end();
}

static void test_status(void)
{
	static const uint16_t statuses[] = {0x04, 0x08, 0x0C, 0x1C, 0x7FFF};

	for (size_t i = 0; i < UNIT_COUNT(statuses); i++) {
		begin(4, RETRIES);
		unit_case("status 0x%x", statuses[i]);
		fake_qp0_refuse(t.fake, FAKE_ANY, statuses[i]);
		submit(&node_info);
		run();
		CHECK_EQUAL(t.done, 1);
		CHECK_EQUAL(t.ends[0].result, statuses[i]);
		CHECK_EQUAL(counters().refused, 1);
		CHECK_EQUAL(counters().sent, 1);
		end();
	}
}

static void test_two_ports(void)
{
	const struct sma_key other = {.attr = SMA_NodeInfo, .port = 2};

	begin(4, RETRIES);
	submit(&node_info);
	run();
	CHECK_EQUAL(t.data[0], 1);
	submit(&other);
	run();
	CHECK_EQUAL(t.data[0], 2);
	CHECK_EQUAL(t.ends[1].key.port, 2);
	CHECK_EQUAL(fake_qp0_count_block(t.fake, 1, UMAD_SM_ATTR_NODE_INFO, 0), 1);
	CHECK_EQUAL(fake_qp0_count_block(t.fake, 2, UMAD_SM_ATTR_NODE_INFO, 0), 1);
	end();
}

/* SMInfo is answered by whoever registered as the SM, who is to learn no key. */
static void test_m_key(void)
{
	static const uint8_t key[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
	static const uint8_t none[sizeof(key)];
	const struct sma_config config = {.timeout_ms = TIMEOUT, .window = 1, .m_key = 0x1122334455667788};

	begin(1, 0);
	requests_configure(t.requests, &config);
	for (unsigned attr = 0; attr < SMA_ATTR_COUNT; attr++) {
		const struct sma_key asked = {.attr = attr, .port = 1};

		unit_case("%s", sma_attr_name(attr));
		submit(&asked);
		run();
		CHECK_EQUAL(t.done, attr + 1);
		CHECK_OCTETS(fake_qp0_last(t.fake) + 24, attr == SMA_SMInfo ? none : key, sizeof(key));
	}
	unit_case(NULL);
	end();
}

/* The right answer, but from the other port, is none. */
static void test_port_is_matched(void)
{
	struct sma_mail mail = {.kind = SMA_MAIL_MAD, .port = 2};

	begin(4, RETRIES);
	fake_qp0_delay(t.fake, FAKE_ANY, 50);
	submit(&node_info);
	run();
	memcpy(mail.mad, fake_qp0_last(t.fake), SMA_MAD_SIZE);
	mail.mad[3] = 0x81;
	requests_take(t.requests, &mail, t.now);
	CHECK_EQUAL(t.done, 0);
	CHECK_EQUAL(counters().strange, 1);
	mail.port = 1;
	requests_take(t.requests, &mail, t.now);
	CHECK_EQUAL(t.done, 1);
	end();
}

static void test_unknown_port(void)
{
	static const uint8_t ports[] = {0, 3, 254, 255};

	begin(4, RETRIES);
	for (size_t i = 0; i < UNIT_COUNT(ports); i++) {
		const struct sma_key key = {.attr = SMA_NodeInfo, .port = ports[i]};

		CHECK_EQUAL(requests_submit(t.requests, &key, true), -ENODEV);
		CHECK(!requests_reaches(t.requests, ports[i]));
	}
	CHECK(requests_reaches(t.requests, 2));
	CHECK(!requests_reaches(t.requests, 1000));
	end();
}

/* ---- window and order ---- */

static void test_window(void)
{
	static const unsigned windows[] = {1, 3, 16};

	for (size_t w = 0; w < UNIT_COUNT(windows); w++) {
		begin(windows[w], RETRIES);
		fake_qp0_delay(t.fake, FAKE_ANY, 10);
		for (uint32_t i = 0; i < 32; i++)
			submit(&(struct sma_key){SMA_LinearForwardingTable, 1, i});
		advance(1000);
		unit_case("window %u", windows[w]);
		CHECK_EQUAL(fake_qp0_most_pending(t.fake), windows[w]);
		CHECK_EQUAL(t.done, 32);
		for (uint32_t i = 0; i < 32; i++) {
			CHECK_EQUAL(t.ends[i].key.modifier, i);
			CHECK_EQUAL(t.ends[i].at, START + 10 * (i / windows[w] + 1));
		}
		end();
	}
}

/* ---- no answer ---- */

/* NodeInfo is not answered; all else is, if only with a status. */
struct silence {
	const char *name;
	enum fake_fault fault;
	unsigned retries;
	unsigned end_least, end_most; /* ms */
};

static const struct silence silences[] = {
	{"time-out reported", FAKE_SILENT, 1, GIVE_UP, GIVE_UP},
	{"no retry", FAKE_SILENT, 0, TIMEOUT, TIMEOUT},
	{"three retries", FAKE_SILENT, 3, 4 * TIMEOUT, 4 * TIMEOUT},
	{"nothing reported", FAKE_VANISH, 1, GIVE_UP, GIVE_UP + 2 * MARGIN},
	{"lost at once", FAKE_LOST, 1, TIMEOUT, GIVE_UP},
	{"lost at once, no retry", FAKE_LOST, 0, 0, TIMEOUT},
	{"lost at once, three retries", FAKE_LOST, 3, 3 * TIMEOUT, 4 * TIMEOUT},
	{"busy", FAKE_BUSY, 1, TIMEOUT, GIVE_UP},
	{"busy, no retry", FAKE_BUSY, 0, 0, TIMEOUT},
	{"another transaction", FAKE_WRONG_TID, 1, GIVE_UP, GIVE_UP + 2 * MARGIN},
	{"another attribute", FAKE_WRONG_ATTRIBUTE, 1, GIVE_UP, GIVE_UP + 2 * MARGIN},
	{"another modifier", FAKE_WRONG_MODIFIER, 1, GIVE_UP, GIVE_UP + 2 * MARGIN},
	{"a request comes back", FAKE_NO_RESPONSE_BIT, 1, GIVE_UP, GIVE_UP + 2 * MARGIN},
	{"garbage", FAKE_GARBAGE, 1, GIVE_UP, GIVE_UP + 2 * MARGIN},
};

/* Let time pass, and check that the tries for NodeInfo are apart by the time-out. */
static unsigned advance_tries(uint64_t ms)
{
	uint64_t stop = t.now + ms;
	uint64_t last = 0;
	unsigned tries = 0;

	while (t.now < stop) {
		unsigned sent = fake_qp0_count(t.fake, UMAD_SM_ATTR_NODE_INFO);

		CHECK(sent <= tries + 1 && (sent == tries || !tries || t.now - last >= TIMEOUT));
		last = sent > tries ? t.now : last;
		tries = sent;
		advance(1);
	}
	return tries;
}

static void check_silence(const struct silence *s)
{
	begin(4, s->retries);
	fake_qp0_fault(t.fake, UMAD_SM_ATTR_NODE_INFO, s->fault, FAKE_FOREVER);
	submit(&node_info);
	run();
	unit_case("%s", s->name);
	CHECK_EQUAL(advance_tries(5000), s->retries + 1);
	CHECK_EQUAL(t.done, 1);
	CHECK_EQUAL(t.ends[0].result, -ETIMEDOUT);
	CHECK(t.ends[0].at >= START + s->end_least && t.ends[0].at <= START + s->end_most);
	CHECK_EQUAL(counters().sent, fake_qp0_count(t.fake, FAKE_ANY));
	CHECK_EQUAL(counters().timed_out, 1);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	end();
}

static void test_silence(void)
{
	for (size_t i = 0; i < UNIT_COUNT(silences); i++)
		check_silence(&silences[i]);
}

/* Losses reported at once are not repeated at once. */
static void test_pacing(void)
{
	begin(4, 3);
	fake_qp0_fault(t.fake, UMAD_SM_ATTR_NODE_INFO, FAKE_LOST, 3);
	submit(&node_info);
	run();
	CHECK_EQUAL(advance_tries(5000), 4);
	CHECK_EQUAL(t.done, 1);
	CHECK_EQUAL(t.ends[0].result, 0);
	CHECK_EQUAL(t.ends[0].at, START + 3 * TIMEOUT);
	end();
}

/* One that cannot be sent had no chance: it goes on, at the same pace, and holds up nothing else. */
static void test_not_sent(void)
{
	const struct sma_key lft = {.attr = SMA_LinearForwardingTable, .port = 1};

	begin(1, 0);
	fake_qp0_fault(t.fake, UMAD_SM_ATTR_NODE_INFO, FAKE_SEND_FAILS, 10);
	submit(&node_info);
	submit(&lft);
	run();
	CHECK_EQUAL(t.done, 1);
	CHECK(t.ends[0].key.attr == SMA_LinearForwardingTable && t.ends[0].result == 0);
	CHECK_EQUAL(advance_tries(5000), 11);
	CHECK_EQUAL(t.done, 2);
	CHECK_EQUAL(t.ends[1].result, 0);
	CHECK_EQUAL(t.ends[1].at, START + 10 * TIMEOUT);
	end();
}

/* Dead blocks, whose requests are late, make room for others. */
static void test_silence_frees_the_window(void)
{
	const struct sma_key lft = {.attr = SMA_LinearForwardingTable, .port = 1};

	begin(1, RETRIES);
	fake_qp0_fault(t.fake, UMAD_SM_ATTR_NODE_INFO, FAKE_VANISH, FAKE_FOREVER);
	submit(&node_info);
	submit(&lft);
	advance(5000);
	CHECK_EQUAL(t.done, 2);
	CHECK(t.ends[0].key.attr == SMA_LinearForwardingTable && t.ends[0].result == 0);
	CHECK_EQUAL(t.ends[0].at, START + TIMEOUT / 2);
	CHECK_EQUAL(t.ends[1].result, -ETIMEDOUT);
	end();
}

/* Of many dead blocks no more are late at once than so many for each place; those that are answered come all
 * the same. */
static void test_many_dead(void)
{
	begin(2, RETRIES);
	for (uint32_t i = 0; i < 60; i++) {
		const struct sma_key key = {SMA_LinearForwardingTable, 1, i};

		if (i % 10 != 9)
			fake_qp0_fault_block(t.fake, 1, UMAD_SM_ATTR_LINEAR_FT, i, FAKE_SILENT, FAKE_FOREVER);
		submit(&key);
	}
	advance(20000);
	CHECK_EQUAL(t.done, 60);
	CHECK_EQUAL(counters().answered, 6);
	CHECK_EQUAL(counters().timed_out, 54);
	CHECK(fake_qp0_most_pending(t.fake) <= 2 * 8 + 1);
	CHECK_EQUAL(fake_qp0_count_most(t.fake, UMAD_SM_ATTR_LINEAR_FT), RETRIES + 1);
	end();
}

/* ---- an SMA that answers nothing ---- */

static const struct sma_key four[] = {
	{SMA_LinearForwardingTable, 1, 0},
	{SMA_LinearForwardingTable, 1, 1},
	{SMA_LinearForwardingTable, 1, 2},
	{SMA_LinearForwardingTable, 1, 3},
};

static void submit_four(void)
{
	for (size_t i = 0; i < UNIT_COUNT(four); i++)
		submit(&four[i]);
}

/* Nothing is learnt of a block while the SMA answers none. */
static void check_silent(enum fake_fault fault, unsigned retries)
{
	begin(3, retries);
	fake_qp0_fault(t.fake, FAKE_ANY, fault, FAKE_FOREVER);
	submit_four();
	advance(5000);
	unit_case("fault %d, %u retries", fault, retries);
	CHECK_EQUAL(t.done, 4);
	for (unsigned i = 0; i < t.done; i++) {
		CHECK_EQUAL(t.ends[i].result, -EHOSTDOWN);
		CHECK_EQUAL(t.ends[i].at, t.ends[0].at);
	}
	CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_LINEAR_FT), 3);
	CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_NODE_INFO), 2 * (retries + 1));
	CHECK_EQUAL(counters().timed_out, 4);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	/* the next one is for the probe to try first */
	submit_four();
	advance(5000);
	CHECK_EQUAL(t.done, 8);
	CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_LINEAR_FT), 3);
	CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_NODE_INFO), 3 * (retries + 1));
	/* and when that is answered, all are sent */
	fake_qp0_fault(t.fake, FAKE_ANY, FAKE_NONE, 0);
	submit_four();
	run();
	CHECK_EQUAL(t.done, 12);
	CHECK_EQUAL(t.ends[11].result, 0);
	end();
}

static void test_silent(void)
{
	check_silent(FAKE_SILENT, 0);
	check_silent(FAKE_SILENT, 1);
	check_silent(FAKE_VANISH, 3);
	check_silent(FAKE_LOST, 1);
}

/* An SMA that stood still for a while has to answer all the same: however short tries are, none is lost. */
static void check_stall(unsigned stall_ms, unsigned retries, bool times_out)
{
	begin(3, retries);
	if (times_out)
		fake_qp0_time_out(t.fake);
	advance(1);
	fake_qp0_stall(t.fake, stall_ms);
	submit_four();
	advance(5000);
	unit_case("%u ms, %u retries, the kernel %s", stall_ms, retries, times_out ? "gives up" : "waits");
	CHECK_EQUAL(t.done, 4);
	CHECK_EQUAL(counters().answered, 4);
	for (unsigned i = 0; i < t.done; i++)
		CHECK(t.ends[i].at <= START + 1 + stall_ms + 2 * TIMEOUT + 500);
	end();
}

static void test_stall(void)
{
	for (unsigned ms = 1; ms < 700; ms += 20) {
		check_stall(ms, 1, false);
		check_stall(ms, 1, true);
		check_stall(ms, 3, true);
	}
}

/* The attribute that everyone answers may be the one that is not answered. */
static void test_no_node_info(void)
{
	begin(1, RETRIES);
	fake_qp0_fault(t.fake, UMAD_SM_ATTR_NODE_INFO, FAKE_SILENT, FAKE_FOREVER);
	submit(&node_info);
	submit(&(struct sma_key){SMA_PortInfo, 1, 1});
	submit(&(struct sma_key){SMA_PortInfo, 1, 2});
	advance(5000);
	CHECK_EQUAL(t.done, 3);
	CHECK_EQUAL(t.ends[2].result, -ETIMEDOUT);
	CHECK(t.ends[2].key.attr == SMA_NodeInfo);
	end();
}

/* A process that was stopped takes what came meanwhile for no less than what comes in time. */
static void test_stopped(void)
{
	begin(3, 0);
	fake_qp0_delay(t.fake, FAKE_ANY, 10);
	submit_four();
	run();
	t.now += 10000;
	/* the readers were stopped as well, and go on a moment later */
	t.wake = requests_run(t.requests, t.now);
	CHECK_EQUAL(t.done, 0);
	CHECK_EQUAL(counters().sent, 3);
	t.now += 20;
	run();
	CHECK_EQUAL(t.done, 3);
	CHECK_EQUAL(counters().answered, 3);
	advance(100);
	CHECK_EQUAL(counters().answered, 4);
	CHECK_EQUAL(counters().sent, 4);
	end();
}

/* ---- transactions ---- */

/* 0 is no transaction, also after so many that the numbers begin anew. */
static void test_wrap(void)
{
	begin(1, RETRIES);
	t.requests->last_tid = UINT32_MAX - 2;
	submit_four();
	for (unsigned i = 0; i < 4; i++)
		fake_qp0_delay(t.fake, FAKE_ANY, 10);
	for (unsigned i = 0; i < 4; i++) {
		static const uint8_t tids[][4] = {
			{0xFF, 0xFF, 0xFF, 0xFE}, {0xFF, 0xFF, 0xFF, 0xFF}, {0, 0, 0, 1}, {0, 0, 0, 2}};

		run();
		CHECK_OCTETS(fake_qp0_last(t.fake) + 12, tids[i], 4);
		advance(10);
	}
	CHECK_EQUAL(counters().answered, 4);
	end();
}

/* ---- strange MADs ---- */

/* Each try has its own transaction: an answer that comes after the next has begun counts as strange. */
static void test_late_answer(void)
{
	uint8_t first[SMA_MAD_SIZE];

	begin(4, RETRIES);
	fake_qp0_delay(t.fake, UMAD_SM_ATTR_NODE_INFO, TIMEOUT + TIMEOUT / 4 + 10);
	submit(&node_info);
	run();
	memcpy(first, fake_qp0_last(t.fake), sizeof(first));
	advance(5000);
	CHECK(memcmp(first + 8, fake_qp0_last(t.fake) + 8, 8) != 0);
	CHECK_EQUAL(t.done, 1);
	CHECK_EQUAL(t.ends[0].result, -ETIMEDOUT);
	CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_NODE_INFO), 2);
	CHECK_EQUAL(counters().strange, 2);
	end();
}

/* While the SMA answers nothing there is no next try, and an answer comes when it comes. */
static void test_very_late_answer(void)
{
	begin(4, RETRIES);
	fake_qp0_delay(t.fake, FAKE_ANY, 3 * TIMEOUT);
	submit(&node_info);
	advance(5000);
	CHECK_EQUAL(t.done, 1);
	CHECK_EQUAL(t.ends[0].result, 0);
	CHECK_EQUAL(t.ends[0].at, START + 3 * TIMEOUT);
	CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_NODE_INFO), 1);
	end();
}

/* One fault, and then the SMA answers. */
struct recovery {
	const char *name;
	enum fake_fault fault;
	unsigned sent;
	unsigned strange;
};

static const struct recovery recoveries[] = {
	{"no fault", FAKE_NONE, 1, 0},
	{"the answer twice", FAKE_TWICE, 1, 1},
	{"a trap before the answer", FAKE_TRAP_FIRST, 1, 1},
	{"another transaction", FAKE_WRONG_TID, 2, 1},
	{"another attribute", FAKE_WRONG_ATTRIBUTE, 2, 1},
	{"another modifier", FAKE_WRONG_MODIFIER, 2, 1},
	{"a request comes back", FAKE_NO_RESPONSE_BIT, 2, 1},
	{"garbage", FAKE_GARBAGE, 2, 1},
	{"busy", FAKE_BUSY, 2, 0},
	{"time-out reported", FAKE_SILENT, 2, 0},
	{"lost at once", FAKE_LOST, 2, 0},
	{"nothing reported", FAKE_VANISH, 2, 0},
	{"cannot be sent", FAKE_SEND_FAILS, 2, 0},
};

static void test_recovery(void)
{
	for (size_t i = 0; i < UNIT_COUNT(recoveries); i++) {
		begin(4, RETRIES);
		unit_case("%s", recoveries[i].name);
		fake_qp0_fault(t.fake, FAKE_ANY, recoveries[i].fault, 1);
		submit(&node_info);
		advance(5000);
		CHECK_EQUAL(t.done, 1);
		CHECK_EQUAL(t.ends[0].result, 0);
		CHECK(t.ends[0].at <= START + MARGIN);
		CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_NODE_INFO), recoveries[i].sent);
		CHECK_EQUAL(counters().answered, 1);
		CHECK_EQUAL(counters().strange, recoveries[i].strange);
		end();
	}
}

/* ---- a lost device ---- */

/* A device that takes nothing for 10 s is lost; one that took something is not. */
static void test_lost(void)
{
	begin(4, RETRIES);
	fake_qp0_fault(t.fake, FAKE_ANY, FAKE_SEND_FAILS, FAKE_FOREVER);
	submit(&node_info);
	advance(9900);
	submit(&node_info);
	advance(1);
	CHECK_EQUAL(requests_lost(t.requests), 0);
	advance(200);
	CHECK(requests_lost(t.requests) > 0);
	fake_qp0_fault(t.fake, FAKE_ANY, FAKE_SEND_FAILS, 0);
	advance(TIMEOUT);
	CHECK_EQUAL(requests_lost(t.requests), 0);
	CHECK_EQUAL(t.done, 2);
	CHECK_EQUAL(counters().answered, 2);
	end();
}

/* Failures go together only if there is nothing between them: neither a success nor a long time. */
static void test_not_lost(void)
{
	begin(4, RETRIES);
	for (unsigned i = 0; i < 5; i++) {
		fake_qp0_fault(t.fake, FAKE_ANY, FAKE_SEND_FAILS, 8);
		submit(&node_info);
		advance(12000);
		unit_case("burst %u", i);
		CHECK_EQUAL(requests_lost(t.requests), 0);
		CHECK_EQUAL(t.done, i + 1);
	}
	fake_qp0_fault(t.fake, FAKE_ANY, FAKE_SEND_FAILS, FAKE_FOREVER);
	submit(&node_info);
	advance(1000);
	t.now += 12000;
	advance(1000);
	CHECK_EQUAL(requests_lost(t.requests), 0);
	advance(10000);
	CHECK(requests_lost(t.requests) > 0);
	end();
}

static void test_free_while_outstanding(void)
{
	begin(2, RETRIES);
	fake_qp0_delay(t.fake, FAKE_ANY, 100);
	for (uint32_t i = 0; i < 5; i++)
		submit(&(struct sma_key){SMA_LinearForwardingTable, 1, i});
	run();
	end();
	CHECK_EQUAL(t.done, 0);
}

static const struct unit_test tests[] = {
	{"an answer", test_answer},
	{"an error status is an answer", test_status},
	{"the M_Key goes to the SMA only", test_m_key},
	{"two ports", test_two_ports},
	{"an answer counts from its port only", test_port_is_matched},
	{"a port without transport", test_unknown_port},
	{"window and order", test_window},
	{"no answer: tries and time", test_silence},
	{"losses reported at once are paced", test_pacing},
	{"a request that cannot be sent", test_not_sent},
	{"a request without answer gives its place away", test_silence_frees_the_window},
	{"many requests without answer", test_many_dead},
	{"a silent SMA", test_silent},
	{"an SMA that stood still", test_stall},
	{"an SMA that does not answer NodeInfo", test_no_node_info},
	{"a process that was stopped", test_stopped},
	{"transaction ids that begin anew", test_wrap},
	{"a late answer", test_late_answer},
	{"a late answer of an SMA that answers late only", test_very_late_answer},
	{"one fault, then an answer; strange MADs are counted and dropped", test_recovery},
	{"a lost device", test_lost},
	{"a device that fails now and then", test_not_lost},
	{"the end while requests are outstanding", test_free_while_outstanding},
};

int main(void)
{
	return UNIT_MAIN("request", tests);
}
