// SPDX-License-Identifier: BSD-2-Clause
/* Index values that several tables share: ports. */
#include <errno.h>

#include "mib/map.h"

unsigned map_port(uint32_t index)
{
	return index == MIB_NO_DATA_PORT ? 0 : index;
}

bool map_may_go_on(const struct sma_reader *reader, int rc)
{
	if (reader->exact)
		return false;
	return rc == 0 || rc == -ENOENT || rc == -EIO || rc == -EAGAIN;
}

int map_next_port(struct sma_reader *reader, uint32_t from, uint32_t *port)
{
	unsigned count;
	int rc = sma_port_count(reader, &count);

	if (rc < 0)
		return rc;
	*port = from ? from : 1;
	return *port <= count ? 0 : -ENOENT;
}

int map_scan(struct sma_reader *reader, int (*next)(struct sma_reader *reader, uint32_t from, uint32_t *port),
             int (*check)(struct sma_reader *reader, unsigned port), uint32_t from, uint32_t *port)
{
	int rc;

	while ((rc = next(reader, from, port)) == 0) {
		reader->place = *port;
		rc = check(reader, map_port(*port));
		if (rc == 0 || !map_may_go_on(reader, rc))
			break;
		from = *port + 1;
	}
	return rc;
}

int map_check_port(struct sma_reader *reader, unsigned port)
{
	struct sma_key key = sma_key_port(sma_node_id(reader->node), port);
	const uint8_t *block;

	return sma_read_block(reader, &key, &block);
}

int map_next_reachable(struct sma_reader *reader, uint32_t from, uint32_t *port)
{
	int rc = map_next_port(reader, from, port);

	if (sma_is_switch(reader->node))
		return rc;
	while (rc == 0 && !sma_node_reaches(reader->node, *port))
		rc = map_next_port(reader, *port + 1, port);
	return rc;
}

int map_list_block(struct sma_reader *reader, const struct map_list *list, unsigned port, unsigned entry,
                   const uint8_t **block)
{
	struct sma_key key = list->key(sma_node_id(reader->node), port, entry);

	return sma_read_block(reader, &key, block);
}

static bool find_shown(const struct map_list *list, const uint8_t *block, unsigned *entry, unsigned end)
{
	for (; *entry < end; ++*entry) {
		if (!list->shown || list->shown(block, *entry % list->per_block))
			return true;
	}
	return false;
}

int map_list_next(struct sma_reader *reader, const struct map_list *list, unsigned port, unsigned count,
                  uint32_t first, uint32_t from, uint32_t *row)
{
	unsigned entry = from > first ? from - first : 0;
	const uint8_t *block;

	while (entry < count) {
		unsigned next_block = (entry / list->per_block + 1) * list->per_block;
		unsigned end = next_block < count ? next_block : count;
		int rc;

		reader->place = first + entry;
		rc = map_list_block(reader, list, port, entry, &block);
		if (rc == 0 && find_shown(list, block, &entry, end)) {
			*row = first + entry;
			return 0;
		}
		if (!map_may_go_on(reader, rc))
			return rc < 0 ? rc : -ENOENT;
		entry = end;
	}
	return -ENOENT;
}
