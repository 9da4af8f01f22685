// SPDX-License-Identifier: BSD-2-Clause
/* Components of attributes against the layout tables of IBA 14.2.5, and whole blocks of a real fabric. */
#include <stdlib.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "tests/unit.h"

/* Where a component stands: its first byte, the highest of its bits there, and its width. */
struct place {
	enum sma_component component;
	enum sma_attr attr;
	unsigned byte;
	unsigned high;
	unsigned width;
};

static const struct place places[] = {
	{SMA_NodeInfo_BaseVersion, SMA_NodeInfo, 0, 7, 8},
	{SMA_NodeInfo_ClassVersion, SMA_NodeInfo, 1, 7, 8},
	{SMA_NodeInfo_NodeType, SMA_NodeInfo, 2, 7, 8},
	{SMA_NodeInfo_NumPorts, SMA_NodeInfo, 3, 7, 8},
	{SMA_NodeInfo_SystemImageGUID, SMA_NodeInfo, 4, 7, 64},
	{SMA_NodeInfo_NodeGUID, SMA_NodeInfo, 12, 7, 64},
	{SMA_NodeInfo_PortGUID, SMA_NodeInfo, 20, 7, 64},
	{SMA_NodeInfo_PartitionCap, SMA_NodeInfo, 28, 7, 16},
	{SMA_NodeInfo_DeviceID, SMA_NodeInfo, 30, 7, 16},
	{SMA_NodeInfo_Revision, SMA_NodeInfo, 32, 7, 32},
	{SMA_NodeInfo_LocalPortNum, SMA_NodeInfo, 36, 7, 8},
	{SMA_NodeInfo_VendorID, SMA_NodeInfo, 37, 7, 24},

	{SMA_SwitchInfo_LinearFDBCap, SMA_SwitchInfo, 0, 7, 16},
	{SMA_SwitchInfo_RandomFDBCap, SMA_SwitchInfo, 2, 7, 16},
	{SMA_SwitchInfo_MulticastFDBCap, SMA_SwitchInfo, 4, 7, 16},
	{SMA_SwitchInfo_LinearFDBTop, SMA_SwitchInfo, 6, 7, 16},
	{SMA_SwitchInfo_DefaultPort, SMA_SwitchInfo, 8, 7, 8},
	{SMA_SwitchInfo_DefaultMulticastPrimaryPort, SMA_SwitchInfo, 9, 7, 8},
	{SMA_SwitchInfo_DefaultMulticastNotPrimaryPort, SMA_SwitchInfo, 10, 7, 8},
	{SMA_SwitchInfo_LifeTimeValue, SMA_SwitchInfo, 11, 7, 5},
	{SMA_SwitchInfo_PortStateChange, SMA_SwitchInfo, 11, 2, 1},
	{SMA_SwitchInfo_LIDsPerPort, SMA_SwitchInfo, 12, 7, 16},
	{SMA_SwitchInfo_PartitionEnforcementCap, SMA_SwitchInfo, 14, 7, 16},
	{SMA_SwitchInfo_InboundEnforcementCap, SMA_SwitchInfo, 16, 7, 1},
	{SMA_SwitchInfo_OutboundEnforcementCap, SMA_SwitchInfo, 16, 6, 1},
	{SMA_SwitchInfo_FilterRawPacketInboundCap, SMA_SwitchInfo, 16, 5, 1},
	{SMA_SwitchInfo_FilterRawPacketOutboundCap, SMA_SwitchInfo, 16, 4, 1},
	{SMA_SwitchInfo_EnhancedPort0, SMA_SwitchInfo, 16, 3, 1},
	{SMA_SwitchInfo_MulticastFDBTop, SMA_SwitchInfo, 18, 7, 16},

	{SMA_PortInfo_M_Key, SMA_PortInfo, 0, 7, 64},
	{SMA_PortInfo_GidPrefix, SMA_PortInfo, 8, 7, 64},
	{SMA_PortInfo_LID, SMA_PortInfo, 16, 7, 16},
	{SMA_PortInfo_MasterSMLID, SMA_PortInfo, 18, 7, 16},
	{SMA_PortInfo_IsMulticastFDBTopSupported, SMA_PortInfo, 20, 6, 1},
	{SMA_PortInfo_IsBootManagementSupported, SMA_PortInfo, 21, 7, 1},
	{SMA_PortInfo_IsCapabilityMaskNoticeSupported, SMA_PortInfo, 21, 6, 1},
	{SMA_PortInfo_IsDRNoticeSupported, SMA_PortInfo, 21, 5, 1},
	{SMA_PortInfo_IsVendorClassSupported, SMA_PortInfo, 21, 4, 1},
	{SMA_PortInfo_IsDeviceManagementSupported, SMA_PortInfo, 21, 3, 1},
	{SMA_PortInfo_IsReinitSupported, SMA_PortInfo, 21, 2, 1},
	{SMA_PortInfo_IsSNMPTunnelingSupported, SMA_PortInfo, 21, 1, 1},
	{SMA_PortInfo_IsCommunicationManagementSupported, SMA_PortInfo, 21, 0, 1},
	{SMA_PortInfo_IsExtendedSpeedsSupported, SMA_PortInfo, 22, 6, 1},
	{SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, SMA_PortInfo, 22, 4, 1},
	{SMA_PortInfo_IsSystemImageGUIDSupported, SMA_PortInfo, 22, 3, 1},
	{SMA_PortInfo_IsSMdisabled, SMA_PortInfo, 22, 2, 1},
	{SMA_PortInfo_IsLedInfoSupported, SMA_PortInfo, 22, 1, 1},
	{SMA_PortInfo_IsPKeyNVRAM, SMA_PortInfo, 22, 0, 1},
	{SMA_PortInfo_IsMKeyNVRAM, SMA_PortInfo, 23, 7, 1},
	{SMA_PortInfo_IsSLMappingSupported, SMA_PortInfo, 23, 6, 1},
	{SMA_PortInfo_IsAutomaticMigrationSupported, SMA_PortInfo, 23, 5, 1},
	{SMA_PortInfo_IsTrapSupported, SMA_PortInfo, 23, 3, 1},
	{SMA_PortInfo_IsNoticeSupported, SMA_PortInfo, 23, 2, 1},
	{SMA_PortInfo_CapabilityMask, SMA_PortInfo, 20, 7, 32},
	{SMA_PortInfo_IsMcastPkeyTrapSuppressionSupported, SMA_PortInfo, 20, 5, 1},
	{SMA_PortInfo_IsOtherLocalChangesNoticeSupported, SMA_PortInfo, 20, 2, 1},
	{SMA_PortInfo_IsClientReregistrationSupported, SMA_PortInfo, 20, 1, 1},
	{SMA_PortInfo_IsCapabilityMask2Supported, SMA_PortInfo, 22, 7, 1},
	{SMA_PortInfo_IsHierarchyInfoSupported, SMA_PortInfo, 20, 7, 1},
	{SMA_PortInfo_IsVendorSpecificMadsTableSupported, SMA_PortInfo, 20, 4, 1},
	{SMA_PortInfo_IsLinkSpeedWidthPairsTableSupported, SMA_PortInfo, 20, 3, 1},
	{SMA_PortInfo_IsLinkRoundTripLatencySupported, SMA_PortInfo, 20, 0, 1},
	{SMA_PortInfo_IsCableInfoSupported, SMA_PortInfo, 22, 5, 1},
	{SMA_PortInfo_IsOptionalIPDSupported, SMA_PortInfo, 23, 4, 1},
	{SMA_PortInfo_DiagCode, SMA_PortInfo, 24, 7, 16},
	{SMA_PortInfo_LocalPortNum, SMA_PortInfo, 28, 7, 8},
	{SMA_PortInfo_InitTypeReply, SMA_PortInfo, 41, 7, 4},
	{SMA_PortInfo_ClientReregister, SMA_PortInfo, 51, 7, 1},
	{SMA_PortInfo_MulticastPKeyTrapSuppressionEnabled, SMA_PortInfo, 51, 6, 2},
	{SMA_PortInfo_CapabilityMask2, SMA_PortInfo, 60, 7, 16},
	{SMA_PortInfo_IsLinkSpeedXDRSupported, SMA_PortInfo, 60, 4, 1},
	{SMA_PortInfo_IsExtendedSpeeds2Supported, SMA_PortInfo, 60, 3, 1},
	{SMA_PortInfo_IsLinkSpeedNDRSupported, SMA_PortInfo, 60, 2, 1},
	{SMA_PortInfo_IsEnhancedQoSArbiterSupported, SMA_PortInfo, 60, 1, 1},
	{SMA_PortInfo_IsPartitionTopSupported, SMA_PortInfo, 60, 0, 1},
	{SMA_PortInfo_IsEnhancedTrap128Supported, SMA_PortInfo, 61, 7, 1},
	{SMA_PortInfo_IsMKeyProtectBitsExtSupported, SMA_PortInfo, 61, 6, 1},
	{SMA_PortInfo_IsLinkSpeedHDRSupported, SMA_PortInfo, 61, 5, 1},
	{SMA_PortInfo_IsLinkWidth2xSupported, SMA_PortInfo, 61, 4, 1},
	{SMA_PortInfo_IsSwitchPortStateTableSupported, SMA_PortInfo, 61, 3, 1},
	{SMA_PortInfo_IsVirtualizationSupported, SMA_PortInfo, 61, 2, 1},
	{SMA_PortInfo_IsPortInfoExtendedSupported, SMA_PortInfo, 61, 1, 1},
	{SMA_PortInfo_IsSetNodeDescriptionSupported, SMA_PortInfo, 61, 0, 1},
	{SMA_PortInfo_IsSM, SMA_PortInfo, 23, 1, 1},
	{SMA_PortInfo_DiagVendorIndexed, SMA_PortInfo, 24, 7, 1},
	{SMA_PortInfo_DiagVendorCode, SMA_PortInfo, 24, 6, 11},
	{SMA_PortInfo_DiagStatus, SMA_PortInfo, 25, 3, 4},
	{SMA_PortInfo_M_KeyLeasePeriod, SMA_PortInfo, 26, 7, 16},
	{SMA_PortInfo_LinkWidthEnabled, SMA_PortInfo, 29, 7, 8},
	{SMA_PortInfo_LinkWidthSupported, SMA_PortInfo, 30, 7, 8},
	{SMA_PortInfo_LinkWidthActive, SMA_PortInfo, 31, 7, 8},
	{SMA_PortInfo_LinkSpeedSupported, SMA_PortInfo, 32, 7, 4},
	{SMA_PortInfo_PortState, SMA_PortInfo, 32, 3, 4},
	{SMA_PortInfo_PortPhysicalState, SMA_PortInfo, 33, 7, 4},
	{SMA_PortInfo_LinkDownDefaultState, SMA_PortInfo, 33, 3, 4},
	{SMA_PortInfo_M_KeyProtectBits, SMA_PortInfo, 34, 7, 2},
	{SMA_PortInfo_LMC, SMA_PortInfo, 34, 2, 3},
	{SMA_PortInfo_LinkSpeedActive, SMA_PortInfo, 35, 7, 4},
	{SMA_PortInfo_LinkSpeedEnabled, SMA_PortInfo, 35, 3, 4},
	{SMA_PortInfo_NeighborMTU, SMA_PortInfo, 36, 7, 4},
	{SMA_PortInfo_MasterSMSL, SMA_PortInfo, 36, 3, 4},
	{SMA_PortInfo_VLCap, SMA_PortInfo, 37, 7, 4},
	{SMA_PortInfo_InitTypeDoNotResuscitate, SMA_PortInfo, 37, 3, 1},
	{SMA_PortInfo_InitTypePreservePresence, SMA_PortInfo, 37, 2, 1},
	{SMA_PortInfo_InitTypePreserveContent, SMA_PortInfo, 37, 1, 1},
	{SMA_PortInfo_InitTypeNoLoad, SMA_PortInfo, 37, 0, 1},
	{SMA_PortInfo_VLHighLimit, SMA_PortInfo, 38, 7, 8},
	{SMA_PortInfo_VLArbitrationHighCap, SMA_PortInfo, 39, 7, 8},
	{SMA_PortInfo_VLArbitrationLowCap, SMA_PortInfo, 40, 7, 8},
	{SMA_PortInfo_InitTypeReplyPreservePresence, SMA_PortInfo, 41, 6, 1},
	{SMA_PortInfo_InitTypeReplyPreserveContent, SMA_PortInfo, 41, 5, 1},
	{SMA_PortInfo_InitTypeReplyNoLoad, SMA_PortInfo, 41, 4, 1},
	{SMA_PortInfo_MTUCap, SMA_PortInfo, 41, 3, 4},
	{SMA_PortInfo_VLStallCount, SMA_PortInfo, 42, 7, 3},
	{SMA_PortInfo_HOQLife, SMA_PortInfo, 42, 4, 5},
	{SMA_PortInfo_OperationalVLs, SMA_PortInfo, 43, 7, 4},
	{SMA_PortInfo_PartitionEnforcementInbound, SMA_PortInfo, 43, 3, 1},
	{SMA_PortInfo_PartitionEnforcementOutbound, SMA_PortInfo, 43, 2, 1},
	{SMA_PortInfo_FilterRawPacketInbound, SMA_PortInfo, 43, 1, 1},
	{SMA_PortInfo_FilterRawPacketOutbound, SMA_PortInfo, 43, 0, 1},
	{SMA_PortInfo_M_KeyViolations, SMA_PortInfo, 44, 7, 16},
	{SMA_PortInfo_P_KeyViolations, SMA_PortInfo, 46, 7, 16},
	{SMA_PortInfo_Q_KeyViolations, SMA_PortInfo, 48, 7, 16},
	{SMA_PortInfo_GUIDCap, SMA_PortInfo, 50, 7, 8},
	{SMA_PortInfo_SubnetTimeOut, SMA_PortInfo, 51, 4, 5},
	{SMA_PortInfo_RespTimeValue, SMA_PortInfo, 52, 4, 5},
	{SMA_PortInfo_LocalPhyErrors, SMA_PortInfo, 53, 7, 4},
	{SMA_PortInfo_OverrunErrors, SMA_PortInfo, 53, 3, 4},
	{SMA_PortInfo_LinkSpeedExtActive, SMA_PortInfo, 62, 7, 4},
	{SMA_PortInfo_LinkSpeedExtSupported, SMA_PortInfo, 62, 3, 4},
	{SMA_PortInfo_LinkSpeedExtEnabled, SMA_PortInfo, 63, 4, 5},

	{SMA_SMInfo_GUID, SMA_SMInfo, 0, 7, 64},
	{SMA_SMInfo_SM_Key, SMA_SMInfo, 8, 7, 64},
	{SMA_SMInfo_ActCount, SMA_SMInfo, 16, 7, 32},
	{SMA_SMInfo_Priority, SMA_SMInfo, 20, 7, 4},
	{SMA_SMInfo_SMState, SMA_SMInfo, 20, 3, 4},

	{SMA_VendorDiag_NextIndex, SMA_VendorDiag, 0, 7, 16},
	{SMA_LedInfo_LedMask, SMA_LedInfo, 0, 7, 1},
};

