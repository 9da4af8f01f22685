// SPDX-License-Identifier: BSD-2-Clause
/* Commands of the console about the I/O unit. */
#include <errno.h>
#include <string.h>

#include "sma/soft/dm/devmgt.h"
#include "tests/soft/command_fixture.h"
#include "tests/unit.h"

/* A CA with a unit of 16 slots and a controller in slot 2, or any node without one. */
struct unit_fixture {
	struct command_fixture command;
	struct devmgt devmgt;
};

static void begin(struct unit_fixture *fixture)
{
	struct unit *unit = unit_new(16);

	command_fixture_open(&fixture->command, CA);
	CHECK_EQUAL(unit_add(unit, 2, 0x0002C90000000002), 0);
	state_set_unit(fixture->command.state, unit);
	CHECK_EQUAL(devmgt_init(&fixture->devmgt, fixture->command.state, unit), 0);
	fixture->command.responder.devmgt = &fixture->devmgt;
}

static void end(struct unit_fixture *fixture)
{
	devmgt_finish(&fixture->devmgt);
	command_fixture_close(&fixture->command);
}

static void check(struct unit_fixture *fixture, const char *line, const char *reply)
{
	unit_case("%s", line);
	command_fixture_run(&fixture->command, line);
	CHECK_TEXT(fixture->command.reply, reply);
	unit_case(NULL);
}

static unsigned change_id(const struct unit_fixture *fixture)
{
	return (unsigned)dm_component_get(fixture->command.state->unit->info, DM_IOUnitInfo_ChangeID);
}

static void test_ioc(void)
{
	struct unit_fixture fixture;
	const struct unit *unit;

	begin(&fixture);
	unit = fixture.command.state->unit;
	check(&fixture, "ioc 2 remove", "ok\n");
	CHECK(unit_ioc(unit, 2) == NULL);
	CHECK_EQUAL(change_id(&fixture), 3);
	check(&fixture, "ioc 2 remove", "error: ioc 2: expected a slot with a controller\n");
	check(&fixture, "ioc 2 add", "ok\n");
	CHECK_EQUAL(change_id(&fixture), 4);
	CHECK_EQUAL(dm_component_get(unit_ioc(unit, 2)->profile, DM_IOControllerProfile_GUID),
	            0x0002C90000000002);
	check(&fixture, "IOC 2 ADD 5", "error: IOC 2: expected an empty slot\n");
	check(&fixture, "ioc 2 add", "error: ioc 2: expected an empty slot\n");
	check(&fixture, "ioc 16 add 0x0000010000000010", "ok\n");
	CHECK_EQUAL(dm_component_get(unit_ioc(unit, 16)->profile, DM_IOControllerProfile_VendorID), 1);
	CHECK_EQUAL(change_id(&fixture), 5);
	check(&fixture, "ioc 1 add", "error: ioc 1: expected a GUID, as there never was a controller\n");
	check(&fixture, "ioc 17 add 1", "error: ioc 17: expected a slot, 1 to 16\n");
	check(&fixture, "ioc 0 remove", "error: ioc 0: expected a slot, 1 to 16\n");
	check(&fixture, "ioc 1 plug", "error: ioc plug: expected add or remove\n");
	check(&fixture, "ioc 1 add 0", "error: ioc 0: expected a GUID, 1 to 18446744073709551615\n");
	check(&fixture, "ioc 2 remove 1", "error: ioc 1: expected nothing behind remove\n");
	check(&fixture, "ioc 2", "error: ioc: expected ioc SLOT add|remove [GUID]\n");
	CHECK_EQUAL(change_id(&fixture), 5);
	end(&fixture);
}

