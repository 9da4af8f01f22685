/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages between libumad2sim and its simulator. All conversion between wire and host order is here. */
#ifndef SOFT_WIRE_MESSAGE_H
#define SOFT_WIRE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "sma/iba/iba.h"

enum {
	CONTROL_SIZE = 80,
	CONTROL_DATA_SIZE = 64,
	CONTROL_NODE_SIZE = 32, /* a node's name with its NUL */
	DATAGRAM_SIZE = 288,
};

enum control_type {
	CONTROL_ERROR, /* in answers only */
	CONTROL_CONNECT,
	CONTROL_DISCONNECT,
	CONTROL_GET_PORT,
	CONTROL_GET_VENDOR,
	CONTROL_GET_GID,
	CONTROL_GET_GUID,
	CONTROL_GET_NODEINFO,
	CONTROL_GET_PORTINFO,
	CONTROL_SET_ISSM,
	CONTROL_GET_PKEYS,
	CONTROL_TYPES
};

/* A control message. Its integers, and those in its data, travel in host order. */
struct control {
	uint32_t client;
	uint32_t type;
	uint32_t length; /* of what counts in data; nobody relies on it */
	uint8_t data[CONTROL_DATA_SIZE];
};

/* The data of a CONNECT; its answer has the slot in place of the process. */
struct control_connect {
	uint32_t process;
	uint32_t qp;
	uint32_t is_sm;
	char node[CONTROL_NODE_SIZE];
};

/* The data of the answers to GET_PORT and GET_VENDOR. */
struct control_port {
	uint16_t lid;
	uint8_t state;
};

struct control_vendor {
	uint32_t vendor;
	uint32_t device;
	uint32_t revision;
	uint64_t firmware;
};

/* A MAD with its envelope. */
struct datagram {
	uint16_t dlid;
	uint16_t slid;
	uint32_t dqp;
	uint32_t sqp;
	uint32_t status; /* 0, or the errno of a request that comes back */
	uint32_t size;   /* of the MAD as its sender has it: the answer to a query of tables may be short */
	uint8_t mad[MAD_SIZE];
};

/* -EPROTO: not a control message. */
int message_decode_control(const uint8_t *message, size_t size, struct control *control);
void message_encode_control(const struct control *control, uint8_t message[CONTROL_SIZE]);

/* -EPROTO: not a datagram. What its sender left out of the MAD is zero. */
int message_decode_datagram(const uint8_t *message, size_t size, struct datagram *datagram);
void message_encode_datagram(const struct datagram *datagram, uint8_t message[DATAGRAM_SIZE]);

#endif
