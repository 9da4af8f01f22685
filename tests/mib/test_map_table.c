// SPDX-License-Identifier: BSD-2-Clause
/* The tables, with the decisions D-n and field reports that concern them. */
#include <infiniband/umad_sm.h>

#include "sma/log.h"
#include "tests/logged.h"
#include "tests/mib/cases.h"
#include "tests/mib/expected.h"
#include "tests/unit.h"

enum {
	NODE = UMAD_SM_ATTR_NODE_INFO,
	SWITCH = UMAD_SM_ATTR_SWITCH_INFO,
	GUID = UMAD_SM_ATTR_GUID_INFO,
	PORT = UMAD_SM_ATTR_PORT_INFO,
	PKEY = UMAD_SM_ATTR_PKEY_TABLE,
	SLVL = UMAD_SM_ATTR_SLVL_TABLE,
	VLARB = UMAD_SM_ATTR_VL_ARB_TABLE,
	LFT = UMAD_SM_ATTR_LINEAR_FT,
	RFT = UMAD_SM_ATTR_RANDOM_FT,
	MFT = UMAD_SM_ATTR_MCAST_FT,
	SM = UMAD_SM_ATTR_SM_INFO,
	DIAG = UMAD_SM_ATTR_VENDOR_DIAG,
	LED = UMAD_SM_ATTR_LED_INFO,
};

#define ZERO_GUID "x0000000000000000"
#define ZERO_DATA                                                                                            \
	"x0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000" \
	"0"                                                                                                  \
	"00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000" \
	"00"                                                                                                 \
	"00000000000000000000000000000000000000000000000000"

static const struct map_case guid_cases[] = {
	{"first", "ca", {{0}}, "ibSmaGuidVal.1.1", "x0000000000001001"},
	{"zero entries count", "ca", {{0}}, "ibSmaGuidVal.1.3", ZERO_GUID},
	{"second block", "ca", {{0}}, "ibSmaGuidVal.1.9", "x0000000000000009"},
	{"last", "ca", {{0}}, "ibSmaGuidVal.1.12", "x000000000000000c"},
	{"behind GUIDCap", "ca", {{0}}, "ibSmaGuidVal.1.13", "absent"},
	{"index 0", "ca", {{0}}, "ibSmaGuidVal.1.0", "absent"},
	{"GUIDCap 0: one row of zeros", "ca", {{0}}, "ibSmaGuidVal.2.1", ZERO_GUID},
	{"GUIDCap 0: no second row", "ca", {{0}}, "ibSmaGuidVal.2.2", "absent"},
	{"a port that cannot be asked", "ca", {{0}}, "ibSmaGuidVal.3.1", "absent"},
	{"not implemented: one row of zeros", "ca", {{GUID, 0, 0, "=c"}}, "ibSmaGuidVal.1.1", ZERO_GUID},
	{"not implemented: no second row", "ca", {{GUID, 0, 0, "=c"}}, "ibSmaGuidVal.1.9", "absent"},
	{"the first block cannot be read", "ca", {{GUID, 0, 0, "=1c"}}, "ibSmaGuidVal.1.1", "absent"},
	{"the second can", "ca", {{GUID, 0, 0, "=1c"}}, "ibSmaGuidVal.1.9", "x0000000000000009"},
	{"a switch", "sw8", {{0}}, "ibSmaGuidVal.8.1", ZERO_GUID},
	{"one row", "sw8", {{0}}, "ibSmaGuidVal.8.2", "absent"},
	{"its port 0", "sw8", {{0}}, "ibSmaGuidVal.0.1", "absent"},
	{"255 GUIDs",
         "ca",
         {{PORT, 1, 50, "ff"}, {GUID, 31, 48, "123456789abcdef0"}},
         "ibSmaGuidVal.1.255",
         "x123456789abcdef0"},
};

static void test_guid(void)
{
	check_cases(guid_cases, UNIT_COUNT(guid_cases));
}