/* Bit `i` of a component, counted from its most significant. */
static uint8_t *bit_at(uint8_t *block, const struct place *p, unsigned i, unsigned *shift)
{
	unsigned position = 8 * p->byte + 7 - p->high + i;

	*shift = 7 - position % 8;
	return &block[position / 8];
}

static uint64_t get_bits(uint8_t *block, const struct place *p)
{
	uint64_t value = 0;
	unsigned shift;

	for (unsigned i = 0; i < p->width; i++) {
		const uint8_t *byte = bit_at(block, p, i, &shift);

		value = value << 1 | (*byte >> shift & 1);
	}
	return value;
}

static void set_bits(uint8_t *block, const struct place *p, uint64_t value)
{
	unsigned shift;

	for (unsigned i = 0; i < p->width; i++) {
		uint8_t *byte = bit_at(block, p, i, &shift);

		*byte = (uint8_t)((*byte & ~(1U << shift)) | (value >> (p->width - 1 - i) & 1) << shift);
	}
}

static void fill(uint8_t block[SMA_BLOCK_SIZE])
{
	for (unsigned i = 0; i < SMA_BLOCK_SIZE; i++)
		block[i] = (uint8_t)rand();
}

static void test_complete(void)
{
	unsigned seen[SMA_COMPONENT_COUNT] = {0};

	for (size_t i = 0; i < UNIT_COUNT(places); i++) {
		seen[places[i].component]++;
		unit_case("component %d", places[i].component);
		CHECK_EQUAL(sma_component_attr(places[i].component), places[i].attr);
	}
	for (unsigned i = 0; i < SMA_COMPONENT_COUNT; i++) {
		unit_case("component %u", i);
		CHECK_EQUAL(seen[i], 1);
	}
}

