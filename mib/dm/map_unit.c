// SPDX-License-Identifier: BSD-2-Clause
/* ibDmUnitTable, ibDmSlotTable: IOUnitInfo; ibDmAgentTable: ClassPortInfo. */
#include <errno.h>

#include "mib/dm/dm_map.h"
#include "mib/dm/dm_mib_gen.h"
#include "mib/value.h"

/* ---- the unit ---- */

static int unit_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                     uint32_t *value)
{
	(void)index;
	(void)level;
	return dm_map_next_port(reader, SMA_DM_IOUnitInfo, from, value);
}

const struct mib_space ibDmUnitTable_space = {.next.of_node = unit_next};

MAP_DM(ibDmUnitChangeId, dm_map_number, DM_IOUnitInfo_ChangeID);
MAP_DM(ibDmUnitMaxControllers, dm_map_number, DM_IOUnitInfo_MaxControllers);
MAP_DM(ibDmUnitOptionRom, dm_map_truth, DM_IOUnitInfo_OptionROM);
MAP_DM(ibDmUnitDiagDeviceId, dm_map_truth, DM_IOUnitInfo_DiagDeviceID);

/* ---- its slots ---- */

static int slot_next(struct sma_reader *reader, uint32_t from, uint32_t *slot)
{
	const uint8_t *info;
	int rc = sma_dm_read(reader, SMA_DM_IOUnitInfo, 0, &info);

	if (rc < 0)
		return rc;
	*slot = from ? from : 1;
	return *slot <= dm_component_get(info, DM_IOUnitInfo_MaxControllers) ? 0 : -ENOENT;
}

static int next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                uint32_t *value)
{
	return level == LEVEL_PORT ? unit_next(reader, index, level, from, value)
	                           : slot_next(reader, from, value);
}

const struct mib_space ibDmSlotTable_space = {.next.of_node = next};

static int state_get(const struct mib_cell *cell, struct mib_value *value)
{
	const uint8_t *info;
	int rc = dm_map_block(cell, SMA_DM_IOUnitInfo, &info);

	if (rc == 0)
		value_number(value,
		             dm_map_name(cell->object->map, dm_slot_get(info, cell->index[LEVEL_SLOT])));
	return rc;
}

static const struct mib_name states[] = {
	{DM_SLOT_EMPTY, ibDmSlotState_empty},
	{DM_SLOT_PRESENT, ibDmSlotState_present},
	{DM_SLOT_NONE, ibDmSlotState_noSlot},
	{0, 0},
};

const struct mib_map ibDmSlotState_map = {
	.get.of_node = state_get, .names = states, .other = ibDmSlotState_other};

/* ---- its agent ---- */

static int agent_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                      uint32_t *value)
{
	(void)index;
	(void)level;
	return dm_map_next_port(reader, SMA_DM_ClassPortInfo, from, value);
}

const struct mib_space ibDmAgentTable_space = {.next.of_node = agent_next};

MAP_DM(ibDmAgentBaseVersion, dm_map_number, DM_ClassPortInfo_BaseVersion);
MAP_DM(ibDmAgentClassVersion, dm_map_number, DM_ClassPortInfo_ClassVersion);
MAP_DM_BITS(ibDmAgentCapabilities, DM_ClassPortInfo_CapabilityMask,
            1U << ibDmAgentCapabilities_traps | 1U << ibDmAgentCapabilities_notices |
                    1U << ibDmAgentCapabilities_capabilityMask2);
MAP_DM(ibDmAgentCapabilityMask2, dm_map_number, DM_ClassPortInfo_CapabilityMask2);
MAP_DM(ibDmAgentRespTimeValue, dm_map_number, DM_ClassPortInfo_RespTimeValue);
MAP_DM(ibDmAgentRedirectGid, dm_map_octets, DM_ClassPortInfo_RedirectGID);
MAP_DM(ibDmAgentRedirectTrafficClass, dm_map_number, DM_ClassPortInfo_RedirectTC);
MAP_DM(ibDmAgentRedirectServiceLevel, dm_map_number, DM_ClassPortInfo_RedirectSL);
MAP_DM(ibDmAgentRedirectFlowLabel, dm_map_number, DM_ClassPortInfo_RedirectFL);
MAP_DM(ibDmAgentRedirectLid, dm_map_number, DM_ClassPortInfo_RedirectLID);
MAP_DM(ibDmAgentRedirectPKey, dm_map_octets, DM_ClassPortInfo_RedirectP_Key);
MAP_DM(ibDmAgentRedirectQueuePair, dm_map_number, DM_ClassPortInfo_RedirectQP);
MAP_DM(ibDmAgentTrapGid, dm_map_octets, DM_ClassPortInfo_TrapGID);
MAP_DM(ibDmAgentTrapTrafficClass, dm_map_number, DM_ClassPortInfo_TrapTC);
MAP_DM(ibDmAgentTrapServiceLevel, dm_map_number, DM_ClassPortInfo_TrapSL);
MAP_DM(ibDmAgentTrapFlowLabel, dm_map_number, DM_ClassPortInfo_TrapFL);
MAP_DM(ibDmAgentTrapLid, dm_map_number, DM_ClassPortInfo_TrapLID);
MAP_DM(ibDmAgentTrapPKey, dm_map_octets, DM_ClassPortInfo_TrapP_Key);
MAP_DM(ibDmAgentTrapHopLimit, dm_map_number, DM_ClassPortInfo_TrapHL);
MAP_DM(ibDmAgentTrapQueuePair, dm_map_number, DM_ClassPortInfo_TrapQP);
