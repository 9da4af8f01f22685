// SPDX-License-Identifier: BSD-2-Clause
/* Requests of the master agent: which are refused, and that an answer stays in the session of its question.
 */
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include "sma/log.h"
#include "tests/agent/session_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { RETRY_MS = 40000, NOT_WRITABLE = 17, COMMIT_FAILED = 14, UNDO_FAILED = 15, NOT_OPEN = 257 };

/* ---- an object that is answered late: 1.3.6.1.3.117.3.7.0 ---- */

enum { LATE_MAX = 16 };

static struct {
	netsnmp_delegated_cache *asked[LATE_MAX];
	unsigned count;
} late;

static int delay(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
                 netsnmp_agent_request_info *info, netsnmp_request_info *requests)
{
	requests->delegated = REQUEST_IS_DELEGATED;
	if (CHECK(late.count < LATE_MAX))
		late.asked[late.count++] =
			netsnmp_create_delegated_cache(handler, registration, info, requests, NULL);
	return SNMP_ERR_NOERROR;
}

static bool late_init(void)
{
	static const oid name[] = {1, 3, 6, 1, 3, 117, 3, 7, 0};

	return netsnmp_register_instance(netsnmp_create_handler_registration(
		       "late", delay, name, OID_LENGTH(name), HANDLER_CAN_RWRITE)) == MIB_REGISTERED_OK;
}

static void late_answer(void)
{
	for (unsigned i = 0; i < late.count; i++) {
		netsnmp_delegated_cache *cache = netsnmp_handler_check_cache(late.asked[i]);
		const long value = 1;

		if (!CHECK(cache != NULL))
			continue;
		cache->requests->delegated = REQUEST_IS_NOT_DELEGATED;
		snmp_set_var_typed_integer(cache->requests->requestvb, ASN_INTEGER, value);
		netsnmp_free_delegated_cache(cache);
	}
	late.count = 0;
}

/* ---- PDUs ---- */

/* 6.2.5: a Get for it */
static const struct master_pdu get_late = {
	.type = MASTER_GET,
	.session = MASTER_SESSION,
	.transaction = 3,
	.packet = 4,
	.length = 24,
	.payload = {4, 3, 0, 0, 0, 0, 0, 117, 0, 0, 0, 3, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0},
};

/* 6.2.8: a TestSet that makes it the Integer 5 */
static const struct master_pdu test_set = {
	.type = MASTER_TEST_SET,
	.session = MASTER_SESSION,
	.transaction = 5,
	.packet = 6,
	.length = 28,
	.payload = {0, 2, 0, 0, 4, 3, 0, 0, 0, 0, 0, 117, 0, 0, 0, 3, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 5},
};

static const struct master_pdu *of_transaction(uint8_t type, uint32_t transaction, uint32_t packet)
{
	static struct master_pdu pdu;

	if (type == MASTER_TEST_SET)
		pdu = test_set;
	else
		pdu = (struct master_pdu){.session = MASTER_SESSION};
	pdu.type = type;
	pdu.transaction = transaction;
	pdu.packet = packet;
	return &pdu;
}

static void check_response(struct session_fixture *fixture, const struct master_pdu *request, unsigned error,
                           unsigned index)
{
	if (!session_fixture_take(fixture, MASTER_RESPONSE))
		return;
	CHECK_EQUAL(fixture->pdu.session, request->session);
	CHECK_EQUAL(fixture->pdu.transaction, request->transaction);
	CHECK_EQUAL(fixture->pdu.packet, request->packet);
	CHECK_EQUAL(master_error(&fixture->pdu), error);
	CHECK_EQUAL(master_index(&fixture->pdu), index);
}

/* ---- nothing is writable ---- */

static const struct {
	uint8_t type;
	unsigned error; /* 0: there is no answer (7.2.4.4) */
} sets[] = {
	{MASTER_TEST_SET, NOT_WRITABLE},
	{MASTER_COMMIT_SET, COMMIT_FAILED},
	{MASTER_UNDO_SET, UNDO_FAILED},
	{MASTER_CLEANUP_SET, 0},
};

static void ask(struct session_fixture *fixture, const struct master_pdu *request, unsigned error)
{
	master_send_pdu(&fixture->master, request);
	if (error == 0)
		session_fixture_quiet(fixture);
	else
		check_response(fixture, request, error, 1);
}

/* The order in which a master agent sends them, each answered before the next. */
static void test_set_refused(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (size_t i = 0; i < UNIT_COUNT(sets); i++) {
		unit_case("type %u", sets[i].type);
		ask(&fixture, of_transaction(sets[i].type, 5, 10 + (uint32_t)i), sets[i].error);
		CHECK_EQUAL(fixture.pdu.length, 8); /* no varbinds */
	}
	CHECK_EQUAL(late.count, 0);
	session_fixture_close(&fixture);
}

