// SPDX-License-Identifier: BSD-2-Clause
/*
 * Where a client's MAD goes: to the SMA of its port, to the port's SM client, back to the client that had
 * asked, or nowhere. A TransactionID carries the slot of its sender in bits 63 to 48, which is how responses
 * find home.
 */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/iba/iba.h"
#include "sma/soft/wire/simwire_hub.h"

enum {
	METHOD_RESPONSE = 0x80, /* the R bit */
	PERMISSIVE_LID = 0xFFFF,
	SLOT_SHIFT = 48,
};

#define AT(member) offsetof(struct umad_smp, member)

/* ---- what a datagram is ---- */

static bool is_response(const struct datagram *datagram)
{
	return datagram->mad[AT(method)] & METHOD_RESPONSE;
}

static bool is_directed(const struct datagram *datagram)
{
	return datagram->mad[AT(mgmt_class)] == UMAD_CLASS_SUBN_DIRECTED_ROUTE;
}

static bool has_method(const struct datagram *datagram, uint8_t method)
{
	return datagram->mad[AT(method)] == method;
}

/* Whether its sender waits for an answer (IBA 13.4.5). */
static bool is_one_way(const struct datagram *datagram)
{
	return is_response(datagram) || has_method(datagram, UMAD_METHOD_SEND) ||
	       has_method(datagram, UMAD_METHOD_TRAP) || has_method(datagram, UMAD_METHOD_TRAP_REPRESS);
}

/* ---- addresses ---- */

static uint16_t lid_of(const struct hub *hub, unsigned port)
{
	return (uint16_t)store_get(hub->responder->store, port, SMA_PortInfo_LID);
}

static bool is_own_lid(const struct hub *hub, unsigned port, uint16_t lid)
{
	unsigned base = lid_of(hub, port);
	unsigned count = 1U << store_get(hub->responder->store, port, SMA_PortInfo_LMC);

	return base != 0 && lid >= base && lid - base < count;
}

/* Nothing is behind the ports: a directed route leads to this node when it has no hops. */
static bool arrives(const struct hub *hub, unsigned port, const struct datagram *datagram)
{
	if (is_directed(datagram) && datagram->mad[AT(hop_cnt)] != 0)
		return false;
	if (is_directed(datagram) && datagram->dlid == PERMISSIVE_LID)
		return true;
	return is_own_lid(hub, port, datagram->dlid);
}

/* ---- ways out ---- */

/* False: an earlier answer is in the way. */
static bool reply(struct hub *hub, unsigned slot, const struct datagram *datagram)
{
	uint8_t message[DATAGRAM_SIZE];
	int rc;

	/* it may have turned out to be gone when it was sent its own request, as the SM */
	if (!hub->clients[slot].attached)
		return true;
	datagram_encode(datagram, message);
	rc = hub->io->reply(hub->arg, slot, message);
	if (rc < 0 && rc != -EAGAIN)
		hub_detach(hub, slot);
	return rc != -EAGAIN;
}

/* False: it did not get it. */
static bool send_to(struct hub *hub, unsigned slot, const struct datagram *datagram)
{
	uint8_t message[DATAGRAM_SIZE];
	int rc;

	datagram_encode(datagram, message);
	rc = hub->io->send(hub->arg, slot, message);
	if (rc == -EAGAIN)
		hub->responder->wire.dropped++;
	else if (rc < 0)
		hub_detach(hub, slot);
	else
		hub->responder->wire.forwarded++;
	return rc == 0;
}

/* The client library has no time-outs of its own, and takes a request that comes back for one. */
static void give_up(struct hub *hub, unsigned slot, struct datagram *datagram)
{
	if (is_one_way(datagram)) {
		hub->responder->wire.undelivered++;
		return;
	}
	datagram->status = ETIMEDOUT;
	hub->responder->wire.unanswered++;
	reply(hub, slot, datagram);
}

static bool answer(struct hub *hub, unsigned slot, const struct datagram *datagram)
{
	struct datagram turned = *datagram;

	turned.dlid = datagram->slid;
	turned.slid = datagram->dlid;
	turned.dqp = datagram->sqp;
	turned.sqp = datagram->dqp;
	turned.status = 0;
	if (!reply(hub, slot, &turned))
		return false;
	hub->responder->wire.answered++;
	return true;
}

static bool answer_held(void *wire, unsigned slot, const void *held)
{
	struct datagram datagram;

	memcpy(&datagram, held, sizeof(datagram));
	return answer(wire, slot, &datagram);
}

_Static_assert(sizeof(struct datagram) <= HELD_SIZE, "an answer can be held");

static bool hold(struct hub *hub, unsigned slot, const struct datagram *datagram)
{
	return held_add(hub->responder->held, answer_held, hub, slot, datagram, sizeof(*datagram)) == 0;
}

/* ---- requests ---- */

static void to_sm(struct hub *hub, unsigned slot, struct datagram *datagram)
{
	unsigned sm = hub_sm(hub, hub->clients[slot].port);

	if (sm == SIMWIRE_CLIENTS || !send_to(hub, sm, datagram))
		give_up(hub, slot, datagram);
}

