// SPDX-License-Identifier: BSD-2-Clause
/* Where attributes stand in the state, and what of them is not just copied (IBA 14.2.5). */
#include <inttypes.h>
#include <string.h>

#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

enum { INVALID = 0x1C };

/* ---- where a block stands ---- */

static const uint8_t *place_of(const struct soft_state *state, uint16_t attribute, unsigned port,
                               size_t offset)
{
	const struct state_port *p = &state->port[port];

	switch (attribute) {
	case 0x14:
		return p->guids + offset;
	case 0x16:
		return p->pkeys + offset;
	case 0x17:
		return p->sl2vl + offset;
	case 0x18:
		return p->vlarb[offset / SMA_BLOCK_SIZE];
	case 0x19:
		return state->linear + offset;
	case 0x1A:
		return state->random + offset;
	default:
		return state->multicast + offset;
	}
}

/* The modifier, and where its block begins in the tables of the state. */
static const struct {
	char node;
	uint16_t attribute;
	uint32_t modifier;
	unsigned port;
	size_t offset;
} places[] = {
	{'c', 0x14, 1, 1, 64},
	{'s', 0x14, 1, 0, 64},
	{'c', 0x16, 1, 1, 64},
	{'s', 0x16, 0x00020001, 2, 64},
	{'s', 0x16, 0, 0, 0},
	{'c', 0x17, 0x0201, 1, 0},
	{'s', 0x17, 0x0102, 2, 8},
	{'s', 0x17, 0x0001, 1, 0},
	{'s', 0x17, 0x1403, 3, 160},
	{'c', 0x18, 0x00010000, 1, 0},
	{'c', 0x18, 0x00030000, 1, 128},
	{'s', 0x18, 0x00010002, 2, 0},
	{'s', 0x18, 0x00030014, 20, 128},
	{'s', 0x19, 0, 0, 0},
	{'s', 0x19, 1, 0, 64},
	{'f', 0x1A, 1, 0, 64},
	{'s', 0x1B, 1, 0, 64},
	{'s', 0x1B, 0x10000000, 0, 80},
	{'f', 0x1B, 0x10000001, 0, 144},
};

static void test_places(void)
{
	uint8_t data[SMA_BLOCK_SIZE];

	for (unsigned i = 0; i < SMA_BLOCK_SIZE; i++)
		data[i] = i % 2 ? (uint8_t)i : i % 4 ? 0 : i / 4; /* reserved bits are zero */
	for (size_t i = 0; i < UNIT_COUNT(places); i++) {
		struct soft_fixture fixture;

		soft_fixture_open(&fixture, places[i].node);
		unit_case("node %c, attribute %04x, modifier %" PRIx32, places[i].node, places[i].attribute,
		          places[i].modifier);
		CHECK_EQUAL(soft_fixture_ask(&fixture, SET, places[i].attribute, places[i].modifier, data),
		            0);
		CHECK_OCTETS(place_of(fixture.state, places[i].attribute, places[i].port, places[i].offset),
		             data, 8);
		soft_fixture_close(&fixture);
	}
}

/* ---- contents that no Set has written ---- */

static void test_power_up(void)
{
	static const struct {
		char node;
		uint16_t attribute;
		uint32_t modifier;
		uint8_t wanted[SMA_BLOCK_SIZE];
	} cases[] = {
		{'c', 0x14, 0, {[6] = 0x10, 0x01}},  {'s', 0x14, 0, {[6] = 0x10, 0x00}},
		{'c', 0x16, 0, {0xFF, 0xFF}},        {'c', 0x16, 1, {0}},
		{'s', 0x16, 0, {0xFF, 0xFF}},        {'s', 0x16, 0x00010000, {0}},
		{'s', 0x19, 1, {[0 ... 35] = 0xFF}}, {'f', 0x1A, 0, {0}},
		{'s', 0x1B, 0x10000000, {0}},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct soft_fixture fixture;

		soft_fixture_open(&fixture, cases[i].node);
		unit_case("case %zu", i);
		CHECK_EQUAL(soft_fixture_ask(&fixture, GET, cases[i].attribute, cases[i].modifier, NULL), 0);
		CHECK_OCTETS(fixture.response + AT_DATA, cases[i].wanted, SMA_BLOCK_SIZE);
		soft_fixture_close(&fixture);
	}
}

