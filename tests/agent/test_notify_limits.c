// SPDX-License-Identifier: BSD-2-Clause
/* Notifications over the rate, or more than the queue holds: they are counted and logged. */
#include "tests/agent/notify_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { MINUTE = 60000 };

/* ---- the rate ---- */

static void test_storm(void)
{
	static const struct notify_config config = {
		.rate = 100, .burst = 1000, .queue = 10000, .pace = NOTIFY_BENCH_PACE};
	struct notify *notify = notify_fixture_begin(&config);

	fake_session.up = true;
	for (unsigned i = 0; i < 10000; i++)
		notify_fixture_take_trap(
			notify, i % 4 == 3 ? SMA_TRAP_LINK_INTEGRITY : SMA_TRAP_BUFFER_OVERRUN, i, 1, 1000);
	CHECK_EQUAL(notify_fixture_counts(notify).held_back, 9000);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 1000);
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 10000), 1000 + MINUTE);
	notify_fixture_check_sent(0, 1000);
	CHECK_EQUAL(logged_with(""), 0);
	notify_fixture_take_trap(notify, SMA_TRAP_BUFFER_OVERRUN, 20000, 1,
	                         1010); /* the bucket has one more by now */
	CHECK_EQUAL(notify_fixture_run(notify, 1010, 10), 1000 + MINUTE);
	CHECK_EQUAL(fake_session.count, 1001);
	CHECK_EQUAL(notify_fixture_run(notify, 1000 + MINUTE, 0), UINT64_MAX);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(logged_with("held back in the last minute, over notifyRate 100/s: "
	                        "ibSmaExcessBuffOverrunThres 6750, ibSmaLinkIntegrityThresReached 2250"),
	            1);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 0);
	notify_fixture_finish(notify);
}

/* A storm of events holds no link state back; that comes behind what may leave of the storm. */
static void test_storm_states(void)
{
	static const struct notify_config config = {
		.rate = 100, .burst = 1000, .queue = 10000, .pace = NOTIFY_BENCH_PACE};
	struct notify *notify = notify_fixture_begin(&config);

	fake_session.up = true;
	for (unsigned i = 0; i < 4000; i++) {
		notify_fixture_take_trap(notify, SMA_TRAP_FLOW_CONTROL, i, 1, 1000 + i / 2);
		if (i % 200 == 199)
			notify_fixture_take_trap(notify, SMA_TRAP_SYSTEM_GUID, i, 0, 1000 + i / 2);
	}
	notify_fixture_take(notify, 60000, 3000);
	notify_fixture_run(notify, 3000, 10000);
	CHECK_EQUAL(fake_session.count, 1000 + 199 + 20 + 1);
	CHECK_EQUAL(fake_session.sent[fake_session.count - 1].lid, 60000);
	CHECK_EQUAL(notify_fixture_counts(notify).held_back, 4000 - 1199);
	CHECK_EQUAL(notify_fixture_run(notify, 2 * MINUTE, 0), UINT64_MAX);
	CHECK_EQUAL(logged_with("over notifyRate 100/s: ibSmaFlowCntrlUpdateTimerExpire 2801"), 1);
	CHECK_EQUAL(logged_with("ibSmaSysImageGuidModified"), 0);
	notify_fixture_finish(notify);
}

/* The line comes in an outage as well. */
static void test_storm_away(void)
{
	static const struct notify_config config = {
		.rate = 1, .burst = 1, .queue = 10, .pace = NOTIFY_BENCH_PACE};
	struct notify *notify = notify_fixture_begin(&config);

	for (unsigned i = 0; i < 2; i++)
		notify_fixture_take_trap(notify, SMA_TRAP_FLOW_CONTROL, i, 1, 1000);
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 0), 1000 + MINUTE);
	notify_fixture_run(notify, 1000 + MINUTE, 0);
	CHECK_EQUAL(logged_with("ibSmaFlowCntrlUpdateTimerExpire 1"), 1);
	notify_fixture_finish(notify);
}

