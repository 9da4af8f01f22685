/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where MADs on a simulator wire go: to an agent of the port, to the port's SM client, back to the client
 * that had asked, or nowhere.
 */
#ifndef SOFT_WIRE_DISPATCH_H
#define SOFT_WIRE_DISPATCH_H

#include "sma/soft/wire/clients.h"

/* A datagram that came in on a slot. */
void dispatch_datagram(struct clients *clients, unsigned slot, const uint8_t *message, size_t size);

/* As simwire_trap. */
void dispatch_trap(struct clients *clients, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid);

/* As simwire_dm_trap. */
void dispatch_dm_trap(struct clients *clients, unsigned port, const uint8_t mad[MAD_SIZE], uint16_t dlid);

/* As simwire_ask_sm. */
int dispatch_ask_sm(struct clients *clients, unsigned port, const uint8_t mad[MAD_SIZE]);

#endif
