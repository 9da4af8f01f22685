// SPDX-License-Identifier: BSD-2-Clause
/* Node files with an I/O unit, good and bad. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sma/soft/dm/unit.h"
#include "tests/soft/nodefile_fixture.h"
#include "tests/unit.h"

#define UNIT CA "iouSlots 16\n"
#define IOC  UNIT "ioc 2 0x0002c90000000007\n"

/* ---- components of the profile ---- */

static const struct {
	const char *line;
	enum dm_component component;
	uint64_t value;
} profiles[] = {
	{"", DM_IOControllerProfile_GUID, 0x0002C90000000007},
	{"", DM_IOControllerProfile_VendorID, 0x0002C9},
	{"", DM_IOControllerProfile_IOClass, 0xFFFF},
	{"iocProfile 2 VendorID 0xffffff", DM_IOControllerProfile_VendorID, 0xFFFFFF},
	{"iocProfile 2 DeviceID 0xffffffff", DM_IOControllerProfile_DeviceID, 0xFFFFFFFF},
	{"iocProfile 2 DeviceVersion 65535", DM_IOControllerProfile_DeviceVersion, 65535},
	{"iocProfile 2 SubsystemVendorID 1", DM_IOControllerProfile_SubsystemVendorID, 1},
	{"iocProfile 2 SubsystemID 2", DM_IOControllerProfile_SubsystemID, 2},
	{"iocprofile 2 ioclass 0x0100", DM_IOControllerProfile_IOClass, 0x0100},
	{"iocProfile 2 IOSubclass 0x609e", DM_IOControllerProfile_IOSubclass, 0x609E},
	{"iocProfile 2 Protocol 0x0108", DM_IOControllerProfile_Protocol, 0x0108},
	{"iocProfile 2 ProtocolVersion 1", DM_IOControllerProfile_ProtocolVersion, 1},
	{"iocProfile 2 ServiceConnections 3", DM_IOControllerProfile_ServiceConnections, 3},
	{"iocProfile 2 InitiatorsSupported 4", DM_IOControllerProfile_InitiatorsSupported, 4},
	{"iocProfile 2 SendMessageQueueDepth 5", DM_IOControllerProfile_SendMessageQueueDepth, 5},
	{"iocProfile 2 RDMAReadQueueDepth 255", DM_IOControllerProfile_RDMAReadQueueDepth, 255},
	{"iocProfile 2 SendMessageSize 260", DM_IOControllerProfile_SendMessageSize, 260},
	{"iocProfile 2 RDMATransferSize 65536", DM_IOControllerProfile_RDMATransferSize, 65536},
	{"iocProfile 2 ControllerOperationsCapabilityMask 0x3f",
         DM_IOControllerProfile_ControllerOperationsCapabilityMask, 0x3F},
	{"iocProfile 2 ControllerServicesCapabilityMask 7",
         DM_IOControllerProfile_ControllerServicesCapabilityMask, 7},
	{"service 2 0 a 1", DM_IOControllerProfile_ServiceEntries, 1},
	{"service 2 254 a 1", DM_IOControllerProfile_ServiceEntries, 255},
};

static void test_profile(void)
{
	for (size_t i = 0; i < UNIT_COUNT(profiles); i++) {
		struct nodefile_fixture fixture;
		char text[256];
		int size = snprintf(text, sizeof(text), IOC "%s\n", profiles[i].line);

		unit_case("%s", profiles[i].line);
		nodefile_fixture_parse(&fixture, text, (size_t)size);
		CHECK_TEXT(fixture.error, "");
		if (CHECK(fixture.state))
			CHECK_EQUAL(dm_component_get(unit_ioc(fixture.state->unit, 2)->profile,
			                             profiles[i].component),
			            profiles[i].value);
		nodefile_fixture_close(&fixture);
	}
}

/* ---- the unit as a whole ---- */

static const char whole[] =
	IOC "optionRom yes\n"
	    "ioc 16 0x0000010000000001\n"
	    "iocProfile 2 IDString \"" LETTERS "f\"\n"
	    "iocProfile 16 IDString \"R\xC3\xA4"
	    "d 5\"\n"
	    "service 2 1 \"SRP.T10:0123456789ABCDEF 0123456789abcde\" 0xfedcba9876543210\n"
	    "diagTimeout 2 4294967295\n"
	    "iocDiag 2 0x8014 100 50\n"
	    "iocDiag 16 65535 0\n";

