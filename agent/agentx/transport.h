/* SPDX-License-Identifier: BSD-2-Clause */
/* A connected stream socket as a transport of Net-SNMP that never waits. */
#ifndef AGENT_AGENTX_TRANSPORT_H
#define AGENT_AGENTX_TRANSPORT_H

#include <stdbool.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

enum { TRANSPORT_BACKLOG_MAX = 1 << 20 }; /* bytes that the peer has not taken; more ends the connection */

/* Take over a connected socket that does not block. What the peer does not take at once is kept and sent by
 * transport_flush; a peer that is gone is noticed by reading, so that what it sent before is read first. NULL
 * when out of memory, and then the socket is closed. */
netsnmp_transport *transport_new(int fd);

/* Send more of what is kept. Whether any is left. */
bool transport_flush(netsnmp_transport *transport);

#endif
