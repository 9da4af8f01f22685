// SPDX-License-Identifier: BSD-2-Clause
/* Notices on their way to snmpd, with a session that does what a test says. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/notify.h"
#include "agent/session.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum {
	MINUTE = 60000,
	LATE = 2000, /* ms: what is so old has waited */
	MAX_SENT = 12000,
	DATE_SIZE = 11,
};

/* ---- the session ---- */

static struct {
	bool up;
	int refusal;  /* the result of session_notify, if not 0 */
	bool at_once; /* the outcome is told before session_notify returns */
	uint32_t uptime;
	session_notified *done; /* of what is on its way */
	void *arg;
	unsigned tried; /* calls of session_notify */
	unsigned count;
	struct {
		unsigned lid; /* which notice it was */
		uint32_t uptime;
		bool dated;
		uint8_t date[DATE_SIZE];
	} sent[MAX_SENT], way;
} session;

bool session_is_up(void)
{
	return session.up;
}

uint32_t session_uptime(void)
{
	CHECK(session.up);
	return session.uptime;
}

/* The master takes what is on its way or refuses it, or the session ends. */
static void end_way(enum session_outcome outcome)
{
	session_notified *done = session.done;

	CHECK(done != NULL);
	if (!done)
		return;
	session.done = NULL;
	if (outcome == SESSION_SENT)
		session.sent[session.count++] = session.way;
	session.up = outcome != SESSION_UNSENT;
	done(session.arg, outcome);
}

static bool is_named(const netsnmp_variable_list *varbind, const oid *name, size_t length)
{
	return snmp_oid_compare(varbind->name, varbind->name_length, name, length) == 0;
}

/* Only this end may hold ibsmadNoticeTime.0. */
static void note_last(const netsnmp_variable_list *last)
{
	static const oid name[] = {IBSMAD_MIB_OID, 1, 3, 6, 0};

	session.way.dated = is_named(last, name, OID_LENGTH(name));
	if (session.way.dated && CHECK_EQUAL(last->val_len, DATE_SIZE))
		memcpy(session.way.date, last->val.string, DATE_SIZE);
}

/* sysUpTime.0, snmpTrapOID.0 and ibSmaNodeLid.0, which all test notices have there. */
static void note_varbinds(const netsnmp_variable_list *varbinds)
{
	static const oid uptime[] = {1, 3, 6, 1, 2, 1, 1, 3, 0};
	static const oid lid[] = {1, 3, 6, 1, 3, 117, 3, 1, 1, 14, 0};
	const netsnmp_variable_list *third = varbinds->next_variable->next_variable;

	CHECK(is_named(varbinds, uptime, OID_LENGTH(uptime)));
	session.way.uptime = (uint32_t)*varbinds->val.integer;
	CHECK(is_named(third, lid, OID_LENGTH(lid)));
	session.way.lid = (unsigned)*third->val.integer;
	while (varbinds->next_variable)
		varbinds = varbinds->next_variable;
	note_last(varbinds);
}

int session_notify(const struct variable_list *varbinds, session_notified *done, void *arg)
{
	session.tried++;
	if (session.refusal)
		return session.refusal;
	CHECK(session.up);
	CHECK(session.done == NULL);
	session.done = done;
	session.arg = arg;
	note_varbinds(varbinds);
	if (session.at_once)
		end_way(SESSION_SENT);
	return 0;
}

/* ---- notices and rounds ---- */

static const struct notify_config plenty = {.rate = 1000, .burst = MAX_SENT, .queue = MAX_SENT};

static struct notify *begin(const struct notify_config *config)
{
	memset(&session, 0, sizeof(session));
	session.uptime = 1000000;
	logged_start(false);
	return notify_new(config);
}

static struct notify_counters counts(const struct notify *notify)
{
	struct notify_counters counters;

	notify_count(notify, &counters);
	return counters;
}

static void finish(struct notify *notify)
{
	notify_free(notify);
	logged_stop();
}

