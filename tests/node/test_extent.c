// SPDX-License-Identifier: BSD-2-Clause
/* Capability rules and the keys of blocks, for switch and CA. */
#include <errno.h>

#include <infiniband/umad_sm.h>

#include "tests/logged.h"
#include "tests/node/node_fixture.h"
#include "tests/unit.h"

static struct fixture b;

/* A node whose NodeInfo, SwitchInfo and PortInfo are zero but for what a test sets. CA: ports 1 and 2. */
static void begin(bool is_switch)
{
	unsigned port = is_switch ? 0 : 1;

	logged_start(false);
	fixture_init(&b, NULL);
	fake_qp0_data(b.fake, port, UMAD_SM_ATTR_NODE_INFO, 0);
	for (unsigned i = is_switch ? 0 : 1; i <= 2; i++)
		fake_qp0_data(b.fake, port, UMAD_SM_ATTR_PORT_INFO, i);
	if (is_switch)
		fake_qp0_data(b.fake, 0, UMAD_SM_ATTR_SWITCH_INFO, 0);
	else
		fake_qp0_data(b.fake, 2, UMAD_SM_ATTR_NODE_INFO, 0);
	fixture_open(&b);
}

static void end(void)
{
	fixture_close(&b);
	logged_stop();
}

static void set(enum sma_component component, unsigned port, uint64_t value)
{
	uint16_t id = sma_attr_id(sma_component_attr(component));

	sma_component_set(fake_qp0_data(b.fake, sma_node_port(b.node), id, port), component, value);
}

typedef int count_fn(struct sma_reader *reader, unsigned *count);

/* Count, waiting for blocks. */
static unsigned count_with(count_fn *count_of, int wanted_rc)
{
	unsigned count = 0;
	int rc = -EAGAIN;

	for (unsigned i = 0; i < 10 && rc == -EAGAIN; i++) {
		struct sma_reader reader = fixture_reader(&b, SMA_FRESH, 1);

		rc = count_of(&reader, &count);
		fixture_settle(&b);
	}
	CHECK_EQUAL(rc, wanted_rc);
	return count;
}

static int guids_of_0(struct sma_reader *reader, unsigned *count)
{
	return sma_guid_count(reader, 0, count);
}

static int guids_of_2(struct sma_reader *reader, unsigned *count)
{
	return sma_guid_count(reader, 2, count);
}

static int pkeys_of_0(struct sma_reader *reader, unsigned *count)
{
	return sma_pkey_count(reader, 0, count);
}

static int pkeys_of_2(struct sma_reader *reader, unsigned *count)
{
	return sma_pkey_count(reader, 2, count);
}

static int high_of_2(struct sma_reader *reader, unsigned *count)
{
	return sma_vlarb_count(reader, 2, true, count);
}

static int low_of_2(struct sma_reader *reader, unsigned *count)
{
	return sma_vlarb_count(reader, 2, false, count);
}

static int sl2vl(struct sma_reader *reader, unsigned *count)
{
	bool has = false;
	int rc = sma_has_sl2vl(reader, &has);

	*count = has;
	return rc;
}

/* One component decides. */
struct rule {
	const char *name;
	bool is_switch;
	enum sma_component component;
	unsigned port; /* whose PortInfo it is in */
	unsigned value;
	count_fn *count_of;
	unsigned count;
};

