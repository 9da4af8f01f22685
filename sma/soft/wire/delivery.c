// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/wire/delivery.h"

bool delivery_is_response(const struct datagram *datagram)
{
	return datagram->mad[MAD_AT_METHOD] & MAD_RESPONSE;
}

static bool is_directed(const struct datagram *datagram)
{
	return datagram->mad[MAD_AT_CLASS] == MAD_CLASS_SM_DIRECTED;
}

bool delivery_has_method(const struct datagram *datagram, uint8_t method)
{
	return datagram->mad[MAD_AT_METHOD] == method;
}

/* Whether its sender waits for an answer (IBA 13.4.5). */
static bool is_one_way(const struct datagram *datagram)
{
	return delivery_is_response(datagram) || delivery_has_method(datagram, MAD_SEND) ||
	       delivery_has_method(datagram, MAD_TRAP) || delivery_has_method(datagram, MAD_TRAP_REPRESS);
}

uint16_t delivery_lid(const struct clients *clients, unsigned port)
{
	return (uint16_t)state_get(clients->responder->state, port, SMA_PortInfo_LID);
}

bool delivery_is_own_lid(const struct clients *clients, unsigned port, uint16_t lid)
{
	unsigned base = delivery_lid(clients, port);
	unsigned count = 1U << state_get(clients->responder->state, port, SMA_PortInfo_LMC);

	return base != 0 && lid >= base && lid - base < count;
}

bool delivery_is_here(const struct clients *clients, unsigned port, const struct datagram *datagram)
{
	if (is_directed(datagram) && datagram->mad[SMP_AT_HOP_COUNT] != 0)
		return false;
	if (is_directed(datagram) && datagram->dlid == MAD_PERMISSIVE_LID)
		return true;
	return delivery_is_own_lid(clients, port, datagram->dlid);
}

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

bool delivery_send(struct clients *clients, unsigned slot, const struct datagram *datagram)
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

void delivery_give_up(struct clients *clients, unsigned slot, struct datagram *datagram)
{
	if (is_one_way(datagram)) {
		clients->responder->wire.undelivered++;
		return;
	}
	datagram->status = ETIMEDOUT;
	clients->responder->wire.unanswered++;
	reply(clients, slot, datagram);
}

bool delivery_answer(struct clients *clients, unsigned slot, const struct datagram *datagram)
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
	return delivery_answer(wire, slot, &datagram);
}

_Static_assert(sizeof(struct datagram) <= HELD_SIZE, "an answer can be held");

bool delivery_hold(struct clients *clients, unsigned slot, const struct datagram *datagram)
{
	return held_add(clients->responder->held, answer_held, clients, slot, datagram, sizeof(*datagram)) ==
	       0;
}
