// SPDX-License-Identifier: BSD-2-Clause
/* Node files that are good, and the node that each makes. */
#include <stdio.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/soft/nodefile_fixture.h"
#include "tests/unit.h"

/* ---- lines that set one component ---- */

static const struct {
	const char *text;
	unsigned port;
	enum sma_component component;
	uint64_t value;
} components[] = {
	{CA, 0, SMA_NodeInfo_NodeType, 1},
	{ROUTER, 0, SMA_NodeInfo_NodeType, 3},
	{SWITCH, 0, SMA_NodeInfo_NodeType, 2},
	{SWITCH, 0, SMA_NodeInfo_NumPorts, 20},
	{CA, 0, SMA_NodeInfo_NodeGUID, 0x1000},
	{CA, 0, SMA_NodeInfo_SystemImageGUID, 0x1000},
	{CA "guidCap 255", 2, SMA_PortInfo_GUIDCap, 255},
	{CA "partitionCap 65535", 0, SMA_NodeInfo_PartitionCap, 65535},
	{SWITCH, 0, SMA_SwitchInfo_PartitionEnforcementCap, 8},
	{SWITCH, 0, SMA_SwitchInfo_LinearFDBCap, 1024},
	{SWITCH "randomFDBCap 0", 0, SMA_SwitchInfo_LinearFDBCap, 1024},
	{RANDOM, 0, SMA_SwitchInfo_RandomFDBCap, 16},
	{SWITCH, 0, SMA_SwitchInfo_MulticastFDBCap, 64},
	{CA "vlCap 5", 1, SMA_PortInfo_VLCap, 5},
	{CA "systemImageGuid 0xffffffffffffffff", 0, SMA_NodeInfo_SystemImageGUID, UINT64_MAX},
	{CA "systemImageGuid 0", 0, SMA_NodeInfo_SystemImageGUID, 0},
	{CA "vendorId 0xFFFFFF", 0, SMA_NodeInfo_VendorID, 0xFFFFFF},
	{CA "deviceId 65535", 0, SMA_NodeInfo_DeviceID, 65535},
	{CA "revision 0xa0b0c0d0", 0, SMA_NodeInfo_Revision, 0xA0B0C0D0},
	{CA "nodeInfo ClassVersion 2", 0, SMA_NodeInfo_ClassVersion, 2},
	{CA "NODEINFO revision 7", 0, SMA_NodeInfo_Revision, 7},
	{SWITCH "switchInfo LifeTimeValue 31", 0, SMA_SwitchInfo_LifeTimeValue, 31},
	{SWITCH "switchInfo LinearFDBTop 1023", 0, SMA_SwitchInfo_LinearFDBTop, 1023},
	{SWITCH "switchInfo MulticastFDBTop 0xC03F", 0, SMA_SwitchInfo_MulticastFDBTop, 0xC03F},
	{SWITCH "switchInfo MulticastFDBTop 0xBFFF", 0, SMA_SwitchInfo_MulticastFDBTop, 0xBFFF},
	{CA "link 1 up", 1, SMA_PortInfo_PortState, 2},
	{CA "link 1 up", 1, SMA_PortInfo_PortPhysicalState, 5},
	{CA "link 1 up", 2, SMA_PortInfo_PortState, 1},
	{CA "link all up\nlink 2 down", 2, SMA_PortInfo_PortState, 1},
	{CA "link all up\nlink 2 down", 2, SMA_PortInfo_PortPhysicalState, 2},
	{CA "lid 2 49151", 2, SMA_PortInfo_LID, 49151},
	{CA "lid 2 49151", 2, SMA_PortInfo_MasterSMLID, 0},
	{CA "lid 2 7 9", 2, SMA_PortInfo_MasterSMLID, 9},
	{SWITCH "lid 0 7", 0, SMA_PortInfo_LID, 7},
	{CA "gidPrefix all 0xfec0000000000001", 2, SMA_PortInfo_GidPrefix, 0xFEC0000000000001},
	{CA "mKey 1 0xffffffffffffffff 3 65535", 1, SMA_PortInfo_M_Key, UINT64_MAX},
	{CA "mKey 1 0xffffffffffffffff 3 65535", 1, SMA_PortInfo_M_KeyProtectBits, 3},
	{CA "mKey 1 0xffffffffffffffff 3 65535", 1, SMA_PortInfo_M_KeyLeasePeriod, 65535},
	{CA "mKey 1 0xffffffffffffffff 3 65535", 2, SMA_PortInfo_M_Key, 0},
	{SWITCH "mKey all 5 1 1", 0, SMA_PortInfo_M_Key, 5},
	{CA "capability all IsLedInfoSupported on", 2, SMA_PortInfo_IsLedInfoSupported, 1},
	{CA "capability 2 isnoticesupported off", 2, SMA_PortInfo_IsNoticeSupported, 0},
	{CA "capability 2 isnoticesupported off", 1, SMA_PortInfo_IsNoticeSupported, 1},
	{CA "capability 1 IsPortInfoExtendedSupported on", 1, SMA_PortInfo_IsPortInfoExtendedSupported, 1},
	{CA "portInfo 1 M_Key 0xfedcba9876543210", 1, SMA_PortInfo_M_Key, 0xFEDCBA9876543210},
	{CA "portInfo 1 CapabilityMask 0xfff7ffff", 1, SMA_PortInfo_CapabilityMask, 0xFFF7FFFF},
	{CA "portInfo 1 CapabilityMask2 0xffff", 1, SMA_PortInfo_CapabilityMask2, 0xFFFF},
	{SWITCH "capability all IsLinkWidth2xSupported on", 0, SMA_PortInfo_IsLinkWidth2xSupported, 1},
	{SWITCH "portInfo all LinkWidthSupported 0x13", 1, SMA_PortInfo_LinkWidthSupported, 0x13},
	{SWITCH "portInfo all LinkSpeedExtSupported 15", 1, SMA_PortInfo_LinkSpeedExtSupported, 15},
	{CA "portInfo 1 DiagCode 0x8014", 1, SMA_PortInfo_DiagVendorCode, 1},
	{CA "portInfo 1 OperationalVLs 4", 1, SMA_PortInfo_OperationalVLs, 4},
	{CA "portInfo 1 PortState 4", 1, SMA_PortInfo_PortState, 4},
	{CA "portInfo 1 MTUCap 1", 1, SMA_PortInfo_MTUCap, 1},
	{CA "portInfo 1 MTUCap 1", 1, SMA_PortInfo_NeighborMTU, 1},
	{CA "portInfo 1 MTUCap 1", 2, SMA_PortInfo_NeighborMTU, 5},
	{CA "portInfo 1 MTUCap 4\nportInfo 1 NeighborMTU 2", 1, SMA_PortInfo_NeighborMTU, 2},
	{CA "portInfo 1 MTUCap 4\nportInfo 1 NeighborMTU 2", 1, SMA_PortInfo_MTUCap, 4},
	{SWITCH "portInfo 0 MTUCap 5", 0, SMA_PortInfo_NeighborMTU, 5},
	{CA "lid 1 010", 1, SMA_PortInfo_LID, 10},
	{CA "lid 1 08", 1, SMA_PortInfo_LID, 8},
	{CA "lid 01 0000000000000000000000049151", 1, SMA_PortInfo_LID, 49151},
	{CA "lid 1 0x010", 1, SMA_PortInfo_LID, 16},
	{CA "lid 1 0X0008", 1, SMA_PortInfo_LID, 8},
	{SWITCH "portInfo 08-010,012 HOQLife 3", 7, SMA_PortInfo_HOQLife, 20},
	{SWITCH "portInfo 08-010,012 HOQLife 3", 8, SMA_PortInfo_HOQLife, 3},
	{SWITCH "portInfo 08-010,012 HOQLife 3", 10, SMA_PortInfo_HOQLife, 3},
	{SWITCH "portInfo 08-010,012 HOQLife 3", 11, SMA_PortInfo_HOQLife, 20},
	{SWITCH "portInfo 08-010,012 HOQLife 3", 12, SMA_PortInfo_HOQLife, 3},
	{SWITCH "portInfo 0 NeighborMTU 5", 0, SMA_PortInfo_NeighborMTU, 5},
	{SWITCH "portInfo all VLStallCount 7", 20, SMA_PortInfo_VLStallCount, 7},
	{SWITCH "portInfo all VLStallCount 7", 0, SMA_PortInfo_VLStallCount, 0},
	{SWITCH "portInfo 0,all VLStallCount 7", 0, SMA_PortInfo_VLStallCount, 7},
	{SWITCH "portInfo 1,5-7,20 HOQLife 3", 1, SMA_PortInfo_HOQLife, 3},
	{SWITCH "portInfo 1,5-7,20 HOQLife 3", 4, SMA_PortInfo_HOQLife, 20},
	{SWITCH "portInfo 1,5-7,20 HOQLife 3", 7, SMA_PortInfo_HOQLife, 3},
	{SWITCH "portInfo 1,5-7,20 HOQLife 3", 20, SMA_PortInfo_HOQLife, 3},
	{SWITCH "lft 0-9 1", 0, SMA_SwitchInfo_LinearFDBTop, 9},
	{SWITCH "lft 0-9 1\nlft 5 2", 0, SMA_SwitchInfo_LinearFDBTop, 9},
	{SWITCH "lft 0-9 none", 0, SMA_SwitchInfo_LinearFDBTop, 0},
	{SWITCH "lft 0-9 1\nswitchInfo LinearFDBTop 4", 0, SMA_SwitchInfo_LinearFDBTop, 4},
	{SWITCH "mft 0xC003 1", 0, SMA_SwitchInfo_MulticastFDBTop, 0xC003},
	{SWITCH "mft 0xC003 none", 0, SMA_SwitchInfo_MulticastFDBTop, 0xBFFF},
};

