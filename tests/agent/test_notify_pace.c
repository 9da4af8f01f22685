// SPDX-License-Identifier: BSD-2-Clause
/* The pace at which notifications leave, as a backlog after an outage, so that a receiver keeps up. */
#include "agent/notify_time.h"
#include "tests/agent/notify_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

/* What a UDP socket with default buffers holds of the largest notifications; of small ones it is 245. */
enum { RECEIVER_HOLDS = 190, SECOND = 1000 };

static const struct notify_config defaults = {.rate = 100, .burst = 1000, .queue = 10000, .pace = 150};

static uint64_t left_at[FAKE_SESSION_KEPT];
static uint64_t now;

/* Until nothing waits, or until `end`; notes when each left. */
static void run_until(struct notify *notify, uint64_t end)
{
	while (!notify_is_idle(notify) && now < end) {
		unsigned before = fake_session.count;
		uint64_t due = notify_fixture_run(notify, now, UINT32_MAX);

		for (unsigned i = before; i < fake_session.count; i++)
			left_at[i] = now;
		if (notify_is_idle(notify))
			break;
		if (!CHECK(due > now && due <= now + SECOND))
			break;
		now = due;
	}
}

/* The most that left within a second. */
static unsigned most_in_a_second(void)
{
	unsigned most = 0;

	for (unsigned first = 0, last = 0; last < fake_session.count; last++) {
		while (left_at[last] - left_at[first] >= SECOND)
			first++;
		if (last - first + 1 > most)
			most = last - first + 1;
	}
	return most;
}

/* A receiver that is busy for a second loses none of a backlog. */
static void test_backlog(void)
{
	enum { BACKLOG = 900 };
	struct notify *notify = notify_fixture_begin(&defaults);

	notify_fixture_take_many(notify, 0, BACKLOG, 1000);
	now = 60000;
	fake_session.up = true;
	run_until(notify, 600000);
	notify_fixture_check_sent(0, BACKLOG);
	CHECK(most_in_a_second() < RECEIVER_HOLDS);
	CHECK(now - 60000 <= BACKLOG * SECOND / 150);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(logged_with("notify: 900 notifications that waited were sent"), 1);
	notify_fixture_finish(notify);
}

/* So does a burst without an outage: it leaves later than it came. */
static void test_burst(void)
{
	struct notify *notify = notify_fixture_begin(&defaults);

	now = 1000;
	fake_session.up = true;
	notify_fixture_take_many(notify, 0, 1000, now);
	run_until(notify, 600000);
	notify_fixture_check_sent(0, 1000);
	CHECK(most_in_a_second() < RECEIVER_HOLDS);
	for (unsigned i = 0; i < 1000; i++)
		CHECK_EQUAL(fake_session.sent[i].dated, left_at[i] >= 1000 + NOTIFY_TIME_LATE_MS);
	CHECK_EQUAL(logged_with("that waited were sent"), 1);
	notify_fixture_finish(notify);
}

/* What arises meanwhile comes last, and the line when all is done. */
static void test_behind(void)
{
	struct notify *notify = notify_fixture_begin(&defaults);

	notify_fixture_take_many(notify, 0, 600, 1000);
	now = 60000;
	fake_session.up = true;
	run_until(notify,
	          now + 2 * SECOND); /* the first of those that come then will not be late, the last will */
	notify_fixture_take_many(notify, 600, 50, now);
	CHECK(fake_session.count > 200 && fake_session.count < 2 * RECEIVER_HOLDS);
	CHECK_EQUAL(logged_with(""), 0);
	run_until(notify, 600000);
	notify_fixture_check_sent(0, 650);
	CHECK_EQUAL(logged_with("that waited were sent"), 1);
	CHECK_EQUAL(logged_with(""), 1);
	notify_fixture_finish(notify);
}

/* A few leave at once. */
static void test_few(void)
{
	struct notify *notify = notify_fixture_begin(&defaults);

	fake_session.up = true;
	notify_fixture_take_many(notify, 0, 15, 1000);
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 100), UINT64_MAX);
	notify_fixture_check_sent(0, 15);
	notify_fixture_take_many(notify, 15, 1, 1000);
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 100), 1007);
	CHECK_EQUAL(notify_fixture_run(notify, 1007, 100), UINT64_MAX);
	notify_fixture_check_sent(0, 16);
	notify_fixture_finish(notify);
}

