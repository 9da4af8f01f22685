/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AgentX (RFC 2741) as Net-SNMP's agent library speaks it: what the library exports and no header of it
 * declares, and the numbers of the protocol. Include Net-SNMP's headers first.
 */
#ifndef AGENT_AGENTX_AGENTX_H
#define AGENT_AGENTX_AGENTX_H

#include <stddef.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

enum { AGENTX_VERSION_1 = 0xC1 }; /* the version of a session, in Net-SNMP's numbers */
enum { AGENTX_TCP_PORT = 705 };
enum { AGENTX_PACKET_MAX = 65536 }; /* more the library does not parse */
enum { AGENTX_FLAG_NETWORK_BYTE_ORDER = 0x10 };

/* RFC 2741 6.1: h.type */
enum agentx_type {
	AGENTX_OPEN = 1,
	AGENTX_CLOSE = 2,
	AGENTX_REGISTER = 3,
	AGENTX_GET = 5,
	AGENTX_GET_NEXT = 6,
	AGENTX_GET_BULK = 7,
	AGENTX_TEST_SET = 8,
	AGENTX_COMMIT_SET = 9,
	AGENTX_UNDO_SET = 10,
	AGENTX_CLEANUP_SET = 11,
	AGENTX_NOTIFY = 12,
	AGENTX_PING = 13,
	AGENTX_ADD_AGENT_CAPS = 16,
	AGENTX_RESPONSE = 18,
};

/* RFC 2741 6.2.16: res.error, beside those of SNMP */
enum agentx_error {
	AGENTX_NO_ERROR = 0,
	AGENTX_NOT_OPEN = 257,
	AGENTX_DUPLICATE_REGISTRATION = 263,
};

/* RFC 2741 6.2.2: c.reason */
enum agentx_reason { AGENTX_REASON_SHUTDOWN = 5 };

/* The name of an error, and of the reason of a Close, as the RFC writes it. */
const char *agentx_error_name(long error);
const char *agentx_reason_name(long reason);

/* ---- of Net-SNMP's agent library ---- */

/* The session of this process's own agent, which answers what handle_agentx_packet gives it. */
extern netsnmp_session *agentx_callback_sess;

/* Begins to connect, and waits for that: a callback of POST_READ_CONFIG. */
int subagent_startup(int major, int minor, void *server, void *client);

/* Have the agent answer a request; the answer leaves by `session`. */
int handle_agentx_packet(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *magic);

int agentx_parse(netsnmp_session *session, netsnmp_pdu *pdu, u_char *data, size_t length);
int agentx_realloc_build(netsnmp_session *session, netsnmp_pdu *pdu, u_char **buffer, size_t *size,
                         size_t *length);
int agentx_check_packet(u_char *data, size_t length);

#endif
