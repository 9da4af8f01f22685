/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The set-up of a session: Open, a Register for each subtree, an AddAgentCaps for each entry of this agent's
 * sysORTable. Each is sent when the one before it has been answered.
 */
#ifndef AGENT_AGENTX_SETUP_H
#define AGENT_AGENTX_SETUP_H

#include <stdbool.h>
#include <stddef.h>

#include "agent/agentx/link.h"

enum { SETUP_MAX_SERVED = 8 };

/* Of registrations (RFC 2741 6.2.3): of two agents with the same subtree, the one with the lower value serves
 * it. */
enum { SETUP_PRIORITY = 127, SETUP_LOWEST_PRIORITY = 255 };

enum setup_step { SETUP_OPEN, SETUP_REGISTER, SETUP_ANNOUNCE, SETUP_DONE };

/* Begins with zeros. */
struct setup {
	struct {
		oid name[MAX_OID_LEN];
		size_t length;
	} served[SETUP_MAX_SERVED];
	unsigned served_count;
	bool gives_way; /* registers with the lowest priority: another agent that is there continues to serve
	                 */
	bool is_served; /* it was refused because another agent serves a subtree with the same priority */
	/* of the session that is set up */
	struct link *link;
	void (*done)(void);
	enum setup_step step;
	unsigned index; /* of the request within the step */
};

/* Have a subtree registered; the name is copied. -ENOSPC: there is no room. */
int setup_serve(struct setup *setup, const oid *name, size_t length);

/* Set up a session on a connection, and call `done` when the last request has been answered. A refusal is a
 * fault of the link, which outlives the set-up. That of an AddAgentCaps is only logged. */
void setup_start(struct setup *setup, struct link *link, void (*done)(void));

#endif