/* The slowest pace, and another one. */
static void test_configure(void)
{
	struct notify_config slow = defaults;
	struct notify *notify;

	slow.pace = 1;
	notify = notify_fixture_begin(&slow);
	fake_session.up = true;
	notify_fixture_take_many(notify, 0, 100, 1000);
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 100), 2000);
	CHECK_EQUAL(notify_fixture_run(notify, 1999, 100), 2000);
	CHECK_EQUAL(notify_fixture_run(notify, 2000, 100), 3000);
	CHECK_EQUAL(fake_session.count, 2);
	CHECK_EQUAL(notify_configure(notify, &notify_fixture_plenty), 0);
	CHECK_EQUAL(notify_fixture_run(notify, 3000, 100), UINT64_MAX);
	notify_fixture_check_sent(0, 100);
	notify_fixture_finish(notify);
}

/* At the end what waits is not kept back, as it would be lost. */
static void test_finish(void)
{
	struct notify *notify = notify_fixture_begin(&defaults);

	fake_session.up = true;
	notify_fixture_take_many(notify, 0, 1000, 1000);
	notify_fixture_run(notify, 1000, 1000);
	CHECK_EQUAL(fake_session.count, 15);
	notify_finish(notify);
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 1000), UINT64_MAX);
	notify_fixture_check_sent(0, 1000);
	CHECK(notify_is_idle(notify));
	notify_fixture_finish(notify);
}

/* ---- states over the rate ---- */

static const struct notify_config narrow = {.rate = 10, .burst = 5, .queue = 1000, .pace = NOTIFY_BENCH_PACE};

/* A link that changes all the time: as often as the rate allows, and in the end its last state. */
static void test_last_state(void)
{
	enum { CHANGES = 2000 };
	struct notify *notify = notify_fixture_begin(&narrow);

	fake_session.up = true;
	for (now = 1000; now < 1000 + CHANGES; now++) {
		notify_fixture_take(notify, (unsigned)now, now);
		notify_fixture_run(notify, now, 100);
	}
	CHECK(fake_session.count >= 5 + CHANGES / 100 - 1 && fake_session.count <= 5 + CHANGES / 100);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 1);
	CHECK(!notify_is_idle(notify));
	run_until(notify, 600000);
	CHECK_EQUAL(fake_session.sent[fake_session.count - 1].lid, 1000 + CHANGES - 1);
	CHECK_EQUAL(notify_fixture_counts(notify).held_back + notify_fixture_counts(notify).sent, CHANGES);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 0);
	notify_fixture_finish(notify);
}

/* It keeps no other state out. */
static void test_other_states(void)
{
	struct notify *notify = notify_fixture_begin(&narrow);
	unsigned others = 0;

	fake_session.up = true;
	for (now = 1000; now < 2000; now++) {
		notify_fixture_take(notify, 1, now);
		if (now == 1500)
			notify_fixture_take_trap(notify, SMA_TRAP_SYSTEM_GUID, 77, 0, now);
		notify_fixture_take(notify, 1, now);
		notify_fixture_run(notify, now, 100);
	}
	for (unsigned i = 0; i < fake_session.count; i++)
		others += fake_session.sent[i].lid == 77;
	CHECK_EQUAL(others, 1);
	notify_fixture_finish(notify);
}

/* The latest of them leaves at the end, whatever the rate is. */
static void test_finish_states(void)
{
	struct notify *notify = notify_fixture_begin(&narrow);

	fake_session.up = true;
	notify_fixture_take_many(notify, 0, 100, 1000);
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 100), 1100);
	notify_fixture_check_sent(0, 5);
	notify_finish(notify);
	notify_fixture_run(notify, 1000, 100);
	CHECK_EQUAL(fake_session.count, 6);
	CHECK_EQUAL(fake_session.sent[5].lid, 99);
	CHECK_EQUAL(notify_fixture_counts(notify).held_back, 94);
	notify_fixture_finish(notify);
}

static const struct unit_test tests[] = {
	{"a backlog", test_backlog},
	{"a burst", test_burst},
	{"notices behind a backlog", test_behind},
	{"a few at once", test_few},
	{"another pace", test_configure},
	{"the end", test_finish},
	{"the last state over the rate", test_last_state},
	{"other states over the rate", test_other_states},
	{"states over the rate at the end", test_finish_states},
};

int main(void)
{
	return UNIT_MAIN("notify pace", tests);
}
