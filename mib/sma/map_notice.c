// SPDX-License-Identifier: BSD-2-Clause
/* Notifications: the traps they report, and what their objects read in a notice. */
#include <errno.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

static int gid_get(const struct mib_notice_cell *cell, struct mib_value *value)
{
	const struct mib_object *object = cell->object;
	const uint8_t *gid = notice_octets(cell->notice, object->map->part);

	if (!gid)
		return -ENOENT;
	value_octets(value, gid, object->high);
	return 0;
}

/* An M_Key that is wrong at one port may be that of all others. P_Keys and Q_Keys are no secrets. */
static int key_get(const struct mib_notice_cell *cell, struct mib_value *value)
{
	int rc = map_part_octets(cell, value);

	if (notice_trap(cell->notice) == SMA_TRAP_BAD_M_KEY && !cell->expose_keys)
		value_zeros(value, cell->object->high);
	return rc;
}

MAP_PART(ibSmaNodeKey, key_get, NOTICE_KEY);
MAP_PART(ibSmaNodeLid, map_part, NOTICE_LIDADDR);
MAP_PART(ibSmaNodePortNum, map_part, NOTICE_PORTNO);
MAP_PART(ibSmaNodeMethod, map_part, NOTICE_METHOD);
MAP_PART(ibSmaNodeAttributeId, map_part, NOTICE_ATTRIBUTEID);
MAP_PART(ibSmaNodeAttributeModifier, map_part, NOTICE_ATTRIBUTEMODIFIER);
MAP_PART(ibSmaNodeLid2, map_part, NOTICE_LIDADDR2);
MAP_PART(ibSmaNodeServiceLevel, map_part, NOTICE_SL);
MAP_PART(ibSmaNodeQueuePair1, map_part, NOTICE_QP1);
MAP_PART(ibSmaNodeQueuePair2, map_part, NOTICE_QP2);
MAP_PART(ibSmaNodeGid1, gid_get, NOTICE_GIDADDR1);
MAP_PART(ibSmaNodeGid2, gid_get, NOTICE_GIDADDR2);
MAP_PART(ibSmaNodeCapMask, map_part_octets, NOTICE_CAPABILITYMASK);
MAP_PART(ibSmaNodeSwitchLid, map_part, NOTICE_SWLIDADDR);
MAP_PART(ibSmaNodeDataValid, map_part_octets, NOTICE_DATAVALID);

const struct mib_trap ibSmaPortLinkStateChange_trap = {.number = SMA_TRAP_LINK_STATE};
const struct mib_trap ibSmaLinkIntegrityThresReached_trap = {.number = SMA_TRAP_LINK_INTEGRITY};
const struct mib_trap ibSmaExcessBuffOverrunThres_trap = {.number = SMA_TRAP_BUFFER_OVERRUN};
const struct mib_trap ibSmaFlowCntrlUpdateTimerExpire_trap = {.number = SMA_TRAP_FLOW_CONTROL};
const struct mib_trap ibSmaCapabilityMaskModified_trap = {.number = SMA_TRAP_CAPABILITY};
const struct mib_trap ibSmaSysImageGuidModified_trap = {.number = SMA_TRAP_SYSTEM_GUID};
const struct mib_trap ibSmaBadManagementKey_trap = {.number = SMA_TRAP_BAD_M_KEY};
const struct mib_trap ibSmaBadPartitionKey_trap = {.number = SMA_TRAP_BAD_P_KEY};
const struct mib_trap ibSmaBadQueueKey_trap = {.number = SMA_TRAP_BAD_Q_KEY};

/* The text of this notification speaks of the port, its OBJECTS clause forgot it. */
const struct mib_trap ibSmaBadPKeyAtSwitchPort_trap = {
	.number = SMA_TRAP_BAD_P_KEY_SWITCH,
	.appended = &sma_mib_notify_objects[ibSmaNodePortNum_place],
};
