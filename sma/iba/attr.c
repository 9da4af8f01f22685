// SPDX-License-Identifier: BSD-2-Clause
#include <infiniband/umad_sm.h>

#include "sma/iba/iba.h"

enum { READINESS_SIZE = 2 /* a status */ };

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

static const struct dm_attr_info *dm_info(enum sma_attr attr)
{
	static const enum dm_attr of[SMA_READ_COUNT - SMA_ATTR_COUNT] = {
		[SMA_DM_ClassPortInfo - SMA_ATTR_COUNT] = DM_ClassPortInfo,
		[SMA_DM_IOUnitInfo - SMA_ATTR_COUNT] = DM_IOUnitInfo,
		[SMA_DM_IOControllerProfile - SMA_ATTR_COUNT] = DM_IOControllerProfile,
		[SMA_DM_ServiceEntries - SMA_ATTR_COUNT] = DM_ServiceEntries,
		[SMA_DM_DiagnosticTimeout - SMA_ATTR_COUNT] = DM_DiagnosticTimeout,
		[SMA_DM_PrepareToTest - SMA_ATTR_COUNT] = DM_PrepareToTest,
		[SMA_DM_DiagCode - SMA_ATTR_COUNT] = DM_DiagCode,
	};

	return dm_attr_info(of[attr - SMA_ATTR_COUNT]);
}

const char *sma_attr_name(enum sma_attr attr)
{
	return attr < SMA_ATTR_COUNT ? attrs[attr].name : dm_info(attr)->name;
}

uint16_t sma_attr_id(enum sma_attr attr)
{
	return attr < SMA_ATTR_COUNT ? attrs[attr].id : dm_info(attr)->id;
}

uint8_t sma_attr_class(enum sma_attr attr)
{
	return attr < SMA_ATTR_COUNT ? MAD_CLASS_SM : MAD_CLASS_DEVICE;
}

unsigned sma_attr_size(enum sma_attr attr)
{
	if (attr < SMA_ATTR_COUNT)
		return SMA_BLOCK_SIZE;
	return attr == SMA_DM_PrepareToTest ? READINESS_SIZE : dm_info(attr)->size;
}