/* ---- a full queue ---- */

static const struct notify_config narrow = {
	.rate = 1000, .burst = 1000, .queue = 5, .pace = NOTIFY_BENCH_PACE};

static void test_overflow(void)
{
	struct notify *notify = notify_fixture_begin(&narrow);

	notify_fixture_run(notify, 1000, 0);
	for (unsigned i = 0; i < 12; i++) {
		notify_fixture_take(notify, i, 1000);
		CHECK_EQUAL(logged_with(""), i >= 5);
	}
	CHECK_EQUAL(logged_with("the queue is full"), 1);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 5);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 7);
	fake_session.up = true;
	CHECK_EQUAL(notify_fixture_run(notify, 9000, 4), UINT64_MAX);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(notify_fixture_run(notify, 9000, 1), UINT64_MAX);
	notify_fixture_check_sent(7, 5);
	CHECK_EQUAL(logged_with("7 notifications were dropped while the queue was full"), 1);
	CHECK_EQUAL(logged_with("5 notifications that waited were sent"), 1);
	CHECK_EQUAL(logged_with(""), 3);
	notify_fixture_run(notify, 10 * MINUTE, 0);
	CHECK_EQUAL(logged_with(""), 3);
	notify_fixture_finish(notify);
}

/* One that is on its way keeps its place, whatever becomes of it; the oldest behind it give way. */
static void test_overtaken(enum mib_outcome outcome)
{
	bool again = outcome == MIB_UNSENT;
	bool refused = outcome == MIB_REFUSED;
	struct notify *notify = notify_fixture_begin(&narrow);

	fake_session.up = true;
	notify_fixture_take_many(notify, 0, 5, 1000);
	notify_process(notify, 1000);
	notify_fixture_take(notify, 5, 1000);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 0);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 6);
	notify_fixture_take(notify, 6, 1000);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 1); /* notice 1 */
	fake_session_end_notification(outcome);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 1 + refused);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 5 + again);
	fake_session.up = true;
	notify_fixture_run(notify, 1000, 10);
	CHECK_EQUAL(fake_session.count, refused ? 5 : 6);
	for (unsigned i = 0; i < fake_session.count; i++)
		CHECK_EQUAL(fake_session.sent[i].lid, !refused && i == 0 ? 0 : i + 1 + refused);
	CHECK_EQUAL(notify_fixture_counts(notify).sent, fake_session.count);
	CHECK(notify_is_idle(notify));
	notify_fixture_finish(notify);
}

static void test_overtaken_sent(void)
{
	test_overtaken(MIB_SENT);
}

static void test_overtaken_unsent(void)
{
	test_overtaken(MIB_UNSENT);
}

static void test_overtaken_refused(void)
{
	test_overtaken(MIB_REFUSED);
}

/* A storm of bad keys while snmpd is away pushes no link state out. */
static void test_full_of_keys(void)
{
	struct notify *notify = notify_fixture_begin(&narrow);

	notify_fixture_take_many(notify, 0, 2, 1000);
	for (unsigned i = 100; i < 200; i++)
		notify_fixture_take_trap(notify, SMA_TRAP_FLOW_CONTROL, i, 1, 1000);
	notify_fixture_take(notify, 2, 1000);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 8);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 95);
	fake_session.up = true;
	notify_fixture_run(notify, 1000, 100);
	CHECK_EQUAL(fake_session.count, 8);
	for (unsigned i = 0; i < fake_session.count; i++)
		CHECK_EQUAL(fake_session.sent[i].lid, i < 2 ? i : i < 7 ? 193 + i : 2);
	notify_fixture_finish(notify);
}

