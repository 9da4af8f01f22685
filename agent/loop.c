// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/library/large_fd_set.h>

#include "agent/clock.h"
#include "agent/loop.h"

enum {
	IDLE_MS = 60000, /* the longest sleep */
	MAX_SOURCES = 8,
	END_SECONDS = 2, /* from the signal to the end, whatever hangs */
};

struct source {
	int fd;
	loop_work *work;
	void *arg;
};

static struct source sources[MAX_SOURCES];
static unsigned source_count;
static int stop_fd = -1;

/* A device that hangs must not keep the daemon from ending. */
static void end_now(int number)
{
	(void)number;
	_exit(EXIT_SUCCESS);
}

static void ask_to_stop(int number)
{
	const uint64_t one = 1;

	(void)number;
	alarm(END_SECONDS);
	/* fails only when it was asked so often that the counter is full */
	if (write(stop_fd, &one, sizeof(one)) < 0)
		return;
}

int loop_init(void)
{
	const struct sigaction stop = {.sa_handler = ask_to_stop};
	const struct sigaction end = {.sa_handler = end_now};

	stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stop_fd < 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR || sigaction(SIGTERM, &stop, NULL) < 0 ||
	    sigaction(SIGINT, &stop, NULL) < 0 || sigaction(SIGALRM, &end, NULL) < 0)
		return -errno;
	return 0;
}

int loop_add(int fd, loop_work *work, void *arg)
{
	if (source_count == MAX_SOURCES)
		return -ENOSPC;
	sources[source_count++] = (struct source){fd, work, arg};
	return 0;
}

void loop_forget_fd(int fd)
{
	for (unsigned i = 0; i < source_count; i++) {
		if (sources[i].fd == fd)
			sources[i].fd = -1;
	}
}

static struct timeval until(uint64_t now, uint64_t due)
{
	uint64_t ms = due > now ? due - now : 0;

	if (ms > IDLE_MS)
		ms = IDLE_MS;
	return (struct timeval){.tv_sec = (time_t)(ms / 1000), .tv_usec = (suseconds_t)(ms % 1000 * 1000)};
}

static void watch(netsnmp_large_fd_set *readable, int fd, int *count)
{
	if (fd < 0)
		return;
	NETSNMP_LARGE_FD_SET(fd, readable);
	if (fd >= *count)
		*count = fd + 1;
}

/* Wait for events until `due`. The number of readable descriptors, or -errno. */
static int wait_for_events(netsnmp_large_fd_set *readable, uint64_t now, uint64_t due)
{
	struct timeval timeout = until(now, due);
	int no_block = 0;
	int count = 0;
	int ready;

	NETSNMP_LARGE_FD_ZERO(readable);
	snmp_select_info2(&count, readable, &timeout, &no_block);
	watch(readable, stop_fd, &count);
	for (unsigned i = 0; i < source_count; i++)
		watch(readable, sources[i].fd, &count);
	ready = netsnmp_large_fd_set_select(count, readable, NULL, NULL, &timeout);
	if (ready < 0)
		return errno == EINTR ? 0 : -errno;
	return ready;
}

static uint64_t do_work(uint64_t now)
{
	uint64_t due = UINT64_MAX;

	for (unsigned i = 0; i < source_count; i++) {
		uint64_t next = sources[i].work(sources[i].arg, now);

		if (next < due)
			due = next;
	}
	run_alarms();
	netsnmp_check_outstanding_agent_requests();
	return due;
}

int loop_run(void)
{
	netsnmp_large_fd_set readable;
	bool stop = false;
	int rc = 0;

	netsnmp_large_fd_set_init(&readable, FD_SETSIZE);
	while (!stop && rc >= 0) {
		uint64_t now = clock_ms();

		rc = wait_for_events(&readable, now, do_work(now));
		if (rc > 0) {
			stop = NETSNMP_LARGE_FD_ISSET(stop_fd, &readable);
			snmp_read2(&readable);
		}
	}
	netsnmp_large_fd_set_cleanup(&readable);
	return rc < 0 ? rc : 0;
}
