// SPDX-License-Identifier: BSD-2-Clause
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <infiniband/umad_sa.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/umadport.h"
#include "sma/umadwire.h"

#define TOPIC      "umadwire"
#define AT(member) offsetof(struct umad_smp, member)

enum {
	MADS_PER_CALL = 64, /* taken by one umadwire_process */
	TRAP_WAIT_MS = 1000,
	REQUESTS = 1 << UMAD_METHOD_GET | 1 << UMAD_METHOD_SET | 1 << UMAD_METHOD_TRAP_REPRESS,
};

/* An answer leaves on the agent of its class. */
enum agent_use { AGENT_LID_ROUTED, AGENT_DIRECTED, AGENT_COUNT };

static const struct umadport_agent agents[AGENT_COUNT] = {
	[AGENT_LID_ROUTED] = {UMAD_CLASS_SUBN_LID_ROUTED, 1, 0, REQUESTS},
	[AGENT_DIRECTED] = {UMAD_CLASS_SUBN_DIRECTED_ROUTE, 1, 0, REQUESTS},
};

/* A simulator's port with an SM gets requests of these classes too, and its library crashes when nobody has
 * registered for them. */
static const struct umadport_agent neighbours[] = {
	{.class = UMAD_CLASS_SUBN_ADM, .class_version = UMAD_SA_CLASS_VERSION},
	{.class = UMAD_CLASS_PERF_MGMT, .class_version = 1},
};

struct end_port {
	struct umadport port;
	int agents[AGENT_COUNT];
	struct umadwire *wire;
};

struct umadwire {
	struct responder *responder;
	int loop_end;    /* of the queue between the reader threads and the loop */
	int readers_end; /* a packet socket: each `struct found` is one datagram */
	atomic_uint dropped;
	struct umadwire_counters counters;
	unsigned port_count;
	struct end_port ports[];
};

/* What a reader thread found. */
struct found {
	struct end_port *end;
	bool is_state; /* `error` tells whether the device can be read; else there is a MAD */
	int error;
	struct umad_buffer buffer;
};

/* ---- in the reader threads ---- */

