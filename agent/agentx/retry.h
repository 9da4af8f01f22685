/* SPDX-License-Identifier: BSD-2-Clause */
/* The delay before the next attempt, with a master agent that is away or that ends sessions early. */
#ifndef AGENT_AGENTX_RETRY_H
#define AGENT_AGENTX_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/agentx/backoff.h"

enum {
	/* The longest delays: between attempts to connect on this machine, which cost little; between those
	 * to connect to another; and after sessions, each of which is work for snmpd. */
	RETRY_LOCAL_MS = 1000,
	RETRY_REMOTE_MS = 15000,
	RETRY_ENDED_MS = 15000,
	RETRY_SETTLED_MS = 30000, /* a session that lasts so long has not ended early */
	RETRY_LOGGED = 3,         /* so many sessions that end early are logged */
};

/* All zero at the start. */
struct retry {
	struct backoff absent;
	struct backoff ended;
	unsigned ended_early; /* sessions that were up, in a row, with the same master */
	uint64_t ended_at;    /* the last session; by the clock of the caller, in ms */
	uint32_t uptime;      /* the master's sysUpTime, as last heard in it */
};

/* Connecting has failed. Returns the delay in ms. */
unsigned retry_absent(struct retry *retry, bool is_local);

/* Connecting has succeeded. */
void retry_connected(struct retry *retry);

/* A session is up, with a master agent of this sysUpTime. One that was started after the previous session
 * ended is another one, which has ended none. */
void retry_up(struct retry *retry, uint32_t uptime, uint64_t now);

/* The session has been up for RETRY_SETTLED_MS. */
void retry_settled(struct retry *retry);

/* A session has ended, whether or not it was up; `uptime` is the master's sysUpTime, as last heard. Returns
 * the delay in ms. */
unsigned retry_ended(struct retry *retry, bool was_up, uint32_t uptime, uint64_t now);

/* Whether RETRY_LOGGED sessions or more have ended early in a row, so that further ones need not be logged.
 */
bool retry_is_quiet(const struct retry *retry);

#endif
