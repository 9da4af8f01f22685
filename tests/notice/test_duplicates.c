// SPDX-License-Identifier: BSD-2-Clause
/* Notices that are heard more than once (IBA 13.4.9). */
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/notice/duplicates.h"
#include "tests/unit.h"

/* It is not looked into. */
static char somewhere;
#define NODE ((struct sma_node *)&somewhere)

enum { WINDOW = 10000, START = 5000, ISSUER = 3 };

/* A notice of LID 3, `what` being a component that is reported. */
static struct sma_notice make(unsigned trap, uint16_t issuer, uint32_t what)
{
	struct sma_notice notice = {.source = SMA_NOTICE_TRAP, .node = NODE, .when = 77};

	notice_build(notice.data, trap, SMA_NODE_CA, issuer);
	notice_set(notice.data, NOTICE_LIDADDR, trap == SMA_TRAP_LINK_STATE ? what : ISSUER);
	notice_set(notice.data, NOTICE_PORTNO, what);
	notice_set(notice.data, NOTICE_CAPABILITYMASK, what);
	notice_set(notice.data, NOTICE_SYSTEMIMAGEGUID, what);
	notice_set(notice.data, NOTICE_KEY, what);
	return notice;
}

static bool hear(struct duplicates *duplicates, unsigned trap, uint32_t what, uint32_t tid, uint64_t now)
{
	struct sma_notice notice = make(trap, ISSUER, what);

	return duplicates_is_new(duplicates, &notice, tid, now);
}

struct ended {
	struct sma_notice notice;
	uint64_t again;
	bool due;
};

static bool next_ended(struct duplicates *duplicates, uint64_t now, struct ended *ended)
{
	memset(ended, 0xEE, sizeof(*ended));
	ended->due = false;
	return duplicates_ended(duplicates, now, &ended->notice, &ended->again, &ended->due);
}

static void check_ended(struct duplicates *duplicates, uint64_t now, unsigned trap, uint64_t again, bool due)
{
	struct ended ended;

	if (!CHECK(next_ended(duplicates, now, &ended)))
		return;
	CHECK_EQUAL(notice_trap(ended.notice.data), trap);
	CHECK_EQUAL(ended.again, again);
	CHECK_EQUAL(ended.due, due);
}

static void check_none_ended(struct duplicates *duplicates, uint64_t now)
{
	struct ended ended;

	CHECK(!next_ended(duplicates, now, &ended));
}

/* ---- all traps ---- */

static const unsigned traps[SMA_TRAP_COUNT] = {128, 129, 130, 131, 144, 145, 256, 257, 258, 259};

static void test_each_trap(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	for (size_t i = 0; i < UNIT_COUNT(traps); i++) {
		unit_case("trap %u", traps[i]);
		CHECK(hear(duplicates, traps[i], 1, 9, START + i));
		CHECK(!hear(duplicates, traps[i], 1, 9, START + i));
		CHECK(!hear(duplicates, traps[i], 1, 9, START + WINDOW - 1));
	}
	for (size_t i = 0; i < UNIT_COUNT(traps); i++) {
		unit_case("trap %u", traps[i]);
		CHECK_EQUAL(duplicates_due(duplicates), START + WINDOW + i);
		check_ended(duplicates, START + 2 * WINDOW, traps[i], 2, false);
	}
	check_none_ended(duplicates, START + 2 * WINDOW);
	CHECK_EQUAL(duplicates_due(duplicates), UINT64_MAX);
	duplicates_free(duplicates);
}

/* Another value is another notice, and the same of another issuer, too. */
static void test_different(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	for (size_t i = 0; i < UNIT_COUNT(traps); i++) {
		struct sma_notice other = make(traps[i], ISSUER + 1, 1);

		unit_case("trap %u", traps[i]);
		CHECK(hear(duplicates, traps[i], 1, 9, START));
		CHECK(hear(duplicates, traps[i], 2, 9, START));
		CHECK(duplicates_is_new(duplicates, &other, 9, START));
		CHECK(!duplicates_is_new(duplicates, &other, 9, START));
	}
	duplicates_free(duplicates);
}

