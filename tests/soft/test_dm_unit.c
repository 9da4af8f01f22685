// SPDX-License-Identifier: BSD-2-Clause
/* The I/O unit: slots, controllers and their services. */
#include <errno.h>
#include <string.h>

#include "sma/soft/dm/unit.h"
#include "tests/unit.h"

static unsigned change_id(const struct unit *unit)
{
	return (unsigned)dm_component_get(unit->info, DM_IOUnitInfo_ChangeID);
}

static void test_new(void)
{
	static const unsigned sizes[] = {0, 1, 16, 255};

	for (size_t i = 0; i < UNIT_COUNT(sizes); i++) {
		struct unit *unit = unit_new(sizes[i]);

		unit_case("%u slots", sizes[i]);
		CHECK_EQUAL(change_id(unit), 1);
		CHECK_EQUAL(unit_slots(unit), sizes[i]);
		CHECK_EQUAL(unit->info[2], sizes[i]);
		CHECK_EQUAL(unit->info[3], 2);
		for (unsigned slot = 1; slot <= DM_LIST_SLOTS; slot++)
			CHECK_EQUAL(dm_slot_get(unit->info, slot),
			            slot <= sizes[i] ? DM_SLOT_EMPTY : DM_SLOT_NONE);
		CHECK(unit_ioc(unit, 1) == NULL);
		CHECK_EQUAL(unit_add(unit, sizes[i] + 1, 1), -ERANGE);
		CHECK_EQUAL(unit_add(unit, 0, 1), -ERANGE);
		CHECK_EQUAL(change_id(unit), 1);
		unit_free(unit);
	}
	unit_free(NULL);
}

/* A new controller says who made it, and that no class of IBA describes it. */
static void test_add(void)
{
	static const uint8_t profile[UNIT_PROFILE_SIZE] = {0x00, 0x02, 0xC9, 0x12, 0x34,        0x56, 0x78,
	                                                   0x9A, 0x00, 0x02, 0xC9, [28] = 0xFF, 0xFF};
	struct unit *unit = unit_new(255);

	CHECK_EQUAL(unit_add(unit, 255, 0x0002C9123456789A), 0);
	CHECK_EQUAL(change_id(unit), 2);
	CHECK_EQUAL(dm_slot_get(unit->info, 255), DM_SLOT_PRESENT);
	CHECK_OCTETS(unit_ioc(unit, 255)->profile, profile, UNIT_PROFILE_SIZE);
	CHECK_EQUAL(unit_service_count(unit_ioc(unit, 255)), 0);
	CHECK_EQUAL(unit_add(unit, 255, 1), -EEXIST);
	CHECK_EQUAL(unit_put_back(unit, 255), -EEXIST);
	CHECK_EQUAL(change_id(unit), 2);
	unit_free(unit);
}

static void test_remove(void)
{
	struct unit *unit = unit_new(3);

	unit_add(unit, 2, 5);
	CHECK_EQUAL(unit_remove(unit, 4), -ERANGE);
	CHECK_EQUAL(unit_remove(unit, 0), -ERANGE);
	CHECK_EQUAL(unit_remove(unit, 1), -ENOENT);
	CHECK_EQUAL(unit_put_back(unit, 1), -ENOENT);
	CHECK_EQUAL(unit_put_back(unit, 4), -ERANGE);
	diag_prepare(&unit_ioc(unit, 2)->diag, 0);
	CHECK_EQUAL(unit_remove(unit, 2), 0);
	CHECK_EQUAL(change_id(unit), 3);
	CHECK_EQUAL(dm_slot_get(unit->info, 2), DM_SLOT_EMPTY);
	CHECK(unit_ioc(unit, 2) == NULL);
	CHECK_EQUAL(unit_remove(unit, 2), -ENOENT);
	CHECK_EQUAL(unit_put_back(unit, 2), 0);
	CHECK_EQUAL(change_id(unit), 4);
	CHECK_EQUAL(dm_component_get(unit_ioc(unit, 2)->profile, DM_IOControllerProfile_GUID), 5);
	CHECK_EQUAL(unit_ioc(unit, 2)->diag.state, DIAG_IDLE);
	CHECK_EQUAL(unit_remove(unit, 2), 0);
	CHECK_EQUAL(unit_add(unit, 2, 6), 0);
	CHECK_EQUAL(dm_component_get(unit_ioc(unit, 2)->profile, DM_IOControllerProfile_GUID), 6);
	unit_free(unit);
}

/* ChangeID has 16 bits. */
static void test_change_id(void)
{
	struct unit *unit = unit_new(1);

	unit_add(unit, 1, 1);
	for (unsigned change = 3; change <= 0x10000; change++)
		CHECK_EQUAL(change % 2 ? unit_remove(unit, 1) : unit_put_back(unit, 1), 0);
	CHECK_EQUAL(change_id(unit), 0);
	CHECK_EQUAL(unit_slots(unit), 1);
	CHECK_EQUAL(unit_remove(unit, 1), 0);
	CHECK_EQUAL(change_id(unit), 1);
	unit_free(unit);
}

static void test_services(void)
{
	static const char name[] = "0123456789012345678901234567890123456789";
	static const uint8_t id[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	uint8_t wanted[DM_SERVICE_SIZE] = {0};
	struct unit *unit = unit_new(1);
	struct ioc *ioc;

	unit_add(unit, 1, 1);
	ioc = unit_ioc(unit, 1);
	CHECK_EQUAL(unit_set_service(ioc, 2, name, 40, 0x0102030405060708), 0);
	CHECK_EQUAL(unit_service_count(ioc), 3);
	CHECK_OCTETS(unit_services(ioc, 0), wanted, DM_SERVICE_SIZE);
	CHECK_OCTETS(unit_services(ioc, 1), wanted, DM_SERVICE_SIZE);
	memcpy(wanted, name, sizeof(name) - 1);
	memcpy(wanted + 40, id, sizeof(id));
	CHECK_OCTETS(unit_services(ioc, 2), wanted, DM_SERVICE_SIZE);
	CHECK_EQUAL(unit_set_service(ioc, 254, "z", 1, 9), 0);
	CHECK_EQUAL(unit_service_count(ioc), 255);
	CHECK_OCTETS(unit_services(ioc, 2), wanted, DM_SERVICE_SIZE);
	CHECK_EQUAL(unit_set_service(ioc, 255, "z", 1, 9), -ERANGE);
	CHECK_EQUAL(unit_set_service(ioc, 0, name, 41, 9), -ERANGE);
	CHECK_EQUAL(unit_set_service(ioc, 0, "a", 1, 9), 0);
	CHECK_EQUAL(unit_service_count(ioc), 255);
	CHECK_EQUAL(unit_services(ioc, 0)[0], 'a');
	unit_free(unit);
}

static const struct unit_test tests[] = {
	{"a new unit has its slots, all empty", test_new},
	{"a controller is put into a slot", test_add},
	{"a controller is taken out and put back", test_remove},
	{"each change counts, with 16 bits", test_change_id},
	{"services", test_services},
};

int main(void)
{
	return UNIT_MAIN("dm_unit", tests);
}