/* A notice of a trap whose first variable is a LID: 128 has it at byte 10, 129 and others at 12, with a port
 * behind it. */
static void take_trap(struct notify *notify, unsigned trap, unsigned lid, unsigned port, uint64_t when)
{
	unsigned at = trap == SMA_TRAP_LINK_STATE ? 10 : 12;
	struct sma_notice notice = {
		.data = {0x81, 0, 0, 2, (uint8_t)(trap >> 8), (uint8_t)trap},
		.when = when,
	};

	notice.data[at] = (uint8_t)(lid >> 8);
	notice.data[at + 1] = (uint8_t)lid;
	notice.data[at + 2] = (uint8_t)port;
	notify_take(notify, &notice);
}

static void take(struct notify *notify, unsigned lid, uint64_t when)
{
	take_trap(notify, SMA_TRAP_LINK_STATE, lid, 0, when);
}

/* Rounds of the loop at one time, in which snmpd takes up to `limit`, until there is no more to do. */
static uint64_t run(struct notify *notify, uint64_t now, unsigned limit)
{
	uint64_t due = notify_process(notify, now);

	while (due <= now || (session.done && limit)) {
		if (session.done && limit-- > 0)
			end_way(SESSION_SENT);
		due = notify_process(notify, now);
	}
	return due;
}

/* What was sent are the notices from `first` on, each once. */
static void check_sent(unsigned first, unsigned count)
{
	CHECK_EQUAL(session.count, count);
	for (unsigned i = 0; i < session.count; i++) {
		unit_case("notification %u", i);
		CHECK_EQUAL(session.sent[i].lid, first + i);
	}
	unit_case(NULL);
}

/* ---- sending ---- */

static void test_one(void)
{
	struct notify *notify = begin(&plenty);

	session.up = true;
	CHECK(notify_is_idle(notify));
	CHECK_EQUAL(notify_process(notify, 5000), UINT64_MAX);
	take(notify, 7, 5000);
	CHECK(!notify_is_idle(notify));
	CHECK_EQUAL(notify_process(notify, 5000), UINT64_MAX); /* until snmpd answers */
	CHECK(!notify_is_idle(notify));
	CHECK_EQUAL(counts(notify).sent, 0);
	CHECK_EQUAL(counts(notify).queued, 1);
	end_way(SESSION_SENT);
	CHECK(notify_is_idle(notify));
	CHECK_EQUAL(counts(notify).sent, 1);
	CHECK_EQUAL(counts(notify).queued, 0);
	CHECK_EQUAL(notify_process(notify, 5001), UINT64_MAX);
	check_sent(7, 1);
	CHECK_EQUAL(session.sent[0].uptime, 1000000);
	CHECK(!session.sent[0].dated);
	CHECK_EQUAL(logged_with(""), 0);
	finish(notify);
}

/* One after another, whenever notices and outcomes come. */
static void test_order(void)
{
	struct notify *notify = begin(&plenty);

	session.up = true;
	for (unsigned i = 0; i < 6; i += 2) {
		take(notify, i, 100);
		notify_process(notify, 100);
		take(notify, i + 1, 100);
		notify_process(notify, 100);
		CHECK_EQUAL(session.tried, session.count + 1);
		end_way(SESSION_SENT);
		notify_process(notify, 100);
	}
	run(notify, 100, 10);
	check_sent(0, 6);
	finish(notify);
}

/* The outcome comes before session_notify returns: the next may go at once. */
static void test_at_once(void)
{
	struct notify *notify = begin(&plenty);

	session.up = true;
	session.at_once = true;
	for (unsigned i = 0; i < 3; i++)
		take(notify, i, 100);
	CHECK_EQUAL(notify_process(notify, 100), 100);
	CHECK_EQUAL(run(notify, 100, 0), UINT64_MAX);
	check_sent(0, 3);
	CHECK(notify_is_idle(notify));
	finish(notify);
}

