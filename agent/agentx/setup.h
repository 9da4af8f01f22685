/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The set-up of a session: Open, a Register for each subtree of the default context, an AddAgentCaps for each
 * entry of this agent's sysORTable. Each is sent when the one before it has been answered.
 */
#ifndef AGENT_AGENTX_SETUP_H
#define AGENT_AGENTX_SETUP_H

#include <stdbool.h>
#include <stddef.h>

#include "agent/agentx/registrar.h"

enum setup_step { SETUP_OPEN, SETUP_REGISTER, SETUP_ANNOUNCE, SETUP_DONE };

/* Begins with zeros. */
struct setup {
	bool is_served; /* it was refused because another agent serves a subtree with the same priority */
	/* of the session that is set up */
	struct link *link;
	void (*done)(void);
	enum setup_step step;
	unsigned index;          /* of the request within the step */
	struct subtree *subtree; /* that is being registered */
};

/* Set up a session on a connection, and call `done` when the last request has been answered. A refusal is a
 * fault of the link, which outlives the set-up. That of an AddAgentCaps is only logged. */
void setup_start(struct setup *setup, struct link *link, void (*done)(void));

#endif
