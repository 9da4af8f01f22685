// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaPortInfoTable: PortInfo of the data ports. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

static int port_next(struct sma_reader *reader, const uint32_t *index, unsigned level, uint32_t from,
                     uint32_t *port)
{
	(void)index;
	(void)level;
	return map_scan(reader, map_next_port, map_check_port, from, port);
}

const struct mib_space ibSmaPortInfoTable_space = {.next.of_node = port_next};

enum {
	SPEED_NONE = 0,
	SPEED_SDR = 1,             /* 2.5 Gb/s */
	SPEED_SUPPORTED = 15,      /* LinkSpeedEnabled: what is supported */
	SPEED_EXT_DISABLED = 0x1E, /* LinkSpeedExtEnabled: none */
};

/* An extended speed component of the row's port; 0 where the node has no extended speeds. */
static int extended(const struct mib_cell *cell, enum sma_component component, uint64_t *speed)
{
	struct sma_key management = sma_key_port(sma_node_id(cell->reader->node), 0);
	uint64_t supported;
	int rc = sma_read(cell->reader, &management, SMA_PortInfo_IsExtendedSpeedsSupported, &supported);

	*speed = SPEED_NONE;
	if (rc < 0 || !supported)
		return rc;
	return map_read(cell, component, speed);
}

/* Both speeds of a row: the one that the map names, and the extended one beside it. */
static int speeds(const struct mib_cell *cell, enum sma_component extended_component, uint64_t *speed,
                  uint64_t *ext)
{
	int rc = map_read(cell, cell->object->map->component, speed);

	return rc < 0 ? rc : extended(cell, extended_component, ext);
}

static int speed_supported_get(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t speed;
	uint64_t ext;
	int rc = speeds(cell, SMA_PortInfo_LinkSpeedExtSupported, &speed, &ext);

	if (rc < 0)
		return rc;
	value_number(value, speed == SPEED_SDR && ext == SPEED_NONE
	                            ? ibSmaPortLinkSpeedSupported_twoPoint5Gbps
	                            : ibSmaPortLinkSpeedSupported_other);
	return 0;
}

static int speed_active_get(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t speed;
	uint64_t ext;
	int rc = speeds(cell, SMA_PortInfo_LinkSpeedExtActive, &speed, &ext);

	if (rc < 0)
		return rc;
	value_number(value, speed == SPEED_SDR && ext == SPEED_NONE ? ibSmaPortLinkSpeedActive_twoPoint5Gbps
	                                                            : ibSmaPortLinkSpeedActive_other);
	return 0;
}

static uint32_t name_enabled(uint64_t speed, uint64_t ext)
{
	if (speed == SPEED_NONE)
		return ibSmaPortLinkSpeedEnabled_noStateChange;
	if (speed == SPEED_SUPPORTED)
		return ibSmaPortLinkSpeedEnabled_linkSpeedSupported;
	if (speed == SPEED_SDR && (ext == SPEED_NONE || ext == SPEED_EXT_DISABLED))
		return ibSmaPortLinkSpeedEnabled_twoPoint5Gbps;
	return ibSmaPortLinkSpeedEnabled_other;
}

static int speed_enabled_get(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t speed;
	uint64_t ext;
	int rc = speeds(cell, SMA_PortInfo_LinkSpeedExtEnabled, &speed, &ext);

	if (rc < 0)
		return rc;
	value_number(value, name_enabled(speed, ext));
	return 0;
}

/* The external ports of a switch have no LID, whatever stands in the component. */
static int lid_mask_get(const struct mib_cell *cell, struct mib_value *value)
{
	if (!sma_is_switch(cell->reader->node))
		return map_number(cell, value);
	value_number(value, 0);
	return 0;
}

static const struct mib_name widths_enabled[] = {
	{0, ibSmaPortLinkWidthEnabled_noStateChange},
	{1, ibSmaPortLinkWidthEnabled_oneX},
	{2, ibSmaPortLinkWidthEnabled_fourX},
	{3, ibSmaPortLinkWidthEnabled_oneXOr4X},
	{8, ibSmaPortLinkWidthEnabled_twelveX},
	{9, ibSmaPortLinkWidthEnabled_oneXOr12X},
	{10, ibSmaPortLinkWidthEnabled_fourXOr12X},
	{11, ibSmaPortLinkWidthEnabled_oneX4XOr12X},
	{255, ibSmaPortLinkWidthEnabled_linkWidthSupported},
	{0, 0},
};

static const struct mib_name widths_supported[] = {
	{1, ibSmaPortLinkWidthSupported_oneX},
	{3, ibSmaPortLinkWidthSupported_oneXOr4X},
	{11, ibSmaPortLinkWidthSupported_oneX4XOr12X},
	{0, 0},
};

static const struct mib_name widths_active[] = {
	{1, ibSmaPortLinkWidthActive_oneX},
	{2, ibSmaPortLinkWidthActive_fourX},
	{8, ibSmaPortLinkWidthActive_twelveX},
	{0, 0},
};

static const struct mib_name states[] = {
	{0, ibSmaPortLinkState_noChange}, {1, ibSmaPortLinkState_down},   {2, ibSmaPortLinkState_init},
	{3, ibSmaPortLinkState_armed},    {4, ibSmaPortLinkState_active}, {0, 0},
};

