// SPDX-License-Identifier: BSD-2-Clause
/* The AgentX session against a master agent that does not always behave (RFC 2741). */
#include <stdlib.h>
#include <string.h>

#include "agent/clock.h"
#include "sma/log.h"
#include "tests/agent/session_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum {
	PING_MS = 5000,
	RETRY_MS = 20000,  /* more than the longest time between attempts */
	SETTLED_MS = 4000, /* the next attempt comes soon */
	FIRST_RETRY_MS = 240,
	LOCAL_RETRY_MS = 1200,
};

/* ---- the set-up ---- */

static void test_setup(void)
{
	/* 6.2.3: timeout, priority, range_subid, reserved; 1.3.6.1.3.117.3 with the prefix 3 */
	static const uint8_t subtree[] = {0, 127, 0, 0, 2, 3, 0, 0, 117, 0, 0, 0, 3, 0, 0, 0};
	/* 6.2.1: timeout 1 s, the null OID, "ibsmad" padded to 8 */
	static const uint8_t opening[] = {1, 0, 0,   0,   0,   0,   0,   0,   6, 0,
	                                  0, 0, 'i', 'b', 's', 'm', 'a', 'd', 0, 0};
	static struct session_fixture fixture;

	master_open(&fixture.master, false);
	agentlib_set_address(fixture.master.address);
	logged_start(false);
	session_fixture_pass(RETRY_MS);
	session_fixture_accept(&fixture);
	session_fixture_take(&fixture, MASTER_OPEN);
	CHECK_EQUAL(fixture.pdu.length, sizeof(opening));
	CHECK_OCTETS(fixture.pdu.payload, opening, sizeof(opening));
	session_fixture_quiet(&fixture);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_take(&fixture, MASTER_REGISTER);
	CHECK_EQUAL(fixture.pdu.session, MASTER_SESSION);
	CHECK_EQUAL(fixture.pdu.length, sizeof(subtree));
	CHECK_OCTETS(fixture.pdu.payload, subtree, sizeof(subtree));
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_take(&fixture, MASTER_ADD_AGENT_CAPS);
	CHECK_OCTETS(fixture.pdu.payload, subtree + 4, sizeof(subtree) - 4);
	CHECK_OCTETS(fixture.pdu.payload + sizeof(subtree) - 4, "\12\0\0\0for a test", 14);
	CHECK(!session_is_up());
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_work();
	CHECK(session_is_up());
	CHECK_EQUAL(session_last_failure()->kind, SESSION_NOT_FAILED);
	CHECK_EQUAL(logged_with("connected to snmpd"), 1);
	session_fixture_close(&fixture);
}

/* A refusal during the set-up is named once, and the set-up is tried again until it is accepted. */
static const struct {
	uint16_t error;
	const char *name;
} errors[] = {
	{256, "openFailed (256)"},
	{262, "unsupportedContext (262)"},
	{266, "parseError (266)"},
	{267, "requestDenied (267)"},
	{268, "processingError (268)"},
	{263, "duplicateRegistration (263)"},
	{5, "genErr (5)"},
	{999, "(999)"},
};

static void refuse(struct session_fixture *fixture, uint8_t step, uint16_t error)
{
	session_fixture_accept(fixture);
	session_fixture_take(fixture, MASTER_OPEN);
	if (step == MASTER_REGISTER) {
		master_respond(&fixture->master, &fixture->pdu, 0, 0);
		session_fixture_take(fixture, MASTER_REGISTER);
	}
	master_respond(&fixture->master, &fixture->pdu, 0, error);
	session_fixture_quiet(fixture); /* above all no Unregister */
	session_fixture_pass(RETRY_MS);
}