static const struct map_case pkey_cases[] = {
	{"FFFF", "ca", {{0}}, "ibSmaPKeyMembership.255.1", "3"},
	{"FFFF", "ca", {{0}}, "ibSmaPKeyBase.255.1", "32767"},
	{"0123", "ca", {{0}}, "ibSmaPKeyMembership.255.2", "2"},
	{"0123", "ca", {{0}}, "ibSmaPKeyBase.255.2", "291"},
	{"8001", "ca", {{0}}, "ibSmaPKeyMembership.255.3", "3"},
	{"8001", "ca", {{0}}, "ibSmaPKeyBase.255.3", "1"},
	{"7FFF", "ca", {{0}}, "ibSmaPKeyMembership.255.4", "2"},
	{"7FFF", "ca", {{0}}, "ibSmaPKeyBase.255.4", "32767"},
	{"0000", "ca", {{0}}, "ibSmaPKeyMembership.255.5", "1"},
	{"8000", "ca", {{0}}, "ibSmaPKeyMembership.255.6", "1"},
	{"8000", "ca", {{0}}, "ibSmaPKeyBase.255.6", "0"},
	{"second block", "ca", {{0}}, "ibSmaPKeyBase.255.40", "4660"},
	{"behind PartitionCap", "ca", {{0}}, "ibSmaPKeyBase.255.41", "absent"},
	{"ports of a CA", "ca", {{0}}, "ibSmaPKeyBase.1.1", "absent"},
	{"the other port", "ca", {{0}}, "ibSmaPKeyBase.2.1", "absent"},
	{"index 0", "ca", {{0}}, "ibSmaPKeyBase.255.0", "absent"},
	{"port 0 of a switch", "sw8", {{0}}, "ibSmaPKeyBase.255.2", "1"},
	{"its last", "sw8", {{0}}, "ibSmaPKeyBase.255.33", "32767"},
	{"behind it", "sw8", {{0}}, "ibSmaPKeyBase.255.34", "absent"},
	{"an external port", "sw8", {{0}}, "ibSmaPKeyMembership.8.1", "3"},
	{"an external port", "sw8", {{0}}, "ibSmaPKeyBase.8.1", "8"},
	{"its second", "sw8", {{0}}, "ibSmaPKeyMembership.8.2", "2"},
	{"its last", "sw8", {{0}}, "ibSmaPKeyBase.8.34", "2184"},
	{"a block that cannot be read", "sw8", {{0}}, "ibSmaPKeyBase.3.34", "absent"},
	{"the one before it", "sw8", {{0}}, "ibSmaPKeyBase.3.32", "0"},
	{"no enforcement", "sw40", {{0}}, "ibSmaPKeyBase.1.1", "absent"},
	{"SwitchInfo refused: port 0 stays", "sw8", {{SWITCH, 0, 0, "=1c"}}, "ibSmaPKeyBase.255.2", "1"},
	{"65535 keys",
         "ca",
         {{NODE, 0, 28, "ffff"}, {PKEY, 2047, 0, "8042"}},
         "ibSmaPKeyBase.255.65505",
         "66"},
	{"no row 65506",
         "ca",
         {{NODE, 0, 28, "ffff"}, {PKEY, 2047, 0, "80428042"}},
         "ibSmaPKeyBase.255.65506",
         "absent"},
};

static void test_pkey(void)
{
	check_cases(pkey_cases, UNIT_COUNT(pkey_cases));
}

static const struct map_case sl2vl_cases[] = {
	{"SL 15", "sw8", {{0}}, "ibSmaVirtualLane.1.8.16", "7"},
	{"SL 14", "sw8", {{0}}, "ibSmaVirtualLane.1.8.15", "14"},
	{"SL 0", "sw8", {{0}}, "ibSmaVirtualLane.1.8.1", "0"},
	{"the pair the other way", "sw8", {{0}}, "ibSmaVirtualLane.8.1.1", "1"},
	{"in 0", "sw8", {{0}}, "ibSmaVirtualLane.2.255.16", "0"},
	{"out 0, enhanced", "sw8", {{0}}, "ibSmaVirtualLane.255.3.1", "3"},
	{"out 0 and in 0", "sw8", {{0}}, "ibSmaVirtualLane.255.255.2", "1"},
	{"out 0, not enhanced", "sw8", {{SWITCH, 0, 16, "00"}}, "ibSmaVirtualLane.255.3.1", "absent"},
	{"not enhanced: in 0 stays", "sw8", {{SWITCH, 0, 16, "00"}}, "ibSmaVirtualLane.2.255.1", "0"},
	{"a pair that cannot be read", "sw8", {{0}}, "ibSmaVirtualLane.3.2.1", "absent"},
	{"discard is shown", "sw8", {{SLVL, 0x102, 0, "f0"}}, "ibSmaVirtualLane.2.1.1", "15"},
	{"SL index 0", "sw8", {{0}}, "ibSmaVirtualLane.2.1.0", "absent"},
	{"SL index 17", "sw8", {{0}}, "ibSmaVirtualLane.2.1.17", "absent"},
	{"port 9", "sw8", {{0}}, "ibSmaVirtualLane.9.1.1", "absent"},
	{"no mapping", "sw40", {{SLVL, 0x101, 0, "01"}}, "ibSmaVirtualLane.1.1.1", "absent"},
	{"a CA", "ca", {{0}}, "ibSmaVirtualLane.1.255.16", "15"},
	{"its other port", "ca", {{0}}, "ibSmaVirtualLane.2.255.1", "15"},
	{"by input port", "ca", {{0}}, "ibSmaVirtualLane.1.1.1", "absent"},
	{"by no output port", "ca", {{0}}, "ibSmaVirtualLane.255.255.1", "absent"},
};

