// SPDX-License-Identifier: BSD-2-Clause
/* The error counters of the own ports, from the performance management agent (IBA 16.1.3.5). */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_types.h>

#include "sma/clock.h"
#include "sma/log.h"
#include "sma/notice/counter_poll.h"
#include "tests/fakes/fake_transport.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum {
	INTERVAL = 10000,
	TIMEOUT = 500,
	OUTSTANDING = 4,
	LID = 3,
	SL = 5,
	START = 1000000,
	MAX_ROUNDS = 10000
};

/* Offsets within a MAD. */
enum { AT_TID = 12, AT_PORT_SELECT = 65, AT_COUNTERS = 83 };

struct growth {
	unsigned trap, port, from, to;
};

static struct engine *engine;
static struct fake_transport fake;
static struct counter_poll *poll;
static struct local_port local;
static unsigned first, last;
static uint64_t now, wake;
static unsigned rounds;
static struct growth grown[16];
static unsigned grown_count;

static void hear(void *arg, unsigned trap, unsigned port, unsigned from, unsigned to)
{
	CHECK(arg == &grown);
	if (CHECK(grown_count < UNIT_COUNT(grown)))
		grown[grown_count++] = (struct growth){trap, port, from, to};
}

/* Ask for ports `from` .. `to`. */
static void begin(unsigned from, unsigned to)
{
	const struct engine_config config = {.port = 1, .window = 16, .timeout_ms = 250, .tries = 2};

	local = (struct local_port){.known = true, .active = true, .lid = LID, .sm_sl = SL};
	first = from;
	last = to;
	now = START;
	rounds = 0;
	grown_count = 0;
	engine = engine_open(&config);
	fake_transport_attach(&fake, engine);
	logged_start(false);
	poll = counter_poll_new(engine, INTERVAL, hear, &grown);
}

static void end(void)
{
	CHECK(rounds < MAX_ROUNDS);
	counter_poll_free(poll);
	engine_close(engine);
	logged_stop();
}

static void run_once(void)
{
	unsigned count = fake.count;

	do {
		engine_process(engine, now);
		wake = counter_poll_run(poll, &local, first, last, now);
		wake = sma_earlier(wake, engine_process(engine, now));
	} while (wake <= now && ++rounds < MAX_ROUNDS);
	CHECK(wake > now);
	rounds++;
	if (fake.count > count)
		CHECK_EQUAL(fake_transport_last(&fake)->packet.mad[3], UMAD_METHOD_GET); /* never Set */
}

/* Let time pass, with a round whenever one is due. */
static void advance(uint64_t ms)
{
	uint64_t stop = now + ms;

	do {
		run_once();
		now = wake > now && wake < stop ? wake : stop;
	} while (now < stop && rounds < MAX_ROUNDS);
}

/* Let time pass until so many requests were sent, and not further. */
static void advance_to(unsigned count)
{
	run_once();
	while (fake.count < count && wake != UINT64_MAX && rounds < MAX_ROUNDS) {
		now = wake;
		run_once();
	}
}

/* The i-th request. */
static const struct fake_sent *sent(unsigned i)
{
	CHECK(i < fake.count && i + FAKE_TRANSPORT_KEPT >= fake.count);
	return fake_transport_sent(&fake, i);
}

static const uint8_t *mad(unsigned i)
{
	return sent(i)->packet.mad;
}

/* A MAD comes in. Whether it was an answer. */
static bool take(struct mail mail)
{
	uint64_t strange = engine_strange(engine);

	fake_transport_post(&fake, &mail);
	engine_process(engine, now);
	return engine_strange(engine) == strange;
}

static bool respond(unsigned i, uint16_t status, uint8_t counters)
{
	struct mail mail = fake_transport_answer(sent(i), status);

	memset(mail.mad + 66, 0xA5, sizeof(mail.mad) - 66);
	mail.mad[AT_COUNTERS] = counters;
	return take(mail);
}

/* LocalLinkIntegrityErrors are the upper half of `counters`, ExcessiveBufferOverrunErrors the lower. */
static bool answer(unsigned i, uint8_t counters)
{
	return respond(i, 0, counters);
}