static void test_refused(void)
{
	static const uint8_t steps[] = {MASTER_OPEN, MASTER_REGISTER};

	for (size_t i = 0; i < 2 * UNIT_COUNT(errors); i++) {
		static struct session_fixture fixture;
		uint8_t step = steps[i % 2];

		unit_case("step %u, %s", step, errors[i / 2].name);
		session_fixture_open(&fixture, false);
		master_hang_up(&fixture.master);
		session_fixture_work();
		session_fixture_pass(RETRY_MS);
		for (unsigned attempt = 0; attempt < 3; attempt++)
			refuse(&fixture, step, errors[i / 2].error);
		CHECK_EQUAL(session_last_failure()->kind,
		            errors[i / 2].error == 263 ? SESSION_DUPLICATE : SESSION_ENDED);
		CHECK(strstr(session_last_failure()->text, errors[i / 2].name) != NULL);
		CHECK_EQUAL(logged_with(errors[i / 2].name), 1);
		CHECK_EQUAL(logged_with("register 1.3.6.1.3.117.3:"), step == MASTER_REGISTER);
		session_fixture_accept(&fixture);
		session_fixture_come_up(&fixture);
		session_fixture_close(&fixture);
	}
}

/* sysORTable is no reason to serve nothing. */
static void test_capability_refused(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	master_hang_up(&fixture.master);
	session_fixture_work();
	session_fixture_pass(RETRY_MS);
	session_fixture_accept(&fixture);
	for (unsigned i = 0; i < 2; i++) {
		session_fixture_take(&fixture, i == 0 ? MASTER_OPEN : MASTER_REGISTER);
		master_respond(&fixture.master, &fixture.pdu, 0, 0);
	}
	session_fixture_take(&fixture, MASTER_ADD_AGENT_CAPS);
	master_respond(&fixture.master, &fixture.pdu, 0, 268);
	session_fixture_work();
	CHECK(session_is_up());
	CHECK_EQUAL(logged_with("sysORTable: processingError (268)"), 1);
	session_fixture_close(&fixture);
}

static void test_open_unanswered(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	master_hang_up(&fixture.master);
	session_fixture_work();
	session_fixture_pass(RETRY_MS);
	session_fixture_accept(&fixture);
	session_fixture_take(&fixture, MASTER_OPEN);
	for (unsigned i = 0; i < 60; i++) {
		session_fixture_pass(PING_MS);
		session_process(NULL, clock_ms());
	}
	session_fixture_quiet(&fixture);
	CHECK_EQUAL(logged_with("does not answer"), 1);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_take(&fixture, MASTER_REGISTER);
	CHECK_EQUAL(logged_with("answers again"), 1);
	session_fixture_close(&fixture);
}

/* What --check does, beside a daemon that serves; the session continues so. */
static void test_give_way(void)
{
	static struct session_fixture fixture;

	session_give_way();
	session_fixture_open(&fixture, false);
	master_hang_up(&fixture.master);
	session_fixture_work();
	session_fixture_pass(RETRY_MS);
	session_fixture_accept(&fixture);
	session_fixture_take(&fixture, MASTER_OPEN);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_take(&fixture, MASTER_REGISTER);
	CHECK_EQUAL(fixture.pdu.payload[1], 255); /* r.priority: the lowest */
	session_fixture_close(&fixture);
}

/* ---- the end ---- */

static void test_closed(void)
{
	static const struct {
		uint8_t reason;
		const char *name;
	} reasons[] = {
		{1, "reasonOther (1)"}, {4, "reasonTimeouts (4)"}, {6, "reasonByManager (6)"}, {9, "(9)"}};

	for (size_t i = 0; i < UNIT_COUNT(reasons); i++) {
		struct master_pdu closing = {.type = MASTER_CLOSE, .session = MASTER_SESSION, .length = 4};
		static struct session_fixture fixture;
		uint8_t octets[64];

		session_fixture_open(&fixture, false);
		unit_case("%s", reasons[i].name);
		closing.payload[0] = reasons[i].reason;
		session_fixture_pass(SETTLED_MS);
		master_send(&fixture.master, octets, master_build(octets, &closing));
		session_fixture_work();
		CHECK(!session_is_up());
		CHECK_EQUAL(logged_with(reasons[i].name), 1);
		session_fixture_pass(FIRST_RETRY_MS);
		session_fixture_accept(&fixture);
		session_fixture_come_up(&fixture);
		session_fixture_close(&fixture);
	}
}

