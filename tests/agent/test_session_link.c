// SPDX-License-Identifier: BSD-2-Clause
/* The connection under the AgentX session: what comes by it, when it wants to be looked at, and its failures.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/link.h"
#include "agent/agentx/protocol.h"
#include "sma/log.h"
#include "tests/agent/session_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum {
	PING_MS = 5000,
	FLUSH_MS = 20,
	RETRY_MS = 40000,
	PROCESSING_ERROR = 268,
	NOT_OPEN = 257,
	NOT_WRITABLE = 17,
};

/* ---- the library, where a test says so ---- */

static bool cannot_send, cannot_create;

int __real_snmp_async_send(netsnmp_session *session, netsnmp_pdu *pdu, netsnmp_callback callback, void *arg);
int __wrap_snmp_async_send(netsnmp_session *session, netsnmp_pdu *pdu, netsnmp_callback callback, void *arg);
netsnmp_pdu *__real_snmp_pdu_create(int type);
netsnmp_pdu *__wrap_snmp_pdu_create(int type);

int __wrap_snmp_async_send(netsnmp_session *session, netsnmp_pdu *pdu, netsnmp_callback callback, void *arg)
{
	return cannot_send ? 0 : __real_snmp_async_send(session, pdu, callback, arg);
}

netsnmp_pdu *__wrap_snmp_pdu_create(int type)
{
	return cannot_create ? NULL : __real_snmp_pdu_create(type);
}

/* A master that answers the Close while the answer is waited for. */
static struct {
	struct session_fixture *fixture; /* NULL: it is not waited for */
	bool has_answered;
	unsigned waits_after; /* that, which was there to be read */
} closing;

/* One that says other things, again and again, for as long as it is listened to. */
enum { CHATTER_MS = 150, CHATTER_LIMIT = 20 };
static struct {
	int fd; /* -1: there is none */
	unsigned waits;
} chatter = {.fd = -1};

static int chat(struct pollfd *waits)
{
	static const uint8_t commit_set[MASTER_HEADER] = {1, MASTER_COMMIT_SET, 0x10};

	session_fixture_pass(CHATTER_MS);
	CHECK_EQUAL(send(chatter.fd, commit_set, sizeof(commit_set), 0), sizeof(commit_set));
	waits->revents = POLLIN;
	return ++chatter.waits < CHATTER_LIMIT ? 1 : -1;
}

int __real_poll(struct pollfd *waits, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *waits, nfds_t count, int timeout);

int __wrap_poll(struct pollfd *waits, nfds_t count, int timeout)
{
	if (chatter.fd >= 0)
		return chat(waits);
	if (closing.has_answered) {
		closing.waits_after++;
		return 0;
	}
	if (closing.fixture) {
		CHECK(master_take(&closing.fixture->master, &closing.fixture->pdu));
		master_respond(&closing.fixture->master, &closing.fixture->pdu, 0, 0);
		closing.has_answered = true;
	}
	return __real_poll(waits, count, timeout);
}

/* ---- notifications ---- */

static unsigned outcomes[3];

static void note(void *arg, enum mib_outcome outcome)
{
	(void)arg;
	outcomes[outcome]++;
}

static int notify_of_type(u_char type)
{
	static const oid trap_oid[] = {1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0};
	static const oid trap[] = {1, 3, 6, 1, 3, 117, 3, 2, 1};
	netsnmp_variable_list *list = NULL;
	int rc;

	memset(outcomes, 0, sizeof(outcomes));
	snmp_varlist_add_variable(&list, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID, (const u_char *)trap,
	                          sizeof(trap));
	list->type = type;
	rc = session_notify("", list, note, NULL);
	list->type = ASN_OBJECT_ID;
	snmp_free_varbind(list);
	return rc;
}

static int notify(void)
{
	return notify_of_type(ASN_OBJECT_ID);
}

static void check_outcomes(unsigned sent, unsigned refused, unsigned unsent)
{
	CHECK_EQUAL(outcomes[MIB_SENT], sent);
	CHECK_EQUAL(outcomes[MIB_REFUSED], refused);
	CHECK_EQUAL(outcomes[MIB_UNSENT], unsent);
}

/* ---- the size of packets ---- */

