/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A notification on its way to snmpd. One whose session ends before snmpd has taken it is sent again, unless
 * that happens three times in a row with the same one: then it is likely what ends the sessions, and those
 * behind it would wait for ever.
 */
#ifndef AGENT_IN_FLIGHT_H
#define AGENT_IN_FLIGHT_H

#include "agent/trap_counts.h"
#include "sma/notice/notice.h"

/* All zero: nothing is on it, and nothing was. */
struct in_flight {
	bool taken; /* by `notice`, until it has come to its end */
	struct sma_notice notice;
	bool expose_keys; /* of M_Keys; set by the owner */

	/* what became of those before */
	uint64_t sent;
	uint64_t dropped; /* could not be encoded, were refused by snmpd, or ended each session */
	unsigned waited;  /* late ones (agent/notify_time.h) that were sent; the owner sets it to 0 again */

	/* its own */
	bool busy; /* snmpd has it, and has not answered */
	bool late;
	bool refused;              /* by the session, for a reason that was logged */
	unsigned attempts;         /* that ended the session */
	struct trap_counts failed; /* notices that make no notification */
};

/* Take a notice on the way, on which there is none. */
void in_flight_take(struct in_flight *in_flight, const struct sma_notice *notice);

/* Send the notice, which is not busy, while the session is up. Returns when to look again: UINT64_MAX for
 * when snmpd has answered. It is done with when `taken` is false. */
uint64_t in_flight_send(struct in_flight *in_flight, uint64_t now);

/* How long ago a notice arose, in ms. */
uint64_t in_flight_age(const struct sma_notice *notice, uint64_t now);

#endif
