// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sma/mad/hotplug.h"

enum { EVENT_SIZE = 8192, KERNEL_GROUP = 1 };

struct hotplug {
	int fd;
};

int hotplug_open(struct hotplug **hotplug_out)
{
	const struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP};
	struct hotplug *hotplug = calloc(1, sizeof(*hotplug));
	int rc;

	if (!hotplug)
		return -ENOMEM;
	hotplug->fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
	if (hotplug->fd < 0 || bind(hotplug->fd, (const struct sockaddr *)&address, sizeof(address)) < 0) {
		rc = -errno;
		hotplug_close(hotplug);
		return rc;
	}
	*hotplug_out = hotplug;
	return 0;
}

void hotplug_close(struct hotplug *hotplug)
{
	if (!hotplug)
		return;
	if (hotplug->fd >= 0)
		close(hotplug->fd);
	free(hotplug);
}

int hotplug_fd(const struct hotplug *hotplug)
{
	return hotplug->fd;
}

/* A header, and behind it assignments, each with a zero at its end: among them SUBSYSTEM=infiniband, or
 * infiniband_mad and the like. */
static bool is_infiniband(const char *event, size_t size)
{
	static const char wanted[] = "SUBSYSTEM=infiniband";

	for (size_t at = 0; at < size; at += strnlen(event + at, size - at) + 1) {
		if (size - at >= sizeof(wanted) - 1 && memcmp(event + at, wanted, sizeof(wanted) - 1) == 0)
			return true;
	}
	return false;
}

/* Whoever can send to the socket says no more than that it is time to look. */
bool hotplug_take(struct hotplug *hotplug)
{
	char event[EVENT_SIZE];
	bool found = false;
	ssize_t size;

	while ((size = recv(hotplug->fd, event, sizeof(event), 0)) >= 0 || errno == ENOBUFS || errno == EINTR)
		found = found || size < 0 || is_infiniband(event, (size_t)size);
	return found;
}
