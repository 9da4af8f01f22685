/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The attributes of device management, class 0x06 (IBA 16.3), and their components: an I/O unit, its
 * controllers (IOCs) and the services that they offer.
 *
 * Where the releases of IBA differ, this is what is on the wire today: RDMAReadQueueDepth has 8 bits, and
 * what followed ControllerOperationsCapabilityMask first, as well as two components before
 * SendMessageQueueDepth, became reserved after release 1.0; agents send zero there.
 */
#ifndef IBA_DM_H
#define IBA_DM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	DM_DATA_SIZE = 192,      /* bytes of attribute data in a MAD */
	DM_MAX_SLOTS = 255,      /* slots that an AttributeModifier can name: 1..255 */
	DM_LIST_SLOTS = 256,     /* entries of IOUnitInfo.ControllerList */
	DM_MAX_SERVICES = 255,   /* IOControllerProfile.ServiceEntries; entries are numbered from 0 */
	DM_SERVICES_PER_MAD = 4, /* ServiceEntries */
	DM_SERVICE_SIZE = 48,    /* bytes of one of them: its name and its ServiceID */
	DM_SERVICE_NAME_SIZE = 40,
	DM_ID_STRING_SIZE = 64, /* IOControllerProfile.IDString */
	DM_GID_SIZE = 16,
	DM_TRAP_READY = 514,      /* ReadyToTest */
	DM_PRODUCER = 4,          /* Notice.ProducerType: class manager */
	DM_TEST_LOOP = 1U << 31,  /* bit of the value of TestDeviceLoop that TestDeviceOnce lacks */
	DM_FIRST_VENDOR = 0xFF00, /* lowest AttributeID of vendors; the highest is 0xFFFF */
};

enum dm_attr {
	DM_ClassPortInfo,
	DM_Notice,
	DM_IOUnitInfo,
	DM_IOControllerProfile,
	DM_ServiceEntries,
	DM_DiagnosticTimeout,
	DM_PrepareToTest,
	DM_TestDeviceOnce,
	DM_TestDeviceLoop,
	DM_DiagCode,
	DM_ATTR_COUNT
};

/* One bit field or field of bytes of an attribute, named Attribute_Component as IBA names them. Those that
 * stand as octets are longer than 64 bits. */
enum dm_component {
	DM_ClassPortInfo_BaseVersion,
	DM_ClassPortInfo_ClassVersion,
	DM_ClassPortInfo_CapabilityMask,
	DM_ClassPortInfo_CapabilityMask2,
	DM_ClassPortInfo_RespTimeValue,
	DM_ClassPortInfo_RedirectGID, /* octets */
	DM_ClassPortInfo_RedirectTC,
	DM_ClassPortInfo_RedirectSL,
	DM_ClassPortInfo_RedirectFL,
	DM_ClassPortInfo_RedirectLID,
	DM_ClassPortInfo_RedirectP_Key,
	DM_ClassPortInfo_RedirectQP,
	DM_ClassPortInfo_RedirectQ_Key,
	DM_ClassPortInfo_TrapGID, /* octets */
	DM_ClassPortInfo_TrapTC,
	DM_ClassPortInfo_TrapSL,
	DM_ClassPortInfo_TrapFL,
	DM_ClassPortInfo_TrapLID,
	DM_ClassPortInfo_TrapP_Key,
	DM_ClassPortInfo_TrapHL,
	DM_ClassPortInfo_TrapQP,
	DM_ClassPortInfo_TrapQ_Key,

	DM_Notice_IsGeneric,
	DM_Notice_Type,
	DM_Notice_ProducerType,
	DM_Notice_TrapNumber,
	DM_Notice_IssuerLID,
	DM_Notice_NoticeToggle,
	DM_Notice_NoticeCount,
	DM_Notice_LIDADDR, /* DataDetails of DM_TRAP_READY, likewise the next two */
	DM_Notice_STATUS,
	DM_Notice_DEVICE,
	DM_Notice_IssuerGID, /* octets */

	DM_IOUnitInfo_ChangeID,
	DM_IOUnitInfo_MaxControllers,
	DM_IOUnitInfo_DiagDeviceID, /* the modifiers of diagnostic attributes are slots */
	DM_IOUnitInfo_OptionROM,

	DM_IOControllerProfile_GUID,
	DM_IOControllerProfile_VendorID,
	DM_IOControllerProfile_DeviceID,
	DM_IOControllerProfile_DeviceVersion,
	DM_IOControllerProfile_SubsystemVendorID,
	DM_IOControllerProfile_SubsystemID,
	DM_IOControllerProfile_IOClass,
	DM_IOControllerProfile_IOSubclass,
	DM_IOControllerProfile_Protocol,
	DM_IOControllerProfile_ProtocolVersion,
	DM_IOControllerProfile_ServiceConnections,
	DM_IOControllerProfile_InitiatorsSupported,
	DM_IOControllerProfile_SendMessageQueueDepth,
	DM_IOControllerProfile_RDMAReadQueueDepth,
	DM_IOControllerProfile_SendMessageSize,
	DM_IOControllerProfile_RDMATransferSize,
	DM_IOControllerProfile_ControllerOperationsCapabilityMask,
	DM_IOControllerProfile_ControllerServicesCapabilityMask,
	DM_IOControllerProfile_ServiceEntries,
	DM_IOControllerProfile_IDString, /* octets, UTF-8, padded with zeros */

