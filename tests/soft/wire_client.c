// SPDX-License-Identifier: BSD-2-Clause
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sma/iba/mad.h"
#include "sma/iba/wire.h"
#include "tests/soft/wire_client.h"
#include "tests/unit.h"

#define MAGIC 0xDEADBEEFU

enum {
	TO_DLID = 0,
	TO_SLID = 4,
	TO_DQP = 8,
	TO_SQP = 12,
	TO_STATUS = 16,
	TO_LENGTH = 24,
	TO_MAD = 32
}; /* within a packet */

/* ---- the node ---- */

static void set_lids(struct soft_state *state, unsigned port, unsigned lid)
{
	state_set(state, port, SMA_PortInfo_LID, lid);
	state_set(state, port, SMA_PortInfo_LMC, 2);
	state_set(state, port, SMA_PortInfo_MasterSMLID, lid);
}

static void name_bed(struct wire_bed *bed)
{
	static unsigned serial;

	*bed = (struct wire_bed){.now = 1000};
	snprintf(bed->name, sizeof(bed->name), "ibsmad-unit-%d-%u", (int)getpid(), serial++);
}

void wire_bed_serve(struct wire_bed *bed, struct sma_soft *soft)
{
	char error[256];

	name_bed(bed);
	bed->soft = soft;
	CHECK_EQUAL(sma_soft_serve_sim(soft, bed->name, error, sizeof(error)), 0);
}

void wire_bed_open(struct wire_bed *bed, unsigned type)
{
	const struct state_shape shape = {
		.type = type,
		.ports = type == SMA_NODE_SWITCH ? 8 : 2,
		.guid_cap = 2,
		.pkey_cap = 40,
		.vls = 4,
	};
	char error[256];

	name_bed(bed);
	CHECK_EQUAL(state_new(&shape, &bed->state), 0);
	state_set_guid(bed->state, 0x1000);
	memcpy(bed->state->description, "node one", 8);
	if (type == SMA_NODE_SWITCH) {
		set_lids(bed->state, 0, WIRE_LID);
	} else {
		set_lids(bed->state, 1, WIRE_LID);
		set_lids(bed->state, 2, 32);
	}
	CHECK_EQUAL(responder_init(&bed->responder, bed->state), 0);
	CHECK_EQUAL(simwire_open(bed->name, &bed->responder, &bed->wire, error, sizeof(error)), 0);
}

void wire_bed_close(struct wire_bed *bed)
{
	simwire_close(bed->wire);
	responder_finish(&bed->responder);
	state_free(bed->state);
}

struct wire_counters wire_bed_counters(const struct wire_bed *bed)
{
	return bed->responder.wire;
}

void wire_work(struct wire_bed *bed)
{
	struct pollfd fd = {.fd = bed->soft ? sma_soft_fd(bed->soft) : simwire_fd(bed->wire),
	                    .events = POLLIN};

	for (unsigned rounds = 0; rounds < 1000 && poll(&fd, 1, 0) == 1; rounds++) {
		if (bed->soft)
			sma_soft_process(bed->soft, bed->now);
		else
			simwire_process(bed->wire, bed->now);
	}
}

/* ---- sockets ---- */

static socklen_t make_name(const struct wire_client *client, const char *kind, unsigned number, bool numbered,
                           struct sockaddr_un *name)
{
	char tail[16] = "";

	if (numbered)
		snprintf(tail, sizeof(tail), "%u", number);
	*name = (struct sockaddr_un){.sun_family = AF_UNIX};
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 2 +
	                   (size_t)snprintf(name->sun_path + 1, sizeof(name->sun_path) - 1, "%s:%s%s",
	                                    client->bed->name, kind, tail));
}

static int open_socket(const struct wire_client *client, const char *kind)
{
	struct sockaddr_un name;
	socklen_t size = make_name(client, kind, client->process, true, &name);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	CHECK(fd >= 0);
	CHECK_EQUAL(bind(fd, (const struct sockaddr *)&name, size), 0);
	return fd;
}

void wire_client_reopen(struct wire_client *client)
{
	struct sockaddr_un name;
	socklen_t size = make_name(client, "ctl", 0, false, &name);

	client->slot = WIRE_NO_SLOT;
	client->control = open_socket(client, "ctl");
	client->data = open_socket(client, "in");
	CHECK_EQUAL(connect(client->control, (const struct sockaddr *)&name, size), 0);
}

void wire_client_open(struct wire_client *client, struct wire_bed *bed)
{
	static uint32_t process = 4000000;

	*client = (struct wire_client){.bed = bed, .process = process};
	process++;
	wire_client_reopen(client);
}

void wire_die(struct wire_client *client)
{
	close(client->control);
	close(client->data);
}

void wire_detach(struct wire_client *client)
{
	CHECK_EQUAL(wire_control(client, WIRE_DISCONNECT, NULL, 0), WIRE_DISCONNECT);
	wire_die(client);
}

/* ---- control messages ---- */

static int exchange_control(struct wire_client *client, const void *message, size_t size, uint8_t *answer)
{
	uint32_t type;

	CHECK_EQUAL(send(client->control, message, size, 0), size);
	wire_work(client->bed);
	if (recv(client->control, answer, WIRE_CONTROL_SIZE, 0) != WIRE_CONTROL_SIZE)
		return -1;
	CHECK_OCTETS(answer, (uint32_t[]){MAGIC}, 4);
	memcpy(&type, answer + 8, sizeof(type));
	return (int)type;
}

