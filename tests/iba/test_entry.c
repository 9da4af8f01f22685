// SPDX-License-Identifier: BSD-2-Clause
/* Entries of the table attributes, against blocks written by hand. */
#include <string.h>

#include "sma/node/node.h"
#include "tests/unit.h"

static void test_guid(void)
{
	uint8_t block[SMA_BLOCK_SIZE] = {0};

	for (unsigned i = 0; i < SMA_GUIDS_PER_BLOCK; i++) {
		block[8 * i] = 0x80;
		block[8 * i + 7] = (uint8_t)i;
	}
	for (unsigned i = 0; i < SMA_GUIDS_PER_BLOCK; i++)
		CHECK_EQUAL(sma_guid_entry(block, i), 0x8000000000000000 + i);
}

/* From field reports: FFFF 0123 8001 7FFF. */
static void test_pkey(void)
{
	const uint8_t block[SMA_BLOCK_SIZE] = {0xFF, 0xFF, 0x01, 0x23,        0x80,
	                                       0x01, 0x7F, 0xFF, [62] = 0x12, 0x34};

	CHECK_EQUAL(sma_pkey_entry(block, 0), 0xFFFF);
	CHECK_EQUAL(sma_pkey_entry(block, 1), 0x0123);
	CHECK_EQUAL(sma_pkey_entry(block, 2), 0x8001);
	CHECK_EQUAL(sma_pkey_entry(block, 3), 0x7FFF);
	CHECK_EQUAL(sma_pkey_entry(block, 4), 0);
	CHECK_EQUAL(sma_pkey_entry(block, 31), 0x1234);
}

/* In 1, out 2 of a switch: 0123 4567 89ab cde7. */
static void test_sl2vl(void)
{
	const uint8_t block[SMA_BLOCK_SIZE] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xE7};

	for (unsigned sl = 0; sl < 15; sl++)
		CHECK_EQUAL(sma_sl2vl_entry(block, sl), sl);
	CHECK_EQUAL(sma_sl2vl_entry(block, 15), 7);
}

/* Low priority list of port 1: VL 0..7, weights 0,4,4,4,4,4,4,4. */
static void test_vlarb(void)
{
	uint8_t block[SMA_BLOCK_SIZE] = {0x00, 0x00, 0x01, 0x04, 0x02, 0x04, 0x03, 0x04,        0x04,
	                                 0x04, 0x05, 0x04, 0x06, 0x04, 0x07, 0x04, [62] = 0xFE, 0xFF};

	for (unsigned i = 0; i < 8; i++) {
		CHECK_EQUAL(sma_vlarb_entry(block, i).vl, i);
		CHECK_EQUAL(sma_vlarb_entry(block, i).weight, i ? 4 : 0);
	}
	/* the upper half of a VL's byte is reserved */
	CHECK_EQUAL(sma_vlarb_entry(block, 31).vl, 14);
	CHECK_EQUAL(sma_vlarb_entry(block, 31).weight, 255);
}

static void test_random(void)
{
	static const struct {
		uint8_t bytes[4];
		struct sma_random_entry entry;
	} cases[] = {
		{{0x00, 0x05, 0xB0, 0x02}, {.lid = 5, .valid = true, .lmc = 3, .port = 2}},
		{{0xBF, 0xFF, 0x8F, 0xFE}, {.lid = 0xBFFF, .valid = true, .lmc = 0, .port = 254}},
		{{0xC0, 0x00, 0x7F, 0xFF}, {.lid = 0xC000, .valid = false, .lmc = 7, .port = 255}},
		{{0x00, 0x00, 0x00, 0x00}, {.lid = 0}},
	};

	for (unsigned i = 0; i < SMA_RANDOM_PER_BLOCK; i++) {
		size_t c = i % UNIT_COUNT(cases);
		uint8_t block[SMA_BLOCK_SIZE];
		struct sma_random_entry entry;

		memset(block, 0xA5, sizeof(block));
		memcpy(block + 4UL * i, cases[c].bytes, 4);
		entry = sma_random_entry(block, i);
		unit_case("entry %u, case %zu", i, c);
		CHECK_EQUAL(entry.lid, cases[c].entry.lid);
		CHECK_EQUAL(entry.valid, cases[c].entry.valid);
		CHECK_EQUAL(entry.lmc, cases[c].entry.lmc);
		CHECK_EQUAL(entry.port, cases[c].entry.port);
	}
}

static void test_multicast(void)
{
	const uint8_t block[SMA_BLOCK_SIZE] = {0x00, 0x02, 0x80, 0x00, [62] = 0x00, 0x01};

	CHECK_EQUAL(sma_multicast_entry(block, 0), 0x0002);
	CHECK_EQUAL(sma_multicast_entry(block, 1), 0x8000);
	CHECK_EQUAL(sma_multicast_entry(block, 2), 0);
	CHECK_EQUAL(sma_multicast_entry(block, 31), 1);
}