/* Any order, with transactions that come again or never began, many on their way. */
static void test_any_sets(void)
{
	enum { ROUNDS = 40, AT_ONCE = 25 };
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	unit_case("seed %u", unit_seed());
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct master_pdu sent[AT_ONCE];
		unsigned errors[AT_ONCE];

		for (unsigned i = 0; i < AT_ONCE; i++) {
			unsigned which = (unsigned)rand() % UNIT_COUNT(sets);

			sent[i] =
				*of_transaction(sets[which].type, (unsigned)rand() % 3, round * AT_ONCE + i);
			errors[i] = sets[which].error;
			master_send_pdu(&fixture.master, &sent[i]);
		}
		for (unsigned i = 0; i < AT_ONCE; i++) {
			if (errors[i])
				check_response(&fixture, &sent[i], errors[i], 1);
		}
	}
	CHECK(session_is_up());
	CHECK_EQUAL(late.count, 0);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	session_fixture_close(&fixture);
}

/* ---- requests of another session, and what is none ---- */

static void test_other_session(void)
{
	static const uint8_t types[] = {MASTER_GET, MASTER_TEST_SET, MASTER_COMMIT_SET, MASTER_CLEANUP_SET};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (size_t i = 0; i < UNIT_COUNT(types); i++) {
		struct master_pdu request =
			types[i] == MASTER_GET ? get_late : *of_transaction(types[i], 1, 2);
		unsigned before = late.count;

		unit_case("type %u", types[i]);
		request.session = MASTER_SESSION + 1;
		master_send_pdu(&fixture.master, &request);
		if (session_fixture_take(&fixture, MASTER_RESPONSE))
			CHECK_EQUAL(master_error(&fixture.pdu), NOT_OPEN);
		CHECK_EQUAL(fixture.pdu.packet, request.packet);
		CHECK_EQUAL(late.count, before);
	}
	CHECK(session_is_up());
	session_fixture_close(&fixture);
}

/* A Ping, say, is the subagent's to send. */
static void test_not_a_request(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	master_send_pdu(&fixture.master, of_transaction(MASTER_PING, 1, 2));
	session_fixture_quiet(&fixture);
	CHECK(session_is_up());
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	session_fixture_close(&fixture);
}

/* The answer has the order of octets of the request. */
static void test_byte_order(void)
{
	static const uint8_t commit_set[MASTER_HEADER] = {
		1, MASTER_COMMIT_SET, 0, 0, MASTER_SESSION, 0, 0, 0, 9, 0, 0, 0, 8};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	master_send(&fixture.master, commit_set, sizeof(commit_set));
	if (session_fixture_take(&fixture, MASTER_RESPONSE))
		CHECK_EQUAL(fixture.pdu.flags & 0x10, 0);
	CHECK_EQUAL(fixture.pdu.transaction, 9);
	CHECK_EQUAL(fixture.pdu.packet, 8);
	CHECK_EQUAL(master_error(&fixture.pdu), COMMIT_FAILED);
	session_fixture_close(&fixture);
}

/* ---- an answer that comes late ---- */

static void test_late(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	master_send_pdu(&fixture.master, &get_late);
	session_fixture_work();
	CHECK_EQUAL(late.count, 1);
	late_answer();
	check_response(&fixture, &get_late, 0, 0);
	session_fixture_close(&fixture);
}

/* Sessions end with a question open; the address of one that is freed comes back sooner or later. */
static void test_of_dead_session(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (unsigned i = 0; i < LATE_MAX; i++) {
		master_send_pdu(&fixture.master, &get_late);
		session_fixture_work();
		CHECK_EQUAL(late.count, i + 1);
		master_hang_up(&fixture.master);
		session_fixture_work();
		session_fixture_pass(RETRY_MS);
		session_fixture_accept(&fixture);
		session_fixture_come_up(&fixture);
	}
	late_answer();
	session_fixture_quiet(&fixture);
	master_send_pdu(&fixture.master, &get_late);
	session_fixture_work();
	late_answer();
	check_response(&fixture, &get_late, 0, 0);
	session_fixture_close(&fixture);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"nothing is writable", test_set_refused},
		{"Sets in any order", test_any_sets},
		{"requests of another session", test_other_session},
		{"what a master does not send", test_not_a_request},
		{"the order of octets of a refusal", test_byte_order},
		{"a late answer", test_late},
		{"a late answer does not reach the next session", test_of_dead_session},
	};

	return !session_fixture_init() || !late_init() ? EXIT_FAILURE : UNIT_MAIN("session requests", tests);
}