static const struct rule rules[] = {
	{"ports", true, SMA_NodeInfo_NumPorts, 0, 0, sma_port_count, 0},
	{"ports", true, SMA_NodeInfo_NumPorts, 0, 254, sma_port_count, 254},
	{"ports", true, SMA_NodeInfo_NumPorts, 0, 255, sma_port_count, 254},
	{"ports", false, SMA_NodeInfo_NumPorts, 0, 2, sma_port_count, 2},
	{"positions", true, SMA_NodeInfo_NumPorts, 0, 1, sma_mft_positions, 1},
	{"positions", true, SMA_NodeInfo_NumPorts, 0, 15, sma_mft_positions, 1},
	{"positions", true, SMA_NodeInfo_NumPorts, 0, 16, sma_mft_positions, 2},
	{"positions", true, SMA_NodeInfo_NumPorts, 0, 36, sma_mft_positions, 3},
	{"positions", true, SMA_NodeInfo_NumPorts, 0, 40, sma_mft_positions, 3},
	{"positions", true, SMA_NodeInfo_NumPorts, 0, 254, sma_mft_positions, 16},
	{"positions", true, SMA_NodeInfo_NumPorts, 0, 255, sma_mft_positions, 16},
	{"GUIDs", false, SMA_PortInfo_GUIDCap, 1, 255, guids_of_0, 255},
	{"GUIDs of the other port", false, SMA_PortInfo_GUIDCap, 2, 9, guids_of_2, 9},
	{"GUIDs of one port are not those of the other", false, SMA_PortInfo_GUIDCap, 1, 9, guids_of_2, 0},
	{"P_Keys", false, SMA_NodeInfo_PartitionCap, 0, 65535, pkeys_of_0, 65535},
	{"P_Keys of a CA's other port", false, SMA_NodeInfo_PartitionCap, 0, 64, pkeys_of_2, 0},
	{"P_Keys of port 0", true, SMA_NodeInfo_PartitionCap, 0, 8, pkeys_of_0, 8},
	{"P_Keys of port 0 are not those of port 2", true, SMA_NodeInfo_PartitionCap, 0, 8, pkeys_of_2, 0},
	{"enforced P_Keys", true, SMA_SwitchInfo_PartitionEnforcementCap, 0, 64, pkeys_of_2, 64},
	{"high arbitration", true, SMA_PortInfo_VLArbitrationHighCap, 2, 8, high_of_2, 8},
	{"high arbitration", true, SMA_PortInfo_VLArbitrationHighCap, 2, 64, high_of_2, 64},
	{"high arbitration", true, SMA_PortInfo_VLArbitrationHighCap, 2, 65, high_of_2, 64},
	{"high is not low", true, SMA_PortInfo_VLArbitrationHighCap, 2, 8, low_of_2, 0},
	{"low arbitration", false, SMA_PortInfo_VLArbitrationLowCap, 2, 255, low_of_2, 64},
	{"SL to VL", true, SMA_PortInfo_IsSLMappingSupported, 0, 1, sl2vl, 1},
	{"no SL to VL", true, SMA_PortInfo_IsSLMappingSupported, 0, 0, sl2vl, 0},
	{"SL to VL by the management port", false, SMA_PortInfo_IsSLMappingSupported, 1, 1, sl2vl, 1},
	{"SL to VL by the other port", false, SMA_PortInfo_IsSLMappingSupported, 2, 1, sl2vl, 0},
	{"random entries", true, SMA_SwitchInfo_RandomFDBCap, 0, 300, sma_rft_count, 300},
};

static void test_rules(void)
{
	for (size_t i = 0; i < UNIT_COUNT(rules); i++) {
		const struct rule *r = &rules[i];

		begin(r->is_switch);
		set(r->component, r->port, r->value);
		unit_case("%s: %u", r->name, r->value);
		CHECK_EQUAL(count_with(r->count_of, 0), r->count);
		end();
	}
}

static void test_linear(void)
{
	static const struct {
		unsigned cap, top, count;
	} cases[] = {{0, 5, 0},
	             {1, 0, 1},
	             {256, 200, 201},
	             {100, 200, 100},
	             {30720, 5, 6},
	             {49152, 49151, 49152},
	             {65535, 65535, 49152},
	             {49151, 49151, 49151}};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		begin(true);
		set(SMA_SwitchInfo_LinearFDBCap, 0, cases[i].cap);
		set(SMA_SwitchInfo_LinearFDBTop, 0, cases[i].top);
		unit_case("cap %u, top %u", cases[i].cap, cases[i].top);
		CHECK_EQUAL(count_with(sma_lft_count, 0), cases[i].count);
		end();
	}
}