static bool refuse(unsigned i, uint16_t status)
{
	return respond(i, status, 0xFF);
}

static bool lose(unsigned i)
{
	return take(fake_transport_unanswered(sent(i)));
}

/* ---- requests ---- */

static void test_request(void)
{
	uint8_t head[24] = {1, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x12};
	static const uint8_t zeros[MAD_SIZE];

	begin(2, 2);
	advance(100);
	CHECK_EQUAL(fake.count, 1);
	CHECK_EQUAL(sent(0)->packet.lid, LID);
	CHECK_EQUAL(sent(0)->packet.sl, SL);
	CHECK_EQUAL(sent(0)->timeout_ms, TIMEOUT);
	memcpy(head + AT_TID, mad(0) + AT_TID, 4);
	CHECK_OCTETS(mad(0), head, sizeof(head));
	CHECK_OCTETS(mad(0) + 24, zeros, AT_PORT_SELECT - 24);
	CHECK_EQUAL(mad(0)[AT_PORT_SELECT], 2);
	CHECK_OCTETS(mad(0) + 66, zeros, MAD_SIZE - 66);
	CHECK(answer(0, 0));
	advance(5 * INTERVAL);
	CHECK_EQUAL(fake.count, 6);
	end();
}

/* Each port once in an interval, and not all at the same time. */
static void test_spread(void)
{
	enum { PORTS = 20 };

	begin(1, PORTS);
	for (unsigned i = 0; i < 3 * PORTS; i++) {
		advance(INTERVAL / PORTS);
		unit_case("request %u", i);
		CHECK_EQUAL(fake.count, i + 1);
		CHECK_EQUAL(mad(i)[AT_PORT_SELECT], i % PORTS + 1);
		CHECK(answer(i, 0));
	}
	end();
}

static void test_largest(void)
{
	begin(1, SMA_MAX_PORTS);
	for (unsigned i = 0; i < 2 * SMA_MAX_PORTS; i++) {
		advance_to(i + 1);
		unit_case("request %u", i);
		CHECK_EQUAL(mad(i)[AT_PORT_SELECT], i % SMA_MAX_PORTS + 1);
		CHECK(answer(i, 0));
	}
	CHECK(now > START + 2 * INTERVAL * 9 / 10 && now <= START + 2 * INTERVAL);
	end();
}

static void test_when_not(void)
{
	begin(1, 1);
	local.active = false;
	advance(INTERVAL);
	local.active = true;
	local.lid = 0;
	advance(INTERVAL);
	local.lid = 9;
	last = 0;
	advance(INTERVAL);
	CHECK_EQUAL(fake.count, 0);
	CHECK(rounds < 10);
	last = 1;
	local.sm_sl = 0;
	run_once();
	CHECK_EQUAL(fake.count, 1);
	CHECK_EQUAL(sent(0)->packet.lid, 9);
	CHECK_EQUAL(sent(0)->packet.sl, 0);
	end();
}

/* ---- values ---- */

static void test_values(void)
{
	static const struct {
		uint8_t from, to;
		bool grown;
	} cases[] = {
		{0, 0, false},   {0, 1, true},  {0, 15, true},  {1, 2, true}, {3, 3, false}, {14, 15, true},
		{15, 15, false}, {15, 2, true}, {15, 0, false}, {3, 1, true}, {1, 0, false},
	};

	for (unsigned i = 0; i < 2 * UNIT_COUNT(cases); i++) {
		unsigned shift = i % 2 ? 0 : 4;
		uint8_t from = cases[i / 2].from;
		uint8_t to = cases[i / 2].to;

		begin(7, 7);
		advance(10);
		CHECK(answer(0, (uint8_t)(from << shift)));
		advance(INTERVAL);
		CHECK_EQUAL(grown_count, 0);
		CHECK(answer(1, (uint8_t)(to << shift)));
		unit_case("%s %u to %u", shift ? "integrity" : "overrun", from, to);
		if (CHECK_EQUAL(grown_count, cases[i / 2].grown) && grown_count) {
			CHECK_EQUAL(grown[0].trap, shift ? 129 : 130);
			CHECK_EQUAL(grown[0].port, 7);
			CHECK_EQUAL(grown[0].from, from);
			CHECK_EQUAL(grown[0].to, to);
		}
		end();
	}
}

