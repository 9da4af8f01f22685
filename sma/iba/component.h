/* SPDX-License-Identifier: BSD-2-Clause */
/* The attributes of an SMA and their components, as they stand in blocks. */
#ifndef IBA_COMPONENT_H
#define IBA_COMPONENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The attributes that are read: those of subnet management (IBA volume 1, 14.2.5), and behind them those of
 * device management (16.3.3), whose components sma/iba/dm.h has. */
enum sma_attr {
	SMA_NodeDescription,
	SMA_NodeInfo,
	SMA_SwitchInfo,
	SMA_GUIDInfo,
	SMA_PortInfo,
	SMA_P_KeyTable,
	SMA_SLtoVLMappingTable,
	SMA_VLArbitration,
	SMA_LinearForwardingTable,
	SMA_RandomForwardingTable,
	SMA_MulticastForwardingTable,
	SMA_SMInfo,
	SMA_VendorDiag,
	SMA_LedInfo,
	SMA_ATTR_COUNT, /* those of subnet management */
	SMA_DM_ClassPortInfo = SMA_ATTR_COUNT,
	SMA_DM_IOUnitInfo,
	SMA_DM_IOControllerProfile,
	SMA_DM_ServiceEntries,
	SMA_DM_DiagnosticTimeout,
	SMA_DM_PrepareToTest, /* its contents are the status of the answer, 16 bits */
	SMA_DM_DiagCode,
	SMA_READ_COUNT /* all */
};

/* In sets of bits 1 << enum sma_attr: all of them, those of device management. */
enum {
	SMA_ALL_ATTRS = (1 << SMA_READ_COUNT) - 1,
	SMA_DM_ATTRS = SMA_ALL_ATTRS - ((1 << SMA_ATTR_COUNT) - 1),
};

enum {
	SMA_BLOCK_SIZE = 64,         /* bytes of attribute data in an SMP */
	SMA_MAX_PORTS = 254,         /* NodeInfo.NumPorts */
	SMA_GUIDS_PER_BLOCK = 8,     /* GUIDInfo */
	SMA_PKEYS_PER_BLOCK = 32,    /* P_KeyTable */
	SMA_VLARB_PER_BLOCK = 32,    /* VLArbitration, one half of a table */
	SMA_LIDS_PER_BLOCK = 64,     /* LinearForwardingTable */
	SMA_RANDOM_PER_BLOCK = 16,   /* RandomForwardingTable */
	SMA_MLIDS_PER_BLOCK = 32,    /* MulticastForwardingTable */
	SMA_PORTS_PER_POSITION = 16, /* MulticastForwardingTable */
	SMA_MAX_POSITIONS = 16,      /* MulticastForwardingTable */
	SMA_SL_COUNT = 16,           /* SLtoVLMappingTable */
	SMA_DIAG_DATA_SIZE = 62,     /* VendorDiag.DiagData */
	SMA_FIRST_MLID = 0xC000,     /* lowest multicast LID */
	SMA_VL_DISCARD = 15,         /* VL of an entry that drops */
};

/* One bit field of an attribute, named Attribute_Component as IBA names them. */
enum sma_component {
	SMA_NodeInfo_BaseVersion,
	SMA_NodeInfo_ClassVersion,
	SMA_NodeInfo_NodeType,
	SMA_NodeInfo_NumPorts,
	SMA_NodeInfo_SystemImageGUID,
	SMA_NodeInfo_NodeGUID,
	SMA_NodeInfo_PortGUID,
	SMA_NodeInfo_PartitionCap,
	SMA_NodeInfo_DeviceID,
	SMA_NodeInfo_Revision,
	SMA_NodeInfo_LocalPortNum,
	SMA_NodeInfo_VendorID,

	SMA_SwitchInfo_LinearFDBCap,
	SMA_SwitchInfo_RandomFDBCap,
	SMA_SwitchInfo_MulticastFDBCap,
	SMA_SwitchInfo_LinearFDBTop,
	SMA_SwitchInfo_DefaultPort,
	SMA_SwitchInfo_DefaultMulticastPrimaryPort,
	SMA_SwitchInfo_DefaultMulticastNotPrimaryPort,
	SMA_SwitchInfo_LifeTimeValue,
	SMA_SwitchInfo_PortStateChange,
	SMA_SwitchInfo_LIDsPerPort,
	SMA_SwitchInfo_PartitionEnforcementCap,
	SMA_SwitchInfo_InboundEnforcementCap,
	SMA_SwitchInfo_OutboundEnforcementCap,
	SMA_SwitchInfo_FilterRawPacketInboundCap,
	SMA_SwitchInfo_FilterRawPacketOutboundCap,
	SMA_SwitchInfo_EnhancedPort0,
	SMA_SwitchInfo_MulticastFDBTop,

