// SPDX-License-Identifier: BSD-2-Clause
/* Notices of the time while snmpd is away: they wait, and then say when they arose. */
#include <time.h>

#include "sma/log.h"
#include "tests/agent/notify_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { LATE = 2000 /* ms: what is so old has waited */ };

/* ---- waiting ---- */

static void test_away(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	for (unsigned i = 0; i < 1000; i++)
		notify_fixture_take(notify, i, 100 + i);
	CHECK_EQUAL(notify_fixture_run(notify, 2000, 0), UINT64_MAX);
	CHECK_EQUAL(fake_session.tried, 0);
	CHECK(!notify_is_idle(notify));
	fake_session.up = true;
	CHECK_EQUAL(notify_fixture_run(notify, 1000000, 1000),
	            UINT64_MAX); /* at one moment, far over the rate */
	notify_fixture_check_sent(0, 1000);
	CHECK_EQUAL(notify_fixture_counts(notify).sent, 1000);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	CHECK_EQUAL(logged_with("notify: 1000 notifications that waited were sent"), 1);
	notify_fixture_finish(notify);
}

/* An outage so short that nothing gets late is no event of its own. */
static void test_short_outage(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	notify_fixture_take(notify, 0, 1000);
	notify_fixture_run(notify, 1000, 0);
	fake_session.up = true;
	notify_fixture_run(notify, 1000 + LATE - 1, 1);
	notify_fixture_check_sent(0, 1);
	CHECK(!fake_session.sent[0].dated);
	CHECK_EQUAL(logged_with(""), 0);
	notify_fixture_finish(notify);
}

/* What comes meanwhile goes last, and ends the account of those that waited. */
static void test_waited_line(void)
{
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	notify_fixture_take(notify, 0, 1000);
	notify_fixture_take(notify, 1, 1001);
	notify_fixture_run(notify, 2000, 0);
	fake_session.up = true;
	notify_fixture_run(notify, 9000, 1);
	notify_fixture_take(notify, 2, 9000);
	CHECK_EQUAL(logged_with(""), 0);
	notify_fixture_run(notify, 9001, 1);
	CHECK_EQUAL(logged_with("2 notifications that waited were sent"), 1);
	notify_fixture_run(notify, 9001, 1);
	notify_fixture_check_sent(0, 3);
	CHECK(fake_session.sent[1].dated);
	CHECK(!fake_session.sent[2].dated);
	CHECK_EQUAL(logged_with(""), 1);
	notify_fixture_finish(notify);
}

/* ---- times ---- */

static void test_uptime(void)
{
	static const struct {
		uint64_t when;
		uint32_t uptime; /* of a master with 10.00 s at time 100000 */
		bool dated;
	} cases[] = {
		{89999, 0, true},      {90000, 0, true},    {90010, 1, true},     {95000, 500, true},
		{98000, 800, true},    {98001, 801, false}, {99999, 1000, false}, {100000, 1000, false},
		{100005, 1000, false}, /* after the beginning of this round */
	};
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);

	fake_session.uptime = 1000;
	for (unsigned i = 0; i < UNIT_COUNT(cases); i++)
		notify_fixture_take(notify, i, cases[i].when);
	fake_session.up = true;
	notify_fixture_run(notify, 100000, 100);
	notify_fixture_check_sent(0, UNIT_COUNT(cases));
	for (unsigned i = 0; i < UNIT_COUNT(cases); i++) {
		unit_case("when %u", (unsigned)cases[i].when);
		CHECK_EQUAL(fake_session.sent[i].uptime, cases[i].uptime);
		CHECK_EQUAL(fake_session.sent[i].dated, cases[i].dated);
	}
	notify_fixture_finish(notify);
}

/* ms since 1970 of a DateAndTime in UTC. */
static uint64_t wall_of(const uint8_t date[FAKE_SESSION_DATE_SIZE])
{
	struct tm utc = {
		.tm_year = (date[0] << 8 | date[1]) - 1900,
		.tm_mon = date[2] - 1,
		.tm_mday = date[3],
		.tm_hour = date[4],
		.tm_min = date[5],
		.tm_sec = date[6],
	};

	CHECK_OCTETS(date + 8, "+\0", 3);
	return (uint64_t)timegm(&utc) * 1000 + date[7] * 100U;
}

/* The wall clock when it arose is that of now, less the age. */
static void test_date(void)
{
	enum { AGE = 3 * 24 * 3600 * 1000 };
	struct notify *notify = notify_fixture_begin(&notify_fixture_plenty);
	uint64_t before = (uint64_t)time(NULL) * 1000;
	uint64_t after;

	notify_fixture_take(notify, 0, 5000);
	fake_session.up = true;
	notify_fixture_run(notify, 5000 + AGE, 1);
	after = (uint64_t)time(NULL) * 1000 + 1000;
	if (CHECK(fake_session.sent[0].dated)) {
		CHECK(wall_of(fake_session.sent[0].date) + AGE + 100 >= before);
		CHECK(wall_of(fake_session.sent[0].date) + AGE <= after);
	}
	notify_fixture_finish(notify);
}

static const struct unit_test tests[] = {
	{"while snmpd is away", test_away},
	{"a short outage", test_short_outage},
	{"the line about those that waited", test_waited_line},
	{"sysUpTime when it arose", test_uptime},
	{"the date of one that waited", test_date},
};

int main(void)
{
	return UNIT_MAIN("notify outage", tests);
}
