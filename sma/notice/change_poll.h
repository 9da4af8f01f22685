/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices of what is seen by reading: a switch's port states (128), CapabilityMask (144), SystemImageGUID
 * (145), and the counters LocalLinkIntegrityErrors (129) and ExcessiveBufferOverrunErrors (130) of the own
 * ports (PortCounters, IBA 16.1.3.5), which are never cleared.
 *
 * The first reading reports nothing. A reading costs PortInfo of the management port, and on a switch
 * SwitchInfo and PortInfo of each data port, whatever their cache times are; NodeInfo when it is older than
 * its cache time. One that sees changes reads PortInfo of the management port once more, for its LID.
 * PortCounters cost one MAD for each of those ports: on a CA or router that of the management port, on a
 * switch those of all data ports.
 *
 * What another source reports as well is held for a while: sma/notice/change_hold.h.
 */
#ifndef NOTICE_CHANGE_POLL_H
#define NOTICE_CHANGE_POLL_H

#include "sma/iba/iba.h"
#include "sma/mad/mad.h"
#include "sma/notice/found.h"
#include "sma/notice/local_port.h"

struct change_poll;

/* Look at `node` each `interval_ms`, 1..; at the counters through `engine` (NULL: not at all), which stays
 * the caller's, and whose QP1 is that of a port with the number `qp1_port`. NULL when out of memory. */
struct change_poll *change_poll_new(struct sma_node *node, struct engine *engine, unsigned qp1_port,
                                    unsigned interval_ms, notice_found *found, void *arg);

/* NULL is allowed. */
void change_poll_free(struct change_poll *poll);

/* Another source reported a change of the own node, with this trap. */
void change_poll_heard(struct change_poll *poll, unsigned trap, uint64_t now);

/* Do what is due; never waits. To be called in each round of the loop. `is_covered`: another source reports
 * 128, 144 and 145. Returns when to call again. */
uint64_t change_poll_run(struct change_poll *poll, const struct local_port *local, bool is_covered,
                         uint64_t now);

/* Whether a change began to be held since the last call: the other source has to be checked at once. */
bool change_poll_wants_check(struct change_poll *poll);

/* Report now what is held and was not heard. */
void change_poll_flush(struct change_poll *poll);

#endif
