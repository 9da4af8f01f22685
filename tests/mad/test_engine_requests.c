// SPDX-License-Identifier: BSD-2-Clause
/* Requests to an SMA: windows, tries, silence. Over the fake SMA, in virtual time. */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/mad/exchange.h"
#include "tests/fakes/fake_qp0.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum {
	TIMEOUT = 200,
	RETRIES = 1,
	GIVE_UP = TIMEOUT * (RETRIES + 1),
	MARGIN = 250,
	START = 5000,
	MAX_DONE = 64,
	MAX_ASKED = 256,
};

static struct {
	struct fake_qp0 *fake;
	struct engine *engine;
	struct peer *peer;
	struct engine_config config;
	uint64_t now;
	uint64_t wake;
	unsigned asked;
	unsigned done;
	struct {
		uint16_t attribute;
		uint32_t modifier;
		int result; /* -errno, or the status */
		uint64_t at;
	} ends[MAX_DONE];
	uint8_t data[UMAD_LEN_SMP_DATA]; /* of the last that was answered */
} t;

/* What is asked for. */
struct question {
	uint16_t attribute;
	uint32_t modifier;
};

static struct question questions[MAX_ASKED];

static const struct question node_info = {UMAD_SM_ATTR_NODE_INFO, 0};

static void take_done(void *arg, const struct engine_result *result)
{
	const struct question *question = arg;

	CHECK(t.done < MAX_DONE);
	t.ends[t.done].attribute = question->attribute;
	t.ends[t.done].modifier = question->modifier;
	t.ends[t.done].at = t.now;
	t.ends[t.done++].result = result->error ? result->error : result->status;
	if (result->data)
		memcpy(t.data, result->data, sizeof(t.data));
}

/* A port; its NodeInfo begins with a 1, and the blocks of its LFT with their numbers. */
static void begin(unsigned window, unsigned retries)
{
	const struct engine_address self = {.route = ENGINE_SELF};
	static const uint8_t one = 1;

	memset(&t, 0, sizeof(t));
	t.config = (struct engine_config){
		.port = 1, .window = window, .timeout_ms = TIMEOUT, .tries = retries + 1};
	t.now = START;
	t.fake = fake_qp0_new();
	t.engine = engine_open(&t.config);
	engine_attach(t.engine, fake_qp0_transport(t.fake, 1, engine_mailbox(t.engine)));
	t.peer = peer_open(t.engine, MAD_CLASS_SM, &self, window);
	fake_qp0_set(t.fake, 1, UMAD_SM_ATTR_NODE_INFO, 0, &one, 1);
	for (uint8_t i = 0; i < MAX_DONE; i++)
		fake_qp0_set(t.fake, 1, UMAD_SM_ATTR_LINEAR_FT, i, &i, 1);
	fake_qp0_deliver(t.fake, t.now);
}

static void end(void)
{
	peer_close(t.peer);
	engine_close(t.engine);
	CHECK_EQUAL(fake_qp0_open_count(t.fake), 0);
	fake_qp0_free(t.fake);
}