static void to_sma(struct hub *hub, unsigned slot, struct datagram *datagram)
{
	const struct arrival arrival = {
		.port = hub->clients[slot].port,
		.slid = datagram->slid,
		.now = hub->now,
		.any_hop_pointer = true,
	};
	struct datagram answered = *datagram;

	switch (responder_answer(hub->responder, &arrival, datagram->mad, answered.mad)) {
	case VERDICT_ANSWER:
		answer(hub, slot, &answered);
		break;
	case VERDICT_HOLD:
		if (!hold(hub, slot, &answered))
			give_up(hub, slot, datagram);
		break;
	case VERDICT_TO_SM:
		to_sm(hub, slot, datagram);
		break;
	case VERDICT_DROP:
		if (!has_method(datagram, UMAD_METHOD_TRAP_REPRESS))
			give_up(hub, slot, datagram);
		break;
	}
}

/* Traps that clients make up go to the SM as those of the SMA do. */
static void smp_request(struct hub *hub, unsigned slot, struct datagram *datagram)
{
	if (has_method(datagram, UMAD_METHOD_TRAP))
		to_sm(hub, slot, datagram);
	else
		to_sma(hub, slot, datagram);
}

/* A client must not get a class that it has not registered for, as its library crashes. An SM has registered
 * for these, and whoever asked for one of them. */
static const struct {
	uint8_t class;
	void (*request)(struct hub *hub, unsigned slot, struct datagram *datagram);
} classes[] = {
	{UMAD_CLASS_SUBN_LID_ROUTED, smp_request},
	{UMAD_CLASS_SUBN_DIRECTED_ROUTE, smp_request},
	{UMAD_CLASS_SUBN_ADM, to_sm},
};

/* The entry of a datagram's class; false: it is served nowhere. */
static bool find_class(const struct datagram *datagram, unsigned *entry)
{
	const unsigned count = sizeof(classes) / sizeof(classes[0]);

	for (*entry = 0; *entry < count; (*entry)++) {
		if (classes[*entry].class == datagram->mad[AT(mgmt_class)])
			return true;
	}
	return false;
}

static void stamp(struct datagram *datagram, unsigned slot)
{
	uint64_t tid = wire_get64(datagram->mad + AT(tid));

	tid &= (UINT64_C(1) << SLOT_SHIFT) - 1;
	wire_put64(datagram->mad + AT(tid), tid | (uint64_t)slot << SLOT_SHIFT);
}

static void request(struct hub *hub, unsigned slot, struct datagram *datagram)
{
	unsigned entry;

	stamp(datagram, slot);
	if (find_class(datagram, &entry) && arrives(hub, hub->clients[slot].port, datagram))
		classes[entry].request(hub, slot, datagram);
	else
		give_up(hub, slot, datagram);
}

/* ---- responses and traps ---- */

static void response(struct hub *hub, unsigned slot, const struct datagram *datagram)
{
	uint64_t asker = wire_get64(datagram->mad + AT(tid)) >> SLOT_SHIFT;
	unsigned port = hub->clients[slot].port;
	unsigned entry;

	if (asker == HUB_INSIDE && hub->answered && hub->clients[slot].is_sm) {
		hub->answered(hub->answered_arg, port, datagram->mad);
		return;
	}
	if (asker < SIMWIRE_CLIENTS && hub->clients[asker].attached && hub->clients[asker].port == port &&
	    find_class(datagram, &entry) && arrives(hub, port, datagram))
		send_to(hub, (unsigned)asker, datagram);
	else
		hub->responder->wire.undelivered++;
}

void hub_datagram(struct hub *hub, unsigned slot, const uint8_t *message, size_t size)
{
	struct datagram datagram;

	if (!hub->clients[slot].attached || datagram_decode(message, size, &datagram) < 0 ||
	    datagram.mad[AT(base_version)] != UMAD_BASE_VERSION) {
		hub->responder->wire.malformed++;
		return;
	}
	if (datagram.slid == 0)
		datagram.slid = lid_of(hub, hub->clients[slot].port);
	if (is_response(&datagram))
		response(hub, slot, &datagram);
	else
		request(hub, slot, &datagram);
}

int hub_ask_sm(struct hub *hub, unsigned port, const uint8_t mad[SMA_MAD_SIZE])
{
	struct datagram datagram = {.dlid = PERMISSIVE_LID, .slid = PERMISSIVE_LID};
	unsigned sm = hub_sm(hub, port);

	memcpy(datagram.mad, mad, sizeof(datagram.mad));
	stamp(&datagram, HUB_INSIDE);
	return sm != SIMWIRE_CLIENTS && send_to(hub, sm, &datagram) ? 0 : -ENODEV;
}

void hub_trap(struct hub *hub, unsigned port, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid)
{
	struct datagram datagram = {.dlid = dlid, .slid = lid_of(hub, port)};
	unsigned sm = hub_sm(hub, port);

	memcpy(datagram.mad, mad, sizeof(datagram.mad));
	if (sm != SIMWIRE_CLIENTS && is_own_lid(hub, port, dlid))
		send_to(hub, sm, &datagram);
	else
		hub->responder->wire.undelivered++;
}
