// SPDX-License-Identifier: BSD-2-Clause
/* What a service manager hears, here on a socket of the test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/supervisor.h"
#include "tests/unit.h"

static int manager;
static char heard[64];

/* What was said since the last call, "" if nothing. */
static const char *listen_once(void)
{
	ssize_t length = recv(manager, heard, sizeof(heard) - 1, MSG_DONTWAIT);

	heard[length > 0 ? length : 0] = '\0';
	return heard;
}

static void test_states(void)
{
	supervisor_notify("READY=1");
	CHECK_TEXT(listen_once(), "READY=1");
	CHECK_TEXT(listen_once(), "");
}

/* It wants to hear each 500 ms, and hears twice as often. */
static void test_watchdog(void)
{
	CHECK_EQUAL(supervisor_process(NULL, 1000), 1250);
	CHECK_TEXT(listen_once(), "WATCHDOG=1");
	CHECK_EQUAL(supervisor_process(NULL, 1249), 1250);
	CHECK_TEXT(listen_once(), "");
	CHECK_EQUAL(supervisor_process(NULL, 1250), 1500);
	CHECK_TEXT(listen_once(), "WATCHDOG=1");
}

/* A manager that went away does no harm. */
static void test_gone(void)
{
	close(manager);
	supervisor_notify("STOPPING=1");
	CHECK_EQUAL(supervisor_process(NULL, 9000), 9250);
}

static const struct unit_test tests[] = {
	{"states", test_states},
	{"the watchdog", test_watchdog},
	{"the manager is gone", test_gone},
};

/* An abstract socket of this process, and what a service manager puts into the environment. */
static int start_manager(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char name[64];
	int length = snprintf(name, sizeof(name), "@ibsmad-test-%d", (int)getpid());

	memcpy(address.sun_path, name, (size_t)length);
	address.sun_path[0] = '\0';
	manager = socket(AF_UNIX, SOCK_DGRAM, 0);
	setenv("NOTIFY_SOCKET", name, 1);
	setenv("WATCHDOG_USEC", "500000", 1);
	return bind(manager, (const struct sockaddr *)&address,
	            (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)length));
}

int main(void)
{
	if (start_manager() < 0)
		return EXIT_FAILURE;
	supervisor_init();
	return UNIT_MAIN("supervisor", tests);
}
