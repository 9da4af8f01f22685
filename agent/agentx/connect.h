/* SPDX-License-Identifier: BSD-2-Clause */
/* Connecting to the master agent without blocking. */
#ifndef AGENT_AGENTX_CONNECT_H
#define AGENT_AGENTX_CONNECT_H

#include <netdb.h>
#include <stdint.h>

#include "agent/agentx/address.h"

enum {
	CONNECT_POLL_MS = 20,     /* how often to poll an attempt */
	CONNECT_LIMIT_MS = 10000, /* of one attempt */
};

/* One attempt. Names are looked up by a thread of the C library. */
struct connect {
	int fd;
	uint64_t until;
	struct gaicb *lookup; /* while a name is looked up */
};

/* Start an attempt, and continue it. Both return the connected socket, which does not block and is the
 * caller's; -EINPROGRESS: call connect_continue again in CONNECT_POLL_MS; or why the attempt failed:
 * -EHOSTUNREACH also for a name that has no address, -ETIMEDOUT after CONNECT_LIMIT_MS. */
int connect_start(struct connect *attempt, const struct address *address, uint64_t now);
int connect_continue(struct connect *attempt, uint64_t now);

/* What may fix an error of the above. */
const char *connect_advice(int rc);

/* Give an attempt up while it is in progress. */
void connect_stop(struct connect *attempt);

#endif