static uint64_t component_of(const struct soft_state *state, unsigned port, enum sma_component component)
{
	switch (sma_component_attr(component)) {
	case SMA_NodeInfo:
		return sma_component_get(state->node_info, component);
	case SMA_SwitchInfo:
		return sma_component_get(state->switch_info, component);
	default:
		return sma_component_get(state->port[port].info, component);
	}
}

static void test_components(void)
{
	for (size_t i = 0; i < UNIT_COUNT(components); i++) {
		struct nodefile_fixture fixture;

		unit_case("case %zu, %s", i, nodefile_fixture_case(components[i].text));
		nodefile_fixture_parse(&fixture, components[i].text, strlen(components[i].text));
		CHECK_TEXT(fixture.error, "");
		if (CHECK(fixture.state))
			CHECK_EQUAL(component_of(fixture.state, components[i].port, components[i].component),
			            components[i].value);
		nodefile_fixture_close(&fixture);
	}
}

/* ---- lines that set bytes ---- */

/* Where in a state the bytes are; the port of DIAG is its place in the list. */
enum place {
	PORT_GUID,
	GUIDS,
	PKEYS,
	SL2VL,
	LOW_LIST,
	HIGH_LIST,
	EXTENDED,
	LED,
	DESCRIPTION,
	LINEAR,
	RANDOM_TABLE,
	MULTICAST,
	DIAG,
};