/* The session is up and does not take it: it stays the head, and the loop does not spin. */
static void test_refused(void)
{
	struct notify *notify = begin(&plenty);

	session.up = true;
	session.refusal = -EAGAIN;
	take(notify, 0, 100);
	take(notify, 1, 100);
	CHECK_EQUAL(notify_process(notify, 100), 1100);
	CHECK_EQUAL(notify_process(notify, 1100), 2100);
	CHECK_EQUAL(session.tried, 2);
	CHECK_EQUAL(counts(notify).queued, 2);
	session.refusal = 0;
	run(notify, 1500, 10);
	check_sent(0, 2);
	CHECK_EQUAL(counts(notify).dropped, 0);
	CHECK_EQUAL(logged_with(""), 0);
	finish(notify);
}

/* ---- outages ---- */

static void test_away(void)
{
	struct notify *notify = begin(&plenty);

	for (unsigned i = 0; i < 1000; i++)
		take(notify, i, 100 + i);
	CHECK_EQUAL(run(notify, 2000, 0), UINT64_MAX);
	CHECK_EQUAL(session.tried, 0);
	CHECK(!notify_is_idle(notify));
	session.up = true;
	CHECK_EQUAL(run(notify, 1000000, 1000), UINT64_MAX); /* at one moment, far over the rate */
	check_sent(0, 1000);
	CHECK_EQUAL(counts(notify).sent, 1000);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 1);
	CHECK_EQUAL(logged_with("notify: 1000 notifications that waited were sent"), 1);
	finish(notify);
}

/* An outage so short that nothing gets late is no event of its own. */
static void test_short_outage(void)
{
	struct notify *notify = begin(&plenty);

	take(notify, 0, 1000);
	run(notify, 1000, 0);
	session.up = true;
	run(notify, 1000 + LATE - 1, 1);
	check_sent(0, 1);
	CHECK(!session.sent[0].dated);
	CHECK_EQUAL(logged_with(""), 0);
	finish(notify);
}

/* The session ends with one on its way, again and again: all arrive in order, none twice. */
static void test_resend(void)
{
	struct notify *notify = begin(&plenty);
	uint64_t now = 1000;

	for (unsigned i = 0; i < 10; i++)
		take(notify, i, now);
	for (unsigned taken = 0; taken < 4; taken++, now += 10000) {
		session.up = true;
		run(notify, now, taken);
		CHECK(session.done != NULL);
		end_way(SESSION_UNSENT);
		CHECK(!notify_is_idle(notify));
		CHECK_EQUAL(run(notify, now + 1, 0), UINT64_MAX);
	}
	CHECK_EQUAL(counts(notify).queued, 4);
	session.up = true;
	run(notify, now, 100);
	check_sent(0, 10);
	CHECK_EQUAL(counts(notify).sent, 10);
	CHECK_EQUAL(counts(notify).dropped, 0);
	finish(notify);
}

/* What comes meanwhile goes last, and ends the account of those that waited. */
static void test_waited_line(void)
{
	struct notify *notify = begin(&plenty);

	take(notify, 0, 1000);
	take(notify, 1, 1001);
	run(notify, 2000, 0);
	session.up = true;
	run(notify, 9000, 1);
	take(notify, 2, 9000);
	CHECK_EQUAL(logged_with(""), 0);
	run(notify, 9001, 1);
	CHECK_EQUAL(logged_with("2 notifications that waited were sent"), 1);
	run(notify, 9001, 1);
	check_sent(0, 3);
	CHECK(session.sent[1].dated);
	CHECK(!session.sent[2].dated);
	CHECK_EQUAL(logged_with(""), 1);
	finish(notify);
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
	struct notify *notify = begin(&plenty);

	session.uptime = 1000;
	for (unsigned i = 0; i < UNIT_COUNT(cases); i++)
		take(notify, i, cases[i].when);
	session.up = true;
	run(notify, 100000, 100);
	check_sent(0, UNIT_COUNT(cases));
	for (unsigned i = 0; i < UNIT_COUNT(cases); i++) {
		unit_case("when %u", (unsigned)cases[i].when);
		CHECK_EQUAL(session.sent[i].uptime, cases[i].uptime);
		CHECK_EQUAL(session.sent[i].dated, cases[i].dated);
	}
	finish(notify);
}

