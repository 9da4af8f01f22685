// SPDX-License-Identifier: BSD-2-Clause
/* Notifications by the AgentX session: the outcome of each is reported exactly once (RFC
 * 2741 6.2.10, 7.1.10). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/clock.h"
#include "sma/log.h"
#include "tests/agent/session_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { PING_MS = 5000, FIRST_RETRY_MS = 240 };

struct outcome {
	unsigned sent;
	unsigned lost;
	unsigned refused;
};

static void note(void *arg, enum mib_outcome how)
{
	struct outcome *outcome = arg;

	if (how == MIB_SENT)
		outcome->sent++;
	else if (how == MIB_UNSENT)
		outcome->lost++;
	else
		outcome->refused++;
}

/* snmpTrapOID.0 = 1.3.6.1.3.117.3.2.1 */
static netsnmp_variable_list *varbinds(void)
{
	static const oid trap_oid[] = {1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0};
	static const oid trap[] = {1, 3, 6, 1, 3, 117, 3, 2, 1};
	netsnmp_variable_list *list = NULL;

	snmp_varlist_add_variable(&list, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID, (const u_char *)trap,
	                          sizeof(trap));
	return list;
}

static int notify(struct outcome *outcome)
{
	netsnmp_variable_list *list = varbinds();
	int rc = session_notify("", list, note, outcome);

	snmp_free_varbind(list);
	return rc;
}

static void check_outcome(const struct outcome *outcome, unsigned sent, unsigned lost)
{
	CHECK_EQUAL(outcome->sent, sent);
	CHECK_EQUAL(outcome->lost, lost);
}

static void test_acknowledged(void)
{
	/* 5.4: an ObjectIdentifier 1.3.6.1.6.3.1.1.4.1.0 with the prefix 6, and one with the prefix 3,
	 * where the third octet says nothing, and Net-SNMP sets it */
	static const char wanted[] = "\6\0\0\0" /* type */
				     "\6\6\0\0\3\0\0\0\1\0\0\0\1\0\0\0\4\0\0\0\1\0\0\0\0\0\0\0"
				     "\4\3\1\0\165\0\0\0\3\0\0\0\2\0\0\0\1\0\0";
	struct outcome outcome = {0};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (unsigned i = 1; i <= 3; i++) {
		CHECK_EQUAL(notify(&outcome), 0);
		CHECK_EQUAL(notify(&outcome), -EAGAIN);
		session_fixture_take(&fixture, MASTER_NOTIFY);
		CHECK_EQUAL(fixture.pdu.session, MASTER_SESSION);
		CHECK_EQUAL(fixture.pdu.length, sizeof(wanted));
		CHECK_OCTETS(fixture.pdu.payload, wanted, sizeof(wanted));
		check_outcome(&outcome, i - 1, 0);
		master_respond(&fixture.master, &fixture.pdu, 0, 0);
		session_fixture_work();
		check_outcome(&outcome, i, 0);
	}
	session_fixture_close(&fixture);
	check_outcome(&outcome, 3, 0);
}

static void refuse(struct session_fixture *fixture, struct outcome *outcome, uint16_t error)
{
	unsigned before = outcome->refused;

	CHECK_EQUAL(notify(outcome), 0);
	session_fixture_take(fixture, MASTER_NOTIFY);
	master_respond(&fixture->master, &fixture->pdu, 0, error);
	session_fixture_work();
	CHECK_EQUAL(outcome->refused, before + 1);
}

