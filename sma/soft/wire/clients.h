/* SPDX-License-Identifier: BSD-2-Clause */
/* The clients of a simulator wire; knows no sockets. */
#ifndef SOFT_WIRE_CLIENTS_H
#define SOFT_WIRE_CLIENTS_H

#include "sma/soft/wire/message.h"
#include "sma/soft/wire/simwire.h"

#define WIRE_TOPIC "wire" /* of the log */

/* The sockets of the slots 0 to SIMWIRE_CLIENTS - 1. */
struct client_io {
	/* Open the slot for a process. 0 or -errno. */
	int (*open)(void *arg, unsigned slot, uint32_t process);
	void (*close)(void *arg, unsigned slot);
	/* Whether the process of an open slot is still there. */
	bool (*is_alive)(void *arg, unsigned slot);
	/* Answer a request of the slot: kept until the client takes it, but the next request is not read
	 * before. 0, -EAGAIN while an earlier one is kept, or another -errno when the client is gone. */
	int (*reply)(void *arg, unsigned slot, const uint8_t message[DATAGRAM_SIZE]);
	/* Send what the slot did not ask for. 0, -EAGAIN when there is no room, or another -errno when the
	 * client is gone. */
	int (*send)(void *arg, unsigned slot, const uint8_t message[DATAGRAM_SIZE]);
};

struct client {
	bool attached;
	bool is_sm;
	bool is_manager; /* of devices: traps of device management are for it */
	unsigned port;
	uint32_t process;
};

/* In place of a slot: who asks is this process. */
enum { CLIENTS_INSIDE = SIMWIRE_CLIENTS };

struct clients {
	struct responder *responder;
	const struct client_io *io;
	void *arg;
	uint64_t now;
	struct client client[SIMWIRE_CLIENTS];
	simwire_answered *answered; /* given the answers for this process; NULL: nobody is */
	void *answered_arg;
};

/* Attach a client. Its slot, or -errno: -ENODEV when there is no such node or port, -ENOSPC, -EBUSY when the
 * port has an SM client already. `wanted->node` ends with a NUL. */
int clients_attach(struct clients *clients, const struct control_connect *wanted);

/* Free a slot; one that is free already may be named. */
void clients_detach(struct clients *clients, unsigned slot);

/* Make a client the SM of its port, or end that. -EBUSY: another client is it. */
int clients_set_sm(struct clients *clients, unsigned slot, bool on);

/* A client is the device manager of its port from now on. */
void clients_set_manager(struct clients *clients, unsigned slot);

/* That client; SIMWIRE_CLIENTS: none. */
unsigned clients_manager(const struct clients *clients, unsigned port);

/* The SM client of a port; SIMWIRE_CLIENTS: none. */
unsigned clients_sm(const struct clients *clients, unsigned port);

/* The node's name: its description, cut to what a client can say. Its length. */
size_t clients_node_name(const struct clients *clients, char name[CONTROL_NODE_SIZE]);

#endif
