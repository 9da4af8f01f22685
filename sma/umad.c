// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/umad.h>
#include <infiniband/umad_types.h>

#include "sma/sma.h"
#include "sma/umad.h"

enum {
	SMI_VERSION = 1,         /* ClassVersion of the SM classes */
	PERMISSIVE_LID = 0xFFFF, /* DLID of a directed route */
	RECEIVE_MS = 250,        /* a reader looks this often whether it shall stop */
	BROKEN_PAUSE_MS = 1000,
};

struct umad_qp0 {
	struct sma_qp0 qp0;
	int fd;
	int agent; /* of the directed-route class */
	uint8_t port;
	struct sma_mailbox *box;
	pthread_t reader;
	atomic_bool stop;
};

struct umad_buffer {
	union {
		struct ib_user_mad header;
		uint8_t bytes[sizeof(struct ib_user_mad) + SMA_MAD_SIZE];
	};
};

static int qp0_send(struct sma_qp0 *qp0, const uint8_t mad[SMA_MAD_SIZE], unsigned timeout_ms)
{
	struct umad_qp0 *u = (struct umad_qp0 *)qp0;
	struct umad_buffer buffer = {0};

	memcpy(umad_get_mad(&buffer), mad, SMA_MAD_SIZE);
	umad_set_addr(&buffer, PERMISSIVE_LID, 0, 0, 0);
	errno = 0;
	if (umad_send(u->fd, u->agent, &buffer, SMA_MAD_SIZE, (int)timeout_ms, 0) < 0)
		return errno ? -errno : -EIO;
	return 0;
}

static bool is_no_mad(int error)
{
	return error == ETIMEDOUT || error == EWOULDBLOCK || error == EINTR;
}

/* Receive one MAD and post it. 0, or an errno of the device. */
static int receive(struct umad_qp0 *u)
{
	struct umad_buffer buffer = {0};
	int length = SMA_MAD_SIZE;
	int status;

	errno = 0;
	if (umad_recv(u->fd, &buffer, &length, RECEIVE_MS) < 0)
		return is_no_mad(errno) ? 0 : errno;
	/* a request that came back unanswered may be its header alone; an answer is a whole MAD */
	status = umad_status(&buffer);
	if (status || length == SMA_MAD_SIZE)
		sma_mailbox_post(u->box, u->port, status, umad_get_mad(&buffer));
	return 0;
}

static void note_state(const struct umad_qp0 *u, int *broken, int error)
{
	if (error && !*broken)
		sma_mailbox_post_state(u->box, u->port, SMA_MAIL_BROKEN, error);
	if (!error && *broken)
		sma_mailbox_post_state(u->box, u->port, SMA_MAIL_MENDED, 0);
	*broken = error;
}

static void *read_mads(void *arg)
{
	const struct timespec pause = {.tv_sec = BROKEN_PAUSE_MS / 1000};
	struct umad_qp0 *u = arg;
	int broken = 0;

	while (!atomic_load(&u->stop)) {
		note_state(u, &broken, receive(u));
		if (broken)
			nanosleep(&pause, NULL);
	}
	return NULL;
}

static void qp0_close(struct sma_qp0 *qp0)
{
	struct umad_qp0 *u = (struct umad_qp0 *)qp0;

	atomic_store(&u->stop, true);
	pthread_join(u->reader, NULL);
	umad_close_port(u->fd);
	free(u);
}

static const struct sma_qp0_ops umad_ops = {.send = qp0_send, .close = qp0_close};

/* The device file of a port: its number is that of the port's issm file. */
static void device_file(const char *device, unsigned port, char *path, size_t size)
{
	char issm[256];
	const char *number;

	snprintf(path, size, "the umad device of %s port %u", device, port);
	if (umad_get_issm_path(device, (int)port, issm, sizeof(issm)) < 0)
		return;
	number = strstr(issm, "issm");
	if (number)
		snprintf(path, size, "%.*sumad%s", (int)(number - issm), issm, number + strlen("issm"));
}

static const char *mend(int error)
{
	if (error == EACCES || error == EPERM)
		return "run ibsmad as root, or give its group access by a udev rule: KERNEL==\"umad*\", "
		       "SUBSYSTEM==\"infiniband_mad\", GROUP=\"rdma\", MODE=\"0660\"";
	if (error == ENOENT || error == ENODEV || error == ENXIO || error == EIO || error == EOPNOTSUPP)
		return "is the kernel module ib_umad loaded? Try: modprobe ib_umad";
	return "is the device in use or being removed?";
}

/* libibumad does not pass on what open(2) said, and calls a port without device file an invalid argument. */
static int open_reason(const char *path, int rc)
{
	int fd;

	if (path[0] != '/')
		return ENODEV;
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno;
	close(fd);
	return -rc;
}

static int open_error(const char *device, unsigned port, int rc, char *error, size_t size)
{
	char path[512];
	int reason;

	device_file(device, port, path, sizeof(path));
	reason = open_reason(path, rc);
	snprintf(error, size, "cannot open %s (%s port %u): %s; %s", path, device, port, strerror(reason),
	         mend(reason));
	return -reason;
}

/* Both SM classes are registered: a MAD of a class that is not may not be delivered to anyone. */
static int register_classes(struct umad_qp0 *u)
{
	int lid_routed = umad_register(u->fd, UMAD_CLASS_SUBN_LID_ROUTED, SMI_VERSION, 0, NULL);

	u->agent = umad_register(u->fd, UMAD_CLASS_SUBN_DIRECTED_ROUTE, SMI_VERSION, 0, NULL);
	if (lid_routed >= 0 && u->agent >= 0)
		return 0;
	return errno ? -errno : -EIO;
}

static int start(struct umad_qp0 *u, const char *device, char *error, size_t size)
{
	int rc = register_classes(u);

	if (rc == 0)
		rc = -pthread_create(&u->reader, NULL, read_mads, u);
	if (rc < 0)
		snprintf(error, size, "cannot use QP0 of %s port %u: %s", device, u->port, strerror(-rc));
	return rc;
}

int umad_qp0_open(const char *device, unsigned port, struct sma_mailbox *box, struct sma_qp0 **qp0,
                  char *error, size_t size)
{
	struct umad_qp0 *u = calloc(1, sizeof(*u));
	int rc;

	if (!u) {
		snprintf(error, size, "out of memory");
		return -ENOMEM;
	}
	*u = (struct umad_qp0){.qp0 = {.ops = &umad_ops}, .box = box, .port = (uint8_t)port};
	u->fd = umad_open_port(device, (int)port);
	if (u->fd < 0) {
		rc = open_error(device, port, u->fd, error, size);
		free(u);
		return rc;
	}
	rc = start(u, device, error, size);
	if (rc < 0) {
		umad_close_port(u->fd);
		free(u);
		return rc;
	}
	*qp0 = &u->qp0;
	return 0;
}
