/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices of what is seen by reading: a switch's port states (128), CapabilityMask (144), SystemImageGUID
 * (145), and the counters LocalLinkIntegrityErrors (129) and ExcessiveBufferOverrunErrors (130) of the own
 * ports (PortCounters, IBA 16.1.3.5), which are never cleared.
 *
 * The first reading tells nothing. A reading costs PortInfo of the management port, and on a switch
 * SwitchInfo and PortInfo of each data port; NodeInfo when it is older than its cache time. What is fresh in
 * the cache is not asked for again, so an interval shorter than the cache times sees nothing sooner.
 * PortCounters cost one MAD for each of those ports: on a CA or router that of the management port, on a
 * switch those of all data ports.
 */
#ifndef SMA_POLL_H
#define SMA_POLL_H

#include "sma/facts.h"
#include "sma/notice.h"
#include "sma/qp1.h"

struct poll;

/* Look at `node` each `interval_ms`, 1..; at the counters through `qp1` (NULL: not at all), which stays the
 * caller's. NULL when out of memory. */
struct poll *poll_new(struct sma_node *node, struct sma_qp1 *qp1, unsigned interval_ms, notice_found *found,
                      void *arg);

/* NULL is allowed. */
void poll_free(struct poll *poll);

/* A MAD of the performance class came in on QP1. False: it is none of ours. */
bool poll_take(struct poll *poll, const struct sma_mail *mail, uint64_t now);

/* Go on polling; never waits. To be called in each round of the loop. `covered` says that another source
 * tells of 128, 144 and 145, so that only the counters raise notices; what changed meanwhile is not told
 * later. Returns when to call again. */
uint64_t poll_run(struct poll *poll, const struct facts *facts, bool covered, uint64_t now);

#endif
