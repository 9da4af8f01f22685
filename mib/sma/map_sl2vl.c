// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaSL2VLMapTable: SLtoVLMappingTable by output port, input port and SL + 1. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

enum { LEVEL_OUT, LEVEL_IN, LEVEL_SL };

/* Port 0 of a switch sends through a mapping only where it is an enhanced port. */
static int has_port0(struct sma_reader *reader, bool *has)
{
	struct sma_key key = sma_key_node(sma_node_id(reader->node), SMA_SwitchInfo);
	uint64_t enhanced = 0;
	int rc = sma_is_switch(reader->node) ? sma_read(reader, &key, SMA_SwitchInfo_EnhancedPort0, &enhanced)
	                                     : 0;

	*has = enhanced;
	return rc;
}

static int no_data_port(bool exists, uint32_t from, uint32_t *port)
{
	*port = MIB_NO_DATA_PORT;
	return exists && from <= MIB_NO_DATA_PORT ? 0 : -ENOENT;
}

static int out_next(struct sma_reader *reader, uint32_t from, uint32_t *out)
{
	bool has;
	int rc = sma_has_sl2vl(reader, &has);

	if (rc == 0 && !has)
		return -ENOENT;
	if (rc == 0)
		rc = map_next_reachable(reader, from, out);
	if (rc != -ENOENT)
		return rc;
	rc = has_port0(reader, &has);
	return rc < 0 ? rc : no_data_port(has, from, out);
}

/* Input ports count on a switch only; the one mapping of a CA or router port is that of no data port. */
static int candidate_next(struct sma_reader *reader, uint32_t from, uint32_t *in)
{
	int rc = sma_is_switch(reader->node) ? map_next_port(reader, from, in) : -ENOENT;

	return rc == -ENOENT ? no_data_port(true, from, in) : rc;
}

static struct sma_key key_of(const struct sma_reader *reader, const uint32_t *index, uint32_t in)
{
	return sma_key_sl2vl(sma_node_id(reader->node), map_port(index[LEVEL_OUT]), map_port(in));
}

static int in_next(struct sma_reader *reader, const uint32_t *index, uint32_t from, uint32_t *in)
{
	const uint8_t *block;
	int rc;

	while ((rc = candidate_next(reader, from, in)) == 0) {
		struct sma_key key = key_of(reader, index, *in);

		reader->place = *in;
		rc = sma_read_block(reader, &key, &block);
		if (rc == 0 || !map_may_go_on(reader, rc))
			break;
		from = *in + 1;
	}
	return rc;
}

static int sl_next(uint32_t from, uint32_t *sl)
{
	*sl = from ? from : 1;
	return *sl <= SMA_SL_COUNT ? 0 : -ENOENT;
}

static int next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                uint32_t *value)
{
	if (level == LEVEL_OUT)
		return out_next(reader, from, value);
	return level == LEVEL_IN ? in_next(reader, index, from, value) : sl_next(from, value);
}

const struct mib_space ibSmaSL2VLMapTable_space = {.next.of_node = next};

static int lane_get(const struct mib_cell *cell, struct mib_value *value)
{
	struct sma_key key = key_of(cell->reader, cell->index, cell->index[LEVEL_IN]);
	const uint8_t *block;
	int rc = sma_read_block(cell->reader, &key, &block);

	if (rc == 0)
		value_number(value, sma_sl2vl_entry(block, cell->index[LEVEL_SL] - 1));
	return rc;
}

MAP(ibSmaVirtualLane, lane_get);
