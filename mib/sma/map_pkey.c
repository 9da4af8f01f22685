// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaPKeyTable: P_KeyTable of the management port and of switch data ports; the key index counts from 1. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

enum {
	LEVEL_PORT,
	LEVEL_KEY,
};
enum {
	MAX_ROWS = 65505,     /* ibSmaPKeyIndex */
	FULL_MEMBER = 0x8000, /* membership bit of a P_Key (IBA 10.9.3) */
	BASE_MASK = 0x7FFF,
};

static const struct map_list pkeys = {.per_block = SMA_PKEYS_PER_BLOCK, .key = sma_key_pkey};

/* Data ports have tables on switches that enforce partitions; a CA or router shows its management port alone.
 */
static int port_next(struct sma_reader *reader, uint32_t from, uint32_t *port)
{
	int rc = sma_is_switch(reader->node) ? map_next_port(reader, from, port) : -ENOENT;

	if (rc != -ENOENT)
		return rc;
	*port = MIB_NO_DATA_PORT;
	return from <= MIB_NO_DATA_PORT ? 0 : -ENOENT;
}

static int key_next(struct sma_reader *reader, uint32_t port, uint32_t from, uint32_t *row)
{
	unsigned count;
	int rc = sma_pkey_count(reader, map_port(port), &count);

	if (rc < 0)
		return rc;
	return map_list_next(reader, &pkeys, map_port(port), count < MAX_ROWS ? count : MAX_ROWS, 1, from,
	                     row);
}

static int next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                uint32_t *value)
{
	return level == LEVEL_PORT ? port_next(reader, from, value)
	                           : key_next(reader, index[LEVEL_PORT], from, value);
}

const struct mib_space ibSmaPKeyTable_space = {.next.of_node = next};

static int read_key(const struct mib_cell *cell, uint16_t *key)
{
	unsigned entry = cell->index[LEVEL_KEY] - 1;
	const uint8_t *block;
	int rc = map_list_block(cell->reader, &pkeys, map_port(cell->index[LEVEL_PORT]), entry, &block);

	if (rc == 0)
		*key = sma_pkey_entry(block, entry % SMA_PKEYS_PER_BLOCK);
	return rc;
}

static uint32_t name_membership(uint16_t key)
{
	if ((key & BASE_MASK) == 0)
		return ibSmaPKeyMembership_none;
	return key & FULL_MEMBER ? ibSmaPKeyMembership_full : ibSmaPKeyMembership_limited;
}

static int membership_get(const struct mib_cell *cell, struct mib_value *value)
{
	uint16_t key = 0;
	int rc = read_key(cell, &key);

	value_number(value, name_membership(key));
	return rc;
}

static int base_get(const struct mib_cell *cell, struct mib_value *value)
{
	uint16_t key = 0;
	int rc = read_key(cell, &key);

	value_number(value, key & BASE_MASK);
	return rc;
}

MAP(ibSmaPKeyMembership, membership_get);
MAP(ibSmaPKeyBase, base_get);