/* NodeInfo and PortInfo give the port that the request came in on, NodeInfo its GUID or that of port 0. */
static void test_arrival_port(void)
{
	static const struct {
		char node;
		unsigned port;
		uint64_t guid;
	} cases[] = {
		{'c', 1, 0x1001}, {'c', 2, 0x1002}, {'r', 2, 0x1002}, {'s', 0, 0x1000}, {'s', 20, 0x1000}};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct soft_fixture fixture;
		const uint8_t *data = fixture.response + AT_DATA;

		soft_fixture_open(&fixture, cases[i].node);
		fixture.arrival.port = cases[i].port;
		unit_case("case %zu", i);
		CHECK_EQUAL(soft_fixture_ask(&fixture, GET, ATTR_NODE_INFO, 0, NULL), 0);
		CHECK_EQUAL(sma_component_get(data, SMA_NodeInfo_LocalPortNum), cases[i].port);
		CHECK_EQUAL(sma_component_get(data, SMA_NodeInfo_PortGUID), cases[i].guid);
		CHECK_EQUAL(sma_component_get(data, SMA_NodeInfo_NodeGUID), 0x1000);
		CHECK_EQUAL(sma_component_get(data, SMA_NodeInfo_NodeType), fixture.state->type);
		CHECK_EQUAL(soft_fixture_ask(&fixture, GET, ATTR_PORT_INFO, 1, NULL), 0);
		CHECK_EQUAL(sma_component_get(data, SMA_PortInfo_LocalPortNum), cases[i].port);
		soft_fixture_close(&fixture);
	}
}

static void test_diags(void)
{
	struct soft_fixture fixture;

	soft_fixture_open(&fixture, 'c');
	soft_fixture_prepare(&fixture, "diags=1");
	CHECK_EQUAL(soft_fixture_ask(&fixture, GET, 0x30, 5, NULL), 0);
	CHECK_OCTETS(fixture.response + AT_DATA, fixture.state->diags[1].block, SMA_BLOCK_SIZE);
	soft_fixture_close(&fixture);
}

/* ---- PortInfoExtended ---- */

/* What is enabled must be supported; the rest is read-only. */
static void test_extended(void)
{
	struct soft_fixture fixture;
	uint8_t data[SMA_BLOCK_SIZE];
	uint8_t wanted[SMA_BLOCK_SIZE] = {0};
	uint8_t *stored;

	soft_fixture_open(&fixture, 'c');
	soft_fixture_prepare(&fixture, "IsCapabilityMask2Supported=1");
	soft_fixture_prepare(&fixture, "IsPortInfoExtendedSupported=1");
	stored = fixture.state->port[1].extended;
	for (unsigned pair = 6; pair <= 18; pair += 4)
		stored[pair + 1] = wanted[pair + 1] = 5;
	for (unsigned pair = 6; pair <= 18; pair += 4) {
		memset(data, 0xFF, sizeof(data));
		for (unsigned p = 6; p <= 18; p += 4)
			memset(data + p + 2, 0, 2);
		data[pair + 3] = 2;
		unit_case("enabled at %u", pair + 2);
		CHECK_EQUAL(soft_fixture_ask(&fixture, SET, 0x33, 0, data), INVALID);
		CHECK_OCTETS(stored, wanted, SMA_BLOCK_SIZE);
		data[pair + 3] = wanted[pair + 3] = 4;
		for (unsigned p = 6; p < pair; p += 4)
			data[p + 3] = 4;
		CHECK_EQUAL(soft_fixture_ask(&fixture, SET, 0x33, 0, data), 0);
		CHECK_OCTETS(stored, wanted, SMA_BLOCK_SIZE);
		CHECK_OCTETS(fixture.response + AT_DATA, wanted, SMA_BLOCK_SIZE);
	}
	memset(data, 0, sizeof(data));
	memcpy(fixture.state->port[2].extended, wanted, sizeof(wanted));
	CHECK_EQUAL(soft_fixture_ask(&fixture, SET, 0x33, 2, data), 0); /* another port */
	CHECK_OCTETS(fixture.response + AT_DATA, wanted, SMA_BLOCK_SIZE);
	CHECK_OCTETS(fixture.state->port[2].extended, wanted, SMA_BLOCK_SIZE);
	soft_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"where each block stands", test_places},   {"contents at power-up", test_power_up},
	{"the port of arrival", test_arrival_port}, {"VendorDiag by its index", test_diags},
	{"PortInfoExtended", test_extended},
};

int main(void)
{
	return UNIT_MAIN("attribute", tests);
}
