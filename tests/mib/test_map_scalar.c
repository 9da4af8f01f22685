// SPDX-License-Identifier: BSD-2-Clause
/* The scalars: NodeInfo, SwitchInfo and the management port, with the decisions D-n that concern them. */
#include <infiniband/umad_sm.h>

#include "tests/mib/cases.h"
#include "tests/unit.h"

enum {
	DESCRIPTION = UMAD_SM_ATTR_NODE_DESC,
	NODE = UMAD_SM_ATTR_NODE_INFO,
	SWITCH = UMAD_SM_ATTR_SWITCH_INFO,
	PORT = UMAD_SM_ATTR_PORT_INFO,
};

static const struct map_case node_cases[] = {
	{"64 letters without NUL",
         "ca",
         {{0}},
         "ibSmaNodeString.0",
         "x41414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141"
         "414141"
         "414141414141414141414141"},
	{"cut at the NUL", "ca", {{DESCRIPTION, 0, 3, "00"}}, "ibSmaNodeString.0", "x414141"},
	{"blanks at the end", "ca", {{DESCRIPTION, 0, 2, "202000"}}, "ibSmaNodeString.0", "x4141"},
	{"blanks before", "ca", {{DESCRIPTION, 0, 0, "204100"}}, "ibSmaNodeString.0", "x2041"},
	{"empty", "ca", {{DESCRIPTION, 0, 0, "00"}}, "ibSmaNodeString.0", "x20"},
	{"blanks alone", "ca", {{DESCRIPTION, 0, 0, "20202000"}}, "ibSmaNodeString.0", "x20"},
	{"not printable",
         "ca",
         {{DESCRIPTION, 0, 0, "1f207e7f80ff0a00"}},
         "ibSmaNodeString.0",
         "x3f207e3f3f3f3f"},
	{"no description", "ca", {{DESCRIPTION, 0, 0, "=c"}}, "ibSmaNodeString.0", "absent"},
	{"one lost attribute leaves the others", "ca", {{DESCRIPTION, 0, 0, "=1c"}}, "ibSmaNodeType.0", "1"},
	{"base version", "ca", {{NODE, 0, 0, "ff"}}, "ibSmaNodeBaseVersion.0", "255"},
	{"base version 0", "ca", {{NODE, 0, 0, "00"}}, "ibSmaNodeBaseVersion.0", "absent"},
	{"class version 0", "ca", {{NODE, 0, 1, "00"}}, "ibSmaNodeClassVersion.0", "absent"},
	{"router", "ca", {{NODE, 0, 2, "03"}}, "ibSmaNodeType.0", "3"},
	{"another type", "ca", {{NODE, 0, 2, "04"}}, "ibSmaNodeType.0", "4"},
	{"type 0", "ca", {{NODE, 0, 2, "00"}}, "ibSmaNodeType.0", "4"},
	{"254 ports", "ca", {{NODE, 0, 3, "fe"}}, "ibSmaNodeNumPorts.0", "254"},
	{"no port", "ca", {{NODE, 0, 3, "00"}}, "ibSmaNodeNumPorts.0", "absent"},
	{"255 ports", "ca", {{NODE, 0, 3, "ff"}}, "ibSmaNodeNumPorts.0", "absent"},
	{"system image",
         "ca",
         {{NODE, 0, 4, "fedcba9876543210"}},
         "ibSmaSystemImageGuid.0",
         "xfedcba9876543210"},
	{"node GUID", "ca", {{NODE, 0, 12, "8000000000000001"}}, "ibSmaNodeGuid.0", "x8000000000000001"},
	{"port GUID", "ca", {{0}}, "ibSmaNodePortGuid.0", "x0000000000001001"},
	{"PartitionCap", "ca", {{NODE, 0, 28, "ffff"}}, "ibSmaNodePartitionTableNum.0", "65535"},
	{"PartitionCap 0", "ca", {{NODE, 0, 28, "0000"}}, "ibSmaNodePartitionTableNum.0", "absent"},
	{"DeviceID", "ca", {{0}}, "ibSmaNodeDeviceId.0", "x1003"},
	{"Revision", "ca", {{0}}, "ibSmaNodeRevision.0", "x000000a1"},
	{"local port", "ca", {{NODE, 0, 36, "fe"}}, "ibSmaNodeLocalPortNumOrZero.0", "254"},
	{"local port 255", "ca", {{NODE, 0, 36, "ff"}}, "ibSmaNodeLocalPortNumOrZero.0", "0"},
	{"VendorID", "ca", {{0}}, "ibSmaNodeVendorId.0", "x0002c9"},
};

static void test_node(void)
{
	check_cases(node_cases, UNIT_COUNT(node_cases));
}

