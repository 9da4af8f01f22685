// SPDX-License-Identifier: BSD-2-Clause
/* Notices that are heard more than once (IBA 13.4.9). */
#include <string.h>

#include "sma/repeat.h"
#include "sma/trap.h"
#include "sma/wire.h"
#include "tests/unit.h"

enum { WINDOW = 10000, START = 5000, ISSUER = 3 };

/* A notice of LID 3, `what` being a component that is told. */
static struct sma_notice make(unsigned trap, uint16_t issuer, uint32_t what)
{
	struct sma_notice notice = {.source = SMA_NOTICE_TRAP, .own = true, .when = 77};

	notice_build(notice.data, trap, SMA_NODE_CA, issuer);
	if (trap == SMA_TRAP_LINK_STATE) {
		wire_put16(notice.data + NOTICE_DETAILS, (uint16_t)what);
		return notice;
	}
	wire_put16(notice.data + NOTICE_DETAILS + 2, ISSUER);
	if (trap < SMA_TRAP_CAPABILITY)
		notice.data[NOTICE_DETAILS + 4] = (uint8_t)what;
	else if (trap == SMA_TRAP_BAD_M_KEY)
		wire_put32(notice.data + NOTICE_DETAILS + 14, what);
	else
		wire_put32(notice.data + NOTICE_DETAILS + 6, what);
	return notice;
}

static bool hear(struct repeats *repeats, unsigned trap, uint32_t what, uint32_t tid, uint64_t now)
{
	struct sma_notice notice = make(trap, ISSUER, what);

	return repeats_is_new(repeats, &notice, tid, now);
}

struct ended {
	struct sma_notice notice;
	uint64_t again;
	bool due;
};

static bool next_ended(struct repeats *repeats, uint64_t now, struct ended *ended)
{
	memset(ended, 0xEE, sizeof(*ended));
	ended->due = false;
	return repeats_ended(repeats, now, &ended->notice, &ended->again, &ended->due);
}

static void check_ended(struct repeats *repeats, uint64_t now, unsigned trap, uint64_t again, bool due)
{
	struct ended ended;

	if (!CHECK(next_ended(repeats, now, &ended)))
		return;
	CHECK_EQUAL(sma_notice_trap(ended.notice.data), trap);
	CHECK_EQUAL(ended.again, again);
	CHECK_EQUAL(ended.due, due);
}

static void check_none_ended(struct repeats *repeats, uint64_t now)
{
	struct ended ended;

	CHECK(!next_ended(repeats, now, &ended));
}

/* ---- all traps ---- */

static const unsigned traps[SMA_TRAP_COUNT] = {128, 129, 130, 131, 144, 145, 256, 257, 258, 259};

static void test_each_trap(void)
{
	struct repeats *repeats = repeats_new(WINDOW);

	for (size_t i = 0; i < UNIT_COUNT(traps); i++) {
		unit_case("trap %u", traps[i]);
		CHECK(hear(repeats, traps[i], 1, 9, START));
		CHECK(!hear(repeats, traps[i], 1, 9, START));
		CHECK(!hear(repeats, traps[i], 1, 9, START + WINDOW - 1));
	}
	for (size_t i = 0; i < UNIT_COUNT(traps); i++) {
		unit_case("trap %u", traps[i]);
		check_ended(repeats, START + WINDOW, traps[i], 2, false);
	}
	check_none_ended(repeats, START + WINDOW);
	CHECK_EQUAL(repeats_due(repeats), UINT64_MAX);
	repeats_free(repeats);
}

/* Another value is another notice, and the same of another issuer, too. */
static void test_different(void)
{
	struct repeats *repeats = repeats_new(WINDOW);

	for (size_t i = 0; i < UNIT_COUNT(traps); i++) {
		struct sma_notice other = make(traps[i], ISSUER + 1, 1);

		unit_case("trap %u", traps[i]);
		CHECK(hear(repeats, traps[i], 1, 9, START));
		CHECK(hear(repeats, traps[i], 2, 9, START));
		CHECK(repeats_is_new(repeats, &other, 9, START));
		CHECK(!repeats_is_new(repeats, &other, 9, START));
	}
	repeats_free(repeats);
}