/* What is no AgentX ends the session, whichever way it comes; it is said once. */
static void test_garbage(void)
{
	static const struct {
		const char *octets;
		size_t length;
	} garbage[] = {
		{"GET / HTTP/1.1\r\n\r\n----", 22},
		{"\1\22\20\0\0\0\0\115\0\0\0\0\0\0\0\0\377\377\377\377", 20},  /* a payload of 4 GiB */
		{"\1\22\20\0\0\0\0\115\0\0\0\0\0\0\0\0\0\0\0\4\0\0\0\0", 24},  /* a Response without error */
		{"\1\143\20\0\0\0\0\115\0\0\0\0\0\0\0\0\0\0\0\0", 20},         /* no such type */
		{"\1\5\20\0\0\0\0\115\0\0\0\0\0\0\0\0\0\0\0\4\377\0\0\0", 24}, /* a Get without all its OID */
		{"\2\15\20\0\0\0\0\115\0\0\0\0\0\0\0\0\0\0\0\0", 20},          /* version 2 */
	};

	for (size_t i = 0; i < UNIT_COUNT(garbage); i++) {
		static struct session_fixture fixture;

		session_fixture_open(&fixture, false);
		unit_case("case %zu", i);
		session_fixture_pass(SETTLED_MS);
		master_send(&fixture.master, garbage[i].octets, garbage[i].length);
		session_fixture_work();
		CHECK(!session_is_up());
		CHECK_EQUAL(logged_with("is not AgentX"), 1);
		session_fixture_pass(FIRST_RETRY_MS);
		session_fixture_accept(&fixture);
		session_fixture_come_up(&fixture);
		session_fixture_close(&fixture);
	}
}

/* A master that comes back is noticed within a second and a bit however long it was away, and logged once.
 */
static void test_return(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (unsigned i = 1; i <= 4; i++) {
		master_leave(&fixture.master);
		session_fixture_work();
		for (unsigned attempt = 0; attempt < 50; attempt++) {
			session_fixture_pass(LOCAL_RETRY_MS);
			session_fixture_work();
		}
		CHECK_EQUAL(logged_with("has ended"), i);
		CHECK_EQUAL(logged_with("no connection to snmpd"), i);
		master_return(&fixture.master);
		session_fixture_pass(LOCAL_RETRY_MS);
		session_fixture_accept(&fixture);
		session_fixture_come_up(&fixture);
	}
	session_fixture_close(&fixture);
}

/* ---- while it lasts ---- */

static void test_ping(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	session_fixture_pass(PING_MS - 1);
	session_fixture_quiet(&fixture);
	session_fixture_pass(1);
	session_fixture_take(&fixture, MASTER_PING);
	CHECK_EQUAL(fixture.pdu.session, MASTER_SESSION);
	CHECK_EQUAL(fixture.pdu.length, 0);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_quiet(&fixture);
	CHECK(session_is_up());
	session_fixture_close(&fixture);
}

static void freeze(struct session_fixture *fixture)
{
	session_fixture_pass(PING_MS);
	session_fixture_take(fixture, MASTER_PING);
	session_fixture_pass(PING_MS - 1);
	session_fixture_quiet(fixture);
	CHECK(session_is_up());
	session_fixture_pass(1);
	session_fixture_quiet(fixture);
	CHECK(!session_is_up());
}

