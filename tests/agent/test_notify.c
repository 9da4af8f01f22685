// SPDX-License-Identifier: BSD-2-Clause
/* Notifications go to snmpd one after another, and each comes to its end: taken, refused or not sent. */
#include <errno.h>

#include "sma/log.h"
#include "tests/agent/notify_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

static void test_one(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	fake_session.up = true;
	CHECK(notify_is_idle(notify));
	CHECK_EQUAL(notify_process(notify, 5000), UINT64_MAX);
	notify_fixture_take(notify, 7, 5000);
	CHECK(!notify_is_idle(notify));
	CHECK_EQUAL(notify_process(notify, 5000), UINT64_MAX); /* until snmpd answers */
	CHECK(!notify_is_idle(notify));
	CHECK_EQUAL(notify_fixture_counts(notify).sent, 0);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 1);
	fake_session_end_notification(MIB_SENT);
	CHECK(notify_is_idle(notify));
	CHECK_EQUAL(notify_fixture_counts(notify).sent, 1);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 0);
	CHECK_EQUAL(notify_process(notify, 5001), UINT64_MAX);
	notify_fixture_check_sent(7, 1);
	CHECK_EQUAL(fake_session.sent[0].uptime, 1000000);
	CHECK(!fake_session.sent[0].dated);
	CHECK_EQUAL(logged_with(""), 0);
	notify_fixture_finish(notify);
}

/* One after another, whenever notices and outcomes come. */
static void test_order(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	fake_session.up = true;
	for (unsigned i = 0; i < 6; i += 2) {
		notify_fixture_take(notify, i, 100);
		notify_process(notify, 100);
		notify_fixture_take(notify, i + 1, 100);
		notify_process(notify, 100);
		CHECK_EQUAL(fake_session.tried, fake_session.count + 1);
		fake_session_end_notification(MIB_SENT);
		notify_process(notify, 100);
	}
	notify_fixture_run(notify, 100, 10);
	notify_fixture_check_sent(0, 6);
	notify_fixture_finish(notify);
}

/* The outcome comes before session_notify returns: the next may go at once. */
static void test_at_once(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	fake_session.up = true;
	fake_session.at_once = true;
	notify_fixture_take_many(notify, 0, 3, 100);
	CHECK_EQUAL(notify_process(notify, 100), 100);
	CHECK_EQUAL(notify_fixture_run(notify, 100, 0), UINT64_MAX);
	notify_fixture_check_sent(0, 3);
	CHECK(notify_is_idle(notify));
	notify_fixture_finish(notify);
}

/* The session is up and does not take it: it stays the head, and the loop does not spin. */
static void test_refused(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	fake_session.up = true;
	fake_session.refusal = -EAGAIN;
	notify_fixture_take_many(notify, 0, 2, 100);
	CHECK_EQUAL(notify_process(notify, 100), 1100);
	CHECK_EQUAL(notify_process(notify, 1100), 2100);
	CHECK_EQUAL(fake_session.tried, 2);
	CHECK_EQUAL(notify_fixture_counts(notify).queued, 2);
	fake_session.refusal = 0;
	notify_fixture_run(notify, 1500, 10);
	notify_fixture_check_sent(0, 2);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 0);
	CHECK_EQUAL(logged_with(""), 0);
	notify_fixture_finish(notify);
}

/* The session fails while it is taking one, which is not lost. */
static void test_error(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	fake_session.up = true;
	fake_session.refusal = -EINVAL;
	notify_fixture_take_many(notify, 0, 3, 1000);
	for (uint64_t now = 1000; now < 5000; now += 1000)
		CHECK_EQUAL(notify_process(notify, now), now + 1000);
	CHECK_EQUAL(
		logged_with("notify: a notification cannot be sent to snmpd: Invalid argument; trying again"),
		1);
	CHECK_EQUAL(logged_with(""), 1);
	fake_session.up = false;
	CHECK_EQUAL(notify_process(notify, 5000), UINT64_MAX);
	fake_session.up = true;
	fake_session.refusal = 0;
	notify_fixture_run(notify, 6000, 1);
	fake_session.refusal = -EINVAL;
	notify_fixture_run(notify, 6000, 1);
	CHECK_EQUAL(logged_with("a notification cannot be sent to snmpd"), 2);
	fake_session.refusal = 0;
	notify_fixture_run(notify, 6001, 10);
	notify_fixture_check_sent(0, 3);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 0);
	notify_fixture_finish(notify);
}

