// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/agentx/connect.h"

/* An attempt that has a socket, or none yet. */
static int connected(struct connect *attempt)
{
	int fd = attempt->fd;

	attempt->fd = -1;
	return fd;
}

static int failed(struct connect *attempt, int rc)
{
	connect_stop(attempt);
	return rc;
}

static int connect_to(struct connect *attempt, const struct sockaddr *to, socklen_t size)
{
	attempt->fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (attempt->fd < 0)
		return -errno;
	if (connect(attempt->fd, to, size) == 0)
		return connected(attempt);
	return errno == EINPROGRESS ? -EINPROGRESS : failed(attempt, -errno);
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

static int start_lookup(struct connect *attempt, const struct address *address)
{
	attempt->lookup = new_lookup(address);
	if (!attempt->lookup)
		return -ENOMEM;
	if (getaddrinfo_a(GAI_NOWAIT, &attempt->lookup, 1, NULL) == 0)
		return -EINPROGRESS;
	free_lookup(attempt->lookup);
	attempt->lookup = NULL;
	return -EAGAIN;
}

static int finish_lookup(struct connect *attempt)
{
	struct gaicb *lookup = attempt->lookup;
	int rc = gai_error(lookup);

	if (rc == EAI_INPROGRESS)
		return -EINPROGRESS;
	attempt->lookup = NULL;
	if (rc == 0)
		rc = connect_to(attempt, lookup->ar_result->ai_addr, lookup->ar_result->ai_addrlen);
	else
		rc = -EHOSTUNREACH;
	free_lookup(lookup);
	return rc;
}

/* A numeric address needs no lookup. */
static int connect_to_number(struct connect *attempt, const struct address *address)
{
	const struct addrinfo hints = {.ai_family = address->family,
	                               .ai_socktype = SOCK_STREAM,
	                               .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
	struct addrinfo *found;
	int rc;

	if (getaddrinfo(address->host, address->port, &hints, &found) != 0)
		return start_lookup(attempt, address);
	rc = connect_to(attempt, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	return rc;
}

/* ---- attempts ---- */

int connect_start(struct connect *attempt, const struct address *address, uint64_t now)
{
	attempt->until = now + CONNECT_LIMIT_MS;
	attempt->fd = -1;
	attempt->lookup = NULL;
	if (address->family == AF_UNIX)
		return connect_to(attempt, (const struct sockaddr *)&address->path, sizeof(address->path));
	return connect_to_number(attempt, address);
}

static int finish_connect(struct connect *attempt)
{
	struct pollfd waits = {.fd = attempt->fd, .events = POLLOUT};
	socklen_t size = sizeof(int);
	int error = 0;

	if (poll(&waits, 1, 0) <= 0)
		return -EINPROGRESS;
	if (getsockopt(attempt->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	return error ? failed(attempt, -error) : connected(attempt);
}

int connect_continue(struct connect *attempt, uint64_t now)
{
	int rc = attempt->lookup ? finish_lookup(attempt) : finish_connect(attempt);

	return rc == -EINPROGRESS && now >= attempt->until ? failed(attempt, -ETIMEDOUT) : rc;
}

void connect_stop(struct connect *attempt)
{
	/* a lookup that cannot be cancelled is left to its thread */
	if (attempt->lookup && gai_cancel(attempt->lookup) == EAI_CANCELED)
		free_lookup(attempt->lookup);
	attempt->lookup = NULL;
	if (attempt->fd >= 0)
		close(attempt->fd);
	attempt->fd = -1;
}

const char *connect_advice(int rc)
{
	switch (-rc) {
	case ENOENT:
	case ECONNREFUSED:
		return "is snmpd running, with \"master agentx\"?";
	case EACCES:
		return "may ibsmad use the socket (agentXPerms in snmpd.conf(5)), and enter its directory "
		       "(chmod "
		       "0755)?";
	case EAGAIN:
		return "snmpd does not accept connections";
	default:
		return "is the machine up, and snmpd running, with \"master agentx\"?";
	}
}
