// SPDX-License-Identifier: BSD-2-Clause
/* IB-DM-MIB over an I/O unit: each object's value, which rows there are, and what units that lie show. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/dm/dm_mib_gen.h"
#include "mib/value.h"
#include "tests/logged.h"
#include "tests/mib/agent_fixture.h"
#include "tests/mib/cases.h"
#include "tests/mib/expected.h"
#include "tests/soft/devmgt_fixture.h"
#include "tests/unit.h"

enum { LID = 7, SLOTS = 16, PORT_INFO = 0x15, CAPABILITY = 1U << 19 };

static struct fixture *b;
static struct devmgt_fixture unit;

/* ---- the unit ---- */

static uint8_t claimed; /* ServiceEntries in profiles; 0: the truth */

static bool answer(void *arg, const uint8_t request[MAD_SIZE], uint8_t response[MAD_SIZE])
{
	struct devmgt_fixture *fixture = arg;
	bool is_profile = wire_get16(request + AT_ATTRIBUTE) == DEV_PROFILE;

	if (devmgt_answer(&fixture->devmgt, &fixture->node.arrival, request, response) != VERDICT_ANSWER)
		return false;
	if (claimed && is_profile)
		response[AT_DATA + 54] = claimed;
	return true;
}

static uint8_t *profile(unsigned slot)
{
	return unit_ioc(unit.unit, slot)->profile;
}

static void add_services(unsigned slot, unsigned count)
{
	char name[16];

	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "service %u", i);
		CHECK_EQUAL(unit_set_service(unit_ioc(unit.unit, slot), i, name, strlen(name), 0x100 + i), 0);
	}
}

static void put(unsigned port, enum sma_component component, uint64_t value)
{
	sma_component_set(fake_qp0_data(b->fake, port, PORT_INFO, port), component, value);
}

/* A channel adapter, with controllers in slots 2, with five services, and 16. */
static void begin(void)
{
	devmgt_fixture_open(&unit, 'c', SLOTS);
	devmgt_fixture_add(&unit, 2);
	devmgt_fixture_add(&unit, 16);
	add_services(2, 5);
	b = agent_begin("ca", false);
	fake_qp0_manage(b->fake, answer, &unit);
	put(fake_qp0_port(b->fake), SMA_PortInfo_LID, LID);
	put(fake_qp0_port(b->fake), SMA_PortInfo_IsDeviceManagementSupported, 1);
	agent_pass(b->config.age_ms[SMA_PortInfo]);
}

static void end(void)
{
	agent_end();
	devmgt_fixture_close(&unit);
	claimed = 0;
}

/* Bytes put into an attribute of the unit by hand, at the offsets of IBA 16.3.3. */
static void patch(uint8_t *data, unsigned offset, const char *bytes)
{
	unsigned octet;

	for (; sscanf(bytes, "%2x", &octet) == 1; bytes += 2)
		data[offset++] = (uint8_t)octet;
}

/* ---- values ---- */

static const struct {
	const char *object;
	unsigned offset;
	const char *bytes;
	const char *wanted;
} of_profile[] = {
	{"ibDmControllerGuid", 0, "0123456789abcdef", "x0123456789abcdef"},
	{"ibDmControllerVendorId", 8, "fedcba", "xfedcba"},
	{"ibDmControllerDeviceId", 12, "89abcdef", "x89abcdef"},
	{"ibDmControllerDeviceVersion", 16, "ffee", "65518"},
	{"ibDmControllerSubsystemVendorId", 20, "a1b2c3ff", "xa1b2c3"},
	{"ibDmControllerSubsystemId", 24, "d4e5f607", "xd4e5f607"},
	{"ibDmControllerIoClass", 28, "0100", "x0100"},
	{"ibDmControllerIoSubclass", 30, "609e", "x609e"},
	{"ibDmControllerProtocol", 32, "0108", "x0108"},
	{"ibDmControllerProtocolVersion", 34, "8001", "32769"},
	{"ibDmControllerServiceConnections", 36, "0102", "258"},
	{"ibDmControllerInitiatorsSupported", 38, "0304", "772"},
	{"ibDmControllerSendMessageDepth", 40, "ffff", "65535"},
	{"ibDmControllerRdmaReadDepth", 42, "ff10", "16"},
	{"ibDmControllerSendMessageSize", 44, "ffffffff", "4294967295"},
	{"ibDmControllerRdmaTransferSize", 48, "80000000", "2147483648"},
	{"ibDmControllerOperations", 52, "01", "x80"},
	{"ibDmControllerOperations", 52, "86", "x61"},
	{"ibDmControllerServices", 53, "01", "x80"},
	{"ibDmControllerServices", 53, "fe", "x60"},
	{"ibDmControllerIdString", 64, "00", "x"},
	{"ibDmControllerIdString", 64, "c3bc4100ff", "xc3bc41"},
	{"ibDmControllerIdString", 64, "c3281b5b00", "x3f283f5b"},
};

