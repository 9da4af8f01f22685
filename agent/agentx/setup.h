/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a session begins with: Open, a Register for each subtree, an AddAgentCaps for each entry of this
 * agent's sysORTable. Each is sent when the one before it has been answered.
 */
#ifndef AGENT_AGENTX_SETUP_H
#define AGENT_AGENTX_SETUP_H

#include <stdbool.h>
#include <stddef.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/protocol.h"

enum { SETUP_MAX_SERVED = 8 };

/* Of registrations (RFC 2741 6.2.3); of two agents with the same subtree, the one with the lower serves it.
 */
enum { SETUP_PRIORITY = 127, SETUP_LOWEST_PRIORITY = 255 };

enum setup_kind { SETUP_OPEN, SETUP_REGISTER, SETUP_ANNOUNCE, SETUP_DONE };

/* Begins with zeros. */
struct setup {
	struct {
		oid name[MAX_OID_LEN];
		size_t length;
	} served[SETUP_MAX_SERVED];
	unsigned served_count;
	bool gives_way; /* registers with the lowest priority: another agent that is there goes on serving */
	enum setup_kind kind;
	unsigned index;
};

/* Have a subtree registered; the name is copied. -ENOSPC: there is no room. */
int setup_serve(struct setup *setup, const oid *name, size_t length);

/* Begin anew, for another session. */
void setup_restart(struct setup *setup);

/* The request to send now, the caller's; NULL when out of memory. False: the last was answered. */
bool setup_request(struct setup *setup, netsnmp_pdu **pdu);

/* Take the response to it. True: go on. A refusal is written to `why`, which is empty otherwise. */
bool setup_respond(struct setup *setup, netsnmp_session *session, const netsnmp_pdu *pdu, char *why,
                   size_t size);

#endif
