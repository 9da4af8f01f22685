/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a session begins with: Open, a Register for each subtree, an AddAgentCaps for each entry of this
 * agent's sysORTable. Each is sent when the one before it has been answered.
 */
#ifndef AGENT_AGENTX_STEPS_H
#define AGENT_AGENTX_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/protocol.h"

enum { STEPS_MAX_SERVED = 8 };

/* Of registrations (RFC 2741 6.2.3); of two agents with the same subtree, the one with the lower serves it.
 */
enum { STEPS_PRIORITY = 127, STEPS_LOWEST_PRIORITY = 255 };

enum steps_kind { STEPS_OPEN, STEPS_REGISTER, STEPS_ANNOUNCE, STEPS_DONE };

/* Begins with zeros. */
struct steps {
	struct {
		oid name[MAX_OID_LEN];
		size_t length;
	} served[STEPS_MAX_SERVED];
	unsigned served_count;
	bool gives_way; /* registers with the lowest priority: another agent that is there goes on serving */
	enum steps_kind kind;
	unsigned index;
};

/* Have a subtree registered; the name is copied. -ENOSPC: there is no room. */
int steps_serve(struct steps *steps, const oid *name, size_t length);

/* Begin anew, for another session. */
void steps_restart(struct steps *steps);

/* The request to send now, the caller's; NULL when out of memory. False: the last was answered. */
bool steps_request(struct steps *steps, netsnmp_pdu **pdu);

/* Take the response to it. True: go on. A refusal is written to `why`, which is empty otherwise. */
bool steps_respond(struct steps *steps, netsnmp_session *session, const netsnmp_pdu *pdu, char *why,
                   size_t size);

#endif