/* One event may come in from several sources. */
static void test_sources(void)
{
	struct repeats *repeats = repeats_new(WINDOW);
	struct sma_notice notice = make(257, ISSUER, 0x8001);

	for (enum sma_notice_source source = 0; source < SMA_NOTICE_SOURCE_COUNT; source++) {
		notice.source = source;
		notice.data[8] = (uint8_t)source; /* count */
		CHECK_EQUAL(repeats_is_new(repeats, &notice, source, START), source == 0);
	}
	check_ended(repeats, START + WINDOW, 257, SMA_NOTICE_SOURCE_COUNT - 1, false);
	repeats_free(repeats);
}

static void test_as_told(void)
{
	struct repeats *repeats = repeats_new(WINDOW);
	struct sma_notice first = make(256, ISSUER, 5);
	struct sma_notice again = first;
	struct ended ended;

	again.source = SMA_NOTICE_SA;
	again.own = false;
	again.when = 99;
	CHECK(repeats_is_new(repeats, &first, 1, START));
	CHECK(!repeats_is_new(repeats, &again, 0, START + 1));
	if (CHECK(next_ended(repeats, START + WINDOW, &ended))) {
		CHECK_OCTETS(ended.notice.data, first.data, SMA_BLOCK_SIZE);
		CHECK_EQUAL(ended.notice.source, SMA_NOTICE_TRAP);
		CHECK(ended.notice.own);
		CHECK_EQUAL(ended.notice.when, 77);
	}
	repeats_free(repeats);
}

/* ---- windows ---- */

/* A window begins when the notice was told, not when it was heard again. */
static void test_edges(void)
{
	struct repeats *repeats = repeats_new(WINDOW);

	CHECK_EQUAL(repeats_due(repeats), UINT64_MAX);
	CHECK(hear(repeats, 129, 1, 9, START));
	CHECK_EQUAL(repeats_due(repeats), START + WINDOW);
	CHECK(!hear(repeats, 129, 1, 9, START + WINDOW - 1));
	CHECK_EQUAL(repeats_due(repeats), START + WINDOW);
	check_none_ended(repeats, START + WINDOW - 1);
	CHECK(hear(repeats, 129, 1, 9, START + WINDOW)); /* before its end was asked for */
	CHECK(!hear(repeats, 129, 1, 9, START + WINDOW + 1));
	check_ended(repeats, START + WINDOW + 1, 129, 1, false);
	check_none_ended(repeats, START + WINDOW + 1);
	CHECK_EQUAL(repeats_due(repeats), START + 2 * WINDOW);
	check_none_ended(repeats, START + 2 * WINDOW - 1);
	check_ended(repeats, START + 2 * WINDOW, 129, 1, false);
	CHECK_EQUAL(repeats_due(repeats), UINT64_MAX);
	repeats_free(repeats);
}

static void test_heard_once(void)
{
	struct repeats *repeats = repeats_new(WINDOW);

	CHECK(hear(repeats, 129, 1, 9, START));
	CHECK(hear(repeats, 130, 1, 9, START + 1));
	CHECK(!hear(repeats, 130, 1, 9, START + 2));
	check_ended(repeats, START + WINDOW + 1, 130, 1, false); /* 129 is passed over */
	CHECK(hear(repeats, 129, 1, 9, START + WINDOW + 1));
	CHECK(hear(repeats, 130, 1, 9, START + WINDOW + 1));
	check_none_ended(repeats, START + 3 * WINDOW);
	CHECK_EQUAL(repeats_due(repeats), UINT64_MAX);
	repeats_free(repeats);
}

