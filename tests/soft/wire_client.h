/* SPDX-License-Identifier: BSD-2-Clause */
/* Clients of a simulator wire, which do what libumad2sim does, and a node that they attach to. */
#ifndef TESTS_SOFT_WIRE_CLIENT_H
#define TESTS_SOFT_WIRE_CLIENT_H

#include "sma/soft/wire/simwire.h"

enum {
	WIRE_CONTROL_SIZE = 80,
	WIRE_DATA_SIZE = 288,
	WIRE_TIMED_OUT = 110,
	WIRE_PERMISSIVE = 0xFFFF,
	WIRE_NO_SLOT = 99,
};

/* Offsets within a MAD, and what stands there. */
enum {
	AT_CLASS = 1,
	AT_METHOD = 3,
	AT_STATUS = 4,
	AT_POINTER = 6,
	AT_HOPS = 7,
	AT_TID = 8,
	AT_ATTRIBUTE = 16,
	AT_KEY = 24,
	AT_DATA = 64
};
enum { CLASS_ROUTED = 0x01, CLASS_SA = 0x03, CLASS_PERFORMANCE = 0x04, CLASS_DIRECTED = 0x81 };
enum { SEND = 0x03, TRAP = 0x05, REPORT = 0x06, TRAP_REPRESS = 0x07, GET_RESPONSE = 0x81 };
enum {
	NOTICE = 0x02,
	NODE_DESCRIPTION = 0x10,
	NODE_INFO = 0x11,
	PORT_INFO = 0x15,
	SM_INFO = 0x20,
	PATH_RECORD = 0x35
};

/* The types of control messages. */
enum {
	WIRE_ERROR,
	WIRE_CONNECT,
	WIRE_DISCONNECT,
	WIRE_GET_PORT,
	WIRE_GET_VENDOR,
	WIRE_GET_GID,
	WIRE_GET_GUID,
	WIRE_GET_NODEINFO,
	WIRE_GET_PORTINFO,
	WIRE_SET_ISSM,
	WIRE_GET_PKEYS,
	WIRE_UNKNOWN,
};

/* A node with a wire of its own. */
struct wire_bed {
	char name[64];
	struct sma_soft *soft; /* whose wire it is, and all there is of the node; or NULL, and these: */
	struct soft_state *state;
	struct responder responder;
	struct simwire *wire;
	uint64_t now;
};

/* The LIDs of the SMA at port 0 or 1. */
enum { WIRE_LID = 16, WIRE_LIDS = 4 };

/* A CA or router of 2 ports, or a switch of 8: LID 16 (and 32 for port 2) with an LMC of 2, own SM LID. */
void wire_bed_open(struct wire_bed *bed, unsigned type);
void wire_bed_close(struct wire_bed *bed);

/* Give a wire of its own to a software SMA, which is the caller's to close. */
void wire_bed_serve(struct wire_bed *bed, struct sma_soft *soft);

/* What the wire has counted. */
struct wire_counters wire_bed_counters(const struct wire_bed *bed);

struct wire_client {
	struct wire_bed *bed;
	uint32_t process;
	int control;
	int data;
	uint32_t slot; /* WIRE_NO_SLOT: not attached */
	char node[32]; /* as the wire named it */
};

/* Open the sockets and attach, each as a process of its own. False: refused. */
bool wire_attach(struct wire_client *client, struct wire_bed *bed, const char *node, bool is_sm);

/* The same in two steps. */
void wire_client_open(struct wire_client *client, struct wire_bed *bed);
bool wire_connect(struct wire_client *client, const char *node, bool is_sm);

/* The sockets of a new process that has got the number of one that died. */
void wire_client_reopen(struct wire_client *client);

/* Close the sockets without a word, as a process that is killed. */
void wire_die(struct wire_client *client);

/* Say good-bye, then close. */
void wire_detach(struct wire_client *client);

/* A control message, with up to 64 bytes of data in and out. The type of the answer; -1: there is none. */
int wire_control(struct wire_client *client, uint32_t type, void *data, size_t size);

/* Any bytes to the control socket. The type of the answer; -1: there is none. */
int wire_raw_control(struct wire_client *client, const void *message, size_t size);

struct wire_packet {
	uint16_t dlid, slid;
	uint32_t dqp, sqp;
	uint32_t status;
	uint64_t length;
	uint8_t mad[MAD_SIZE];
};

/* A packet with a SubnGet: a directed route of no hops, or routed by LID. */
struct wire_packet wire_directed(uint16_t attribute, uint32_t tid);
struct wire_packet wire_routed(uint16_t attribute, uint16_t dlid, uint32_t tid);

/* The packet with another class or method. */
struct wire_packet wire_class(struct wire_packet packet, uint8_t class);
struct wire_packet wire_method(struct wire_packet packet, uint8_t method);

uint64_t wire_tid(const struct wire_packet *packet);

/* Put a packet into the wire, without letting it work. False: there was no room. */
bool wire_send(struct wire_client *client, const struct wire_packet *packet);
bool wire_raw_send(struct wire_client *client, const void *message, size_t size);

/* Let the wire work until nothing waits. */
void wire_work(struct wire_bed *bed);

/* Take the next packet. False: there is none. */
bool wire_receive(struct wire_client *client, struct wire_packet *packet);

/* Send, work, receive. False: no answer. */
bool wire_exchange(struct wire_client *client, const struct wire_packet *packet, struct wire_packet *answer);

#endif