/* One event may come in from several sources. */
static void test_sources(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);
	struct sma_notice notice = make(257, ISSUER, 0x8001);

	for (enum sma_notice_source source = SMA_NOTICE_SA; source <= SMA_NOTICE_POLL; source++) {
		notice.source = source;
		notice.data[8] = (uint8_t)source; /* count */
		CHECK_EQUAL(duplicates_is_new(duplicates, &notice, source, START), source == SMA_NOTICE_SA);
	}
	check_ended(duplicates, START + WINDOW, 257, 2, false);
	duplicates_free(duplicates);
}

static void test_as_delivered(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);
	struct sma_notice first = make(256, ISSUER, 5);
	struct sma_notice again = first;
	struct ended ended;

	again.source = SMA_NOTICE_SA;
	again.node = NULL;
	again.when = 99;
	CHECK(duplicates_is_new(duplicates, &first, 1, START));
	CHECK(!duplicates_is_new(duplicates, &again, 0, START + 1));
	if (CHECK(next_ended(duplicates, START + WINDOW, &ended))) {
		CHECK_OCTETS(ended.notice.data, first.data, SMA_BLOCK_SIZE);
		CHECK_EQUAL(ended.notice.source, SMA_NOTICE_TRAP);
		CHECK(ended.notice.node == NODE);
		CHECK_EQUAL(ended.notice.when, 77);
	}
	duplicates_free(duplicates);
}

/* ---- windows ---- */

/* A window begins when the notice was delivered, not when it was heard again. */
static void test_edges(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	CHECK_EQUAL(duplicates_due(duplicates), UINT64_MAX);
	CHECK(hear(duplicates, 129, 1, 9, START));
	CHECK_EQUAL(duplicates_due(duplicates), START + WINDOW);
	CHECK(!hear(duplicates, 129, 1, 9, START + WINDOW - 1));
	CHECK_EQUAL(duplicates_due(duplicates), START + WINDOW);
	check_none_ended(duplicates, START + WINDOW - 1);
	CHECK(hear(duplicates, 129, 1, 9, START + WINDOW)); /* before its end was asked for */
	CHECK(!hear(duplicates, 129, 1, 9, START + WINDOW + 1));
	check_ended(duplicates, START + WINDOW + 1, 129, 1, false);
	check_none_ended(duplicates, START + WINDOW + 1);
	CHECK_EQUAL(duplicates_due(duplicates), START + 2 * WINDOW);
	check_none_ended(duplicates, START + 2 * WINDOW - 1);
	check_ended(duplicates, START + 2 * WINDOW, 129, 1, false);
	CHECK_EQUAL(duplicates_due(duplicates), UINT64_MAX);
	duplicates_free(duplicates);
}

static void test_heard_once(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	CHECK(hear(duplicates, 129, 1, 9, START));
	CHECK(hear(duplicates, 130, 1, 9, START + 1));
	CHECK(!hear(duplicates, 130, 1, 9, START + 2));
	check_ended(duplicates, START + WINDOW + 1, 130, 1, false); /* 129 is passed over */
	CHECK(hear(duplicates, 129, 1, 9, START + WINDOW + 1));
	CHECK(hear(duplicates, 130, 1, 9, START + WINDOW + 1));
	check_none_ended(duplicates, START + 3 * WINDOW);
	CHECK_EQUAL(duplicates_due(duplicates), UINT64_MAX);
	duplicates_free(duplicates);
}

static void test_window_0(void)
{
	struct duplicates *duplicates = duplicates_new(0);

	for (unsigned i = 0; i < 3; i++) {
		CHECK(hear(duplicates, 128, 1, 9, START));
		CHECK(hear(duplicates, 257, 1, 9, START));
	}
	CHECK_EQUAL(duplicates_due(duplicates), UINT64_MAX);
	check_none_ended(duplicates, START);
	duplicates_free(duplicates);
}

static void test_storm(void)
{
	enum { TIMES = 100000 };
	struct duplicates *duplicates = duplicates_new(WINDOW);
	unsigned delivered = 0;

	for (unsigned i = 0; i < TIMES; i++)
		delivered += hear(duplicates, 256, 1, i, START + i / 100);
	CHECK_EQUAL(delivered, 1);
	check_ended(duplicates, START + WINDOW, 256, TIMES - 1, false);
	check_none_ended(duplicates, START + WINDOW);
	duplicates_free(duplicates);
}

