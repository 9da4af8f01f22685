// SPDX-License-Identifier: BSD-2-Clause
/* The simulator wire: what comes in on its sockets, and whose it is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sma/soft/wire/control.h"
#include "sma/soft/wire/dispatch.h"
#include "sma/soft/wire/slots.h"
#include "sma/soft/wire/users.h"

enum {
	AT_ONCE = 32,              /* datagrams taken of one socket before the others have their turn */
	CONTROL = SIMWIRE_CLIENTS, /* the control socket, where events name slots */
	SOCKETS = CONTROL + 1,
};

struct simwire {
	int control;
	struct slots slots;
	struct users users;
	struct clients clients;
};

static bool is_permitted(struct simwire *wire, uid_t user)
{
	return users_allow(&wire->users, user, wire->slots.name, wire->clients.now);
}

static void take_datagrams(struct simwire *wire, unsigned number)
{
	struct slot *slot = &wire->slots.slot[number];
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
	else if (!wire->slots.slot[number].is_blocked)
		take_datagrams(wire, number);
	else if (slots_unblock(&wire->slots, number) < 0)
		clients_detach(&wire->clients, number);
}

void simwire_process(struct simwire *wire, uint64_t now)
{
	struct epoll_event events[SOCKETS];
	int count = epoll_wait(wire->slots.epoll, events, SOCKETS, 0);

	wire->clients.now = now;
	for (int i = 0; i < count; i++)
		take(wire, events[i].data.u32);
}

static int open_sockets(struct simwire *wire)
{
	wire->slots.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (wire->slots.epoll < 0)
		return -errno;
	wire->control = socket_bind(wire->slots.name, "ctl");
	if (wire->control < 0)
		return wire->control;
	return slots_watch(&wire->slots, EPOLL_CTL_ADD, wire->control, EPOLLIN, CONTROL);
}

static int open_error(int rc, const char *name, char *error, size_t size)
{
	if (rc == -EADDRINUSE)
		snprintf(error, size, "the wire name \"%s\" is in use by another ibsim or ibsmad", name);
	else if (rc == -ENAMETOOLONG)
		snprintf(error, size, "the wire name \"%s\" is longer than %d characters", name,
		         SLOTS_NAME_SIZE - 1);
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
	if (strlen(name) >= SLOTS_NAME_SIZE)
		return -ENAMETOOLONG;
	w = calloc(1, sizeof(*w));
	if (!w)
		return -ENOMEM;
	slots_init(&w->slots, name);
	w->control = -1;
	w->users.user = SMA_NOBODY;
	w->clients = (struct clients){.responder = responder, .io = &slots_io, .arg = &w->slots};
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
	wire->users.user = user;
}

int simwire_fd(const struct simwire *wire)
{
	return wire->slots.epoll;
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
	if (wire->slots.epoll >= 0)
		close(wire->slots.epoll);
	free(wire);
}