/* Refused is not sent, and the session goes on; a line for each error. */
static void test_refused(void)
{
	static const uint16_t errors[] = {268, 266, 268, 268, 266, 5, 60000, 511, 65535, 5};
	struct outcome outcome = {0};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (size_t i = 0; i < UNIT_COUNT(errors); i++)
		refuse(&fixture, &outcome, errors[i]);
	check_outcome(&outcome, 0, 0);
	CHECK_EQUAL(logged_with("refuses a notification, which is dropped: processingError (268)"), 1);
	CHECK_EQUAL(logged_with("(266)"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 4); /* errors that no RFC has share a line */
	CHECK(session_is_up());
	CHECK_EQUAL(notify(&outcome), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_work();
	check_outcome(&outcome, 1, 0);
	session_fixture_close(&fixture);
}

/* Another session, another snmpd perhaps. */
static void test_refused_again(void)
{
	struct outcome outcome = {0};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	refuse(&fixture, &outcome, 268);
	master_hang_up(&fixture.master);
	session_fixture_work();
	session_fixture_pass(FIRST_RETRY_MS * 8);
	session_fixture_accept(&fixture);
	session_fixture_come_up(&fixture);
	refuse(&fixture, &outcome, 268);
	CHECK_EQUAL(logged_with("refuses a notification"), 2);
	check_outcome(&outcome, 0, 0);
	session_fixture_close(&fixture);
}

static void test_cut_before(void)
{
	struct outcome outcome = {0};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	CHECK_EQUAL(notify(&outcome), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	master_hang_up(&fixture.master);
	session_fixture_work();
	check_outcome(&outcome, 0, 1);
	CHECK_EQUAL(notify(&outcome), -EAGAIN);
	session_fixture_close(&fixture);
	check_outcome(&outcome, 0, 1);
}

/* The master has even ended before the session looks; it has not read a ping that came after. */
static void test_cut_after(bool tcp)
{
	struct outcome outcome = {0};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, tcp);
	CHECK_EQUAL(notify(&outcome), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_pass(PING_MS);
	session_process(NULL, clock_ms());
	master_hang_up(&fixture.master);
	session_fixture_work();
	check_outcome(&outcome, 1, 0);
	CHECK(!session_is_up());
	session_fixture_close(&fixture);
	check_outcome(&outcome, 1, 0);
}

static void test_cut_after_unix(void)
{
	test_cut_after(false);
}

static void test_cut_after_tcp(void)
{
	test_cut_after(true);
}

/* A master that has forgotten the session has not sent it on: the session starts over. */
static void test_forgotten(void)
{
	struct outcome outcome = {0};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	CHECK_EQUAL(notify(&outcome), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	master_respond(&fixture.master, &fixture.pdu, 0, 257);
	session_fixture_work();
	check_outcome(&outcome, 0, 1);
	session_fixture_pass(FIRST_RETRY_MS * 8);
	session_fixture_accept(&fixture);
	session_fixture_come_up(&fixture);
	session_fixture_close(&fixture);
	check_outcome(&outcome, 0, 1);
}

/* The outcome stays open while the master is frozen, and more are not taken. */
static void test_frozen(void)
{
	struct master_pdu sent;
	struct outcome outcome = {0};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	CHECK_EQUAL(notify(&outcome), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	sent = fixture.pdu;
	session_fixture_pass(PING_MS);
	session_fixture_take(&fixture, MASTER_PING);
	session_fixture_pass(PING_MS);
	session_fixture_quiet(&fixture);
	CHECK(!session_is_up());
	CHECK_EQUAL(notify(&outcome), -EAGAIN);
	session_fixture_pass(120000);
	session_fixture_quiet(&fixture);
	check_outcome(&outcome, 0, 0);
	master_respond(&fixture.master, &sent, 0, 0);
	session_fixture_work();
	check_outcome(&outcome, 1, 0);
	CHECK(session_is_up());
	session_fixture_close(&fixture);
}

/* The answer to a question of before the end is none to one of afterwards. */
static void test_stale(void)
{
	struct outcome outcome = {0};
	static struct session_fixture fixture;
	struct master_pdu sent;

	session_fixture_open(&fixture, false);
	CHECK_EQUAL(notify(&outcome), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	sent = fixture.pdu;
	master_hang_up(&fixture.master);
	session_fixture_work();
	session_fixture_pass(FIRST_RETRY_MS * 8);
	session_fixture_accept(&fixture);
	session_fixture_come_up(&fixture);
	CHECK_EQUAL(notify(&outcome), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	master_respond(&fixture.master, &sent, 0, 0);
	session_fixture_work();
	check_outcome(&outcome, 0, 1);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_work();
	check_outcome(&outcome, 1, 1);
	session_fixture_close(&fixture);
}

/* What is on its way when the process ends, or could not be sent before. */
static void test_stop(void)
{
	struct outcome outcome = {0};
	static struct session_fixture fixture;

	CHECK_EQUAL(notify(&outcome), -EAGAIN);
	session_fixture_open(&fixture, false);
	CHECK_EQUAL(notify(&outcome), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	session_stop();
	check_outcome(&outcome, 0, 1);
	master_close(&fixture.master);
	logged_stop();
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"acknowledged", test_acknowledged},
		{"refused", test_refused},
		{"refused in another session", test_refused_again},
		{"cut before the acknowledgement", test_cut_before},
		{"cut after the acknowledgement", test_cut_after_unix},
		{"cut after the acknowledgement, TCP", test_cut_after_tcp},
		{"the master has forgotten the session", test_forgotten},
		{"the master is frozen", test_frozen},
		{"an acknowledgement of another session", test_stale},
		{"the end", test_stop},
	};

	return !session_fixture_init() ? EXIT_FAILURE : UNIT_MAIN("session notify", tests);
}
