/* SPDX-License-Identifier: BSD-2-Clause */
/* The AgentX session of this process, a fake master agent, and a clock that a test sets. */
#ifndef TESTS_AGENT_SESSION_FIXTURE_H
#define TESTS_AGENT_SESSION_FIXTURE_H

#include "agent/agentx/agentx.h"
#include "tests/fakes/fake_master.h"

struct session_fixture {
	struct master master;
	struct master_pdu pdu; /* the last that came */
	uint32_t uptime;       /* with which it accepts the session */
};

/* The clock. */
void session_fixture_pass(uint64_t ms);

/* Prepare the process, once, before the tests: the session serves 1.3.6.1.3.117.3, and announces it. */
bool session_fixture_init(void);

/* A master that has accepted the session; log lines are caught. */
void session_fixture_open(struct session_fixture *fixture, bool tcp);

/* Let the session notice that the master has gone. */
void session_fixture_close(struct session_fixture *fixture);

/* Do what there is to do for the session, without letting the clock go on. */
void session_fixture_work(void);

/* Work until the master has a PDU, or a connection; false and a failed check when it comes not soon. */
bool session_fixture_take(struct session_fixture *fixture, uint8_t type);
bool session_fixture_accept(struct session_fixture *fixture);

/* In how many ms the session wants to be called again, at the latest; UINT64_MAX: never. */
uint64_t session_fixture_due(void);

/* Nothing comes from the session. */
void session_fixture_quiet(struct session_fixture *fixture);

/* For how many seconds Net-SNMP would have the loop sleep. */
uint64_t session_fixture_sleep(void);

/* Accept the session: answer what it begins with. */
void session_fixture_come_up(struct session_fixture *fixture);

#endif
