// SPDX-License-Identifier: BSD-2-Clause
/* The sockets of the simulator wire. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sma/soft/wire/clients.h"
#include "sma/soft/wire/socket.h"
#include "sma/soft/wire/users.h"

enum {
	AT_ONCE = 32,              /* datagrams taken of one socket before the others have their turn */
	CONTROL = SIMWIRE_CLIENTS, /* the control socket, where events name slots */
	SOCKETS = CONTROL + 1,
	NAME_SIZE = SOCKET_PATH_SIZE - (int)sizeof(":ctl4294967295"), /* with the longest of its tails */
	TAIL_SIZE = 16,
};

/* Open while its client is attached. */
struct slot {
	int fd; /* -1: closed */
	struct address peer;
	bool is_blocked; /* `answer` waits until the client has room */
	uint8_t answer[DATAGRAM_SIZE];
};

struct simwire {
	char name[NAME_SIZE];
	int epoll;
	int control;
	struct slot slots[SIMWIRE_CLIENTS];
	struct users peers;
	struct clients clients;
};

static int watch(const struct simwire *wire, int operation, int fd, uint32_t events, unsigned number)
{
	struct epoll_event event = {.events = events, .data.u32 = number};

	return epoll_ctl(wire->epoll, operation, fd, &event) < 0 ? -errno : 0;
}

/* ---- what the clients want of the sockets ---- */

static void close_slot(void *arg, unsigned number)
{
	struct simwire *wire = arg;
	struct slot *slot = &wire->slots[number];

	close(slot->fd);
	*slot = (struct slot){.fd = -1};
}

static bool is_alive(void *arg, unsigned number)
{
	const struct simwire *wire = arg;

	return socket_is_bound(&wire->slots[number].peer);
}

static int connect_slot(const struct slot *slot)
{
	return connect(slot->fd, (const struct sockaddr *)&slot->peer.name, slot->peer.size) < 0 ? -errno : 0;
}

static int open_slot(void *arg, unsigned number, uint32_t process)
{
	struct simwire *wire = arg;
	struct slot *slot = &wire->slots[number];
	char tail[TAIL_SIZE];
	int rc;

	snprintf(tail, sizeof(tail), "out%u", number);
	slot->fd = socket_bind(wire->name, tail);
	if (slot->fd < 0)
		return slot->fd;
	snprintf(tail, sizeof(tail), "in%u", process);
	slot->peer = socket_address(wire->name, tail);
	rc = connect_slot(slot);
	if (rc == 0)
		rc = watch(wire, EPOLL_CTL_ADD, slot->fd, EPOLLIN, number);
	if (rc < 0)
		close_slot(wire, number);
	return rc;
}

static int send_slot(void *arg, unsigned number, const uint8_t message[DATAGRAM_SIZE])
{
	const struct simwire *wire = arg;

	if (send(wire->slots[number].fd, message, DATAGRAM_SIZE, MSG_NOSIGNAL) >= 0)
		return 0;
	return errno == EWOULDBLOCK ? -EAGAIN : -errno;
}

/* A client that sends faster than it reads has to wait: its next request is read when the answer is gone. */
static int reply_slot(void *arg, unsigned number, const uint8_t message[DATAGRAM_SIZE])
{
	struct simwire *wire = arg;
	struct slot *slot = &wire->slots[number];
	int rc = slot->is_blocked ? -EAGAIN : send_slot(wire, number, message);

	if (rc != -EAGAIN || slot->is_blocked)
		return rc;
	memcpy(slot->answer, message, DATAGRAM_SIZE);
	slot->is_blocked = true;
	return watch(wire, EPOLL_CTL_MOD, slot->fd, EPOLLOUT, number);
}

static const struct client_io sockets = {
	.open = open_slot,
	.close = close_slot,
	.is_alive = is_alive,
	.reply = reply_slot,
	.send = send_slot,
};

/* ---- events ---- */

static bool is_permitted(struct simwire *wire, uid_t user)
{
	return users_allow(&wire->peers, user, wire->name, wire->clients.now);
}

static void unblock(struct simwire *wire, unsigned number)
{
	struct slot *slot = &wire->slots[number];
	int rc = send_slot(wire, number, slot->answer);

	if (rc == -EAGAIN)
		return;
	slot->is_blocked = false;
	if (rc == 0)
		rc = watch(wire, EPOLL_CTL_MOD, slot->fd, EPOLLIN, number);
	if (rc < 0)
		clients_detach(&wire->clients, number);
}

static void take_datagrams(struct simwire *wire, unsigned number)
{
	struct slot *slot = &wire->slots[number];
	uint8_t message[DATAGRAM_SIZE];
	struct sender from;
	ssize_t size;

	for (unsigned i = 0; i < AT_ONCE && slot->fd >= 0 && !slot->is_blocked; i++) {
		size = socket_receive(slot->fd, message, sizeof(message), &from);
		if (size < 0)
			return;
		if (is_permitted(wire, from.user))
			dispatch_datagram(&wire->clients, number, message, (size_t)size);
		else
			clients_detach(&wire->clients, number);
	}
}

