// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "agent/daemon.h"
#include "sma/log.h"

int daemon_init(void)
{
	if (signal(SIGPIPE, SIG_IGN) == SIG_ERR || signal(SIGXFSZ, SIG_IGN) == SIG_ERR)
		return -errno;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		/* the new descriptor has the lowest number that is free, which is this one */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
			return -errno;
	}
	return 0;
}

static int wait_for_child(int fd)
{
	char byte;
	ssize_t got;

	do
		got = read(fd, &byte, 1);
	while (got < 0 && errno == EINTR);
	close(fd);
	return got == 1 ? 1 : -ECHILD;
}

int daemon_fork(int *ready)
{
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		return -errno;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid > 0) {
		close(ends[1]);
		return wait_for_child(ends[0]);
	}
	close(ends[0]);
	setsid();
	*ready = ends[1];
	return 0;
}

static void leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR);

	if (null < 0)
		return;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

void daemon_ready(int ready)
{
	leave_terminal();
	/* a parent that was killed does not read any more, which does no harm */
	if (write(ready, "", 1) < 0)
		sma_log(SMA_LOG_DEBUG, "agent", "no parent waits for the start");
	close(ready);
}
