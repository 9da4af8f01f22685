/* SPDX-License-Identifier: BSD-2-Clause */
/* Notices, and rounds of the loop, for a struct notify over a fake session, in virtual time (ms). */
#ifndef TESTS_AGENT_NOTIFY_FIXTURE_H
#define TESTS_AGENT_NOTIFY_FIXTURE_H

#include "agent/notify.h"
#include "tests/fakes/fake_session.h"

enum { NOTIFY_BENCH_PACE = 10 * FAKE_SESSION_KEPT /* lets all that a test sends leave at once */ };

/* No limit that a test would reach. */
extern const struct notify_config notify_fixture_plenty;

/* Begin with a session that is not up; log lines are caught until the end. */
struct notify *notify_fixture_begin(const struct notify_config *config);
void notify_fixture_finish(struct notify *notify);

struct notify_counters notify_fixture_counts(const struct notify *notify);

/* Take a notice of trap 128, which its LID identifies. */
void notify_fixture_take(struct notify *notify, unsigned lid, uint64_t when);

/* Likewise `count` of them, with LIDs from `first` on. */
void notify_fixture_take_many(struct notify *notify, unsigned first, unsigned count, uint64_t when);

/* Take a notice of another trap whose first variable is a LID; behind it is a port, if it has one. */
void notify_fixture_take_trap(struct notify *notify, unsigned trap, unsigned lid, unsigned port,
                              uint64_t when);

/* Rounds of the loop at one time, in which snmpd takes up to `limit`, until there is no more to do. When to
 * go on. */
uint64_t notify_fixture_run(struct notify *notify, uint64_t now, unsigned limit);

/* A check that what snmpd has taken are the notices from `first` on, in order, each once. */
void notify_fixture_check_sent(unsigned first, unsigned count);

#endif
