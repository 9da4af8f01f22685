// SPDX-License-Identifier: BSD-2-Clause
/* The state of a software SMA: its sizes, and what a node powers up with. */
#include <errno.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/state.h"
#include "tests/unit.h"

static const struct state_shape ca = {
	.type = SMA_NODE_CA, .ports = 2, .guid_cap = 12, .pkey_cap = 40, .vls = 4};
static const struct state_shape router = {
	.type = SMA_NODE_ROUTER, .ports = 3, .guid_cap = 1, .pkey_cap = 1, .vls = 1};
static const struct state_shape linear = {.type = SMA_NODE_SWITCH,
                                          .ports = 20,
                                          .guid_cap = 2,
                                          .pkey_cap = 5,
                                          .enforce_cap = 7,
                                          .linear_cap = 100,
                                          .multicast_cap = 40,
                                          .vls = 2};
static const struct state_shape random_table = {
	.type = SMA_NODE_SWITCH, .ports = 15, .pkey_cap = 1, .random_cap = 20, .vls = 1};

static struct soft_state *create(const struct state_shape *shape)
{
	struct soft_state *state = NULL;

	CHECK_EQUAL(state_new(shape, &state), 0);
	return state;
}

/* ---- sizes ---- */

enum field { TYPE, PORTS, GUIDS, PKEYS, ENFORCE, LINEAR, RANDOM, MULTICAST, VLS };

static const struct {
	enum field field;
	unsigned value;
	int rc;
} sizes[] = {
	{TYPE, 0, -EINVAL},
	{TYPE, 4, -EINVAL},
	{PORTS, 0, -EINVAL},
	{PORTS, 1, 0},
	{PORTS, 254, 0},
	{PORTS, 255, -EINVAL},
	{GUIDS, 0, 0},
	{GUIDS, 255, 0},
	{GUIDS, 256, -EINVAL},
	{PKEYS, 0, -EINVAL},
	{PKEYS, 1, 0},
	{PKEYS, 65535, 0},
	{PKEYS, 65536, -EINVAL},
	{ENFORCE, 0, 0},
	{ENFORCE, 65535, 0},
	{ENFORCE, 65536, -EINVAL},
	{LINEAR, 0, 0},
	{LINEAR, 49152, 0},
	{LINEAR, 49153, -EINVAL},
	{RANDOM, 49152, 0},
	{RANDOM, 49153, -EINVAL},
	{MULTICAST, 16384, 0},
	{MULTICAST, 16385, -EINVAL},
	{VLS, 0, -EINVAL},
	{VLS, 1, 0},
	{VLS, 5, 0},
	{VLS, 6, -EINVAL},
};

static unsigned *field_of(struct state_shape *shape, enum field field)
{
	unsigned *fields[] = {&shape->type,       &shape->ports,         &shape->guid_cap,
	                      &shape->pkey_cap,   &shape->enforce_cap,   &shape->linear_cap,
	                      &shape->random_cap, &shape->multicast_cap, &shape->vls};

	return fields[field];
}

static void test_sizes(void)
{
	for (size_t i = 0; i < UNIT_COUNT(sizes); i++) {
		struct state_shape shape = linear;
		struct soft_state *state = NULL;

		*field_of(&shape, sizes[i].field) = sizes[i].value;
		unit_case("size %d is %u", sizes[i].field, sizes[i].value);
		CHECK_EQUAL(state_new(&shape, &state), sizes[i].rc);
		CHECK_EQUAL(state != NULL, sizes[i].rc == 0);
		state_free(state);
	}
	state_free(NULL);
}

/* Which ports have tables, and which have an SMA. */
static const struct {
	const struct state_shape *shape;
	unsigned port;
	bool is_end;
	unsigned pkeys, mappings;
	bool has_guids;
} tables[] = {
	{&ca, 1, true, 40, 1, true},
	{&ca, 2, true, 40, 1, true},
	{&router, 1, true, 1, 0, true},
	{&router, 3, true, 1, 0, true},
	{&linear, 0, true, 5, 21, true},
	{&linear, 1, false, 7, 21, false},
	{&linear, 20, false, 7, 21, false},
	{&random_table, 0, true, 1, 0, false},
	{&random_table, 15, false, 0, 0, false},
};

static void test_tables(void)
{
	for (size_t i = 0; i < UNIT_COUNT(tables); i++) {
		struct soft_state *state = create(tables[i].shape);
		const struct state_port *port = &state->port[tables[i].port];

		unit_case("case %zu", i);
		CHECK_EQUAL(state_is_end_port(state, tables[i].port), tables[i].is_end);
		CHECK_EQUAL(port->pkey_count, tables[i].pkeys);
		CHECK_EQUAL(port->sl2vl_count, tables[i].mappings);
		CHECK_EQUAL(port->guids != NULL, tables[i].has_guids);
		CHECK_EQUAL(port->pkeys != NULL, tables[i].pkeys != 0);
		CHECK_EQUAL(port->sl2vl != NULL, tables[i].mappings != 0);
		state_free(state);
	}
}

