// SPDX-License-Identifier: BSD-2-Clause
/* When the session is tried again, and what of it is logged: the master agent is away, or ends sessions soon.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include "agent/agentx/agentlib.h"
#include "agent/agentx/connect.h"
#include "agent/agentx/retry.h"
#include "sma/log.h"
#include "tests/agent/session_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { NOW = 5000000, RETRY_MS = 40000, ALL = 9 /* attempts until the longest time */ };

/* Before the spread of 20 per cent. */
static const unsigned local_ms[ALL] = {200, 400, 800, 1000, 1000, 1000, 1000, 1000, 1000};
static const unsigned ended_ms[ALL] = {200, 400, 800, 1600, 3200, 6400, 12800, 15000, 15000};

static unsigned earliest(unsigned ms)
{
	return ms * 8 / 10;
}

static unsigned latest(unsigned ms)
{
	return ms * 12 / 10;
}

static bool check_about(unsigned got, unsigned wanted)
{
	return CHECK(got >= earliest(wanted)) && CHECK(got <= latest(wanted));
}

/* ---- times ---- */

static void test_absent(void)
{
	struct retry retry = {0};

	for (unsigned i = 0; i < ALL; i++)
		check_about(retry_absent(&retry, true), local_ms[i]);
	check_about(retry_absent(&retry, false), 2000);
	retry_connected(&retry);
	for (unsigned i = 0; i < ALL; i++)
		check_about(retry_absent(&retry, false), ended_ms[i]);
}

/* Many agents that lose their snmpd at once do not come back at once. */
static void test_spread(void)
{
	unsigned least = UINT_MAX;
	unsigned most = 0;

	for (unsigned i = 0; i < 200; i++) {
		struct retry retry = {0};
		unsigned delay = retry_absent(&retry, true);

		check_about(delay, local_ms[0]);
		least = delay < least ? delay : least;
		most = delay > most ? delay : most;
	}
	CHECK(least < local_ms[0] && most > local_ms[0]);
}

static void test_ended(void)
{
	struct retry retry = {0};

	for (unsigned i = 0; i < ALL; i++) {
		retry_connected(&retry);
		check_about(retry_ended(&retry, i % 2, 0, 0), ended_ms[i]);
	}
}

static void check_forgotten(struct retry *retry, bool forgotten)
{
	CHECK_EQUAL(retry_is_quiet(retry), !forgotten);
	check_about(retry_ended(retry, true, 1000, 0), forgotten ? 200 : 1600);
}

static struct retry after_ends(void)
{
	struct retry retry = {0};

	for (unsigned i = 0; i < RETRY_LOGGED; i++)
		retry_ended(&retry, true, 1000, NOW);
	return retry;
}

static void test_forget(void)
{
	struct retry retry = after_ends();

	check_forgotten(&retry, false);
	retry = after_ends();
	retry_connected(&retry);
	check_forgotten(&retry, false);
	retry = after_ends();
	retry_absent(&retry, true);
	check_forgotten(&retry, true);
	retry = after_ends();
	retry_settled(&retry);
	check_forgotten(&retry, true);
}

static void test_another(void)
{
	static const struct {
		uint32_t uptime; /* it was 1000 */
		unsigned passed_ms;
		bool another;
	} cases[] = {
		{1001, 10, false},   {1100, 1000, false},  {1000, 0, false},
		{999, 10, true},     {0, 10, true},        {1100, 60000, true},  /* up for 11 s, 60 s later */
		{5999, 60000, true}, {6000, 60000, false}, {1000, 60000, false}, /* does not change at all */
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct retry retry = after_ends();

		unit_case("%u after %u ms", cases[i].uptime, cases[i].passed_ms);
		retry_up(&retry, cases[i].uptime, NOW + cases[i].passed_ms);
		check_forgotten(&retry, cases[i].another);
	}
}

/* Those that never came up have one line for their reason, and are not counted. */
static void test_quiet(void)
{
	struct retry retry = {0};

	for (unsigned i = 0; i < 20; i++)
		retry_ended(&retry, false, 0, 0);
	CHECK(!retry_is_quiet(&retry));
	for (unsigned i = 1; i <= 2 * RETRY_LOGGED; i++) {
		retry_ended(&retry, true, 0, 0);
		CHECK_EQUAL(retry_is_quiet(&retry), i >= RETRY_LOGGED);
	}
}

/* ---- a master agent that ends sessions ---- */

