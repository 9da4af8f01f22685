/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices of what is seen by reading: a switch's port states (128), CapabilityMask (144), SystemImageGUID
 * (145), and the counters LocalLinkIntegrityErrors (129) and ExcessiveBufferOverrunErrors (130) of the own
 * ports (PortCounters, IBA 16.1.3.5), which are never cleared.
 *
 * The first reading tells nothing. A reading costs PortInfo of the management port, and on a switch
 * SwitchInfo and PortInfo of each data port, whatever their cache times are; NodeInfo when it is older than
 * its cache time. One that sees changes reads PortInfo of the management port once more, for its LID.
 * PortCounters cost one MAD for each of those ports: on a CA or router that of the management port, on a
 * switch those of all data ports.
 *
 * While another source tells of 128, 144 and 145, a change is held for 5 s and told only if no notice of its
 * trap was heard since the reading before began, or as soon as the other source turns out to be out of force:
 * a subscription looks confirmed until it is renewed, though the subnet manager has died or was started
 * again. A change to a state that was told, between two readings with such an end, may be told once more.
 */
#ifndef NOTICE_CHANGE_POLL_H
#define NOTICE_CHANGE_POLL_H

#include "sma/iba/iba.h"
#include "sma/mad/mad.h"
#include "sma/notice/found.h"
#include "sma/notice/local_port.h"

struct change_poll;

/* Look at `node` each `interval_ms`, 1..; at the counters through `qp1` (NULL: not at all), which stays the
 * caller's. NULL when out of memory. */
struct change_poll *change_poll_new(struct sma_node *node, struct sma_qp1 *qp1, unsigned interval_ms,
                                    notice_found *found, void *arg);

/* NULL is allowed. */
void change_poll_free(struct change_poll *poll);

/* A MAD of the performance class came in on QP1. False: it is none of ours. */
bool change_poll_take(struct change_poll *poll, const struct sma_mail *mail, uint64_t now);

/* Another source told of a change of the own node, with this trap. */
void change_poll_heard(struct change_poll *poll, unsigned trap, uint64_t now);

/* Go on polling; never waits. To be called in each round of the loop. `covered` says that another source
 * tells of 128, 144 and 145. Returns when to call again. */
uint64_t change_poll_run(struct change_poll *poll, const struct local_port *local, bool covered,
                         uint64_t now);

/* Whether a change began to be held since the last call: whether the other source is in force has to be found
 * out at once. */
bool change_poll_wants_check(struct change_poll *poll);

/* Tell now what is held and was not heard. */
void change_poll_flush(struct change_poll *poll);

#endif
