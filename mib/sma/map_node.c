// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaNodeInfo: NodeInfo and NodeDescription. */
#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

static size_t trimmed_length(const uint8_t *text, size_t size)
{
	size_t length = 0;

	while (length < size && text[length])
		length++;
	while (length > 0 && text[length - 1] == ' ')
		length--;
	return length;
}

/* DisplayString is ASCII and here never empty; NodeDescription is UTF-8, padded with NULs if shorter than its
 * 64 bytes. */
static int node_string_get(const struct mib_cell *cell, struct mib_value *value)
{
	struct sma_key key = sma_key_node(sma_node_id(cell->reader->node), SMA_NodeDescription);
	const uint8_t *text;
	int rc = sma_read_block(cell->reader, &key, &text);

	if (rc < 0)
		return rc;
	value_display(value, text, trimmed_length(text, SMA_BLOCK_SIZE));
	if (value->length == 0)
		value_octets(value, " ", 1);
	return 0;
}

static const struct mib_name node_types[] = {
	{SMA_NODE_CA, ibSmaNodeType_channelAdapter},
	{SMA_NODE_SWITCH, ibSmaNodeType_switch},
	{SMA_NODE_ROUTER, ibSmaNodeType_router},
	{0, 0},
};

/* Read, and sent in a notification too. */
const struct mib_map ibSmaSystemImageGuid_map = {
	.get.of_node = map_octets,
	.component = SMA_NodeInfo_SystemImageGUID,
	.notified = true,
	.in_notice = map_part_octets,
	.part = NOTICE_SYSTEMIMAGEGUID,
};

MAP(ibSmaNodeString, node_string_get);
MAP_COMPONENT(ibSmaNodeBaseVersion, map_number, SMA_NodeInfo_BaseVersion);
MAP_COMPONENT(ibSmaNodeClassVersion, map_number, SMA_NodeInfo_ClassVersion);
MAP_NAMED(ibSmaNodeType, SMA_NodeInfo_NodeType, node_types, ibSmaNodeType_other);
MAP_COMPONENT(ibSmaNodeNumPorts, map_number, SMA_NodeInfo_NumPorts);
MAP_COMPONENT(ibSmaNodeGuid, map_octets, SMA_NodeInfo_NodeGUID);
MAP_COMPONENT(ibSmaNodePortGuid, map_octets, SMA_NodeInfo_PortGUID);
MAP_COMPONENT(ibSmaNodePartitionTableNum, map_number, SMA_NodeInfo_PartitionCap);
MAP_COMPONENT(ibSmaNodeDeviceId, map_octets, SMA_NodeInfo_DeviceID);
MAP_COMPONENT(ibSmaNodeRevision, map_octets, SMA_NodeInfo_Revision);
MAP_COMPONENT(ibSmaNodeLocalPortNumOrZero, map_zero_over, SMA_NodeInfo_LocalPortNum);
MAP_COMPONENT(ibSmaNodeVendorId, map_octets, SMA_NodeInfo_VendorID);
