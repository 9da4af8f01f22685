// SPDX-License-Identifier: BSD-2-Clause
/* The limit of the rate of notifications, at its edges, and the one line a minute about it. */
#include <stdio.h>
#include <string.h>

#include "agent/rate.h"
#include "mib/mib.h"
#include "sma/log.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { MINUTE = 60000 };

/* Whether a notice passes; it is accounted for if not. */
static bool take_one(struct rate *rate, unsigned trap, uint64_t when)
{
	bool passes = rate_passes(rate, trap, when);

	if (!passes)
		rate_hold_back(rate, trap, when);
	return passes;
}

/* How many of `count` notices pass at a time. */
static unsigned take(struct rate *rate, unsigned count, uint64_t when)
{
	unsigned passed = 0;

	for (unsigned i = 0; i < count; i++)
		passed += take_one(rate, SMA_TRAP_LINK_STATE, when);
	return passed;
}

/* ---- the bucket ---- */

static void test_burst(void)
{
	static const struct {
		unsigned rate, burst;
	} limits[] = {{1, 1}, {1, 1000}, {100, 1}, {3, 7}, {100000, 100000}};

	for (size_t i = 0; i < UNIT_COUNT(limits); i++) {
		struct rate rate;

		rate_init(&rate, limits[i].rate, limits[i].burst);
		unit_case("%u/s, burst %u", limits[i].rate, limits[i].burst);
		CHECK_EQUAL(take(&rate, limits[i].burst + 10, 0), limits[i].burst);
	}
}

static void test_refill(void)
{
	static const struct {
		unsigned rate, burst;
		uint64_t after; /* ms, with an empty bucket */
		unsigned passed;
	} cases[] = {
		{1, 5, 999, 0},         {1, 5, 1000, 1},          {1, 5, 1999, 1},
		{1, 5, 5000, 5},        {1, 5, 5999, 5},          {1, 5, 60000, 5},
		{3, 5, 333, 0},         {3, 5, 334, 1},           {3, 5, 1000, 3},
		{100, 1000, 9, 0},      {100, 1000, 10, 1},       {100, 1000, 1000, 100},
		{100, 1000, 9999, 999}, {100, 1000, 10000, 1000}, {100, 1000, 10001, 1000},
		{1000, 1, 1, 1},        {1000, 1, 100, 1},        {5000, 20, 1, 5},
		{5000, 20, 4, 20},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct rate rate;

		rate_init(&rate, cases[i].rate, cases[i].burst);
		take(&rate, cases[i].burst, 12345);
		unit_case("%u/s, burst %u, after %u ms", cases[i].rate, cases[i].burst,
		          (unsigned)cases[i].after);
		CHECK_EQUAL(take(&rate, cases[i].burst + 1, 12345 + cases[i].after), cases[i].passed);
	}
}

/* What comes steadily passes at the rate, with no part of a token lost. */
static void test_steady(void)
{
	struct rate rate;
	unsigned passed = 0;

	rate_init(&rate, 7, 1);
	CHECK_EQUAL(take(&rate, 1, 0), 1);
	for (uint64_t now = 1; now <= 100000; now++)
		passed += take(&rate, 1, now);
	CHECK(passed >= 690 && passed <= 700); /* a token waits at most 1 ms, of 143 */

	rate_init(&rate, 100, 10);
	for (uint64_t now = 0; now < 10000; now += 10)
		CHECK_EQUAL(take(&rate, 1, now), 1);
}

/* However long nothing happened, it is a full bucket; nothing overflows. */
static void test_long_idle(void)
{
	static const uint64_t idles[] = {
		10000,     86400000ULL,   UINT32_MAX, UINT32_MAX + 1ULL, 1ULL << 54 /* x 1024 = 2^64 */,
		INT64_MAX, UINT64_MAX - 1};

	for (size_t i = 0; i < UNIT_COUNT(idles); i++) {
		struct rate rate;

		rate_init(&rate, 1024, 10);
		unit_case("%llu ms", (unsigned long long)idles[i]);
		CHECK_EQUAL(take(&rate, 20, 1), 10);
		CHECK_EQUAL(take(&rate, 20, 1 + idles[i]), 10);
		CHECK_EQUAL(take(&rate, 20, 1 + idles[i]), 0);
	}
}

/* Notices of several sources are not in order of time: an earlier one finds the bucket as it is, and takes no
 * time twice. */
