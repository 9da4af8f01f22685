// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaGuidInfoTable: GUIDInfo of each port; the GUID index counts from 1. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

enum { LEVEL_PORT, LEVEL_GUID };

static const struct map_list guids = {.per_block = SMA_GUIDS_PER_BLOCK, .key = sma_key_guid};

/* The GUIDs of a port that has a table of them. -ENOENT: it has none, and is shown with one entry, zero. That
 * holds for the data ports of a switch as well: only its port 0 has GUIDs, which is no data port. */
static int table_size(struct sma_reader *reader, unsigned port, unsigned *count)
{
	const uint8_t *block;
	int rc;

	if (sma_is_switch(reader->node))
		return -ENOENT;
	rc = sma_guid_count(reader, port, count);
	if (rc < 0)
		return rc;
	rc = *count ? map_list_block(reader, &guids, port, 0, &block) : -ENOENT;
	return rc == -EIO ? 0 : rc;
}

static int guid_next(struct sma_reader *reader, unsigned port, uint32_t from, uint32_t *guid)
{
	unsigned count;
	int rc = table_size(reader, port, &count);

	if (rc == -ENOENT) {
		*guid = 1;
		return from <= 1 ? 0 : -ENOENT;
	}
	return rc < 0 ? rc : map_list_next(reader, &guids, port, count, 1, from, guid);
}

static int next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                uint32_t *value)
{
	return level == LEVEL_PORT ? map_next_reachable(reader, from, value)
	                           : guid_next(reader, index[LEVEL_PORT], from, value);
}

const struct mib_space ibSmaGuidInfoTable_space = {.next.of_node = next};

static int guid_get(const struct mib_cell *cell, struct mib_value *value)
{
	unsigned port = cell->index[LEVEL_PORT];
	unsigned entry = cell->index[LEVEL_GUID] - 1;
	const uint8_t *block;
	unsigned count;
	int rc = table_size(cell->reader, port, &count);

	if (rc == 0)
		rc = map_list_block(cell->reader, &guids, port, entry, &block);
	else if (rc == -ENOENT)
		value_zeros(value, sizeof(uint64_t));
	if (rc == 0)
		value_big_endian(value, sma_guid_entry(block, entry % SMA_GUIDS_PER_BLOCK), sizeof(uint64_t));
	return rc == -ENOENT ? 0 : rc;
}

MAP(ibSmaGuidVal, guid_get);
