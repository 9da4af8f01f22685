/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The notification that is being sent to snmpd. One whose session ends before snmpd has accepted it is sent
 * again, but not more than three times: then it is probably what ends the sessions, and those behind it would
 * never leave.
 */
#ifndef AGENT_IN_FLIGHT_H
#define AGENT_IN_FLIGHT_H

#include "agent/trap_counts.h"
#include "mib/mib.h"
#include "sma/notice/notice.h"

/* All zero: there is none, and was none. */
struct in_flight {
	bool taken; /* there is one, `notice` */
	struct sma_notice notice;
	bool expose_keys; /* of M_Keys; set by the owner */

	/* of those before */
	uint64_t sent;
	uint64_t dropped; /* could not be encoded, were refused by snmpd, or ended each session */
	unsigned waited;  /* late ones (agent/notify_time.h) that were sent; the owner sets it back to 0 */

	/* internal */
	bool busy; /* snmpd has it, and has not answered */
	bool late;
	bool refused;              /* by the session, for a reason that was logged */
	unsigned attempts;         /* that ended the session */
	struct trap_counts failed; /* notices that make no notification */
};

/* Take a notice, while there is none. */
void in_flight_take(struct in_flight *in_flight, const struct sma_notice *notice);

/* Send the notice, which is not busy, through a sender that is ready at the given sysUpTime. Returns when to
 * call again: UINT64_MAX for when snmpd has answered. It is done with when `taken` is false. */
uint64_t in_flight_send(struct in_flight *in_flight, const struct mib_sender *sender, uint32_t uptime,
                        uint64_t now);

/* How long ago a notice arose, in ms. */
uint64_t in_flight_age(const struct sma_notice *notice, uint64_t now);

#endif
