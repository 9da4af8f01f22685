/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests of the master agent: which are refused, and which Net-SNMP's agent library answers. */
#ifndef AGENT_AGENTX_ANSWER_H
#define AGENT_AGENTX_ANSWER_H

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/protocol.h"

/* Answer a request that came by `session`, now or later (RFC 2741 7.2.2 to 7.2.4). The answer is built with
 * `serial` as its session identifier, and sent only if that is still the one of the session with this
 * address. A request of another session is refused with notOpen; TestSet, CommitSet and UndoSet as well, for
 * nothing is writable; what a master agent has no reason to send is passed over. `pdu` stays the caller's. */
void answer_request(netsnmp_session *session, int request, netsnmp_pdu *pdu, long serial);

#endif
