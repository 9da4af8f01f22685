/* SPDX-License-Identifier: BSD-2-Clause */
/* The numbers and names of AgentX (RFC 2741), as Net-SNMP's agent library uses them. */
#ifndef AGENT_AGENTX_PROTOCOL_H
#define AGENT_AGENTX_PROTOCOL_H

enum { AGENTX_VERSION_1 = 0xC1 }; /* the version of a session, in Net-SNMP's numbers */
enum { AGENTX_TCP_PORT = 705 };
enum { AGENTX_PACKET_MAX = 65536 }; /* octets; the library parses no more */
enum { AGENTX_FLAG_CONTEXT = 0x08, AGENTX_FLAG_NETWORK_BYTE_ORDER = 0x10 }; /* RFC 2741 6.1: h.flags */

/* RFC 2741 6.1: h.type */
enum agentx_type {
	AGENTX_OPEN = 1,
	AGENTX_CLOSE = 2,
	AGENTX_REGISTER = 3,
	AGENTX_UNREGISTER = 4,
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
const char *protocol_error_name(long error);
const char *protocol_reason_name(long reason);

#endif