static void test_window_0(void)
{
	struct repeats *repeats = repeats_new(0);

	for (unsigned i = 0; i < 3; i++) {
		CHECK(hear(repeats, 128, 1, 9, START));
		CHECK(hear(repeats, 257, 1, 9, START));
	}
	CHECK_EQUAL(repeats_due(repeats), UINT64_MAX);
	check_none_ended(repeats, START);
	repeats_free(repeats);
}

static void test_storm(void)
{
	enum { TIMES = 100000 };
	struct repeats *repeats = repeats_new(WINDOW);
	unsigned told = 0;

	for (unsigned i = 0; i < TIMES; i++)
		told += hear(repeats, 256, 1, i, START + i / 100);
	CHECK_EQUAL(told, 1);
	check_ended(repeats, START + WINDOW, 256, TIMES - 1, false);
	check_none_ended(repeats, START + WINDOW);
	repeats_free(repeats);
}

/* What never ends is told once a window, and nothing of it is lost from the counts. */
static unsigned storm_for(struct repeats *repeats, unsigned trap, unsigned ms, uint64_t *again)
{
	unsigned told = 0;
	struct ended ended;

	for (unsigned i = 0; i < ms; i++) {
		while (next_ended(repeats, START + i, &ended)) {
			told += ended.due;
			*again += ended.again;
		}
		told += hear(repeats, trap, 1, i + 1, START + i);
	}
	return told;
}

static void test_endless(void)
{
	static const unsigned endless[] = {128, 144, 256};

	for (size_t i = 0; i < UNIT_COUNT(endless); i++) {
		struct repeats *repeats = repeats_new(WINDOW);
		uint64_t again = 0;

		unit_case("trap %u", endless[i]);
		CHECK_EQUAL(storm_for(repeats, endless[i], 5 * WINDOW, &again), 5);
		/* a 128 that is due begins a window before the next is heard */
		CHECK_EQUAL(again, endless[i] == 128 ? 4 * WINDOW - 1 : 4 * (WINDOW - 1));
		repeats_free(repeats);
	}
}

/* ---- states ---- */

/* A value that changes to and fro is told each time; what was heard of each is counted. */
static void test_to_and_fro(void)
{
	static const unsigned states[] = {128, 144, 145};

	for (size_t i = 0; i < UNIT_COUNT(states); i++) {
		struct repeats *repeats = repeats_new(WINDOW);

		unit_case("trap %u", states[i]);
		CHECK(hear(repeats, states[i], 'A', 1, START));
		CHECK(!hear(repeats, states[i], 'A', 1, START + 1));
		CHECK(!hear(repeats, states[i], 'A', 1, START + 2));
		CHECK(hear(repeats, states[i], 'B', 2, START + 3));
		CHECK(!hear(repeats, states[i], 'B', 2, START + 4));
		CHECK(hear(repeats, states[i], 'A', 3, START + 5));
		CHECK(!hear(repeats, states[i], 'A', 3, START + WINDOW)); /* the window of the second A */
		check_ended(repeats, START + 2 * WINDOW, states[i], 2, false);
		check_ended(repeats, START + 2 * WINDOW, states[i], 1, false);
		check_ended(repeats, START + 2 * WINDOW, states[i], 1, false);
		check_none_ended(repeats, START + 2 * WINDOW);
		repeats_free(repeats);
	}
}

/* Events are not states: the offender may change to and fro. */
static void test_events(void)
{
	static const unsigned events[] = {129, 130, 131, 256, 257, 258, 259};
	struct repeats *repeats = repeats_new(WINDOW);

	for (size_t i = 0; i < UNIT_COUNT(events); i++) {
		unit_case("trap %u", events[i]);
		CHECK(hear(repeats, events[i], 'A', 1, START));
		CHECK(hear(repeats, events[i], 'B', 1, START));
		CHECK(!hear(repeats, events[i], 'A', 1, START));
		CHECK(!hear(repeats, events[i], 'B', 1, START));
	}
	repeats_free(repeats);
}

