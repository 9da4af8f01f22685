// SPDX-License-Identifier: BSD-2-Clause
/*
 * Any sequence of control messages and datagrams on a simulator wire, without its sockets.
 *
 * The input: the node type, then records of an operation, an argument, the length of a message and the
 * message. A message that is marked as such is completed to a sound one, so that most inputs get somewhere.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/link.h"
#include "sma/soft/wire/control.h"
#include "sma/soft/wire/dispatch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum operation { CONTROL, DATAGRAM, TRAPS, FAULT, TIME, INSIDE, RELEASE, OPERATIONS };

enum { SOUND = 0x80 /* of an operation: complete its message */, HEAD = 4, AT_LENGTH = 24, AT_MAD = 32 };

enum fault { NO_FAULT, FULL, GONE, FAULTS };

/* The sockets that are not there. */
struct sockets {
	bool open[SIMWIRE_CLIENTS];
	enum fault fault;
	unsigned replies; /* to the datagram at hand */
	bool releases;    /* what was held leaves, and there is no datagram */
};

struct bed {
	struct soft_state *state;
	struct responder responder;
	struct held held;
	struct sockets sockets;
	struct clients clients;
};

static void check(bool good)
{
	if (!good)
		abort();
}

/* ---- sockets ---- */

static int fault_of(const struct sockets *sockets)
{
	static const int errors[FAULTS] = {0, -EAGAIN, -ECONNREFUSED};

	return errors[sockets->fault];
}

static int fake_open(void *arg, unsigned slot, uint32_t process)
{
	struct sockets *sockets = arg;

	(void)process;
	check(slot < SIMWIRE_CLIENTS && !sockets->open[slot]);
	if (sockets->fault == GONE)
		return -ECONNREFUSED;
	sockets->open[slot] = true;
	return 0;
}

static void fake_close(void *arg, unsigned slot)
{
	struct sockets *sockets = arg;

	check(sockets->open[slot]);
	sockets->open[slot] = false;
}

static bool fake_is_alive(void *arg, unsigned slot)
{
	const struct sockets *sockets = arg;

	check(sockets->open[slot]);
	return sockets->fault != GONE;
}

static void check_message(const uint8_t message[DATAGRAM_SIZE])
{
	struct datagram datagram;

	check(message_decode_datagram(message, DATAGRAM_SIZE, &datagram) == 0);
	check(datagram.mad[0] == 1);
}

static int fake_reply(void *arg, unsigned slot, const uint8_t message[DATAGRAM_SIZE])
{
	struct sockets *sockets = arg;

	check(sockets->open[slot] && (sockets->releases || ++sockets->replies == 1));
	check_message(message);
	if (sockets->releases && sockets->fault == FULL)
		return -EAGAIN;
	return sockets->fault == GONE ? -ECONNREFUSED : 0;
}

static int fake_send(void *arg, unsigned slot, const uint8_t message[DATAGRAM_SIZE])
{
	const struct sockets *sockets = arg;

	check(sockets->open[slot]);
	check_message(message);
	return fault_of(sockets);
}

static const struct client_io fake_io = {fake_open, fake_close, fake_is_alive, fake_reply, fake_send};

/* ---- operations ---- */

struct record {
	enum operation operation;
	bool sound;
	uint8_t argument;
	const uint8_t *message;
	size_t size;
};

static void do_control(struct bed *bed, const struct record *record)
{
	const uint32_t magic = 0xDEADBEEF;
	uint8_t message[CONTROL_SIZE] = {0};
	uint8_t answer[CONTROL_SIZE];
	struct control control;

	if (!record->sound) {
		control_answer(&bed->clients, record->message, record->size, !(record->argument & 1), answer);
		return;
	}
	memcpy(message, record->message, record->size < sizeof(message) ? record->size : sizeof(message));
	memcpy(message, &magic, sizeof(magic));
	check(control_answer(&bed->clients, message, sizeof(message), !(record->argument & 1), answer));
	check(message_decode_control(answer, sizeof(answer), &control) == 0);
	check(!(record->argument & 1) || control.type == CONTROL_ERROR);
}

static void do_datagram(struct bed *bed, const struct record *record)
{
	uint8_t message[DATAGRAM_SIZE] = {0};
	unsigned slot = record->argument % SIMWIRE_CLIENTS;

	bed->sockets.replies = 0;
	if (!record->sound) {
		dispatch_datagram(&bed->clients, slot, record->message, record->size);
		return;
	}
	memcpy(message, record->message, record->size < sizeof(message) ? record->size : sizeof(message));
	wire_put64(message + AT_LENGTH, MAD_SIZE);
	message[AT_MAD] = 1;
	dispatch_datagram(&bed->clients, slot, message, sizeof(message));
}