/* ms since 1970 of a DateAndTime in UTC. */
static uint64_t wall_of(const uint8_t date[DATE_SIZE])
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
	struct notify *notify = begin(&plenty);
	uint64_t before = (uint64_t)time(NULL) * 1000;
	uint64_t after;

	take(notify, 0, 5000);
	session.up = true;
	run(notify, 5000 + AGE, 1);
	after = (uint64_t)time(NULL) * 1000 + 1000;
	if (CHECK(session.sent[0].dated)) {
		CHECK(wall_of(session.sent[0].date) + AGE + 100 >= before);
		CHECK(wall_of(session.sent[0].date) + AGE <= after);
	}
	finish(notify);
}

/* ---- the rate ---- */

static void test_storm(void)
{
	static const struct notify_config config = {.rate = 100, .burst = 1000, .queue = 10000};
	struct notify *notify = begin(&config);

	session.up = true;
	for (unsigned i = 0; i < 10000; i++)
		take_trap(notify, i % 4 == 3 ? SMA_TRAP_LINK_INTEGRITY : SMA_TRAP_BUFFER_OVERRUN, i, 1, 1000);
	CHECK_EQUAL(counts(notify).held_back, 9000);
	CHECK_EQUAL(counts(notify).queued, 1000);
	CHECK_EQUAL(run(notify, 1000, 10000), 1000 + MINUTE);
	check_sent(0, 1000);
	CHECK_EQUAL(logged_with(""), 0);
	take_trap(notify, SMA_TRAP_BUFFER_OVERRUN, 20000, 1, 1010); /* the bucket has one more by now */
	CHECK_EQUAL(run(notify, 1010, 10), 1000 + MINUTE);
	CHECK_EQUAL(session.count, 1001);
	CHECK_EQUAL(run(notify, 1000 + MINUTE, 0), UINT64_MAX);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(logged_with("held back in the last minute, over notifyRate 100/s: "
	                        "ibSmaExcessBuffOverrunThres 6750, ibSmaLinkIntegrityThresReached 2250"),
	            1);
	CHECK_EQUAL(counts(notify).dropped, 0);
	finish(notify);
}

/* A storm of events holds no link state back; that comes behind what may leave of the storm. */
static void test_storm_states(void)
{
	static const struct notify_config config = {.rate = 100, .burst = 1000, .queue = 10000};
	struct notify *notify = begin(&config);

	session.up = true;
	for (unsigned i = 0; i < 4000; i++) {
		take_trap(notify, SMA_TRAP_FLOW_CONTROL, i, 1, 1000 + i / 2);
		if (i % 200 == 199)
			take_trap(notify, SMA_TRAP_SYSTEM_GUID, i, 0, 1000 + i / 2);
	}
	take(notify, 60000, 3000);
	run(notify, 3000, 10000);
	CHECK_EQUAL(session.count, 1000 + 199 + 20 + 1);
	CHECK_EQUAL(session.sent[session.count - 1].lid, 60000);
	CHECK_EQUAL(counts(notify).held_back, 4000 - 1199);
	CHECK_EQUAL(run(notify, 2 * MINUTE, 0), UINT64_MAX);
	CHECK_EQUAL(logged_with("over notifyRate 100/s: ibSmaFlowCntrlUpdateTimerExpire 2801"), 1);
	CHECK_EQUAL(logged_with("ibSmaSysImageGuidModified"), 0);
	finish(notify);
}