/* What never ends is delivered once a window, and nothing of it is lost from the counts. */
static unsigned storm_for(struct duplicates *duplicates, unsigned trap, unsigned ms, uint64_t *again)
{
	unsigned delivered = 0;
	struct ended ended;

	for (unsigned i = 0; i < ms; i++) {
		while (next_ended(duplicates, START + i, &ended)) {
			delivered += ended.due;
			*again += ended.again;
		}
		delivered += hear(duplicates, trap, 1, i + 1, START + i);
	}
	return delivered;
}

static void test_endless(void)
{
	static const unsigned endless[] = {128, 144, 256};

	for (size_t i = 0; i < UNIT_COUNT(endless); i++) {
		struct duplicates *duplicates = duplicates_new(WINDOW);
		uint64_t again = 0;

		unit_case("trap %u", endless[i]);
		CHECK_EQUAL(storm_for(duplicates, endless[i], 5 * WINDOW, &again), 5);
		/* a 128 that is due begins a window before the next is heard */
		CHECK_EQUAL(again, endless[i] == 128 ? 4 * WINDOW - 1 : 4 * (WINDOW - 1));
		duplicates_free(duplicates);
	}
}

/* ---- states ---- */

/* A value that changes to and fro is delivered each time; what was heard of each is counted. */
static void test_to_and_fro(void)
{
	static const unsigned states[] = {128, 144, 145};

	for (size_t i = 0; i < UNIT_COUNT(states); i++) {
		struct duplicates *duplicates = duplicates_new(WINDOW);

		unit_case("trap %u", states[i]);
		CHECK(hear(duplicates, states[i], 'A', 1, START));
		CHECK(!hear(duplicates, states[i], 'A', 1, START + 1));
		CHECK(!hear(duplicates, states[i], 'A', 1, START + 2));
		CHECK(hear(duplicates, states[i], 'B', 2, START + 3));
		CHECK(!hear(duplicates, states[i], 'B', 2, START + 4));
		CHECK(hear(duplicates, states[i], 'A', 3, START + 5));
		CHECK(!hear(duplicates, states[i], 'A', 3, START + WINDOW)); /* the window of the second A */
		check_ended(duplicates, START + 2 * WINDOW, states[i], 2, false);
		check_ended(duplicates, START + 2 * WINDOW, states[i], 1, false);
		check_ended(duplicates, START + 2 * WINDOW, states[i], 1, false);
		check_none_ended(duplicates, START + 2 * WINDOW);
		duplicates_free(duplicates);
	}
}

/* Events are not states: the offender may change to and fro. */
static void test_events(void)
{
	static const unsigned events[] = {129, 130, 131, 256, 257, 258, 259};
	struct duplicates *duplicates = duplicates_new(WINDOW);

	for (size_t i = 0; i < UNIT_COUNT(events); i++) {
		unit_case("trap %u", events[i]);
		CHECK(hear(duplicates, events[i], 'A', 1, START));
		CHECK(hear(duplicates, events[i], 'B', 1, START));
		CHECK(!hear(duplicates, events[i], 'A', 1, START));
		CHECK(!hear(duplicates, events[i], 'B', 1, START));
	}
	duplicates_free(duplicates);
}

/* The states of issuers and traps do not mix. */
static void test_issuers(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);
	struct sma_notice here = make(144, 1, 'A');
	struct sma_notice there = make(144, 2, 'B');

	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQUAL(duplicates_is_new(duplicates, &here, 0, START), i == 0);
		CHECK_EQUAL(duplicates_is_new(duplicates, &there, 0, START), i == 0);
	}
	duplicates_free(duplicates);
}

/* ---- what is due once more ---- */

struct due_case {
	const char *name;
	struct report {
		unsigned source;
		uint32_t tid;
	} reports[5];
	unsigned count;
	bool due;
};

enum { SA = SMA_NOTICE_SA, TRAP = SMA_NOTICE_TRAP, POLL = SMA_NOTICE_POLL };