static void test_profile(void)
{
	char instance[64];

	for (unsigned i = 0; i < UNIT_COUNT(of_profile); i++) {
		begin();
		unit_case("%s, %s", of_profile[i].object, of_profile[i].bytes);
		patch(profile(2), of_profile[i].offset, of_profile[i].bytes);
		snprintf(instance, sizeof(instance), "%s.255.2", of_profile[i].object);
		check_instance(b, instance, of_profile[i].wanted);
		end();
	}
}

/* 64 bytes without a zero; a character of several bytes that is cut off at the end. */
static void test_long_texts(void)
{
	char wanted[2 + 128] = "x";

	begin();
	memset(profile(2) + 64, 'a', 64);
	for (unsigned i = 0; i < 64; i++)
		strcat(wanted, "61");
	check_instance(b, "ibDmControllerIdString.255.2", wanted);
	end();
	begin();
	memset(profile(2) + 64, 'a', 64);
	profile(2)[127] = 0xE2;
	strcpy(wanted + strlen(wanted) - 2, "3f");
	check_instance(b, "ibDmControllerIdString.255.2", wanted);
	end();
	begin();
	unit_set_service(unit_ioc(unit.unit, 2), 1, "0123456789012345678901234567890123456789", 40, 9);
	check_instance(b, "ibDmServiceName.255.2.1",
	               "x30313233343536373839303132333435363738393031323334353637383930313233343536373839");
	end();
}

static void test_unit(void)
{
	begin();
	patch(unit.unit->info, 0, "fffe");
	check_instance(b, "ibDmUnitChangeId.255", "65534");
	check_instance(b, "ibDmUnitMaxControllers.255", "16");
	check_instance(b, "ibDmUnitOptionRom.255", "2");
	check_instance(b, "ibDmUnitDiagDeviceId.255", "1");
	check_instance(b, "ibDmUnitMaxControllers.1", "absent");
	end();
	begin();
	patch(unit.unit->info, 3, "01");
	check_instance(b, "ibDmUnitOptionRom.255", "1");
	check_instance(b, "ibDmUnitDiagDeviceId.255", "2");
	end();
}

static void test_slots(void)
{
	begin();
	patch(unit.unit->info, 4 + 1, "2f");
	check_instance(b, "ibDmSlotState.255.1", "1");
	check_instance(b, "ibDmSlotState.255.2", "2");
	check_instance(b, "ibDmSlotState.255.3", "4");
	check_instance(b, "ibDmSlotState.255.4", "3");
	check_instance(b, "ibDmSlotState.255.16", "2");
	check_instance(b, "ibDmSlotState.255.17", "absent");
	check_instance(b, "ibDmSlotState.255.0", "absent");
	check_instance(b, "ibDmControllerGuid.255.3", "absent");
	end();
}

