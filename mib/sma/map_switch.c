// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaSwitchInfo: SwitchInfo. */
#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"

/* A switch with a random forwarding table has no linear one, whatever stands in its LinearFDBTop. */
static int linear_top_get(const struct mib_cell *cell, struct mib_value *value)
{
	uint64_t cap = 0;
	int rc = map_read(cell, SMA_SwitchInfo_LinearFDBCap, &cap);

	if (rc < 0)
		return rc;
	rc = map_clamped(cell, value);
	if (cap == 0)
		value_number(value, 0);
	return rc;
}

MAP_COMPONENT(ibSmaSwLinearFdbTableNum, map_clamped, SMA_SwitchInfo_LinearFDBCap);
MAP_COMPONENT(ibSmaSwRandomFdbTableNum, map_clamped, SMA_SwitchInfo_RandomFDBCap);
MAP_COMPONENT(ibSmaSwMulticastFdbTableNum, map_clamped, SMA_SwitchInfo_MulticastFDBCap);
MAP_COMPONENT(ibSmaSwLinearFdbTop, linear_top_get, SMA_SwitchInfo_LinearFDBTop);
MAP_COMPONENT(ibSmaSwDefaultPort, map_zero_over, SMA_SwitchInfo_DefaultPort);
MAP_COMPONENT(ibSmaSwDefMcastPriPort, map_zero_over, SMA_SwitchInfo_DefaultMulticastPrimaryPort);
MAP_COMPONENT(ibSmaSwDefMcastNotPriPort, map_zero_over, SMA_SwitchInfo_DefaultMulticastNotPrimaryPort);
MAP_COMPONENT(ibSmaSwLifeTimeValue, map_number, SMA_SwitchInfo_LifeTimeValue);
MAP_COMPONENT(ibSmaSwPortStateChange, map_number, SMA_SwitchInfo_PortStateChange);
MAP_COMPONENT(ibSmaSwLidsPerPort, map_number, SMA_SwitchInfo_LIDsPerPort);
MAP_COMPONENT(ibSmaSwPartitionEnforceNum, map_number, SMA_SwitchInfo_PartitionEnforcementCap);
MAP_COMPONENT(ibSmaSwInboundEnforceCap, map_truth, SMA_SwitchInfo_InboundEnforcementCap);
MAP_COMPONENT(ibSmaSwOutboundEnforceCap, map_truth, SMA_SwitchInfo_OutboundEnforcementCap);
MAP_COMPONENT(ibSmaSwFilterRawPktInputCap, map_truth, SMA_SwitchInfo_FilterRawPacketInboundCap);
MAP_COMPONENT(ibSmaSwFilterRawPktOutputCap, map_truth, SMA_SwitchInfo_FilterRawPacketOutboundCap);
MAP_COMPONENT(ibSmaSwEnhancedPort0, map_truth, SMA_SwitchInfo_EnhancedPort0);