/* 6.2.8: a TestSet of an Octet String that makes it `size` octets long; its length. */
static size_t large_packet(uint8_t *octets, size_t size)
{
	/* version, type, flags, session, transaction, packet, length; type, 1.3.6.1.3.117.3, length */
	static const uint8_t head[] = {1, 8, 0x10, 0, 0, 0, 0, MASTER_SESSION,
	                               0, 0, 0,    1, 0, 0, 0, 2,
	                               0, 0, 0,    0, 0, 4, 0, 0,
	                               2, 3, 0,    0, 0, 0, 0, 117,
	                               0, 0, 0,    3, 0, 0, 0, 0};
	size_t payload = size - MASTER_HEADER;
	size_t text = size - sizeof(head);

	memset(octets, 'x', size);
	memcpy(octets, head, sizeof(head));
	for (unsigned i = 0; i < 4; i++) {
		octets[16 + i] = (uint8_t)(payload >> (24 - 8 * i));
		octets[36 + i] = (uint8_t)(text >> (24 - 8 * i));
	}
	return size;
}

static void test_largest(void)
{
	static uint8_t octets[AGENTX_PACKET_MAX];
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	master_send(&fixture.master, octets, large_packet(octets, sizeof(octets)));
	session_fixture_take(&fixture, MASTER_RESPONSE);
	CHECK_EQUAL(fixture.pdu.packet, 2);
	CHECK_EQUAL(master_error(&fixture.pdu), NOT_WRITABLE);
	session_fixture_close(&fixture);
}

/* It is not waited for until all of it is there, nor kept. */
static void test_too_large(void)
{
	static uint8_t octets[AGENTX_PACKET_MAX + 4];
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	large_packet(octets, sizeof(octets));
	master_send(&fixture.master, octets, MASTER_HEADER);
	session_fixture_work();
	CHECK(!session_is_up());
	CHECK_EQUAL(logged_with("has ended: what it sent is not AgentX"), 1);
	session_fixture_close(&fixture);
}

/* A header in two parts is no header yet. */
static void test_part(void)
{
	static uint8_t octets[64];
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	large_packet(octets, sizeof(octets));
	for (size_t i = 0; i < sizeof(octets); i++) {
		CHECK(session_is_up());
		master_send(&fixture.master, octets + i, 1);
		session_fixture_work();
	}
	session_fixture_take(&fixture, MASTER_RESPONSE);
	CHECK_EQUAL(master_error(&fixture.pdu), NOT_WRITABLE);
	session_fixture_close(&fixture);
}

/* What follows in the same breath as something malformed, or as a Close, is neither looked at nor answered.
 */
static void test_after_the_end(void)
{
	static const struct master_pdu ends[] = {
		{.type = MASTER_CLOSE, .session = MASTER_SESSION, .length = 4, .payload = {6}},
		{.type = 99, .session = MASTER_SESSION},
	};
	static struct session_fixture fixture;

	for (size_t i = 0; i < UNIT_COUNT(ends); i++) {
		static const struct master_pdu request = {.type = MASTER_COMMIT_SET,
		                                          .session = MASTER_SESSION};
		static uint8_t octets[128];
		size_t length = master_build(octets, &ends[i]);

		session_fixture_open(&fixture, false);
		unit_case("type %u", ends[i].type);
		CHECK_EQUAL(notify(), 0);
		session_fixture_take(&fixture, MASTER_NOTIFY);
		length += master_build(octets + length, &request);
		length += master_build_response(octets + length, &fixture.pdu, 0, 0);
		master_send(&fixture.master, octets, length);
		session_fixture_work();
		check_outcomes(0, 0, 1);
		CHECK(master_is_left(&fixture.master));
		CHECK_EQUAL(logged_with("has ended"), 1);
		session_fixture_close(&fixture);
	}
}

/* ---- signs of life ---- */

