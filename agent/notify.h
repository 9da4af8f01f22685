/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices become notifications: their rate is limited, they wait in a queue while snmpd is away, and leave
 * one after another at a limited pace (agent/in_flight.h).
 *
 * Traps about a state have a limit of their own, so that link states are reported during a storm of bad keys
 * (agent/rate.h), and places of their own in the queue (agent/queue.h). Of states over the rate the latest
 * are kept until it allows them (agent/latest.h).
 */
#ifndef AGENT_NOTIFY_H
#define AGENT_NOTIFY_H

#include "mib/mib.h"

/* The arcs of the project's own MIB, separated by commas. ibsmadNoticeTime is { IBSMAD_MIB_OID 1 3 6 }. */
#ifndef IBSMAD_MIB_OID
#define IBSMAD_MIB_OID 1, 3, 6, 1, 4, 1, 8072, 9999, 9999, 117
#endif

struct notify_config {
	unsigned rate;  /* notifications a second, 1..; for traps about a state and for the others each */
	unsigned burst; /* so many at once, 1..; for each of the two */
	unsigned queue; /* so many may wait, 1..; for each of the two */
	unsigned pace;  /* so many leave a second, 1..; of both together */
};

struct notify_counters {
	uint64_t sent;      /* snmpd has accepted them */
	uint64_t held_back; /* over the rate */
	uint64_t dropped;   /* the queue was full, or as in agent/in_flight.h */
	unsigned queued;    /* at present, with the one in flight and the states that wait for the rate */
};

struct notify;

/* NULL when out of memory. Notifications leave through `sender`. */
struct notify *notify_new(const struct notify_config *config, const struct mib_sender *sender);

/* Change the configuration; what waits is kept, but for the oldest ones if the queue becomes too short.
 * -ENOMEM: nothing is changed. */
int notify_configure(struct notify *notify, const struct notify_config *config);

/* Whether the M_Key of trap 256 is sent from now on, also in what waits; zeros are sent until this is set. */
void notify_expose_keys(struct notify *notify, bool expose);

/* After session_stop, which reports the outcome of the notification that is in flight. NULL is allowed. */
void notify_free(struct notify *notify);

/* Take a notice to be sent: an sma_notice_sink, `arg` is the struct notify. */
void notify_take(void *arg, const struct sma_notice *notice);

/* Send what can be sent: a loop_work, `arg` is the struct notify. It follows session_process and whatever
 * calls notify_take, so that it handles in the same round what they leave. */
uint64_t notify_process(void *arg, uint64_t now);

/* Before the shutdown: let what waits leave as fast as snmpd accepts it from now on, as it would be lost
 * otherwise. */
void notify_finish(struct notify *notify);

/* Whether nothing waits or is in flight. */
bool notify_is_idle(const struct notify *notify);

/* At the shutdown: log what was not sent, and what was held back or dropped and not logged yet. */
void notify_end(const struct notify *notify);

/* What became of all notices so far. */
void notify_count(const struct notify *notify, struct notify_counters *counters);

#endif
