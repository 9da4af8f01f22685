// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/log.h"
#include "sma/mad/mad.h"
#include "sma/soft/wire/umadwire.h"

#define TOPIC "umadwire"
enum { TRAP_WAIT_MS = 1000 };

/* Nothing is asked for. */
static const struct engine_config config = {.window = 1, .timeout_ms = 1, .tries = 1};

struct end_port {
	struct umadwire *wire;
	struct mad_port *port;
};

struct umadwire {
	struct responder *responder;
	struct mad_ports *ports;
	uint64_t now;
	struct end_port ends[];
};

/* ---- requests ---- */

static void post(const struct mad_port *port, const struct packet *packet, unsigned timeout_ms)
{
	int rc = engine_send(port->engine, packet, timeout_ms);

	if (rc < 0)
		sma_log(SMA_LOG_DEBUG, TOPIC, "a MAD was not sent on port %u: %s", port->number,
		        strerror(-rc));
}

static const struct mad_port *find(const struct umadwire *wire, unsigned number)
{
	for (unsigned i = 0; i < wire->ports->count; i++) {
		if (wire->ports->list[i].number == number)
			return &wire->ports->list[i];
	}
	return NULL;
}

static bool send_held(void *wire, unsigned port, const void *held)
{
	struct packet packet;

	memcpy(&packet, held, sizeof(packet));
	post(find(wire, port), &packet, 0);
	return true;
}

_Static_assert(sizeof(struct packet) <= HELD_SIZE, "an answer can be held");

/* The source of a request is where the answer goes. The kernel delivers a directed route with the hop pointer
 * moved behind its end. A simulator leaves the pointer alone, at 0: there is nothing to be checked then. */
static void answer(void *arg, const struct engine_received *received)
{
	const struct end_port *end = arg;
	struct responder *responder = end->wire->responder;
	const struct arrival arrival = {
		.port = end->port->number,
		.slid = received->slid,
		.now = end->wire->now,
		.any_hop_pointer = received->mad[SMP_AT_HOP_POINTER] == 0,
	};
	struct packet packet = {.lid = received->slid, .sl = received->sl};
	enum verdict verdict = responder_answer(responder, &arrival, received->mad, packet.mad);

	if (verdict == VERDICT_ANSWER)
		post(end->port, &packet, 0);
	else if (verdict == VERDICT_HOLD)
		held_add(responder->held, send_held, end->wire, end->port->number, &packet, sizeof(packet));
}

/* ---- opening and closing ---- */

static bool has_sma(const struct soft_state *state, unsigned port)
{
	return port <= state->ports && state_is_end_port(state, port);
}

static int open_umad(void *arg, unsigned number, struct mailbox *box, struct transport **transport,
                     char *error, size_t size)
{
	const struct sma_device *device = arg;

	return umadtransport_open(device->name, number, UMAD_SMA, box, transport, error, size);
}

static int listen_to(struct end_port *end)
{
	static const struct {
		uint8_t class;
		uint8_t method;
	} requests[] = {
		{MAD_CLASS_SM, MAD_GET},          {MAD_CLASS_SM, MAD_SET},
		{MAD_CLASS_SM, MAD_TRAP_REPRESS}, {MAD_CLASS_SM_DIRECTED, MAD_GET},
		{MAD_CLASS_SM_DIRECTED, MAD_SET}, {MAD_CLASS_SM_DIRECTED, MAD_TRAP_REPRESS},
	};
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < sizeof(requests) / sizeof(requests[0]); i++)
		rc = engine_listen(end->port->engine, requests[i].class, requests[i].method, answer, end);
	return rc;
}

static int open_port(struct umadwire *wire, const struct sma_device *device, unsigned number, char *error,
                     size_t size)
{
	struct end_port *end = &wire->ends[wire->ports->count];
	int rc;

	if (!has_sma(wire->responder->state, number)) {
		snprintf(error, size, "%s has a port %u; the node of the node file has no SMA there",
		         device->name, number);
		return -ERANGE;
	}
	rc = mad_ports_add(wire->ports, number, &config, open_umad, (void *)device, error, size);
	if (rc < 0)
		return rc;
	*end = (struct end_port){wire, &wire->ports->list[wire->ports->count - 1]};
	rc = listen_to(end);
	if (rc < 0)
		snprintf(error, size, "cannot be the SMA of %s port %u: %s", device->name, number,
		         strerror(-rc));
	return rc;
}

static int open_ports(struct umadwire *wire, const struct sma_device *device, char *error, size_t size)
{
	int rc = open_port(wire, device, device->port, error, size);

	for (unsigned i = 0; rc == 0 && i < device->other_count; i++)
		rc = open_port(wire, device, device->others[i], error, size);
	return rc;
}

static struct umadwire *new_wire(struct responder *responder, unsigned ports)
{
	struct umadwire *wire = calloc(1, sizeof(*wire) + ports * sizeof(wire->ends[0]));

	if (!wire)
		return NULL;
	wire->responder = responder;
	wire->ports = mad_ports_new(ports);
	if (wire->ports)
		return wire;
	free(wire);
	return NULL;
}

int umadwire_open(const struct sma_device *device, struct responder *responder, struct umadwire **wire_out,
                  char *error, size_t size)
{
	struct umadwire *wire = new_wire(responder, 1 + device->other_count);
	int rc;

	if (!wire) {
		rc = -errno;
		snprintf(error, size, "cannot make a queue for QP0: %s", strerror(-rc));
		return rc;
	}
	rc = open_ports(wire, device, error, size);
	if (rc < 0) {
		umadwire_close(wire);
		return rc;
	}
	*wire_out = wire;
	return 0;
}

void umadwire_close(struct umadwire *wire)
{
	if (!wire)
		return;
	mad_ports_close(wire->ports);
	free(wire);
}

int umadwire_fd(const struct umadwire *wire)
{
	return wire->ports->fd;
}

/* ---- in the loop ---- */

uint64_t umadwire_process(struct umadwire *wire, uint64_t now)
{
	wire->now = now;
	return mad_ports_process(wire->ports, now);
}

int umadwire_lost(const struct umadwire *wire)
{
	return mad_ports_lost(wire->ports);
}

/* The kernel takes a TrapRepress for the answer to its Trap: it passes one on only while the Trap waits for
 * it. A repetition within that time is refused, which does no harm. */
void umadwire_trap(struct umadwire *wire, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid,
                   unsigned sl)
{
	const struct mad_port *from = find(wire, port);
	struct packet packet = {.lid = dlid, .sl = (uint8_t)sl};

	memcpy(packet.mad, mad, sizeof(packet.mad));
	if (from)
		post(from, &packet, TRAP_WAIT_MS);
}
