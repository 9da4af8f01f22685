// SPDX-License-Identifier: BSD-2-Clause
#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/agent/agent_sysORTable.h>

#include <net-snmp/library/large_fd_set.h>

#include "agent/clock.h"
#include "tests/logged.h"
#include "tests/session_bench.h"
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

void session_bench_pass(uint64_t ms)
{
	now += ms;
}

bool session_bench_init(void)
{
	session_init();
	register_sysORTable(served, OID_LENGTH(served), "for a test");
	session_set_address("/nonexistent/master");
	if (session_serve(served, OID_LENGTH(served)) < 0)
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

void session_bench_work(void)
{
	for (unsigned idle = 0, i = 0; i < TURNS && idle < idle_turns; i++)
		idle = turn() ? 0 : idle + 1;
}

uint64_t session_bench_due(void)
{
	uint64_t due = session_process(NULL, now);

	if (due == UINT64_MAX)
		return due;
	return CHECK(due >= now) ? due - now : 0;
}

bool session_bench_take(struct session_bench *bench, uint8_t type)
{
	for (unsigned i = 0; i < TURNS; i++) {
		if (master_take(&bench->master, &bench->pdu))
			return CHECK_EQUAL(bench->pdu.type, type);
		turn();
	}
	return CHECK(!"a PDU in time");
}

bool session_bench_accept(struct session_bench *bench)
{
	for (unsigned i = 0; i < TURNS; i++) {
		if (master_accept(&bench->master))
			return true;
		turn();
	}
	return CHECK(!"a connection in time");
}

void session_bench_quiet(struct session_bench *bench)
{
	for (unsigned idle = 0, i = 0; i < TURNS && idle < idle_turns; i++) {
		idle = turn() ? 0 : idle + 1;
		if (!CHECK(!master_accept(&bench->master)) ||
		    !CHECK(!master_take(&bench->master, &bench->pdu)))
			return;
	}
}

uint64_t session_bench_sleep(void)
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

void session_bench_come_up(struct session_bench *bench)
{
	static const uint8_t steps[] = {MASTER_OPEN, MASTER_REGISTER, MASTER_ADD_AGENT_CAPS};

	for (unsigned i = 0; i < sizeof(steps); i++) {
		if (!session_bench_take(bench, steps[i]))
			return;
		master_respond(&bench->master, &bench->pdu, bench->uptime, 0);
	}
	for (unsigned i = 0; i < TURNS && !session_is_up(); i++)
		turn();
	CHECK(session_is_up());
}

void session_bench_open(struct session_bench *bench, bool tcp)
{
	idle_turns = tcp ? IDLE_TURNS_TCP : IDLE_TURNS;
	master_open(&bench->master, tcp);
	session_set_address(bench->master.address);
	logged_start(false);
	session_bench_pass(RETRY_MS);
	session_bench_accept(bench);
	session_bench_come_up(bench);
}

void session_bench_close(struct session_bench *bench)
{
	master_close(&bench->master);
	for (unsigned i = 0; i < TURNS && session_is_up(); i++)
		turn();
	session_bench_work();
	CHECK(!session_is_up());
	/* that the master is away leaves nothing of what it did before */
	session_bench_pass(RETRY_MS);
	session_bench_work();
	logged_stop();
}
