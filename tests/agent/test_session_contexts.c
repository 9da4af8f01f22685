// SPDX-License-Identifier: BSD-2-Clause
/* Subtrees in contexts other than the default one (RFC 2741 6.1.1, 6.2.3, 6.2.4). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "tests/agent/session_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { MASTER_UNREGISTER = 4, FLAG_CONTEXT = 0x08, IN_FLIGHT = 64, MANY = 200, DUPLICATE = 263 };

static const oid subtree[] = {1, 3, 6, 1, 3, 117, 3};

/* The behind of a context: priority 127, 1.3.6.1.3.117.3 with the prefix 3. */
static const uint8_t behind[] = {0, 127, 0, 0, 2, 3, 0, 0, 117, 0, 0, 0, 3, 0, 0, 0};

static struct session_fixture fixture;

static int serve(const char *context)
{
	return session_serve(context, subtree, OID_LENGTH(subtree));
}

static void withdraw(const char *context)
{
	session_withdraw(context, subtree, OID_LENGTH(subtree));
}

/* The PDU that was taken is of a context: an octet string in the order of the sender, padded to 4. */
static void check_context(const char *context)
{
	const struct master_pdu *pdu = &fixture.pdu;
	const size_t length = strlen(context);
	const size_t padded = (length + 3) / 4 * 4;

	CHECK(pdu->flags & FLAG_CONTEXT);
	CHECK_EQUAL(pdu->length, 4 + padded + sizeof(behind));
	CHECK_EQUAL(pdu->payload[0] + pdu->payload[3], length);
	CHECK_OCTETS(pdu->payload + 4, context, length);
	CHECK_OCTETS(pdu->payload + 4 + padded, behind, sizeof(behind));
}

static void take(uint8_t type, const char *context)
{
	unit_case("%u of %s", type, context);
	if (session_fixture_take(&fixture, type))
		check_context(context);
}

static void answer(uint16_t error)
{
	master_respond(&fixture.master, &fixture.pdu, 0, error);
}

static void settle(void)
{
	session_fixture_quiet(&fixture);
}

/* ---- cases ---- */

/* They follow when the session is up, which does not wait for them, and leave one by one. */
static void test_served(void)
{
	session_fixture_open(&fixture, false);
	CHECK_EQUAL(serve("leaf"), 0);
	take(MASTER_REGISTER, "leaf");
	CHECK(session_is_up());
	answer(0);
	settle();
	CHECK_EQUAL(serve("leaf"), -EEXIST);
	CHECK_EQUAL(serve("a spine"), 0);
	take(MASTER_REGISTER, "a spine");
	answer(0);
	withdraw("leaf");
	take(MASTER_UNREGISTER, "leaf");
	answer(0);
	withdraw("leaf");
	withdraw("none");
	settle();
	withdraw("a spine");
	take(MASTER_UNREGISTER, "a spine");
	answer(0);
	settle();
	session_fixture_close(&fixture);
}

static void test_limits(void)
{
	char context[257];

	session_fixture_open(&fixture, false);
	memset(context, 'x', sizeof(context) - 1);
	context[256] = '\0';
	CHECK_EQUAL(serve(context), -EINVAL);
	context[255] = '\0';
	CHECK_EQUAL(serve(context), 0);
	take(MASTER_REGISTER, context);
	answer(0);
	withdraw(context);
	take(MASTER_UNREGISTER, context);
	answer(0);
	settle();
	session_fixture_close(&fixture);
}

/* Many at a time, but not all, and the next as soon as one is answered. */
static void test_many(void)
{
	struct master_pdu first = {0};
	char context[16];

	session_fixture_open(&fixture, false);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(context, sizeof(context), "many-%u", i);
		CHECK_EQUAL(serve(context), 0);
	}
	for (unsigned i = 0; i < IN_FLIGHT; i++) {
		snprintf(context, sizeof(context), "many-%u", i);
		take(MASTER_REGISTER, context);
		if (i == 0)
			first = fixture.pdu;
		else if (i < IN_FLIGHT - 1)
			answer(0);
	}
	for (unsigned i = IN_FLIGHT; i < MANY; i++) {
		snprintf(context, sizeof(context), "many-%u", i);
		answer(0);
		take(MASTER_REGISTER, context);
	}
	answer(0);
	settle();
	master_respond(&fixture.master, &first, 0, 0);
	settle();
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(context, sizeof(context), "many-%u", i);
		withdraw(context);
	}
	for (unsigned i = 0; i < MANY; i++) {
		if (!session_fixture_take(&fixture, MASTER_UNREGISTER))
			break;
		answer(0);
	}
	settle();
	session_fixture_close(&fixture);
}

/* What is withdrawn while its Register waits for the answer is withdrawn then, unless it is served again. */
static void test_withdrawn_early(void)
{
	session_fixture_open(&fixture, false);
	serve("leaf");
	take(MASTER_REGISTER, "leaf");
	withdraw("leaf");
	settle();
	answer(0);
	take(MASTER_UNREGISTER, "leaf");
	CHECK_EQUAL(serve("leaf"), 0);
	settle();
	answer(0);
	take(MASTER_REGISTER, "leaf");
	withdraw("leaf");
	CHECK_EQUAL(serve("leaf"), 0);
	answer(0);
	settle();
	withdraw("leaf");
	take(MASTER_UNREGISTER, "leaf");
	answer(0);
	settle();
	session_fixture_close(&fixture);
}

/* A refusal is logged, and no reason to end the session; the next session tries again. */
static void test_refused(void)
{
	session_fixture_open(&fixture, false);
	serve("leaf");
	serve("spine");
	take(MASTER_REGISTER, "leaf");
	answer(DUPLICATE);
	take(MASTER_REGISTER, "spine");
	answer(0);
	settle();
	CHECK(session_is_up());
	CHECK_EQUAL(logged_with("in context \"leaf\": duplicateRegistration"), 1);
	master_hang_up(&fixture.master);
	session_fixture_work();
	session_fixture_pass(20 * 1000);
	session_fixture_accept(&fixture);
	session_fixture_come_up(&fixture);
	if (session_fixture_take(&fixture, MASTER_REGISTER))
		answer(0);
	if (session_fixture_take(&fixture, MASTER_REGISTER))
		answer(0);
	settle();
	withdraw("leaf");
	withdraw("spine");
	take(MASTER_UNREGISTER, "leaf");
	answer(0);
	take(MASTER_UNREGISTER, "spine");
	answer(0);
	settle();
	session_fixture_close(&fixture);
}

/* The end of a session with requests on their way. */
static void test_ended(void)
{
	session_fixture_open(&fixture, false);
	serve("leaf");
	serve("spine");
	take(MASTER_REGISTER, "leaf");
	withdraw("leaf");
	take(MASTER_REGISTER, "spine");
	master_hang_up(&fixture.master);
	session_fixture_work();
	session_fixture_pass(20 * 1000);
	session_fixture_accept(&fixture);
	session_fixture_come_up(&fixture);
	take(MASTER_REGISTER, "spine");
	answer(0);
	withdraw("spine");
	take(MASTER_UNREGISTER, "spine");
	answer(0);
	settle();
	session_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"served and withdrawn", test_served},
	{"long contexts", test_limits},
	{"many at a time", test_many},
	{"withdrawn before it is registered", test_withdrawn_early},
	{"refused", test_refused},
	{"the session ends", test_ended},
};

int main(void)
{
	return session_fixture_init() ? UNIT_MAIN("session: contexts", tests) : EXIT_FAILURE;
}