static const uint8_t *place_of(const struct soft_state *state, enum place place, unsigned port)
{
	const struct state_port *of = &state->port[port];
	const uint8_t *const places[] = {
		[PORT_GUID] = of->port_guid,
		[GUIDS] = of->guids,
		[PKEYS] = of->pkeys,
		[SL2VL] = of->sl2vl,
		[LOW_LIST] = of->vlarb[0],
		[HIGH_LIST] = of->vlarb[2],
		[EXTENDED] = of->extended,
		[LED] = &of->led,
		[DESCRIPTION] = state->description,
		[LINEAR] = state->linear,
		[RANDOM_TABLE] = state->random,
		[MULTICAST] = state->multicast,
		[DIAG] = port < state->diag_count ? state->diags[port].block : NULL,
	};

	return places[place];
}

#define BYTES(text) text, sizeof(text) - 1

static const struct {
	const char *text;
	enum place place;
	unsigned port;
	size_t offset;
	const char *bytes;
	size_t size;
} parts[] = {
	{CA, PORT_GUID, 2, 0, BYTES("\0\0\0\0\0\0\x10\x02")},
	{CA "portGuid 2 0xabcdef0000000001", PORT_GUID, 2, 0, BYTES("\xab\xcd\xef\0\0\0\0\x01")},
	{CA "portGuid 2 0xabcdef0000000001", GUIDS, 2, 0, BYTES("\xab\xcd\xef\0\0\0\0\x01")},
	{CA "portGuid 2 0xabcdef0000000001", PORT_GUID, 1, 0, BYTES("\0\0\0\0\0\0\x10\x01")},
	{SWITCH "portGuid 0 9", PORT_GUID, 0, 0, BYTES("\0\0\0\0\0\0\0\x09")},
	{CA "guid 1 7 0x0100000000000002", GUIDS, 1, 56, BYTES("\x01\0\0\0\0\0\0\x02")},
	{CA "guid 1 1-2 0xff", GUIDS, 1, 0,
         BYTES("\0\0\0\0\0\0\x10\x01\0\0\0\0\0\0\0\xff\0\0\0\0\0\0\x01\0")},
	{CA, PKEYS, 1, 0, BYTES("\xff\xff\0\0")},
	{CA "pKey all 1-30 0x8001", PKEYS, 2, 0, BYTES("\xff\xff\x80\x01")},
	{CA "pKey all 1-30 0x8001", PKEYS, 2, 58, BYTES("\x80\x01\x80\x01\0\0")},
	{SWITCH "pKey 20 7 65535", PKEYS, 20, 12, BYTES("\0\0\xff\xff")},
	{SWITCH "pKey 0 31 1", PKEYS, 0, 62, BYTES("\0\x01")},
	{CA "sl2vl 2 0 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", SL2VL, 2, 0,
         BYTES("\x01\x23\x45\x67\x89\xab\xcd\xef")},
	{CA "sl2vl 2 all 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", SL2VL, 2, 0,
         BYTES("\x11\x11\x11\x11\x11\x11\x11\x11")},
	{CA "sl2vl 2 all 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", SL2VL, 1, 0, BYTES("\0\0\0\0\0\0\0\0")},
	{SWITCH "sl2vl 3 19-20 0xf,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", SL2VL, 3, 144,
         BYTES("\0\0\0\0\0\0\0\0\xf1\x11\x11\x11\x11\x11\x11\x11\xf1")},
	{CA "vlArb 1 low 0 14 255", LOW_LIST, 1, 0, BYTES("\x0e\xff\0\0")},
	{CA "vlArb 1 high 6-7 3 4", HIGH_LIST, 1, 10, BYTES("\0\0\x03\x04\x03\x04\0\0")},
	{CA "portInfo 1 VLArbitrationHighCap 64\nvlArb 1 high 31-32 3 4", HIGH_LIST, 1, 60,
         BYTES("\0\0\x03\x04\x03\x04\0\0")},
	{CA "portInfoExtended 1 00000001A5", EXTENDED, 1, 0, BYTES("\0\0\0\x01\xa5\0")},
	{CA "led 2 on", LED, 2, 0, BYTES("\x80")},
	{CA "led all on\nled 2 off", LED, 2, 0, BYTES("\0")},
	{CA "description \"a # b\" # c", DESCRIPTION, 0, 0, BYTES("a # b\0\0")},
	{CA "description \"say \\\"\\\\\\n\\\"\"", DESCRIPTION, 0, 0, BYTES("say \"\\\\n\"\0")},
	{CA "description \xc3\xa9t\xc3\xa9\r\n", DESCRIPTION, 0, 0, BYTES("\xc3\xa9t\xc3\xa9\0")},
	{CA "description \"\xe2\x82\xac \xf0\x9f\x98\x80\"", DESCRIPTION, 0, 0,
         BYTES("\xe2\x82\xac \xf0\x9f\x98\x80\0")},
	{CA "description long\ndescription \"\"", DESCRIPTION, 0, 0, BYTES("\0\0\0\0")},
	{CA "description " LETTERS "f", DESCRIPTION, 0, 0, BYTES(LETTERS "f")},
	{SWITCH, LINEAR, 0, 0, BYTES("\xff\xff")},
	{SWITCH "lft 0-1023 20\nlft 0x10 0\nlft 18 none", LINEAR, 0, 15, BYTES("\x14\0\x14\xff\x14")},
	{SWITCH "lft 0-1023 20", LINEAR, 0, 1022, BYTES("\x14\x14")},
	{RANDOM "rft 15 49151 7 20", RANDOM_TABLE, 0, 60, BYTES("\xbf\xff\xf0\x14")},
	{RANDOM "rft 1 8 1 none invalid", RANDOM_TABLE, 0, 4, BYTES("\0\x08\x10\xff")},
	{RANDOM "rft 1 8 1 0 valid", RANDOM_TABLE, 0, 4, BYTES("\0\x08\x90\0")},
	{SWITCH "mft 0xC000-0xC001 0,15-17", MULTICAST, 0, 0, BYTES("\x80\x01\x80\x01\0\0")},
	{SWITCH "mft 0xC000-0xC001 0,15-17", MULTICAST, 0, 128, BYTES("\0\x03\0\x03\0\0")},
	{SWITCH "mft 49215 all", MULTICAST, 0, 126, BYTES("\xff\xfe\0\0")},
	{SWITCH "mft 49215 all", MULTICAST, 0, 254, BYTES("\0\x1f")},
	{SWITCH "mft 0xC000 all\nmft 0xC000 none", MULTICAST, 0, 0, BYTES("\0\0")},
	{CA "diag 65535 7", DIAG, 0, 0, BYTES("\0\x07\0\0")},
	{CA "diag 0 1 a0\ndiag 1 0 b0b1", DIAG, 1, 0, BYTES("\0\0\xb0\xb1\0")},
	{CA "diag 0 1 a0a1\ndiag 0 2 c0", DIAG, 0, 0, BYTES("\0\x02\xc0\0")},
	{CA "diag 0 0 " BYTES_62, DIAG, 0, 0, BYTES("\0\0\x01\x23\x45\x67\x89\xab\xcd\xef")},
};

