// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/fakes/slow_disk.h"

enum { LIMIT_SECONDS = 60 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool holds;
	unsigned waiting;
	int error;
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void set_holds(bool holds)
{
	pthread_mutex_lock(&disk.lock);
	disk.holds = holds;
	pthread_cond_broadcast(&disk.changed);
	pthread_mutex_unlock(&disk.lock);
}

void slow_disk_hold(void)
{
	set_holds(true);
}

void slow_disk_go(void)
{
	set_holds(false);
}

void slow_disk_fail(int error)
{
	pthread_mutex_lock(&disk.lock);
	disk.error = error;
	pthread_mutex_unlock(&disk.lock);
}

/* Wait for a change; with the lock held. False: the time is up. */
static bool wait_until(const struct timespec *limit)
{
	return pthread_cond_timedwait(&disk.changed, &disk.lock, limit) == 0;
}

static struct timespec limit(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_sec += LIMIT_SECONDS;
	return time;
}

bool slow_disk_await(void)
{
	const struct timespec end = limit();
	bool waits;

	pthread_mutex_lock(&disk.lock);
	while (!disk.waiting && wait_until(&end)) {
	}
	waits = disk.waiting;
	pthread_mutex_unlock(&disk.lock);
	return waits;
}

/* In the thread that would let it go on it would wait for ever, so that it has a limit too. */
int fsync(int fd)
{
	const struct timespec end = limit();
	int error;

	pthread_mutex_lock(&disk.lock);
	disk.waiting++;
	pthread_cond_broadcast(&disk.changed);
	while (disk.holds && wait_until(&end)) {
	}
	disk.waiting--;
	error = disk.error;
	pthread_mutex_unlock(&disk.lock);
	if (!error)
		return (int)syscall(SYS_fsync, fd);
	errno = error;
	return -1;
}