/* The line comes in an outage as well. */
static void test_storm_away(void)
{
	static const struct notify_config config = {.rate = 1, .burst = 1, .queue = 10};
	struct notify *notify = begin(&config);

	take(notify, 0, 1000);
	take(notify, 1, 1000);
	CHECK_EQUAL(run(notify, 1000, 0), 1000 + MINUTE);
	run(notify, 1000 + MINUTE, 0);
	CHECK_EQUAL(logged_with("ibSmaPortLinkStateChange 1"), 1);
	finish(notify);
}

/* ---- a full queue ---- */

static const struct notify_config narrow = {.rate = 1000, .burst = 1000, .queue = 5};

static void test_overflow(void)
{
	struct notify *notify = begin(&narrow);

	run(notify, 1000, 0);
	for (unsigned i = 0; i < 12; i++) {
		take(notify, i, 1000);
		CHECK_EQUAL(logged_with(""), i >= 5);
	}
	CHECK_EQUAL(logged_with("the queue is full (5)"), 1);
	CHECK_EQUAL(counts(notify).queued, 5);
	CHECK_EQUAL(counts(notify).dropped, 7);
	session.up = true;
	CHECK_EQUAL(run(notify, 9000, 4), UINT64_MAX);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(run(notify, 9000, 1), UINT64_MAX);
	check_sent(7, 5);
	CHECK_EQUAL(logged_with("7 notifications were dropped while the queue was full"), 1);
	CHECK_EQUAL(logged_with("5 notifications that waited were sent"), 1);
	CHECK_EQUAL(logged_with(""), 3);
	run(notify, 10 * MINUTE, 0);
	CHECK_EQUAL(logged_with(""), 3);
	finish(notify);
}

/* The oldest gives way while it is on its way: it is lost only if it does not arrive, and nothing else goes
 * with it. */
static void test_overtaken(enum session_outcome outcome)
{
	bool arrives = outcome == SESSION_SENT;
	struct notify *notify = begin(&narrow);

	session.up = true;
	for (unsigned i = 0; i < 5; i++)
		take(notify, i, 1000);
	notify_process(notify, 1000);
	take(notify, 5, 1000);
	CHECK_EQUAL(counts(notify).dropped, 0);
	CHECK_EQUAL(counts(notify).queued, 6);
	take(notify, 6, 1000);
	CHECK_EQUAL(counts(notify).dropped, 1); /* notice 1 */
	end_way(outcome);
	CHECK_EQUAL(counts(notify).dropped, arrives ? 1 : 2);
	CHECK_EQUAL(counts(notify).queued, 5);
	session.up = true;
	run(notify, 1000, 10);
	CHECK_EQUAL(session.count, arrives ? 6 : 5);
	for (unsigned i = 0; i < session.count; i++)
		CHECK_EQUAL(session.sent[i].lid, arrives && i == 0 ? 0 : i + (arrives ? 1 : 2));
	CHECK_EQUAL(counts(notify).sent, session.count);
	CHECK(notify_is_idle(notify));
	finish(notify);
}

static void test_overtaken_sent(void)
{
	test_overtaken(SESSION_SENT);
}

static void test_overtaken_lost(void)
{
	test_overtaken(SESSION_UNSENT);
}

static void test_overtaken_refused(void)
{
	test_overtaken(SESSION_REFUSED);
}

/* A queue that is full again and again though snmpd is there: two lines a minute at most. */
static void test_often_full(void)
{
	static const struct notify_config config = {.rate = 1000, .burst = 1000, .queue = 1};
	struct notify *notify = begin(&config);

	run(notify, 0, 0); /* an outage that is over */
	session.up = true;
	run(notify, 0, 0);
	for (uint64_t now = 0; now < MINUTE; now += 100) {
		for (unsigned i = 0; i < 3; i++)
			take(notify, i, now);
		CHECK_EQUAL(run(notify, now, 10), MINUTE);
	}
	CHECK_EQUAL(session.count, 600);
	CHECK_EQUAL(logged_with(""), 1);
	CHECK_EQUAL(run(notify, MINUTE, 0), UINT64_MAX);
	CHECK_EQUAL(logged_with("1200 notifications were dropped while the queue was full"), 1);
	CHECK_EQUAL(logged_with(""), 2);
	finish(notify);
}