/* A client asks one thing at a time: its control socket has room for an answer. */
static void take_controls(struct simwire *wire)
{
	uint8_t message[CONTROL_SIZE];
	uint8_t answer[CONTROL_SIZE];
	struct sender from;
	ssize_t size;

	for (unsigned i = 0; i < AT_ONCE; i++) {
		size = socket_receive(wire->control, message, sizeof(message), &from);
		if (size < 0)
			return;
		if (control_answer(&wire->clients, message, (size_t)size, is_permitted(wire, from.user),
		                   answer) &&
		    sendto(wire->control, answer, sizeof(answer), MSG_NOSIGNAL,
		           (const struct sockaddr *)&from.address.name, from.address.size) < 0)
			wire->clients.responder->wire.dropped++;
	}
}

static void take(struct simwire *wire, unsigned number)
{
	if (number == CONTROL)
		take_controls(wire);
	else if (wire->slots[number].is_blocked)
		unblock(wire, number);
	else
		take_datagrams(wire, number);
}

void simwire_process(struct simwire *wire, uint64_t now)
{
	struct epoll_event events[SOCKETS];
	int count = epoll_wait(wire->epoll, events, SOCKETS, 0);

	wire->clients.now = now;
	for (int i = 0; i < count; i++)
		take(wire, events[i].data.u32);
}

/* ---- the wire ---- */

static int open_sockets(struct simwire *wire)
{
	wire->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (wire->epoll < 0)
		return -errno;
	wire->control = socket_bind(wire->name, "ctl");
	if (wire->control < 0)
		return wire->control;
	return watch(wire, EPOLL_CTL_ADD, wire->control, EPOLLIN, CONTROL);
}

static int open_error(int rc, const char *name, char *error, size_t size)
{
	if (rc == -EADDRINUSE)
		snprintf(error, size, "the wire name \"%s\" is in use by another ibsim or ibsmad", name);
	else if (rc == -ENAMETOOLONG)
		snprintf(error, size, "the wire name \"%s\" is longer than %d characters", name,
		         NAME_SIZE - 1);
	else if (rc == -EINVAL)
		snprintf(error, size, "the wire name is empty");
	else
		snprintf(error, size, "cannot open the wire \"%s\": %s", name, strerror(-rc));
	return rc;
}

static int open_wire(const char *name, struct responder *responder, struct simwire **wire)
{
	struct simwire *w;
	int rc;

	if (!name[0])
		return -EINVAL;
	if (strlen(name) >= NAME_SIZE)
		return -ENAMETOOLONG;
	w = calloc(1, sizeof(*w));
	if (!w)
		return -ENOMEM;
	*w = (struct simwire){.epoll = -1, .control = -1, .peers.user = SMA_NOBODY};
	for (unsigned i = 0; i < SIMWIRE_CLIENTS; i++)
		w->slots[i].fd = -1;
	memcpy(w->name, name, strlen(name));
	w->clients = (struct clients){.responder = responder, .io = &sockets, .arg = w};
	rc = open_sockets(w);
	if (rc < 0)
		simwire_close(w);
	else
		*wire = w;
	return rc;
}

int simwire_open(const char *name, struct responder *responder, struct simwire **wire, char *error,
                 size_t size)
{
	int rc = open_wire(name, responder, wire);

	return rc < 0 ? open_error(rc, name, error, size) : 0;
}

void simwire_permit_user(struct simwire *wire, uid_t user)
{
	wire->peers.user = user;
}

int simwire_fd(const struct simwire *wire)
{
	return wire->epoll;
}

void simwire_dm_trap(struct simwire *wire, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid)
{
	dispatch_dm_trap(&wire->clients, port, mad, dlid);
}

void simwire_trap(struct simwire *wire, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid)
{
	dispatch_trap(&wire->clients, port, mad, dlid);
}

void simwire_on_answer(struct simwire *wire, simwire_answered *answered, void *arg)
{
	wire->clients.answered = answered;
	wire->clients.answered_arg = arg;
}

int simwire_ask_sm(struct simwire *wire, unsigned port, const uint8_t mad[MAD_SIZE])
{
	return dispatch_ask_sm(&wire->clients, port, mad);
}

void simwire_close(struct simwire *wire)
{
	if (!wire)
		return;
	for (unsigned i = 0; i < SIMWIRE_CLIENTS; i++)
		clients_detach(&wire->clients, i);
	if (wire->control >= 0)
		close(wire->control);
	if (wire->epoll >= 0)
		close(wire->epoll);
	free(wire);
}
