// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaLinForTable: LinearForwardingTable by LID. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

enum { PORT_NONE = 0xFF }; /* an entry that discards */

static struct sma_key key_of(const struct sma_id *id, unsigned port, unsigned lid)
{
	(void)port;
	return sma_key_lft(id, lid);
}

static bool forwards(const uint8_t *block, unsigned i)
{
	return block[i] != PORT_NONE;
}

static const struct map_list lids = {SMA_LIDS_PER_BLOCK, key_of, forwards};

static int lid_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                    uint32_t *lid)
{
	unsigned count;
	int rc = sma_lft_count(reader, &count);

	(void)index;
	(void)level;
	return rc < 0 ? rc : map_list_next(reader, &lids, 0, count, 0, from, lid);
}

const struct mib_space ibSmaLinForTable_space = {.next.of_node = lid_next};

/* Port 0 has no number among the data ports. */
static int egress_get(const struct mib_cell *cell, struct mib_value *value)
{
	unsigned lid = cell->index[0];
	const uint8_t *block;
	int rc = map_list_block(cell->reader, &lids, 0, lid, &block);

	if (rc < 0)
		return rc;
	value_number(value, block[lid % SMA_LIDS_PER_BLOCK]);
	if (value->number == 0)
		value_number(value, MIB_NO_DATA_PORT);
	return 0;
}

MAP(ibSmaLinForwEgressPort, egress_get);