static const struct due_case due_cases[] = {
	{"a Trap, repeated", {{TRAP, 7}, {TRAP, 7}}, 2, false},
	{"a Trap with another TID", {{TRAP, 7}, {TRAP, 8}}, 2, true},
	{"a Report, repeated", {{SA, 7}, {SA, 7}}, 2, false},
	{"a Report with another TID", {{SA, 7}, {SA, 8}}, 2, true},
	{"a Trap and its Report", {{TRAP, 7}, {SA, 9}}, 2, false},
	{"a Report and its Trap", {{SA, 9}, {TRAP, 7}}, 2, false},
	{"a Trap, its Report, and polling", {{TRAP, 7}, {SA, 9}, {POLL, 0}}, 3, true},
	{"polling, then the Trap and its Report", {{POLL, 0}, {TRAP, 7}, {SA, 9}}, 3, false},
	{"Trap and Report, both repeated", {{TRAP, 7}, {SA, 9}, {TRAP, 7}, {SA, 9}}, 4, false},
	{"a second Trap after the Report of the first", {{TRAP, 7}, {SA, 9}, {TRAP, 8}}, 3, true},
	{"a second Report, of a second Trap", {{TRAP, 7}, {SA, 9}, {TRAP, 7}, {SA, 10}}, 4, true},
	{"a second Report with the TID of the Trap", {{TRAP, 7}, {SA, 9}, {SA, 7}}, 3, true},
	{"seen after the Trap", {{TRAP, 7}, {POLL, 0}}, 2, true},
	{"a further one, repeated", {{TRAP, 7}, {TRAP, 8}, {TRAP, 8}}, 3, true},
};

/* Whether a 128 was new. */
static bool report(struct duplicates *duplicates, unsigned source, uint32_t tid, uint64_t now)
{
	struct sma_notice notice = make(128, ISSUER, 1);

	notice.source = source;
	return duplicates_is_new(duplicates, &notice, tid, now);
}

static void test_due(void)
{
	for (size_t i = 0; i < UNIT_COUNT(due_cases); i++) {
		const struct due_case *c = &due_cases[i];
		struct duplicates *duplicates = duplicates_new(WINDOW);

		unit_case("%s", c->name);
		for (unsigned j = 0; j < c->count; j++)
			CHECK_EQUAL(report(duplicates, c->reports[j].source, c->reports[j].tid, START),
			            j == 0);
		check_ended(duplicates, START + WINDOW, 128, c->count - 1, c->due);
		check_none_ended(duplicates, START + WINDOW);
		CHECK_EQUAL(duplicates_due(duplicates), c->due ? START + 2 * WINDOW : UINT64_MAX);
		check_none_ended(duplicates, START + 2 * WINDOW); /* not heard meanwhile */
		duplicates_free(duplicates);
	}
}

/* What is due begins a window of its own, in which the last TID is known. */
static void test_due_again(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);
	struct ended ended;

	CHECK(hear(duplicates, 128, 1, 7, START));
	CHECK(!hear(duplicates, 128, 1, 8, START + 1));
	if (CHECK(next_ended(duplicates, START + WINDOW + 5, &ended))) {
		CHECK(ended.due);
		CHECK_EQUAL(ended.notice.when, START + WINDOW + 5);
	}
	CHECK_EQUAL(duplicates_due(duplicates), START + 2 * WINDOW + 5);
	CHECK(!hear(duplicates, 128, 1, 8, START + WINDOW + 6));
	check_ended(duplicates, START + 2 * WINDOW + 5, 128, 1, false);
	CHECK_EQUAL(duplicates_due(duplicates), UINT64_MAX);
	duplicates_free(duplicates);
}

/* The first report of a source in that window is a further event if it reported one in the window before. */
static void test_due_and_again(void)
{
	static const struct report reports[] = {{TRAP, 9}, {SA, 9}};

	for (size_t i = 0; i < UNIT_COUNT(reports); i++) {
		struct duplicates *duplicates = duplicates_new(WINDOW);

		unit_case("source %u", reports[i].source);
		CHECK(report(duplicates, reports[i].source, 7, START));
		CHECK(!report(duplicates, reports[i].source, 8, START));
		check_ended(duplicates, START + WINDOW, 128, 1, true);
		CHECK(!report(duplicates, reports[i].source, reports[i].tid, START + WINDOW));
		check_ended(duplicates, START + 2 * WINDOW, 128, 1, true);
		duplicates_free(duplicates);
	}
}