static void test_get(void)
{
	uint8_t block[SMA_BLOCK_SIZE];

	for (unsigned round = 0; round < 50; round++) {
		fill(block);
		for (size_t i = 0; i < UNIT_COUNT(places); i++) {
			unit_case("component %d, round %u", places[i].component, round);
			CHECK_EQUAL(sma_component_get(block, places[i].component),
			            get_bits(block, &places[i]));
		}
	}
}

/* Set changes its own bits alone, also when the value is too wide. */
static void test_set(void)
{
	static const uint64_t values[] = {0, 1, 0x0123456789ABCDEF, 0xFEDCBA9876543210, UINT64_MAX};

	for (size_t i = 0; i < UNIT_COUNT(places); i++) {
		for (size_t v = 0; v < UNIT_COUNT(values); v++) {
			uint8_t got[SMA_BLOCK_SIZE];
			uint8_t wanted[SMA_BLOCK_SIZE];

			fill(got);
			memcpy(wanted, got, sizeof(wanted));
			set_bits(wanted, &places[i], values[v]);
			sma_component_set(got, places[i].component, values[v]);
			unit_case("component %d, value %zu", places[i].component, v);
			CHECK_OCTETS(got, wanted, SMA_BLOCK_SIZE);
		}
	}
}

/* ---- blocks that ibsim gave after opensm's first sweep ---- */

