// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sma/iba/dm.h"
#include "sma/iba/mad.h"
#include "sma/iba/wire.h"

enum {
	LIST_AT = 4, /* ControllerList in IOUnitInfo */
	TYPE_INFORMATIONAL = 4,
};

static const struct dm_attr_info attrs[DM_ATTR_COUNT] = {
	[DM_ClassPortInfo] = {"ClassPortInfo", 0x0001, 72, DM_MODIFIER_ZERO, true, true},
	[DM_Notice] = {"Notice", 0x0002, 80, DM_MODIFIER_ANY, true, true},
	[DM_IOUnitInfo] = {"IOUnitInfo", 0x0010, 132, DM_MODIFIER_ZERO, true, false},
	[DM_IOControllerProfile] = {"IOControllerProfile", 0x0011, 128, DM_MODIFIER_SLOT, true, false},
	[DM_ServiceEntries] = {"ServiceEntries", 0x0012, 192, DM_MODIFIER_SERVICES, true, false},
	[DM_DiagnosticTimeout] = {"DiagnosticTimeout", 0x0020, 4, DM_MODIFIER_SLOT, true, false},
	[DM_PrepareToTest] = {"PrepareToTest", 0x0021, 0, DM_MODIFIER_SLOT, true, true},
	[DM_TestDeviceOnce] = {"TestDeviceOnce", 0x0022, 4, DM_MODIFIER_SLOT, false, true},
	[DM_TestDeviceLoop] = {"TestDeviceLoop", 0x0023, 4, DM_MODIFIER_SLOT, false, true},
	[DM_DiagCode] = {"DiagCode", 0x0024, 2, DM_MODIFIER_SLOT, true, false},
};

const struct dm_attr_info *dm_attr_info(enum dm_attr attr)
{
	return &attrs[attr];
}

enum dm_attr dm_attr_find(uint16_t id)
{
	enum dm_attr attr = 0;

	while (attr < DM_ATTR_COUNT && attrs[attr].id != id)
		attr++;
	return attr;
}

/* ---- ControllerList: the odd slots are high nibbles ---- */

unsigned dm_slot_get(const uint8_t *unit_info, unsigned slot)
{
	uint8_t two = unit_info[LIST_AT + (slot - 1) / 2];

	return slot % 2 ? two >> 4 : two & 0xF;
}

void dm_slot_set(uint8_t *unit_info, unsigned slot, unsigned state)
{
	uint8_t *two = &unit_info[LIST_AT + (slot - 1) / 2];

	*two = (uint8_t)(slot % 2 ? (*two & 0x0F) | (state & 0xF) << 4 : (*two & 0xF0) | (state & 0xF));
}

/* ---- ServiceEntries ---- */

uint32_t dm_services_modifier(unsigned slot, unsigned first, unsigned last)
{
	return (uint32_t)slot << 16 | (last & 0xFF) << 8 | (first & 0xFF);
}

struct dm_range dm_services_range(uint32_t modifier)
{
	return (struct dm_range){modifier >> 16, modifier & 0xFF, modifier >> 8 & 0xFF};
}

const uint8_t *dm_service_name(const uint8_t *entries, unsigned i)
{
	return entries + (size_t)i * DM_SERVICE_SIZE;
}

uint64_t dm_service_id(const uint8_t *entries, unsigned i)
{
	return wire_get64(dm_service_name(entries, i) + DM_SERVICE_NAME_SIZE);
}

void dm_service_set(uint8_t *entries, unsigned i, const void *name, size_t size, uint64_t id)
{
	uint8_t *entry = entries + (size_t)i * DM_SERVICE_SIZE;

	memset(entry, 0, DM_SERVICE_NAME_SIZE);
	memcpy(entry, name, size < DM_SERVICE_NAME_SIZE ? size : DM_SERVICE_NAME_SIZE);
	wire_put64(entry + DM_SERVICE_NAME_SIZE, id);
}

/* ---- Notice and status ---- */

void dm_notice_ready(uint8_t *notice, uint16_t lid, unsigned slot, uint16_t status)
{
	memset(notice, 0, attrs[DM_Notice].size);
	dm_component_set(notice, DM_Notice_IsGeneric, 1);
	dm_component_set(notice, DM_Notice_Type, TYPE_INFORMATIONAL);
	dm_component_set(notice, DM_Notice_ProducerType, DM_PRODUCER);
	dm_component_set(notice, DM_Notice_TrapNumber, DM_TRAP_READY);
	dm_component_set(notice, DM_Notice_IssuerLID, lid);
	dm_component_set(notice, DM_Notice_LIDADDR, lid);
	dm_component_set(notice, DM_Notice_STATUS, status);
	dm_component_set(notice, DM_Notice_DEVICE, slot);
}

bool dm_notice_is_ready(const uint8_t *notice)
{
	return dm_component_get(notice, DM_Notice_IsGeneric) &&
	       dm_component_get(notice, DM_Notice_TrapNumber) == DM_TRAP_READY;
}

const char *dm_status_text(uint16_t status)
{
	if (status & DM_STATUS_NO_IOC)
		return "no such controller, or it does not respond";
	if (status & DM_STATUS_NO_SERVICES)
		return "the controller has no service entries";
	if (status & DM_STATUS_FAILED)
		return "general failure of the controller";
	return mad_status_text(status);
}
