// SPDX-License-Identifier: BSD-2-Clause
/* The notification of device management, and what its objects read in the Notice of trap 514. */
#include "mib/dm/dm_map.h"
#include "mib/dm/dm_mib_gen.h"
#include "mib/value.h"

static int detail_get(const struct mib_notice_cell *cell, struct mib_value *value)
{
	value_number(value, dm_component_get(cell->notice, cell->object->map->dm));
	return 0;
}

#define MAP_DETAIL(object, which)                                                                            \
	const struct mib_map object##_map = {                                                                \
		.origin = MIB_OF_NOTICE, .notified = true, .in_notice = detail_get, .dm = (which)}

MAP_DETAIL(ibDmEventLid, DM_Notice_LIDADDR);
MAP_DETAIL(ibDmEventSlot, DM_Notice_DEVICE);
MAP_DETAIL(ibDmEventStatus, DM_Notice_STATUS);

const struct mib_trap ibDmReadyToTest_trap = {.number = DM_TRAP_READY};
