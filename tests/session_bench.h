/* SPDX-License-Identifier: BSD-2-Clause */
/* The AgentX session of this process, a fake master agent, and a clock that a test sets. */
#ifndef TESTS_SESSION_BENCH_H
#define TESTS_SESSION_BENCH_H

#include "agent/session.h"
#include "tests/fake_master.h"

struct session_bench {
	struct master master;
	struct master_pdu pdu; /* the last that came */
	uint32_t uptime;       /* with which it accepts the session */
};

/* The clock. */
void session_bench_pass(uint64_t ms);

/* Prepare the process, once, before the tests: the session serves 1.3.6.1.3.117.3, and announces it. */
bool session_bench_init(void);

/* A master that has accepted the session; log lines are caught. */
void session_bench_open(struct session_bench *bench, bool tcp);

/* Let the session notice that the master has gone. */
void session_bench_close(struct session_bench *bench);

/* Do what there is to do for the session, without letting the clock go on. */
void session_bench_work(void);

/* Work until the master has a PDU, or a connection; false and a failed check when it comes not soon. */
bool session_bench_take(struct session_bench *bench, uint8_t type);
bool session_bench_accept(struct session_bench *bench);

/* In how many ms the session wants to be called again, at the latest; UINT64_MAX: never. */
uint64_t session_bench_due(void);

/* Nothing comes from the session. */
void session_bench_quiet(struct session_bench *bench);

/* For how many seconds Net-SNMP would have the loop sleep. */
uint64_t session_bench_sleep(void);

/* Accept the session: answer what it begins with. */
void session_bench_come_up(struct session_bench *bench);

#endif