static void test_frozen(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	freeze(&fixture);
	session_fixture_pass(3600000);
	session_fixture_quiet(&fixture);
	CHECK(session_fixture_sleep() >= 3600);
	CHECK_EQUAL(logged_with("does not answer"), 1);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_work();
	CHECK(session_is_up());
	CHECK_EQUAL(logged_with("answers again"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	session_fixture_close(&fixture);
}

static void test_frozen_tcp(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, true);
	freeze(&fixture);
	session_fixture_pass(60000);
	session_fixture_work();
	CHECK_EQUAL(logged_with("no answer for 60 s"), 1);
	session_fixture_pass(FIRST_RETRY_MS);
	session_fixture_accept(&fixture);
	session_fixture_come_up(&fixture);
	session_fixture_close(&fixture);
}

static void test_uptime(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	session_fixture_pass(PING_MS);
	session_fixture_take(&fixture, MASTER_PING);
	master_respond(&fixture.master, &fixture.pdu, 4294967200, 0);
	session_fixture_work();
	CHECK_EQUAL(session_uptime(), 4294967200);
	session_fixture_pass(900);
	CHECK_EQUAL(session_uptime(), 4294967290);
	session_fixture_pass(100);
	CHECK_EQUAL(session_uptime(), 4); /* RFC 3418: TimeTicks wrap at 2^32 */
	session_fixture_close(&fixture);
}

/* ---- octets in other portions than PDUs ---- */

/* 6.2.5: a Get for 1.3.6.1.3.117.3.9.0, which nobody serves here */
static const struct master_pdu get = {
	.type = MASTER_GET,
	.session = MASTER_SESSION,
	.transaction = 3,
	.packet = 4,
	.length = 24,
	.payload = {4, 3, 0, 0, 0, 0, 0, 117, 0, 0, 0, 3, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0},
};

static void check_answer(struct session_fixture *fixture)
{
	session_fixture_take(fixture, MASTER_RESPONSE);
	CHECK_EQUAL(fixture->pdu.session, MASTER_SESSION);
	CHECK_EQUAL(fixture->pdu.transaction, 3);
	CHECK_EQUAL(fixture->pdu.packet, 4);
}

static void test_split(void)
{
	static struct session_fixture fixture;
	uint8_t octets[64];
	size_t length = master_build(octets, &get);

	session_fixture_open(&fixture, false);
	for (size_t i = 0; i < length; i++) {
		master_send(&fixture.master, octets + i, 1);
		session_fixture_work();
	}
	check_answer(&fixture);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	session_fixture_close(&fixture);
}

static void test_merged(void)
{
	static struct session_fixture fixture;
	uint8_t octets[256];
	size_t length = 0;

	session_fixture_open(&fixture, false);
	session_fixture_pass(PING_MS);
	session_fixture_take(&fixture, MASTER_PING);
	for (unsigned i = 0; i < 3; i++)
		length += master_build(octets + length, &get);
	length += master_build_response(octets + length, &fixture.pdu, 9, 0);
	master_send(&fixture.master, octets, length);
	for (unsigned i = 0; i < 3; i++)
		check_answer(&fixture);
	CHECK_EQUAL(session_uptime(), 9);
	session_fixture_close(&fixture);
}

/* The process ends with a word to the master, and without waiting long for one that says nothing. */
static void test_stop(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	session_stop();
	CHECK(master_take(&fixture.master, &fixture.pdu));
	CHECK_EQUAL(fixture.pdu.type, MASTER_CLOSE);
	CHECK_OCTETS(fixture.pdu.payload, "\5\0\0\0", 4); /* reasonShutdown */
	master_close(&fixture.master);
	logged_stop();
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"the requests of the set-up", test_setup},
		{"what is refused is named and tried again", test_refused},
		{"a refused capability", test_capability_refused},
		{"Open is not answered", test_open_unanswered},
		{"the master closes the session", test_closed},
		{"garbage", test_garbage},
		{"the master comes back", test_return},
		{"pings", test_ping},
		{"a frozen master on this machine", test_frozen},
		{"a frozen master by TCP", test_frozen_tcp},
		{"the master's uptime", test_uptime},
		{"a PDU octet by octet", test_split},
		{"several PDUs at once", test_merged},
		{"another agent that serves continues to", test_give_way},
		{"the end", test_stop},
	};

	return !session_fixture_init() ? EXIT_FAILURE : UNIT_MAIN("session", tests);
}
