// SPDX-License-Identifier: BSD-2-Clause
/* Sessions that end with a notification on its way: it is sent again, but not for ever. */
#include <errno.h>

#include "tests/agent/notify_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

/* The session ends with one on its way, again and again: all arrive in order, none twice. */
static void test_resend(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);
	uint64_t now = 1000;

	notify_fixture_take_many(notify, 0, 10, now);
	for (unsigned taken = 0; taken < 4; taken++, now += 10000) {
		fake_session.up = true;
		notify_fixture_run(notify, now, taken);
		CHECK(fake_session.done != NULL);
		fake_session_end_notification(MIB_UNSENT);
		CHECK(!notify_is_idle(notify));
		CHECK_EQUAL(notify_fixture_run(notify, now + 1, 0), UINT64_MAX);
	}
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 4);
	fake_session.up = true;
	notify_fixture_run(notify, now, 100);
	notify_fixture_check_sent(0, 10);
	CHECK_EQUAL(notify_fixture_counts(notify).sent, 10);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 0);
	notify_fixture_finish(notify);
}

/* The session begins, and ends with notice `lid` on its way. */
static void fall(struct notify *notify, unsigned lid)
{
	fake_session.up = true;
	notify_fixture_run(notify, 1000, 0);
	if (CHECK(fake_session.done != NULL))
		CHECK_EQUAL(fake_session.way.lid, lid);
	fake_session_end_notification(MIB_UNSENT);
	notify_fixture_run(notify, 1000, 0);
}

static void test_fatal(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	notify_fixture_take_trap(notify, SMA_TRAP_FLOW_CONTROL, 7, 1, 1000);
	notify_fixture_take(notify, 8, 1000);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQUAL(notify_fixture_counts(notify).dropped, 0);
		CHECK_EQUAL(notify_fixture_counts(notify).queued, 2);
		CHECK_EQUAL(logged_with(""), 0);
		fall(notify, 7);
	}
	fake_session.up = true;
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 10), UINT64_MAX);
	notify_fixture_check_sent(8, 1);
	CHECK_EQUAL(fake_session.tried, 4);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 1);
	CHECK_EQUAL(notify_fixture_counts(notify).sent, 1);
	CHECK_EQUAL(
		logged_with(
			"notify: trap 131 (ibSmaFlowCntrlUpdateTimerExpire) is dropped: each of 3 attempts"),
		1);
	CHECK_EQUAL(logged_with(""), 1);
	notify_fixture_finish(notify);
}

/* Each has its own attempts, and a lost one does for the next no harm. */
static void test_fatal_all(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	notify_fixture_take_many(notify, 0, 3, 1000);
	for (unsigned i = 0; i < 9; i++)
		fall(notify, i / 3);
	fake_session.up = true;
	notify_fixture_run(notify, 1000, 0);
	CHECK_EQUAL(fake_session.tried, 9);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 3);
	CHECK(notify_is_idle(notify));
	notify_fixture_finish(notify);
}

/* An snmpd that restarts again and again loses nothing as long as one gets through in between, be it refused.
 */
static void test_not_fatal(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	notify_fixture_take_many(notify, 0, 10, 1000);
	for (unsigned i = 0; i < 10; i++) {
		fall(notify, i);
		fall(notify, i);
		fake_session.up = true;
		notify_process(notify, 1000);
		fake_session_end_notification(i == 5 ? MIB_REFUSED : MIB_SENT);
	}
	CHECK_EQUAL(notify_fixture_counts(notify).sent, 9);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 1);
	CHECK_EQUAL(logged_with("is dropped"), 0);
	notify_fixture_finish(notify);
}

/* Sessions that end without it are no attempts, nor are those that do not take it. */
static void test_no_attempts(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	notify_fixture_take(notify, 0, 1000);
	fall(notify, 0);
	fall(notify, 0);
	fake_session.refusal = -EAGAIN;
	for (unsigned i = 0; i < 10; i++) {
		fake_session.up = true;
		notify_process(notify, 1000);
		fake_session.up = false;
		notify_process(notify, 1000);
	}
	fake_session.refusal = 0;
	fake_session.up = true;
	notify_fixture_run(notify, 1000, 1);
	notify_fixture_check_sent(0, 1);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 0);
	notify_fixture_finish(notify);
}

/* It keeps its place and its attempts while the queue behind it is full, and the next has its own. */
static void test_other_head(void)
{
	static const struct notify_config narrow = {
		.rate = 1000, .burst = 1000, .queue = 5, .pace = NOTIFY_BENCH_PACE};
	struct notify *notify = notify_fixture_begin(&narrow);

	notify_fixture_take_many(notify, 0, 5, 1000);
	fall(notify, 0);
	fall(notify, 0);
	notify_fixture_take_many(notify, 5, 2, 1000); /* 1 gives way */
	fall(notify, 0);
	fall(notify, 2);
	fall(notify, 2);
	fake_session.up = true;
	notify_fixture_run(notify, 1000, 10);
	notify_fixture_check_sent(2, 5);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 2);
	CHECK_EQUAL(logged_with("attempts"), 1);
	notify_fixture_finish(notify);
}

static const struct unit_test tests[] = {
	{"sent again when the session ended", test_resend}, {"one that ends each session", test_fatal},
	{"all end each session", test_fatal_all},           {"snmpd restarts often", test_not_fatal},
	{"sessions that end without it", test_no_attempts}, {"a full queue behind it", test_other_head},
};

int main(void)
{
	return UNIT_MAIN("notify attempts", tests);
}