/* ---- notices that make no notification ---- */

static void test_failing(void)
{
	struct notify *notify = begin(&plenty);

	session.up = true;
	take(notify, 0, 1000);
	for (unsigned i = 0; i < 3; i++) {
		take_trap(notify, SMA_TRAP_LINK_INTEGRITY, 100, 0, 1000); /* ports are 1..254 there */
		take_trap(notify, 64, 100, 0, 1000);
	}
	take(notify, 1, 1000);
	CHECK_EQUAL(run(notify, 1000, 10), UINT64_MAX);
	check_sent(0, 2);
	CHECK_EQUAL(counts(notify).dropped, 6);
	CHECK_EQUAL(counts(notify).sent, 2);
	CHECK_EQUAL(
		logged_with("trap 129 (ibSmaLinkIntegrityThresReached) cannot be sent: a value is out of"),
		1);
	CHECK_EQUAL(logged_with("trap 64 (no notification) cannot be sent"), 1);
	CHECK_EQUAL(logged_with(""), 2);
	finish(notify);
}

/* The session fails while it is taking one, which is not lost. */
static void test_error(void)
{
	struct notify *notify = begin(&plenty);

	session.up = true;
	session.refusal = -EINVAL;
	take(notify, 0, 1000);
	take(notify, 1, 1000);
	take(notify, 2, 1000);
	for (uint64_t now = 1000; now < 5000; now += 1000)
		CHECK_EQUAL(notify_process(notify, now), now + 1000);
	CHECK_EQUAL(
		logged_with("notify: snmpd cannot be sent a notification: Invalid argument; trying again"),
		1);
	CHECK_EQUAL(logged_with(""), 1);
	session.up = false;
	CHECK_EQUAL(notify_process(notify, 5000), UINT64_MAX);
	session.up = true;
	session.refusal = 0;
	run(notify, 6000, 1);
	session.refusal = -EINVAL;
	run(notify, 6000, 1);
	CHECK_EQUAL(logged_with("snmpd cannot be sent a notification"), 2);
	session.refusal = 0;
	run(notify, 6001, 10);
	check_sent(0, 3);
	CHECK_EQUAL(counts(notify).dropped, 0);
	finish(notify);
}

/* What snmpd has answered with an error was not sent, and is not sent again. */
static void test_refused_by_snmpd(void)
{
	struct notify *notify = begin(&plenty);

	session.up = true;
	for (unsigned i = 0; i < 4; i++)
		take(notify, i, 1000);
	for (unsigned i = 0; i < 3; i++) {
		notify_process(notify, 1000);
		CHECK_EQUAL(session.way.lid, i);
		end_way(SESSION_REFUSED);
	}
	CHECK_EQUAL(run(notify, 1000, 10), UINT64_MAX);
	check_sent(3, 1);
	CHECK_EQUAL(counts(notify).sent, 1);
	CHECK_EQUAL(counts(notify).dropped, 3);
	CHECK(notify_is_idle(notify));
	CHECK_EQUAL(logged_with(""), 0); /* the session has told of it */
	finish(notify);
}

/* ---- what ends sessions ---- */

/* The session begins, and ends with notice `lid` on its way. */
static void fall(struct notify *notify, unsigned lid)
{
	session.up = true;
	run(notify, 1000, 0);
	if (CHECK(session.done != NULL))
		CHECK_EQUAL(session.way.lid, lid);
	end_way(SESSION_UNSENT);
	run(notify, 1000, 0);
}

