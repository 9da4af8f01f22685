// SPDX-License-Identifier: BSD-2-Clause
/* ibDmTestTable: DiagnosticTimeout, DiagCode and how ready for a test a controller is. */
#include "mib/dm/dm_map.h"
#include "mib/dm/dm_mib_gen.h"
#include "mib/value.h"

const struct mib_space ibDmTestTable_space = {.next.of_node = dm_map_next_controller};

static int read_status(const struct mib_cell *cell, unsigned *status)
{
	const uint8_t *block;
	int rc = dm_map_block(cell, SMA_DM_PrepareToTest, &block);

	*status = rc == 0 ? (unsigned)block[0] << 8 | block[1] : 0;
	return rc;
}

static int status_get(const struct mib_cell *cell, struct mib_value *value)
{
	unsigned status;
	int rc = read_status(cell, &status);

	value_number(value, status);
	return rc;
}

static int readiness_get(const struct mib_cell *cell, struct mib_value *value)
{
	unsigned status;
	int rc = read_status(cell, &status);

	value_number(value, dm_map_name(cell->object->map, status));
	return rc;
}

static const struct mib_name readiness[] = {
	{0, ibDmTestReadiness_ready},
	{MAD_STATUS_BUSY, ibDmTestReadiness_preparing},
	{DM_STATUS_FAILED, ibDmTestReadiness_notReady},
	{DM_STATUS_NO_IOC, ibDmTestReadiness_notResponding},
	{0, 0},
};

static const struct mib_name states[] = {
	{DM_DIAG_READY, ibDmTestDiagState_ready},
	{DM_DIAG_SELF_TEST, ibDmTestDiagState_performingSelfTest},
	{DM_DIAG_INITIALIZING, ibDmTestDiagState_initializing},
	{DM_DIAG_SOFT_ERROR, ibDmTestDiagState_softError},
	{DM_DIAG_HARD_ERROR, ibDmTestDiagState_hardError},
	{0, 0},
};

const struct mib_map ibDmTestReadiness_map = {
	.get.of_node = readiness_get, .names = readiness, .other = ibDmTestReadiness_other};
MAP(ibDmTestStatus, status_get);
MAP_DM(ibDmTestTimeout, dm_map_number, DM_DiagnosticTimeout_MaxDiagTime);
MAP_DM(ibDmTestDiagCode, dm_map_number, DM_DiagCode_DiagCode);
MAP_DM_NAMED(ibDmTestDiagState, DM_DiagCode_Status, states, ibDmTestDiagState_other);
MAP_DM(ibDmTestVendorCode, dm_map_number, DM_DiagCode_VendorCode);
