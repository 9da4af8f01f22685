// SPDX-License-Identifier: BSD-2-Clause
/* ibDmServiceTable: ServiceEntries of each controller, which are asked for as many at a time as fit. */
#include <errno.h>

#include "mib/dm/dm_map.h"
#include "mib/dm/dm_mib_gen.h"
#include "mib/value.h"

static int count_entries(struct sma_reader *reader, unsigned slot, unsigned *count)
{
	const uint8_t *profile;
	int rc = sma_dm_read(reader, SMA_DM_IOControllerProfile, slot, &profile);

	*count = rc == 0 ? (unsigned)dm_component_get(profile, DM_IOControllerProfile_ServiceEntries) : 0;
	return rc;
}

/* The block of an entry, of `count`. */
static int read_entry(struct sma_reader *reader, unsigned slot, unsigned entry, unsigned count,
                      const uint8_t **block)
{
	unsigned first = entry - entry % DM_SERVICES_PER_MAD;
	unsigned last = first + DM_SERVICES_PER_MAD - 1;

	if (last >= count)
		last = count - 1;
	return sma_dm_read(reader, SMA_DM_ServiceEntries, dm_services_modifier(slot, first, last), block);
}

static int entry_next(struct sma_reader *reader, unsigned slot, uint32_t from, uint32_t *entry)
{
	const uint8_t *block;
	unsigned count;
	int rc = count_entries(reader, slot, &count);

	if (rc < 0)
		return rc;
	for (uint32_t e = from; e < count; e += DM_SERVICES_PER_MAD - e % DM_SERVICES_PER_MAD) {
		*entry = e;
		reader->place = e;
		rc = read_entry(reader, slot, e, count, &block);
		if (rc == 0 || !map_may_go_on(reader, rc))
			return rc;
	}
	return -ENOENT;
}

static int next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                uint32_t *value)
{
	return level == LEVEL_SERVICE ? entry_next(reader, index[LEVEL_SLOT], from, value)
	                              : dm_map_next_controller(reader, index, level, from, value);
}

const struct mib_space ibDmServiceTable_space = {.next.of_node = next};

static int read_block(const struct mib_cell *cell, const uint8_t **block)
{
	unsigned slot = cell->index[LEVEL_SLOT];
	unsigned count;
	int rc = count_entries(cell->reader, slot, &count);

	if (rc < 0)
		return rc;
	if (cell->index[LEVEL_SERVICE] >= count)
		return -ENOENT;
	return read_entry(cell->reader, slot, cell->index[LEVEL_SERVICE], count, block);
}

static int name_get(const struct mib_cell *cell, struct mib_value *value)
{
	const uint8_t *block;
	int rc = read_block(cell, &block);

	if (rc == 0)
		value_text(value, dm_service_name(block, cell->index[LEVEL_SERVICE] % DM_SERVICES_PER_MAD),
		           DM_SERVICE_NAME_SIZE);
	return rc;
}

static int id_get(const struct mib_cell *cell, struct mib_value *value)
{
	const uint8_t *block;
	int rc = read_block(cell, &block);

	if (rc == 0)
		value_big_endian(value,
		                 dm_service_id(block, cell->index[LEVEL_SERVICE] % DM_SERVICES_PER_MAD),
		                 cell->object->high);
	return rc;
}

MAP(ibDmServiceName, name_get);
MAP(ibDmServiceId, id_get);
