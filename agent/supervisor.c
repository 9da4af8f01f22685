// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/supervisor.h"
#include "sma/log.h"

static struct sockaddr_un address;
static socklen_t address_length; /* 0: there is no service manager */
static uint64_t watchdog_ms;     /* how often to notify the watchdog; 0: there is none */
static uint64_t next_at;

static void find_socket(void)
{
	const char *path = getenv("NOTIFY_SOCKET");

	if (!path || (path[0] != '/' && path[0] != '@') || strlen(path) >= sizeof(address.sun_path))
		return;
	address.sun_family = AF_UNIX;
	memcpy(address.sun_path, path, strlen(path));
	address_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
	if (path[0] == '@') /* an abstract socket */
		address.sun_path[0] = '\0';
}

/* The watchdog is meant for the process that WATCHDOG_PID names. */
static void find_watchdog(void)
{
	const char *usec = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");

	if (usec && (!pid || strtol(pid, NULL, 10) == getpid()))
		watchdog_ms = strtoull(usec, NULL, 10) / 1000 / 2;
}

void supervisor_init(void)
{
	find_socket();
	find_watchdog();
}

void supervisor_notify(const char *state)
{
	int fd;

	if (!address_length)
		return;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address,
	                     address_length) < 0)
		sma_log(SMA_LOG_DEBUG, "agent", "the service manager could not be sent %s: %s", state,
		        strerror(errno));
	if (fd >= 0)
		close(fd);
}

uint64_t supervisor_process(void *arg, uint64_t now)
{
	(void)arg;
	if (!address_length || !watchdog_ms)
		return UINT64_MAX;
	if (now >= next_at) {
		supervisor_notify("WATCHDOG=1");
		next_at = now + watchdog_ms;
	}
	return next_at;
}
