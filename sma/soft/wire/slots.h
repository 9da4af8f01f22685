/* SPDX-License-Identifier: BSD-2-Clause */
/* The data sockets of a simulator wire, one for each client. */
#ifndef SOFT_WIRE_SLOTS_H
#define SOFT_WIRE_SLOTS_H

#include "sma/soft/wire/clients.h"
#include "sma/soft/wire/socket.h"

enum {
	SLOTS_NAME_SIZE = SOCKET_PATH_SIZE - (int)sizeof(":ctl4294967295") /* with the longest of its tails */
};

/* Open while its client is attached. */
struct slot {
	int fd;                 /* -1: closed */
	struct address address; /* of the client */
	bool is_blocked;        /* `answer` waits until the client has room */
	uint8_t answer[DATAGRAM_SIZE];
};

struct slots {
	char name[SLOTS_NAME_SIZE]; /* of the wire */
	int epoll;                  /* whose events name slots */
	struct slot slot[SIMWIRE_CLIENTS];
};

/* No slot is open. The name is shorter than SLOTS_NAME_SIZE. */
void slots_init(struct slots *slots, const char *name);

/* For clients, with the slots as `arg`. */
extern const struct client_io slots_io;

/* Watch a descriptor for events, which name `number`; `operation` as of epoll_ctl. 0 or -errno. */
int slots_watch(const struct slots *slots, int operation, int fd, uint32_t events, unsigned number);

/* There is room for the answer that a slot keeps. 0, or -errno when the client is gone. */
int slots_unblock(struct slots *slots, unsigned number);

#endif