static void test_step_back(void)
{
	struct rate rate;

	rate_init(&rate, 10, 5);
	CHECK_EQUAL(take(&rate, 9, 5000), 5);
	CHECK_EQUAL(take(&rate, 9, 100), 0);
	CHECK_EQUAL(take(&rate, 9, 5000), 0);
	CHECK_EQUAL(take(&rate, 9, 5100), 1);
	CHECK_EQUAL(take(&rate, 9, 4000), 0);
	CHECK_EQUAL(take(&rate, 9, 5199), 0);
	CHECK_EQUAL(take(&rate, 9, 5200), 1);
	CHECK_EQUAL(take(&rate, 4, 9000), 4);
	CHECK_EQUAL(take(&rate, 4, 8000), 1);
}

static void test_configure(void)
{
	struct rate rate;

	rate_init(&rate, 10, 100);
	rate_configure(&rate, 1, 3);
	CHECK_EQUAL(take(&rate, 9, 0), 3);
	rate_configure(&rate, 10, 100);
	CHECK_EQUAL(take(&rate, 9, 0), 0);
	CHECK_EQUAL(take(&rate, 200, 20000), 100);
	rate_configure(&rate, 1, 3);
	for (unsigned i = 0; i < 9; i++) /* the other bucket */
		CHECK_EQUAL(take_one(&rate, SMA_TRAP_BAD_P_KEY, 20000), i < 3);
}

/* ---- two buckets ---- */

/* A storm of bad P_Keys takes nothing from traps about a state, nor these from the others. */
static void test_apart(void)
{
	static const unsigned states[] = {128, 144, 145};
	static const unsigned events[] = {129, 130, 131, 256, 257, 258, 259, 64 /* of no SMA */};
	enum { BURST = UNIT_COUNT(events) };
	struct rate rate;

	rate_init(&rate, 10, BURST);
	for (unsigned i = 0; i < BURST; i++)
		CHECK(take_one(&rate, events[i], 1000));
	for (unsigned i = 0; i < BURST; i++) {
		unit_case("trap %u", events[i]);
		CHECK(!take_one(&rate, events[i], 1000));
	}
	for (unsigned i = 0; i < BURST; i++) {
		unit_case("trap %u", states[i % UNIT_COUNT(states)]);
		CHECK(take_one(&rate, states[i % UNIT_COUNT(states)], 1000));
	}
	for (unsigned i = 0; i < UNIT_COUNT(states); i++)
		CHECK(!take_one(&rate, states[i], 1000));
	unit_case(NULL);
	CHECK(take_one(&rate, SMA_TRAP_BAD_P_KEY, 1100));
	CHECK(!take_one(&rate, SMA_TRAP_BAD_P_KEY, 1100));
	CHECK_EQUAL(take(&rate, 9, 1200), 2); /* with the time that passed since its own last */
}

/* Both in one line. */
static void test_apart_line(void)
{
	struct rate rate;

	logged_start(false);
	rate_init(&rate, 10, 1);
	take(&rate, 3, 600);
	for (unsigned i = 0; i < 3; i++)
		take_one(&rate, SMA_TRAP_BAD_P_KEY, 500);
	CHECK_EQUAL(rate_report(&rate, 600 + MINUTE), UINT64_MAX);
	CHECK_EQUAL(logged_with("over notifyRate 10/s: ibSmaPortLinkStateChange 2, ibSmaBadPartitionKey 2"),
	            1);
	CHECK_EQUAL(logged_with(""), 1);
	logged_stop();
}

/* ---- what was held back ---- */

static void test_counts(void)
{
	struct trap_counts counts = {0};
	char text[TRAP_COUNTS_TEXT_SIZE];

	CHECK(trap_counts_is_empty(&counts));
	trap_counts_print(&counts, text);
	CHECK_TEXT(text, "");
	CHECK_EQUAL(trap_counts_add(&counts, SMA_TRAP_BAD_P_KEY), 1);
	CHECK_EQUAL(trap_counts_add(&counts, SMA_TRAP_LINK_STATE), 1);
	CHECK_EQUAL(trap_counts_add(&counts, SMA_TRAP_BAD_P_KEY), 2);
	CHECK(!trap_counts_is_empty(&counts));
	trap_counts_print(&counts, text);
	CHECK_TEXT(text, "ibSmaBadPartitionKey 2, ibSmaPortLinkStateChange 1");
}