/* The states of issuers and traps do not mix. */
static void test_issuers(void)
{
	struct repeats *repeats = repeats_new(WINDOW);
	struct sma_notice here = make(144, 1, 'A');
	struct sma_notice there = make(144, 2, 'B');

	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQUAL(repeats_is_new(repeats, &here, 0, START), i == 0);
		CHECK_EQUAL(repeats_is_new(repeats, &there, 0, START), i == 0);
	}
	repeats_free(repeats);
}

/* ---- what is due once more ---- */

struct due_case {
	const char *name;
	struct telling {
		unsigned source;
		uint32_t tid;
	} tellings[5];
	unsigned count;
	bool due;
};

enum { SOFT = SMA_NOTICE_SOFT, SA = SMA_NOTICE_SA, TRAP = SMA_NOTICE_TRAP, POLL = SMA_NOTICE_POLL };

static const struct due_case due_cases[] = {
	{"a Trap, repeated", {{TRAP, 7}, {TRAP, 7}}, 2, false},
	{"a Trap with another TID", {{TRAP, 7}, {TRAP, 8}}, 2, true},
	{"a Report, repeated", {{SA, 7}, {SA, 7}}, 2, false},
	{"a Report with another TID", {{SA, 7}, {SA, 8}}, 2, true},
	{"the software SMA raises it twice", {{SOFT, 0}, {SOFT, 0}}, 2, true},
	{"polling sees it twice", {{POLL, 0}, {POLL, 0}}, 2, true},
	{"a Trap and its Report", {{TRAP, 7}, {SA, 9}}, 2, false},
	{"a Report and its Trap", {{SA, 9}, {TRAP, 7}}, 2, false},
	{"a Trap, its Report, and polling", {{TRAP, 7}, {SA, 9}, {POLL, 0}}, 3, true},
	{"polling, then the Trap and its Report", {{POLL, 0}, {TRAP, 7}, {SA, 9}}, 3, false},
	{"Trap and Report, both repeated", {{TRAP, 7}, {SA, 9}, {TRAP, 7}, {SA, 9}}, 4, false},
	{"a second Trap after the Report of the first", {{TRAP, 7}, {SA, 9}, {TRAP, 8}}, 3, true},
	{"a second Report, of a second Trap", {{TRAP, 7}, {SA, 9}, {TRAP, 7}, {SA, 10}}, 4, true},
	{"a second Report with the TID of the Trap", {{TRAP, 7}, {SA, 9}, {SA, 7}}, 3, true},
	{"seen twice after the Trap", {{TRAP, 7}, {POLL, 0}, {POLL, 0}}, 3, true},
	{"a further one, repeated", {{TRAP, 7}, {TRAP, 8}, {TRAP, 8}}, 3, true},
};

/* Whether a 128 was new. */
static bool tell(struct repeats *repeats, unsigned source, uint32_t tid, uint64_t now)
{
	struct sma_notice notice = make(128, ISSUER, 1);

	notice.source = source;
	return repeats_is_new(repeats, &notice, tid, now);
}

static void test_due(void)
{
	for (size_t i = 0; i < UNIT_COUNT(due_cases); i++) {
		const struct due_case *c = &due_cases[i];
		struct repeats *repeats = repeats_new(WINDOW);

		unit_case("%s", c->name);
		for (unsigned j = 0; j < c->count; j++)
			CHECK_EQUAL(tell(repeats, c->tellings[j].source, c->tellings[j].tid, START), j == 0);
		check_ended(repeats, START + WINDOW, 128, c->count - 1, c->due);
		check_none_ended(repeats, START + WINDOW);
		CHECK_EQUAL(repeats_due(repeats), c->due ? START + 2 * WINDOW : UINT64_MAX);
		check_none_ended(repeats, START + 2 * WINDOW); /* not heard meanwhile */
		repeats_free(repeats);
	}
}