static const struct {
	const char *object;
	unsigned offset;
	const char *bytes;
	const char *wanted;
} of_agent[] = {
	{"ibDmAgentBaseVersion", 0, "02", "2"},
	{"ibDmAgentClassVersion", 1, "03", "3"},
	{"ibDmAgentCapabilities", 2, "0001", "x80"},
	{"ibDmAgentCapabilities", 2, "fffe", "x60"},
	{"ibDmAgentCapabilityMask2", 4, "ffffffe0", "134217727"},
	{"ibDmAgentRespTimeValue", 4, "0000001e", "30"},
	{"ibDmAgentRedirectGid", 8, "000102030405060708090a0b0c0d0e0f", "x000102030405060708090a0b0c0d0e0f"},
	{"ibDmAgentRedirectTrafficClass", 24, "ab", "171"},
	{"ibDmAgentRedirectServiceLevel", 24, "00f00000", "15"},
	{"ibDmAgentRedirectFlowLabel", 24, "000fffff", "1048575"},
	{"ibDmAgentRedirectLid", 28, "8001", "32769"},
	{"ibDmAgentRedirectPKey", 30, "7fff", "x7fff"},
	{"ibDmAgentRedirectQueuePair", 32, "ff123456", "1193046"},
};

static void test_agent(void)
{
	char instance[64];

	for (unsigned i = 0; i < UNIT_COUNT(of_agent); i++) {
		begin();
		unit_case("%s, %s", of_agent[i].object, of_agent[i].bytes);
		patch(unit.devmgt.endpoints[0].class_port_info, of_agent[i].offset, of_agent[i].bytes);
		snprintf(instance, sizeof(instance), "%s.255", of_agent[i].object);
		check_instance(b, instance, of_agent[i].wanted);
		end();
	}
}

/* What a manager sets. */
static void test_traps_go(void)
{
	uint8_t data[DM_DATA_SIZE] = {0};

	begin();
	patch(data, 40, "fe800000000000000002c90300000001");
	patch(data, 56,
	      "21312345"
	      "0005"
	      "8001"
	      "ab654321"
	      "80010000");
	CHECK_EQUAL(devmgt_fixture_ask(&unit, SET, DEV_CLASS_PORT_INFO, 0, data), 0);
	check_instance(b, "ibDmAgentTrapGid.255", "xfe800000000000000002c90300000001");
	check_instance(b, "ibDmAgentTrapTrafficClass.255", "33");
	check_instance(b, "ibDmAgentTrapServiceLevel.255", "3");
	check_instance(b, "ibDmAgentTrapFlowLabel.255", "74565");
	check_instance(b, "ibDmAgentTrapLid.255", "5");
	check_instance(b, "ibDmAgentTrapPKey.255", "x8001");
	check_instance(b, "ibDmAgentTrapHopLimit.255", "171");
	check_instance(b, "ibDmAgentTrapQueuePair.255", "6636321");
	end();
}

static void test_services(void)
{
	begin();
	check_instance(b, "ibDmServiceName.255.2.0", "x736572766963652030");
	check_instance(b, "ibDmServiceId.255.2.0", "x0000000000000100");
	check_instance(b, "ibDmServiceId.255.2.3", "x0000000000000103");
	check_instance(b, "ibDmServiceId.255.2.4", "x0000000000000104");
	check_instance(b, "ibDmServiceId.255.2.5", "absent");
	check_instance(b, "ibDmServiceId.255.16.0", "absent");
	check_instance(b, "ibDmServiceId.255.1.0", "absent");
	CHECK_EQUAL(fake_qp0_count(b->fake, DEV_SERVICES), 2);
	end();
}

/* ---- tests ---- */

static void test_results(void)
{
	static const struct {
		uint16_t code;
		const char *state;
		const char *vendor;
		const char *whole;
	} cases[] = {
		{0x0000, "1", "0", "0"},     {0x0001, "2", "0", "1"},        {0x0012, "3", "1", "18"},
		{0x0123, "4", "18", "291"},  {0x7FF4, "5", "2047", "32756"}, {0xFFF5, "6", "2047", "65525"},
		{0x800F, "6", "0", "32783"},
	};

	for (unsigned i = 0; i < UNIT_COUNT(cases); i++) {
		begin();
		unit_case("0x%04x", cases[i].code);
		unit_ioc(unit.unit, 16)->diag.code = cases[i].code;
		check_instance(b, "ibDmTestDiagState.255.16", cases[i].state);
		check_instance(b, "ibDmTestVendorCode.255.16", cases[i].vendor);
		check_instance(b, "ibDmTestDiagCode.255.16", cases[i].whole);
		end();
	}
}

