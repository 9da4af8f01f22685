// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaSmInfoTable: SMInfo of the subnet managers on this node's data ports. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"

/* Ports that say they run no SM are not asked: each question would cost a time-out. */
static int read_sm(struct sma_reader *reader, unsigned port)
{
	struct sma_key info = sma_key_port(sma_node_id(reader->node), port);
	struct sma_key key = sma_key_sm_info(sma_node_id(reader->node), port);
	const uint8_t *block;
	uint64_t is_sm;
	int rc = sma_read(reader, &info, SMA_PortInfo_IsSM, &is_sm);

	if (rc < 0)
		return rc;
	return is_sm ? sma_read_block(reader, &key, &block) : -ENOENT;
}

/* An SM on port 0 of a switch has no index. */
static int port_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                     uint32_t *port)
{
	(void)index;
	(void)level;
	if (sma_is_switch(reader->node))
		return -ENOENT;
	return map_scan(reader, map_next_reachable, read_sm, from, port);
}

const struct mib_space ibSmaSmInfoTable_space = {.next.of_node = port_next};

static const struct mib_name sm_states[] = {
	{0, ibSmaSmState_notActive},
	{1, ibSmaSmState_discovering},
	{2, ibSmaSmState_standby},
	{3, ibSmaSmState_master},
	{0, 0},
};

MAP_COMPONENT(ibSmaSmGuid, map_octets, SMA_SMInfo_GUID);
MAP_COMPONENT(ibSmaSmSmKey, map_key, SMA_SMInfo_SM_Key);
MAP_COMPONENT(ibSmaSmSmpCount, map_number, SMA_SMInfo_ActCount);
MAP_COMPONENT(ibSmaSmPriority, map_number, SMA_SMInfo_Priority);
MAP_NAMED(ibSmaSmState, SMA_SMInfo_SMState, sm_states, ibSmaSmState_unknown);