int wire_raw_control(struct wire_client *client, const void *message, size_t size)
{
	uint8_t answer[WIRE_CONTROL_SIZE];

	return exchange_control(client, message, size, answer);
}

int wire_control(struct wire_client *client, uint32_t type, void *data, size_t size)
{
	const uint32_t head[] = {MAGIC, client->slot, type, (uint32_t)size};
	uint8_t message[WIRE_CONTROL_SIZE] = {0};
	int rc;

	memcpy(message, head, sizeof(head));
	if (size)
		memcpy(message + sizeof(head), data, size);
	rc = exchange_control(client, message, sizeof(message), message);
	if (size)
		memcpy(data, message + sizeof(head), size);
	return rc;
}

bool wire_connect(struct wire_client *client, const char *node, bool is_sm)
{
	struct {
		uint32_t id, qp, is_sm;
		char node[32];
	} info = {.id = client->process, .is_sm = is_sm};
	struct sockaddr_un name;
	socklen_t size;

	if (node)
		strncpy(info.node, node, sizeof(info.node) - 1);
	if (wire_control(client, WIRE_CONNECT, &info, sizeof(info)) != WIRE_CONNECT)
		return false;
	client->slot = info.id;
	memcpy(client->node, info.node, sizeof(client->node));
	size = make_name(client, "out", info.id, true, &name);
	CHECK_EQUAL(connect(client->data, (const struct sockaddr *)&name, size), 0);
	return true;
}

bool wire_attach(struct wire_client *client, struct wire_bed *bed, const char *node, bool is_sm)
{
	wire_client_open(client, bed);
	return wire_connect(client, node, is_sm);
}

/* ---- packets ---- */

static struct wire_packet get_packet(uint16_t attribute, uint32_t tid)
{
	const struct mad_head head = {
		.class = MAD_CLASS_SM_DIRECTED, .method = MAD_GET, .attribute = attribute, .tid = tid};
	struct wire_packet packet = {.sqp = 0, .length = MAD_SIZE};

	mad_build(packet.mad, &head);
	mad_set_route(packet.mad, NULL, 0);
	return packet;
}

struct wire_packet wire_directed(uint16_t attribute, uint32_t tid)
{
	struct wire_packet packet = get_packet(attribute, tid);

	packet.dlid = packet.slid = WIRE_PERMISSIVE;
	return packet;
}

struct wire_packet wire_routed(uint16_t attribute, uint16_t dlid, uint32_t tid)
{
	struct wire_packet packet = get_packet(attribute, tid);

	packet.mad[AT_CLASS] = CLASS_ROUTED;
	packet.dlid = dlid;
	return packet;
}

struct wire_packet wire_class(struct wire_packet packet, uint8_t class)
{
	packet.mad[AT_CLASS] = class;
	return packet;
}

struct wire_packet wire_method(struct wire_packet packet, uint8_t method)
{
	packet.mad[AT_METHOD] = method;
	return packet;
}

uint64_t wire_tid(const struct wire_packet *packet)
{
	return wire_get64(packet->mad + AT_TID);
}

static void put_lid(uint8_t *at, uint16_t lid)
{
	const uint32_t number = htons(lid);

	memcpy(at, &number, sizeof(number));
}

static uint16_t get_lid(const uint8_t *at)
{
	uint32_t number;

	memcpy(&number, at, sizeof(number));
	CHECK(number <= UINT16_MAX);
	return ntohs((uint16_t)number);
}

bool wire_raw_send(struct wire_client *client, const void *message, size_t size)
{
	return send(client->data, message, size, 0) == (ssize_t)size;
}

bool wire_send(struct wire_client *client, const struct wire_packet *packet)
{
	uint8_t message[WIRE_DATA_SIZE] = {0};

	put_lid(message + TO_DLID, packet->dlid);
	put_lid(message + TO_SLID, packet->slid);
	wire_put32(message + TO_DQP, packet->dqp);
	wire_put32(message + TO_SQP, packet->sqp);
	wire_put32(message + TO_STATUS, packet->status);
	wire_put64(message + TO_LENGTH, packet->length);
	memcpy(message + TO_MAD, packet->mad, MAD_SIZE);
	return wire_raw_send(client, message, sizeof(message));
}

bool wire_receive(struct wire_client *client, struct wire_packet *packet)
{
	uint8_t message[WIRE_DATA_SIZE];

	if (recv(client->data, message, sizeof(message), 0) != sizeof(message))
		return false;
	*packet = (struct wire_packet){
		.dlid = get_lid(message + TO_DLID),
		.slid = get_lid(message + TO_SLID),
		.dqp = wire_get32(message + TO_DQP),
		.sqp = wire_get32(message + TO_SQP),
		.status = wire_get32(message + TO_STATUS),
		.length = wire_get64(message + TO_LENGTH),
	};
	memcpy(packet->mad, message + TO_MAD, MAD_SIZE);
	return true;
}

bool wire_exchange(struct wire_client *client, const struct wire_packet *packet, struct wire_packet *answer)
{
	CHECK(wire_send(client, packet));
	wire_work(client->bed);
	return wire_receive(client, answer);
}