static void test_readiness(void)
{
	static const struct {
		uint16_t status;
		const char *readiness;
		const char *shown;
	} cases[] = {
		{0x0000, "1", "0"},           {0x0001, "2", "1"},           {0x8000, "3", "32768"},
		{0x0100, "4", "256"},         {0x8100, "5", "33024"},       {0x0200, "5", "512"},
		{0x0008, "absent", "absent"}, {0x000C, "absent", "absent"},
	};

	for (unsigned i = 0; i < UNIT_COUNT(cases); i++) {
		begin();
		unit_case("0x%04x", cases[i].status);
		fake_qp0_refuse(b->fake, DEV_PREPARE, cases[i].status);
		check_instance(b, "ibDmTestReadiness.255.2", cases[i].readiness);
		check_instance(b, "ibDmTestStatus.255.2", cases[i].shown);
		end();
	}
}

static void test_timeout(void)
{
	begin();
	unit_ioc(unit.unit, 2)->diag.config.timeout_ms = UINT32_MAX;
	check_instance(b, "ibDmTestTimeout.255.2", "4294967295");
	check_instance(b, "ibDmTestTimeout.255.3", "absent");
	end();
}

/* ---- rows ---- */

/* The rows of a column, as "INDEX INDEX". */
static const char *rows_of(const struct mib_object *object)
{
	static char text[4096];
	struct mib_answer found = {.length = object->length};
	size_t end = 0;

	text[0] = '\0';
	memcpy(found.subid, object->subid, object->length * sizeof(*found.subid));
	while (ask_module(b, &dm_mib_module, tree_next, found.subid, found.length, &found) == 0 &&
	       found.object == object && end < sizeof(text) - 64) {
		end += (size_t)sprintf(text + end, "%s", end ? " " : "");
		for (size_t i = object->length; i < found.length; i++)
			end += (size_t)sprintf(text + end, "%s%u", i > object->length ? "." : "",
			                       found.subid[i]);
	}
	return text;
}

static const char *rows(const char *name)
{
	for (unsigned i = 0; i < DM_MIB_OBJECT_COUNT; i++) {
		if (strcmp(dm_mib_objects[i].name, name) == 0)
			return rows_of(&dm_mib_objects[i]);
	}
	return "no such object";
}

static void test_rows(void)
{
	begin();
	CHECK_TEXT(rows("ibDmUnitChangeId"), "255");
	CHECK_TEXT(rows("ibDmAgentTrapLid"), "255");
	CHECK_TEXT(rows("ibDmControllerIdString"), "255.2 255.16");
	CHECK_TEXT(rows("ibDmServiceName"), "255.2.0 255.2.1 255.2.2 255.2.3 255.2.4");
	CHECK_TEXT(rows("ibDmTestStatus"), "255.2 255.16");
	end();
}

static void test_no_capability(void)
{
	begin();
	put(fake_qp0_port(b->fake), SMA_PortInfo_IsDeviceManagementSupported, 0);
	agent_pass(b->config.age_ms[SMA_PortInfo]);
	CHECK_TEXT(rows("ibDmUnitChangeId"), "");
	CHECK_TEXT(rows("ibDmTestStatus"), "");
	CHECK_EQUAL(fake_qp0_count(b->fake, DEV_UNIT_INFO), 0);
	end();
}

static void test_no_slots(void)
{
	begin();
	patch(unit.unit->info, 2, "00");
	CHECK_TEXT(rows("ibDmUnitMaxControllers"), "255");
	CHECK_TEXT(rows("ibDmSlotState"), "");
	CHECK_TEXT(rows("ibDmControllerGuid"), "");
	CHECK_TEXT(rows("ibDmServiceId"), "");
	end();
}