static void test_sl2vl(void)
{
	check_cases(sl2vl_cases, UNIT_COUNT(sl2vl_cases));
}

/* Input ports whose block cannot be read are passed over, those behind them are not. */
static void test_sl2vl_inputs(void)
{
	static const enum fake_fault faults[] = {FAKE_REFUSE, FAKE_SILENT, FAKE_LOST};
	static const uint32_t before[] = {1, 7, 1, 1, 4, 2, 1, 16};
	struct mib_answer answer;

	for (size_t i = 0; i < UNIT_COUNT(faults); i++) {
		struct fixture b;

		logged_start(false);
		fixture_init(&b, "sw8");
		fixture_open(&b);
		fake_qp0_fault_block(b.fake, 0, SLVL, 0x202, faults[i], FAKE_FOREVER);
		fake_qp0_fault_block(b.fake, 0, SLVL, 0x302, faults[i], FAKE_FOREVER);
		unit_case("fault %d", faults[i]);
		CHECK_EQUAL(ask(&b, tree_next, before, UNIT_COUNT(before), &answer), 0);
		CHECK_TEXT(oid_text(answer.subid, answer.length), "1.7.1.1.4.2.4.1");
		fixture_close(&b);
		logged_stop();
	}
}

static const struct map_case vlarb_cases[] = {
	{"high weight", "sw40", {{0}}, "ibSmaHiPriWeight.1.1", "4"},
	{"high lane", "sw40", {{0}}, "ibSmaHiPriVirtLane.40.8", "7"},
	{"low weight", "sw40", {{0}}, "ibSmaLowPriWeight.3.2", "4"},
	{"behind the capacity", "sw40", {{0}}, "ibSmaLowPriWeight.3.9", "absent"},
	{"high", "sw40", {{0}}, "ibSmaHiPriWeight.2.1", "absent"},
	{"low", "sw40", {{0}}, "ibSmaLowPriVirtLane.2.1", "absent"},
	{"the capacity", "sw40", {{0}}, "ibSmaPortVlArbHighCapacity.2", "8"},
	{"PortInfo cannot be read", "sw40", {{0}}, "ibSmaHiPriWeight.33.1", "absent"},
	{"the port behind it", "sw40", {{0}}, "ibSmaHiPriWeight.34.1", "4"},
	{"second half", "ca", {{0}}, "ibSmaLowPriWeight.1.34", "1"},
	{"VL 15", "ca", {{0}}, "ibSmaHiPriVirtLane.1.3", "absent"},
	{"the weight of VL 15", "ca", {{0}}, "ibSmaHiPriWeight.1.3", "absent"},
	{"reserved bits above the VL", "ca", {{0}}, "ibSmaLowPriVirtLane.1.5", "4"},
	{"weight 255", "ca", {{0}}, "ibSmaHiPriWeight.1.1", "255"},
	{"VL 14", "ca", {{0}}, "ibSmaLowPriVirtLane.1.15", "14"},
	{"no capacity", "sw8", {{0}}, "ibSmaLowPriVirtLane.5.1", "absent"},
	{"capacity above 64", "sw8", {{0}}, "ibSmaHiPriVirtLane.6.64", "14"},
	{"no entry 65", "sw8", {{VLARB, 0x50006, 0, "0101"}}, "ibSmaHiPriVirtLane.6.65", "absent"},
	{"a port that cannot be asked", "ca", {{0}}, "ibSmaHiPriWeight.3.1", "absent"},
};

