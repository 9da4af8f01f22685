// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/library/large_fd_set.h>

#include "agent/agentx/answer.h"
#include "agent/agentx/link.h"
#include "agent/agentx/pdu.h"
#include "agent/agentx/protocol.h"
#include "agent/agentx/transport.h"
#include "agent/agentx/undeclared.h"
#include "agent/clock.h"

enum { HEADER_SIZE = 20, AGENTX_VERSION_OCTET = 1 };

/* How long the library waits for a response before it sends a request again, which is never wanted. */
static const long forever = LONG_MAX / 4;

void link_fail(struct link *link, const char *format, ...)
{
	va_list args;

	if (link->fault[0])
		return;
	va_start(args, format);
	vsnprintf(link->fault, sizeof(link->fault), format, args);
	va_end(args);
}

/* ---- receiving ---- */

/* The length of the packet; 0: more is needed to know it. What is no packet is taken whole, for `parse` to
 * refuse. */
static int check(u_char *data, size_t length)
{
	int size = agentx_check_packet(data, length);

	if (data[0] != AGENTX_VERSION_OCTET || size < 0 || size > AGENTX_PACKET_MAX)
		return (int)length;
	return size;
}

static int parse(netsnmp_session *session, netsnmp_pdu *pdu, u_char *data, size_t length)
{
	struct link *link = session->callback_magic;
	int rc = SNMPERR_ASN_PARSE_ERR;

	if (!link->fault[0] && length >= HEADER_SIZE && data[0] == AGENTX_VERSION_OCTET)
		rc = agentx_parse(session, pdu, data, length);
	if (rc != SNMPERR_SUCCESS)
		link_fail(link, "what it sent is not AgentX");
	return rc;
}

/* Requests, and the end of the connection, after which Net-SNMP frees the session. */
static int take_message(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg)
{
	struct link *link = arg;

	if (operation == NETSNMP_CALLBACK_OP_DISCONNECT) {
		link_fail(link, "it closed the connection");
		link->session = NULL;
		link->transport = NULL;
		return 1;
	}
	if (operation != NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE || link->fault[0])
		return 1;
	link->heard = clock_ms();
	if (pdu->command == AGENTX_CLOSE)
		link_fail(link, "it closed the session: %s (%ld)", protocol_reason_name(pdu->errstat),
		          pdu->errstat);
	else
		answer_request(session, request, pdu, link->serial);
	return 1;
}

bool link_is_response(struct link *link, int operation, const netsnmp_pdu *pdu)
{
	if (operation != NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE || link->fault[0])
		return false;
	link->heard = clock_ms();
	link->uptime = (uint32_t)pdu->time;
	link->uptime_at = link->heard;
	return true;
}

bool link_is_answer(struct link *link, int operation, const netsnmp_pdu *pdu)
{
	if (!link_is_response(link, operation, pdu))
		return false;
	liveness_answer(&link->liveness);
	return true;
}

uint32_t link_uptime(const struct link *link)
{
	return (uint32_t)(link->uptime + (clock_ms() - link->uptime_at) / 10);
}

/* ---- sending ---- */

/* The library may answer late, and finds the session to answer on by its address, which may be that of
 * another session by then. So a request carries the serial of its link in place of the master's session
 * identifier until its answer is built. */
static int build(netsnmp_session *session, netsnmp_pdu *pdu, u_char **buffer, size_t *size, size_t *length)
{
	const struct link *link = session->callback_magic;

	if (pdu->command == AGENTX_RESPONSE) {
		if (pdu->sessid != link->serial)
			return -1;
		pdu->sessid = session->sessid;
	}
	return agentx_realloc_build(session, pdu, buffer, size, length);
}

/* ---- opening, sending, closing ---- */

int link_open(struct link *link, int fd)
{
	static long last_serial;
	netsnmp_transport *transport = transport_new(fd);
	netsnmp_session wanted;

	if (!transport)
		return -ENOMEM;
	snmp_sess_init(&wanted);
	wanted.version = AGENTX_VERSION_1;
	wanted.retries = 0;
	wanted.timeout = forever;
	wanted.flags |= SNMP_FLAGS_STREAM_SOCKET;
	wanted.callback = take_message;
	wanted.callback_magic = link;
	*link = (struct link){.transport = transport, .serial = ++last_serial, .heard = clock_ms()};
	link->session = snmp_add_full(&wanted, transport, NULL, parse, NULL, NULL, build, check,
	                              NULL); /* which frees the transport when it fails */
	if (!link->session)
		return -ENOMEM;
	/* the library keeps the number of its own alarm there */
	link->session->securityModel = SNMP_DEFAULT_SECMODEL;
	return 0;
}

void link_close(struct link *link)
{
	if (link->session)
		snmp_close(link->session);
	link->session = NULL;
	link->transport = NULL;
}

int link_send(struct link *link, netsnmp_pdu *pdu, netsnmp_callback respond, void *arg)
{
	if (!pdu)
		return -ENOMEM;
	if (link->session) {
		pdu->sessid = link->session->sessid;
		if (snmp_async_send(link->session, pdu, respond, arg))
			return 0;
	}
	snmp_free_pdu(pdu);
	return -EINVAL;
}

void link_ask(struct link *link, netsnmp_pdu *pdu, netsnmp_callback respond, void *arg)
{
	liveness_ask(&link->liveness, clock_ms());
	if (link_send(link, pdu, respond, arg) < 0)
		link_fail(link, "a request cannot be sent");
}

bool link_flush(struct link *link)
{
	return link->transport && transport_flush(link->transport);
}

/* ---- shutting down ---- */

static int note_closed(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg)
{
	(void)session;
	(void)request;
	if (link_is_response(arg, operation, pdu))
		link_fail(arg, "it has answered the Close");
	return 1;
}

static bool wait_readable(struct link *link, int limit_ms)
{
	struct pollfd waits = {.fd = link->transport->sock, .events = POLLIN};

	return limit_ms > 0 && poll(&waits, 1, limit_ms) > 0;
}

void link_shut_down(struct link *link, unsigned limit_ms)
{
	uint64_t until = clock_ms() + limit_ms;
	netsnmp_large_fd_set readable;

	if (link_send(link, pdu_close(AGENTX_REASON_SHUTDOWN), note_closed, link) < 0)
		return;
	netsnmp_large_fd_set_init(&readable, FD_SETSIZE);
	while (!link->fault[0] && wait_readable(link, (int)(until - clock_ms()))) {
		NETSNMP_LARGE_FD_ZERO(&readable);
		NETSNMP_LARGE_FD_SET(link->transport->sock, &readable);
		snmp_read2(&readable);
	}
	netsnmp_large_fd_set_cleanup(&readable);
}