static void test_no_such_slots(void)
{
	begin();
	memset(unit.unit->info + 4, 0xFF, 128);
	check_instance(b, "ibDmSlotState.255.16", "3");
	CHECK_TEXT(rows("ibDmControllerGuid"), "");
	end();
}

/* ---- units that lie or refuse ---- */

static void test_profile_refused(void)
{
	begin();
	fake_qp0_fault_block(b->fake, fake_qp0_port(b->fake), DEV_PROFILE, 2, FAKE_REFUSE, FAKE_FOREVER);
	CHECK_TEXT(rows("ibDmControllerGuid"), "255.16");
	CHECK_TEXT(rows("ibDmTestDiagCode"), "255.16");
	CHECK_TEXT(rows("ibDmSlotState"),
	           "255.1 255.2 255.3 255.4 255.5 255.6 255.7 255.8 255.9 255.10 255.11 "
	           "255.12 255.13 255.14 255.15 255.16");
	end();
}

static void test_services_refused(void)
{
	static const uint16_t statuses[] = {DM_STATUS_NO_SERVICES, MAD_STATUS_INVALID,
	                                    MAD_STATUS_METHOD_ATTRIBUTE};

	for (unsigned i = 0; i < UNIT_COUNT(statuses); i++) {
		begin();
		claimed = 255;
		fake_qp0_refuse(b->fake, DEV_SERVICES, statuses[i]);
		check_instance(b, "ibDmControllerServiceEntries.255.16", "255");
		CHECK_TEXT(rows("ibDmServiceName"), "");
		CHECK_EQUAL(fake_qp0_count(b->fake, DEV_SERVICES), 2 * 64);
		end();
	}
}

/* It counts more services than it gives. */
static void test_services_missing(void)
{
	begin();
	claimed = 9;
	CHECK_TEXT(rows("ibDmServiceName"), "255.2.0 255.2.1 255.2.2 255.2.3");
	end();
}

static void test_agent_refused(void)
{
	begin();
	fake_qp0_refuse(b->fake, DEV_CLASS_PORT_INFO, MAD_STATUS_METHOD_ATTRIBUTE);
	CHECK_TEXT(rows("ibDmAgentTrapLid"), "");
	CHECK_TEXT(rows("ibDmUnitChangeId"), "255");
	end();
}

/* ---- units that answer anything ---- */

static unsigned seed;

/* Random bytes, which are the same for the same request. */
static bool answer_anything(void *arg, const uint8_t request[MAD_SIZE], uint8_t response[MAD_SIZE])
{
	static const uint16_t statuses[] = {DM_STATUS_NO_IOC, DM_STATUS_NO_SERVICES, DM_STATUS_FAILED,
	                                    MAD_STATUS_INVALID, MAD_STATUS_METHOD_ATTRIBUTE};
	unsigned attribute = wire_get16(request + AT_ATTRIBUTE);
	unsigned state = seed * 2654435761U ^ attribute * 40503U ^ wire_get32(request + AT_MODIFIER) * 69069U;

	(void)arg;
	memmove(response, request, AT_DATA);
	response[AT_METHOD] = GET_RESPONSE;
	for (unsigned i = AT_DATA; i < MAD_SIZE; i++) {
		state = state * 1103515245U + 12345U;
		response[i] = (uint8_t)(state >> 16);
	}
	if (attribute == DEV_UNIT_INFO)
		response[AT_DATA + 2] %= SLOTS;
	else if (attribute == DEV_PROFILE && seed % 2)
		response[AT_DATA + 54] %= 8;
	if (attribute != DEV_UNIT_INFO && state >> 24 < 64)
		wire_put16(response + AT_STATUS, statuses[(state >> 16) % UNIT_COUNT(statuses)]);
	return true;
}

static void test_anything(void)
{
	struct mib_answer found;
	struct mib_answer last;
	unsigned rows_found;

	for (seed = 1; seed <= 300; seed++) {
		begin();
		unit_case("seed %u", seed);
		fake_qp0_manage(b->fake, answer_anything, NULL);
		last = (struct mib_answer){0};
		rows_found = 0;
		while (ask_module(b, &dm_mib_module, tree_next, last.subid, last.length, &found) == 0 &&
		       CHECK(compare_oids(found.subid, found.length, last.subid, last.length) > 0)) {
			CHECK(value_is_in_range(found.object, &found.value));
			last = found;
			rows_found++;
		}
		CHECK(rows_found >= 4);
		end();
	}
}

