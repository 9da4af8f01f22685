// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/umad_types.h>

#include "sma/mad/sysfs.h"
#include "sma/mad/umadport.h"
#include "sma/thread.h"

#define UMAD_FOLDER "/dev/infiniband"

enum {
	RECEIVE_MS = 250,  /* a reader looks this often whether it shall stop */
	BROKEN_PAUSES = 4, /* as long each, before a device that cannot be read is tried again */
	LAST_MS = 10,      /* at the end, answers that are on their way may take so long, so many times */
	LAST_TRIES = 25,
	METHOD_COUNT = 128,
	LONG_BITS = sizeof(long) * CHAR_BIT,
};

/* ---- opening ---- */

static const char *remedy(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return "run ibsmad as root, or give its group access by a udev rule: KERNEL==\"umad*\", "
		       "SUBSYSTEM==\"infiniband_mad\", GROUP=\"ibsmad\", MODE=\"0660\"";
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case EIO:
	case EOPNOTSUPP:
		return "is the kernel module ib_umad loaded? Try: modprobe ib_umad";
	case EMFILE:
		return "more are allowed by: ulimit -n NUMBER, or LimitNOFILE= of a systemd unit";
	case ENFILE:
		return "more are allowed by: sysctl fs.file-max=NUMBER";
	default:
		return "is the device in use or being removed?";
	}
}

/* What libibumad cannot do, whatever the kernel says. -errno, or 0: there is nothing. */
static int library_limit(const char *device, int umad, char *error, size_t size)
{
	size_t length = strlen(device);

	if (length >= UMAD_CA_NAME_LEN) {
		snprintf(error, size,
		         "cannot open the umad device of %s: its name has %zu characters, and libibumad "
		         "takes %d; rdma dev set %s name SHORTER",
		         device, length, UMAD_CA_NAME_LEN - 1, device);
		return -EOVERFLOW;
	}
	if (umad >= UMAD_MAX_PORTS) {
		snprintf(error, size,
		         "cannot open umad%d of %s: libibumad takes the first %d umad devices only", umad,
		         device, UMAD_MAX_PORTS);
		return -EOVERFLOW;
	}
	return 0;
}

/* libibumad does not pass on what open(2) said, and calls a port without device file an invalid argument. */
static int open_reason(const char *path, int rc)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return -rc;
}

static int open_error(const char *device, unsigned port, int rc, char *error, size_t size)
{
	int umad = sysfs_umad(device, port);
	int limit = library_limit(device, umad, error, size);
	char path[64] = "the umad device";
	int reason = -umad;

	if (limit < 0)
		return limit;
	if (umad >= 0) {
		snprintf(path, sizeof(path), UMAD_FOLDER "/umad%d", umad);
		reason = open_reason(path, rc);
	}
	snprintf(error, size, "cannot open %s (%s port %u): %s; %s", path, device, port, strerror(reason),
	         remedy(reason));
	return -reason;
}

int umadport_open(struct umadport *port, const char *device, unsigned number, char *error, size_t size)
{
	int fd = umad_open_port(device, (int)number);

	if (fd < 0)
		return open_error(device, number, fd, error, size);
	*port = (struct umadport){.fd = fd, .number = number};
	return 0;
}

int umadport_register(struct umadport *port, const struct umadport_agent *agent)
{
	long mask[METHOD_COUNT / LONG_BITS] = {0};
	int number;

	for (unsigned method = 0; method < sizeof(agent->methods) * CHAR_BIT; method++) {
		if (agent->methods >> method & 1)
			mask[method / LONG_BITS] |= (long)(1UL << method % LONG_BITS);
	}
	errno = 0;
	number = umad_register(port->fd, agent->class, agent->class_version, agent->rmpp_version,
	                       agent->methods ? mask : NULL);
	if (number >= 0)
		return number;
	return errno ? -errno : number;
}

void umadport_unregister(struct umadport *port, int number)
{
	umad_unregister(port->fd, number);
}

/* ---- reading ---- */

static bool is_no_mad(int error)
{
	return error == ETIMEDOUT || error == EWOULDBLOCK || error == EINTR;
}

