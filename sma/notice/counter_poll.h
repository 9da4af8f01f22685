/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counters LocalLinkIntegrityErrors and ExcessiveBufferOverrunErrors of the own ports, asked from the
 * performance management agent (PortCounters, IBA 16.1.3.5). They are read only, never cleared.
 */
#ifndef NOTICE_COUNTER_POLL_H
#define NOTICE_COUNTER_POLL_H

#include "sma/mad/mad.h"
#include "sma/notice/local_port.h"

struct counter_poll;

/* A counter of a port has grown, or was cleared and has grown since; `trap` is the one that goes with it. */
typedef void counter_poll_grown(void *arg, unsigned trap, unsigned port, unsigned from, unsigned to);

/* Ask for the counters of each port once in `interval_ms`, 1.., evenly spread, through the engine of the
 * local port, which stays the caller's; `grown` is called from within engine_process. NULL when out of
 * memory. */
struct counter_poll *counter_poll_new(struct engine *engine, unsigned interval_ms, counter_poll_grown *grown,
                                      void *arg);

/* NULL is allowed. */
void counter_poll_free(struct counter_poll *poll);

/* Ask for what is due of the ports first .. last, none when `last` is smaller; only while the local port is
 * active and has a LID. Returns when to call again. */
uint64_t counter_poll_run(struct counter_poll *poll, const struct local_port *local, unsigned first,
                          unsigned last, uint64_t now);

#endif