static void run(void)
{
	do {
		fake_qp0_deliver(t.fake, t.now);
		t.wake = engine_process(t.engine, t.now);
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

static struct engine_counters counters(void)
{
	struct engine_counters c;

	engine_count(t.engine, MAD_CLASS_SM, &c);
	return c;
}

static struct exchange *submit_as(const struct question *question, enum engine_priority priority)
{
	struct question *kept = &questions[t.asked++ % MAX_ASKED];
	const struct engine_request request = {.method = MAD_GET,
	                                       .attribute = question->attribute,
	                                       .modifier = question->modifier,
	                                       .keyless = question->attribute == UMAD_SM_ATTR_SM_INFO,
	                                       .priority = priority,
	                                       .done = take_done,
	                                       .arg = kept};
	struct exchange *exchange = NULL;

	*kept = *question;
	CHECK_EQUAL(peer_submit(t.peer, &request, t.now, &exchange), 0);
	return exchange;
}

static void submit(const struct question *question)
{
	submit_as(question, ENGINE_MANAGER);
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
	CHECK(t.ends[0].attribute == UMAD_SM_ATTR_NODE_INFO);
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

/* SMInfo is answered by whoever registered as the SM, who is to learn no key. */
static void test_m_key(void)
{
	static const uint8_t key[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
	static const uint8_t none[sizeof(key)];
	static const uint16_t attributes[] = {UMAD_SM_ATTR_NODE_INFO, UMAD_SM_ATTR_PORT_INFO,
	                                      UMAD_SM_ATTR_SM_INFO};

	begin(1, 0);
	peer_set_key(t.peer, 0x1122334455667788);
	for (unsigned i = 0; i < UNIT_COUNT(attributes); i++) {
		unit_case("attribute 0x%x", attributes[i]);
		submit(&(struct question){attributes[i], 0});
		run();
		CHECK_EQUAL(t.done, i + 1);
		CHECK_OCTETS(fake_qp0_last(t.fake) + 24, attributes[i] == UMAD_SM_ATTR_SM_INFO ? none : key,
		             sizeof(key));
	}
	unit_case(NULL);
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
			submit(&(struct question){UMAD_SM_ATTR_LINEAR_FT, i});
		advance(1000);
		unit_case("window %u", windows[w]);
		CHECK_EQUAL(fake_qp0_most_pending(t.fake), windows[w]);
		CHECK_EQUAL(t.done, 32);
		for (uint32_t i = 0; i < 32; i++) {
			CHECK_EQUAL(t.ends[i].modifier, i);
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
	const struct question lft = {UMAD_SM_ATTR_LINEAR_FT, 0};

	begin(1, 0);
	fake_qp0_fault(t.fake, UMAD_SM_ATTR_NODE_INFO, FAKE_SEND_FAILS, 10);
	submit(&node_info);
	submit(&lft);
	run();
	CHECK_EQUAL(t.done, 1);
	CHECK(t.ends[0].attribute == UMAD_SM_ATTR_LINEAR_FT && t.ends[0].result == 0);
	CHECK_EQUAL(advance_tries(5000), 11);
	CHECK_EQUAL(t.done, 2);
	CHECK_EQUAL(t.ends[1].result, 0);
	CHECK_EQUAL(t.ends[1].at, START + 10 * TIMEOUT);
	end();
}

/* Dead blocks, whose requests are late, make room for others. */
static void test_silence_frees_the_window(void)
{
	const struct question lft = {UMAD_SM_ATTR_LINEAR_FT, 0};

	begin(1, RETRIES);
	fake_qp0_fault(t.fake, UMAD_SM_ATTR_NODE_INFO, FAKE_VANISH, FAKE_FOREVER);
	submit(&node_info);
	submit(&lft);
	advance(5000);
	CHECK_EQUAL(t.done, 2);
	CHECK(t.ends[0].attribute == UMAD_SM_ATTR_LINEAR_FT && t.ends[0].result == 0);
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
		const struct question key = {UMAD_SM_ATTR_LINEAR_FT, i};

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

static const struct question four[] = {
	{UMAD_SM_ATTR_LINEAR_FT, 0},
	{UMAD_SM_ATTR_LINEAR_FT, 1},
	{UMAD_SM_ATTR_LINEAR_FT, 2},
	{UMAD_SM_ATTR_LINEAR_FT, 3},
};

static void submit_four(void)
{
	for (size_t i = 0; i < UNIT_COUNT(four); i++)
		submit(&four[i]);
}

/* Until then all requests are refused. */
static void wait_for_silence_to_end(void)
{
	const struct engine_request request = {
		.method = MAD_GET, .attribute = UMAD_SM_ATTR_NODE_INFO, .done = take_done};
	uint64_t end = peer_silent_until(t.peer);

	CHECK_EQUAL(peer_submit(t.peer, &request, end - 1, NULL), -EHOSTDOWN);
	if (end > t.now)
		advance(end - t.now);
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
	CHECK_EQUAL(peer_state(t.peer), PEER_SILENT);
	/* the next one is for the probe to try first */
	wait_for_silence_to_end();
	submit_four();
	advance(5000);
	CHECK_EQUAL(t.done, 8);
	CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_LINEAR_FT), 3);
	CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_NODE_INFO), 3 * (retries + 1));
	/* and when that is answered, all are sent */
	wait_for_silence_to_end();
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

/* A silent SMA is asked less and less; one that answers again begins anew. */
static void test_back_off(void)
{
	static const unsigned holds[] = {5, 10, 20, 40, 80, 160, 300, 300};

	begin(3, 0);
	logged_start(false);
	fake_qp0_fault(t.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	for (size_t i = 0; i < UNIT_COUNT(holds); i++) {
		unit_case("hold %zu", i);
		submit(&node_info);
		advance(2000);
		CHECK_EQUAL(t.done, i + 1);
		CHECK_EQUAL(peer_silent_until(t.peer), t.ends[i].at + holds[i] * 1000UL);
		wait_for_silence_to_end();
	}
	CHECK_EQUAL(logged_with("the SMA of port 1 does not answer"), 1);
	fake_qp0_refuse(t.fake, FAKE_ANY, 0x0C);
	submit(&node_info);
	run();
	CHECK_EQUAL(peer_state(t.peer), PEER_ANSWERING);
	CHECK_EQUAL(logged_with("the SMA of port 1 answers again"), 1);
	fake_qp0_fault(t.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	submit(&node_info);
	advance(2000);
	CHECK_EQUAL(peer_silent_until(t.peer), t.ends[t.done - 1].at + 5000);
	CHECK_EQUAL(logged_with("the SMA of port 1 does not answer"), 2);
	logged_stop();
	end();
}

/* With another key there is reason to believe that a silent SMA will answer. */
static void test_forgiven(void)
{
	begin(3, 0);
	fake_qp0_fault(t.fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	submit(&node_info);
	advance(2000);
	CHECK(peer_silent_until(t.peer) > t.now);
	peer_set_key(t.peer, 0);
	CHECK(peer_silent_until(t.peer) > t.now);
	peer_set_key(t.peer, 1);
	CHECK_EQUAL(peer_silent_until(t.peer), 0);
	CHECK_EQUAL(peer_state(t.peer), PEER_SILENT);
	submit(&node_info);
	advance(2000);
	CHECK_EQUAL(peer_silent_until(t.peer), t.ends[1].at + 10000);
	end();
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

/* What the SMA answers first after it stood still says nothing of tries that ended before. */
static void test_stall_of_slow_blocks(void)
{
	for (unsigned ms = 130; ms < 900; ms += 20) {
		begin(3, 0);
		unit_case("%u ms", ms);
		fake_qp0_delay(t.fake, UMAD_SM_ATTR_LINEAR_FT, 60);
		advance(1);
		fake_qp0_stall(t.fake, ms);
		submit_four();
		advance(5000);
		CHECK_EQUAL(t.done, 4);
		CHECK_EQUAL(counters().answered, 4);
		end();
	}
}

/* The attribute that everyone answers may be the one that is not answered. */
static void test_no_node_info(void)
{
	begin(1, RETRIES);
	fake_qp0_fault(t.fake, UMAD_SM_ATTR_NODE_INFO, FAKE_SILENT, FAKE_FOREVER);
	submit(&node_info);
	submit(&(struct question){UMAD_SM_ATTR_PORT_INFO, 1});
	submit(&(struct question){UMAD_SM_ATTR_PORT_INFO, 2});
	advance(5000);
	CHECK_EQUAL(t.done, 3);
	CHECK_EQUAL(t.ends[2].result, -ETIMEDOUT);
	CHECK(t.ends[2].attribute == UMAD_SM_ATTR_NODE_INFO);
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
	t.wake = engine_process(t.engine, t.now);
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

/* ---- strange MADs ---- */

/* An answer to an earlier try is an answer; the one to the next comes too late, and counts as strange. */
static void test_late_answer(void)
{
	uint8_t first[MAD_SIZE];

	begin(4, RETRIES);
	fake_qp0_delay(t.fake, UMAD_SM_ATTR_NODE_INFO, TIMEOUT + TIMEOUT / 4 + 10);
	submit(&node_info);
	run();
	memcpy(first, fake_qp0_last(t.fake), sizeof(first));
	advance(5000);
	CHECK(memcmp(first + 8, fake_qp0_last(t.fake) + 8, 8) != 0);
	CHECK_EQUAL(t.done, 1);
	CHECK_EQUAL(t.ends[0].result, 0);
	CHECK_EQUAL(t.ends[0].at, START + TIMEOUT + TIMEOUT / 4 + 10);
	CHECK_EQUAL(fake_qp0_count(t.fake, UMAD_SM_ATTR_NODE_INFO), 2);
	CHECK_EQUAL(engine_strange(t.engine), 1);
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
		CHECK_EQUAL(engine_strange(t.engine), recoveries[i].strange);
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
	CHECK_EQUAL(engine_lost(t.engine), 0);
	advance(200);
	CHECK(engine_lost(t.engine) > 0);
	fake_qp0_fault(t.fake, FAKE_ANY, FAKE_SEND_FAILS, 0);
	advance(TIMEOUT);
	CHECK_EQUAL(engine_lost(t.engine), 0);
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
		CHECK_EQUAL(engine_lost(t.engine), 0);
		CHECK_EQUAL(t.done, i + 1);
	}
	fake_qp0_fault(t.fake, FAKE_ANY, FAKE_SEND_FAILS, FAKE_FOREVER);
	submit(&node_info);
	advance(1000);
	t.now += 12000;
	advance(1000);
	CHECK_EQUAL(engine_lost(t.engine), 0);
	advance(10000);
	CHECK(engine_lost(t.engine) > 0);
	end();
}

static void test_close_while_outstanding(void)
{
	begin(2, RETRIES);
	fake_qp0_delay(t.fake, FAKE_ANY, 100);
	for (uint32_t i = 0; i < 5; i++)
		submit(&(struct question){UMAD_SM_ATTR_LINEAR_FT, i});
	run();
	end();
	CHECK_EQUAL(t.done, 5);
	for (unsigned i = 0; i < t.done; i++)
		CHECK_EQUAL(t.ends[i].result, -ECANCELED);
}

static const struct unit_test tests[] = {
	{"an answer", test_answer},
	{"an error status is an answer", test_status},
	{"the M_Key goes to the SMA only", test_m_key},
	{"window and order", test_window},
	{"no answer: tries and time", test_silence},
	{"losses reported at once are paced", test_pacing},
	{"a request that cannot be sent", test_not_sent},
	{"a request without answer gives its place away", test_silence_frees_the_window},
	{"many requests without answer", test_many_dead},
	{"a silent SMA", test_silent},
	{"the back-off of a silent SMA", test_back_off},
	{"another key for a silent SMA", test_forgiven},
	{"an SMA that stood still", test_stall},
	{"an SMA that stood still, and is slow", test_stall_of_slow_blocks},
	{"an SMA that does not answer NodeInfo", test_no_node_info},
	{"a process that was stopped", test_stopped},
	{"a late answer", test_late_answer},
	{"a late answer of an SMA that answers late only", test_very_late_answer},
	{"one fault, then an answer; strange MADs are counted and dropped", test_recovery},
	{"a lost device", test_lost},
	{"a device that fails now and then", test_not_lost},
	{"the end while requests are outstanding", test_close_while_outstanding},
};

int main(void)
{
	return UNIT_MAIN("engine: requests", tests);
}
