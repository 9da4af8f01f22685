// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sma/soft/soft.h"
#include "sma/soft/wire/socket.h"

/* An abstract name begins with a NUL. The one at its end is a part of it, too: the client library counts it.
 */
struct address socket_address(const char *base, const char *tail)
{
	struct address a = {.name.sun_family = AF_UNIX};
	int length = snprintf(a.name.sun_path + 1, sizeof(a.name.sun_path) - 1, "%s:%s", base, tail);

	a.size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length + 1);
	return a;
}

static int open_socket(void)
{
	return socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

int socket_bind(const char *base, const char *tail)
{
	const struct address address = socket_address(base, tail);
	int fd = open_socket();
	const int on = 1;
	int rc;

	if (fd < 0)
		return -errno;
	/* before anybody can send */
	if (setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) == 0 &&
	    bind(fd, (const struct sockaddr *)&address.name, address.size) == 0)
		return fd;
	rc = -errno;
	close(fd);
	return rc;
}

/* To connect says so: one that is connected elsewhere refuses it, too. */
bool socket_is_bound(const struct address *address)
{
	int fd = open_socket();
	bool bound = true;

	if (fd < 0)
		return true;
	if (connect(fd, (const struct sockaddr *)&address->name, address->size) < 0)
		bound = errno != ECONNREFUSED;
	close(fd);
	return bound;
}

static uid_t user_of(struct msghdr *header)
{
	struct ucred credentials;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c; c = CMSG_NXTHDR(header, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS)
			continue;
		memcpy(&credentials, CMSG_DATA(c), sizeof(credentials));
		return credentials.uid;
	}
	return SMA_NOBODY;
}

ssize_t socket_receive(int fd, void *bytes, size_t size, struct sender *sender)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(struct ucred))];
	} control;
	struct iovec part = {.iov_base = bytes, .iov_len = size};
	struct msghdr header = {
		.msg_name = &sender->address.name,
		.msg_namelen = sizeof(sender->address.name),
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got = recvmsg(fd, &header, MSG_TRUNC | MSG_CMSG_CLOEXEC);

	if (got < 0)
		return -errno;
	sender->address.size = header.msg_namelen;
	sender->user = user_of(&header);
	return got;
}