static void test_response_is_a_sign(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	CHECK_EQUAL(notify(), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	session_fixture_pass(PING_MS - 1000);
	master_respond(&fixture.master, &fixture.pdu, 70, 0);
	session_fixture_work();
	check_outcomes(1, 0, 0);
	CHECK_EQUAL(session_uptime(), 70);
	CHECK_EQUAL(session_fixture_due(), PING_MS);
	session_fixture_pass(PING_MS - 1);
	session_fixture_quiet(&fixture);
	session_fixture_pass(1);
	session_fixture_take(&fixture, MASTER_PING);
	session_fixture_close(&fixture);
}

static void test_request_is_a_sign(void)
{
	static const struct master_pdu request = {.type = MASTER_COMMIT_SET, .session = MASTER_SESSION};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	session_fixture_pass(PING_MS - 1000);
	master_send_pdu(&fixture.master, &request);
	session_fixture_take(&fixture, MASTER_RESPONSE);
	CHECK_EQUAL(session_fixture_due(), PING_MS);
	session_fixture_pass(PING_MS - 1);
	session_fixture_quiet(&fixture);
	session_fixture_pass(1);
	session_fixture_take(&fixture, MASTER_PING);
	session_fixture_close(&fixture);
}

/* An answer to a ping, even one with an error, is waited for no longer, and the next ping is due as ever. */
static void test_pong(void)
{
	static const uint16_t errors[] = {0, PROCESSING_ERROR};
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (size_t i = 0; i < UNIT_COUNT(errors); i++) {
		unit_case("error %u", errors[i]);
		session_fixture_pass(PING_MS);
		session_fixture_take(&fixture, MASTER_PING);
		CHECK_EQUAL(session_fixture_due(), PING_MS); /* until it is frozen */
		session_fixture_pass(PING_MS - 1);
		master_respond(&fixture.master, &fixture.pdu, 0, errors[i]);
		session_fixture_work();
		CHECK(session_is_up());
		CHECK_EQUAL(session_fixture_due(), PING_MS);
	}
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	session_fixture_close(&fixture);
}

static void test_pong_not_open(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	session_fixture_pass(PING_MS);
	session_fixture_take(&fixture, MASTER_PING);
	master_respond(&fixture.master, &fixture.pdu, 0, NOT_OPEN);
	session_fixture_work();
	CHECK(!session_is_up());
	CHECK_EQUAL(logged_with("has ended: it does not know the session"), 1);
	CHECK(master_is_left(&fixture.master));
	session_fixture_pass(RETRY_MS);
	session_fixture_accept(&fixture);
	session_fixture_come_up(&fixture);
	session_fixture_close(&fixture);
}

/* ---- when it wants to be looked at ---- */

/* A master that asks and asks, and does not read the answers. */
static void fill_backlog(struct session_fixture *fixture)
{
	struct master_pdu request = {.type = MASTER_COMMIT_SET, .session = MASTER_SESSION};

	for (request.packet = 0; request.packet < 4000; request.packet++) {
		master_send_pdu(&fixture->master, &request);
		session_fixture_work();
		if (session_fixture_due() != PING_MS)
			return;
	}
	CHECK(!"a backlog");
}

static void test_due_with_a_backlog(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	fill_backlog(&fixture);
	CHECK_EQUAL(session_fixture_due(), FLUSH_MS);
	session_fixture_pass(PING_MS - 5);
	CHECK_EQUAL(session_fixture_due(), 5);
	session_fixture_pass(5); /* the ping joins them */
	CHECK_EQUAL(session_fixture_due(), FLUSH_MS);
	for (unsigned i = 0; i < 5000 && fixture.pdu.type != MASTER_PING; i++) {
		if (!master_take(&fixture.master, &fixture.pdu))
			session_fixture_due(); /* which sends more */
	}
	CHECK_EQUAL(fixture.pdu.type, MASTER_PING);
	CHECK_EQUAL(session_fixture_due(), PING_MS);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_work();
	CHECK_EQUAL(session_fixture_due(), PING_MS);
	session_fixture_close(&fixture);
}

/* A frozen master is looked at only for what it has not taken yet. */
static void test_due_when_frozen(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	session_fixture_pass(PING_MS);
	session_fixture_take(&fixture, MASTER_PING);
	session_fixture_pass(PING_MS);
	session_fixture_work();
	CHECK(!session_is_up());
	CHECK_EQUAL(session_fixture_due(), UINT64_MAX);
	session_fixture_close(&fixture);
}

/* By TCP a frozen one is given up a minute later; one that keeps a notification, a minute after that was
 * sent. */
static void test_due_to_give_up(void)
{
	enum { GIVE_UP_MS = 60000 };
	static struct session_fixture fixture;

	session_fixture_open(&fixture, true);
	session_fixture_pass(PING_MS);
	session_fixture_take(&fixture, MASTER_PING);
	session_fixture_pass(PING_MS);
	session_fixture_work();
	CHECK_EQUAL(session_fixture_due(), GIVE_UP_MS);
	session_fixture_close(&fixture);

	session_fixture_open(&fixture, false);
	CHECK_EQUAL(notify(), 0);
	for (unsigned left = GIVE_UP_MS; left > PING_MS; left -= PING_MS - 1) {
		session_fixture_take(&fixture, left == GIVE_UP_MS ? MASTER_NOTIFY : MASTER_RESPONSE);
		CHECK(session_is_up());
		session_fixture_pass(PING_MS - 1);
		master_send_pdu(&fixture.master,
		                &(struct master_pdu){.type = MASTER_COMMIT_SET, .session = MASTER_SESSION});
	}
	session_fixture_take(&fixture, MASTER_RESPONSE);
	check_outcomes(0, 0, 0);
	CHECK_EQUAL(session_fixture_due(), 12);
	session_fixture_pass(11);
	CHECK_EQUAL(session_fixture_due(), 1);
	CHECK(session_is_up());
	session_fixture_pass(1);
	session_fixture_work();
	check_outcomes(0, 0, 1);
	CHECK_EQUAL(logged_with("no answer for 60 s"), 1);
	session_fixture_close(&fixture);
}

/* ---- what cannot be sent ---- */

static void test_cannot_notify(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	CHECK_EQUAL(notify_of_type(0x99), -EINVAL); /* no type of AgentX */
	cannot_send = true;
	CHECK_EQUAL(notify(), -EINVAL);
	cannot_send = false;
	cannot_create = true;
	CHECK_EQUAL(notify(), -ENOMEM);
	cannot_create = false;
	session_fixture_quiet(&fixture);
	check_outcomes(0, 0, 0);
	CHECK(session_is_up());
	CHECK_EQUAL(notify(), 0);
	session_fixture_take(&fixture, MASTER_NOTIFY);
	master_respond(&fixture.master, &fixture.pdu, 0, 0);
	session_fixture_work();
	check_outcomes(1, 0, 0);
	session_fixture_close(&fixture);
}

/* Without its Open or its Ping there is no session: it starts over when there is memory again. */
static void test_cannot_ask(void)
{
	bool *const causes[] = {&cannot_send, &cannot_create};

	for (size_t i = 0; i < UNIT_COUNT(causes); i++) {
		static struct session_fixture fixture;

		session_fixture_open(&fixture, false);
		unit_case("cause %zu", i);
		*causes[i] = true;
		session_fixture_pass(PING_MS);
		session_fixture_work();
		CHECK(!session_is_up());
		CHECK_EQUAL(logged_with("has ended: a request cannot be sent"), 1);
		session_fixture_pass(RETRY_MS);
		session_fixture_accept(&fixture);
		session_fixture_work();
		CHECK(master_is_left(&fixture.master));
		CHECK_EQUAL(logged_with("no session with snmpd"), 1);
		*causes[i] = false;
		session_fixture_pass(RETRY_MS);
		session_fixture_accept(&fixture);
		session_fixture_come_up(&fixture);
		session_fixture_close(&fixture);
	}
}

/* ---- the end ---- */

static void test_close_limit(void)
{
	struct link link;
	int fds[2];

	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0);
	CHECK_EQUAL(link_open(&link, fds[0]), 0);
	chatter.fd = fds[1];
	link_shut_down(&link, 500);
	chatter.fd = -1;
	CHECK_EQUAL(chatter.waits, 4);
	CHECK(!link.fault[0]);
	link_close(&link);
	close(fds[1]);
}