static void put(const struct end_port *end, const struct found *found)
{
	if (send(end->wire->readers_end, found, sizeof(*found), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		atomic_fetch_add(&end->wire->dropped, 1);
}

static void put_mad(void *arg, struct umad_buffer *buffer)
{
	struct end_port *end = arg;
	const struct found found = {.end = end, .buffer = *buffer};

	if (umad_status(buffer) == 0) /* else it is a trap that was not repressed in its time */
		put(end, &found);
}

static void put_state(void *arg, int error)
{
	struct end_port *end = arg;
	const struct found found = {.end = end, .is_state = true, .error = error};

	put(end, &found);
}

static const struct umadport_events events = {
	.shortest = SMA_MAD_SIZE, .received = put_mad, .state = put_state};

/* ---- opening and closing ---- */

static int open_queue(struct umadwire *wire, char *error, size_t size)
{
	int ends[2];
	int rc;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0) {
		wire->loop_end = ends[0];
		wire->readers_end = ends[1];
		return 0;
	}
	rc = -errno;
	snprintf(error, size, "cannot make a socket pair: %s", strerror(-rc));
	return rc;
}

/* Both classes are registered with all methods of an SMA, or the port is not used. */
static int register_classes(struct end_port *end)
{
	for (unsigned i = 0; i < AGENT_COUNT; i++) {
		end->agents[i] = umadport_register(&end->port, &agents[i]);
		if (end->agents[i] < 0)
			return end->agents[i];
	}
	for (size_t i = 0; i < sizeof(neighbours) / sizeof(neighbours[0]); i++)
		umadport_register(&end->port, &neighbours[i]);
	return 0;
}

static const char *mend(int error)
{
	if (error == EINVAL || error == EPERM || error == EBUSY)
		return "another SMA or SM holds its QP0: stop the subnet manager there, or choose a device "
		       "that has no SMA in its driver or firmware";
	return "has the device an InfiniBand port with a QP0 for software?";
}

static int start(struct end_port *end, const char *device, char *error, size_t size)
{
	int rc = register_classes(end);

	if (rc < 0) {
		snprintf(error, size, "cannot be the SMA of %s port %u: %s; %s", device, end->port.number,
		         strerror(-rc), mend(-rc));
		return rc;
	}
	rc = umadport_start(&end->port, &events, end);
	if (rc < 0)
		snprintf(error, size, "cannot read QP0 of %s port %u: %s", device, end->port.number,
		         strerror(-rc));
	return rc;
}

static bool has_sma(const struct sma_store *store, unsigned port)
{
	return port <= store->ports && store_is_end_port(store, port);
}

static int open_port(struct umadwire *wire, const char *device, unsigned number, char *error, size_t size)
{
	struct end_port *end = &wire->ports[wire->port_count];
	int rc;

	if (!has_sma(wire->responder->store, number)) {
		snprintf(error, size, "%s has a port %u; the node of the node file has no SMA there", device,
		         number);
		return -ERANGE;
	}
	rc = umadport_open(&end->port, device, number, error, size);
	if (rc < 0)
		return rc;
	end->wire = wire;
	wire->port_count++;
	return start(end, device, error, size);
}

static int open_ports(struct umadwire *wire, const struct sma_device *device, char *error, size_t size)
{
	int rc = open_port(wire, device->name, device->port, error, size);

	for (unsigned i = 0; rc == 0 && i < device->other_count; i++)
		rc = open_port(wire, device->name, device->others[i], error, size);
	return rc;
}

int umadwire_open(const struct sma_device *device, struct responder *responder, struct umadwire **wire_out,
                  char *error, size_t size)
{
	struct umadwire *wire = calloc(1, sizeof(*wire) + (1 + device->other_count) * sizeof(wire->ports[0]));
	int rc;

	if (!wire) {
		snprintf(error, size, "out of memory");
		return -ENOMEM;
	}
	wire->responder = responder;
	rc = open_queue(wire, error, size);
	if (rc < 0) {
		free(wire);
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
	for (unsigned i = 0; i < wire->port_count; i++)
		umadport_close(&wire->ports[i].port);
	close(wire->loop_end);
	close(wire->readers_end);
	free(wire);
}

int umadwire_fd(const struct umadwire *wire)
{
	return wire->loop_end;
}

void umadwire_counters(const struct umadwire *wire, struct umadwire_counters *counters)
{
	*counters = wire->counters;
}

/* ---- in the loop ---- */

static void post(struct umadwire *wire, struct end_port *end, enum agent_use use, struct umad_buffer *buffer,
                 unsigned timeout_ms)
{
	int rc = umadport_send(&end->port, end->agents[use], buffer, timeout_ms);

	if (rc == 0)
		return;
	wire->counters.unsent++;
	sma_log(SMA_LOG_DEBUG, TOPIC, "a MAD was not sent on port %u: %s", end->port.number, strerror(-rc));
}

/* The address of the request becomes that of the answer: the same LIDs, path bits and SL, between QP0 and
 * QP0. */
static void send_back(struct umadwire *wire, struct end_port *end, struct umad_buffer *buffer)
{
	const uint8_t *mad = umad_get_mad(buffer);
	const ib_mad_addr_t *source = umad_get_mad_addr(buffer);
	bool directed = mad[AT(mgmt_class)] == UMAD_CLASS_SUBN_DIRECTED_ROUTE;

	umad_set_addr(buffer, be16toh(source->lid), 0, source->sl, 0);
	umad_set_pkey(buffer, 0);
	post(wire, end, directed ? AGENT_DIRECTED : AGENT_LID_ROUTED, buffer, 0);
	wire->counters.answered++;
}

static struct end_port *find(struct umadwire *wire, unsigned port)
{
	for (unsigned i = 0; i < wire->port_count; i++) {
		if (wire->ports[i].port.number == port)
			return &wire->ports[i];
	}
	return NULL;
}

static bool send_held(void *wire, unsigned port, const void *held)
{
	struct umad_buffer buffer;

	memcpy(&buffer, held, sizeof(buffer));
	send_back(wire, find(wire, port), &buffer);
	return true;
}

_Static_assert(sizeof(struct umad_buffer) <= HELD_SIZE, "an answer can be held");

static bool hold(struct umadwire *wire, const struct end_port *end, const struct umad_buffer *buffer)
{
	return held_add(wire->responder->held, send_held, wire, end->port.number, buffer, sizeof(*buffer)) ==
	       0;
}

/* The kernel delivers a directed route with the hop pointer moved behind its end. A simulator leaves the
 * pointer alone, at 0: there is nothing to be checked then. */
static void answer(struct umadwire *wire, struct end_port *end, struct umad_buffer *buffer, uint64_t now)
{
	uint8_t *mad = umad_get_mad(buffer);
	const struct arrival arrival = {
		.port = end->port.number,
		.slid = be16toh(umad_get_mad_addr(buffer)->lid),
		.now = now,
		.any_hop_pointer = mad[AT(hop_ptr)] == 0,
	};

	enum verdict verdict = responder_answer(wire->responder, &arrival, mad, mad);

	if (verdict == VERDICT_ANSWER)
		send_back(wire, end, buffer);
	else if (verdict != VERDICT_HOLD || !hold(wire, end, buffer))
		wire->counters.unanswered++;
}

static void tell_state(const struct end_port *end, int error)
{
	if (error)
		sma_log(SMA_LOG_ERROR, TOPIC, "QP0 of port %u cannot be read: %s; trying again every second",
		        end->port.number, strerror(error));
	else
		sma_log(SMA_LOG_NOTICE, TOPIC, "QP0 of port %u can be read again", end->port.number);
}

static void tell_dropped(struct umadwire *wire)
{
	unsigned dropped = atomic_exchange(&wire->dropped, 0);

	if (!dropped)
		return;
	wire->counters.dropped += dropped;
	sma_log(SMA_LOG_WARNING, TOPIC, "%u MADs were dropped: they came faster than they were answered",
	        dropped);
}

void umadwire_process(struct umadwire *wire, uint64_t now)
{
	struct found found;

	for (unsigned i = 0; i < MADS_PER_CALL; i++) {
		if (recv(wire->loop_end, &found, sizeof(found), MSG_DONTWAIT) != sizeof(found))
			break;
		if (found.is_state)
			tell_state(found.end, found.error);
		else
			answer(wire, found.end, &found.buffer, now);
	}
	tell_dropped(wire);
}

/* The kernel takes a TrapRepress for the answer to its Trap: it passes one on only while the Trap waits for
 * it. A repetition within that time is refused, which does no harm. */
void umadwire_trap(struct umadwire *wire, unsigned port, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid,
                   unsigned sl)
{
	struct end_port *end = find(wire, port);
	struct umad_buffer buffer = {0};

	if (!end)
		return;
	memcpy(umad_get_mad(&buffer), mad, SMA_MAD_SIZE);
	umad_set_addr(&buffer, dlid, 0, (int)sl, 0);
	post(wire, end, AGENT_LID_ROUTED, &buffer, TRAP_WAIT_MS);
}