/* By their bit; NULL where there is no name. */
static const char *const capabilities2[16] = {
	"IsSetNodeDescriptionSupported",   "IsPortInfoExtendedSupported", "IsVirtualizationSupported",
	"IsSwitchPortStateTableSupported", "IsLinkWidth2xSupported",      "IsLinkSpeedHDRSupported",
	"IsMKeyProtectBitsExtSupported",   "IsEnhancedTrap128Supported",  "IsPartitionTopSupported",
	"IsEnhancedQoSArbiterSupported",   "IsLinkSpeedNDRSupported",     "IsExtendedSpeeds2Supported",
	"IsLinkSpeedXDRSupported",
};

static void test_capabilities2(void)
{
	for (unsigned bit = 0; bit < UNIT_COUNT(capabilities2) && capabilities2[bit]; bit++) {
		struct nodefile_fixture fixture;
		char text[256];
		int size = snprintf(text, sizeof(text), CA "capability 1 %s on", capabilities2[bit]);

		unit_case("%s", capabilities2[bit]);
		if (CHECK_EQUAL(nodefile_fixture_parse(&fixture, text, (size_t)size), 0))
			CHECK_EQUAL(wire_get16(fixture.state->port[1].info + 60), 1U << bit);
		nodefile_fixture_close(&fixture);
	}
}

