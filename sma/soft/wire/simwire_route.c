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

/* ---- what a packet is ---- */

static bool is_response(const struct packet *packet)
{
	return packet->mad[AT(method)] & METHOD_RESPONSE;
}

static bool is_directed(const struct packet *packet)
{
	return packet->mad[AT(mgmt_class)] == UMAD_CLASS_SUBN_DIRECTED_ROUTE;
}

static bool has_method(const struct packet *packet, uint8_t method)
{
	return packet->mad[AT(method)] == method;
}

/* Whether its sender waits for an answer (IBA 13.4.5). */
static bool is_one_way(const struct packet *packet)
{
	return is_response(packet) || has_method(packet, UMAD_METHOD_SEND) ||
	       has_method(packet, UMAD_METHOD_TRAP) || has_method(packet, UMAD_METHOD_TRAP_REPRESS);
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
static bool arrives(const struct hub *hub, unsigned port, const struct packet *packet)
{
	if (is_directed(packet) && packet->mad[AT(hop_cnt)] != 0)
		return false;
	if (is_directed(packet) && packet->dlid == PERMISSIVE_LID)
		return true;
	return is_own_lid(hub, port, packet->dlid);
}

/* ---- ways out ---- */

/* False: an earlier answer is in the way. */
static bool reply(struct hub *hub, unsigned slot, const struct packet *packet)
{
	uint8_t message[PACKET_SIZE];
	int rc;

	/* it may have turned out to be gone when it was sent its own request, as the SM */
	if (!hub->clients[slot].attached)
		return true;
	packet_encode(packet, message);
	rc = hub->io->reply(hub->arg, slot, message);
	if (rc < 0 && rc != -EAGAIN)
		hub_detach(hub, slot);
	return rc != -EAGAIN;
}

/* False: it did not get it. */
static bool send_to(struct hub *hub, unsigned slot, const struct packet *packet)
{
	uint8_t message[PACKET_SIZE];
	int rc;

	packet_encode(packet, message);
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
static void give_up(struct hub *hub, unsigned slot, struct packet *packet)
{
	if (is_one_way(packet)) {
		hub->responder->wire.undelivered++;
		return;
	}
	packet->status = ETIMEDOUT;
	hub->responder->wire.unanswered++;
	reply(hub, slot, packet);
}

static bool answer(struct hub *hub, unsigned slot, const struct packet *packet)
{
	struct packet turned = *packet;

	turned.dlid = packet->slid;
	turned.slid = packet->dlid;
	turned.dqp = packet->sqp;
	turned.sqp = packet->dqp;
	turned.status = 0;
	if (!reply(hub, slot, &turned))
		return false;
	hub->responder->wire.answered++;
	return true;
}

static bool answer_held(void *wire, unsigned slot, const void *held)
{
	struct packet packet;

	memcpy(&packet, held, sizeof(packet));
	return answer(wire, slot, &packet);
}

_Static_assert(sizeof(struct packet) <= HELD_SIZE, "an answer can be held");

static bool hold(struct hub *hub, unsigned slot, const struct packet *packet)
{
	return held_add(hub->responder->held, answer_held, hub, slot, packet, sizeof(*packet)) == 0;
}

/* ---- requests ---- */

static void to_sm(struct hub *hub, unsigned slot, struct packet *packet)
{
	unsigned sm = hub_sm(hub, hub->clients[slot].port);

	if (sm == SIMWIRE_CLIENTS || !send_to(hub, sm, packet))
		give_up(hub, slot, packet);
}

static void to_sma(struct hub *hub, unsigned slot, struct packet *packet)
{
	const struct arrival arrival = {
		.port = hub->clients[slot].port,
		.slid = packet->slid,
		.now = hub->now,
		.any_hop_pointer = true,
	};
	struct packet answered = *packet;

	switch (responder_answer(hub->responder, &arrival, packet->mad, answered.mad)) {
	case VERDICT_ANSWER:
		answer(hub, slot, &answered);
		break;
	case VERDICT_HOLD:
		if (!hold(hub, slot, &answered))
			give_up(hub, slot, packet);
		break;
	case VERDICT_TO_SM:
		to_sm(hub, slot, packet);
		break;
	case VERDICT_DROP:
		if (!has_method(packet, UMAD_METHOD_TRAP_REPRESS))
			give_up(hub, slot, packet);
		break;
	}
}

/* Traps that clients make up go to the SM as those of the SMA do. */
static void smp_request(struct hub *hub, unsigned slot, struct packet *packet)
{
	if (has_method(packet, UMAD_METHOD_TRAP))
		to_sm(hub, slot, packet);
	else
		to_sma(hub, slot, packet);
}

/* A client must not get a class that it has not registered for, as its library crashes. An SM has registered
 * for these, and whoever asked for one of them. */
static const struct {
	uint8_t class;
	void (*request)(struct hub *hub, unsigned slot, struct packet *packet);
} classes[] = {
	{UMAD_CLASS_SUBN_LID_ROUTED, smp_request},
	{UMAD_CLASS_SUBN_DIRECTED_ROUTE, smp_request},
	{UMAD_CLASS_SUBN_ADM, to_sm},
};

/* The entry of a packet's class; false: it is served nowhere. */
static bool find_class(const struct packet *packet, unsigned *entry)
{
	const unsigned count = sizeof(classes) / sizeof(classes[0]);

	for (*entry = 0; *entry < count; (*entry)++) {
		if (classes[*entry].class == packet->mad[AT(mgmt_class)])
			return true;
	}
	return false;
}

static void stamp(struct packet *packet, unsigned slot)
{
	uint64_t tid = wire_get64(packet->mad + AT(tid));

	tid &= (UINT64_C(1) << SLOT_SHIFT) - 1;
	wire_put64(packet->mad + AT(tid), tid | (uint64_t)slot << SLOT_SHIFT);
}

static void request(struct hub *hub, unsigned slot, struct packet *packet)
{
	unsigned entry;

	stamp(packet, slot);
	if (find_class(packet, &entry) && arrives(hub, hub->clients[slot].port, packet))
		classes[entry].request(hub, slot, packet);
	else
		give_up(hub, slot, packet);
}

/* ---- responses and traps ---- */

static void response(struct hub *hub, unsigned slot, const struct packet *packet)
{
	uint64_t asker = wire_get64(packet->mad + AT(tid)) >> SLOT_SHIFT;
	unsigned port = hub->clients[slot].port;
	unsigned entry;

	if (asker == HUB_INSIDE && hub->inside && hub->clients[slot].is_sm) {
		sma_mailbox_post(hub->inside, (uint8_t)port, 0, packet->mad);
		return;
	}
	if (asker < SIMWIRE_CLIENTS && hub->clients[asker].attached && hub->clients[asker].port == port &&
	    find_class(packet, &entry) && arrives(hub, port, packet))
		send_to(hub, (unsigned)asker, packet);
	else
		hub->responder->wire.undelivered++;
}

void hub_packet(struct hub *hub, unsigned slot, const uint8_t *message, size_t size)
{
	struct packet packet;

	if (!hub->clients[slot].attached || packet_decode(message, size, &packet) < 0 ||
	    packet.mad[AT(base_version)] != UMAD_BASE_VERSION) {
		hub->responder->wire.malformed++;
		return;
	}
	if (packet.slid == 0)
		packet.slid = lid_of(hub, hub->clients[slot].port);
	if (is_response(&packet))
		response(hub, slot, &packet);
	else
		request(hub, slot, &packet);
}

int hub_ask_sm(struct hub *hub, unsigned port, const uint8_t mad[SMA_MAD_SIZE], struct sma_mailbox *box)
{
	struct packet packet = {.dlid = PERMISSIVE_LID, .slid = PERMISSIVE_LID};
	unsigned sm = hub_sm(hub, port);

	hub->inside = box;
	memcpy(packet.mad, mad, sizeof(packet.mad));
	stamp(&packet, HUB_INSIDE);
	return sm != SIMWIRE_CLIENTS && send_to(hub, sm, &packet) ? 0 : -ENODEV;
}

void hub_trap(struct hub *hub, unsigned port, const uint8_t mad[SMA_MAD_SIZE], uint16_t dlid)
{
	struct packet packet = {.dlid = dlid, .slid = lid_of(hub, port)};
	unsigned sm = hub_sm(hub, port);

	memcpy(packet.mad, mad, sizeof(packet.mad));
	if (sm != SIMWIRE_CLIENTS && is_own_lid(hub, port, dlid))
		send_to(hub, sm, &packet);
	else
		hub->responder->wire.undelivered++;
}
