// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_sa.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/log.h"
#include "sma/mad/mad.h"
#include "sma/mad/umadbox.h"
#include "sma/soft/wire/umadwire.h"

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
	struct umadbox mail;
	int agents[AGENT_COUNT];
	struct outage outage;
};

struct umadwire {
	struct responder *responder;
	struct sma_mailbox *box; /* what the readers found, for the loop */
	unsigned port_count;
	struct end_port ports[];
};

static const struct umadport_events events = {
	.shortest = SMA_MAD_SIZE, .received = umadbox_received, .state = umadbox_state};

/* ---- opening and closing ---- */

static const char *remedy(int error)
{
	if (error == EINVAL || error == EPERM || error == EBUSY)
		return "another SMA or SM holds its QP0: stop the subnet manager there, or choose a device "
		       "that has no SMA in its driver or firmware";
	return "has the device an InfiniBand port with a QP0 for software?";
}

/* Both classes are registered with all methods of an SMA, or the port is not used. */
static int register_classes(struct end_port *end, const char *device, char *error, size_t size)
{
	struct umadport *port = &end->mail.port;

	for (unsigned i = 0; i < AGENT_COUNT; i++) {
		int rc = umadport_register(port, &agents[i]);

		if (rc < 0)
			return umadport_refused(port, "be the SMA", device, agents[i].class, rc, remedy(-rc),
			                        error, size);
		end->agents[i] = rc;
	}
	for (size_t i = 0; i < sizeof(neighbours) / sizeof(neighbours[0]); i++)
		umadport_register(port, &neighbours[i]);
	return 0;
}

static int start(struct end_port *end, const char *device, char *error, size_t size)
{
	int rc = register_classes(end, device, error, size);

	if (rc < 0)
		return rc;
	rc = umadport_start(&end->mail.port, &events, &end->mail);
	if (rc < 0)
		snprintf(error, size, "cannot read QP0 of %s port %u: %s", device, end->mail.port.number,
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
	rc = umadport_open(&end->mail.port, device, number, error, size);
	if (rc < 0)
		return rc;
	end->mail.box = wire->box;
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

static struct umadwire *new_wire(struct responder *responder, unsigned ports)
{
	struct umadwire *wire = calloc(1, sizeof(*wire) + ports * sizeof(wire->ports[0]));

	if (!wire)
		return NULL;
	wire->responder = responder;
	wire->box = sma_mailbox_new();
	if (wire->box)
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
	for (unsigned i = 0; i < wire->port_count; i++)
		umadport_close(&wire->ports[i].mail.port);
	sma_mailbox_free(wire->box);
	free(wire);
}

int umadwire_fd(const struct umadwire *wire)
{
	return sma_mailbox_fd(wire->box);
}

/* ---- in the loop ---- */

static struct end_port *find(struct umadwire *wire, unsigned number)
{
	for (unsigned i = 0; i < wire->port_count; i++) {
		if (wire->ports[i].mail.port.number == number)
			return &wire->ports[i];
	}
	return NULL;
}

static void post(struct end_port *end, enum agent_use use, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid,
                 unsigned sl, unsigned timeout_ms)
{
	struct umad_buffer buffer = {0};
	int rc;

	memcpy(umad_get_mad(&buffer), mad, SMA_MAD_SIZE);
	umad_set_addr(&buffer, dlid, 0, (int)sl, 0);
	rc = umadport_send(&end->mail.port, end->agents[use], &buffer, timeout_ms);
	if (rc < 0)
		sma_log(SMA_LOG_DEBUG, TOPIC, "a MAD was not sent on port %u: %s", end->mail.port.number,
		        strerror(-rc));
}

/* The source of a request is where the answer goes, between QP0 and QP0. */
static void send_back(struct end_port *end, const struct sma_mail *mail)
{
	bool directed = mail->mad[AT(mgmt_class)] == UMAD_CLASS_SUBN_DIRECTED_ROUTE;

	post(end, directed ? AGENT_DIRECTED : AGENT_LID_ROUTED, mail->mad, mail->slid, mail->sl, 0);
}

static bool send_held(void *wire, unsigned port, const void *held)
{
	struct sma_mail mail;

	memcpy(&mail, held, sizeof(mail));
	send_back(find(wire, port), &mail);
	return true;
}

_Static_assert(sizeof(struct sma_mail) <= HELD_SIZE, "an answer can be held");

/* The kernel delivers a directed route with the hop pointer moved behind its end. A simulator leaves the
 * pointer alone, at 0: there is nothing to be checked then. */
static void answer(struct umadwire *wire, struct end_port *end, struct sma_mail *mail, uint64_t now)
{
	const struct arrival arrival = {
		.port = mail->port,
		.slid = mail->slid,
		.now = now,
		.any_hop_pointer = mail->mad[AT(hop_ptr)] == 0,
	};
	enum verdict verdict = responder_answer(wire->responder, &arrival, mail->mad, mail->mad);

	if (verdict == VERDICT_ANSWER)
		send_back(end, mail);
	else if (verdict == VERDICT_HOLD)
		held_add(wire->responder->held, send_held, wire, mail->port, mail, sizeof(*mail));
}

static void take(struct umadwire *wire, struct sma_mail *mail, uint64_t now)
{
	struct end_port *end = find(wire, mail->port);

	if (mail->kind != SMA_MAIL_MAD)
		outage_take(&end->outage, mail, now);
	else if (mail->status == 0) /* else it is a trap that was not repressed in its time */
		answer(wire, end, mail, now);
}

static uint64_t due(const struct umadwire *wire, uint64_t now)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < wire->port_count; i++) {
		uint64_t lost_at = outage_due(&wire->ports[i].outage, now);

		first = lost_at < first ? lost_at : first;
	}
	return first;
}

uint64_t umadwire_process(struct umadwire *wire, uint64_t now)
{
	struct sma_mail mail;
	unsigned dropped;

	for (unsigned i = 0; i < MADS_PER_CALL && sma_mailbox_take(wire->box, &mail); i++)
		take(wire, &mail, now);
	dropped = sma_mailbox_dropped(wire->box);
	if (dropped)
		sma_log(SMA_LOG_WARNING, TOPIC,
		        "%u MADs were dropped: they came faster than they were answered", dropped);
	return due(wire, now);
}

int umadwire_lost(const struct umadwire *wire, uint64_t now)
{
	int lost = 0;

	for (unsigned i = 0; i < wire->port_count && !lost; i++)
		lost = outage_lost(&wire->ports[i].outage, now);
	return lost;
}

/* The kernel takes a TrapRepress for the answer to its Trap: it passes one on only while the Trap waits for
 * it. A repetition within that time is refused, which does no harm. */
void umadwire_trap(struct umadwire *wire, unsigned port, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid,
                   unsigned sl)
{
	struct end_port *end = find(wire, port);

	if (end)
		post(end, AGENT_LID_ROUTED, mad, dlid, sl, TRAP_WAIT_MS);
}
