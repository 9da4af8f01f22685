/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests of the master agent: some are refused, the others answered by Net-SNMP's agent library. */
#ifndef AGENT_AGENTX_ANSWER_H
#define AGENT_AGENTX_ANSWER_H

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

/* Answer a request that came on `session`, now or later (RFC 2741 7.2.2 to 7.2.4). The answer is built with
 * `serial` as its session identifier, and is sent only if the session at this address still has that serial
 * then. Requests of another session are refused with notOpen; so are TestSet, CommitSet and UndoSet, for
 * nothing is writable. What a master agent has no reason to send is ignored. `pdu` stays the caller's. */
void answer_request(netsnmp_session *session, int request, netsnmp_pdu *pdu, long serial);

#endif
