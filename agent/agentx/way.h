/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A notification on its way to snmpd. One whose session ends before snmpd has taken it is sent again, unless
 * that happens three times in a row with the same one: then it is likely what ends the sessions, and those
 * behind it would wait for ever.
 */
#ifndef AGENT_AGENTX_WAY_H
#define AGENT_AGENTX_WAY_H

#include "agent/tally.h"
#include "sma/notice/notice.h"

/* All zero: nothing is on it, and nothing was. */
struct way {
	bool taken; /* by `notice`, until it has come to its end */
	struct sma_notice notice;
	bool expose_keys; /* of M_Keys; set by the owner */

	/* what became of those before */
	uint64_t sent;
	uint64_t dropped; /* could not be encoded, were refused by snmpd, or ended each session */
	unsigned waited;  /* late ones (agent/stamp.h) that were sent; the owner sets it to 0 again */

	/* its own */
	bool busy; /* snmpd has it, and has not answered */
	bool late;
	bool refused;        /* by the session, for a reason that was logged */
	unsigned attempts;   /* that ended the session */
	struct tally failed; /* notices that make no notification */
};

/* Take a notice on the way, on which there is none. */
void way_take(struct way *way, const struct sma_notice *notice);

/* Send the notice, which is not busy, while the session is up. Returns when to look again: UINT64_MAX for
 * when snmpd has answered. It is done with when `taken` is false. */
uint64_t way_send(struct way *way, uint64_t now);

/* How long ago a notice arose, in ms. */
uint64_t way_age(const struct sma_notice *notice, uint64_t now);

#endif
