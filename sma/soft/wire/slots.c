// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sma/soft/wire/slots.h"

enum { TAIL_SIZE = 16 };

void slots_init(struct slots *slots, const char *name)
{
	*slots = (struct slots){.epoll = -1};
	memcpy(slots->name, name, strlen(name) + 1);
	for (unsigned i = 0; i < SIMWIRE_CLIENTS; i++)
		slots->slot[i].fd = -1;
}

int slots_watch(const struct slots *slots, int operation, int fd, uint32_t events, unsigned number)
{
	struct epoll_event event = {.events = events, .data.u32 = number};

	return epoll_ctl(slots->epoll, operation, fd, &event) < 0 ? -errno : 0;
}

static void close_slot(void *arg, unsigned number)
{
	struct slots *slots = arg;
	struct slot *slot = &slots->slot[number];

	close(slot->fd);
	*slot = (struct slot){.fd = -1};
}

static bool is_alive(void *arg, unsigned number)
{
	const struct slots *slots = arg;

	return socket_is_bound(&slots->slot[number].address);
}

static int connect_slot(const struct slot *slot)
{
	return connect(slot->fd, (const struct sockaddr *)&slot->address.name, slot->address.size) < 0
	               ? -errno
	               : 0;
}

static int open_slot(void *arg, unsigned number, uint32_t process)
{
	struct slots *slots = arg;
	struct slot *slot = &slots->slot[number];
	char tail[TAIL_SIZE];
	int rc;

	snprintf(tail, sizeof(tail), "out%u", number);
	slot->fd = socket_bind(slots->name, tail);
	if (slot->fd < 0)
		return slot->fd;
	snprintf(tail, sizeof(tail), "in%u", process);
	slot->address = socket_address(slots->name, tail);
	rc = connect_slot(slot);
	if (rc == 0)
		rc = slots_watch(slots, EPOLL_CTL_ADD, slot->fd, EPOLLIN, number);
	if (rc < 0)
		close_slot(slots, number);
	return rc;
}

static int send_slot(void *arg, unsigned number, const uint8_t message[DATAGRAM_SIZE])
{
	const struct slots *slots = arg;

	if (send(slots->slot[number].fd, message, DATAGRAM_SIZE, MSG_NOSIGNAL) >= 0)
		return 0;
	return errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

/* A client that sends faster than it reads has to wait: its next request is read when the answer is gone. */
static int reply_slot(void *arg, unsigned number, const uint8_t message[DATAGRAM_SIZE])
{
	struct slots *slots = arg;
	struct slot *slot = &slots->slot[number];
	int rc = slot->is_blocked ? -EAGAIN : send_slot(slots, number, message);

	if (rc != -EAGAIN || slot->is_blocked)
		return rc;
	memcpy(slot->answer, message, DATAGRAM_SIZE);
	slot->is_blocked = true;
	return slots_watch(slots, EPOLL_CTL_MOD, slot->fd, EPOLLOUT, number);
}

const struct client_io slots_io = {
	.open = open_slot,
	.close = close_slot,
	.is_alive = is_alive,
	.reply = reply_slot,
	.send = send_slot,
};

int slots_unblock(struct slots *slots, unsigned number)
{
	struct slot *slot = &slots->slot[number];
	int rc = send_slot(slots, number, slot->answer);

	if (rc == -EAGAIN)
		return 0;
	slot->is_blocked = false;
	return rc < 0 ? rc : slots_watch(slots, EPOLL_CTL_MOD, slot->fd, EPOLLIN, number);
}