	SMA_PortInfo_M_Key,
	SMA_PortInfo_GidPrefix,
	SMA_PortInfo_LID,
	SMA_PortInfo_MasterSMLID,
	SMA_PortInfo_CapabilityMask,
	SMA_PortInfo_IsSM,
	SMA_PortInfo_IsNoticeSupported,
	SMA_PortInfo_IsTrapSupported,
	SMA_PortInfo_IsOptionalIPDSupported,
	SMA_PortInfo_IsAutomaticMigrationSupported,
	SMA_PortInfo_IsSLMappingSupported,
	SMA_PortInfo_IsMKeyNVRAM,
	SMA_PortInfo_IsPKeyNVRAM,
	SMA_PortInfo_IsLedInfoSupported,
	SMA_PortInfo_IsSMdisabled,
	SMA_PortInfo_IsSystemImageGUIDSupported,
	SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported,
	SMA_PortInfo_IsCableInfoSupported,
	SMA_PortInfo_IsExtendedSpeedsSupported,
	SMA_PortInfo_IsCapabilityMask2Supported,
	SMA_PortInfo_IsCommunicationManagementSupported,
	SMA_PortInfo_IsSNMPTunnelingSupported,
	SMA_PortInfo_IsReinitSupported,
	SMA_PortInfo_IsDeviceManagementSupported,
	SMA_PortInfo_IsVendorClassSupported,
	SMA_PortInfo_IsDRNoticeSupported,
	SMA_PortInfo_IsCapabilityMaskNoticeSupported,
	SMA_PortInfo_IsBootManagementSupported,
	SMA_PortInfo_IsLinkRoundTripLatencySupported,
	SMA_PortInfo_IsClientReregistrationSupported,
	SMA_PortInfo_IsOtherLocalChangesNoticeSupported,
	SMA_PortInfo_IsLinkSpeedWidthPairsTableSupported,
	SMA_PortInfo_IsVendorSpecificMadsTableSupported,
	SMA_PortInfo_IsMcastPkeyTrapSuppressionSupported,
	SMA_PortInfo_IsMulticastFDBTopSupported,
	SMA_PortInfo_IsHierarchyInfoSupported,
	SMA_PortInfo_DiagCode,
	SMA_PortInfo_DiagStatus,        /* DiagCode bits 3:0 */
	SMA_PortInfo_DiagVendorCode,    /* DiagCode bits 14:4 */
	SMA_PortInfo_DiagVendorIndexed, /* DiagCode bit 15 */
	SMA_PortInfo_M_KeyLeasePeriod,
	SMA_PortInfo_LocalPortNum,
	SMA_PortInfo_LinkWidthEnabled,
	SMA_PortInfo_LinkWidthSupported,
	SMA_PortInfo_LinkWidthActive,
	SMA_PortInfo_LinkSpeedSupported,
	SMA_PortInfo_PortState,
	SMA_PortInfo_PortPhysicalState,
	SMA_PortInfo_LinkDownDefaultState,
	SMA_PortInfo_M_KeyProtectBits,
	SMA_PortInfo_LMC,
	SMA_PortInfo_LinkSpeedActive,
	SMA_PortInfo_LinkSpeedEnabled,
	SMA_PortInfo_NeighborMTU,
	SMA_PortInfo_MasterSMSL,
	SMA_PortInfo_VLCap,
	SMA_PortInfo_InitTypeNoLoad,
	SMA_PortInfo_InitTypePreserveContent,
	SMA_PortInfo_InitTypePreservePresence,
	SMA_PortInfo_InitTypeDoNotResuscitate,
	SMA_PortInfo_VLHighLimit,
	SMA_PortInfo_VLArbitrationHighCap,
	SMA_PortInfo_VLArbitrationLowCap,
	SMA_PortInfo_InitTypeReply,
	SMA_PortInfo_InitTypeReplyNoLoad,
	SMA_PortInfo_InitTypeReplyPreserveContent,
	SMA_PortInfo_InitTypeReplyPreservePresence,
	SMA_PortInfo_MTUCap,
	SMA_PortInfo_VLStallCount,
	SMA_PortInfo_HOQLife,
	SMA_PortInfo_OperationalVLs,
	SMA_PortInfo_PartitionEnforcementInbound,
	SMA_PortInfo_PartitionEnforcementOutbound,
	SMA_PortInfo_FilterRawPacketInbound,
	SMA_PortInfo_FilterRawPacketOutbound,
	SMA_PortInfo_M_KeyViolations,
	SMA_PortInfo_P_KeyViolations,
	SMA_PortInfo_Q_KeyViolations,
	SMA_PortInfo_GUIDCap,
	SMA_PortInfo_ClientReregister,
	SMA_PortInfo_MulticastPKeyTrapSuppressionEnabled,
	SMA_PortInfo_SubnetTimeOut,
	SMA_PortInfo_RespTimeValue,
	SMA_PortInfo_LocalPhyErrors,
	SMA_PortInfo_OverrunErrors,
	SMA_PortInfo_CapabilityMask2,
	SMA_PortInfo_IsSetNodeDescriptionSupported,
	SMA_PortInfo_IsPortInfoExtendedSupported,
	SMA_PortInfo_IsVirtualizationSupported,
	SMA_PortInfo_IsSwitchPortStateTableSupported,
	SMA_PortInfo_IsLinkWidth2xSupported,
	SMA_PortInfo_IsLinkSpeedHDRSupported,
	SMA_PortInfo_IsMKeyProtectBitsExtSupported,
	SMA_PortInfo_IsEnhancedTrap128Supported,
	SMA_PortInfo_IsPartitionTopSupported,
	SMA_PortInfo_IsEnhancedQoSArbiterSupported,
	SMA_PortInfo_IsLinkSpeedNDRSupported,
	SMA_PortInfo_IsExtendedSpeeds2Supported,
	SMA_PortInfo_IsLinkSpeedXDRSupported,
	SMA_PortInfo_LinkSpeedExtActive,
	SMA_PortInfo_LinkSpeedExtSupported,
	SMA_PortInfo_LinkSpeedExtEnabled,