static const uint8_t node_info[SMA_BLOCK_SIZE] = {0x01, 0x01, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                                                  0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00,
                                                  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x01, 0x00, 0x40,
                                                  0x10, 0x03, 0x00, 0x00, 0x00, 0xa1, 0x01};

static const uint8_t ca_port[SMA_BLOCK_SIZE] = {
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xfe, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x01, 0x00, 0x01, 0x00, 0x50, 0xc0, 0x4a, 0x00, 0x00, 0x0f, 0xf9, 0x01, 0x02, 0x1f, 0x02,
	0x74, 0x52, 0x00, 0x11, 0x40, 0x40, 0x00, 0x08, 0x08, 0x04, 0xe0, 0x40, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x20, 0x1f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x30};

static const uint8_t switch_port[SMA_BLOCK_SIZE] = {[28] = 0x01, 0x02, 0x1f, 0x02, 0x74, 0x52, 0x00, 0x11,
                                                    0x40,        0x40, 0x00, 0x08, 0x08, 0x04, 0xf0, 0x40};

static const uint8_t switch_info[SMA_BLOCK_SIZE] = {0x78, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x05, 0x00,
                                                    0x00, 0x00, 0x90, 0x00, 0x00, 0x00, 0x40, 0x30};

static const uint8_t sm_info[SMA_BLOCK_SIZE] = {[6] = 0x10, 0x01, [15] = 0x01, [18] = 0x01, 0xe3, 0x03};

