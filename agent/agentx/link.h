/* SPDX-License-Identifier: BSD-2-Clause */
/* One connection with the master agent: a session of Net-SNMP, which reads it and answers its requests. */
#ifndef AGENT_AGENTX_LINK_H
#define AGENT_AGENTX_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/liveness.h"

struct link {
	netsnmp_session *session;     /* NULL: there is none */
	netsnmp_transport *transport; /* of the session */
	long serial;                  /* unique among the links of this process */
	uint64_t heard;               /* when the master last sent anything, as clock_ms */
	struct liveness liveness;
	uint32_t uptime;    /* the master's sysUpTime */
	uint64_t uptime_at; /* at this time */
	char fault[256];    /* why the connection is of no more use; empty while it is */
};

/* Take over a connected socket that does not block. -ENOMEM; the socket is closed then. */
int link_open(struct link *link, int fd);

/* Free what belongs to it. Not from within a callback of Net-SNMP. */
void link_close(struct link *link);

/* Send a PDU, which is taken over; NULL counts as out of memory. `respond` is called with the response, and
 * otherwise at link_close. -ENOMEM, or -EINVAL when it cannot be encoded. */
int link_send(struct link *link, netsnmp_pdu *pdu, netsnmp_callback respond, void *arg);

/* The same with a request whose response shows whether the master is alive. One that cannot be sent is a
 * fault of the link. */
void link_ask(struct link *link, netsnmp_pdu *pdu, netsnmp_callback respond, void *arg);

/* To be called first by the `respond` of link_send, and by that of link_ask: note that the master is alive.
 * False: this is no response. */
bool link_is_response(struct link *link, int operation, const netsnmp_pdu *pdu);
bool link_is_answer(struct link *link, int operation, const netsnmp_pdu *pdu);

/* Note why the connection is of no more use, unless there is a reason already. */
void link_fail(struct link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Send what can be sent. Whether something is still to be sent. */
bool link_flush(struct link *link);

/* The master's sysUpTime now. */
uint32_t link_uptime(const struct link *link);

/* Send a Close, and read until the master has answered it, but not longer than `limit_ms`. */
void link_shut_down(struct link *link, unsigned limit_ms);

#endif
