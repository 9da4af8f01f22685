// SPDX-License-Identifier: BSD-2-Clause
/*
 * Where a client's MAD goes: to the SMA of its port, to the port's SM client, back to the client that had
 * asked, or nowhere. A TransactionID carries the slot of its sender in bits 63 to 48, which is how responses
 * find home.
 */
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/dm/devmgt.h"
#include "sma/soft/wire/clients.h"

enum {
	SLOT_SHIFT = 48,
};

/* ---- what a datagram is ---- */

static bool is_response(const struct datagram *datagram)
{
	return datagram->mad[MAD_AT_METHOD] & MAD_RESPONSE;
}

static bool is_directed(const struct datagram *datagram)
{
	return datagram->mad[MAD_AT_CLASS] == MAD_CLASS_SM_DIRECTED;
}

static bool has_method(const struct datagram *datagram, uint8_t method)
{
	return datagram->mad[MAD_AT_METHOD] == method;
}

/* Whether its sender waits for an answer (IBA 13.4.5). */
static bool is_one_way(const struct datagram *datagram)
{
	return is_response(datagram) || has_method(datagram, MAD_SEND) || has_method(datagram, MAD_TRAP) ||
	       has_method(datagram, MAD_TRAP_REPRESS);
}

/* ---- addresses ---- */

static uint16_t lid_of(const struct clients *clients, unsigned port)
{
	return (uint16_t)state_get(clients->responder->state, port, SMA_PortInfo_LID);
}

static bool is_own_lid(const struct clients *clients, unsigned port, uint16_t lid)
{
	unsigned base = lid_of(clients, port);
	unsigned count = 1U << state_get(clients->responder->state, port, SMA_PortInfo_LMC);

	return base != 0 && lid >= base && lid - base < count;
}

/* Nothing is behind the ports: a directed route leads to this node when it has no hops. */
static bool arrives(const struct clients *clients, unsigned port, const struct datagram *datagram)
{
	if (is_directed(datagram) && datagram->mad[SMP_AT_HOP_COUNT] != 0)
		return false;
	if (is_directed(datagram) && datagram->dlid == MAD_PERMISSIVE_LID)
		return true;
	return is_own_lid(clients, port, datagram->dlid);
}

/* ---- ways out ---- */

/* False: an earlier answer is in the way. */
static bool reply(struct clients *clients, unsigned slot, const struct datagram *datagram)
{
	uint8_t message[DATAGRAM_SIZE];
	int rc;

	/* it may have turned out to be gone when it was sent its own request, as the SM */
	if (!clients->client[slot].attached)
		return true;
	message_encode_datagram(datagram, message);
	rc = clients->io->reply(clients->arg, slot, message);
	if (rc < 0 && rc != -EAGAIN)
		clients_detach(clients, slot);
	return rc != -EAGAIN;
}

/* False: it did not get it. */
static bool send_to(struct clients *clients, unsigned slot, const struct datagram *datagram)
{
	uint8_t message[DATAGRAM_SIZE];
	int rc;

	message_encode_datagram(datagram, message);
	rc = clients->io->send(clients->arg, slot, message);
	if (rc == -EAGAIN)
		clients->responder->wire.dropped++;
	else if (rc < 0)
		clients_detach(clients, slot);
	else
		clients->responder->wire.forwarded++;
	return rc == 0;
}

/* The client library has no time-outs of its own, and takes a request that comes back for one. */
static void give_up(struct clients *clients, unsigned slot, struct datagram *datagram)
{
	if (is_one_way(datagram)) {
		clients->responder->wire.undelivered++;
		return;
	}
	datagram->status = ETIMEDOUT;
	clients->responder->wire.unanswered++;
	reply(clients, slot, datagram);
}

static bool answer(struct clients *clients, unsigned slot, const struct datagram *datagram)
{
	struct datagram turned = *datagram;

	turned.dlid = datagram->slid;
	turned.slid = datagram->dlid;
	turned.dqp = datagram->sqp;
	turned.sqp = datagram->dqp;
	turned.status = 0;
	turned.size = MAD_SIZE;
	if (!reply(clients, slot, &turned))
		return false;
	clients->responder->wire.answered++;
	return true;
}

