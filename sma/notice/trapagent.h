/* SPDX-License-Identifier: BSD-2-Clause */
/* Traps that arrive on QP0, and the TrapRepress that stops their repetition (IBA 13.4.9, 14.2.4). */
#ifndef NOTICE_TRAPAGENT_H
#define NOTICE_TRAPAGENT_H

#include "sma/iba/iba.h"
#include "sma/mad/mad.h"
#include "sma/notice/facts.h"
#include "sma/notice/found.h"

struct trapagent;

/* Take the Traps that come in at the management port of `node`, which must outlive the agent, and give their
 * Notices to `found`. Nothing is listened to before trapagent_facts. NULL when out of memory. */
struct trapagent *trapagent_new(struct sma_node *node, notice_found *found, void *arg);

/* Stop listening, and free. NULL is allowed. */
void trapagent_free(struct trapagent *agent);

/* Tell what the port is like now; called in each round. Traps go to the master SM, so they are listened to
 * while its LID is the port's own; where another program holds them, not again before the facts change. */
void trapagent_facts(struct trapagent *agent, const struct facts *facts);

/* A MAD came in on QP0. A Trap is answered and passed on. False: it is none. Called by the node. */
bool trapagent_take(struct trapagent *agent, const struct sma_mail *mail);

/* Whether Traps are listened to. */
bool trapagent_is_active(const struct trapagent *agent);

#endif
