/* SPDX-License-Identifier: BSD-2-Clause */
/* A master agent that does what a test says (RFC 2741), on a socket of its own. Nothing in it waits. */
#ifndef TESTS_FAKES_FAKE_MASTER_H
#define TESTS_FAKES_FAKE_MASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MASTER_OPEN = 1,
	MASTER_CLOSE = 2,
	MASTER_REGISTER = 3,
	MASTER_GET = 5,
	MASTER_GET_NEXT = 6,
	MASTER_GET_BULK = 7,
	MASTER_TEST_SET = 8,
	MASTER_COMMIT_SET = 9,
	MASTER_UNDO_SET = 10,
	MASTER_CLEANUP_SET = 11,
	MASTER_NOTIFY = 12,
	MASTER_PING = 13,
	MASTER_ADD_AGENT_CAPS = 16,
	MASTER_RESPONSE = 18,
};

enum { MASTER_HEADER = 20, MASTER_PAYLOAD_MAX = 4096, MASTER_SESSION = 77 };

struct master_pdu {
	uint8_t type;
	uint8_t flags;
	uint32_t session;
	uint32_t transaction;
	uint32_t packet;
	size_t length;
	uint8_t payload[MASTER_PAYLOAD_MAX];
};

struct master {
	char address[100]; /* as the configuration writes it */
	int listener;      /* -1: not there */
	int peer;          /* -1: nobody has connected */
	unsigned accepted; /* how many have */
	uint8_t in[65536];
	size_t in_length;
};

/* Listen on a unix socket in a folder of its own, or on a TCP port. */
void master_open(struct master *master, bool tcp);
/* Go away, and come back at the same address. */
void master_leave(struct master *master);
void master_return(struct master *master);
void master_close(struct master *master);

/* Accept a connection, if there is a new one; the one before is closed. */
bool master_accept(struct master *master);
/* Close the connection. */
void master_hang_up(struct master *master);
/* Whether the other end has closed the connection, and nothing came before that is not taken. */
bool master_is_left(const struct master *master);

/* The next PDU that has come, if it has. */
bool master_take(struct master *master, struct master_pdu *pdu);

/* Send octets as they are. */
void master_send(struct master *master, const void *octets, size_t length);

/* Put a PDU together in network byte order; its length. */
size_t master_build(uint8_t *octets, const struct master_pdu *pdu);

/* The same for the response to a PDU, with MASTER_SESSION. */
size_t master_build_response(uint8_t *octets, const struct master_pdu *pdu, uint32_t uptime, uint16_t error);

void master_respond(struct master *master, const struct master_pdu *pdu, uint32_t uptime, uint16_t error);

/* Build a PDU and send it. */
void master_send_pdu(struct master *master, const struct master_pdu *pdu);

/* res.error and res.index of a Response. */
unsigned master_error(const struct master_pdu *response);
unsigned master_index(const struct master_pdu *response);

#endif
