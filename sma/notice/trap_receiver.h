/* SPDX-License-Identifier: BSD-2-Clause */
/* Traps that arrive on QP0, and the TrapRepress that stops their repetition (IBA 13.4.9, 14.2.4). */
#ifndef NOTICE_TRAP_RECEIVER_H
#define NOTICE_TRAP_RECEIVER_H

#include "sma/iba/iba.h"
#include "sma/mad/mad.h"
#include "sma/notice/found.h"
#include "sma/notice/local_port.h"

struct trap_receiver;

/* Take the Traps that are sent to the management port of `node`, through the engine of that port; both must
 * outlive the receiver. Their Notices go to `found`, from within engine_process. Nothing is listened to
 * before trap_receiver_update. NULL when out of memory. */
struct trap_receiver *trap_receiver_new(struct engine *engine, const struct sma_node *node,
                                        notice_found *found, void *arg);

/* Stop listening, and free. NULL is allowed. */
void trap_receiver_free(struct trap_receiver *receiver);

/* Pass on what the port is like now; called in each round. Traps go to the master SM, so they are listened to
 * while its LID is the port's own; where another program holds them, not again before the port changes. */
void trap_receiver_update(struct trap_receiver *receiver, const struct local_port *local);

/* Whether Traps are listened to. */
bool trap_receiver_is_active(const struct trap_receiver *receiver);

#endif