static void test_fatal(void)
{
	struct notify *notify = begin(&plenty);

	take_trap(notify, SMA_TRAP_FLOW_CONTROL, 7, 1, 1000);
	take(notify, 8, 1000);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQUAL(counts(notify).dropped, 0);
		CHECK_EQUAL(counts(notify).queued, 2);
		CHECK_EQUAL(logged_with(""), 0);
		fall(notify, 7);
	}
	session.up = true;
	CHECK_EQUAL(run(notify, 1000, 10), UINT64_MAX);
	check_sent(8, 1);
	CHECK_EQUAL(session.tried, 4);
	CHECK_EQUAL(counts(notify).dropped, 1);
	CHECK_EQUAL(counts(notify).sent, 1);
	CHECK_EQUAL(
		logged_with(
			"notify: trap 131 (ibSmaFlowCntrlUpdateTimerExpire) is dropped: each of 3 attempts"),
		1);
	CHECK_EQUAL(logged_with(""), 1);
	finish(notify);
}

/* Each has its own attempts, and a lost one does for the next no harm. */
static void test_fatal_all(void)
{
	struct notify *notify = begin(&plenty);

	for (unsigned i = 0; i < 3; i++)
		take(notify, i, 1000);
	for (unsigned i = 0; i < 9; i++)
		fall(notify, i / 3);
	session.up = true;
	run(notify, 1000, 0);
	CHECK_EQUAL(session.tried, 9);
	CHECK_EQUAL(counts(notify).dropped, 3);
	CHECK(notify_is_idle(notify));
	finish(notify);
}

/* An snmpd that restarts again and again loses nothing as long as one gets through in between, be it refused.
 */
static void test_not_fatal(void)
{
	struct notify *notify = begin(&plenty);

	for (unsigned i = 0; i < 10; i++)
		take(notify, i, 1000);
	for (unsigned i = 0; i < 10; i++) {
		fall(notify, i);
		fall(notify, i);
		session.up = true;
		notify_process(notify, 1000);
		end_way(i == 5 ? SESSION_REFUSED : SESSION_SENT);
	}
	CHECK_EQUAL(counts(notify).sent, 9);
	CHECK_EQUAL(counts(notify).dropped, 1);
	CHECK_EQUAL(logged_with("is dropped"), 0);
	finish(notify);
}

/* Sessions that end without it are no attempts, nor are those that do not take it. */
static void test_no_attempts(void)
{
	struct notify *notify = begin(&plenty);

	take(notify, 0, 1000);
	fall(notify, 0);
	fall(notify, 0);
	session.refusal = -EAGAIN;
	for (unsigned i = 0; i < 10; i++) {
		session.up = true;
		notify_process(notify, 1000);
		session.up = false;
		notify_process(notify, 1000);
	}
	session.refusal = 0;
	session.up = true;
	run(notify, 1000, 1);
	check_sent(0, 1);
	CHECK_EQUAL(counts(notify).dropped, 0);
	finish(notify);
}

/* The head gives way to a newer one: the attempts were not those of the next. */
static void test_other_head(void)
{
	struct notify *notify = begin(&narrow);

	for (unsigned i = 0; i < 5; i++)
		take(notify, i, 1000);
	fall(notify, 0);
	fall(notify, 0);
	take(notify, 5, 1000);
	fall(notify, 1);
	fall(notify, 1);
	session.up = true;
	notify_process(notify, 1000);
	take(notify, 6, 1000); /* over 1, which is on its way */
	end_way(SESSION_UNSENT);
	fall(notify, 2);
	fall(notify, 2);
	session.up = true;
	run(notify, 1000, 10);
	check_sent(2, 5);
	CHECK_EQUAL(counts(notify).dropped, 2);
	CHECK_EQUAL(logged_with("attempts"), 0);
	finish(notify);
}

/* ---- another configuration, and the end ---- */