/* A message of several MADs, which the kernel has put together, stays the next to be read until it is read
 * whole. Nothing that is expected here is so long. 0 or an errno. */
static int discard(const struct umadport *port, int length)
{
	void *buffer = malloc(umad_size() + (size_t)length);
	int rc;

	if (!buffer)
		return ENOMEM;
	rc = umad_recv(port->fd, buffer, &length, RECEIVE_MS) < 0 ? errno : 0;
	free(buffer);
	return rc;
}

static int receive_error(const struct umadport *port, int error, int length)
{
	if (is_no_mad(error))
		return 0;
	return error == ENOSPC && length > MAD_SIZE ? discard(port, length) : error;
}

static uint8_t method_of(struct umad_buffer *buffer)
{
	const uint8_t *mad = umad_get_mad(buffer);

	return mad[MAD_AT_METHOD];
}

static bool has_answer(uint8_t method)
{
	return method == MAD_GET || method == MAD_SET;
}

/* A request ends with its answer, or comes back. */
static void note_received(struct umadport *port, struct umad_buffer *buffer)
{
	uint8_t method = method_of(buffer);
	bool ended = method & MAD_RESPONSE || (umad_status(buffer) && has_answer(method));

	if (ended && atomic_load(&port->awaited) > 0)
		atomic_fetch_sub(&port->awaited, 1);
}

/* Receive one MAD within some time and pass it on. 0, or an errno of the device. */
static int receive(struct umadport *port, int timeout_ms)
{
	struct umad_buffer buffer = {0};
	int length = MAD_SIZE;

	errno = 0;
	if (umad_recv(port->fd, &buffer, &length, timeout_ms) < 0)
		return receive_error(port, errno, length);
	buffer.size = (unsigned)length;
	note_received(port, &buffer);
	if (umad_status(&buffer) || buffer.size >= MAD_HEADER_SIZE)
		port->events->received(port->arg, &buffer);
	return 0;
}

/* Reading needs none, and privilege_drop reaches only the thread that calls it. Threads of root must be able
 * to become another user with it. */
static void give_up_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

	if (geteuid() != 0)
		syscall(SYS_capset, &header, none);
}

static void pause_broken(struct umadport *port)
{
	const struct timespec pause = {.tv_nsec = RECEIVE_MS * 1000000L};

	for (unsigned i = 0; i < BROKEN_PAUSES && !atomic_load(&port->stop); i++)
		nanosleep(&pause, NULL);
}

/* A simulator's library crashes when an answer comes for a closed device. */
static void take_last(struct umadport *port)
{
	for (unsigned i = 0; i < LAST_TRIES && atomic_load(&port->awaited) > 0; i++)
		receive(port, LAST_MS);
}

static void *read_mads(void *arg)
{
	struct umadport *port = arg;
	int broken = 0;

	give_up_capabilities();
	while (!atomic_load(&port->stop)) {
		int error = receive(port, RECEIVE_MS);

		if (!error != !broken)
			port->events->state(port->arg, error);
		broken = error;
		if (broken)
			pause_broken(port);
	}
	take_last(port);
	return NULL;
}

int umadport_start(struct umadport *port, const struct umadport_events *events, void *arg)
{
	int rc;

	port->events = events;
	port->arg = arg;
	rc = sma_thread_start(&port->reader, read_mads, port);
	port->reading = rc == 0;
	return rc;
}

int umadport_send(struct umadport *port, int agent, struct umad_buffer *buffer, unsigned timeout_ms)
{
	bool awaited = has_answer(method_of(buffer));

	/* before it is sent, as the answer may be received before this goes on */
	atomic_fetch_add(&port->awaited, awaited);
	errno = 0;
	if (umad_send(port->fd, agent, buffer, MAD_SIZE, (int)timeout_ms, 0) >= 0)
		return 0;
	atomic_fetch_sub(&port->awaited, awaited);
	return errno ? -errno : -EIO;
}

void umadport_close(struct umadport *port)
{
	atomic_store(&port->stop, true);
	if (port->reading)
		pthread_join(port->reader, NULL);
	umad_close_port(port->fd);
}
