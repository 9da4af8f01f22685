/* SPDX-License-Identifier: BSD-2-Clause */
/* The AgentX PDUs that a subagent sends (RFC 2741 6.2). Each is the caller's; NULL when out of memory. A
 * context of "" or NULL is the default one. */
#ifndef AGENT_AGENTX_PDU_H
#define AGENT_AGENTX_PDU_H

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/protocol.h"

/* `timeout`: seconds that the master is to wait for a response, 0..255; 0: as it is configured. */
netsnmp_pdu *pdu_open(unsigned timeout, const char *description);
netsnmp_pdu *pdu_close(enum agentx_reason reason);
/* `priority` (RFC 2741 6.2.3): of two agents that register the same, the one with the lower serves it. */
netsnmp_pdu *pdu_register(const char *context, const oid *name, size_t length, unsigned char priority);
netsnmp_pdu *pdu_unregister(const char *context, const oid *name, size_t length, unsigned char priority);
netsnmp_pdu *pdu_add_capability(const oid *name, size_t length, const char *description);
netsnmp_pdu *pdu_notify(const char *context, const netsnmp_variable_list *varbinds);
netsnmp_pdu *pdu_ping(void);

#endif
