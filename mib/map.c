// SPDX-License-Identifier: BSD-2-Clause
/* Getters: conversions from components to values of the MIB, each with one name. */
#include <errno.h>

#include "mib/map.h"
#include "mib/value.h"

/* The scalars describe the management port; columns that read components are those of tables by port. */
static struct sma_key key_of(const struct mib_cell *cell, enum sma_attr attr)
{
	const struct sma_node *node = cell->reader->node;
	unsigned port = cell->object->table ? map_port(cell->index[0]) : 0;

	if (attr == SMA_PortInfo)
		return sma_key_port(sma_node_id(node), port);
	if (attr == SMA_SMInfo)
		return sma_key_sm_info(sma_node_id(node), port);
	return sma_key_node(sma_node_id(node), attr);
}

int map_read(const struct mib_cell *cell, enum sma_component component, uint64_t *value)
{
	struct sma_key key = key_of(cell, sma_component_attr(component));

	if (key.attr == SMA_SwitchInfo && !sma_is_switch(cell->reader->node))
		return -ENOENT;
	return sma_read(cell->reader, &key, component, value);
}

static int read_own(const struct mib_cell *cell, uint64_t *raw)
{
	*raw = 0;
	return map_read(cell, cell->object->map->component, raw);
}

int map_number(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t raw;
	int rc = read_own(cell, &raw);

	value_number(value, raw);
	return rc;
}

int map_clamped(const struct mib_cell *cell, struct mib_value *value)
{
	int rc = map_number(cell, value);

	if (value->number > cell->object->high)
		value->number = cell->object->high;
	return rc;
}

int map_zero_over(const struct mib_cell *cell, struct mib_value *value)
{
	int rc = map_number(cell, value);

	if (value->number > cell->object->high)
		value->number = 0;
	return rc;
}

int map_truth(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t raw;
	int rc = read_own(cell, &raw);

	value_truth(value, raw);
	return rc;
}

int map_named(const struct mib_cell *cell, struct mib_value *value)
{
	const struct mib_map *map = cell->object->map;
	uint64_t raw;
	int rc = read_own(cell, &raw);

	value_number(value, map->other);
	for (const struct mib_name *n = map->names; n->name; n++) {
		if (n->raw == raw)
			value_number(value, n->name);
	}
	return rc;
}

int map_octets(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t raw;
	int rc = read_own(cell, &raw);

	value_big_endian(value, raw, cell->object->high);
	return rc;
}

int map_key(const struct mib_cell *cell, struct mib_value *value)
{
	int rc = map_octets(cell, value);

	if (!cell->expose_keys)
		value_zeros(value, cell->object->high);
	return rc;
}

/* ---- in notices ---- */

int map_part(const struct mib_notice_cell *cell, struct mib_value *value)
{
	uint64_t raw = 0;
	int rc = notice_get(cell->notice, cell->object->map->part, &raw);

	value_number(value, raw);
	return rc;
}

int map_part_octets(const struct mib_notice_cell *cell, struct mib_value *value)
{
	uint64_t raw = 0;
	int rc = notice_get(cell->notice, cell->object->map->part, &raw);

	value_big_endian(value, raw, cell->object->high);
	return rc;
}