static void test_close(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	closing.fixture = &fixture;
	session_stop();
	CHECK(closing.has_answered);
	CHECK_EQUAL(closing.waits_after, 0);
	CHECK_EQUAL(fixture.pdu.type, MASTER_CLOSE);
	CHECK(master_is_left(&fixture.master)); /* and not with something unread */
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	master_close(&fixture.master);
	logged_stop();
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"the largest packet", test_largest},
		{"a packet that is too large", test_too_large},
		{"a packet in parts", test_part},
		{"what comes after the end", test_after_the_end},
		{"a response is a sign of life", test_response_is_a_sign},
		{"a request is a sign of life", test_request_is_a_sign},
		{"the answer to a ping", test_pong},
		{"the answer to a ping: not open", test_pong_not_open},
		{"when to look at what is not taken", test_due_with_a_backlog},
		{"when to look at a frozen master", test_due_when_frozen},
		{"when to give up", test_due_to_give_up},
		{"a notification that cannot be sent", test_cannot_notify},
		{"a request that cannot be sent", test_cannot_ask},
		{"a master that goes on after the Close", test_close_limit},
		{"the answer to the Close is waited for, and no longer", test_close},
	};

	return !session_fixture_init() ? EXIT_FAILURE : UNIT_MAIN("session link", tests);
}
