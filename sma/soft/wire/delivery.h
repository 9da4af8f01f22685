/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagrams to the clients of a simulator wire. What becomes of each is counted. */
#ifndef SOFT_WIRE_DELIVERY_H
#define SOFT_WIRE_DELIVERY_H

#include "sma/soft/wire/clients.h"

/* ---- what a datagram is ---- */

bool delivery_is_response(const struct datagram *datagram);
bool delivery_has_method(const struct datagram *datagram, uint8_t method);

/* ---- addresses ---- */

/* The LID of an end port, and whether a LID is one of its. */
uint16_t delivery_lid(const struct clients *clients, unsigned port);
bool delivery_is_own_lid(const struct clients *clients, unsigned port, uint16_t lid);

/* Whether a datagram from a client of a port is for that port. Nothing is behind it: a directed route leads
 * to this node when it has no hops. */
bool delivery_is_here(const struct clients *clients, unsigned port, const struct datagram *datagram);

/* ---- ways out ---- */

/* Answer a request, of which `datagram` has the MAD replaced. False: an earlier answer is in the way. */
bool delivery_answer(struct clients *clients, unsigned slot, const struct datagram *datagram);

/* Answer it once what the node keeps is on the disk. False: too many answers wait. */
bool delivery_hold(struct clients *clients, unsigned slot, const struct datagram *datagram);

/* Send a request back as timed out: the client library has no time-outs of its own. What expects no answer is
 * lost. */
void delivery_give_up(struct clients *clients, unsigned slot, struct datagram *datagram);

/* Send a client what it has not asked for. False: it did not get it. */
bool delivery_send(struct clients *clients, unsigned slot, const struct datagram *datagram);

#endif