static void test_bytes(void)
{
	for (size_t i = 0; i < UNIT_COUNT(parts); i++) {
		struct nodefile_fixture fixture;
		const uint8_t *part;

		unit_case("case %zu, %s", i, nodefile_fixture_case(parts[i].text));
		nodefile_fixture_parse(&fixture, parts[i].text, strlen(parts[i].text));
		CHECK_TEXT(fixture.error, "");
		part = fixture.state ? place_of(fixture.state, parts[i].place, parts[i].port) : NULL;
		if (CHECK(part))
			CHECK_OCTETS(part + parts[i].offset, parts[i].bytes, parts[i].size);
		nodefile_fixture_close(&fixture);
	}
}

static void test_rest(void)
{
	static const char ranged[] = CA "vendorRange yes\nlink 2 up\ndiag 5 0\ndiag 5 1";
	static const char unranged[] = CA "vendorRange yes\nvendorRange no";
	struct nodefile_fixture fixture;

	nodefile_fixture_parse(&fixture, ranged, strlen(ranged));
	if (!CHECK(fixture.state))
		return;
	CHECK(fixture.state->vendor_range);
	CHECK(fixture.state->port[2].link);
	CHECK(!fixture.state->port[1].link);
	CHECK_EQUAL(fixture.state->diag_count, 1);
	CHECK_EQUAL(fixture.state->diags[0].index, 5);
	nodefile_fixture_close(&fixture);
	nodefile_fixture_parse(&fixture, unranged, strlen(unranged));
	CHECK(fixture.state && !fixture.state->vendor_range);
	nodefile_fixture_close(&fixture);
}