static const struct map_case switch_cases[] = {
	{"a CA", "ca", {{SWITCH, 0, 0, "01"}}, "ibSmaSwLinearFdbTableNum.0", "absent"},
	{"49152", "sw40", {{SWITCH, 0, 0, "c000"}}, "ibSmaSwLinearFdbTableNum.0", "49151"},
	{"49151", "sw40", {{SWITCH, 0, 0, "bfff"}}, "ibSmaSwLinearFdbTableNum.0", "49151"},
	{"random", "sw8", {{0}}, "ibSmaSwRandomFdbTableNum.0", "300"},
	{"random 65535", "sw8", {{SWITCH, 0, 2, "ffff"}}, "ibSmaSwRandomFdbTableNum.0", "49151"},
	{"multicast 16384", "sw40", {{SWITCH, 0, 4, "4000"}}, "ibSmaSwMulticastFdbTableNum.0", "16383"},
	{"top", "sw40", {{0}}, "ibSmaSwLinearFdbTop.0", "200"},
	{"top 49152",
         "sw40",
         {{SWITCH, 0, 0, "c000"}, {SWITCH, 0, 6, "c000"}},
         "ibSmaSwLinearFdbTop.0",
         "49151"},
	{"a random table has no top", "sw8", {{0}}, "ibSmaSwLinearFdbTop.0", "0"},
	{"default port 255", "sw8", {{0}}, "ibSmaSwDefaultPort.0", "0"},
	{"default port 254", "sw8", {{SWITCH, 0, 8, "fe"}}, "ibSmaSwDefaultPort.0", "254"},
	{"primary", "sw8", {{0}}, "ibSmaSwDefMcastPriPort.0", "3"},
	{"primary 255", "sw8", {{SWITCH, 0, 9, "ff"}}, "ibSmaSwDefMcastPriPort.0", "0"},
	{"not primary", "sw8", {{0}}, "ibSmaSwDefMcastNotPriPort.0", "254"},
	{"not primary 255", "sw8", {{SWITCH, 0, 10, "ff"}}, "ibSmaSwDefMcastNotPriPort.0", "0"},
	{"life time 31", "sw8", {{0}}, "ibSmaSwLifeTimeValue.0", "31"},
	{"life time 18", "sw40", {{0}}, "ibSmaSwLifeTimeValue.0", "18"},
	{"state change, a number", "sw8", {{0}}, "ibSmaSwPortStateChange.0", "1"},
	{"no state change", "sw8", {{SWITCH, 0, 11, "fb"}}, "ibSmaSwPortStateChange.0", "0"},
	{"LIDs per port", "sw8", {{SWITCH, 0, 12, "ffff"}}, "ibSmaSwLidsPerPort.0", "65535"},
	{"enforcement", "sw8", {{0}}, "ibSmaSwPartitionEnforceNum.0", "34"},
	{"inbound", "sw8", {{SWITCH, 0, 16, "80"}}, "ibSmaSwInboundEnforceCap.0", "1"},
	{"outbound", "sw8", {{SWITCH, 0, 16, "40"}}, "ibSmaSwOutboundEnforceCap.0", "1"},
	{"not outbound", "sw8", {{SWITCH, 0, 16, "bf"}}, "ibSmaSwOutboundEnforceCap.0", "2"},
	{"raw inbound", "sw8", {{SWITCH, 0, 16, "20"}}, "ibSmaSwFilterRawPktInputCap.0", "1"},
	{"raw outbound", "sw8", {{SWITCH, 0, 16, "10"}}, "ibSmaSwFilterRawPktOutputCap.0", "1"},
	{"enhanced port 0", "sw8", {{SWITCH, 0, 16, "08"}}, "ibSmaSwEnhancedPort0.0", "1"},
	{"no enhanced port 0", "sw8", {{SWITCH, 0, 16, "f7"}}, "ibSmaSwEnhancedPort0.0", "2"},
	{"SwitchInfo refused", "sw8", {{SWITCH, 0, 0, "=1c"}}, "ibSmaSwEnhancedPort0.0", "absent"},
};

static void test_switch(void)
{
	check_cases(switch_cases, UNIT_COUNT(switch_cases));
}

