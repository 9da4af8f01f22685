/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the attributes of the software SMA stand in the store. */
#ifndef SOFT_SLOT_H
#define SOFT_SLOT_H

#include <stddef.h>

#include "sma/soft/served.h"

/* Where an attribute stands. */
struct slot {
	uint8_t *bytes;
	size_t length; /* at most SMA_BLOCK_SIZE; what is beyond reads as zero and is not set */
};

/* A component of PortInfo of the port whose SMA answers. */
unsigned slot_port_get(const struct served *s, enum sma_component component);

/* The tables: find the block that the modifier names. 0 or the MAD status. */
uint16_t slot_guids_at(const struct served *s, struct slot *slot);
uint16_t slot_pkeys_at(const struct served *s, struct slot *slot);
uint16_t slot_sl2vl_at(const struct served *s, struct slot *slot);
uint16_t slot_vlarb_at(const struct served *s, struct slot *slot);
uint16_t slot_linear_at(const struct served *s, struct slot *slot);
uint16_t slot_random_at(const struct served *s, struct slot *slot);
uint16_t slot_multicast_at(const struct served *s, struct slot *slot);

/* What a Set of them does to its data before they are stored. 0. */
uint16_t slot_guids_set(const struct served *s, uint8_t *data);
uint16_t slot_vlarb_set(const struct served *s, uint8_t *data);
uint16_t slot_random_set(const struct served *s, uint8_t *data);

#endif