/* ---- forms of text ---- */

static void test_forms(void)
{
	static const char *const texts[] = {
		CA,
		"nodeGuid 0x1000\nports 2\nnodeType ca",
		"lid 1 5\n\t ports\t2  \r\n#\n   # comment\n\n\nNODETYPE CA#a\n",
		"\n\nnodeguid 4096 # a GUID\nports \"2\"\nnodeType \"ca\"   #\n",
	};
	static const bool good[] = {true, true, false, true};

	for (size_t i = 0; i < UNIT_COUNT(texts); i++) {
		struct nodefile_fixture fixture;

		unit_case("text %zu", i);
		nodefile_fixture_parse(&fixture, texts[i], strlen(texts[i]));
		CHECK_EQUAL(fixture.state != NULL, good[i]);
		nodefile_fixture_close(&fixture);
	}
}

/* ---- files ---- */

static void test_examples(void)
{
	static const struct {
		const char *name;
		unsigned type, ports;
	} examples[] = {
		{"sma/nodes/ca.conf", SMA_NODE_CA, 2},
		{"sma/nodes/switch36.conf", SMA_NODE_SWITCH, 36},
		{"sma/nodes/switch8-rft.conf", SMA_NODE_SWITCH, 8},
		{"sma/nodes/router.conf", SMA_NODE_ROUTER, 2},
		{"sma/nodes/switch-max.conf", SMA_NODE_SWITCH, 254},
	};

	for (size_t i = 0; i < UNIT_COUNT(examples); i++) {
		struct nodefile_fixture fixture;

		unit_case("%s", examples[i].name);
		CHECK_EQUAL(nodefile_fixture_load(&fixture, unit_source(examples[i].name)), 0);
		CHECK_TEXT(fixture.error, "");
		if (CHECK(fixture.state)) {
			CHECK_EQUAL(fixture.state->type, examples[i].type);
			CHECK_EQUAL(fixture.state->ports, examples[i].ports);
			CHECK(fixture.state->port[1].link);
		}
		nodefile_fixture_close(&fixture);
	}
}

static void check_ports_full(const struct soft_state *state)
{
	for (unsigned p = 1; p <= state->ports; p++) {
		unit_case("port %u", p);
		CHECK_EQUAL(state->port[p].pkey_count, 64);
		CHECK_EQUAL(wire_get16(state->port[p].pkeys + 126), 0x8001);
		CHECK_EQUAL(state->port[p].vlarb[3][63], 255);
		CHECK_EQUAL(state->port[p].sl2vl[254 * SOFT_SL2VL_SIZE + 7], 0xEF);
	}
}

static void test_maximal(void)
{
	const struct soft_state *state;
	struct nodefile_fixture fixture;

	if (!CHECK_EQUAL(nodefile_fixture_load(&fixture, unit_source("sma/nodes/switch-max.conf")), 0))
		return;
	state = fixture.state;
	CHECK_EQUAL(state_get(state, 0, SMA_SwitchInfo_LinearFDBTop), 49151);
	CHECK_EQUAL(state_get(state, 0, SMA_SwitchInfo_MulticastFDBTop), 0xFFFF);
	CHECK_EQUAL(state->linear[0], 1);
	CHECK_EQUAL(state->linear[254], 254);
	CHECK_EQUAL(state->linear[49151], 1);
	CHECK_EQUAL(state->positions, 16);
	CHECK_EQUAL(wire_get16(state->multicast + 16 * 16384UL * 2 - 2), 0x7FFF);
	CHECK_EQUAL(wire_get16(state->port[0].pkeys + 131068), 0x8001);
	CHECK_EQUAL(wire_get64(state->port[0].guids + 2032), 0x0002C9020001F0FE);
	CHECK_EQUAL(state->description[63], 'l');
	check_ports_full(state);
	nodefile_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"lines that set components", test_components},
	{"bits of CapabilityMask2", test_capabilities2},
	{"lines that set bytes", test_bytes},
	{"links, diagnostics, vendor range", test_rest},
	{"forms of text", test_forms},
	{"the examples", test_examples},
	{"the maximal switch", test_maximal},
};

int main(void)
{
	return UNIT_MAIN("nodefile", tests);
}
