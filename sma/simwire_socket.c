// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "sma/simwire_socket.h"

/* An abstract name begins with a NUL. The one at its end is a part of it, too: the client library counts it.
 */
struct address socket_address(const char *base, const char *tail)
{
	struct address a = {.name.sun_family = AF_UNIX};
	int length = snprintf(a.name.sun_path + 1, sizeof(a.name.sun_path) - 1, "%s:%s", base, tail);

	a.size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length + 1);
	return a;
}

int socket_bind(const char *base, const char *tail)
{
	const struct address address = socket_address(base, tail);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int rc;

	if (fd < 0)
		return -errno;
	if (bind(fd, (const struct sockaddr *)&address.name, address.size) == 0)
		return fd;
	rc = -errno;
	close(fd);
	return rc;
}
