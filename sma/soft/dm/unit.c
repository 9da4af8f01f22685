// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/soft/dm/unit.h"

enum {
	VENDOR_SHIFT = 40,        /* in a GUID */
	IO_CLASS_VENDOR = 0xFFFF, /* defined by the vendor */
};

struct unit *unit_new(unsigned slots)
{
	struct unit *unit = calloc(1, sizeof(*unit));

	if (!unit)
		return NULL;
	dm_component_set(unit->info, DM_IOUnitInfo_ChangeID, 1);
	dm_component_set(unit->info, DM_IOUnitInfo_MaxControllers, slots);
	dm_component_set(unit->info, DM_IOUnitInfo_DiagDeviceID, 1);
	for (unsigned slot = slots + 1; slot <= DM_LIST_SLOTS; slot++)
		dm_slot_set(unit->info, slot, DM_SLOT_NONE);
	return unit;
}

static void free_ioc(struct ioc *ioc)
{
	if (ioc)
		free(ioc->services);
	free(ioc);
}

void unit_free(struct unit *unit)
{
	if (!unit)
		return;
	for (unsigned i = 0; i < DM_MAX_SLOTS; i++)
		free_ioc(unit->iocs[i]);
	free(unit);
}

unsigned unit_slots(const struct unit *unit)
{
	return (unsigned)dm_component_get(unit->info, DM_IOUnitInfo_MaxControllers);
}

static bool is_slot(const struct unit *unit, unsigned slot)
{
	return slot >= 1 && slot <= unit_slots(unit);
}

struct ioc *unit_ioc(const struct unit *unit, unsigned slot)
{
	if (!is_slot(unit, slot) || dm_slot_get(unit->info, slot) != DM_SLOT_PRESENT)
		return NULL;
	return unit->iocs[slot - 1];
}

static void set_slot(struct unit *unit, unsigned slot, unsigned state)
{
	dm_slot_set(unit->info, slot, state);
	dm_component_set(unit->info, DM_IOUnitInfo_ChangeID,
	                 dm_component_get(unit->info, DM_IOUnitInfo_ChangeID) + 1);
}

static struct ioc *new_ioc(uint64_t guid)
{
	const struct diag_config config = {
		.timeout_ms = DIAG_DEFAULT_TIMEOUT_MS,
		.prepare_ms = DIAG_DEFAULT_MS,
		.test_ms = DIAG_DEFAULT_MS,
	};
	struct ioc *ioc = calloc(1, sizeof(*ioc));

	if (!ioc)
		return NULL;
	dm_component_set(ioc->profile, DM_IOControllerProfile_GUID, guid);
	dm_component_set(ioc->profile, DM_IOControllerProfile_VendorID, guid >> VENDOR_SHIFT);
	dm_component_set(ioc->profile, DM_IOControllerProfile_IOClass, IO_CLASS_VENDOR);
	diag_init(&ioc->diag, &config);
	return ioc;
}

int unit_add(struct unit *unit, unsigned slot, uint64_t guid)
{
	struct ioc *ioc;

	if (!is_slot(unit, slot))
		return -ERANGE;
	if (unit_ioc(unit, slot))
		return -EEXIST;
	ioc = new_ioc(guid);
	if (!ioc)
		return -ENOMEM;
	free_ioc(unit->iocs[slot - 1]);
	unit->iocs[slot - 1] = ioc;
	set_slot(unit, slot, DM_SLOT_PRESENT);
	return 0;
}

int unit_put_back(struct unit *unit, unsigned slot)
{
	if (!is_slot(unit, slot))
		return -ERANGE;
	if (unit_ioc(unit, slot))
		return -EEXIST;
	if (!unit->iocs[slot - 1])
		return -ENOENT;
	set_slot(unit, slot, DM_SLOT_PRESENT);
	return 0;
}

int unit_remove(struct unit *unit, unsigned slot)
{
	struct ioc *ioc = unit_ioc(unit, slot);

	if (!is_slot(unit, slot))
		return -ERANGE;
	if (!ioc)
		return -ENOENT;
	diag_reset(&ioc->diag);
	set_slot(unit, slot, DM_SLOT_EMPTY);
	return 0;
}

/* ---- services ---- */

unsigned unit_service_count(const struct ioc *ioc)
{
	return (unsigned)dm_component_get(ioc->profile, DM_IOControllerProfile_ServiceEntries);
}

const uint8_t *unit_services(const struct ioc *ioc, unsigned first)
{
	return ioc->services + (size_t)first * DM_SERVICE_SIZE;
}

static int grow(struct ioc *ioc, unsigned count)
{
	unsigned before = unit_service_count(ioc);
	uint8_t *services = realloc(ioc->services, (size_t)count * DM_SERVICE_SIZE);

	if (!services)
		return -ENOMEM;
	memset(services + (size_t)before * DM_SERVICE_SIZE, 0, (size_t)(count - before) * DM_SERVICE_SIZE);
	ioc->services = services;
	dm_component_set(ioc->profile, DM_IOControllerProfile_ServiceEntries, count);
	return 0;
}

int unit_set_service(struct ioc *ioc, unsigned entry, const void *name, size_t size, uint64_t id)
{
	int rc = 0;

	if (entry >= DM_MAX_SERVICES || size > DM_SERVICE_NAME_SIZE)
		return -ERANGE;
	if (entry >= unit_service_count(ioc))
		rc = grow(ioc, entry + 1);
	if (rc == 0)
		dm_service_set(ioc->services, entry, name, size, id);
	return rc;
}