	SMA_SMInfo_GUID,
	SMA_SMInfo_SM_Key,
	SMA_SMInfo_ActCount,
	SMA_SMInfo_Priority,
	SMA_SMInfo_SMState,

	SMA_VendorDiag_NextIndex,
	SMA_LedInfo_LedMask,
	SMA_COMPONENT_COUNT
};

/* Values of NodeInfo.NodeType. */
enum { SMA_NODE_CA = 1, SMA_NODE_SWITCH = 2, SMA_NODE_ROUTER = 3 };

/* Values of PortInfo.PortState. */
enum {
	SMA_PORT_NO_CHANGE, /* in a Set; in what a switch's base port 0 answers: it has no state */
	SMA_PORT_DOWN,
	SMA_PORT_INITIALIZE,
	SMA_PORT_ARMED,
	SMA_PORT_ACTIVE,
};

/* Values of PortInfo.PortPhysicalState. */
enum {
	SMA_PHYSICAL_NO_CHANGE, /* in a Set */
	SMA_PHYSICAL_SLEEP,
	SMA_PHYSICAL_POLLING,
	SMA_PHYSICAL_DISABLED,
	SMA_PHYSICAL_TRAINING,
	SMA_PHYSICAL_LINK_UP,
};

/* The name of an attribute as IBA spells it. */
const char *sma_attr_name(enum sma_attr attr);

/* The AttributeID of an attribute on the wire, and the management class that it belongs to. */
uint16_t sma_attr_id(enum sma_attr attr);
uint8_t sma_attr_class(enum sma_attr attr);

/* The bytes of a block of it. */
unsigned sma_attr_size(enum sma_attr attr);

/* The attribute that a component belongs to, and its name as IBA spells it. */
enum sma_attr sma_component_attr(enum sma_component component);
const char *sma_component_name(enum sma_component component);

/* The value of a component in a block of its attribute, in host order, at most 64 bits. */
uint64_t sma_component_get(const uint8_t block[SMA_BLOCK_SIZE], enum sma_component component);

/* Put a value into a block; bits beyond the component's width are dropped. For building blocks in tests and
 * by the software SMA. */
void sma_component_set(uint8_t block[SMA_BLOCK_SIZE], enum sma_component component, uint64_t value);

/* Entries of the table attributes; `i` counts within the block. (IBA 14.2.5.5, .7 to .12, .14) */
uint64_t sma_guid_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i);
uint16_t sma_pkey_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i);
unsigned sma_sl2vl_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned sl);
uint16_t sma_multicast_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i);
const uint8_t *sma_diag_data(const uint8_t block[SMA_BLOCK_SIZE]); /* SMA_DIAG_DATA_SIZE bytes */

struct sma_vlarb_entry {
	uint8_t vl;     /* 0..15 */
	uint8_t weight; /* units of 64 bytes */
};
struct sma_vlarb_entry sma_vlarb_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i);

struct sma_random_entry {
	uint16_t lid;
	bool valid;
	uint8_t lmc; /* 0..7 */
	uint8_t port;
};
struct sma_random_entry sma_random_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i);

#endif