/* What is due begins a window of its own, in which the last TID is known. */
static void test_due_again(void)
{
	struct repeats *repeats = repeats_new(WINDOW);
	struct ended ended;

	CHECK(hear(repeats, 128, 1, 7, START));
	CHECK(!hear(repeats, 128, 1, 8, START + 1));
	if (CHECK(next_ended(repeats, START + WINDOW + 5, &ended))) {
		CHECK(ended.due);
		CHECK_EQUAL(ended.notice.when, START + WINDOW + 5);
	}
	CHECK_EQUAL(repeats_due(repeats), START + 2 * WINDOW + 5);
	CHECK(!hear(repeats, 128, 1, 8, START + WINDOW + 6));
	check_ended(repeats, START + 2 * WINDOW + 5, 128, 1, false);
	CHECK_EQUAL(repeats_due(repeats), UINT64_MAX);
	repeats_free(repeats);
}

/* The first that a source tells in that window is a further event if it told of one in the window before. */
static void test_due_and_again(void)
{
	static const struct telling tellings[] = {{SOFT, 0}, {POLL, 0}, {TRAP, 9}, {SA, 9}};

	for (size_t i = 0; i < UNIT_COUNT(tellings); i++) {
		struct repeats *repeats = repeats_new(WINDOW);

		unit_case("source %u", tellings[i].source);
		CHECK(tell(repeats, tellings[i].source, 7, START));
		CHECK(!tell(repeats, tellings[i].source, 8, START));
		check_ended(repeats, START + WINDOW, 128, 1, true);
		CHECK(!tell(repeats, tellings[i].source, tellings[i].tid, START + WINDOW));
		check_ended(repeats, START + 2 * WINDOW, 128, 1, true);
		repeats_free(repeats);
	}
}

/* The last TID of each source is known. */
static void test_due_sources(void)
{
	struct repeats *repeats = repeats_new(WINDOW);

	CHECK(tell(repeats, TRAP, 7, START));
	CHECK(!tell(repeats, SA, 9, START));
	CHECK(!tell(repeats, TRAP, 8, START));
	check_ended(repeats, START + WINDOW, 128, 2, true);
	CHECK(!tell(repeats, SA, 9, START + WINDOW));
	CHECK(!tell(repeats, TRAP, 8, START + WINDOW));
	check_ended(repeats, START + 2 * WINDOW, 128, 2, false);
	CHECK(tell(repeats, TRAP, 8, START + 2 * WINDOW));
	CHECK(!tell(repeats, SA, 10, START + 2 * WINDOW)); /* what was heard of the window before is gone */
	check_ended(repeats, START + 3 * WINDOW, 128, 1, false);
	repeats_free(repeats);
}

/* Told anew after its window, and before that was asked for: that does for both. */
static void test_due_late(void)
{
	struct repeats *repeats = repeats_new(WINDOW);

	CHECK(hear(repeats, 128, 1, 7, START));
	CHECK(!hear(repeats, 128, 1, 8, START + 1));
	CHECK(hear(repeats, 128, 1, 9, START + WINDOW));
	check_ended(repeats, START + WINDOW, 128, 1, false);
	CHECK_EQUAL(repeats_due(repeats), START + 2 * WINDOW);
	repeats_free(repeats);
}

/* One that is due stays so when the issuer tells of another LID, and what it told last is compared then. */
static void test_due_replaced(void)
{
	struct repeats *repeats = repeats_new(WINDOW);

	CHECK(hear(repeats, 128, 'A', 7, START));
	CHECK(!hear(repeats, 128, 'A', 8, START + 1));
	CHECK(hear(repeats, 128, 'B', 9, START + 2));
	check_ended(repeats, START + WINDOW, 128, 1, true);
	CHECK(!hear(repeats, 128, 'A', 8, START + WINDOW + 1));
	check_none_ended(repeats, START + 2 * WINDOW - 1);
	check_ended(repeats, START + 2 * WINDOW, 128, 1, false);
	CHECK_EQUAL(repeats_due(repeats), UINT64_MAX);
	repeats_free(repeats);
}

