/* SPDX-License-Identifier: BSD-2-Clause */
/* The clients of a simulator wire and what becomes of their datagrams; knows no sockets. */
#ifndef SOFT_WIRE_SIMWIRE_HUB_H
#define SOFT_WIRE_SIMWIRE_HUB_H

#include "sma/soft/wire/simwire.h"
#include "sma/soft/wire/simwire_msg.h"

#define HUB_TOPIC "wire" /* of the log */

/* The sockets of the slots 0 to SIMWIRE_CLIENTS - 1. */
struct hub_io {
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

struct hub_client {
	bool attached;
	bool is_sm;
	unsigned port;
	uint32_t process;
};

/* In place of a slot: who asks is this process. */
enum { HUB_INSIDE = SIMWIRE_CLIENTS };

struct hub {
	struct responder *responder;
	const struct hub_io *io;
	void *arg;
	uint64_t now;
	struct hub_client clients[SIMWIRE_CLIENTS];
	simwire_answered *answered; /* given the answers for this process; NULL: nobody is */
	void *answered_arg;
};

/* A control message, of a user who is permitted or else is refused; its answer is to be sent when the result
 * is true. */
bool hub_control(struct hub *hub, const uint8_t *message, size_t size, bool permitted,
                 uint8_t answer[CONTROL_SIZE]);

/* A data message that came in on a slot. */
void hub_datagram(struct hub *hub, unsigned slot, const uint8_t *message, size_t size);

/* As simwire_trap. */
void hub_trap(struct hub *hub, unsigned port, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid);

/* As simwire_ask_sm. */
int hub_ask_sm(struct hub *hub, unsigned port, const uint8_t mad[SMA_MAD_SIZE]);

/* Attach a client. Its slot, or -errno: -ENODEV when there is no such node or port, -ENOSPC, -EBUSY when the
 * port has an SM client already. `wanted->node` ends with a NUL. */
int hub_attach(struct hub *hub, const struct control_connect *wanted);

/* Free a slot; one that is free already may be named. */
void hub_detach(struct hub *hub, unsigned slot);

/* Make a client the SM of its port, or end that. -EBUSY: another client is it. */
int hub_set_sm(struct hub *hub, unsigned slot, bool on);

/* The SM client of a port; SIMWIRE_CLIENTS: none. */
unsigned hub_sm(const struct hub *hub, unsigned port);

/* The node's name: its description, cut to what a client can say. Its length. */
size_t hub_node_name(const struct hub *hub, char name[CONTROL_NODE_SIZE]);

#endif
