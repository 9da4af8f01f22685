/* SPDX-License-Identifier: BSD-2-Clause */
/* The address of a master agent, written as in Net-SNMP's agentXSocket. */
#ifndef AGENT_AGENTX_ADDRESS_H
#define AGENT_AGENTX_ADDRESS_H

#include <netdb.h>
#include <stdbool.h>
#include <sys/un.h>

enum { ADDRESS_HOST_SIZE = 256, ADDRESS_PORT_SIZE = 6 };

struct address {
	int family; /* AF_UNIX, AF_INET or AF_INET6 */
	struct sockaddr_un path;
	char host[ADDRESS_HOST_SIZE]; /* a name or a number */
	char port[ADDRESS_PORT_SIZE]; /* decimal */
};

/*
 * Parse one of
 *     PATH (with a slash)  unix:PATH  local:PATH
 *     PORT  HOST:PORT  HOST  tcp:PORT  tcp:HOST:PORT  tcp:HOST
 *     tcp6:PORT  tcp6:HOST:PORT  tcp6:HOST  with the host in brackets if it is a number
 * The host defaults to localhost, the port to 705. -EINVAL, or -ENAMETOOLONG.
 */
int address_parse(const char *text, struct address *address);

/* Whether it is on this machine. */
bool address_is_local(const struct address *address);

#endif