/* Both in one answer; a counter that is cleared and grows again is reported each time. */
static void test_sequence(void)
{
	static const struct {
		uint8_t counters;
		unsigned grown;
	} steps[] = {{0x00, 0}, {0x11, 2}, {0x12, 3}, {0xF2, 4}, {0xF2, 4}, {0x00, 4}, {0x10, 5}, {0x10, 5}};

	begin(1, 1);
	advance(10);
	for (unsigned i = 0; i < UNIT_COUNT(steps); i++) {
		unit_case("step %u", i);
		CHECK(answer(i, steps[i].counters));
		CHECK_EQUAL(grown_count, steps[i].grown);
		advance(INTERVAL);
	}
	end();
}

/* Four requests that wait, answered the other way round. */
static void test_out_of_order(void)
{
	enum { PORTS = 100, ENOUGH = 5 * INTERVAL / PORTS };

	begin(1, PORTS);
	for (unsigned group = 0; group < 2 * PORTS / OUTSTANDING; group++) {
		unsigned next = group * OUTSTANDING;

		advance_to(next + OUTSTANDING);
		for (unsigned i = OUTSTANDING; i-- > 0;)
			CHECK(answer(next + i, next + i == PORTS + 41 ? 0x10 : 0x00));
	}
	CHECK(now < START + 2 * INTERVAL + ENOUGH);
	CHECK_EQUAL(grown_count, 1);
	CHECK_EQUAL(grown[0].port, 42);
	end();
}

/* An answer that ends before the counters counts as none. */
static void test_cut(void)
{
	begin(1, 1);
	advance(10);
	CHECK(answer(0, 0x00));
	for (unsigned i = 1; i <= 3; i++) {
		struct mail cut;

		advance(INTERVAL);
		cut = fake_transport_answer(sent(i), 0);
		cut.mad[AT_COUNTERS] = 0x11;
		cut.size = AT_COUNTERS;
		CHECK(take(cut));
	}
	CHECK_EQUAL(grown_count, 0);
	CHECK_EQUAL(logged_with("PortCounters of port 1 cannot be read: the answer is too short"), 1);
	end();
}

/* ---- trouble ---- */

