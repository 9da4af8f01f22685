// SPDX-License-Identifier: BSD-2-Clause
/* Components of attributes, through the field codec of libibmad. */
#include <infiniband/mad.h>

#include "sma/iba/component.h"
#include "sma/iba/wire.h"

enum codec {
	CODEC_FIELD,      /* a libibmad field of up to 32 bits, or bits of one */
	CODEC_FIELD64,    /* a libibmad field of 64 bits */
	CODEC_FIRST_WORD, /* bits of the first 32-bit word: attributes that libibmad has no fields for */
};

struct component {
	const char *name;
	enum sma_attr attr;
	enum codec codec;
	enum MAD_FIELDS field;
	unsigned shift; /* lowest bit within the field */
	unsigned width; /* bits; 0: the whole field */
};

#define FIELD(attr, name, field) [SMA_##attr##_##name] = {#name, SMA_##attr, CODEC_FIELD, field, 0, 0}
#define WIDE(attr, name, field)  [SMA_##attr##_##name] = {#name, SMA_##attr, CODEC_FIELD64, field, 0, 0}
#define PART(attr, name, field, shift, width)                                                                \
	[SMA_##attr##_##name] = {#name, SMA_##attr, CODEC_FIELD, field, shift, width}
#define FIRST_WORD(attr, name, shift, width)                                                                 \
	[SMA_##attr##_##name] = {#name, SMA_##attr, CODEC_FIRST_WORD, IB_NO_FIELD, shift, width}

static const struct component components[SMA_COMPONENT_COUNT] = {
	FIELD(NodeInfo, BaseVersion, IB_NODE_BASE_VERS_F),
	FIELD(NodeInfo, ClassVersion, IB_NODE_CLASS_VERS_F),
	FIELD(NodeInfo, NodeType, IB_NODE_TYPE_F),
	FIELD(NodeInfo, NumPorts, IB_NODE_NPORTS_F),
	WIDE(NodeInfo, SystemImageGUID, IB_NODE_SYSTEM_GUID_F),
	WIDE(NodeInfo, NodeGUID, IB_NODE_GUID_F),
	WIDE(NodeInfo, PortGUID, IB_NODE_PORT_GUID_F),
	FIELD(NodeInfo, PartitionCap, IB_NODE_PARTITION_CAP_F),
	FIELD(NodeInfo, DeviceID, IB_NODE_DEVID_F),
	FIELD(NodeInfo, Revision, IB_NODE_REVISION_F),
	FIELD(NodeInfo, LocalPortNum, IB_NODE_LOCAL_PORT_F),
	FIELD(NodeInfo, VendorID, IB_NODE_VENDORID_F),

	FIELD(SwitchInfo, LinearFDBCap, IB_SW_LINEAR_FDB_CAP_F),
	FIELD(SwitchInfo, RandomFDBCap, IB_SW_RANDOM_FDB_CAP_F),
	FIELD(SwitchInfo, MulticastFDBCap, IB_SW_MCAST_FDB_CAP_F),
	FIELD(SwitchInfo, LinearFDBTop, IB_SW_LINEAR_FDB_TOP_F),
	FIELD(SwitchInfo, DefaultPort, IB_SW_DEF_PORT_F),
	FIELD(SwitchInfo, DefaultMulticastPrimaryPort, IB_SW_DEF_MCAST_PRIM_F),
	FIELD(SwitchInfo, DefaultMulticastNotPrimaryPort, IB_SW_DEF_MCAST_NOT_PRIM_F),
	FIELD(SwitchInfo, LifeTimeValue, IB_SW_LIFE_TIME_F),
	FIELD(SwitchInfo, PortStateChange, IB_SW_STATE_CHANGE_F),
	FIELD(SwitchInfo, LIDsPerPort, IB_SW_LIDS_PER_PORT_F),
	FIELD(SwitchInfo, PartitionEnforcementCap, IB_SW_PARTITION_ENFORCE_CAP_F),
	FIELD(SwitchInfo, InboundEnforcementCap, IB_SW_PARTITION_ENF_INB_F),
	FIELD(SwitchInfo, OutboundEnforcementCap, IB_SW_PARTITION_ENF_OUTB_F),
	FIELD(SwitchInfo, FilterRawPacketInboundCap, IB_SW_FILTER_RAW_INB_F),
	FIELD(SwitchInfo, FilterRawPacketOutboundCap, IB_SW_FILTER_RAW_OUTB_F),
	FIELD(SwitchInfo, EnhancedPort0, IB_SW_ENHANCED_PORT0_F),
	FIELD(SwitchInfo, MulticastFDBTop, IB_SW_MCAST_FDB_TOP_F),

	WIDE(PortInfo, M_Key, IB_PORT_MKEY_F),
	WIDE(PortInfo, GidPrefix, IB_PORT_GID_PREFIX_F),
	FIELD(PortInfo, LID, IB_PORT_LID_F),
	FIELD(PortInfo, MasterSMLID, IB_PORT_SMLID_F),
	FIELD(PortInfo, CapabilityMask, IB_PORT_CAPMASK_F),
	PART(PortInfo, IsSM, IB_PORT_CAPMASK_F, 1, 1),
	PART(PortInfo, IsNoticeSupported, IB_PORT_CAPMASK_F, 2, 1),
	PART(PortInfo, IsTrapSupported, IB_PORT_CAPMASK_F, 3, 1),
	PART(PortInfo, IsOptionalIPDSupported, IB_PORT_CAPMASK_F, 4, 1),
	PART(PortInfo, IsAutomaticMigrationSupported, IB_PORT_CAPMASK_F, 5, 1),
	PART(PortInfo, IsSLMappingSupported, IB_PORT_CAPMASK_F, 6, 1),
	PART(PortInfo, IsMKeyNVRAM, IB_PORT_CAPMASK_F, 7, 1),
	PART(PortInfo, IsPKeyNVRAM, IB_PORT_CAPMASK_F, 8, 1),
	PART(PortInfo, IsLedInfoSupported, IB_PORT_CAPMASK_F, 9, 1),
	PART(PortInfo, IsSMdisabled, IB_PORT_CAPMASK_F, 10, 1),
	PART(PortInfo, IsSystemImageGUIDSupported, IB_PORT_CAPMASK_F, 11, 1),
	PART(PortInfo, IsPKeySwitchExternalPortTrapSupported, IB_PORT_CAPMASK_F, 12, 1),
	PART(PortInfo, IsCableInfoSupported, IB_PORT_CAPMASK_F, 13, 1),
	PART(PortInfo, IsExtendedSpeedsSupported, IB_PORT_CAPMASK_F, 14, 1),
	PART(PortInfo, IsCapabilityMask2Supported, IB_PORT_CAPMASK_F, 15, 1),
	PART(PortInfo, IsCommunicationManagementSupported, IB_PORT_CAPMASK_F, 16, 1),
	PART(PortInfo, IsSNMPTunnelingSupported, IB_PORT_CAPMASK_F, 17, 1),
	PART(PortInfo, IsReinitSupported, IB_PORT_CAPMASK_F, 18, 1),
	PART(PortInfo, IsDeviceManagementSupported, IB_PORT_CAPMASK_F, 19, 1),
	PART(PortInfo, IsVendorClassSupported, IB_PORT_CAPMASK_F, 20, 1),
	PART(PortInfo, IsDRNoticeSupported, IB_PORT_CAPMASK_F, 21, 1),
	PART(PortInfo, IsCapabilityMaskNoticeSupported, IB_PORT_CAPMASK_F, 22, 1),
	PART(PortInfo, IsBootManagementSupported, IB_PORT_CAPMASK_F, 23, 1),
	PART(PortInfo, IsLinkRoundTripLatencySupported, IB_PORT_CAPMASK_F, 24, 1),
	PART(PortInfo, IsClientReregistrationSupported, IB_PORT_CAPMASK_F, 25, 1),
	PART(PortInfo, IsOtherLocalChangesNoticeSupported, IB_PORT_CAPMASK_F, 26, 1),
	PART(PortInfo, IsLinkSpeedWidthPairsTableSupported, IB_PORT_CAPMASK_F, 27, 1),
	PART(PortInfo, IsVendorSpecificMadsTableSupported, IB_PORT_CAPMASK_F, 28, 1),
	PART(PortInfo, IsMcastPkeyTrapSuppressionSupported, IB_PORT_CAPMASK_F, 29, 1),
	PART(PortInfo, IsMulticastFDBTopSupported, IB_PORT_CAPMASK_F, 30, 1),
	PART(PortInfo, IsHierarchyInfoSupported, IB_PORT_CAPMASK_F, 31, 1),
	FIELD(PortInfo, DiagCode, IB_PORT_DIAG_F),
	PART(PortInfo, DiagStatus, IB_PORT_DIAG_F, 0, 4),
	PART(PortInfo, DiagVendorCode, IB_PORT_DIAG_F, 4, 11),
	PART(PortInfo, DiagVendorIndexed, IB_PORT_DIAG_F, 15, 1),
	FIELD(PortInfo, M_KeyLeasePeriod, IB_PORT_MKEY_LEASE_F),
	FIELD(PortInfo, LocalPortNum, IB_PORT_LOCAL_PORT_F),
	FIELD(PortInfo, LinkWidthEnabled, IB_PORT_LINK_WIDTH_ENABLED_F),
	FIELD(PortInfo, LinkWidthSupported, IB_PORT_LINK_WIDTH_SUPPORTED_F),
	FIELD(PortInfo, LinkWidthActive, IB_PORT_LINK_WIDTH_ACTIVE_F),
	FIELD(PortInfo, LinkSpeedSupported, IB_PORT_LINK_SPEED_SUPPORTED_F),
	FIELD(PortInfo, PortState, IB_PORT_STATE_F),
	FIELD(PortInfo, PortPhysicalState, IB_PORT_PHYS_STATE_F),
	FIELD(PortInfo, LinkDownDefaultState, IB_PORT_LINK_DOWN_DEF_F),
	FIELD(PortInfo, M_KeyProtectBits, IB_PORT_MKEY_PROT_BITS_F),
	FIELD(PortInfo, LMC, IB_PORT_LMC_F),
	FIELD(PortInfo, LinkSpeedActive, IB_PORT_LINK_SPEED_ACTIVE_F),
	FIELD(PortInfo, LinkSpeedEnabled, IB_PORT_LINK_SPEED_ENABLED_F),
	FIELD(PortInfo, NeighborMTU, IB_PORT_NEIGHBOR_MTU_F),
	FIELD(PortInfo, MasterSMSL, IB_PORT_SMSL_F),
	FIELD(PortInfo, VLCap, IB_PORT_VL_CAP_F),
	PART(PortInfo, InitTypeNoLoad, IB_PORT_INIT_TYPE_F, 0, 1),
	PART(PortInfo, InitTypePreserveContent, IB_PORT_INIT_TYPE_F, 1, 1),
	PART(PortInfo, InitTypePreservePresence, IB_PORT_INIT_TYPE_F, 2, 1),
	PART(PortInfo, InitTypeDoNotResuscitate, IB_PORT_INIT_TYPE_F, 3, 1),
	FIELD(PortInfo, VLHighLimit, IB_PORT_VL_HIGH_LIMIT_F),
	FIELD(PortInfo, VLArbitrationHighCap, IB_PORT_VL_ARBITRATION_HIGH_CAP_F),
	FIELD(PortInfo, VLArbitrationLowCap, IB_PORT_VL_ARBITRATION_LOW_CAP_F),
	FIELD(PortInfo, InitTypeReply, IB_PORT_INIT_TYPE_REPLY_F),
	PART(PortInfo, InitTypeReplyNoLoad, IB_PORT_INIT_TYPE_REPLY_F, 0, 1),
	PART(PortInfo, InitTypeReplyPreserveContent, IB_PORT_INIT_TYPE_REPLY_F, 1, 1),
	PART(PortInfo, InitTypeReplyPreservePresence, IB_PORT_INIT_TYPE_REPLY_F, 2, 1),
	FIELD(PortInfo, MTUCap, IB_PORT_MTU_CAP_F),
	FIELD(PortInfo, VLStallCount, IB_PORT_VL_STALL_COUNT_F),
	FIELD(PortInfo, HOQLife, IB_PORT_HOQ_LIFE_F),
	FIELD(PortInfo, OperationalVLs, IB_PORT_OPER_VLS_F),
	FIELD(PortInfo, PartitionEnforcementInbound, IB_PORT_PART_EN_INB_F),
	FIELD(PortInfo, PartitionEnforcementOutbound, IB_PORT_PART_EN_OUTB_F),
	FIELD(PortInfo, FilterRawPacketInbound, IB_PORT_FILTER_RAW_INB_F),
	FIELD(PortInfo, FilterRawPacketOutbound, IB_PORT_FILTER_RAW_OUTB_F),
	FIELD(PortInfo, M_KeyViolations, IB_PORT_MKEY_VIOL_F),
	FIELD(PortInfo, P_KeyViolations, IB_PORT_PKEY_VIOL_F),
	FIELD(PortInfo, Q_KeyViolations, IB_PORT_QKEY_VIOL_F),
	FIELD(PortInfo, GUIDCap, IB_PORT_GUID_CAP_F),
	FIELD(PortInfo, ClientReregister, IB_PORT_CLIENT_REREG_F),
	FIELD(PortInfo, MulticastPKeyTrapSuppressionEnabled, IB_PORT_MCAST_PKEY_SUPR_ENAB_F),
	FIELD(PortInfo, SubnetTimeOut, IB_PORT_SUBN_TIMEOUT_F),
	FIELD(PortInfo, RespTimeValue, IB_PORT_RESP_TIME_VAL_F),
	FIELD(PortInfo, LocalPhyErrors, IB_PORT_LOCAL_PHYS_ERR_F),
	FIELD(PortInfo, OverrunErrors, IB_PORT_OVERRUN_ERR_F),
	FIELD(PortInfo, CapabilityMask2, IB_PORT_CAPMASK2_F),
	PART(PortInfo, IsSetNodeDescriptionSupported, IB_PORT_CAPMASK2_F, 0, 1),
	PART(PortInfo, IsPortInfoExtendedSupported, IB_PORT_CAPMASK2_F, 1, 1),
	PART(PortInfo, IsVirtualizationSupported, IB_PORT_CAPMASK2_F, 2, 1),
	PART(PortInfo, IsSwitchPortStateTableSupported, IB_PORT_CAPMASK2_F, 3, 1),
	PART(PortInfo, IsLinkWidth2xSupported, IB_PORT_CAPMASK2_F, 4, 1),
	PART(PortInfo, IsLinkSpeedHDRSupported, IB_PORT_CAPMASK2_F, 5, 1),
	PART(PortInfo, IsMKeyProtectBitsExtSupported, IB_PORT_CAPMASK2_F, 6, 1),
	PART(PortInfo, IsEnhancedTrap128Supported, IB_PORT_CAPMASK2_F, 7, 1),
	PART(PortInfo, IsPartitionTopSupported, IB_PORT_CAPMASK2_F, 8, 1),
	PART(PortInfo, IsEnhancedQoSArbiterSupported, IB_PORT_CAPMASK2_F, 9, 1),
	PART(PortInfo, IsLinkSpeedNDRSupported, IB_PORT_CAPMASK2_F, 10, 1),
	PART(PortInfo, IsExtendedSpeeds2Supported, IB_PORT_CAPMASK2_F, 11, 1),
	PART(PortInfo, IsLinkSpeedXDRSupported, IB_PORT_CAPMASK2_F, 12, 1),
	FIELD(PortInfo, LinkSpeedExtActive, IB_PORT_LINK_SPEED_EXT_ACTIVE_F),
	FIELD(PortInfo, LinkSpeedExtSupported, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F),
	FIELD(PortInfo, LinkSpeedExtEnabled, IB_PORT_LINK_SPEED_EXT_ENABLED_F),

	WIDE(SMInfo, GUID, IB_SMINFO_GUID_F),
	WIDE(SMInfo, SM_Key, IB_SMINFO_KEY_F),
	FIELD(SMInfo, ActCount, IB_SMINFO_ACT_F),
	FIELD(SMInfo, Priority, IB_SMINFO_PRIO_F),
	FIELD(SMInfo, SMState, IB_SMINFO_STATE_F),

	FIRST_WORD(VendorDiag, NextIndex, 16, 16),
	FIRST_WORD(LedInfo, LedMask, 31, 1),
};

enum sma_attr sma_component_attr(enum sma_component component)
{
	return components[component].attr;
}

const char *sma_component_name(enum sma_component component)
{
	return components[component].name;
}

static uint32_t width_mask(unsigned width)
{
	return width ? (1U << width) - 1 : UINT32_MAX;
}

static uint32_t word_get(const struct component *c, const uint8_t *block)
{
	/* libibmad's getters take a buffer they could write to */
	return c->codec == CODEC_FIRST_WORD ? wire_get32(block) : mad_get_field((void *)block, 0, c->field);
}

static void word_set(const struct component *c, uint8_t *block, uint32_t word)
{
	if (c->codec == CODEC_FIRST_WORD)
		wire_put32(block, word);
	else
		mad_set_field(block, 0, c->field, word);
}

uint64_t sma_component_get(const uint8_t block[SMA_BLOCK_SIZE], enum sma_component component)
{
	const struct component *c = &components[component];

	if (c->codec == CODEC_FIELD64)
		return mad_get_field64((void *)block, 0, c->field);
	return (word_get(c, block) >> c->shift) & width_mask(c->width);
}

void sma_component_set(uint8_t block[SMA_BLOCK_SIZE], enum sma_component component, uint64_t value)
{
	const struct component *c = &components[component];
	uint32_t mask = width_mask(c->width);

	if (c->codec == CODEC_FIELD64)
		mad_set_field64(block, 0, c->field, value);
	else if (c->width)
		word_set(c, block,
		         (word_get(c, block) & ~(mask << c->shift)) | ((uint32_t)value & mask) << c->shift);
	else
		word_set(c, block, (uint32_t)value);
}