/* All notifications, with the largest counts, fit. */
static void test_counts_full(void)
{
	static const unsigned traps[] = {128, 129, 130, 131, 144, 145, 256, 257, 258, 259, 514};
	struct trap_counts counts = {0};
	char text[TRAP_COUNTS_TEXT_SIZE];

	for (size_t i = 0; i < UNIT_COUNT(traps); i++)
		CHECK_EQUAL(trap_counts_add(&counts, traps[i]), 1);
	CHECK_EQUAL(trap_counts_add(&counts, 64), 0);
	for (size_t i = 0; i < UNIT_COUNT(traps); i++)
		counts.entries[i].count = UINT32_MAX;
	trap_counts_print(&counts, text);
	for (size_t i = 0; i < UNIT_COUNT(traps); i++)
		CHECK(strstr(text, mib_notification_name(traps[i])) != NULL);
	CHECK(strlen(text) > 11 * strlen(" 4294967295") + 10 * strlen(", "));
	CHECK_TEXT(text + strlen(text) - strlen(" 4294967295"), " 4294967295");
}

/* ---- the log ---- */

static void test_no_line(void)
{
	struct rate rate;

	logged_start(false);
	rate_init(&rate, 10, 10);
	CHECK_EQUAL(take(&rate, 10, 0), 10);
	CHECK_EQUAL(rate_report(&rate, 10 * MINUTE), UINT64_MAX);
	rate_log(&rate);
	CHECK_EQUAL(logged_with(""), 0);
	logged_stop();
}

static void test_line(void)
{
	struct rate rate;

	logged_start(false);
	rate_init(&rate, 10, 10);
	take(&rate, 13, 500);
	for (unsigned i = 0; i < 11; i++)
		take_one(&rate, SMA_TRAP_BAD_P_KEY, 510);
	CHECK_EQUAL(rate_report(&rate, 510), 500 + MINUTE);
	CHECK_EQUAL(rate_report(&rate, 500 + MINUTE - 1), 500 + MINUTE);
	CHECK_EQUAL(logged_with(""), 0);
	CHECK_EQUAL(rate_report(&rate, 500 + MINUTE), UINT64_MAX);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	CHECK_EQUAL(logged_with("notify: held back in the last minute, over notifyRate 10/s: "
	                        "ibSmaPortLinkStateChange 3, ibSmaBadPartitionKey 1"),
	            1);
	CHECK_EQUAL(rate_report(&rate, 10 * MINUTE), UINT64_MAX);
	CHECK_EQUAL(logged_with(""), 1);
	logged_stop();
}

/* One more line, which reports `held`. */
static void check_line(unsigned lines, unsigned held)
{
	char text[64];

	snprintf(text, sizeof(text), "over notifyRate 1/s: ibSmaPortLinkStateChange %u", held);
	unit_case("line %u", lines);
	CHECK_EQUAL(logged_with(""), lines);
	CHECK(logged_with(text) >= 1);
}

/* Ten minutes of too many: a line a minute, the last when it is over, and together they report all. */
static void test_line_a_minute(void)
{
	enum { END = 10 * MINUTE, STEP = 50 };
	struct rate rate;
	unsigned lines = 0;
	unsigned held = 0;
	uint64_t last = 0;

	logged_start(false);
	rate_init(&rate, 1, 1);
	for (uint64_t now = 0; now < END + 2 * MINUTE; now += STEP) {
		held += now < END && !take(&rate, 1, now);
		rate_report(&rate, now);
		if (logged_with("") == lines)
			continue;
		check_line(++lines, held);
		CHECK(now - last >= MINUTE);
		last = now;
		held = 0;
	}
	CHECK_EQUAL(lines, 10);
	CHECK_EQUAL(held, 0);
	logged_stop();
}

/* At the shutdown the rest is logged. */
static void test_rest(void)
{
	struct rate rate;

	logged_start(false);
	rate_init(&rate, 10, 1);
	take(&rate, 3, 0);
	rate_log(&rate);
	CHECK_EQUAL(logged_with("ibSmaPortLinkStateChange 2"), 1);
	logged_stop();
}

static const struct unit_test tests[] = {
	{"burst", test_burst},
	{"refill", test_refill},
	{"a steady flow", test_steady},
	{"long idle", test_long_idle},
	{"times out of order", test_step_back},
	{"another limit", test_configure},
	{"states and events", test_apart},
	{"the line about both", test_apart_line},
	{"counts by notification", test_counts},
	{"counts of all notifications", test_counts_full},
	{"no line without need", test_no_line},
	{"the line", test_line},
	{"one line a minute", test_line_a_minute},
	{"the rest at the end", test_rest},
};

int main(void)
{
	return UNIT_MAIN("rate", tests);
}