static const struct map_case port_cases[] = {
	{"prefix", "ca", {{0}}, "ibSmaPortGidPrefix.0", "xfe80000000000000"},
	{"LID 0xFFFF", "ca", {{0}}, "ibSmaPortLid.0", "0"},
	{"LID 49151", "ca", {{PORT, 1, 16, "bfff"}}, "ibSmaPortLid.0", "49151"},
	{"LID 49152", "ca", {{PORT, 1, 16, "c000"}}, "ibSmaPortLid.0", "0"},
	{"SM LID 0", "ca", {{0}}, "ibSmaPortMasterSmLid.0", "0"},
	{"SM LID 0xFFFF", "ca", {{PORT, 1, 18, "ffff"}}, "ibSmaPortMasterSmLid.0", "0"},
	{"lease", "ca", {{0}}, "ibSmaPortMKeyLeasePeriod.0", "4089"},
	{"SM SL", "ca", {{PORT, 1, 36, "0f"}}, "ibSmaPortMasterSmSl.0", "15"},
	{"load", "ca", {{PORT, 1, 37, "f1"}}, "ibSmaPortInitTypeLoad.0", "1"},
	{"content", "ca", {{PORT, 1, 37, "f2"}}, "ibSmaPortInitTypeContent.0", "1"},
	{"presence", "ca", {{PORT, 1, 37, "f4"}}, "ibSmaPortInitTypePresence.0", "1"},
	{"resuscitate", "ca", {{PORT, 1, 37, "f8"}}, "ibSmaPortInitTypeResuscitate.0", "1"},
	{"not resuscitate", "ca", {{PORT, 1, 37, "f7"}}, "ibSmaPortInitTypeResuscitate.0", "2"},
	{"reply: no load", "ca", {{PORT, 1, 41, "1f"}}, "ibSmaPortInitNoLoadReply.0", "1"},
	{"reply: content", "ca", {{PORT, 1, 41, "2f"}}, "ibSmaPortInitPreserveContReply.0", "1"},
	{"reply: presence", "ca", {{PORT, 1, 41, "4f"}}, "ibSmaPortInitPreservePresReply.0", "1"},
	{"reply: the reserved bit", "ca", {{PORT, 1, 41, "8f"}}, "ibSmaPortInitPreservePresReply.0", "2"},
	{"the counter sticks", "ca", {{0}}, "ibSmaPortMKeyViolations.0", "65535"},
	{"P_Key", "ca", {{0}}, "ibSmaPortPKeyViolations.0", "258"},
	{"Q_Key", "ca", {{0}}, "ibSmaPortQKeyViolations.0", "32768"},
	{"GUIDs", "ca", {{PORT, 1, 50, "ff"}}, "ibSmaPortNumGuid.0", "255"},
	{"time-out without the bits above", "ca", {{PORT, 1, 51, "e0"}}, "ibSmaPortSubnetTimeout.0", "0"},
	{"time-out 31", "ca", {{PORT, 1, 51, "1f"}}, "ibSmaPortSubnetTimeout.0", "31"},
	{"response time", "ca", {{0}}, "ibSmaPortResponseTimeValue.0", "19"},
	{"port 0 of a switch", "sw8", {{0}}, "ibSmaPortLid.0", "9"},
	{"PortInfo refused", "sw40", {{PORT, 0, 0, "=1c"}}, "ibSmaPortLid.0", "absent"},
	{"NodeInfo stays", "sw40", {{PORT, 0, 0, "=1c"}}, "ibSmaNodeNumPorts.0", "40"},
	{"SwitchInfo stays", "sw40", {{PORT, 0, 0, "=1c"}}, "ibSmaSwLinearFdbTop.0", "200"},
	{"the linear table stays", "sw40", {{PORT, 0, 0, "=1c"}}, "ibSmaLinForwEgressPort.5", "200"},
};

static void test_management_port(void)
{
	check_cases(port_cases, UNIT_COUNT(port_cases));
}

/* What PortInfo says of the M_Key, by whether keys are shown, and whether the SMA would hide one from us. */
#define SOME_KEY "123456789abcdef0"
#define NO_KEY   "0000000000000000"
static const struct {
	const char *key;
	const char *bits; /* at byte 34, where M_KeyProtectBits are the upper two */
	const char *protection;
	const char *hidden; /* ibSmaPortMKey with keys that are not shown */
	const char *exposed;
	const char *protection_if_trusted;
	const char *if_trusted; /* shown or not */
} keys[] = {
	{NO_KEY, "3f", "1", "x" NO_KEY, "x" NO_KEY, "1", "x" NO_KEY},
	{NO_KEY, "40", "3", "absent", "absent", "1", "x" NO_KEY},
	{NO_KEY, "80", "1", "x" NO_KEY, "x" NO_KEY, "1", "x" NO_KEY},
	{NO_KEY, "c0", "1", "x" NO_KEY, "x" NO_KEY, "1", "x" NO_KEY},
	{SOME_KEY, "3f", "2", "absent", "x" SOME_KEY, "2", NULL},
	{SOME_KEY, "40", "3", "absent", "x" SOME_KEY, "3", NULL},
	{SOME_KEY, "80", "4", "absent", "x" SOME_KEY, "4", NULL},
	{SOME_KEY, "c0", "4", "absent", "x" SOME_KEY, "4", NULL},
	{"0000000000000001", "80", "4", "absent", "x0000000000000001", "4", NULL},
	{"8000000000000000", "80", "4", "absent", "x8000000000000000", "4", NULL},
};