static bool answer_held(void *wire, unsigned slot, const void *held)
{
	struct datagram datagram;

	memcpy(&datagram, held, sizeof(datagram));
	return answer(wire, slot, &datagram);
}

_Static_assert(sizeof(struct datagram) <= HELD_SIZE, "an answer can be held");

static bool hold(struct clients *clients, unsigned slot, const struct datagram *datagram)
{
	return held_add(clients->responder->held, answer_held, clients, slot, datagram, sizeof(*datagram)) ==
	       0;
}

/* ---- requests ---- */

static void to_sm(struct clients *clients, unsigned slot, struct datagram *datagram)
{
	unsigned sm = clients_sm(clients, clients->client[slot].port);

	if (sm == SIMWIRE_CLIENTS || !send_to(clients, sm, datagram))
		give_up(clients, slot, datagram);
}

static void to_sma(struct clients *clients, unsigned slot, struct datagram *datagram)
{
	const struct arrival arrival = {
		.port = clients->client[slot].port,
		.slid = datagram->slid,
		.now = clients->now,
		.any_hop_pointer = true,
	};
	struct datagram answered = *datagram;

	switch (responder_answer(clients->responder, &arrival, datagram->mad, answered.mad)) {
	case VERDICT_ANSWER:
		answer(clients, slot, &answered);
		break;
	case VERDICT_HOLD:
		if (!hold(clients, slot, &answered))
			give_up(clients, slot, datagram);
		break;
	case VERDICT_TO_SM:
		to_sm(clients, slot, datagram);
		break;
	case VERDICT_DROP:
		if (!has_method(datagram, MAD_TRAP_REPRESS))
			give_up(clients, slot, datagram);
		break;
	}
}

/* Traps that clients make up go to the SM as those of the SMA do. */
static void smp_request(struct clients *clients, unsigned slot, struct datagram *datagram)
{
	if (has_method(datagram, MAD_TRAP))
		to_sm(clients, slot, datagram);
	else
		to_sma(clients, slot, datagram);
}

/* Who says where traps go has an agent for them. */
static void note_manager(struct clients *clients, unsigned slot, const struct datagram *datagram,
                         const uint8_t answer[MAD_SIZE])
{
	if (has_method(datagram, MAD_SET) &&
	    wire_get16(datagram->mad + MAD_AT_ATTRIBUTE) == dm_attr_info(DM_ClassPortInfo)->id &&
	    wire_get16(answer + MAD_AT_STATUS) == 0)
		clients_set_manager(clients, slot);
}

static void to_devmgt(struct clients *clients, unsigned slot, struct datagram *datagram)
{
	const struct arrival arrival = {
		.port = clients->client[slot].port,
		.slid = datagram->slid,
		.now = clients->now,
	};
	struct datagram answered = *datagram;

	if (clients->responder->devmgt && devmgt_answer(clients->responder->devmgt, &arrival, datagram->mad,
	                                                answered.mad) == VERDICT_ANSWER) {
		note_manager(clients, slot, datagram, answered.mad);
		answer(clients, slot, &answered);
	} else if (!has_method(datagram, MAD_TRAP_REPRESS)) {
		give_up(clients, slot, datagram);
	}
}

/* A client must not get a class that it has not registered for, as its library crashes. An SM has registered
 * for these, and whoever asked for one of them. */
static const struct {
	uint8_t class;
	void (*request)(struct clients *clients, unsigned slot, struct datagram *datagram);
} classes[] = {
	{MAD_CLASS_SM, smp_request},
	{MAD_CLASS_SM_DIRECTED, smp_request},
	{MAD_CLASS_SA, to_sm},
	{MAD_CLASS_DEVICE, to_devmgt},
};