/* The last TID of each source is known. */
static void test_due_sources(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	CHECK(report(duplicates, TRAP, 7, START));
	CHECK(!report(duplicates, SA, 9, START));
	CHECK(!report(duplicates, TRAP, 8, START));
	check_ended(duplicates, START + WINDOW, 128, 2, true);
	CHECK(!report(duplicates, SA, 9, START + WINDOW));
	CHECK(!report(duplicates, TRAP, 8, START + WINDOW));
	check_ended(duplicates, START + 2 * WINDOW, 128, 2, false);
	CHECK(report(duplicates, TRAP, 8, START + 2 * WINDOW));
	CHECK(!report(duplicates, SA, 10,
	              START + 2 * WINDOW)); /* what was heard of the window before is gone */
	check_ended(duplicates, START + 3 * WINDOW, 128, 1, false);
	duplicates_free(duplicates);
}

/* Delivered again after its window, and before that was asked for: that does for both. */
static void test_due_late(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	CHECK(hear(duplicates, 128, 1, 7, START));
	CHECK(!hear(duplicates, 128, 1, 8, START + 1));
	CHECK(hear(duplicates, 128, 1, 9, START + WINDOW));
	check_ended(duplicates, START + WINDOW, 128, 1, false);
	CHECK_EQUAL(duplicates_due(duplicates), START + 2 * WINDOW);
	duplicates_free(duplicates);
}

/* One that is due stays so when the issuer reports another LID, and what it reported last is compared then.
 */
static void test_due_replaced(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	CHECK(hear(duplicates, 128, 'A', 7, START));
	CHECK(!hear(duplicates, 128, 'A', 8, START + 1));
	CHECK(hear(duplicates, 128, 'B', 9, START + 2));
	check_ended(duplicates, START + WINDOW, 128, 1, true);
	CHECK(!hear(duplicates, 128, 'A', 8, START + WINDOW + 1));
	check_none_ended(duplicates, START + 2 * WINDOW - 1);
	check_ended(duplicates, START + 2 * WINDOW, 128, 1, false);
	CHECK_EQUAL(duplicates_due(duplicates), UINT64_MAX);
	duplicates_free(duplicates);
}

static void test_only_128_is_due(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	for (size_t i = 1; i < UNIT_COUNT(traps); i++) {
		CHECK(hear(duplicates, traps[i], 1, 7, START + i));
		CHECK(!hear(duplicates, traps[i], 1, 8, START + i));
		CHECK(!hear(duplicates, traps[i], 1, 0, START + i));
	}
	for (size_t i = 1; i < UNIT_COUNT(traps); i++)
		check_ended(duplicates, START + 2 * WINDOW, traps[i], 2, false);
	CHECK_EQUAL(duplicates_due(duplicates), UINT64_MAX);
	duplicates_free(duplicates);
}

/* ---- what polling sees ---- */

static bool see(struct duplicates *duplicates, unsigned trap, uint32_t what, uint64_t now)
{
	struct sma_notice notice = make(trap, ISSUER, what);

	notice.source = SMA_NOTICE_POLL;
	return duplicates_is_new(duplicates, &notice, 0, now);
}

/* Each link that changes, and each counter that grows, is an event; a Report of the last is not. */
static void test_seen(void)
{
	static const unsigned seen[] = {128, 129, 130};

	for (size_t i = 0; i < UNIT_COUNT(seen); i++) {
		struct duplicates *duplicates = duplicates_new(WINDOW);

		unit_case("trap %u", seen[i]);
		CHECK(see(duplicates, seen[i], 1, START));
		CHECK(see(duplicates, seen[i], 1, START + 1));
		CHECK(!hear(duplicates, seen[i], 1, 7, START + 2));
		CHECK(see(duplicates, seen[i], 1, START + 3));
		check_ended(duplicates, START + 2 * WINDOW, seen[i], 1, false);
		check_none_ended(duplicates, START + 2 * WINDOW);
		duplicates_free(duplicates);
	}
}