static void test_vlarb(void)
{
	check_cases(vlarb_cases, UNIT_COUNT(vlarb_cases));
}

static const struct map_case forwarding_cases[] = {
	{"port 200", "sw40", {{0}}, "ibSmaLinForwEgressPort.5", "200"},
	{"port 0", "sw40", {{0}}, "ibSmaLinForwEgressPort.2", "255"},
	{"0xFF", "sw40", {{0}}, "ibSmaLinForwEgressPort.0", "absent"},
	{"LID 0", "sw40", {{LFT, 0, 0, "07"}}, "ibSmaLinForwEgressPort.0", "7"},
	{"the top", "sw40", {{0}}, "ibSmaLinForwEgressPort.200", "40"},
	{"above the top", "sw40", {{0}}, "ibSmaLinForwEgressPort.201", "absent"},
	{"a block that cannot be read", "sw40", {{0}}, "ibSmaLinForwEgressPort.128", "absent"},
	{"a random table", "sw8", {{LFT, 0, 0, "01"}}, "ibSmaLinForwEgressPort.0", "absent"},
	{"a CA", "ca", {{LFT, 0, 0, "01"}}, "ibSmaLinForwEgressPort.0", "absent"},

	{"LID", "sw8", {{0}}, "ibSmaRandomDestLID.1", "5"},
	{"port", "sw8", {{0}}, "ibSmaRandomForwEgressPort.1", "2"},
	{"LMC", "sw8", {{0}}, "ibSmaRandomLMC.1", "3"},
	{"valid", "sw8", {{0}}, "ibSmaRandomIsValid.1", "1"},
	{"LID 0", "sw8", {{0}}, "ibSmaRandomIsValid.2", "absent"},
	{"LID 49152", "sw8", {{0}}, "ibSmaRandomDestLID.3", "49152"},
	{"not valid", "sw8", {{0}}, "ibSmaRandomIsValid.3", "2"},
	{"port 0", "sw8", {{0}}, "ibSmaRandomForwEgressPort.3", "absent"},
	{"LID 49153", "sw8", {{0}}, "ibSmaRandomDestLID.4", "absent"},
	{"port 255", "sw8", {{0}}, "ibSmaRandomForwEgressPort.4", "absent"},
	{"the other columns stay", "sw8", {{0}}, "ibSmaRandomLMC.4", "0"},
	{"port 254", "sw8", {{0}}, "ibSmaRandomForwEgressPort.16", "254"},
	{"entry 253", "sw8", {{0}}, "ibSmaRandomDestLID.254", "254"},
	{"entry 254", "sw8", {{0}}, "ibSmaRandomDestLID.255", "absent"},
	{"no entry -1", "sw8", {{0}}, "ibSmaRandomDestLID.0", "absent"},
	{"a linear table", "sw40", {{RFT, 0, 0, "00058002"}}, "ibSmaRandomDestLID.1", "absent"},

	{"port 17",
         "sw40",
         {{0}},
         "ibSmaMulForwMask.49152",
         "x0000400000000000000000000000000000000000000000000000000000000000"},
	{"port 0",
         "sw40",
         {{0}},
         "ibSmaMulForwMask.49153",
         "x8000000000000000000000000000000000000000000000000000000000000000"},
	{"port 40",
         "sw40",
         {{0}},
         "ibSmaMulForwMask.49154",
         "x0000000000800000000000000000000000000000000000000000000000000000"},
	{"all ports",
         "sw40",
         {{0}},
         "ibSmaMulForwMask.49155",
         "xffffffffff800000000000000000000000000000000000000000000000000000"},
	{"no port", "sw40", {{0}}, "ibSmaMulForwMask.49156", "absent"},
	{"a position that cannot be read", "sw40", {{0}}, "ibSmaMulForwMask.49184", "absent"},
	{"MulticastFDBTop",
         "sw40",
         {{0}},
         "ibSmaMulForwMask.49222",
         "x0001800000000000000000000000000000000000000000000000000000000000"},
	{"above MulticastFDBTop", "sw40", {{0}}, "ibSmaMulForwMask.49223", "absent"},
	{"no MulticastFDBTop",
         "sw40",
         {{PORT, 0, 20, "00"}},
         "ibSmaMulForwMask.49223",
         "xbbbb000000000000000000000000000000000000000000000000000000000000"},
	{"a unicast LID", "sw40", {{0}}, "ibSmaMulForwMask.49151", "absent"},
	{"no multicast", "sw8", {{MFT, 0, 0, "ffff"}}, "ibSmaMulForwMask.49152", "absent"},
};