struct vector {
	const uint8_t *block;
	enum sma_component component;
	uint64_t value;
};

static const struct vector vectors[] = {
	{node_info, SMA_NodeInfo_BaseVersion, 1},
	{node_info, SMA_NodeInfo_ClassVersion, 1},
	{node_info, SMA_NodeInfo_NodeType, SMA_NODE_CA},
	{node_info, SMA_NodeInfo_NumPorts, 2},
	{node_info, SMA_NodeInfo_SystemImageGUID, 0x1000},
	{node_info, SMA_NodeInfo_NodeGUID, 0x1000},
	{node_info, SMA_NodeInfo_PortGUID, 0x1001},
	{node_info, SMA_NodeInfo_PartitionCap, 64},
	{node_info, SMA_NodeInfo_DeviceID, 0x1003},
	{node_info, SMA_NodeInfo_Revision, 0xa1},
	{node_info, SMA_NodeInfo_LocalPortNum, 1},
	{node_info, SMA_NodeInfo_VendorID, 0},
	{ca_port, SMA_PortInfo_M_Key, 0},
	{ca_port, SMA_PortInfo_GidPrefix, 0xfe80000000000000},
	{ca_port, SMA_PortInfo_LID, 1},
	{ca_port, SMA_PortInfo_MasterSMLID, 1},
	{ca_port, SMA_PortInfo_IsSM, 1},
	{ca_port, SMA_PortInfo_IsNoticeSupported, 0},
	{ca_port, SMA_PortInfo_IsTrapSupported, 1},
	{ca_port, SMA_PortInfo_IsAutomaticMigrationSupported, 0},
	{ca_port, SMA_PortInfo_IsSLMappingSupported, 1},
	{ca_port, SMA_PortInfo_IsMKeyNVRAM, 0},
	{ca_port, SMA_PortInfo_IsPKeyNVRAM, 0},
	{ca_port, SMA_PortInfo_IsLedInfoSupported, 0},
	{ca_port, SMA_PortInfo_IsSMdisabled, 0},
	{ca_port, SMA_PortInfo_IsSystemImageGUIDSupported, 0},
	{ca_port, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 0},
	{ca_port, SMA_PortInfo_IsExtendedSpeedsSupported, 1},
	{ca_port, SMA_PortInfo_IsCommunicationManagementSupported, 0},
	{ca_port, SMA_PortInfo_IsSNMPTunnelingSupported, 0},
	{ca_port, SMA_PortInfo_IsReinitSupported, 0},
	{ca_port, SMA_PortInfo_IsDeviceManagementSupported, 0},
	{ca_port, SMA_PortInfo_IsVendorClassSupported, 1},
	{ca_port, SMA_PortInfo_IsDRNoticeSupported, 0},
	{ca_port, SMA_PortInfo_IsCapabilityMaskNoticeSupported, 1},
	{ca_port, SMA_PortInfo_IsBootManagementSupported, 0},
	{ca_port, SMA_PortInfo_IsMulticastFDBTopSupported, 0},
	{ca_port, SMA_PortInfo_M_KeyLeasePeriod, 4089},
	{ca_port, SMA_PortInfo_M_KeyProtectBits, 0},
	{ca_port, SMA_PortInfo_LinkWidthEnabled, 2},
	{ca_port, SMA_PortInfo_LinkWidthSupported, 0x1F},
	{ca_port, SMA_PortInfo_LinkWidthActive, 2},
	{ca_port, SMA_PortInfo_LinkSpeedSupported, 7},
	{ca_port, SMA_PortInfo_LinkSpeedActive, 1},
	{ca_port, SMA_PortInfo_LinkSpeedEnabled, 1},
	{ca_port, SMA_PortInfo_PortState, 4},
	{ca_port, SMA_PortInfo_PortPhysicalState, 5},
	{ca_port, SMA_PortInfo_LinkDownDefaultState, 2},
	{ca_port, SMA_PortInfo_NeighborMTU, 4},
	{ca_port, SMA_PortInfo_MTUCap, 4},
	{ca_port, SMA_PortInfo_VLCap, 4},
	{ca_port, SMA_PortInfo_OperationalVLs, 4},
	{ca_port, SMA_PortInfo_VLArbitrationHighCap, 8},
	{ca_port, SMA_PortInfo_VLArbitrationLowCap, 8},
	{ca_port, SMA_PortInfo_VLStallCount, 7},
	{ca_port, SMA_PortInfo_HOQLife, 0},
	{ca_port, SMA_PortInfo_GUIDCap, 32},
	{ca_port, SMA_PortInfo_SubnetTimeOut, 31},
	{ca_port, SMA_PortInfo_RespTimeValue, 0},
	{switch_port, SMA_PortInfo_HOQLife, 16},
	{switch_port, SMA_PortInfo_VLStallCount, 7},
	{switch_info, SMA_SwitchInfo_LinearFDBCap, 30720},
	{switch_info, SMA_SwitchInfo_RandomFDBCap, 0},
	{switch_info, SMA_SwitchInfo_MulticastFDBCap, 1024},
	{switch_info, SMA_SwitchInfo_LinearFDBTop, 5},
	{switch_info, SMA_SwitchInfo_DefaultPort, 0},
	{switch_info, SMA_SwitchInfo_DefaultMulticastPrimaryPort, 0},
	{switch_info, SMA_SwitchInfo_DefaultMulticastNotPrimaryPort, 0},
	{switch_info, SMA_SwitchInfo_LifeTimeValue, 18},
	{switch_info, SMA_SwitchInfo_PortStateChange, 0},
	{switch_info, SMA_SwitchInfo_LIDsPerPort, 0},
	{switch_info, SMA_SwitchInfo_PartitionEnforcementCap, 64},
	{switch_info, SMA_SwitchInfo_InboundEnforcementCap, 0},
	{switch_info, SMA_SwitchInfo_OutboundEnforcementCap, 0},
	{switch_info, SMA_SwitchInfo_FilterRawPacketInboundCap, 1},
	{switch_info, SMA_SwitchInfo_FilterRawPacketOutboundCap, 1},
	{switch_info, SMA_SwitchInfo_EnhancedPort0, 0},
	{sm_info, SMA_SMInfo_GUID, 0x1001},
	{sm_info, SMA_SMInfo_SM_Key, 1},
	{sm_info, SMA_SMInfo_ActCount, 483},
	{sm_info, SMA_SMInfo_Priority, 0},
	{sm_info, SMA_SMInfo_SMState, 3},
};

static void test_vectors(void)
{
	for (size_t i = 0; i < UNIT_COUNT(vectors); i++) {
		unit_case("vector %zu", i);
		CHECK_EQUAL(sma_component_get(vectors[i].block, vectors[i].component), vectors[i].value);
	}
}

static const struct unit_test tests[] = {
	{"each component has a place and an attribute", test_complete},
	{"get", test_get},
	{"set leaves the neighbours alone", test_set},
	{"blocks of a fabric", test_vectors},
};

int main(void)
{
	return UNIT_MAIN("component", tests);
}
