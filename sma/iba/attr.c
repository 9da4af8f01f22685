// SPDX-License-Identifier: BSD-2-Clause
#include <infiniband/umad_sm.h>

#include "sma/iba/component.h"

static const struct attr {
	const char *name;
	uint16_t id;
} attrs[SMA_ATTR_COUNT] = {
	[SMA_NodeDescription] = {"NodeDescription", UMAD_SM_ATTR_NODE_DESC},
	[SMA_NodeInfo] = {"NodeInfo", UMAD_SM_ATTR_NODE_INFO},
	[SMA_SwitchInfo] = {"SwitchInfo", UMAD_SM_ATTR_SWITCH_INFO},
	[SMA_GUIDInfo] = {"GUIDInfo", UMAD_SM_ATTR_GUID_INFO},
	[SMA_PortInfo] = {"PortInfo", UMAD_SM_ATTR_PORT_INFO},
	[SMA_P_KeyTable] = {"P_KeyTable", UMAD_SM_ATTR_PKEY_TABLE},
	[SMA_SLtoVLMappingTable] = {"SLtoVLMappingTable", UMAD_SM_ATTR_SLVL_TABLE},
	[SMA_VLArbitration] = {"VLArbitration", UMAD_SM_ATTR_VL_ARB_TABLE},
	[SMA_LinearForwardingTable] = {"LinearForwardingTable", UMAD_SM_ATTR_LINEAR_FT},
	[SMA_RandomForwardingTable] = {"RandomForwardingTable", UMAD_SM_ATTR_RANDOM_FT},
	[SMA_MulticastForwardingTable] = {"MulticastForwardingTable", UMAD_SM_ATTR_MCAST_FT},
	[SMA_SMInfo] = {"SMInfo", UMAD_SM_ATTR_SM_INFO},
	[SMA_VendorDiag] = {"VendorDiag", UMAD_SM_ATTR_VENDOR_DIAG},
	[SMA_LedInfo] = {"LedInfo", UMAD_SM_ATTR_LED_INFO},
};

const char *sma_attr_name(enum sma_attr attr)
{
	return attrs[attr].name;
}

uint16_t sma_attr_id(enum sma_attr attr)
{
	return attrs[attr].id;
}