static const struct mib_name physical_states[] = {
	{0, ibSmaPortPhysState_noChange},
	{1, ibSmaPortPhysState_sleep},
	{2, ibSmaPortPhysState_polling},
	{3, ibSmaPortPhysState_disabled},
	{4, ibSmaPortPhysState_portConfigTraining},
	{5, ibSmaPortPhysState_linkUp},
	{6, ibSmaPortPhysState_linkErrorRecovery},
	{0, 0},
};

static const struct mib_name down_defaults[] = {
	{0, ibSmaPortLinkDownDefaultState_noChange},
	{1, ibSmaPortLinkDownDefaultState_sleep},
	{2, ibSmaPortLinkDownDefaultState_polling},
	{0, 0},
};

/* The names of both MTU objects have the same values, and so have those of both VL objects. */
static const struct mib_name mtus[] = {
	{1, ibSmaPortMtuCapacity_mtu256},  {2, ibSmaPortMtuCapacity_mtu512},
	{3, ibSmaPortMtuCapacity_mtu1024}, {4, ibSmaPortMtuCapacity_mtu2048},
	{5, ibSmaPortMtuCapacity_mtu4096}, {0, 0},
};

static const struct mib_name lanes[] = {
	{1, ibSmaPortVirtLaneSupport_vl0},       {2, ibSmaPortVirtLaneSupport_vl0ToVl1},
	{3, ibSmaPortVirtLaneSupport_vl0ToVl3},  {4, ibSmaPortVirtLaneSupport_vl0ToVl7},
	{5, ibSmaPortVirtLaneSupport_vl0ToVl14}, {0, 0},
};

MAP_NAMED(ibSmaPortLinkWidthEnabled, SMA_PortInfo_LinkWidthEnabled, widths_enabled,
          ibSmaPortLinkWidthEnabled_other);
MAP_NAMED(ibSmaPortLinkWidthSupported, SMA_PortInfo_LinkWidthSupported, widths_supported,
          ibSmaPortLinkWidthSupported_other);
MAP_NAMED(ibSmaPortLinkWidthActive, SMA_PortInfo_LinkWidthActive, widths_active,
          ibSmaPortLinkWidthActive_other);
MAP_COMPONENT(ibSmaPortLinkSpeedSupported, speed_supported_get, SMA_PortInfo_LinkSpeedSupported);
MAP_NAMED(ibSmaPortLinkState, SMA_PortInfo_PortState, states, ibSmaPortLinkState_other);
MAP_NAMED(ibSmaPortPhysState, SMA_PortInfo_PortPhysicalState, physical_states, ibSmaPortPhysState_other);
MAP_NAMED(ibSmaPortLinkDownDefaultState, SMA_PortInfo_LinkDownDefaultState, down_defaults,
          ibSmaPortLinkDownDefaultState_other);
MAP_COMPONENT(ibSmaPortLidMaskCount, lid_mask_get, SMA_PortInfo_LMC);
MAP_COMPONENT(ibSmaPortLinkSpeedActive, speed_active_get, SMA_PortInfo_LinkSpeedActive);
MAP_COMPONENT(ibSmaPortLinkSpeedEnabled, speed_enabled_get, SMA_PortInfo_LinkSpeedEnabled);
MAP_NAMED(ibSmaPortNeighborMtu, SMA_PortInfo_NeighborMTU, mtus, ibSmaPortNeighborMtu_other);
MAP_NAMED(ibSmaPortVirtLaneSupport, SMA_PortInfo_VLCap, lanes, ibSmaPortVirtLaneSupport_other);
MAP_COMPONENT(ibSmaPortVlHighPriorityLimit, map_number, SMA_PortInfo_VLHighLimit);
MAP_COMPONENT(ibSmaPortVlArbHighCapacity, map_clamped, SMA_PortInfo_VLArbitrationHighCap);
MAP_COMPONENT(ibSmaPortVlArbLowCapacity, map_clamped, SMA_PortInfo_VLArbitrationLowCap);
MAP_NAMED(ibSmaPortMtuCapacity, SMA_PortInfo_MTUCap, mtus, ibSmaPortMtuCapacity_other);
MAP_COMPONENT(ibSmaPortVlStallCount, map_number, SMA_PortInfo_VLStallCount);
MAP_COMPONENT(ibSmaPortHeadOfQueueLife, map_number, SMA_PortInfo_HOQLife);
MAP_NAMED(ibSmaPortOperationalVls, SMA_PortInfo_OperationalVLs, lanes, ibSmaPortOperationalVls_other);
MAP_COMPONENT(ibSmaPortPartEnforceInbound, map_truth, SMA_PortInfo_PartitionEnforcementInbound);
MAP_COMPONENT(ibSmaPortPartEnforceOutbound, map_truth, SMA_PortInfo_PartitionEnforcementOutbound);
MAP_COMPONENT(ibSmaPortFilterRawPktInbound, map_truth, SMA_PortInfo_FilterRawPacketInbound);
MAP_COMPONENT(ibSmaPortFilterRawPktOutbound, map_truth, SMA_PortInfo_FilterRawPacketOutbound);
MAP_COMPONENT(ibSmaPortLocalPhysErrorThreshold, map_number, SMA_PortInfo_LocalPhyErrors);
MAP_COMPONENT(ibSmaPortOverrunErrorThreshold, map_number, SMA_PortInfo_OverrunErrors);
