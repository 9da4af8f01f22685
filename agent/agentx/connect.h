/* SPDX-License-Identifier: BSD-2-Clause */
/* Connecting to the master agent without waiting. */
#ifndef AGENT_AGENTX_CONNECT_H
#define AGENT_AGENTX_CONNECT_H

#include <netdb.h>
#include <stdint.h>

#include "agent/agentx/address.h"

enum {
	CONNECT_POLL_MS = 20,     /* how often to look whether an attempt has ended */
	CONNECT_LIMIT_MS = 10000, /* for one attempt */
};

/* One attempt. Names are looked up by a thread of the C library. */
struct connect {
	int fd;
	uint64_t until;
	struct gaicb *lookup; /* while a name is looked up */
};

/* Begin to connect to the address, and go on with that. A connected socket, which does not block and is the
 * caller's; -EINPROGRESS: call again in CONNECT_POLL_MS; or why it failed: -EHOSTUNREACH also for a name that
 * has no address, -ETIMEDOUT when CONNECT_LIMIT_MS have passed. */
int connect_start(struct connect *attempt, const struct address *address, uint64_t now);
int connect_continue(struct connect *attempt, uint64_t now);

/* What one can do about an error of the above. */
const char *connect_advice(int rc);

/* Give up, after one of the above returned -EINPROGRESS. */
void connect_stop(struct connect *attempt);

#endif