/* The first time it may be the event that was heard of; what comes after that is not. */
static void test_seen_and_heard(void)
{
	static const unsigned seen[] = {128, 129, 130};

	for (size_t i = 0; i < UNIT_COUNT(seen); i++) {
		struct duplicates *duplicates = duplicates_new(WINDOW);

		unit_case("trap %u", seen[i]);
		CHECK(hear(duplicates, seen[i], 1, 7, START));
		CHECK(!see(duplicates, seen[i], 1, START + 1));
		CHECK(see(duplicates, seen[i], 1, START + 2));
		/* what is delivered now is as good as what was due of the first */
		check_ended(duplicates, START + WINDOW, seen[i], 1, false);
		/* the source reported the first event, and another one now */
		CHECK(!hear(duplicates, seen[i], 1, 8, START + WINDOW));
		check_ended(duplicates, START + WINDOW + 2, seen[i], 1, seen[i] == 128);
		duplicates_free(duplicates);
	}
}

/* A value that polling sees is delivered once, but again when it was another one meanwhile. */
static void test_seen_values(void)
{
	static const unsigned seen[] = {144, 145};

	for (size_t i = 0; i < UNIT_COUNT(seen); i++) {
		struct duplicates *duplicates = duplicates_new(WINDOW);

		unit_case("trap %u", seen[i]);
		CHECK(hear(duplicates, seen[i], 'A', 7, START));
		CHECK(!see(duplicates, seen[i], 'A', START));
		CHECK(!see(duplicates, seen[i], 'A', START + 1));
		CHECK(see(duplicates, seen[i], 'B', START + 2));
		CHECK(see(duplicates, seen[i], 'A', START + 3));
		duplicates_free(duplicates);
	}
}

/* ---- memory ---- */

/* What has ended or has to give way: how often it was heard again, and how many of it are due. */
static void end_all(struct duplicates *duplicates, uint64_t now, uint64_t *again, unsigned *due)
{
	struct ended ended;

	while (next_ended(duplicates, now, &ended)) {
		*again += ended.again;
		*due += ended.due;
	}
}

/* As the sources do it. */
static bool hear_in_turn(struct duplicates *duplicates, const struct sma_notice *notice, uint32_t tid,
                         uint64_t now, uint64_t *again, unsigned *due)
{
	end_all(duplicates, now, again, due);
	return duplicates_is_new(duplicates, notice, tid, now);
}

/* The oldest notice gives way when there are too many, with its count; the others stay. */
static void test_full(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	for (uint32_t i = 0; i < DUPLICATES_KEPT; i++) {
		check_none_ended(duplicates, START);
		CHECK(hear(duplicates, 256, i, 1, START + i / 1000));
	}
	for (uint32_t i = 0; i < DUPLICATES_KEPT; i++)
		CHECK(!hear(duplicates, 256, i, 1, START + 5));
	check_ended(duplicates, START + 6, 256, 1, false); /* that of 0 */
	check_none_ended(duplicates, START + 6);
	CHECK(hear(duplicates, 256, DUPLICATES_KEPT, 1, START + 6));
	CHECK(!hear(duplicates, 256, 1, 1, START + 6));
	CHECK(!hear(duplicates, 256, DUPLICATES_KEPT, 1, START + 6));
	check_ended(duplicates, START + 6, 256, 2, false); /* that of 1 */
	CHECK(hear(duplicates, 256, 0, 1, START + 6));
	CHECK(!hear(duplicates, 256, 2, 1, START + 6));
	/* who does not ask for it loses the count of 2, no more */
	CHECK(hear(duplicates, 256, 1, 1, START + 6));
	check_ended(duplicates, START + WINDOW, 256, 1, false); /* that of 3 */
	duplicates_free(duplicates);
}

/* A storm of bad keys pushes out no state, the last of which is delivered. */
static void test_storm_of_keys(void)
{
	enum { KEYS = 5000 };
	struct duplicates *duplicates = duplicates_new(WINDOW);
	struct sma_notice link = make(128, ISSUER, 1);
	uint64_t again = 0;
	unsigned due = 0;

	CHECK(duplicates_is_new(duplicates, &link, 1, START));
	CHECK(!duplicates_is_new(duplicates, &link, 2, START + 1));
	for (uint32_t i = 0; i < KEYS; i++) {
		struct sma_notice key = make(256, ISSUER, i);

		CHECK(hear_in_turn(duplicates, &key, i, START + 2, &again, &due));
		CHECK(!hear_in_turn(duplicates, &key, i, START + 2, &again, &due));
	}
	CHECK_EQUAL(due, 0);
	check_ended(duplicates, START + WINDOW, 128, 1, true);
	CHECK(!hear_in_turn(duplicates, &link, 2, START + WINDOW + 2, &again, &due));
	CHECK_EQUAL(again, KEYS);
	duplicates_free(duplicates);
}

