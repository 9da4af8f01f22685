// SPDX-License-Identifier: BSD-2-Clause
/* What the device management agent answers, method by method and attribute by attribute (IBA 16.3). */
#include <stdlib.h>
#include <string.h>

#include "tests/soft/devmgt_fixture.h"
#include "tests/unit.h"

enum {
	SEND = 0x03,
	TRAP = 0x05,
	REPORT = 0x06,
	BAD_VERSION = 0x04,
	METHOD = 0x08,
	UNSUPPORTED = 0x0C,
	INVALID = 0x1C,
	NO_IOC = 0x0100,
	NO_SERVICES = 0x0200,
	FAILED = 0x8000
};

static struct devmgt_fixture fixture;

/* ---- the frame ---- */

/* The answer is the request with other method, status and data. */
static void check_frame(void)
{
	uint8_t wanted[MAD_SIZE];

	memcpy(wanted, fixture.node.request, sizeof(wanted));
	wanted[AT_METHOD] = GET_RESPONSE;
	memcpy(wanted + AT_STATUS, fixture.node.response + AT_STATUS, 2);
	CHECK_OCTETS(fixture.node.response, wanted, AT_DATA);
}

static void test_methods(void)
{
	static const struct {
		uint16_t attribute;
		uint32_t modifier;
		unsigned get, set;
	} cases[] = {
		{DEV_CLASS_PORT_INFO, 0, 0, 0},           {DEV_NOTICE, 0, 0, 0},
		{DEV_NOTICE, 0xFFFFFFFF, 0, 0},           {DEV_UNIT_INFO, 0, 0, UNSUPPORTED},
		{DEV_PROFILE, 1, 0, UNSUPPORTED},         {DEV_SERVICES, 0x00010000, 0, UNSUPPORTED},
		{DEV_TIMEOUT, 1, 0, UNSUPPORTED},         {DEV_PREPARE, 1, FAILED, 0},
		{DEV_TEST_ONCE, 1, UNSUPPORTED, INVALID}, {DEV_TEST_LOOP, 1, UNSUPPORTED, INVALID},
		{DEV_DIAG_CODE, 1, 0, UNSUPPORTED},       {0x0000, 0, UNSUPPORTED, UNSUPPORTED},
		{0x0013, 0, UNSUPPORTED, UNSUPPORTED},    {0x001F, 0, UNSUPPORTED, UNSUPPORTED},
		{0x0025, 0, UNSUPPORTED, UNSUPPORTED},    {0xFEFF, 0, UNSUPPORTED, UNSUPPORTED},
		{0xFF00, 0, UNSUPPORTED, UNSUPPORTED},
	};

	devmgt_fixture_open(&fixture, 's', 1);
	unit_set_service(devmgt_fixture_add(&fixture, 1), 0, "a", 1, 1);
	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		unit_case("attribute %#x", cases[i].attribute);
		CHECK_EQUAL(devmgt_fixture_get(&fixture, cases[i].attribute, cases[i].modifier),
		            cases[i].get);
		check_frame();
		CHECK_EQUAL(devmgt_fixture_set(&fixture, cases[i].attribute, cases[i].modifier, 0),
		            cases[i].set);
		check_frame();
	}
	devmgt_fixture_close(&fixture);
}

static void test_frame(void)
{
	static const struct {
		unsigned at;
		uint8_t value;
		unsigned status;
	} cases[] = {
		{0, 2, ASK_DROPPED},
		{AT_CLASS, 0x04, ASK_DROPPED},
		{AT_CLASS_VERSION, 2, BAD_VERSION},
		{AT_METHOD, SEND, METHOD},
		{AT_METHOD, TRAP, ASK_DROPPED},
		{AT_METHOD, REPORT, ASK_DROPPED},
		{AT_METHOD, TRAP_REPRESS, ASK_DROPPED},
		{AT_METHOD, 0x12, METHOD},
		{AT_METHOD, GET_RESPONSE, ASK_DROPPED},
		{AT_METHOD, 0x82, ASK_DROPPED},
		{AT_METHOD, GET, 0},
	};

	devmgt_fixture_open(&fixture, 'c', 1);
	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		enum verdict verdict;

		unit_case("byte %u is %#x", cases[i].at, cases[i].value);
		devmgt_fixture_request(&fixture, GET, DEV_UNIT_INFO, 0, NULL);
		fixture.node.request[cases[i].at] = cases[i].value;
		verdict = devmgt_fixture_send(&fixture);
		CHECK_EQUAL(verdict == VERDICT_ANSWER, cases[i].status != ASK_DROPPED);
		if (verdict != VERDICT_ANSWER)
			continue;
		CHECK_EQUAL(wire_get16(fixture.node.response + AT_STATUS), cases[i].status);
		check_frame();
	}
	fixture.node.request[AT_METHOD] = TRAP_REPRESS;
	fixture.node.request[AT_CLASS_VERSION] = 2;
	CHECK_EQUAL(devmgt_fixture_send(&fixture), VERDICT_DROP);
	fixture.node.arrival.port = 0;
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_UNIT_INFO, 0), ASK_DROPPED);
	fixture.node.arrival.port = 3;
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_UNIT_INFO, 0), ASK_DROPPED);
	devmgt_fixture_close(&fixture);
}