/* Logged once at its start and once at its end; the counters are compared across it. */
static void test_lost(void)
{
	begin(2, 2);
	advance(10);
	CHECK(answer(0, 0x00));
	for (unsigned i = 1; i <= 10; i++) {
		advance(INTERVAL);
		CHECK_EQUAL(logged_level(SMA_LOG_WARNING), i > 3);
		CHECK(lose(i));
	}
	CHECK_EQUAL(logged_with("PortCounters of port 2 cannot be read: Connection timed out"), 1);
	advance(INTERVAL);
	CHECK(answer(11, 0x10));
	CHECK_EQUAL(logged_with("PortCounters can be read again"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_INFO), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	CHECK_EQUAL(grown_count, 1);
	end();
}

/* Single losses are not worth a line. */
static void test_lost_sometimes(void)
{
	begin(1, 1);
	advance(10);
	for (unsigned i = 0; i < 30; i++) {
		CHECK(i % 3 == 2 ? answer(i, 0) : lose(i));
		advance(INTERVAL);
	}
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	CHECK_EQUAL(logged_level(SMA_LOG_INFO), 0);
	end();
}

/* Nothing comes back, not even from the transport: few wait, and they are given up in time. */
static void test_vanished(void)
{
	begin(1, SMA_MAX_PORTS);
	advance(TIMEOUT);
	CHECK_EQUAL(fake.count, OUTSTANDING);
	advance(INTERVAL);
	CHECK(fake.count > 2 * OUTSTANDING);
	CHECK(fake.count <= OUTSTANDING * (INTERVAL / TIMEOUT + 1));
	CHECK(!answer(fake.count - 2 * OUTSTANDING, 0)); /* too late */
	end();
}

/* Where no port answers, one request in an interval is enough; the first answer brings all back. */
static void test_all_lost(void)
{
	unsigned count;

	begin(1, 8);
	advance(5 * INTERVAL);
	count = fake.count;
	advance(5 * INTERVAL);
	CHECK(fake.count <= count + 6);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	advance_to(fake.count + 1);
	CHECK(answer(fake.count - 1, 0));
	count = fake.count;
	advance(2 * INTERVAL);
	CHECK(fake.count >= count + 8);
	end();
}

static void test_send_fails(void)
{
	begin(1, 1);
	fake.result = -EIO;
	advance(10 * INTERVAL);
	CHECK_EQUAL(fake.count, 0);
	CHECK_EQUAL(logged_with("cannot be read: Input/output error"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	CHECK(rounds < 50);
	fake.result = 0;
	advance(INTERVAL);
	CHECK_EQUAL(fake.count, 1);
	end();
}

/* One port takes no other with it. */
static void test_one_port_refused(void)
{
	enum { PORTS = 4 };

	begin(1, PORTS);
	for (unsigned i = 0; i < 10 * PORTS; i++) {
		advance_to(i + 1);
		CHECK(i % PORTS == 1 ? refuse(i, 0x1C) : answer(i, i < 9 * PORTS ? 0 : 0x01));
	}
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	CHECK_EQUAL(logged_with("port 2 cannot be read: status 0x001c, invalid value"), 1);
	CHECK_EQUAL(grown_count, 3);
	end();
}

static void test_not_supported(void)
{
	static const uint8_t statuses[] = {0x04, 0x08, 0x0C};

	for (size_t s = 0; s < UNIT_COUNT(statuses); s++) {
		begin(1, 1);
		advance(10);
		for (unsigned i = 0; i < 3; i++) {
			CHECK(refuse(i, statuses[s]));
			advance(INTERVAL);
		}
		advance(20 * INTERVAL);
		unit_case("status 0x%02x", statuses[s]);
		CHECK_EQUAL(fake.count, 3);
		CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
		CHECK_EQUAL(logged_with("no performance management agent"), 1);
		end();
	}
}

/* Four are on their way when it turns out that there is no agent. */
static void test_not_supported_at_all(void)
{
	begin(1, SMA_MAX_PORTS);
	advance(TIMEOUT);
	for (unsigned i = 0; i < OUTSTANDING; i++)
		CHECK(refuse(i, 0x0C));
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	advance(INTERVAL);
	CHECK_EQUAL(fake.count, OUTSTANDING);
	CHECK_EQUAL(wake, UINT64_MAX);
	end();
}

/* Other statuses, and refusals between answers, do not mean that it is absent. */
static void test_refused(void)
{
	static const uint8_t statuses[] = {0x01, 0x02, 0x1C, 0x0C};

	for (size_t s = 0; s < UNIT_COUNT(statuses); s++) {
		begin(1, 1);
		advance(10);
		for (unsigned i = 0; i < 12; i++) {
			CHECK(statuses[s] == 0x0C && i % 3 == 2 ? answer(i, 0) : refuse(i, statuses[s]));
			advance(INTERVAL);
		}
		unit_case("status 0x%02x", statuses[s]);
		CHECK_EQUAL(fake.count, 13);
		CHECK_EQUAL(grown_count, 0);
		CHECK_EQUAL(logged_level(SMA_LOG_WARNING), statuses[s] != 0x0C);
		end();
	}
}

static const struct unit_test tests[] = {
	{"the request", test_request},
	{"requests are spread", test_spread},
	{"the largest switch", test_largest},
	{"when nothing is asked", test_when_not},
	{"before and after", test_values},
	{"one answer after another", test_sequence},
	{"answers out of order", test_out_of_order},
	{"an answer that is cut", test_cut},
	{"lost answers", test_lost},
	{"single lost answers", test_lost_sometimes},
	{"requests that vanish", test_vanished},
	{"no port answers", test_all_lost},
	{"requests that cannot be sent", test_send_fails},
	{"one port is refused", test_one_port_refused},
	{"no performance management agent", test_not_supported},
	{"no agent, several requests", test_not_supported_at_all},
	{"refused for a time", test_refused},
};

int main(void)
{
	return UNIT_MAIN("counter poll", tests);
}