/* More states than have room: what is due of those that give way is delivered early, and then as new. */
static void test_full_of_states(void)
{
	enum { STATES = DUPLICATES_KEPT + 10 };
	struct duplicates *duplicates = duplicates_new(WINDOW);
	uint64_t again = 0;
	unsigned due = 0;

	for (uint16_t lid = 1; lid <= STATES; lid++) {
		struct sma_notice notice = make(128, lid, lid);

		CHECK(hear_in_turn(duplicates, &notice, 1, START, &again, &due));
		CHECK(!duplicates_is_new(duplicates, &notice, 2, START));
		CHECK_EQUAL(due, lid > DUPLICATES_KEPT ? lid - DUPLICATES_KEPT : 0);
	}
	for (uint16_t lid = 1; lid <= STATES; lid += DUPLICATES_KEPT) {
		struct sma_notice notice = make(128, lid, lid);

		/* 4097 is still known */
		CHECK_EQUAL(hear_in_turn(duplicates, &notice, 3, START, &again, &due), lid == 1);
	}
	check_ended(duplicates, START + WINDOW, 128, 1, true);
	duplicates_free(duplicates);
}

/* Round and round through the memory, in which nothing is lost. */
static void test_many(void)
{
	enum { TIMES = 5 * DUPLICATES_KEPT };
	struct duplicates *duplicates = duplicates_new(WINDOW);
	uint64_t again = 0;
	unsigned due = 0;

	for (uint32_t i = 0; i < TIMES; i++) {
		struct sma_notice key = make(257, ISSUER, i);
		struct sma_notice mask = make(144, ISSUER, i % 2);

		CHECK(hear_in_turn(duplicates, &key, 1, START, &again, &due));
		CHECK(hear_in_turn(duplicates, &mask, 1, START, &again, &due));
		CHECK(!hear_in_turn(duplicates, &mask, 1, START, &again, &due));
		CHECK(!hear_in_turn(duplicates, &key, 1, START, &again, &due));
	}
	end_all(duplicates, START + WINDOW, &again, &due);
	CHECK_EQUAL(again, 2 * TIMES);
	CHECK_EQUAL(due, 0);
	duplicates_free(duplicates);
}

static void test_restart(void)
{
	struct duplicates *duplicates = duplicates_new(WINDOW);

	for (unsigned i = 0; i < 3; i++) {
		CHECK(hear(duplicates, 128, 1, 7, START));
		CHECK(!hear(duplicates, 128, 1, 8, START));
		CHECK(hear(duplicates, 257, 1, 7, START));
		duplicates_restart(duplicates, WINDOW + i);
		CHECK_EQUAL(duplicates_due(duplicates), UINT64_MAX);
		CHECK(hear(duplicates, 257, 1, 7, START));
		CHECK_EQUAL(duplicates_due(duplicates), START + WINDOW + i);
		duplicates_restart(duplicates, WINDOW);
	}
	duplicates_free(duplicates);
}

static void test_free(void)
{
	duplicates_free(NULL);
}

static const struct unit_test tests[] = {
	{"each trap", test_each_trap},
	{"what is different", test_different},
	{"several sources", test_sources},
	{"as it was delivered", test_as_delivered},
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
	{"due and delivered again", test_due_late},
	{"due and replaced", test_due_replaced},
	{"only 128 is due", test_only_128_is_due},
	{"what polling sees", test_seen},
	{"what polling sees and others report", test_seen_and_heard},
	{"values that polling sees", test_seen_values},
	{"the oldest gives way", test_full},
	{"a state in a storm of keys", test_storm_of_keys},
	{"the oldest state gives way", test_full_of_states},
	{"very many", test_many},
	{"another window", test_restart},
	{"free of nothing", test_free},
};

int main(void)
{
	return UNIT_MAIN("repeat", tests);
}