/* It is connected neither too early nor too late after the end of a session. */
static void wait_for_attempt(struct session_fixture *fixture, unsigned ms)
{
	unsigned accepted = fixture->master.accepted;

	session_fixture_pass(earliest(ms) - 1);
	session_fixture_work();
	CHECK(!master_accept(&fixture->master));
	session_fixture_pass(latest(ms) - earliest(ms) + 1);
	session_fixture_accept(fixture);
	CHECK_EQUAL(fixture->master.accepted, accepted + 1);
}

static void hang_up(struct session_fixture *fixture)
{
	master_hang_up(&fixture->master);
	session_fixture_work();
	CHECK(!session_is_up());
}

static void test_hangs_up(void)
{
	static struct session_fixture fixture = {.uptime = 500};

	session_fixture_open(&fixture, false);
	for (unsigned i = 0; i < ALL; i++) {
		hang_up(&fixture);
		wait_for_attempt(&fixture, ended_ms[i]);
		session_fixture_come_up(&fixture);
	}
	CHECK_EQUAL(logged_with("has ended"), RETRY_LOGGED);
	CHECK_EQUAL(logged_with("3 in a row have ended early, and further ones are not logged"), 1);
	CHECK_EQUAL(logged_with("connected to snmpd"), RETRY_LOGGED);
	session_fixture_pass(RETRY_SETTLED_MS - 1);
	session_fixture_work();
	CHECK_EQUAL(logged_with("connected to snmpd"), RETRY_LOGGED);
	session_fixture_pass(1);
	session_fixture_work();
	CHECK_EQUAL(logged_with("connected to snmpd"), RETRY_LOGGED + 1);
	hang_up(&fixture);
	CHECK_EQUAL(logged_with("has ended: it closed the connection"), RETRY_LOGGED + 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), RETRY_LOGGED + 1);
	wait_for_attempt(&fixture, ended_ms[0]);
	session_fixture_come_up(&fixture);
	session_fixture_close(&fixture);
}

/* One that lasts until the very end of the time counts as one that lasts, whatever is looked at first. */
static void test_settled(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (unsigned i = 0; i < 2 * RETRY_LOGGED; i++) {
		session_fixture_pass(RETRY_SETTLED_MS);
		hang_up(&fixture);
		wait_for_attempt(&fixture, ended_ms[0]);
		session_fixture_come_up(&fixture);
	}
	CHECK_EQUAL(logged_with("has ended"), 2 * RETRY_LOGGED);
	CHECK_EQUAL(logged_with("in a row"), 0);
	session_fixture_close(&fixture);
}

/* Each is another one: it has been started since. */
static void test_restarted(void)
{
	static struct session_fixture fixture = {.uptime = 10000};

	session_fixture_open(&fixture, false);
	for (unsigned i = 0; i < 2 * RETRY_LOGGED; i++) {
		fixture.uptime -= 10;
		hang_up(&fixture);
		wait_for_attempt(&fixture, ended_ms[0]);
		session_fixture_come_up(&fixture);
	}
	CHECK_EQUAL(logged_with("has ended"), 2 * RETRY_LOGGED);
	CHECK_EQUAL(logged_with("connected to snmpd"), 2 * RETRY_LOGGED + 1);
	CHECK_EQUAL(logged_with("in a row"), 0);
	session_fixture_close(&fixture);
}

static void test_hangs_up_early(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (unsigned i = 0; i < ALL; i++) {
		hang_up(&fixture);
		wait_for_attempt(&fixture, ended_ms[i]);
		session_fixture_take(&fixture, MASTER_OPEN);
	}
	hang_up(&fixture);
	CHECK_EQUAL(logged_with("no session with snmpd"), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 2);
	session_fixture_close(&fixture);
}

/* A refused notification is logged once a session; sessions that are not logged have no say. */
static void test_quiet_refusals(void)
{
	static struct session_fixture fixture;

	session_fixture_open(&fixture, false);
	for (unsigned i = 0; i < 2 * RETRY_LOGGED; i++) {
		hang_up(&fixture);
		session_fixture_pass(RETRY_MS);
		session_fixture_accept(&fixture);
		session_fixture_take(&fixture, MASTER_OPEN);
		master_respond(&fixture.master, &fixture.pdu, 0, 0);
		session_fixture_take(&fixture, MASTER_REGISTER);
		master_respond(&fixture.master, &fixture.pdu, 0, 0);
		session_fixture_take(&fixture, MASTER_ADD_AGENT_CAPS);
		master_respond(&fixture.master, &fixture.pdu, 0, 268);
		session_fixture_work();
		CHECK(session_is_up());
	}
	CHECK_EQUAL(logged_with("sysORTable"), RETRY_LOGGED);
	session_fixture_close(&fixture);
}