/* The entry of a datagram's class; false: it is served nowhere. */
static bool find_class(const struct datagram *datagram, unsigned *entry)
{
	const unsigned count = sizeof(classes) / sizeof(classes[0]);

	for (*entry = 0; *entry < count; (*entry)++) {
		if (classes[*entry].class == datagram->mad[MAD_AT_CLASS])
			return true;
	}
	return false;
}

static void stamp(struct datagram *datagram, unsigned slot)
{
	uint64_t tid = wire_get64(datagram->mad + MAD_AT_TID);

	tid &= (UINT64_C(1) << SLOT_SHIFT) - 1;
	wire_put64(datagram->mad + MAD_AT_TID, tid | (uint64_t)slot << SLOT_SHIFT);
}

static void request(struct clients *clients, unsigned slot, struct datagram *datagram)
{
	unsigned entry;

	stamp(datagram, slot);
	if (find_class(datagram, &entry) && arrives(clients, clients->client[slot].port, datagram))
		classes[entry].request(clients, slot, datagram);
	else
		give_up(clients, slot, datagram);
}

/* ---- responses and traps ---- */

static void response(struct clients *clients, unsigned slot, const struct datagram *datagram)
{
	uint64_t asker = wire_get64(datagram->mad + MAD_AT_TID) >> SLOT_SHIFT;
	unsigned port = clients->client[slot].port;
	unsigned entry;

	if (asker == CLIENTS_INSIDE && clients->answered && clients->client[slot].is_sm) {
		clients->answered(clients->answered_arg, port, datagram->mad);
		return;
	}
	if (asker < SIMWIRE_CLIENTS && clients->client[asker].attached &&
	    clients->client[asker].port == port && find_class(datagram, &entry) &&
	    arrives(clients, port, datagram))
		send_to(clients, (unsigned)asker, datagram);
	else
		clients->responder->wire.undelivered++;
}

void dispatch_datagram(struct clients *clients, unsigned slot, const uint8_t *message, size_t size)
{
	struct datagram datagram;

	if (!clients->client[slot].attached || message_decode_datagram(message, size, &datagram) < 0 ||
	    datagram.mad[MAD_AT_BASE_VERSION] != MAD_BASE_VERSION) {
		clients->responder->wire.malformed++;
		return;
	}
	if (datagram.slid == 0)
		datagram.slid = lid_of(clients, clients->client[slot].port);
	if (is_response(&datagram))
		response(clients, slot, &datagram);
	else
		request(clients, slot, &datagram);
}

int dispatch_ask_sm(struct clients *clients, unsigned port, const uint8_t mad[MAD_SIZE])
{
	struct datagram datagram = {.dlid = MAD_PERMISSIVE_LID, .slid = MAD_PERMISSIVE_LID, .size = MAD_SIZE};
	unsigned sm = clients_sm(clients, port);

	memcpy(datagram.mad, mad, sizeof(datagram.mad));
	stamp(&datagram, CLIENTS_INSIDE);
	return sm != SIMWIRE_CLIENTS && send_to(clients, sm, &datagram) ? 0 : -ENODEV;
}

void dispatch_dm_trap(struct clients *clients, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid)
{
	struct datagram datagram = {
		.dlid = dlid, .slid = lid_of(clients, port), .dqp = 1, .sqp = 1, .size = MAD_SIZE};
	unsigned manager = clients_manager(clients, port);

	memcpy(datagram.mad, mad, sizeof(datagram.mad));
	if (manager != SIMWIRE_CLIENTS && is_own_lid(clients, port, dlid))
		send_to(clients, manager, &datagram);
	else
		clients->responder->wire.undelivered++;
}

void dispatch_trap(struct clients *clients, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid)
{
	struct datagram datagram = {.dlid = dlid, .slid = lid_of(clients, port), .size = MAD_SIZE};
	unsigned sm = clients_sm(clients, port);

	memcpy(datagram.mad, mad, sizeof(datagram.mad));
	if (sm != SIMWIRE_CLIENTS && is_own_lid(clients, port, dlid))
		send_to(clients, sm, &datagram);
	else
		clients->responder->wire.undelivered++;
}
