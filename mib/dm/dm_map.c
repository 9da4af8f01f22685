// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "mib/dm/dm_map.h"
#include "mib/value.h"

/* ---- values ---- */

/* Those that a row is read from. */
static enum sma_attr attr_of(enum dm_component component)
{
	switch (dm_component_attr(component)) {
	case DM_ClassPortInfo:
		return SMA_DM_ClassPortInfo;
	case DM_IOUnitInfo:
		return SMA_DM_IOUnitInfo;
	case DM_IOControllerProfile:
		return SMA_DM_IOControllerProfile;
	case DM_DiagnosticTimeout:
		return SMA_DM_DiagnosticTimeout;
	default:
		return SMA_DM_DiagCode;
	}
}

int dm_map_block(const struct mib_cell *cell, enum sma_attr attr, const uint8_t **block)
{
	bool of_unit = attr == SMA_DM_ClassPortInfo || attr == SMA_DM_IOUnitInfo;

	return sma_dm_read(cell->reader, attr, of_unit ? 0 : cell->index[LEVEL_SLOT], block);
}

static int read_own(const struct mib_cell *cell, uint64_t *raw)
{
	enum dm_component component = cell->object->map->dm;
	const uint8_t *block;
	int rc = dm_map_block(cell, attr_of(component), &block);

	*raw = rc == 0 ? dm_component_get(block, component) : 0;
	return rc;
}

int dm_map_number(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t raw;
	int rc = read_own(cell, &raw);

	value_number(value, raw);
	return rc;
}

int dm_map_truth(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t raw;
	int rc = read_own(cell, &raw);

	value_truth(value, raw);
	return rc;
}

uint32_t dm_map_name(const struct mib_map *map, uint64_t raw)
{
	for (const struct mib_name *n = map->names; n->name; n++) {
		if (n->raw == raw)
			return n->name;
	}
	return map->other;
}

int dm_map_named(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t raw;
	int rc = read_own(cell, &raw);

	value_number(value, dm_map_name(cell->object->map, raw));
	return rc;
}

int dm_map_octets(const struct mib_cell *cell, struct mib_value *value)
{
	enum dm_component component = cell->object->map->dm;
	size_t size = cell->object->high;
	const uint8_t *block;
	int rc = dm_map_block(cell, attr_of(component), &block);

	if (rc < 0)
		return rc;
	if (size > sizeof(uint64_t))
		value_octets(value, dm_component_octets(block, component), size);
	else
		value_big_endian(value, dm_component_get(block, component), size);
	return 0;
}

/* The first bit of BITS is the highest of its octet (RFC 2578), and the lowest of the component. */
int dm_map_bits(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t raw;
	int rc = read_own(cell, &raw);

	raw &= cell->object->map->other;
	value_zeros(value, cell->object->high);
	for (unsigned bit = 0; bit < 8 * value->length; bit++) {
		if (raw >> bit & 1)
			value->octets[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	}
	return rc;
}

/* ---- rows ---- */

/* The agent of the management port is the only one that is asked. */
int dm_map_next_port(struct sma_reader *reader, enum sma_attr attr, uint32_t from, uint32_t *port)
{
	const uint8_t *block;
	int rc;

	if (from > MIB_NO_DATA_PORT)
		return -ENOENT;
	*port = MIB_NO_DATA_PORT;
	rc = sma_dm_read(reader, SMA_DM_IOUnitInfo, 0, &block);
	return rc == 0 && attr != SMA_DM_IOUnitInfo ? sma_dm_read(reader, attr, 0, &block) : rc;
}

/* The lowest slot >= from that holds a controller. */
static int next_present(struct sma_reader *reader, uint32_t from, uint32_t *slot)
{
	const uint8_t *info;
	unsigned count;
	int rc = sma_dm_read(reader, SMA_DM_IOUnitInfo, 0, &info);

	if (rc < 0)
		return rc;
	count = (unsigned)dm_component_get(info, DM_IOUnitInfo_MaxControllers);
	for (uint32_t s = from ? from : 1; s <= count; s++) {
		if (dm_slot_get(info, s) == DM_SLOT_PRESENT) {
			*slot = s;
			return 0;
		}
	}
	return -ENOENT;
}

static int next_controller(struct sma_reader *reader, uint32_t from, uint32_t *slot)
{
	const uint8_t *profile;
	int rc;

	while ((rc = next_present(reader, from, slot)) == 0) {
		reader->place = *slot;
		rc = sma_dm_read(reader, SMA_DM_IOControllerProfile, *slot, &profile);
		if (rc == 0 || !map_may_go_on(reader, rc))
			break;
		from = *slot + 1;
	}
	return rc;
}

int dm_map_next_controller(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                           uint32_t *value)
{
	(void)index;
	return level == LEVEL_PORT ? dm_map_next_port(reader, SMA_DM_IOUnitInfo, from, value)
	                           : next_controller(reader, from, value);
}