	DM_DiagnosticTimeout_MaxDiagTime, /* milliseconds */
	DM_TestDeviceOnce_Value,
	DM_TestDeviceLoop_Value,
	DM_DiagCode_DiagCode,
	DM_DiagCode_Status,        /* bits 3:0 */
	DM_DiagCode_VendorCode,    /* bits 14:4 */
	DM_DiagCode_VendorIndexed, /* bit 15 */
	DM_COMPONENT_COUNT
};

/* The status bits of the class (IBA 16.3.1.1). */
enum {
	DM_STATUS_NO_IOC = 0x0100,      /* there is no such IOC, or it does not respond */
	DM_STATUS_NO_SERVICES = 0x0200, /* it has no service entries */
	DM_STATUS_FAILED = 0x8000,      /* general failure of the IOC */
};

/* What a DiagCode says in its bits 3:0, the status of a device. */
enum { DM_DIAG_READY, DM_DIAG_SELF_TEST, DM_DIAG_INITIALIZING, DM_DIAG_SOFT_ERROR, DM_DIAG_HARD_ERROR };

/* The contents of a nibble of IOUnitInfo.ControllerList; others are reserved. */
enum { DM_SLOT_EMPTY = 0, DM_SLOT_PRESENT = 1, DM_SLOT_NONE = 0xF };

/* ---- attributes ---- */

/* What an AttributeModifier is: 0 only, any value, a slot, or slot and entries. */
enum dm_modifier { DM_MODIFIER_ZERO, DM_MODIFIER_ANY, DM_MODIFIER_SLOT, DM_MODIFIER_SERVICES };

struct dm_attr_info {
	const char *name; /* as IBA spells it */
	uint16_t id;      /* AttributeID */
	uint8_t size;     /* bytes of it, at most DM_DATA_SIZE; 0: it has no contents */
	enum dm_modifier modifier;
	bool can_get; /* the methods that it has (IBA 16.3.2) */
	bool can_set;
};

const struct dm_attr_info *dm_attr_info(enum dm_attr attr);

/* The attribute with an AttributeID; DM_ATTR_COUNT: it is none of these. */
enum dm_attr dm_attr_find(uint16_t id);

/* ---- components: `data` is the attribute, dm_attr_info's size bytes ---- */

enum dm_attr dm_component_attr(enum dm_component component);
const char *dm_component_name(enum dm_component component);

/* The bits of a component. */
unsigned dm_component_bits(enum dm_component component);

/* The value of one of up to 64 bits, in host order. */
uint64_t dm_component_get(const uint8_t *data, enum dm_component component);

/* Put a value into it; bits beyond its width are dropped. */
void dm_component_set(uint8_t *data, enum dm_component component, uint64_t value);

/* The bytes of one that stands as octets, within `data`; there are dm_component_bits / 8 of them. */
const uint8_t *dm_component_octets(const uint8_t *data, enum dm_component component);

/* Put `size` bytes there, at most as many as it has; the rest becomes zero. */
void dm_component_put(uint8_t *data, enum dm_component component, const void *octets, size_t size);

/* ---- IOUnitInfo.ControllerList (IBA 16.3.3.3) ---- */

/* The state of a slot, 1..DM_LIST_SLOTS. */
unsigned dm_slot_get(const uint8_t *unit_info, unsigned slot);
void dm_slot_set(uint8_t *unit_info, unsigned slot, unsigned state);

/* ---- ServiceEntries (IBA 16.3.3.5) ---- */

/* Which entries a modifier names. */
struct dm_range {
	unsigned slot;
	unsigned first;
	unsigned last;
};

uint32_t dm_services_modifier(unsigned slot, unsigned first, unsigned last);
struct dm_range dm_services_range(uint32_t modifier);

/* An entry, `i` counting within the attribute: the name, DM_SERVICE_NAME_SIZE bytes of UTF-8 padded with
 * zeros, and the ServiceID. */
const uint8_t *dm_service_name(const uint8_t *entries, unsigned i);
uint64_t dm_service_id(const uint8_t *entries, unsigned i);
void dm_service_set(uint8_t *entries, unsigned i, const void *name, size_t size, uint64_t id);

/* ---- Notice and status ---- */

/*
 * Build the Notice of trap 514: the device in `slot` of the I/O unit at `lid` has the readiness that
 * Get(PrepareToTest) is answered with. Of the DataDetails no structure is published; this one keeps LIDADDR
 * where the generic traps of a port have it, and readers must not rely on it.
 */
void dm_notice_ready(uint8_t *notice, uint16_t lid, unsigned slot, uint16_t status);

/* Whether a Notice attribute is that trap. */
bool dm_notice_is_ready(const uint8_t *notice);

/* What a status means, in words: of several bits of the class the lowest, else its common part. */
const char *dm_status_text(uint16_t status);

#endif