static void test_only_128_is_due(void)
{
	struct repeats *repeats = repeats_new(WINDOW);

	for (size_t i = 1; i < UNIT_COUNT(traps); i++) {
		CHECK(hear(repeats, traps[i], 1, 7, START));
		CHECK(!hear(repeats, traps[i], 1, 8, START));
		CHECK(!hear(repeats, traps[i], 1, 0, START));
	}
	for (size_t i = 1; i < UNIT_COUNT(traps); i++)
		check_ended(repeats, START + WINDOW, traps[i], 2, false);
	CHECK_EQUAL(repeats_due(repeats), UINT64_MAX);
	repeats_free(repeats);
}

/* ---- memory ---- */

/* The oldest notice gives way when there are too many, the others stay. */
static void test_full(void)
{
	struct repeats *repeats = repeats_new(WINDOW);

	for (uint32_t i = 0; i < REPEAT_KEPT; i++)
		CHECK(hear(repeats, 256, i, 1, START + i / 1000));
	for (uint32_t i = 0; i < REPEAT_KEPT; i++)
		CHECK(!hear(repeats, 256, i, 1, START + 5));
	CHECK(hear(repeats, 256, REPEAT_KEPT, 1, START + 6)); /* 0 is forgotten */
	CHECK(!hear(repeats, 256, 1, 1, START + 6));
	CHECK(!hear(repeats, 256, REPEAT_KEPT, 1, START + 6));
	CHECK(hear(repeats, 256, 0, 1, START + 6)); /* and 1 now */
	CHECK(!hear(repeats, 256, 2, 1, START + 6));
	CHECK(hear(repeats, 256, 1, 1, START + 6));
	check_ended(repeats, START + WINDOW, 256, 1, false); /* that of 3 */
	repeats_free(repeats);
}

/* Round and round through the memory; a state that flaps fills it like any other. */
static void test_many(void)
{
	enum { TIMES = 5 * REPEAT_KEPT };
	struct repeats *repeats = repeats_new(WINDOW);

	for (uint32_t i = 0; i < TIMES; i++) {
		CHECK(hear(repeats, 257, i, 1, START));
		CHECK(hear(repeats, 144, i % 2, 1, START));
		CHECK(!hear(repeats, 144, i % 2, 1, START));
		CHECK(!hear(repeats, 257, i, 1, START));
	}
	for (uint32_t i = 0; i < REPEAT_KEPT / 2; i++) {
		check_ended(repeats, START + WINDOW, 257, 1, false);
		check_ended(repeats, START + WINDOW, 144, 1, false);
	}
	check_none_ended(repeats, START + WINDOW);
	CHECK_EQUAL(repeats_due(repeats), UINT64_MAX);
	repeats_free(repeats);
}

static void test_free(void)
{
	repeats_free(NULL);
}

static const struct unit_test tests[] = {
	{"each trap", test_each_trap},
	{"what is different", test_different},
	{"several sources", test_sources},
	{"as it was told", test_as_told},
	{"edges of a window", test_edges},
	{"heard once", test_heard_once},
	{"no window", test_window_0},
	{"100,000 times", test_storm},
	{"once a window", test_endless},
	{"a state to and fro", test_to_and_fro},
	{"events to and fro", test_events},
	{"states of several issuers", test_issuers},
	{"due once more", test_due},
	{"due and heard again", test_due_again},
	{"due twice", test_due_and_again},
	{"due, from several sources", test_due_sources},
	{"due and told anew", test_due_late},
	{"due and replaced", test_due_replaced},
	{"only 128 is due", test_only_128_is_due},
	{"the oldest gives way", test_full},
	{"very many", test_many},
	{"free of nothing", test_free},
};

int main(void)
{
	return UNIT_MAIN("repeat", tests);
}
