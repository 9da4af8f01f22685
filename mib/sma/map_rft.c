// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaRandomForwardingTable: RandomForwardingTable by entry + 1. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

/* The index is called a port but names a position, and ends at 254: later entries cannot be shown. */
enum { MAX_ROWS = 254 };

static struct sma_key key_of(const struct sma_id *id, unsigned port, unsigned entry)
{
	(void)port;
	return sma_key_rft(id, entry);
}

static bool has_lid(const uint8_t *block, unsigned i)
{
	return sma_random_entry(block, i).lid != 0;
}

static const struct map_list entries = {SMA_RANDOM_PER_BLOCK, key_of, has_lid};

static int entry_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                      uint32_t *row)
{
	unsigned count;
	int rc = sma_rft_count(reader, &count);

	(void)index;
	(void)level;
	if (rc < 0)
		return rc;
	return map_list_next(reader, &entries, 0, count < MAX_ROWS ? count : MAX_ROWS, 1, from, row);
}

const struct mib_space ibSmaRandomForwardingTable_space = {.next.of_node = entry_next};

static int read_entry(const struct mib_cell *cell, struct sma_random_entry *entry)
{
	unsigned i = cell->index[0] - 1;
	const uint8_t *block;
	int rc = map_list_block(cell->reader, &entries, 0, i, &block);

	*entry = rc == 0 ? sma_random_entry(block, i % SMA_RANDOM_PER_BLOCK) : (struct sma_random_entry){0};
	return rc;
}

static int lid_get(const struct mib_cell *cell, struct mib_value *value)
{
	struct sma_random_entry entry;
	int rc = read_entry(cell, &entry);

	value_number(value, entry.lid);
	return rc;
}

static int egress_get(const struct mib_cell *cell, struct mib_value *value)
{
	struct sma_random_entry entry;
	int rc = read_entry(cell, &entry);

	value_number(value, entry.port);
	return rc;
}

static int lmc_get(const struct mib_cell *cell, struct mib_value *value)
{
	struct sma_random_entry entry;
	int rc = read_entry(cell, &entry);

	value_number(value, entry.lmc);
	return rc;
}

static int valid_get(const struct mib_cell *cell, struct mib_value *value)
{
	struct sma_random_entry entry;
	int rc = read_entry(cell, &entry);

	value_truth(value, entry.valid);
	return rc;
}

MAP(ibSmaRandomDestLID, lid_get);
MAP(ibSmaRandomForwEgressPort, egress_get);
MAP(ibSmaRandomLMC, lmc_get);
MAP(ibSmaRandomIsValid, valid_get);