static void check_second(const struct ioc *ioc)
{
	static const uint8_t zeros[DM_SERVICE_SIZE];

	CHECK_OCTETS(ioc->profile + 64, LETTERS "f", 64);
	CHECK_EQUAL(unit_service_count(ioc), 2);
	CHECK_OCTETS(ioc->services, zeros, DM_SERVICE_SIZE);
	CHECK_OCTETS(ioc->services + 48, "SRP.T10:0123456789ABCDEF 0123456789abcde", 40);
	CHECK_OCTETS(ioc->services + 88, "\xFE\xDC\xBA\x98\x76\x54\x32\x10", 8);
	CHECK_EQUAL(ioc->diag.config.timeout_ms, 4294967295);
	CHECK_EQUAL(ioc->diag.config.result, 0x8014);
	CHECK_EQUAL(ioc->diag.config.prepare_ms, 100);
	CHECK_EQUAL(ioc->diag.config.test_ms, 50);
}

static void test_whole(void)
{
	static const uint8_t info[UNIT_INFO_SIZE] = {0x00, 0x01, 16, 0x03, 0x01, [11] = 0x01};
	struct nodefile_fixture fixture;
	const struct ioc *last;

	nodefile_fixture_parse(&fixture, whole, strlen(whole));
	CHECK_TEXT(fixture.error, "");
	if (!fixture.state)
		return;
	CHECK_OCTETS(fixture.state->unit->info, info, 12);
	check_second(unit_ioc(fixture.state->unit, 2));
	last = unit_ioc(fixture.state->unit, 16);
	CHECK_OCTETS(last->profile + 64,
	             "R\xC3\xA4"
	             "d 5\0",
	             8);
	CHECK_EQUAL(last->diag.config.prepare_ms, 0);
	CHECK_EQUAL(last->diag.config.test_ms, DIAG_DEFAULT_MS);
	CHECK_EQUAL(last->diag.config.timeout_ms, DIAG_DEFAULT_TIMEOUT_MS);
	nodefile_fixture_close(&fixture);
}

/* IsDeviceManagementSupported is there with the unit, and not without. */
static void test_capability(void)
{
	static const struct {
		const char *text;
		unsigned port, bit;
	} cases[] = {
		{CA, 1, 0},
		{CA "iouSlots 0", 1, 1},
		{UNIT, 1, 1},
		{UNIT, 2, 1},
		{SWITCH "iouSlots 1", 0, 1},
		{SWITCH "iouSlots 1", 1, 0},
		{CA "portInfo all CapabilityMask 0xffffffff", 1, 0},
		{UNIT "portInfo all CapabilityMask 0", 2, 1},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct nodefile_fixture fixture;

		unit_case("case %zu", i);
		nodefile_fixture_parse(&fixture, cases[i].text, strlen(cases[i].text));
		CHECK_TEXT(fixture.error, "");
		if (fixture.state)
			CHECK_EQUAL(state_get(fixture.state, cases[i].port,
			                      SMA_PortInfo_IsDeviceManagementSupported),
			            cases[i].bit);
		nodefile_fixture_close(&fixture);
	}
}

/* ---- mistakes ---- */

#define NEEDS_IOC "expected a slot with a controller, which a line ioc before puts there"