static void test_multicast(void)
{
	static const struct {
		unsigned cap, has_top, top, count;
	} cases[] = {{0, 1, 0xC000, 0},      {96, 0, 0xC046, 96},       {96, 1, 0xC046, 71},
	             {96, 1, 0xC000, 1},     {96, 1, 0xBFFF, 0},        {96, 1, 0, 96},
	             {96, 1, 0xFFFF, 96},    {16384, 1, 0xFFFF, 16384}, {65535, 0, 0, 16384},
	             {1024, 1, 0xBFFE, 1024}};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		begin(true);
		set(SMA_SwitchInfo_MulticastFDBCap, 0, cases[i].cap);
		set(SMA_SwitchInfo_MulticastFDBTop, 0, cases[i].top);
		set(SMA_PortInfo_IsMulticastFDBTopSupported, 0, cases[i].has_top);
		unit_case("cap %u, top 0x%x", cases[i].cap, cases[i].top);
		CHECK_EQUAL(count_with(sma_mft_count, 0), cases[i].count);
		end();
	}
}

/* A CA has no forwarding tables, and is not asked for SwitchInfo. */
static void test_ca_is_no_switch(void)
{
	begin(false);
	CHECK(!sma_is_switch(b.node));
	CHECK_EQUAL(count_with(sma_lft_count, 0), 0);
	CHECK_EQUAL(count_with(sma_rft_count, 0), 0);
	CHECK_EQUAL(count_with(sma_mft_count, 0), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, FAKE_ANY), 0);
	end();
}

/* Where PortInfo cannot be read, the answer to the first mapping decides for all. */
static void test_first_mapping(void)
{
	const uint8_t mapping[SMA_BLOCK_SIZE] = {0x01};

	begin(true);
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_PORT_INFO, 0x1C);
	CHECK_EQUAL(count_with(sl2vl, 0), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_SLVL_TABLE), 1);
	CHECK_EQUAL(count_with(sl2vl, 0), 0);
	CHECK_EQUAL(fake_qp0_count(b.fake, UMAD_SM_ATTR_SLVL_TABLE), 1);
	end();
	begin(true);
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_PORT_INFO, 0x1C);
	fake_qp0_set(b.fake, 0, UMAD_SM_ATTR_SLVL_TABLE, 1, mapping, sizeof(mapping));
	CHECK_EQUAL(count_with(sl2vl, 0), 1);
	end();
}

/* Where PortInfo cannot be read, the capacities decide. */
static void test_port_info_refused(void)
{
	begin(true);
	CHECK(sma_is_switch(b.node));
	set(SMA_SwitchInfo_MulticastFDBCap, 0, 96);
	set(SMA_SwitchInfo_MulticastFDBTop, 0, 0xC000);
	fake_qp0_refuse(b.fake, UMAD_SM_ATTR_PORT_INFO, 0x1C);
	CHECK_EQUAL(count_with(sma_mft_count, 0), 96);
	CHECK_EQUAL(count_with(guids_of_0, -EIO), 0);
	CHECK_EQUAL(count_with(high_of_2, -EIO), 0);
	end();
}

/* ---- keys ---- */

static void check_key(const char *name, struct sma_key key, enum sma_attr attr, unsigned port,
                      uint32_t modifier)
{
	unit_case("%s", name);
	CHECK_EQUAL(key.attr, attr);
	CHECK_EQUAL(key.port, port);
	CHECK_EQUAL(key.modifier, modifier);
}