static void test_forwarding(void)
{
	check_cases(forwarding_cases, UNIT_COUNT(forwarding_cases));
}

static const struct map_case sm_cases[] = {
	{"GUID", "ca", {{0}}, "ibSmaSmGuid.1", "x0000000000001001"},
	{"the key is hidden", "ca", {{0}}, "ibSmaSmSmKey.1", ZERO_GUID},
	{"count", "ca", {{0}}, "ibSmaSmSmpCount.1", "4294967295"},
	{"priority", "ca", {{0}}, "ibSmaSmPriority.1", "12"},
	{"standby", "ca", {{0}}, "ibSmaSmState.1", "4"},
	{"not active", "ca", {{SM, 0, 20, "00"}}, "ibSmaSmState.1", "2"},
	{"discovering", "ca", {{SM, 0, 20, "01"}}, "ibSmaSmState.1", "3"},
	{"master", "ca", {{SM, 0, 20, "03"}}, "ibSmaSmState.1", "5"},
	{"unknown", "ca", {{SM, 0, 20, "04"}}, "ibSmaSmState.1", "1"},
	{"a port whose SM does not answer", "ca", {{0}}, "ibSmaSmState.2", "absent"},
	{"a port without SM", "ca", {{PORT, 1, 23, "68"}}, "ibSmaSmState.1", "absent"},
	{"port 0", "sw8", {{SM, 0, 20, "03"}}, "ibSmaSmState.0", "absent"},
	{"no data port", "sw8", {{SM, 0, 20, "03"}}, "ibSmaSmState.255", "absent"},
	{"a port of a switch", "sw8", {{SM, 0, 20, "03"}, {PORT, 1, 23, "02"}}, "ibSmaSmState.1", "absent"},
};

static void test_sm(void)
{
	check_cases(sm_cases, UNIT_COUNT(sm_cases));
}

#define DIAG_5                                                                                               \
	"05060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435" \
	"363738393a3b3c3d3e3f404142"
#define DIAG_9                                                                                               \
	"45464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475" \
	"767778797a7b7c7d7e7f808182"
#define DIAG_0                                                                                               \
	"00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000" \
	"00000000000000000000000000"