/* ---- one PDU ---- */

static void add(netsnmp_pdu *pdu, const char *name, unsigned slot)
{
	oid subid[MAX_OID_LEN];
	size_t length = dm_mib_module.length;

	for (unsigned i = 0; i < DM_MIB_OBJECT_COUNT; i++) {
		const struct mib_object *object = &dm_mib_objects[i];

		if (strcmp(object->name, name) != 0)
			continue;
		memcpy(subid, dm_mib_module.oid, length * sizeof(*subid));
		for (unsigned s = 0; s < object->length; s++)
			subid[length++] = object->subid[s];
	}
	subid[length++] = MIB_NO_DATA_PORT;
	if (slot)
		subid[length++] = slot;
	snmp_add_null_var(pdu, subid, length);
}

/* ChangeID, which is known, and something of slot 2, which comes after a controller was added elsewhere. */
static void ask_across_a_change(bool both, struct reply *reply)
{
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GET);

	agent_pass(b->config.age_ms[SMA_DM_IOUnitInfo]);
	check_instance(b, "ibDmUnitChangeId.255", "3");
	fake_qp0_delay(b->fake, DEV_DIAG_CODE, 20);
	if (both)
		add(pdu, "ibDmUnitChangeId", 0);
	add(pdu, "ibDmTestDiagCode", 2);
	agent_send_pdu(pdu, reply);
	agent_settle();
	CHECK_EQUAL(reply_error(reply), REPLY_NOT_YET);
	devmgt_fixture_add(&unit, 3);
	agent_pass(100);
}

static void test_one_state_in_a_pdu(void)
{
	struct reply reply;

	begin();
	ask_across_a_change(true, &reply);
	CHECK_EQUAL(reply_error(&reply), SNMP_ERR_GENERR);
	reply_free(&reply);
	check_instance(b, "ibDmUnitChangeId.255", "4");
	check_instance(b, "ibDmTestDiagCode.255.2", "0");
	end();
	begin();
	ask_across_a_change(false, &reply);
	CHECK_EQUAL(reply_error(&reply), SNMP_ERR_NOERROR);
	CHECK_EQUAL(reply_number(&reply, 0), 0);
	reply_free(&reply);
	end();
}

/* What comes first is no change. */
static void test_first_pdu(void)
{
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GET);
	struct reply reply;

	begin();
	add(pdu, "ibDmUnitChangeId", 0);
	add(pdu, "ibDmTestDiagCode", 2);
	add(pdu, "ibDmControllerServiceEntries", 2);
	agent_send_pdu(pdu, &reply);
	agent_pass(100);
	CHECK_EQUAL(reply_error(&reply), SNMP_ERR_NOERROR);
	CHECK_EQUAL(reply_number(&reply, 2), 5);
	reply_free(&reply);
	end();
}

static const struct unit_test tests[] = {
	{"profile", test_profile},
	{"long texts", test_long_texts},
	{"unit", test_unit},
	{"slots", test_slots},
	{"agent", test_agent},
	{"where traps go", test_traps_go},
	{"services", test_services},
	{"results of tests", test_results},
	{"readiness", test_readiness},
	{"time-out", test_timeout},
	{"rows", test_rows},
	{"no capability", test_no_capability},
	{"no slots", test_no_slots},
	{"slots that are none", test_no_such_slots},
	{"profile refused", test_profile_refused},
	{"services refused", test_services_refused},
	{"services missing", test_services_missing},
	{"agent refused", test_agent_refused},
	{"units that answer anything", test_anything},
	{"one state in a PDU", test_one_state_in_a_pdu},
	{"the first PDU", test_first_pdu},
};

int main(void)
{
	return agent_init() < 0 ? EXIT_FAILURE : UNIT_MAIN("dm_mib", tests);
}
