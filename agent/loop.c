// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/library/large_fd_set.h>

#include "agent/clock.h"
#include "agent/loop.h"

enum { IDLE_MS = 60000 }; /* the longest sleep */

struct loop {
	struct sma_node *node;
	struct mib *mib;
	netsnmp_large_fd_set readable;
	bool stop;
};

static int signal_fd = -1;

int loop_init(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	if (signal(SIGPIPE, SIG_IGN) == SIG_ERR || sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return signal_fd < 0 ? -errno : 0;
}

static struct timeval until(uint64_t now, uint64_t due)
{
	uint64_t ms = due > now ? due - now : 0;

	if (ms > IDLE_MS)
		ms = IDLE_MS;
	return (struct timeval){.tv_sec = (time_t)(ms / 1000), .tv_usec = (suseconds_t)(ms % 1000 * 1000)};
}

static void watch(struct loop *loop, int fd, int *count)
{
	NETSNMP_LARGE_FD_SET(fd, &loop->readable);
	if (fd >= *count)
		*count = fd + 1;
}

/* Wait for events until `due`. The number of readable descriptors, or -errno. */
static int wait_for_events(struct loop *loop, uint64_t now, uint64_t due)
{
	struct timeval timeout = until(now, due);
	int no_block = 0;
	int count = 0;
	int ready;

	NETSNMP_LARGE_FD_ZERO(&loop->readable);
	snmp_select_info2(&count, &loop->readable, &timeout, &no_block);
	watch(loop, sma_node_fd(loop->node), &count);
	watch(loop, signal_fd, &count);
	ready = netsnmp_large_fd_set_select(count, &loop->readable, NULL, NULL, &timeout);
	if (ready < 0)
		return errno == EINTR ? 0 : -errno;
	return ready;
}

static void take_signals(struct loop *loop)
{
	struct signalfd_siginfo info;

	while (read(signal_fd, &info, sizeof(info)) == sizeof(info))
		loop->stop = true;
}

static void take_events(struct loop *loop)
{
	if (NETSNMP_LARGE_FD_ISSET(signal_fd, &loop->readable))
		take_signals(loop);
	snmp_read2(&loop->readable);
}

static uint64_t do_work(struct loop *loop, uint64_t now)
{
	uint64_t answers = mib_run(loop->mib, now);
	uint64_t requests = sma_node_process(loop->node, now);

	run_alarms();
	netsnmp_check_outstanding_agent_requests();
	return answers < requests ? answers : requests;
}

int loop_run(struct sma_node *node, struct mib *mib)
{
	struct loop loop = {.node = node, .mib = mib};
	int rc = 0;

	netsnmp_large_fd_set_init(&loop.readable, FD_SETSIZE);
	while (!loop.stop && rc >= 0) {
		uint64_t now = clock_ms();
		uint64_t due = do_work(&loop, now);

		rc = wait_for_events(&loop, now, due);
		if (rc > 0)
			take_events(&loop);
	}
	netsnmp_large_fd_set_cleanup(&loop.readable);
	return rc < 0 ? rc : 0;
}
