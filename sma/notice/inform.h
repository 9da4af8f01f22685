/* SPDX-License-Identifier: BSD-2-Clause */
/* The subscription to traps with subnet administration: InformInfo, Report, ReportResp
 * (IBA 13.4.8.3, 13.4.11, 15.2.5.12, 15.4.2). */
#ifndef NOTICE_INFORM_H
#define NOTICE_INFORM_H

#include "sma/iba/iba.h"
#include "sma/mad/mad.h"
#include "sma/notice/found.h"
#include "sma/notice/local_port.h"

struct inform;

/* Subscribe through the engine of the local port, which stays the caller's: to the traps of that port (by its
 * GID), or of the whole subnet. A subscription is renewed after `refresh_ms`. Reports go to `found`, from
 * within engine_process. NULL when out of memory. */
struct inform *inform_new(struct engine *engine, bool subnet, unsigned refresh_ms, notice_found *found,
                          void *arg);

/* Unsubscribe, without waiting for the answer, and free. NULL is allowed. */
void inform_free(struct inform *inform);

/* Pass on what the port is like now; called in each round. A change of LID, SM LID or GID, or a port that
 * becomes active, subscribes again at once. */
void inform_update(struct inform *inform, const struct local_port *local, uint64_t now);

/* Renew a confirmed subscription at once, unless that is under way. Within 3 s either it is confirmed again
 * or inform_is_active is false. */
void inform_confirm(struct inform *inform, uint64_t now);

/* The SA may have forgotten the subscription: subscribe at once, whatever is under way or waited for. */
void inform_restart(struct inform *inform, uint64_t now);

/* Submit what is due. Returns when to call again, UINT64_MAX while an answer is waited for. */
uint64_t inform_run(struct inform *inform, uint64_t now);

/* Whether the SA has confirmed the subscription. */
bool inform_is_active(const struct inform *inform);

#endif