/* What snmpd has answered with an error was not sent, and is not sent again. */
static void test_refused_by_snmpd(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	fake_session.up = true;
	notify_fixture_take_many(notify, 0, 4, 1000);
	for (unsigned i = 0; i < 3; i++) {
		notify_process(notify, 1000);
		CHECK_EQUAL(fake_session.way.lid, i);
		fake_session_end_notification(MIB_REFUSED);
	}
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 10), UINT64_MAX);
	notify_fixture_check_sent(3, 1);
	CHECK_EQUAL(notify_fixture_counts(notify).sent, 1);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 3);
	CHECK(notify_is_idle(notify));
	CHECK_EQUAL(logged_with(""), 0); /* the session has logged it */
	notify_fixture_finish(notify);
}

/* Notices that make no notification: a line for each trap, and those behind them go on. */
static void test_failing(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	fake_session.up = true;
	notify_fixture_take(notify, 0, 1000);
	for (unsigned i = 0; i < 3; i++) {
		notify_fixture_take_trap(notify, SMA_TRAP_LINK_INTEGRITY, 100, 0,
		                         1000); /* ports are 1..254 there */
		notify_fixture_take_trap(notify, 64, 100, 0, 1000);
	}
	notify_fixture_take(notify, 1, 1000);
	CHECK_EQUAL(notify_fixture_run(notify, 1000, 10), UINT64_MAX);
	notify_fixture_check_sent(0, 2);
	CHECK_EQUAL(notify_fixture_counts(notify).dropped, 6);
	CHECK_EQUAL(notify_fixture_counts(notify).sent, 2);
	CHECK_EQUAL(
		logged_with("trap 129 (ibSmaLinkIntegrityThresReached) cannot be sent: a value is out of"),
		1);
	CHECK_EQUAL(logged_with("trap 64 (no notification) cannot be sent"), 1);
	CHECK_EQUAL(logged_with(""), 2);
	notify_fixture_finish(notify);
}

static void test_end(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	notify_end(notify);
	CHECK_EQUAL(logged_with(""), 0);
	fake_session.up = true;
	notify_fixture_take_many(notify, 0, 4, 1000);
	notify_fixture_run(notify, 1000, 1);
	CHECK(fake_session.done != NULL);
	notify_end(notify);
	CHECK_EQUAL(logged_with("notify: 3 notifications were not sent before the shutdown"), 1);
	fake_session_end_notification(MIB_UNSENT); /* by session_stop */
	notify_fixture_finish(notify);
}

static void test_debug(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	logged_start(true);
	fake_session.up = true;
	notify_fixture_take(notify, 0, 1000);
	notify_fixture_run(notify, 1000, 1);
	CHECK_EQUAL(logged_level(SMA_LOG_DEBUG), 1);
	CHECK_EQUAL(logged_with("notify: ibSmaPortLinkStateChange was sent"), 1);
	CHECK_EQUAL(logged_with(""), 1);
	notify_fixture_finish(notify);
}

static const struct unit_test tests[] = {
	{"one", test_one},
	{"one after another", test_order},
	{"taken at once", test_at_once},
	{"refused by a session that is up", test_refused},
	{"the session fails", test_error},
	{"refused by snmpd", test_refused_by_snmpd},
	{"notices without a notification", test_failing},
	{"the end", test_end},
	{"debug lines", test_debug},
};

int main(void)
{
	return UNIT_MAIN("notify", tests);
}