/* An error is answered with what was sent. */
static void test_refusal(void)
{
	uint8_t data[DM_DATA_SIZE];

	memset(data, 0xA5, sizeof(data));
	devmgt_fixture_open(&fixture, 's', 1);
	CHECK_EQUAL(devmgt_fixture_ask(&fixture, SET, DEV_UNIT_INFO, 0, data), UNSUPPORTED);
	CHECK_OCTETS(devmgt_fixture_data(&fixture), data, DM_DATA_SIZE);
	CHECK_EQUAL(fixture.devmgt.counters.refused, 1);
	CHECK_EQUAL(fixture.devmgt.counters.answered, 0);
	devmgt_fixture_close(&fixture);
}

/* Each slot that there is, and each that is not. */
static void test_slots(void)
{
	static const uint16_t attributes[] = {DEV_PROFILE, DEV_TIMEOUT, DEV_DIAG_CODE};

	devmgt_fixture_open(&fixture, 's', 16);
	devmgt_fixture_add(&fixture, 1);
	devmgt_fixture_add(&fixture, 16);
	for (size_t i = 0; i < UNIT_COUNT(attributes); i++) {
		unit_case("attribute %#x", attributes[i]);
		CHECK_EQUAL(devmgt_fixture_get(&fixture, attributes[i], 0), INVALID);
		CHECK_EQUAL(devmgt_fixture_get(&fixture, attributes[i], 1), 0);
		CHECK_EQUAL(devmgt_fixture_get(&fixture, attributes[i], 2), NO_IOC);
		CHECK_EQUAL(devmgt_fixture_get(&fixture, attributes[i], 16), 0);
		CHECK_EQUAL(devmgt_fixture_get(&fixture, attributes[i], 17), INVALID);
		CHECK_EQUAL(devmgt_fixture_get(&fixture, attributes[i], 0x101), INVALID);
		CHECK_EQUAL(devmgt_fixture_get(&fixture, attributes[i], 0xFFFFFFFF), INVALID);
	}
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_PREPARE, 17, 0), INVALID);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_PREPARE, 2, 0), NO_IOC);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_PREPARE, 2), NO_IOC);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_TEST_ONCE, 2, 1), NO_IOC);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_UNIT_INFO, 1), INVALID);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_CLASS_PORT_INFO, 1), INVALID);
	devmgt_fixture_close(&fixture);
	devmgt_fixture_open(&fixture, 's', 0);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_PROFILE, 1), INVALID);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_UNIT_INFO, 0), 0);
	devmgt_fixture_close(&fixture);
}

/* ---- contents: behind an attribute there are zeros ---- */

static void check_data(const void *wanted, size_t size)
{
	static const uint8_t zeros[DM_DATA_SIZE];

	CHECK_OCTETS(devmgt_fixture_data(&fixture), wanted, size);
	CHECK_OCTETS(devmgt_fixture_data(&fixture) + size, zeros, DM_DATA_SIZE - size);
}

static void test_contents(void)
{
	static const uint8_t class_port_info[72] = {1, 1, 0x00, 0x03, [7] = 16};
	static const uint8_t timeout[4] = {0x01, 0x02, 0x03, 0x04};
	uint8_t unit_info[132] = {0x00, 0x03, 3, 0x02, 0x10, 0x1F};
	uint8_t profile[128];
	struct ioc *ioc;

	memset(unit_info + 6, 0xFF, sizeof(unit_info) - 6);
	for (unsigned i = 0; i < sizeof(profile); i++)
		profile[i] = (uint8_t)rand();
	devmgt_fixture_open(&fixture, 's', 3);
	devmgt_fixture_add(&fixture, 1);
	ioc = devmgt_fixture_add(&fixture, 3);
	memcpy(ioc->profile, profile, sizeof(profile));
	ioc->diag.config.timeout_ms = 0x01020304;
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_CLASS_PORT_INFO, 0), 0);
	check_data(class_port_info, sizeof(class_port_info));
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_UNIT_INFO, 0), 0);
	check_data(unit_info, sizeof(unit_info));
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_PROFILE, 3), 0);
	check_data(profile, sizeof(profile));
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_TIMEOUT, 3), 0);
	check_data(timeout, sizeof(timeout));
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_DIAG_CODE, 3), 0);
	check_data("\0", 2);
	CHECK_EQUAL(fixture.devmgt.counters.answered, 5);
	devmgt_fixture_close(&fixture);
}

