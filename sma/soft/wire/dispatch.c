// SPDX-License-Identifier: BSD-2-Clause
/* A TransactionID carries the slot of its sender in bits 63 to 48, which is how responses find home. */
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/dm/devmgt.h"
#include "sma/soft/wire/delivery.h"
#include "sma/soft/wire/dispatch.h"

enum { SLOT_SHIFT = 48 };

/* ---- requests ---- */

static void to_sm(struct clients *clients, unsigned slot, struct datagram *datagram)
{
	unsigned sm = clients_sm(clients, clients->client[slot].port);

	if (sm == SIMWIRE_CLIENTS || !delivery_send(clients, sm, datagram))
		delivery_give_up(clients, slot, datagram);
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
		delivery_answer(clients, slot, &answered);
		break;
	case VERDICT_HOLD:
		if (!delivery_hold(clients, slot, &answered))
			delivery_give_up(clients, slot, datagram);
		break;
	case VERDICT_TO_SM:
		to_sm(clients, slot, datagram);
		break;
	case VERDICT_DROP:
		if (!delivery_has_method(datagram, MAD_TRAP_REPRESS))
			delivery_give_up(clients, slot, datagram);
		break;
	}
}

/* Traps that clients make up go to the SM as those of the SMA do. */
static void smp_request(struct clients *clients, unsigned slot, struct datagram *datagram)
{
	if (delivery_has_method(datagram, MAD_TRAP))
		to_sm(clients, slot, datagram);
	else
		to_sma(clients, slot, datagram);
}

/* Who says where traps go has an agent for them. */
static void note_manager(struct clients *clients, unsigned slot, const struct datagram *datagram,
                         const uint8_t answer[MAD_SIZE])
{
	if (delivery_has_method(datagram, MAD_SET) &&
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
		delivery_answer(clients, slot, &answered);
	} else if (!delivery_has_method(datagram, MAD_TRAP_REPRESS)) {
		delivery_give_up(clients, slot, datagram);
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
	if (find_class(datagram, &entry) && delivery_is_here(clients, clients->client[slot].port, datagram))
		classes[entry].request(clients, slot, datagram);
	else
		delivery_give_up(clients, slot, datagram);
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
	    delivery_is_here(clients, port, datagram))
		delivery_send(clients, (unsigned)asker, datagram);
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
		datagram.slid = delivery_lid(clients, clients->client[slot].port);
	if (delivery_is_response(&datagram))
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
	return sm != SIMWIRE_CLIENTS && delivery_send(clients, sm, &datagram) ? 0 : -ENODEV;
}

static void send_trap(struct clients *clients, unsigned slot, unsigned port, struct datagram *datagram,
                      const uint8_t *mad)
{
	datagram->slid = delivery_lid(clients, port);
	datagram->size = MAD_SIZE;
	memcpy(datagram->mad, mad, MAD_SIZE);
	if (slot != SIMWIRE_CLIENTS && delivery_is_own_lid(clients, port, datagram->dlid))
		delivery_send(clients, slot, datagram);
	else
		clients->responder->wire.undelivered++;
}

void dispatch_dm_trap(struct clients *clients, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid)
{
	struct datagram datagram = {.dlid = dlid, .dqp = 1, .sqp = 1};

	send_trap(clients, clients_manager(clients, port), port, &datagram, mad);
}

void dispatch_trap(struct clients *clients, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid)
{
	struct datagram datagram = {.dlid = dlid};

	send_trap(clients, clients_sm(clients, port), port, &datagram, mad);
}
