// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/agentx/dial.h"

/* An attempt that has a socket, or none yet. */
static int connected(struct dial *dial)
{
	int fd = dial->fd;

	dial->fd = -1;
	return fd;
}

static int failed(struct dial *dial, int rc)
{
	dial_stop(dial);
	return rc;
}

static int connect_to(struct dial *dial, const struct sockaddr *to, socklen_t size)
{
	dial->fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (dial->fd < 0)
		return -errno;
	if (connect(dial->fd, to, size) == 0)
		return connected(dial);
	return errno == EINPROGRESS ? -EINPROGRESS : failed(dial, -errno);
}

/* ---- names ---- */

static void free_lookup(struct gaicb *lookup)
{
	if (lookup->ar_result)
		freeaddrinfo(lookup->ar_result);
	free((void *)lookup->ar_name);
	free((void *)lookup->ar_service);
	free((void *)lookup->ar_request);
	free(lookup);
}

static struct gaicb *new_lookup(const struct address *address)
{
	struct gaicb *lookup = calloc(1, sizeof(*lookup));
	struct addrinfo *hints = calloc(1, sizeof(*hints));

	if (!lookup || !hints) {
		free(lookup);
		free(hints);
		return NULL;
	}
	hints->ai_family = address->family;
	hints->ai_socktype = SOCK_STREAM;
	lookup->ar_request = hints;
	lookup->ar_name = strdup(address->host);
	lookup->ar_service = strdup(address->port);
	return lookup;
}

static int start_lookup(struct dial *dial, const struct address *address)
{
	dial->lookup = new_lookup(address);
	if (!dial->lookup)
		return -ENOMEM;
	if (getaddrinfo_a(GAI_NOWAIT, &dial->lookup, 1, NULL) == 0)
		return -EINPROGRESS;
	free_lookup(dial->lookup);
	dial->lookup = NULL;
	return -EAGAIN;
}

static int finish_lookup(struct dial *dial)
{
	struct gaicb *lookup = dial->lookup;
	int rc = gai_error(lookup);

	if (rc == EAI_INPROGRESS)
		return -EINPROGRESS;
	dial->lookup = NULL;
	if (rc == 0)
		rc = connect_to(dial, lookup->ar_result->ai_addr, lookup->ar_result->ai_addrlen);
	else
		rc = -EHOSTUNREACH;
	free_lookup(lookup);
	return rc;
}

/* A numeric address needs no looking up. */
static int connect_to_number(struct dial *dial, const struct address *address)
{
	const struct addrinfo hints = {.ai_family = address->family,
	                               .ai_socktype = SOCK_STREAM,
	                               .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
	struct addrinfo *found;
	int rc;

	if (getaddrinfo(address->host, address->port, &hints, &found) != 0)
		return start_lookup(dial, address);
	rc = connect_to(dial, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	return rc;
}

/* ---- attempts ---- */

int dial_start(struct dial *dial, const struct address *address, uint64_t now)
{
	dial->until = now + DIAL_LIMIT_MS;
	dial->fd = -1;
	dial->lookup = NULL;
	if (address->family == AF_UNIX)
		return connect_to(dial, (const struct sockaddr *)&address->path, sizeof(address->path));
	return connect_to_number(dial, address);
}

static int finish_connect(struct dial *dial)
{
	struct pollfd waits = {.fd = dial->fd, .events = POLLOUT};
	socklen_t size = sizeof(int);
	int error = 0;

	if (poll(&waits, 1, 0) <= 0)
		return -EINPROGRESS;
	if (getsockopt(dial->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	return error ? failed(dial, -error) : connected(dial);
}

int dial_continue(struct dial *dial, uint64_t now)
{
	int rc = dial->lookup ? finish_lookup(dial) : finish_connect(dial);

	return rc == -EINPROGRESS && now >= dial->until ? failed(dial, -ETIMEDOUT) : rc;
}

void dial_stop(struct dial *dial)
{
	/* a lookup that cannot be stopped is left to its thread */
	if (dial->lookup && gai_cancel(dial->lookup) == EAI_CANCELED)
		free_lookup(dial->lookup);
	dial->lookup = NULL;
	if (dial->fd >= 0)
		close(dial->fd);
	dial->fd = -1;
}

const char *dial_advice(int rc)
{
	static const struct {
		int error;
		const char *text;
	} advices[] = {
		{ENOENT, "is snmpd running, with \"master agentx\"?"},
		{ECONNREFUSED, "is snmpd running, with \"master agentx\"?"},
		{EACCES, "may ibsmad use the socket (agentXPerms in snmpd.conf(5)), and enter its folder "
	                 "(chmod 0755)?"},
		{EAGAIN, "snmpd does not accept connections"},
	};

	for (size_t i = 0; i < sizeof(advices) / sizeof(advices[0]); i++) {
		if (advices[i].error == -rc)
			return advices[i].text;
	}
	return "is the machine up, and snmpd running, with \"master agentx\"?";
}