static void test_switch_keys(void)
{
	const struct sma_node *n;

	begin(true);
	n = b.node;
	check_key("node", sma_key_node(sma_node_id(n), SMA_NodeInfo), SMA_NodeInfo, 0, 0);
	check_key("port 0", sma_key_port(sma_node_id(n), 0), SMA_PortInfo, 0, 0);
	check_key("port 254", sma_key_port(sma_node_id(n), 254), SMA_PortInfo, 0, 254);
	check_key("GUIDs", sma_key_guid(sma_node_id(n), 0, 9), SMA_GUIDInfo, 0, 1);
	check_key("P_Keys of port 0", sma_key_pkey(sma_node_id(n), 0, 31), SMA_P_KeyTable, 0, 0);
	check_key("P_Keys of port 17", sma_key_pkey(sma_node_id(n), 17, 32), SMA_P_KeyTable, 0, 0x110001);
	check_key("the last P_Key", sma_key_pkey(sma_node_id(n), 254, 65504), SMA_P_KeyTable, 0, 0xFE07FF);
	check_key("SL to VL, out 1, in 17", sma_key_sl2vl(sma_node_id(n), 1, 17), SMA_SLtoVLMappingTable, 0,
	          0x1101);
	check_key("SL to VL, port 0", sma_key_sl2vl(sma_node_id(n), 0, 0), SMA_SLtoVLMappingTable, 0, 0);
	check_key("low", sma_key_vlarb(sma_node_id(n), 7, false, 31), SMA_VLArbitration, 0, 0x10007);
	check_key("low, second half", sma_key_vlarb(sma_node_id(n), 7, false, 32), SMA_VLArbitration, 0,
	          0x20007);
	check_key("high", sma_key_vlarb(sma_node_id(n), 7, true, 0), SMA_VLArbitration, 0, 0x30007);
	check_key("high, second half", sma_key_vlarb(sma_node_id(n), 254, true, 63), SMA_VLArbitration, 0,
	          0x400FE);
	check_key("LID 63", sma_key_lft(sma_node_id(n), 63), SMA_LinearForwardingTable, 0, 0);
	check_key("LID 49151", sma_key_lft(sma_node_id(n), 49151), SMA_LinearForwardingTable, 0, 767);
	check_key("random entry", sma_key_rft(sma_node_id(n), 253), SMA_RandomForwardingTable, 0, 15);
	check_key("MLID", sma_key_mft(sma_node_id(n), 0xC046, 2), SMA_MulticastForwardingTable, 0,
	          0x20000002);
	check_key("the last MLID", sma_key_mft(sma_node_id(n), 0xFFFF, 15), SMA_MulticastForwardingTable, 0,
	          0xF00001FF);
	check_key("SM", sma_key_sm_info(sma_node_id(n), 0), SMA_SMInfo, 0, 0);
	check_key("diagnostics", sma_key_diag(sma_node_id(n), 0, 0x7FF), SMA_VendorDiag, 0, 0x7FF);
	end();
}

static void test_ca_keys(void)
{
	const struct sma_node *n;

	begin(false);
	n = b.node;
	check_key("node", sma_key_node(sma_node_id(n), SMA_NodeDescription), SMA_NodeDescription, 1, 0);
	check_key("the management port", sma_key_port(sma_node_id(n), 0), SMA_PortInfo, 1, 1);
	check_key("the same", sma_key_port(sma_node_id(n), 1), SMA_PortInfo, 1, 1);
	check_key("the other port, asked at this one", sma_key_port(sma_node_id(n), 2), SMA_PortInfo, 1, 2);
	check_key("GUIDs", sma_key_guid(sma_node_id(n), 2, 15), SMA_GUIDInfo, 2, 1);
	check_key("P_Keys", sma_key_pkey(sma_node_id(n), 0, 64), SMA_P_KeyTable, 1, 2);
	check_key("SL to VL", sma_key_sl2vl(sma_node_id(n), 2, 0), SMA_SLtoVLMappingTable, 2, 0);
	check_key("high", sma_key_vlarb(sma_node_id(n), 2, true, 0), SMA_VLArbitration, 2, 0x30000);
	check_key("low", sma_key_vlarb(sma_node_id(n), 1, false, 40), SMA_VLArbitration, 1, 0x20000);
	check_key("SM", sma_key_sm_info(sma_node_id(n), 2), SMA_SMInfo, 2, 0);
	check_key("diagnostics of the node", sma_key_diag(sma_node_id(n), 0, 5), SMA_VendorDiag, 1, 5);
	check_key("diagnostics of a port", sma_key_diag(sma_node_id(n), 2, 5), SMA_VendorDiag, 2, 5);
	check_key("LED", sma_key_led(sma_node_id(n), 2), SMA_LedInfo, 2, 0);
	CHECK(sma_node_reaches(n, 1) && sma_node_reaches(n, 2));
	CHECK(!sma_node_reaches(n, 0) && !sma_node_reaches(n, 3) && !sma_node_reaches(n, 255));
	end();
}

static const struct unit_test tests[] = {
	{"what one component decides", test_rules},
	{"the linear forwarding table", test_linear},
	{"the multicast forwarding table", test_multicast},
	{"a CA has no forwarding tables", test_ca_is_no_switch},
	{"PortInfo refused", test_port_info_refused},
	{"SL to VL mapping with PortInfo refused", test_first_mapping},
	{"keys of a switch", test_switch_keys},
	{"keys of a CA", test_ca_keys},
};

int main(void)
{
	return UNIT_MAIN("extent", tests);
}