static const struct map_case diag_cases[] = {
	{"soft error", "ca", {{0}}, "ibSmaPortGenericDiagCode.1", "4"},
	{"hard error", "ca", {{0}}, "ibSmaPortGenericDiagCode.2", "5"},
	{"ready", "ca", {{PORT, 1, 24, "0000"}}, "ibSmaPortGenericDiagCode.1", "1"},
	{"self-test", "ca", {{PORT, 1, 24, "0001"}}, "ibSmaPortGenericDiagCode.1", "2"},
	{"initializing", "ca", {{PORT, 1, 24, "0002"}}, "ibSmaPortGenericDiagCode.1", "3"},
	{"reserved", "ca", {{PORT, 1, 24, "0005"}}, "ibSmaPortGenericDiagCode.1", "6"},
	{"the management port again", "ca", {{0}}, "ibSmaPortGenericDiagCode.255", "4"},
	{"vendor code", "ca", {{0}}, "ibSmaPortVendorDiagCode.1", "5"},
	{"vendor code 2047", "sw8", {{0}}, "ibSmaPortVendorDiagCode.255", "2047"},
	{"two blocks", "ca", {{0}}, "ibSmaPortVendorDiagData.1", "x" DIAG_5 DIAG_9},
	{"two blocks", "ca", {{0}}, "ibSmaPortVendorDiagIndexFwd.1", "1"},
	{"of the management port", "ca", {{0}}, "ibSmaPortVendorDiagData.255", "x" DIAG_5 DIAG_9},
	{"the second cannot be read",
         "ca",
         {{DIAG, 9, 0, "=1c"}},
         "ibSmaPortVendorDiagData.1",
         "x" DIAG_5 DIAG_0},
	{"bit 15 clear", "ca", {{PORT, 1, 24, "0053"}}, "ibSmaPortVendorDiagIndexFwd.1", "2"},
	{"bit 15 clear", "ca", {{PORT, 1, 24, "0053"}}, "ibSmaPortVendorDiagData.1", ZERO_DATA},
	{"no error", "ca", {{PORT, 1, 24, "8052"}}, "ibSmaPortVendorDiagIndexFwd.1", "2"},
	{"refused", "ca", {{DIAG, 5, 0, "=c"}}, "ibSmaPortVendorDiagIndexFwd.1", "2"},
	{"refused", "ca", {{DIAG, 5, 0, "=1c"}}, "ibSmaPortVendorDiagData.1", ZERO_DATA},
	{"of the other port", "ca", {{DIAG, 7, 2, "ee"}}, "ibSmaPortVendorDiagIndexFwd.2", "1"},
	{"a port that cannot be asked", "ca", {{DIAG, 0x123, 2, "ee"}}, "ibSmaPortVendorDiagIndexFwd.3", "2"},
	{"external ports have none", "sw8", {{PORT, 1, 24, "8003"}}, "ibSmaPortGenericDiagCode.1", "absent"},
};

static void test_diag(void)
{
	check_cases(diag_cases, UNIT_COUNT(diag_cases));
}

static const struct map_case led_cases[] = {
	{"on", "ca", {{0}}, "ibSmaLedState.1", "2"},
	{"off", "ca", {{LED, 0, 0, "7f"}}, "ibSmaLedState.1", "3"},
	{"refused", "ca", {{LED, 0, 0, "=c"}}, "ibSmaLedState.1", "1"},
	{"cannot be read", "ca", {{LED, 0, 0, "=1c"}}, "ibSmaLedState.1", "1"},
	{"the other port refuses", "ca", {{0}}, "ibSmaLedState.2", "1"},
	{"a port that cannot be asked", "ca", {{0}}, "ibSmaLedState.3", "1"},
	{"no LED", "ca", {{PORT, 1, 22, "48"}}, "ibSmaLedState.1", "absent"},
	{"a switch", "sw8", {{0}}, "ibSmaLedState.1", "absent"},
	{"its port 0", "sw8", {{0}}, "ibSmaLedState.255", "absent"},
};

static void test_led(void)
{
	check_cases(led_cases, UNIT_COUNT(led_cases));
}

static void test_exposed_keys(void)
{
	struct fixture b;

	fixture_init(&b, "ca");
	b.expose_keys = true;
	fixture_open(&b);
	check_instance(&b, "ibSmaPortMKey.0", "x123456789abcdef0");
	check_instance(&b, "ibSmaSmSmKey.1", "x00000000000000aa");
	fixture_close(&b);
}

/* Keys stand in no log line, not even in debug lines. */
static void test_keys_in_no_log(void)
{
	struct fixture b;

	fixture_init(&b, "ca");
	b.config.m_key = 0x123456789ABCDEF0;
	logged_start(true);
	fixture_open(&b);
	walk(&b, NULL, 0);
	CHECK(logged_level(SMA_LOG_DEBUG) > 20);
	CHECK_EQUAL(logged_with("123456789abcdef0"), 0);
	CHECK_EQUAL(logged_with("123456789ABCDEF0"), 0);
	logged_stop();
	fixture_close(&b);
}

static const struct unit_test tests[] = {
	{"GUIDs", test_guid},
	{"P_Keys", test_pkey},
	{"SL to VL", test_sl2vl},
	{"SL to VL, input ports that cannot be read", test_sl2vl_inputs},
	{"VL arbitration", test_vlarb},
	{"forwarding", test_forwarding},
	{"subnet managers", test_sm},
	{"diagnostics", test_diag},
	{"LEDs", test_led},
	{"keys are exposed on demand", test_exposed_keys},
	{"keys stand in no log line", test_keys_in_no_log},
};

int main(void)
{
	return UNIT_MAIN("map_table", tests);
}
