/* SPDX-License-Identifier: BSD-2-Clause */
/* What the maps of IB-DM-MIB share: getters of components of device management, and rows. */
#ifndef DM_MAP_H
#define DM_MAP_H

#include "mib/map.h"

/* The levels of the indexes. */
enum { LEVEL_PORT, LEVEL_SLOT, LEVEL_SERVICE };

/* The block of an attribute: that of the controller index[LEVEL_SLOT], or of the unit. */
int dm_map_block(const struct mib_cell *cell, enum sma_attr attr, const uint8_t **block);

/* ---- getters that read the map's component `dm` ---- */

int dm_map_number(const struct mib_cell *cell, struct mib_value *value); /* as it is */
int dm_map_truth(const struct mib_cell *cell, struct mib_value *value);  /* TruthValue of a bit */
int dm_map_named(const struct mib_cell *cell, struct mib_value *value);  /* an enumeration, through `names` */
int dm_map_octets(const struct mib_cell *cell, struct mib_value *value); /* all of it, in its order */
int dm_map_bits(const struct mib_cell *cell, struct mib_value *value);   /* BITS: those of `other` */

/* Rows of the mapping. */
#define MAP_DM(object, getter, which)                                                                        \
	const struct mib_map object##_map = {.get.of_node = (getter), .dm = (which)}
#define MAP_DM_NAMED(object, which, table, fallback)                                                         \
	const struct mib_map object##_map = {                                                                \
		.get.of_node = dm_map_named, .dm = (which), .names = (table), .other = (fallback)}
#define MAP_DM_BITS(object, which, named)                                                                    \
	const struct mib_map object##_map = {.get.of_node = dm_map_bits, .dm = (which), .other = (named)}

/* The name that a raw value has in a map. */
uint32_t dm_map_name(const struct mib_map *map, uint64_t raw);

/* ---- rows ---- */

/* The lowest port >= from whose I/O unit gives the attribute. */
int dm_map_next_port(struct sma_reader *reader, enum sma_attr attr, uint32_t from, uint32_t *port);

/* Rows by port and slot: the controllers whose profile can be read. */
int dm_map_next_controller(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                           uint32_t *value);

#endif