static void check_key(unsigned i, bool exposes, bool trusted)
{
	const struct patch patches[] = {{PORT, 1, 0, keys[i].key}, {PORT, 1, 34, keys[i].bits}};
	const char *wanted = exposes ? keys[i].exposed : keys[i].hidden;
	struct fixture b;

	unit_case("M_Key %s, byte 34 0x%s%s%s", keys[i].key, keys[i].bits, exposes ? ", exposed" : "",
	          trusted ? ", trusted" : "");
	fixture_init(&b, "ca");
	b.expose_keys = exposes;
	b.trusted = trusted;
	for (unsigned p = 0; p < UNIT_COUNT(patches); p++)
		apply_patch(&b, 1, &patches[p]);
	fixture_open(&b);
	check_instance(&b, "ibSmaPortMKey.0", trusted && keys[i].if_trusted ? keys[i].if_trusted : wanted);
	check_instance(&b, "ibSmaPortMKeyProtectBits.0",
	               trusted ? keys[i].protection_if_trusted : keys[i].protection);
	fixture_close(&b);
}

static void test_m_key(void)
{
	for (unsigned i = 0; i < UNIT_COUNT(keys); i++) {
		for (unsigned how = 0; how < 4; how++)
			check_key(i, how & 1, how & 2);
	}
}

static void test_no_port_info(void)
{
	static const char *const objects[] = {"ibSmaPortMKey.0", "ibSmaPortMKeyProtectBits.0"};

	for (unsigned i = 0; i < UNIT_COUNT(objects); i++) {
		const struct map_case refused = {
			"PortInfo is refused", "ca", {{PORT, 1, 0, "=1c"}}, objects[i], "absent"};

		check_cases(&refused, 1);
	}
}

/* Each bit of the CapabilityMask is one object, and no other bit is. */
static const struct {
	unsigned bit;
	const char *object;
} capabilities[] = {
	{1, "ibSmaPortIsSubnetManager.0"},
	{2, "ibSmaPortIsNoticeSupported.0"},
	{3, "ibSmaPortIsTrapSupported.0"},
	{5, "ibSmaPortIsAutoMigrateSupported.0"},
	{6, "ibSmaPortIsSlMappingSupported.0"},
	{7, "ibSmaPortIsMKeyNvram.0"},
	{8, "ibSmaPortIsPKeyNvram.0"},
	{9, "ibSmaPortIsLedInfoSupported.0"},
	{10, "ibSmaPortIsSmDisabled.0"},
	{11, "ibSmaPortIsSysImgGuidSupported.0"},
	{12, "ibSmaPortIsPKeyExtPortTrapSup.0"},
	{16, "ibSmaPortIsCommManageSupported.0"},
	{17, "ibSmaPortIsSnmpTunnelSupported.0"},
	{18, "ibSmaPortIsReinitSupported.0"},
	{19, "ibSmaPortIsDevManageSupported.0"},
	{20, "ibSmaPortIsVendorClassSupported.0"},
	{21, "ibSmaPortIsDrNoticeSupported.0"},
	{22, "ibSmaPortIsCapMaskNoticSupported.0"},
	{23, "ibSmaPortIsBootMgmtSupported.0"},
};

static void check_capability(uint32_t mask)
{
	struct fixture b;

	fixture_init(&b, "ca");
	for (unsigned i = 0; i < 4; i++)
		fake_qp0_data(b.fake, 1, PORT, 1)[20 + i] = (uint8_t)(mask >> (24 - 8 * i));
	fixture_open(&b);
	for (size_t i = 0; i < UNIT_COUNT(capabilities); i++) {
		unit_case("mask 0x%08x, %s", mask, capabilities[i].object);
		check_instance(&b, capabilities[i].object, mask >> capabilities[i].bit & 1 ? "1" : "2");
	}
	fixture_close(&b);
}

static void test_capabilities(void)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		check_capability(1U << bit);
		check_capability(~(1U << bit));
	}
}

static const struct unit_test tests[] = {
	{"node", test_node},
	{"switch", test_switch},
	{"management port", test_management_port},
	{"M_Key and protection", test_m_key},
	{"M_Key without PortInfo", test_no_port_info},
	{"capability mask", test_capabilities},
};

int main(void)
{
	return UNIT_MAIN("map_scalar", tests);
}
