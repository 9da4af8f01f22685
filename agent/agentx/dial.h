/* SPDX-License-Identifier: BSD-2-Clause */
/* Connecting to the master agent without waiting. */
#ifndef AGENT_AGENTX_DIAL_H
#define AGENT_AGENTX_DIAL_H

#include <netdb.h>
#include <stdint.h>

#include "agent/agentx/address.h"

enum {
	DIAL_POLL_MS = 20,     /* how often to look whether an attempt has ended */
	DIAL_LIMIT_MS = 10000, /* for one attempt */
};

/* One attempt. Names are looked up by a thread of the C library. */
struct dial {
	int fd;
	uint64_t until;
	struct gaicb *lookup; /* while a name is looked up */
};

/* Begin to connect to the address, and go on with that. A connected socket, which does not block and is the
 * caller's; -EINPROGRESS: call again in DIAL_POLL_MS; or why it failed: -EHOSTUNREACH also for a name that
 * has no address, -ETIMEDOUT when DIAL_LIMIT_MS have passed. */
int dial_start(struct dial *dial, const struct address *address, uint64_t now);
int dial_continue(struct dial *dial, uint64_t now);

/* What one can do about an error of the above. */
const char *dial_advice(int rc);

/* Give up, after one of the above returned -EINPROGRESS. */
void dial_stop(struct dial *dial);

#endif
