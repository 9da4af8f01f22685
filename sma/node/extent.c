// SPDX-License-Identifier: BSD-2-Clause
/* What a node has: the extent of its tables by the capability rules, and the block of each entry. */
#include <errno.h>

#include "sma/node/node_parts.h"

enum {
	MAX_VLARB = 64,
	MLID_TOP_NONE = SMA_FIRST_MLID - 1, /* MulticastFDBTop of an empty table */
};

static int read_node(struct sma_reader *reader, enum sma_component component, unsigned *value)
{
	struct sma_key key = sma_key_node(sma_node_id(reader->node), sma_component_attr(component));
	uint64_t wide = 0;
	int rc = sma_read(reader, &key, component, &wide);

	*value = (unsigned)wide;
	return rc;
}

static int read_port(struct sma_reader *reader, unsigned port, enum sma_component component, unsigned *value)
{
	struct sma_key key = sma_key_port(sma_node_id(reader->node), port);
	uint64_t wide = 0;
	int rc = sma_read(reader, &key, component, &wide);

	*value = (unsigned)wide;
	return rc;
}

static void limit(unsigned *value, unsigned max)
{
	if (*value > max)
		*value = max;
}

int sma_port_count(struct sma_reader *reader, unsigned *count)
{
	int rc = read_node(reader, SMA_NodeInfo_NumPorts, count);

	limit(count, SMA_MAX_PORTS);
	return rc;
}

int sma_guid_count(struct sma_reader *reader, unsigned port, unsigned *count)
{
	return read_port(reader, port, SMA_PortInfo_GUIDCap, count);
}

int sma_pkey_count(struct sma_reader *reader, unsigned port, unsigned *count)
{
	*count = 0;
	if (port == 0)
		return read_node(reader, SMA_NodeInfo_PartitionCap, count);
	if (!sma_is_switch(reader->node))
		return 0;
	return read_node(reader, SMA_SwitchInfo_PartitionEnforcementCap, count);
}

/* Where PortInfo cannot be read, the SMA's answer to the first mapping decides. */
static int ask_sl2vl(struct sma_reader *reader, bool *has)
{
	struct sma_key first = sma_key_sl2vl(sma_node_id(reader->node),
	                                     sma_is_switch(reader->node) ? 1 : reader->node->id.port, 0);
	const uint8_t *data;
	int rc = sma_read_block(reader, &first, &data);

	*has = rc != -ENOENT;
	return rc == -ENOENT || rc == -EIO ? 0 : rc;
}

int sma_has_sl2vl(struct sma_reader *reader, bool *has)
{
	unsigned bit;
	int rc = read_port(reader, 0, SMA_PortInfo_IsSLMappingSupported, &bit);

	*has = bit;
	return rc == -EIO ? ask_sl2vl(reader, has) : rc;
}

int sma_vlarb_count(struct sma_reader *reader, unsigned port, bool high, unsigned *count)
{
	int rc =
		read_port(reader, port,
	                  high ? SMA_PortInfo_VLArbitrationHighCap : SMA_PortInfo_VLArbitrationLowCap, count);

	limit(count, MAX_VLARB);
	return rc;
}

int sma_lft_count(struct sma_reader *reader, unsigned *count)
{
	unsigned cap;
	int rc;

	*count = 0;
	if (!sma_is_switch(reader->node))
		return 0;
	rc = read_node(reader, SMA_SwitchInfo_LinearFDBCap, &cap);
	if (rc < 0 || cap == 0)
		return rc;
	rc = read_node(reader, SMA_SwitchInfo_LinearFDBTop, count);
	*count += rc == 0;
	limit(count, cap);
	limit(count, MAD_LAST_LID + 1);
	return rc;
}

int sma_rft_count(struct sma_reader *reader, unsigned *count)
{
	*count = 0;
	return sma_is_switch(reader->node) ? read_node(reader, SMA_SwitchInfo_RandomFDBCap, count) : 0;
}

/* Shorten the table to its MulticastFDBTop. 0 is no MLID: nobody has set it, and it limits nothing. */
static int limit_to_multicast_top(struct sma_reader *reader, unsigned *count)
{
	unsigned has_top;
	unsigned top;
	int rc = read_port(reader, 0, SMA_PortInfo_IsMulticastFDBTopSupported, &has_top);

	if (rc == -EIO || (rc == 0 && !has_top))
		return 0; /* the capacity bounds the table in any case */
	if (rc < 0)
		return rc;
	rc = read_node(reader, SMA_SwitchInfo_MulticastFDBTop, &top);
	if (rc == 0 && top >= MLID_TOP_NONE)
		limit(count, top - MLID_TOP_NONE);
	return rc;
}

int sma_mft_count(struct sma_reader *reader, unsigned *count)
{
	int rc;

	*count = 0;
	if (!sma_is_switch(reader->node))
		return 0;
	rc = read_node(reader, SMA_SwitchInfo_MulticastFDBCap, count);
	if (rc < 0 || *count == 0)
		return rc;
	limit(count, UINT16_MAX - SMA_FIRST_MLID + 1);
	return limit_to_multicast_top(reader, count);
}

int sma_mft_positions(struct sma_reader *reader, unsigned *count)
{
	unsigned ports;
	int rc = sma_port_count(reader, &ports);

	*count = (ports + SMA_PORTS_PER_POSITION) / SMA_PORTS_PER_POSITION;
	return rc;
}
