// SPDX-License-Identifier: BSD-2-Clause
/* Setters of values, and the getters that read one component, with objects made for them. */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "mib/encode.h"
#include "mib/value.h"
#include "tests/node/node_fixture.h"
#include "tests/unit.h"

static void test_numbers(void)
{
	struct mib_value v;

	value_number(&v, UINT32_MAX);
	CHECK_EQUAL(v.number, UINT32_MAX);
	value_truth(&v, true);
	CHECK_EQUAL(v.number, 1);
	value_truth(&v, false);
	CHECK_EQUAL(v.number, 2);
}

/* 64 bits, as Net-SNMP takes them: a Counter64 in two halves. */
static void test_encoding(void)
{
	const struct mib_object counter = {.type = ASN_COUNTER64, .high = UINT64_MAX};
	const struct mib_object gauge = {.type = ASN_GAUGE, .high = UINT32_MAX};
	const struct mib_object text = {.type = ASN_OCTET_STR, .high = MIB_MAX_OCTETS};
	union encode_room room;
	struct mib_value v;
	size_t size;

	value_number(&v, 0x0123456789ABCDEF);
	CHECK(encode_value(&counter, &v, &room, &size) == &room.counter64);
	CHECK_EQUAL(size, sizeof(struct counter64));
	CHECK_EQUAL(room.counter64.high, 0x01234567);
	CHECK_EQUAL(room.counter64.low, 0x89ABCDEF);
	CHECK(value_is_in_range(&counter, &v));
	CHECK(!value_is_in_range(&gauge, &v));
	value_number(&v, UINT32_MAX);
	CHECK(value_is_in_range(&gauge, &v));
	CHECK(encode_value(&gauge, &v, &room, &size) == &room.number);
	CHECK_EQUAL(size, sizeof(long));
	CHECK_EQUAL(room.number, UINT32_MAX);
	value_octets(&v, "abc", 3);
	CHECK(encode_value(&text, &v, &room, &size) == v.octets);
	CHECK_EQUAL(size, 3);
}

static void test_octets(void)
{
	uint8_t octets[MIB_MAX_OCTETS + 1];
	struct mib_value v;

	memset(octets, 0xA5, sizeof(octets));
	memset(&v, 0, sizeof(v));
	value_octets(&v, octets, MIB_MAX_OCTETS);
	CHECK_EQUAL(v.length, MIB_MAX_OCTETS);
	CHECK_OCTETS(v.octets, octets, MIB_MAX_OCTETS);
	value_zeros(&v, MIB_MAX_OCTETS - 1);
	CHECK_EQUAL(v.length, MIB_MAX_OCTETS - 1);
	for (unsigned i = 0; i < MIB_MAX_OCTETS; i++)
		CHECK_EQUAL(v.octets[i], i < MIB_MAX_OCTETS - 1 ? 0 : 0xA5);
	value_octets(&v, "", 0);
	CHECK_EQUAL(v.length, 0);
}

static void test_big_endian(void)
{
	static const uint8_t wanted[] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF};

	for (size_t length = 1; length <= 8; length++) {
		struct mib_value v;

		unit_case("%zu octets", length);
		value_big_endian(&v, 0x0123456789ABCDEF, length);
		CHECK_EQUAL(v.length, length);
		CHECK_OCTETS(v.octets, wanted + 8 - length, length);
	}
}

/* ---- getters ---- */

typedef int getter_fn(const struct mib_cell *cell, struct mib_value *value);

static const struct mib_name names[] = {{3, 30}, {0, 40}, {0, 0}};

/* A getter over SwitchInfo.LinearFDBTop, for an object with this range. */
struct getter {
	const char *name;
	getter_fn *get;
	uint32_t raw;
	uint32_t high;
	bool expose;
	uint32_t number;
	const char *octets; /* instead of a number */
};

static const struct getter getters[] = {
	{"number", map_number, 65535, 10, false, 65535, NULL},
	{"clamped", map_clamped, 11, 10, false, 10, NULL},
	{"clamped", map_clamped, 10, 10, false, 10, NULL},
	{"clamped", map_clamped, 9, 10, false, 9, NULL},
	{"zero over", map_zero_over, 11, 10, false, 0, NULL},
	{"zero over", map_zero_over, 10, 10, false, 10, NULL},
	{"truth", map_truth, 0, 2, false, 2, NULL},
	{"truth", map_truth, 1, 2, false, 1, NULL},
	{"truth", map_truth, 0x8000, 2, false, 1, NULL},
	{"named", map_named, 3, 99, false, 30, NULL},
	{"named 0", map_named, 0, 99, false, 40, NULL},
	{"other", map_named, 4, 99, false, 77, NULL},
	{"octets", map_octets, 0x1234, 2, false, 0, "\x12\x34"},
	{"wide octets", map_octets, 0x1234, 4, false, 0, "\0\0\x12\x34"},
	{"hidden key", map_key, 0x1234, 4, false, 0, "\0\0\0\0"},
	{"exposed key", map_key, 0x1234, 4, true, 0, "\0\0\x12\x34"},
};

static int run_getter(struct fixture *b, const struct getter *g, struct mib_value *value)
{
	const struct mib_map map = {
		.get.of_node = g->get, .component = SMA_SwitchInfo_LinearFDBTop, .names = names, .other = 77};
	const struct mib_object object = {.high = g->high, .map = &map};
	struct sma_reader reader = fixture_reader(b, SMA_FRESH, 1);
	const struct mib_cell cell = {.reader = &reader, .object = &object, .expose_keys = g->expose};

	return g->get(&cell, value);
}

static void check_getter(const struct getter *g, unsigned port)
{
	struct mib_value value = {.number = 12345};
	struct fixture b;

	fixture_init(&b, NULL);
	sma_component_set(fake_qp0_data(b.fake, port, UMAD_SM_ATTR_SWITCH_INFO, 0),
	                  SMA_SwitchInfo_LinearFDBTop, g->raw);
	fixture_open(&b);
	unit_case("%s of %u, port %u", g->name, g->raw, port);
	if (port == 0) {
		CHECK_EQUAL(run_getter(&b, g, &value), -EAGAIN);
		fixture_settle(&b);
		CHECK_EQUAL(run_getter(&b, g, &value), 0);
		if (g->octets)
			CHECK(value.length == g->high && memcmp(value.octets, g->octets, g->high) == 0);
		else
			CHECK_EQUAL(value.number, g->number);
	} else {
		/* a CA has no SwitchInfo, whatever its SMA would say */
		CHECK_EQUAL(run_getter(&b, g, &value), -ENOENT);
	}
	fixture_close(&b);
}

static void test_getters(void)
{
	for (size_t i = 0; i < UNIT_COUNT(getters); i++) {
		check_getter(&getters[i], 0);
		check_getter(&getters[i], 1);
	}
}

static void test_port(void)
{
	CHECK_EQUAL(map_port(MIB_NO_DATA_PORT), 0);
	CHECK_EQUAL(map_port(254), 254);
	CHECK_EQUAL(map_port(1), 1);
}

static const struct unit_test tests[] = {
	{"64 bits", test_encoding},
	{"numbers", test_numbers},
	{"octets", test_octets},
	{"big-endian octets", test_big_endian},
	{"getters of one component", test_getters},
	{"the port that is no data port", test_port},
};

int main(void)
{
	return UNIT_MAIN("value", tests);
}
