// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/library/large_fd_set.h>

#include "agent/clock.h"
#include "agent/loop.h"
#include "sma/clock.h"

enum {
	IDLE_MS = 60000, /* the longest sleep */
	MAX_SOURCES = 16,
	MAX_SIGNALS = 4,
	WAIT_STEP_MS = 10, /* the work of a round may be what is waited for */
	END_SECONDS = 2,   /* from the signal to the exit, whatever hangs */
};

struct source {
	int fd;
	loop_work *work;
	void *arg;
};

static struct source sources[MAX_SOURCES];
static unsigned source_count;
static struct {
	int number;
	void (*act)(void);
} actions[MAX_SIGNALS];
static unsigned action_count;
static int signals[2] = {-1, -1}; /* a pipe; each byte is the number of a signal */
static bool stopping;
static int failure; /* why, as -errno; 0: it was requested */

/* A device that hangs must not prevent the daemon from exiting. */
static void exit_now(int number)
{
	(void)number;
	_exit(EXIT_SUCCESS);
}

static void note_signal(int number)
{
	const unsigned char byte = (unsigned char)number;
	int before = errno;

	/* fails only when so many wait already that one more does not matter */
	if (write(signals[1], &byte, 1) < 0)
		errno = before;
}

static void ask_to_stop(int number)
{
	alarm(END_SECONDS);
	note_signal(number);
}

int loop_init(void)
{
	const struct sigaction stop = {.sa_handler = ask_to_stop};
	const struct sigaction end = {.sa_handler = exit_now};

	if (pipe2(signals, O_CLOEXEC | O_NONBLOCK) < 0 || sigaction(SIGTERM, &stop, NULL) < 0 ||
	    sigaction(SIGINT, &stop, NULL) < 0 || sigaction(SIGALRM, &end, NULL) < 0)
		return -errno;
	return 0;
}

int loop_on_signal(int number, void (*act)(void))
{
	const struct sigaction note = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	if (action_count == MAX_SIGNALS)
		return -ENOSPC;
	actions[action_count].number = number;
	actions[action_count++].act = act;
	return sigaction(number, &note, NULL) < 0 ? -errno : 0;
}

static void act_on(int number)
{
	stopping = stopping || number == SIGTERM || number == SIGINT;
	for (unsigned i = 0; i < action_count; i++) {
		if (actions[i].number == number)
			actions[i].act();
	}
}

static void take_signals(void)
{
	unsigned char numbers[64];
	ssize_t count;

	while ((count = read(signals[0], numbers, sizeof(numbers))) > 0) {
		for (ssize_t i = 0; i < count; i++)
			act_on(numbers[i]);
	}
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

void loop_fail(int error)
{
	stopping = true;
	failure = error;
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
	watch(readable, signals[0], &count);
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

/* One round, which waits for events no longer than `until`. -errno when that failed. */
static int round_until(netsnmp_large_fd_set *readable, uint64_t until)
{
	uint64_t now = clock_ms();
	uint64_t due = do_work(now);
	int rc = wait_for_events(readable, now, sma_earlier(due, until));

	if (rc > 0) {
		take_signals();
		snmp_read2(readable);
	}
	return rc;
}

int loop_run(void)
{
	netsnmp_large_fd_set readable;
	int rc = 0;

	netsnmp_large_fd_set_init(&readable, FD_SETSIZE);
	while (!stopping && rc >= 0)
		rc = round_until(&readable, UINT64_MAX);
	netsnmp_large_fd_set_cleanup(&readable);
	return rc < 0 ? rc : failure;
}

bool loop_wait(bool (*is_over)(const void *arg), const void *arg, unsigned limit_ms)
{
	uint64_t until = clock_ms() + limit_ms;
	netsnmp_large_fd_set readable;
	int rc = 0;

	netsnmp_large_fd_set_init(&readable, FD_SETSIZE);
	while (!is_over(arg) && rc >= 0 && clock_ms() < until)
		rc = round_until(&readable, sma_earlier(until, clock_ms() + WAIT_STEP_MS));
	netsnmp_large_fd_set_cleanup(&readable);
	return is_over(arg);
}
