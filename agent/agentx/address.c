// SPDX-License-Identifier: BSD-2-Clause
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agentx/address.h"
#include "agent/agentx/protocol.h"

static const struct {
	const char *prefix;
	int family;
} schemes[] = {
	{"unix:", AF_UNIX}, {"local:", AF_UNIX}, {"tcp:", AF_INET}, {"tcp6:", AF_INET6}, {"tcpv6:", AF_INET6},
};

static int parse_path(const char *text, struct address *address)
{
	size_t length = strlen(text);

	if (length == 0)
		return -EINVAL;
	if (length >= sizeof(address->path.sun_path))
		return -ENAMETOOLONG;
	address->family = AF_UNIX;
	address->path.sun_family = AF_UNIX;
	memcpy(address->path.sun_path, text, length + 1);
	return 0;
}

static bool is_port(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

static int set_port(struct address *address, const char *text)
{
	unsigned long port = strtoul(text, NULL, 10);

	if (!is_port(text) || strlen(text) >= sizeof(address->port) || port == 0 || port > UINT16_MAX)
		return -EINVAL;
	snprintf(address->port, sizeof(address->port), "%lu", port);
	return 0;
}

static int set_host(struct address *address, const char *text, size_t length)
{
	if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
		text++;
		length -= 2;
	}
	if (length == 0 || length >= sizeof(address->host))
		return -EINVAL;
	memcpy(address->host, text, length);
	address->host[length] = '\0';
	return 0;
}

static int parse_host(const char *text, int family, struct address *address)
{
	const char *colon = strrchr(text, ':');
	int rc;

	address->family = family;
	snprintf(address->host, sizeof(address->host), "localhost");
	snprintf(address->port, sizeof(address->port), "%d", AGENTX_TCP_PORT);
	if (is_port(text))
		return set_port(address, text);
	if (!colon || strchr(colon, ']'))
		return set_host(address, text, strlen(text));
	rc = set_host(address, text, (size_t)(colon - text));
	return rc < 0 ? rc : set_port(address, colon + 1);
}

int address_parse(const char *text, struct address *address)
{
	int family = strchr(text, '/') ? AF_UNIX : AF_INET;

	memset(address, 0, sizeof(*address));
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		size_t length = strlen(schemes[i].prefix);

		if (strncmp(text, schemes[i].prefix, length) != 0)
			continue;
		text += length;
		family = schemes[i].family;
		break;
	}
	return family == AF_UNIX ? parse_path(text, address) : parse_host(text, family, address);
}

bool address_is_local(const struct address *address)
{
	return address->family == AF_UNIX || strcmp(address->host, "localhost") == 0 ||
	       strncmp(address->host, "127.", 4) == 0 || strcmp(address->host, "::1") == 0;
}