static void test_diag(void)
{
	uint8_t block[SMA_BLOCK_SIZE];

	for (unsigned i = 0; i < SMA_BLOCK_SIZE; i++)
		block[i] = (uint8_t)i;
	CHECK_EQUAL(sma_diag_data(block)[0], 2);
	CHECK_EQUAL(sma_diag_data(block)[SMA_DIAG_DATA_SIZE - 1], 63);
}

/* ---- attributes ---- */

static void test_attributes(void)
{
	static const struct {
		enum sma_attr attr;
		const char *name;
		uint16_t id;
	} attributes[] = {
		{SMA_NodeDescription, "NodeDescription", 0x10},
		{SMA_NodeInfo, "NodeInfo", 0x11},
		{SMA_SwitchInfo, "SwitchInfo", 0x12},
		{SMA_GUIDInfo, "GUIDInfo", 0x14},
		{SMA_PortInfo, "PortInfo", 0x15},
		{SMA_P_KeyTable, "P_KeyTable", 0x16},
		{SMA_SLtoVLMappingTable, "SLtoVLMappingTable", 0x17},
		{SMA_VLArbitration, "VLArbitration", 0x18},
		{SMA_LinearForwardingTable, "LinearForwardingTable", 0x19},
		{SMA_RandomForwardingTable, "RandomForwardingTable", 0x1A},
		{SMA_MulticastForwardingTable, "MulticastForwardingTable", 0x1B},
		{SMA_SMInfo, "SMInfo", 0x20},
		{SMA_VendorDiag, "VendorDiag", 0x30},
		{SMA_LedInfo, "LedInfo", 0x31},
	};

	CHECK_EQUAL(UNIT_COUNT(attributes), SMA_ATTR_COUNT);
	for (size_t i = 0; i < UNIT_COUNT(attributes); i++) {
		unit_case("%s", attributes[i].name);
		CHECK_TEXT(sma_attr_name(attributes[i].attr), attributes[i].name);
		CHECK_EQUAL(sma_attr_id(attributes[i].attr), attributes[i].id);
	}
}

static void test_ages(void)
{
	static const struct {
		const char *group;
		enum sma_attr attr;
		unsigned age_s;
	} ages[] = {
		{"node", SMA_NodeDescription, 60},
		{"node", SMA_NodeInfo, 60},
		{"switch", SMA_SwitchInfo, 5},
		{"port", SMA_PortInfo, 5},
		{"guid", SMA_GUIDInfo, 60},
		{"pkey", SMA_P_KeyTable, 60},
		{"sl2vl", SMA_SLtoVLMappingTable, 60},
		{"vlarb", SMA_VLArbitration, 60},
		{"lft", SMA_LinearForwardingTable, 60},
		{"rft", SMA_RandomForwardingTable, 60},
		{"mft", SMA_MulticastForwardingTable, 60},
		{"sm", SMA_SMInfo, 5},
		{"diag", SMA_VendorDiag, 10},
		{"led", SMA_LedInfo, 10},
	};

	CHECK_EQUAL(UNIT_COUNT(ages), SMA_ATTR_COUNT);
	for (size_t i = 0; i < UNIT_COUNT(ages); i++) {
		struct sma_config config;

		sma_config_init(&config);
		unit_case("%s", ages[i].group);
		CHECK_EQUAL(config.age_ms[ages[i].attr], ages[i].age_s * 1000);
		CHECK_EQUAL(sma_config_set_age(&config, ages[i].group, 77), 0);
		CHECK_EQUAL(config.age_ms[ages[i].attr], 77);
		for (unsigned a = 0, set = 0; a < SMA_ATTR_COUNT; a++) {
			set += config.age_ms[a] == 77;
			CHECK(set <= 1 + (strcmp(ages[i].group, "node") == 0));
		}
		CHECK(strstr(sma_config_groups(), ages[i].group) != NULL);
	}
}

static void test_defaults(void)
{
	struct sma_config config;

	sma_config_init(&config);
	CHECK_EQUAL(config.timeout_ms, 250);
	CHECK_EQUAL(config.retries, 1);
	CHECK_EQUAL(config.window, 16);
	CHECK_EQUAL(config.m_key, 0);
	CHECK(sma_config_set_age(&config, "nodes", 1) < 0);
	CHECK(sma_config_set_age(&config, "", 1) < 0);
	CHECK(sma_config_set_age(&config, "NODE", 1) < 0);
}

static const struct unit_test tests[] = {
	{"GUIDInfo", test_guid},
	{"P_KeyTable", test_pkey},
	{"SLtoVLMappingTable", test_sl2vl},
	{"VLArbitration", test_vlarb},
	{"RandomForwardingTable", test_random},
	{"MulticastForwardingTable", test_multicast},
	{"VendorDiag", test_diag},
	{"names and numbers of the attributes", test_attributes},
	{"age groups", test_ages},
	{"default configuration", test_defaults},
};

int main(void)
{
	return UNIT_MAIN("entry", tests);
}