static const struct {
	const char *text;
	const char *error;
} mistakes[] = {
	{CA "iouSlots 256", "f: line 4: iouSlots 256: expected a number of slots, 0 to 255"},
	{UNIT "iouSlots 2", "f: line 5: iouSlots: expected once only, and it stands in line 4"},
	{CA "optionRom yes", "f: line 4: optionRom: expected only with iouSlots"},
	{CA "ioc 1 1", "f: line 4: ioc: expected only with iouSlots"},
	{CA "iouSlots 0\nioc 1 1", "f: line 5: ioc 1: expected a slot, but there are none"},
	{UNIT "ioc 0 1", "f: line 5: ioc 0: expected a slot, 1 to 16"},
	{UNIT "ioc 17 1", "f: line 5: ioc 17: expected a slot, 1 to 16"},
	{UNIT "ioc 1 0", "f: line 5: ioc 0: expected a GUID, 1 to 18446744073709551615"},
	{IOC "ioc 2 1", "f: line 6: ioc 2: expected a slot without a controller"},
	{IOC "iocProfile 1 Protocol 1", "f: line 6: iocProfile 1: " NEEDS_IOC},
	{IOC "service 1 0 a 1", "f: line 6: service 1: " NEEDS_IOC},
	{IOC "diagTimeout 1 1", "f: line 6: diagTimeout 1: " NEEDS_IOC},
	{IOC "iocDiag 1 1", "f: line 6: iocDiag 1: " NEEDS_IOC},
	{IOC "iocProfile 2 Protocoll 1",
         "f: line 6: iocProfile Protocoll: expected a component of IOControllerProfile; the nearest is "
         "Protocol"},
	{IOC "iocProfile 2 IOSubClas 1",
         "f: line 6: iocProfile IOSubClas: expected a component of IOControllerProfile; the nearest is "
         "IOSubclass"},
	{IOC "iocProfile 2 GUID 1",
         "f: line 6: iocProfile GUID: expected a component that is not set by ioc"},
	{IOC "iocProfile 2 ServiceEntries 1",
         "f: line 6: iocProfile ServiceEntries: expected a component that is not set by service"},
	{IOC "iocProfile 2 RDMAReadQueueDepth 256", "f: line 6: iocProfile 256: expected a value, 0 to 255"},
	{IOC "iocProfile 2 VendorID 0x1000000",
         "f: line 6: iocProfile 0x1000000: expected a value, 0x0 to 0xFFFFFF"},
	{IOC "iocProfile 2 IDString \"" LETTERS "fg\"",
         "f: line 6: iocProfile 0123456789abcdef0123456789abcdef0123456789ab...: expected UTF-8 text, 0 to "
         "64 bytes"},
	{IOC "iocProfile 2 IDString \xC3", "f: line 6: iocProfile ?: expected UTF-8 text, 0 to 64 bytes"},
	{IOC "service 2 255 a 1", "f: line 6: service 255: expected an entry, 0 to 254"},
	{IOC "service 2 0 12345678901234567890123456789012345678901 1",
         "f: line 6: service 12345678901234567890123456789012345678901: expected UTF-8 text, 0 to 40 "
         "bytes"},
	{IOC "service 2 0 a x", "f: line 6: service x: expected a ServiceID, 0 to 18446744073709551615"},
	{IOC "service 2 0 a", "f: line 6: service: expected service SLOT ENTRY NAME ID"},
	{IOC "diagTimeout 2 4294967296",
         "f: line 6: diagTimeout 4294967296: expected a time in milliseconds, 0 to 4294967295"},
	{IOC "iocDiag 2 65536", "f: line 6: iocDiag 65536: expected a DiagCode, 0 to 65535"},
	{IOC "iocDiag 2 0 0 0", "f: line 6: iocDiag 0: expected a time in milliseconds, 1 to 4294967295"},
	{CA "capability all IsDeviceManagementSupported on",
         "f: line 4: capability IsDeviceManagementSupported: expected a component that is not set by "
         "iouSlots"},
};

static void test_mistakes(void)
{
	for (size_t i = 0; i < UNIT_COUNT(mistakes); i++) {
		struct nodefile_fixture fixture;

		unit_case("case %zu, %s", i, nodefile_fixture_case(mistakes[i].text));
		CHECK_EQUAL(nodefile_fixture_parse(&fixture, mistakes[i].text, strlen(mistakes[i].text)),
		            -EINVAL);
		CHECK(!fixture.state);
		CHECK_TEXT(fixture.error, mistakes[i].error);
		nodefile_fixture_close(&fixture);
	}
}

static const struct unit_test tests[] = {
	{"components of a profile", test_profile},
	{"a unit with controllers and services", test_whole},
	{"the capability follows from the unit", test_capability},
	{"mistakes", test_mistakes},
};

int main(void)
{
	return UNIT_MAIN("nodefile_unit", tests);
}