static void test_ready(void)
{
	struct unit_fixture fixture;
	struct diag *diag;

	begin(&fixture);
	diag = &unit_ioc(fixture.command.state->unit, 2)->diag;
	check(&fixture, "ready 2 0", "error: ready 2: expected a controller that prepares for a test\n");
	check(&fixture, "ready 1 0", "error: ready 1: expected a slot with a controller\n");
	CHECK_EQUAL(diag_prepare(diag, 1000), 0);
	check(&fixture, "ready 2 1", "error: ready 1: expected 0, or how the preparation failed\n");
	check(&fixture, "ready 2 65536", "error: ready 65536: expected a status, 0 to 65535\n");
	check(&fixture, "ready 2 0x8000", "ok\n");
	CHECK_EQUAL(diag_readiness(diag), 0x8000);
	CHECK_EQUAL(diag_prepare(diag, 1000), 0);
	check(&fixture, "ready 2 0", "ok\n");
	CHECK_EQUAL(diag_readiness(diag), 0);
	check(&fixture, "ready 2", "error: ready: expected ready SLOT STATUS\n");
	end(&fixture);
}

static void test_show(void)
{
	struct unit_fixture fixture;
	struct ioc *ioc;

	begin(&fixture);
	ioc = unit_ioc(fixture.command.state->unit, 2);
	dm_component_put(ioc->profile, DM_IOControllerProfile_IDString, "a\nb", 3);
	CHECK_EQUAL(unit_set_service(ioc, 1, "SRP\x1B", 4, 0x1234), 0);
	wire_put16(fixture.devmgt.endpoints[1].class_port_info + 60, 9);
	CHECK_EQUAL(diag_prepare(&ioc->diag, 1000), 0);
	check(&fixture, "show unit",
	      "I/O unit, slots: 16, ChangeID 2, option ROM: no\n"
	      "port 1: TrapLID 0, traps that wait for TrapRepress: 0, Notices: 0\n"
	      "port 2: TrapLID 9, traps that wait for TrapRepress: 0, Notices: 0\n"
	      "slot 2: GUID 0x0002c90000000002 \"a?b\", preparing, DiagCode 0x0000\n"
	      "slot 2: service 0 \"\" 0x0000000000000000\n"
	      "slot 2: service 1 \"SRP?\" 0x0000000000001234\n"
	      "ok\n");
	end(&fixture);
}

/* Two lines for each slot are more than a reply has room for, and not for this. */
static void test_many(void)
{
	struct unit_fixture fixture;

	begin(&fixture);
	for (unsigned entry = 0; entry < DM_MAX_SERVICES; entry++)
		CHECK_EQUAL(unit_set_service(unit_ioc(fixture.command.state->unit, 2), entry,
		                             "0123456789012345678901234567890123456789", 40, entry),
		            0);
	CHECK_EQUAL(command_fixture_run(&fixture.command, "show unit"), 0);
	CHECK(strstr(fixture.command.reply, "service 254 \"0123456789012345678901234567890123456789\"") !=
	      NULL);
	end(&fixture);
}

static void test_no_unit(void)
{
	static const struct {
		const char *line;
		const char *reply;
	} cases[] = {
		{"ioc 1 add 1", "error: ioc: expected only with iouSlots\n"},
		{"ready 1 0", "error: ready: expected only with iouSlots\n"},
		{"show unit", "error: show unit: expected only with iouSlots\n"},
		{"capability 1 isdevicemanagementsupported on",
	         "error: capability isdevicemanagementsupported: expected a component that is not set by "
	         "iouSlots\n"},
	};
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		unit_case("%s", cases[i].line);
		command_fixture_run(&fixture, cases[i].line);
		CHECK_TEXT(fixture.reply, cases[i].reply);
	}
	command_fixture_close(&fixture);
}

static void test_no_slots(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	state_set_unit(fixture.state, unit_new(0));
	command_fixture_run(&fixture, "ioc 1 remove");
	CHECK_TEXT(fixture.reply, "error: ioc 1: expected a slot, but there are none\n");
	command_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"controllers come and go", test_ioc},
	{"a controller gets ready", test_ready},
	{"the unit is shown, but for control characters", test_show},
	{"a unit with many services is shown", test_many},
	{"nodes without a unit", test_no_unit},
	{"a unit without slots", test_no_slots},
};

int main(void)
{
	return UNIT_MAIN("command_unit", tests);
}
