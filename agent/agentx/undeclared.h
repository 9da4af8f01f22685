/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What Net-SNMP's agent library exports, ibsmad uses, and no installed header declares. The signatures are
 * those of Net-SNMP 5.9 (agent/mibgroup/agentx/). configure proves that each of these links; its list and
 * this one are the same.
 *
 * They are used because the library's own subagent cannot be: it blocks while it connects, registers and
 * pings, and an snmpd that is stopped would stop the daemon with it.
 */
#ifndef AGENT_AGENTX_UNDECLARED_H
#define AGENT_AGENTX_UNDECLARED_H

#include <stddef.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

/* The session with this process's own agent, which answers what handle_agentx_packet gives it. agentlib_stop
 * closes it before it shuts down the rest of the library, and with it the requests that have not been
 * answered. */
extern netsnmp_session *agentx_callback_sess;

/* The callback of POST_READ_CONFIG that connects, and blocks in it: agentlib_init unregisters it. */
int subagent_startup(int major, int minor, void *server, void *client);

/* A callback of sessions: have this process's agent answer a request; the answer leaves by `session`. The
 * library sets it as the callback of the sessions of its own subagent only. */
int handle_agentx_packet(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *magic);

/* The AgentX codec, as snmp_add_full takes it. The library uses it in its own subagent only. */
int agentx_parse(netsnmp_session *session, netsnmp_pdu *pdu, u_char *data, size_t length);
int agentx_realloc_build(netsnmp_session *session, netsnmp_pdu *pdu, u_char **buffer, size_t *size,
                         size_t *length);
int agentx_check_packet(u_char *data, size_t length);

#endif
