/* SPDX-License-Identifier: BSD-2-Clause */
/* A connected stream socket as a transport of Net-SNMP that never blocks. */
#ifndef AGENT_AGENTX_TRANSPORT_H
#define AGENT_AGENTX_TRANSPORT_H

#include <stdbool.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

enum { TRANSPORT_BACKLOG_MAX = 1 << 20 }; /* bytes that the peer has not accepted; more end the connection */

/* Take over a connected socket that does not block. What the peer does not accept at once is kept, and sent
 * by transport_flush. That the peer has gone is noticed by reading, so that what it sent before is read
 * first. NULL when out of memory; the socket is closed then. */
netsnmp_transport *transport_new(int fd);

/* Send what is kept, as far as possible. Whether any is left. */
bool transport_flush(netsnmp_transport *transport);

#endif