/* The line that is owed wakes the loop even where pings do not. */
static void test_line_is_due(void)
{
	static struct session_fixture fixture;

	agentlib_set_times(100, 1);
	session_fixture_open(&fixture, false);
	CHECK_EQUAL(session_fixture_due(), 100000);
	for (unsigned i = 0; i < RETRY_LOGGED; i++) {
		hang_up(&fixture);
		session_fixture_pass(RETRY_MS);
		session_fixture_accept(&fixture);
		session_fixture_come_up(&fixture);
	}
	CHECK_EQUAL(session_fixture_due(), RETRY_SETTLED_MS);
	session_fixture_pass(RETRY_SETTLED_MS);
	CHECK_EQUAL(session_fixture_due(), 100000 - RETRY_SETTLED_MS);
	CHECK_EQUAL(logged_with("connected to snmpd"), RETRY_LOGGED + 1);
	session_fixture_close(&fixture);
	agentlib_set_times(5, 1);
}

/* ---- a master agent that is away ---- */

static void test_away(void)
{
	static struct session_fixture fixture;
	uint64_t due;

	session_fixture_open(&fixture, false);
	master_leave(&fixture.master);
	session_fixture_work();
	check_about((unsigned)session_fixture_due(), ended_ms[0]);
	for (unsigned i = 0; i < ALL; i++) {
		session_fixture_pass(session_fixture_due());
		due = session_fixture_due();
		check_about((unsigned)due, local_ms[i]);
		session_fixture_pass(due - 1);
		CHECK_EQUAL(session_fixture_due(), 1); /* nothing wakes the loop before */
	}
	CHECK_EQUAL(logged_with("no connection to snmpd"), 1);
	CHECK_EQUAL(session_last_failure()->kind, SESSION_NOT_CONNECTED);
	CHECK_EQUAL(session_last_failure()->error, -ENOENT);
	session_fixture_close(&fixture);
}

/* ---- stopping while connecting ---- */

/* The number that the next descriptor has. */
static int next_descriptor(void)
{
	int fd = dup(STDOUT_FILENO);

	CHECK(fd >= 0 && close(fd) == 0);
	return fd;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* Those that are to be accepted are as many as may wait, and a further one is not answered. */
static int crowd(struct sockaddr_in *name, int *fds, unsigned count)
{
	socklen_t size = sizeof(*name);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	*name = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	CHECK(bind(listener, (const struct sockaddr *)name, sizeof(*name)) == 0);
	CHECK(getsockname(listener, (struct sockaddr *)name, &size) == 0);
	CHECK(listen(listener, 0) == 0);
	for (unsigned i = 0; i < count; i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)!connect(fds[i], (const struct sockaddr *)name, sizeof(*name));
	}
	return listener;
}

static void test_stop_connecting(void)
{
	enum { CROWD = 8 };
	struct sockaddr_in name;
	int fds[CROWD];
	int fd;
	int listener = crowd(&name, fds, CROWD);
	char address[40];

	snprintf(address, sizeof(address), "tcp:127.0.0.1:%u", ntohs(name.sin_port));
	agentlib_set_address(address);
	logged_start(false);
	fd = next_descriptor();
	session_fixture_pass(RETRY_MS);
	CHECK_EQUAL(session_fixture_due(), CONNECT_POLL_MS);
	CHECK(is_open(fd));
	session_fixture_work();
	CHECK_EQUAL(session_fixture_due(), CONNECT_POLL_MS);
	CHECK(!session_is_up());
	session_fixture_pass(CONNECT_LIMIT_MS);
	session_fixture_work();
	CHECK_EQUAL(logged_with("Connection timed out"), 1);
	CHECK(!is_open(fd));
	session_fixture_pass(session_fixture_due());
	CHECK_EQUAL(session_fixture_due(), CONNECT_POLL_MS);
	CHECK(is_open(fd));
	session_stop();
	CHECK(!is_open(fd));
	logged_stop();
	for (unsigned i = 0; i < CROWD; i++)
		close(fds[i]);
	close(listener);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"times between attempts to connect", test_absent},
		{"times are spread", test_spread},
		{"times between sessions", test_ended},
		{"what starts over", test_forget},
		{"another master", test_another},
		{"sessions that are not logged", test_quiet},
		{"a master that hangs up soon", test_hangs_up},
		{"sessions that last", test_settled},
		{"a master that was restarted", test_restarted},
		{"a master that hangs up before it answers", test_hangs_up_early},
		{"refusals in sessions that are not logged", test_quiet_refusals},
		{"the line on a session that lasts", test_line_is_due},
		{"a master that is away", test_away},
		{"stopping while connecting", test_stop_connecting},
	};

	return !session_fixture_init() ? EXIT_FAILURE : UNIT_MAIN("session retry", tests);
}