static void test_configure(void)
{
	static const struct notify_config wide = {.rate = 1000, .burst = 1000, .queue = 8};
	static const struct notify_config slow = {.rate = 1, .burst = 1, .queue = 3};
	struct notify *notify = begin(&narrow);

	for (unsigned i = 0; i < 5; i++)
		take(notify, i, 1000);
	CHECK_EQUAL(notify_configure(notify, &wide), 0);
	for (unsigned i = 5; i < 8; i++)
		take(notify, i, 1000);
	CHECK_EQUAL(counts(notify).queued, 8);
	CHECK_EQUAL(counts(notify).dropped, 0);
	session.up = true;
	notify_process(notify, 1000);
	CHECK_EQUAL(notify_configure(notify, &slow), 0); /* with one on its way */
	CHECK_EQUAL(counts(notify).dropped, 4);
	take(notify, 8, 1000);
	take(notify, 9, 1000);
	CHECK_EQUAL(counts(notify).held_back, 1);
	run(notify, 1000, 10);
	CHECK_EQUAL(session.count, 4);
	CHECK_EQUAL(session.sent[0].lid, 0);
	for (unsigned i = 1; i < 4; i++)
		CHECK_EQUAL(session.sent[i].lid, 5 + i);
	finish(notify);
}

static void test_end(void)
{
	struct notify *notify = begin(&narrow);

	notify_end(notify);
	CHECK_EQUAL(logged_with(""), 0);
	session.up = true;
	for (unsigned i = 0; i < 4; i++)
		take(notify, i, 1000);
	run(notify, 1000, 1);
	CHECK(session.done != NULL);
	notify_end(notify);
	CHECK_EQUAL(logged_with("notify: 3 notifications were not sent before the end"), 1);
	end_way(SESSION_UNSENT); /* by session_stop */
	finish(notify);
}

/* What was not told yet is told at the end. */
static void test_end_accounts(void)
{
	static const struct notify_config config = {.rate = 1, .burst = 3, .queue = 1};
	struct notify *notify = begin(&config);

	for (unsigned i = 0; i < 5; i++)
		take(notify, i, 1000);
	logged_start(false);
	notify_end(notify);
	CHECK_EQUAL(logged_with("ibSmaPortLinkStateChange 2"), 1);
	CHECK_EQUAL(logged_with("2 notifications were dropped while the queue was full"), 1);
	CHECK_EQUAL(logged_with("1 notification was not sent before the end"), 1);
	CHECK_EQUAL(logged_with(""), 3);
	finish(notify);
	notify_free(NULL);
}

static void test_debug(void)
{
	struct notify *notify = begin(&plenty);

	logged_start(true);
	session.up = true;
	take(notify, 0, 1000);
	run(notify, 1000, 1);
	CHECK_EQUAL(logged_level(SMA_LOG_DEBUG), 1);
	CHECK_EQUAL(logged_with("notify: ibSmaPortLinkStateChange was sent"), 1);
	CHECK_EQUAL(logged_with(""), 1);
	finish(notify);
}

static const struct unit_test tests[] = {
	{"one", test_one},
	{"one after another", test_order},
	{"taken at once", test_at_once},
	{"refused by a session that is up", test_refused},
	{"while snmpd is away", test_away},
	{"a short outage", test_short_outage},
	{"sent again when the session ended", test_resend},
	{"the line about those that waited", test_waited_line},
	{"sysUpTime when it arose", test_uptime},
	{"the date of one that waited", test_date},
	{"10000 at once", test_storm},
	{"link states in a storm", test_storm_states},
	{"too many in an outage", test_storm_away},
	{"a full queue", test_overflow},
	{"a full queue, and the oldest arrives", test_overtaken_sent},
	{"a full queue, and the oldest is lost", test_overtaken_lost},
	{"a full queue, and the oldest is refused", test_overtaken_refused},
	{"a queue that is often full", test_often_full},
	{"notices without a notification", test_failing},
	{"the session fails", test_error},
	{"refused by snmpd", test_refused_by_snmpd},
	{"one that ends each session", test_fatal},
	{"all end each session", test_fatal_all},
	{"snmpd restarts often", test_not_fatal},
	{"sessions that end without it", test_no_attempts},
	{"another head", test_other_head},
	{"another configuration", test_configure},
	{"the end", test_end},
	{"what is told at the end", test_end_accounts},
	{"debug lines", test_debug},
};

int main(void)
{
	return UNIT_MAIN("notify", tests);
}
