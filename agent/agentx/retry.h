/* SPDX-License-Identifier: BSD-2-Clause */
/* How long to wait for the next attempt with a master agent that is away, or that ends sessions soon. */
#ifndef AGENT_AGENTX_RETRY_H
#define AGENT_AGENTX_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/agentx/backoff.h"

enum {
	/* The longest times between attempts: to connect on this machine, which cost little; to connect to
	 * another; and after sessions, each of which is work for snmpd. */
	RETRY_LOCAL_MS = 1000,
	RETRY_REMOTE_MS = 15000,
	RETRY_ENDED_MS = 15000,
	RETRY_SETTLED_MS = 30000, /* a session that lasts so long does not end soon */
	RETRY_LOGGED = 3,         /* so many sessions that end soon are worth a line each */
};

/* Begins with zeros. */
struct retry {
	struct backoff absent;
	struct backoff ended;
	unsigned ended_soon; /* sessions that were up, one after the other, with the same master */
	uint64_t ended_at;   /* the last session; by the clock of the caller, in ms */
	uint32_t uptime;     /* what was last heard in it of the master's sysUpTime */
};

/* A connection cannot be made. The milliseconds to wait. */
unsigned retry_absent(struct retry *retry, bool is_local);

/* A connection was made. */
void retry_connected(struct retry *retry);

/* A session is up, with a master agent of this sysUpTime. One that has been started since the session before
 * is another one, which has ended none. */
void retry_up(struct retry *retry, uint32_t uptime, uint64_t now);

/* The session that is up lasts for RETRY_SETTLED_MS. */
void retry_settled(struct retry *retry);

/* A session has ended, and was up or not; `uptime` is the last that was heard of the master's sysUpTime. The
 * milliseconds to wait. */
unsigned retry_ended(struct retry *retry, bool was_up, uint32_t uptime, uint64_t now);

/* Whether more than RETRY_LOGGED sessions end soon, which no one wants to read of. */
bool retry_is_quiet(const struct retry *retry);

#endif
