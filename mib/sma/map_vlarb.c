// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaHiPriVlArbTable and ibSmaLowPriVlArbTable: VLArbitration by port and entry + 1. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

enum { LEVEL_PORT, LEVEL_ENTRY };

static struct sma_key high_key(const struct sma_id *id, unsigned port, unsigned entry)
{
	return sma_key_vlarb(id, port, true, entry);
}

static struct sma_key low_key(const struct sma_id *id, unsigned port, unsigned entry)
{
	return sma_key_vlarb(id, port, false, entry);
}

/* VL 15 is out of the range of the objects, and management packets are not arbitrated. */
static bool is_data_lane(const uint8_t *block, unsigned i)
{
	return sma_vlarb_entry(block, i).vl != SMA_VL_DISCARD;
}

static const struct map_list high = {SMA_VLARB_PER_BLOCK, high_key, is_data_lane};
static const struct map_list low = {SMA_VLARB_PER_BLOCK, low_key, is_data_lane};

static int next(struct sma_reader *reader, const struct map_list *list, const uint32_t *index, unsigned level,
                uint32_t from, uint32_t *value)
{
	unsigned count;
	int rc;

	if (level == LEVEL_PORT)
		return map_scan(reader, map_next_reachable, map_check_port, from, value);
	rc = sma_vlarb_count(reader, index[LEVEL_PORT], list == &high, &count);
	return rc < 0 ? rc : map_list_next(reader, list, index[LEVEL_PORT], count, 1, from, value);
}

static int high_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                     uint32_t *value)
{
	return next(reader, &high, index, level, from, value);
}

static int low_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                    uint32_t *value)
{
	return next(reader, &low, index, level, from, value);
}

const struct mib_space ibSmaHiPriVlArbTable_space = {.next.of_node = high_next};
const struct mib_space ibSmaLowPriVlArbTable_space = {.next.of_node = low_next};

static int read_entry(const struct mib_cell *cell, const struct map_list *list, struct sma_vlarb_entry *entry)
{
	unsigned i = cell->index[LEVEL_ENTRY] - 1;
	const uint8_t *block;
	int rc = map_list_block(cell->reader, list, cell->index[LEVEL_PORT], i, &block);

	if (rc == 0)
		*entry = sma_vlarb_entry(block, i % SMA_VLARB_PER_BLOCK);
	return rc;
}

static int lane(const struct mib_cell *cell, const struct map_list *list, struct mib_value *value)
{
	struct sma_vlarb_entry entry = {0};
	int rc = read_entry(cell, list, &entry);

	value_number(value, entry.vl);
	return rc;
}

static int weight(const struct mib_cell *cell, const struct map_list *list, struct mib_value *value)
{
	struct sma_vlarb_entry entry = {0};
	int rc = read_entry(cell, list, &entry);

	value_number(value, entry.weight);
	return rc;
}

static int high_lane_get(const struct mib_cell *cell, struct mib_value *value)
{
	return lane(cell, &high, value);
}

static int high_weight_get(const struct mib_cell *cell, struct mib_value *value)
{
	return weight(cell, &high, value);
}

static int low_lane_get(const struct mib_cell *cell, struct mib_value *value)
{
	return lane(cell, &low, value);
}

static int low_weight_get(const struct mib_cell *cell, struct mib_value *value)
{
	return weight(cell, &low, value);
}

MAP(ibSmaHiPriVirtLane, high_lane_get);
MAP(ibSmaHiPriWeight, high_weight_get);
MAP(ibSmaLowPriVirtLane, low_lane_get);
MAP(ibSmaLowPriWeight, low_weight_get);