/* What the hardware does, and the traps that are due after it. */
static void do_traps(struct bed *bed, const struct record *record)
{
	unsigned sent = record->argument % 4;
	uint8_t mad[MAD_SIZE];
	unsigned port;
	unsigned sl;
	uint16_t dlid;

	link_set(&bed->responder, 1 + record->argument % 2, record->argument & 4);
	while (sent-- && responder_next_trap(&bed->responder, bed->clients.now, mad, &port, &dlid, &sl))
		dispatch_trap(&bed->clients, port, mad, dlid);
}

static void do_fault(struct bed *bed, const struct record *record)
{
	bed->sockets.fault = record->argument % FAULTS;
}

static void do_time(struct bed *bed, const struct record *record)
{
	bed->clients.now += UINT64_C(100) * record->argument;
}

/* The disk has what Sets wait for; without a fault they all get their answers. */
static void do_release(struct bed *bed, const struct record *record)
{
	unsigned before = bed->held.count;

	(void)record;
	bed->sockets.releases = true;
	held_seal(&bed->held, 1);
	held_release(&bed->held, 1);
	bed->sockets.releases = false;
	check(bed->held.count <= (bed->sockets.fault == FULL ? before : 0));
}

static void take_answer(void *arg, unsigned port, const uint8_t mad[MAD_SIZE])
{
	const struct bed *bed = arg;

	check(port <= bed->state->ports);
	check(mad[0] == 1);
}

/* This process asks the SM itself. */
static void do_inside(struct bed *bed, const struct record *record)
{
	uint8_t mad[MAD_SIZE] = {0};

	memcpy(mad, record->message, record->size < sizeof(mad) ? record->size : sizeof(mad));
	mad[0] = 1;
	dispatch_ask_sm(&bed->clients, record->argument % 3, mad);
}

static void (*const operations[OPERATIONS])(struct bed *bed, const struct record *record) = {
	do_control, do_datagram, do_traps, do_fault, do_time, do_inside, do_release,
};

/* False: the input is at its end. */
static bool next_record(const uint8_t **data, size_t *size, struct record *record)
{
	if (*size < HEAD)
		return false;
	record->operation = (*data)[0] % SOUND % OPERATIONS;
	record->sound = (*data)[0] & SOUND;
	record->argument = (*data)[1];
	record->size = wire_get16(*data + 2);
	*data += HEAD;
	*size -= HEAD;
	if (record->size > *size)
		record->size = *size;
	record->message = *data;
	*data += record->size;
	*size -= record->size;
	return true;
}

/* What must always hold: sockets are open for those who are attached, and CapabilityMask.IsSM follows the one
 * SM.
 */
static void check_state(const struct bed *bed)
{
	unsigned sms[3] = {0};

	for (unsigned slot = 0; slot < SIMWIRE_CLIENTS; slot++) {
		const struct client *client = &bed->clients.client[slot];

		check(client->attached == bed->sockets.open[slot]);
		check(client->attached || !client->is_sm);
		for (unsigned i = 0; i < bed->held.count && !client->attached; i++)
			check(bed->held.answers[i].to != slot || !bed->held.answers[i].send);
		sms[client->port] += client->is_sm;
	}
	for (unsigned port = 0; port <= bed->state->ports; port++) {
		if (state_is_end_port(bed->state, port))
			check(sms[port] == state_get(bed->state, port, SMA_PortInfo_IsSM));
	}
}

static void start(struct bed *bed, unsigned type)
{
	const struct state_shape shape = {
		.type = SMA_NODE_CA + type % 3,
		.ports = 2,
		.guid_cap = 1,
		.pkey_cap = 1,
		.linear_cap = 64,
		.vls = 1,
	};

	check(state_new(&shape, &bed->state) == 0);
	check(responder_init(&bed->responder, bed->state) == 0);
	memcpy(bed->state->description, "node", 4);
	bed->responder.held = &bed->held;
	for (unsigned port = 0; port <= bed->state->ports; port++) {
		state_set(bed->state, port, SMA_PortInfo_IsMKeyNVRAM, 1);
		state_set(bed->state, port, SMA_PortInfo_IsPKeyNVRAM, 1);
	}
	bed->clients = (struct clients){.responder = &bed->responder,
	                                .io = &fake_io,
	                                .arg = &bed->sockets,
	                                .answered = take_answer,
	                                .answered_arg = bed};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bed bed = {0};
	struct record record;

	start(&bed, size ? *data : 0);
	if (size) {
		data++;
		size--;
	}
	while (next_record(&data, &size, &record)) {
		operations[record.operation](&bed, &record);
		check_state(&bed);
	}
	responder_finish(&bed.responder);
	state_free(bed.state);
	return 0;
}