static void test_end_ports(void)
{
	struct soft_state *state = create(&ca);

	CHECK(!state_is_end_port(state, 0));
	CHECK(!state_is_end_port(state, 3));
	CHECK(!state_is_switch(state));
	state_free(state);
	state = create(&linear);
	CHECK(state_is_switch(state));
	CHECK(!state_is_end_port(state, 21));
	state_free(state);
}

static void test_forwarding(void)
{
	struct soft_state *state = create(&linear);

	CHECK(state->linear && state->multicast && !state->random);
	CHECK_EQUAL(state->positions, 2);
	for (unsigned lid = 0; lid < 100; lid++)
		CHECK_EQUAL(state->linear[lid], 0xFF);
	state_free(state);
	state = create(&random_table);
	CHECK(!state->linear && !state->multicast && state->random);
	state_free(state);
	state = create(&ca);
	CHECK(!state->linear && !state->multicast && !state->random);
	state_free(state);
}

/* A position of the multicast table has 16 ports, and port 0 is one of them. */
static void test_positions(void)
{
	static const unsigned cases[][2] = {{1, 1}, {15, 1}, {16, 2}, {31, 2}, {32, 3}, {254, 16}};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct state_shape shape = linear;
		struct soft_state *state;

		shape.ports = cases[i][0];
		state = create(&shape);
		unit_case("%u ports", cases[i][0]);
		CHECK_EQUAL(state->positions, cases[i][1]);
		state_free(state);
	}
}

/* ---- power-up ---- */

static const struct {
	const struct state_shape *shape;
	unsigned port;
	enum sma_component component;
	uint64_t value;
} presets[] = {
	{&ca, 0, SMA_NodeInfo_BaseVersion, 1},
	{&ca, 0, SMA_NodeInfo_ClassVersion, 1},
	{&ca, 0, SMA_NodeInfo_NodeType, 1},
	{&router, 0, SMA_NodeInfo_NodeType, 3},
	{&linear, 0, SMA_NodeInfo_NodeType, 2},
	{&linear, 0, SMA_NodeInfo_NumPorts, 20},
	{&ca, 0, SMA_NodeInfo_PartitionCap, 40},
	{&linear, 0, SMA_SwitchInfo_LinearFDBCap, 100},
	{&linear, 0, SMA_SwitchInfo_RandomFDBCap, 0},
	{&linear, 0, SMA_SwitchInfo_MulticastFDBCap, 40},
	{&linear, 0, SMA_SwitchInfo_PartitionEnforcementCap, 7},
	{&linear, 0, SMA_SwitchInfo_InboundEnforcementCap, 1},
	{&random_table, 0, SMA_SwitchInfo_InboundEnforcementCap, 0},
	{&random_table, 0, SMA_SwitchInfo_RandomFDBCap, 20},
	{&linear, 0, SMA_SwitchInfo_PortStateChange, 0},
	{&linear, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 1},
	{&random_table, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 0},
	/* end ports */
	{&ca, 1, SMA_PortInfo_GUIDCap, 12},
	{&linear, 0, SMA_PortInfo_GUIDCap, 2},
	{&ca, 2, SMA_PortInfo_GidPrefix, 0xFE80000000000000},
	{&ca, 1, SMA_PortInfo_LID, 0},
	{&ca, 1, SMA_PortInfo_M_Key, 0},
	{&ca, 1, SMA_PortInfo_IsNoticeSupported, 1},
	{&ca, 1, SMA_PortInfo_IsTrapSupported, 1},
	{&ca, 1, SMA_PortInfo_IsSLMappingSupported, 1},
	{&router, 1, SMA_PortInfo_IsSLMappingSupported, 0},
	{&ca, 1, SMA_PortInfo_IsSM, 0},
	/* links: no SM ever reads 0 for NeighborMTU and OperationalVLs */
	{&ca, 1, SMA_PortInfo_PortState, 1},
	{&ca, 1, SMA_PortInfo_PortPhysicalState, 2},
	{&linear, 20, SMA_PortInfo_PortState, 1},
	{&linear, 20, SMA_PortInfo_LinkDownDefaultState, 2},
	{&ca, 1, SMA_PortInfo_NeighborMTU, 5},
	{&ca, 1, SMA_PortInfo_MTUCap, 5},
	{&router, 3, SMA_PortInfo_NeighborMTU, 5},
	{&linear, 20, SMA_PortInfo_NeighborMTU, 5},
	{&linear, 20, SMA_PortInfo_MTUCap, 5},
	{&linear, 0, SMA_PortInfo_NeighborMTU, 4},
	{&linear, 0, SMA_PortInfo_MTUCap, 4},
	{&ca, 1, SMA_PortInfo_VLCap, 4},
	{&ca, 1, SMA_PortInfo_OperationalVLs, 4},
	{&linear, 7, SMA_PortInfo_OperationalVLs, 2},
	{&router, 1, SMA_PortInfo_VLArbitrationHighCap, 0},
	{&router, 1, SMA_PortInfo_VLArbitrationLowCap, 0},
	{&ca, 1, SMA_PortInfo_HOQLife, 0},
	/* base port 0 reads as Active and has no link */
	{&linear, 0, SMA_PortInfo_PortState, 4},
	{&linear, 0, SMA_PortInfo_PortPhysicalState, 0},
	{&linear, 0, SMA_PortInfo_LinkWidthSupported, 0},
	/* external ports of a switch are no end ports */
	{&linear, 1, SMA_PortInfo_CapabilityMask, 0},
	{&linear, 1, SMA_PortInfo_GidPrefix, 0},
	{&linear, 1, SMA_PortInfo_GUIDCap, 0},
	{&linear, 1, SMA_PortInfo_SubnetTimeOut, 0},
	{&linear, 1, SMA_PortInfo_RespTimeValue, 0},
};