/* A queue that is full again and again though snmpd is there: two lines a minute at most. */
static void test_often_full(void)
{
	static const struct notify_config config = {
		.rate = 1000, .burst = 1000, .queue = 1, .pace = NOTIFY_BENCH_PACE};
	struct notify *notify = notify_fixture_begin(&config);

	notify_fixture_run(notify, 0, 0); /* an outage that is over */
	fake_session.up = true;
	notify_fixture_run(notify, 0, 0);
	for (uint64_t now = 0; now < MINUTE; now += 100) {
		notify_fixture_take_many(notify, 0, 3, now);
		CHECK_EQUAL(notify_fixture_run(notify, now, 10), MINUTE);
	}
	CHECK_EQUAL(fake_session.count, 600);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(notify_fixture_run(notify, MINUTE, 0), UINT64_MAX);
	CHECK_EQUAL(logged_with("1200 notifications were dropped while the queue was full"), 1);
	CHECK_EQUAL(logged_with(""), 2);
	notify_fixture_finish(notify);
}

/* ---- both ---- */

static void test_configure(void)
{
	static const struct notify_config wide = {
		.rate = 1000, .burst = 1000, .queue = 8, .pace = NOTIFY_BENCH_PACE};
	static const struct notify_config slow = {
		.rate = 1, .burst = 1, .queue = 3, .pace = NOTIFY_BENCH_PACE};
	struct notify *notify = notify_fixture_begin(&narrow);

	notify_fixture_take_many(notify, 0, 5, 1000);
	CHECK_EQUAL(notify_configure(notify, &wide), 0);
	notify_fixture_take_many(notify, 5, 3, 1000);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 8);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 0);
	fake_session.up = true;
	notify_process(notify, 1000);
	CHECK_EQUAL(notify_configure(notify, &slow), 0); /* with one on its way */
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 4);
	for (unsigned i = 8; i < 10; i++)
		notify_fixture_take_trap(notify, SMA_TRAP_FLOW_CONTROL, i, 1, 1000);
	CHECK_EQUAL(notify_fixture_counts(notify).held_back, 1);
	notify_fixture_run(notify, 1000, 10);
	CHECK_EQUAL(fake_session.count, 5);
	CHECK_EQUAL(fake_session.sent[0].lid, 0);
	for (unsigned i = 1; i < 5; i++)
		CHECK_EQUAL(fake_session.sent[i].lid, 4 + i);
	notify_fixture_finish(notify);
}

/* What was not logged yet is logged at the shutdown. */
static void test_end_accounts(void)
{
	static const struct notify_config config = {
		.rate = 1, .burst = 3, .queue = 1, .pace = NOTIFY_BENCH_PACE};
	struct notify *notify = notify_fixture_begin(&config);

	for (unsigned i = 0; i < 5; i++)
		notify_fixture_take_trap(notify, SMA_TRAP_FLOW_CONTROL, i, 1, 1000);
	logged_start(false);
	notify_end(notify);
	CHECK_EQUAL(logged_with("ibSmaFlowCntrlUpdateTimerExpire 2"), 1);
	CHECK_EQUAL(logged_with("2 notifications were dropped while the queue was full"), 1);
	CHECK_EQUAL(logged_with("1 notification was not sent before the shutdown"), 1);
	CHECK_EQUAL(logged_with(""), 3);
	notify_fixture_finish(notify);
	notify_free(NULL);
}

static const struct unit_test tests[] = {
	{"10000 at once", test_storm},
	{"link states in a storm", test_storm_states},
	{"too many in an outage", test_storm_away},
	{"a full queue", test_overflow},
	{"a full queue, and one on its way arrives", test_overtaken_sent},
	{"a full queue, and the session ends with one on its way", test_overtaken_unsent},
	{"a full queue, and one on its way is refused", test_overtaken_refused},
	{"a queue full of bad keys", test_full_of_keys},
	{"a queue that is often full", test_often_full},
	{"another configuration", test_configure},
	{"what is logged at the shutdown", test_end_accounts},
};

int main(void)
{
	return UNIT_MAIN("notify limits", tests);
}
