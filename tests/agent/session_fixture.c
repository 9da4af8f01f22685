// SPDX-License-Identifier: BSD-2-Clause
#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/agent/agent_sysORTable.h>

#include <net-snmp/library/large_fd_set.h>

#include "agent/clock.h"
#include "tests/agent/session_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

/* What this process writes to a unix socket can be read at once; by TCP on a busy machine it cannot always.
 */
enum { TURN_US = 2000, TURNS = 2500, IDLE_TURNS = 2, IDLE_TURNS_TCP = 20, RETRY_MS = 40000 };

static oid served[] = {1, 3, 6, 1, 3, 117, 3};

static uint64_t now = 1000000;
static unsigned idle_turns = IDLE_TURNS; /* in a row: nothing is on its way any more */

/* takes the place of the one of agent/clock.c */
uint64_t clock_ms(void)
{
	return now;
}

void session_fixture_pass(uint64_t ms)
{
	now += ms;
}

bool session_fixture_init(void)
{
	agentlib_init();
	register_sysORTable(served, OID_LENGTH(served), "for a test");
	agentlib_set_address("/nonexistent/master");
	if (session_serve("", served, OID_LENGTH(served)) < 0)
		return false;
	session_start();
	return true;
}

/* Whether there was something to read. */
static bool turn(void)
{
	struct timeval timeout = {.tv_usec = TURN_US};
	netsnmp_large_fd_set readable;
	int block = 0;
	int count = 0;
	bool busy;

	session_process(NULL, now);
	netsnmp_large_fd_set_init(&readable, FD_SETSIZE);
	NETSNMP_LARGE_FD_ZERO(&readable);
	snmp_select_info2(&count, &readable, &timeout, &block);
	timeout = (struct timeval){.tv_usec = TURN_US};
	busy = netsnmp_large_fd_set_select(count, &readable, NULL, NULL, &timeout) > 0;
	if (busy)
		snmp_read2(&readable);
	netsnmp_large_fd_set_cleanup(&readable);
	netsnmp_check_outstanding_agent_requests();
	session_process(NULL, now);
	return busy;
}

void session_fixture_work(void)
{
	for (unsigned idle = 0, i = 0; i < TURNS && idle < idle_turns; i++)
		idle = turn() ? 0 : idle + 1;
}

uint64_t session_fixture_due(void)
{
	uint64_t due = session_process(NULL, now);

	if (due == UINT64_MAX)
		return due;
	return CHECK(due >= now) ? due - now : 0;
}

bool session_fixture_take(struct session_fixture *fixture, uint8_t type)
{
	for (unsigned i = 0; i < TURNS; i++) {
		if (master_take(&fixture->master, &fixture->pdu))
			return CHECK_EQUAL(fixture->pdu.type, type);
		turn();
	}
	return CHECK(!"a PDU in time");
}

bool session_fixture_accept(struct session_fixture *fixture)
{
	for (unsigned i = 0; i < TURNS; i++) {
		if (master_accept(&fixture->master))
			return true;
		turn();
	}
	return CHECK(!"a connection in time");
}

void session_fixture_quiet(struct session_fixture *fixture)
{
	for (unsigned idle = 0, i = 0; i < TURNS && idle < idle_turns; i++) {
		idle = turn() ? 0 : idle + 1;
		if (!CHECK(!master_accept(&fixture->master)) ||
		    !CHECK(!master_take(&fixture->master, &fixture->pdu)))
			return;
	}
}

uint64_t session_fixture_sleep(void)
{
	struct timeval timeout = {.tv_sec = INT32_MAX};
	netsnmp_large_fd_set readable;
	int block = 0;
	int count = 0;

	netsnmp_large_fd_set_init(&readable, FD_SETSIZE);
	NETSNMP_LARGE_FD_ZERO(&readable);
	snmp_select_info2(&count, &readable, &timeout, &block);
	netsnmp_large_fd_set_cleanup(&readable);
	return (uint64_t)timeout.tv_sec;
}

void session_fixture_come_up(struct session_fixture *fixture)
{
	static const uint8_t steps[] = {MASTER_OPEN, MASTER_REGISTER, MASTER_ADD_AGENT_CAPS};

	for (unsigned i = 0; i < sizeof(steps); i++) {
		if (!session_fixture_take(fixture, steps[i]))
			return;
		master_respond(&fixture->master, &fixture->pdu, fixture->uptime, 0);
	}
	for (unsigned i = 0; i < TURNS && !session_is_up(); i++)
		turn();
	CHECK(session_is_up());
}

void session_fixture_open(struct session_fixture *fixture, bool tcp)
{
	idle_turns = tcp ? IDLE_TURNS_TCP : IDLE_TURNS;
	master_open(&fixture->master, tcp);
	agentlib_set_address(fixture->master.address);
	logged_start(false);
	session_fixture_pass(RETRY_MS);
	session_fixture_accept(fixture);
	session_fixture_come_up(fixture);
}

void session_fixture_close(struct session_fixture *fixture)
{
	master_close(&fixture->master);
	for (unsigned i = 0; i < TURNS && session_is_up(); i++)
		turn();
	session_fixture_work();
	CHECK(!session_is_up());
	/* that the master is away leaves nothing of what it did before */
	session_fixture_pass(RETRY_MS);
	session_fixture_work();
	logged_stop();
}
