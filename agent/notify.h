/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices that become notifications: a limit of their rate, a queue while snmpd is away, and a pace at which
 * they leave, one after another (agent/in_flight.h).
 *
 * The rate is limited apart for traps about a state and for all others, so that link states are told during a
 * storm of bad keys (agent/rate.h), and so are their places in the queue (agent/queue.h). Of states over the
 * rate the latest are told when there is room for them (agent/latest.h).
 */
#ifndef AGENT_NOTIFY_H
#define AGENT_NOTIFY_H

#include "sma/notice/notice.h"

/* The arcs of the project's own MIB, separated by commas. ibsmadNoticeTime is { IBSMAD_MIB_OID 1 3 6 }. */
#ifndef IBSMAD_MIB_OID
#define IBSMAD_MIB_OID 1, 3, 6, 1, 4, 1, 8072, 9999, 9999, 117
#endif

struct notify_config {
	unsigned rate;  /* notifications a second, 1.., of traps about a state and of the others each */
	unsigned burst; /* so many at once, 1.., likewise */
	unsigned queue; /* so many may wait, 1.., likewise */
	unsigned pace;  /* so many of both leave a second, 1.. */
};

struct notify_counters {
	uint64_t sent;      /* snmpd has taken them */
	uint64_t held_back; /* over the rate */
	uint64_t dropped;   /* the queue was full, or as in agent/in_flight.h */
	unsigned queued;    /* at present, with the one on its way and states that wait for the rate */
};

struct notify;

/* NULL when out of memory. */
struct notify *notify_new(const struct notify_config *config);

/* Go on with another configuration; what waits is kept, but for the oldest if the queue gets too short.
 * -ENOMEM: nothing is changed. */
int notify_configure(struct notify *notify, const struct notify_config *config);

/* Send the M_Key of trap 256 from now on, or zeros, as a new `notify` does; what waits included. */
void notify_expose_keys(struct notify *notify, bool expose);

/* After session_stop, with which a notification that is on its way comes to its end. NULL is allowed. */
void notify_free(struct notify *notify);

/* Take a notice to be sent: an sma_notice_sink, `arg` is the struct notify. */
void notify_take(void *arg, const struct sma_notice *notice);

/* Send what can be sent: a loop_work, `arg` is the struct notify. It comes after session_process and after
 * whatever calls notify_take, so that it finds in the same round what they left. */
uint64_t notify_process(void *arg, uint64_t now);

/* The end is near: from now on what waits leaves as fast as snmpd takes it, as it would be lost otherwise. */
void notify_finish(struct notify *notify);

/* Whether nothing waits or is on its way. */
bool notify_is_idle(const struct notify *notify);

/* Log what remains to be said at the end: what is not sent, and what was held back or lost lately. */
void notify_end(const struct notify *notify);

void notify_count(const struct notify *notify, struct notify_counters *counters);

#endif