static uint64_t value_of(const struct soft_state *state, unsigned port, enum sma_component component)
{
	/* state_get has 32 bits */
	if (sma_component_attr(component) == SMA_PortInfo)
		return sma_component_get(state->port[port].info, component);
	return state_get(state, port, component);
}

static void test_presets(void)
{
	for (size_t i = 0; i < UNIT_COUNT(presets); i++) {
		struct soft_state *state = create(presets[i].shape);

		unit_case("%s, case %zu", sma_component_name(presets[i].component), i);
		CHECK_EQUAL(value_of(state, presets[i].port, presets[i].component), presets[i].value);
		state_free(state);
	}
}

static void test_first_pkey(void)
{
	struct soft_state *state = create(&ca);

	for (unsigned i = 0; i < 40; i++)
		CHECK_EQUAL(wire_get16(state->port[2].pkeys + 2 * i), i ? 0 : 0xFFFF);
	state_free(state);
	state = create(&linear);
	CHECK_EQUAL(wire_get16(state->port[0].pkeys), 0xFFFF);
	CHECK_EQUAL(wire_get16(state->port[1].pkeys), 0);
	state_free(state);
}

/* ---- components and GUIDs ---- */

static void test_components(void)
{
	struct soft_state *state = create(&linear);

	state_set(state, 3, SMA_PortInfo_LID, 0x1234);
	state_set(state, 3, SMA_SwitchInfo_LifeTimeValue, 19);
	state_set(state, 3, SMA_NodeInfo_VendorID, 0x2C9);
	CHECK_EQUAL(state_get(state, 3, SMA_PortInfo_LID), 0x1234);
	CHECK_EQUAL(state_get(state, 4, SMA_PortInfo_LID), 0);
	CHECK_EQUAL(state_get(state, 0, SMA_SwitchInfo_LifeTimeValue), 19);
	CHECK_EQUAL(state_get(state, 0, SMA_NodeInfo_VendorID), 0x2C9);
	state_free(state);
}

static void test_guids(void)
{
	struct soft_state *state = create(&ca);

	state_set_guid(state, 0x100000000F);
	CHECK_EQUAL(sma_component_get(state->node_info, SMA_NodeInfo_NodeGUID), 0x100000000F);
	CHECK_EQUAL(state_port_guid(state, 1), 0x1000000010);
	CHECK_EQUAL(state_port_guid(state, 2), 0x1000000011);
	CHECK_EQUAL(wire_get64(state->port[2].guids), 0x1000000011);
	state_set_port_guid(state, 2, 5);
	CHECK_EQUAL(state_port_guid(state, 2), 5);
	CHECK_EQUAL(wire_get64(state->port[2].guids), 5);
	CHECK_EQUAL(state_port_guid(state, 1), 0x1000000010);
	state_free(state);
	state = create(&linear);
	state_set_guid(state, 0x1000);
	CHECK_EQUAL(state_port_guid(state, 0), 0x1000);
	CHECK_EQUAL(state_port_guid(state, 20), 0x1000);
	state_free(state);
	state = create(&random_table); /* without a table of GUIDs */
	state_set_guid(state, 0x2000);
	CHECK_EQUAL(state_port_guid(state, 0), 0x2000);
	state_free(state);
}

static const struct unit_test tests[] = {
	{"sizes and their limits", test_sizes},
	{"tables of each port", test_tables},
	{"ports with an SMA", test_end_ports},
	{"forwarding tables", test_forwarding},
	{"positions of the multicast table", test_positions},
	{"components at power-up", test_presets},
	{"P_Keys at power-up", test_first_pkey},
	{"components by their attribute", test_components},
	{"GUIDs", test_guids},
};

int main(void)
{
	return UNIT_MAIN("state", tests);
}