static void fill_services(struct ioc *ioc, unsigned count)
{
	char name[DM_SERVICE_NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		memset(name, 'a' + (int)(i % 26), sizeof(name));
		CHECK_EQUAL(unit_set_service(ioc, i, name, i % 41, 1000 + i), 0);
	}
}

static void check_services(unsigned slot, unsigned count, unsigned first, unsigned last)
{
	const struct ioc *ioc = unit_ioc(fixture.unit, slot);
	uint32_t modifier = slot << 16 | last << 8 | first;
	unsigned wanted = count == 0                                          ? NO_SERVICES
	                  : first > last || last - first > 3 || last >= count ? INVALID
	                                                                      : 0;

	unit_case("%u services, %u to %u", count, first, last);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_SERVICES, modifier), wanted);
	if (wanted == 0)
		check_data(ioc->services + (size_t)first * 48, (last - first + 1UL) * 48);
}

static void test_services(void)
{
	static const unsigned counts[] = {0, 1, 4, 5, 255};

	devmgt_fixture_open(&fixture, 's', 255);
	for (unsigned slot = 1; slot <= UNIT_COUNT(counts); slot++) {
		unsigned count = counts[slot - 1];

		fill_services(devmgt_fixture_add(&fixture, slot), count);
		for (unsigned first = 0; first < 256; first += first == 8 ? 240 : 1) {
			for (unsigned last = first ? first - 1 : 0; last < 256 && last < first + 6; last++)
				check_services(slot, count, first, last);
		}
		check_services(slot, count, 0, 255);
		check_services(slot, count, 255, 0);
	}
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_SERVICES, 0x00000300), INVALID);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_SERVICES, 0x01000300), INVALID);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_SERVICES, 0x00FF0000), NO_IOC);
	devmgt_fixture_close(&fixture);
}

static void test_vendor(void)
{
	uint8_t data[DM_DATA_SIZE];

	for (unsigned i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i + 1);
	devmgt_fixture_open(&fixture, 'c', 1);
	fixture.node.state->vendor_range = true;
	CHECK_EQUAL(devmgt_fixture_get(&fixture, 0xFF00, 12345), 0);
	check_data("", 1);
	CHECK_EQUAL(devmgt_fixture_ask(&fixture, SET, 0xFFFF, 0xFFFFFFFF, data), 0);
	check_data(data, sizeof(data));
	CHECK_EQUAL(devmgt_fixture_get(&fixture, 0xFF12, 1), 0);
	check_data(data, sizeof(data));
	CHECK_EQUAL(devmgt_fixture_get(&fixture, 0xFEFF, 0), UNSUPPORTED);
	devmgt_fixture_close(&fixture);
}

/* ---- tests ---- */

static unsigned diag_code_of(unsigned slot)
{
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_DIAG_CODE, slot), 0);
	return wire_get16(devmgt_fixture_data(&fixture));
}

static void test_tests(void)
{
	struct ioc *ioc;

	devmgt_fixture_open(&fixture, 'c', 2);
	ioc = devmgt_fixture_add(&fixture, 2);
	ioc->diag.config.result = 0x0123;
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_TEST_ONCE, 2, 1), FAILED);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_PREPARE, 2, 0xA5A5A5A5), 0);
	check_data("", 1);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_PREPARE, 2), 1);
	fixture.node.arrival.now += 1000;
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_PREPARE, 2), 0);
	check_data("", 1);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_TEST_ONCE, 2, 0), INVALID);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_TEST_LOOP, 2, 1), INVALID);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_TEST_ONCE, 2, 0x01020304), 0);
	check_data("\1\2\3\4", 4);
	CHECK_EQUAL(diag_code_of(2), 1);
	fixture.node.arrival.now += 1000;
	CHECK_EQUAL(diag_code_of(2), 0x0123);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_PREPARE, 2), FAILED);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_PREPARE, 2, 0), 0);
	CHECK_EQUAL(devmgt_ready(&fixture.devmgt, 2, 0), 0);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_TEST_LOOP, 2, 0x80000000), 0);
	fixture.node.arrival.now += 100000;
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_PREPARE, 2), 1);
	CHECK_EQUAL(diag_code_of(2), 0x0123);
	devmgt_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"attributes have their methods", test_methods},
	{"what is a request, and what is not", test_frame},
	{"an error is answered with what was sent", test_refusal},
	{"slots that exist and that do not", test_slots},
	{"attributes have their contents and zeros", test_contents},
	{"service entries by their numbers", test_services},
	{"attributes of vendors are kept where the node has them", test_vendor},
	{"a test from its preparation to its result", test_tests},
};

int main(void)
{
	return UNIT_MAIN("devmgt", tests);
}
