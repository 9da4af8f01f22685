// SPDX-License-Identifier: BSD-2-Clause
/* Which changes a poll reports, and the notices that it makes of them. */
#include <infiniband/umad_sm.h>

#include "sma/log.h"
#include "tests/logged.h"
#include "tests/notice/poll_fixture.h"
#include "tests/unit.h"

static struct poll_fixture b;

/* ---- 128 ---- */

static void test_link(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = {0x81, 0, 0, 2, 0, 128, 0, POLL_LID, 0, 0, 0, POLL_LID};

	poll_fixture_prepare_switch(&b, 8);
	poll_fixture_begin(&b);
	poll_fixture_set_state(&b, 5, 1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	CHECK_OCTETS(poll_fixture_last(&b), wanted, SMA_BLOCK_SIZE);
	CHECK_EQUAL(
		logged_with("seen by polling: link state (trap 128): PortState of port 5 is 1, was 4; ports"),
		1);
	CHECK_EQUAL(logged_level(SMA_LOG_INFO), 1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_set_state(&b, 5, 2);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 2);
	poll_fixture_end(&b);
}

/* Whatever changed in one reading is one notice. */
static void test_links(void)
{
	poll_fixture_prepare_switch(&b, 8);
	poll_fixture_begin(&b);
	poll_fixture_set_state(&b, 1, 1);
	poll_fixture_set_state(&b, 8, 2);
	poll_fixture_set(&b, SMA_SwitchInfo_PortStateChange, 0, 1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	CHECK_EQUAL(logged_with("PortState of port 1 is 1, was 4; ports that changed: 2"), 1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_end(&b);
}

static void test_each_port(void)
{
	for (unsigned port = 1; port <= SMA_MAX_PORTS; port += 11) {
		poll_fixture_prepare_switch(&b, SMA_MAX_PORTS);
		poll_fixture_begin(&b);
		poll_fixture_set_state(&b, port, 1);
		poll_fixture_look(&b);
		unit_case("port %u", port);
		CHECK_EQUAL(b.reported, 1);
		poll_fixture_end(&b);
	}
}

static void test_flag(void)
{
	static const struct {
		unsigned flag, notices;
	} steps[] = {{0, 0}, {1, 1}, {1, 1}, {0, 1}, {1, 2}, {0, 2}};

	poll_fixture_prepare_switch(&b, 8);
	poll_fixture_begin(&b);
	for (size_t i = 0; i < UNIT_COUNT(steps); i++) {
		poll_fixture_set(&b, SMA_SwitchInfo_PortStateChange, 0, steps[i].flag);
		poll_fixture_look(&b);
		unit_case("step %zu", i);
		CHECK_EQUAL(b.reported, steps[i].notices);
	}
	CHECK_EQUAL(logged_with("PortStateChange was set"), 2);
	poll_fixture_end(&b);
}

/* The SM takes a port from Initialize by Armed to Active: no link has changed. Back is by Down. */
static void test_way_to_active(void)
{
	static const struct {
		unsigned state, reported;
	} steps[] = {{2, 1}, {3, 1}, {4, 1}, {1, 2}, {4, 3}, {2, 4}};

	poll_fixture_prepare_switch(&b, 8);
	poll_fixture_begin(&b);
	for (size_t i = 0; i < UNIT_COUNT(steps); i++) {
		unit_case("state %u", steps[i].state);
		poll_fixture_set_state(&b, 5, steps[i].state);
		poll_fixture_look(&b);
		CHECK_EQUAL(b.reported, steps[i].reported);
	}
	unit_case(NULL);
	poll_fixture_end(&b);
}

/* That of port 0 is no data port's; other components are nothing that 128 is about. */
static void test_no_link(void)
{
	poll_fixture_prepare_switch(&b, 8);
	poll_fixture_begin(&b);
	poll_fixture_set_state(&b, 0, 2);
	poll_fixture_set(&b, SMA_PortInfo_LinkWidthActive, 3, 2);
	poll_fixture_set(&b, SMA_PortInfo_CapabilityMask, 3, 7);
	poll_fixture_set(&b, SMA_SwitchInfo_LinearFDBTop, 0, 12);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_end(&b);
}

static void test_link_of_ca(void)
{
	poll_fixture_prepare_ca(&b);
	poll_fixture_begin(&b);
	poll_fixture_set_state(&b, POLL_CA_PORT, 1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_end(&b);
}

/* ---- 144 and 145 ---- */

static void test_mask(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = {
		0x84, 0, 0, 1, 0, 144, 0, POLL_LID, 0, 0, 0, 0, 0, POLL_LID, 0, 0, 0x02, 0x50, 0xC0, 0x4A};

	poll_fixture_prepare_ca(&b);
	poll_fixture_begin(&b);
	poll_fixture_set_mask(&b, 0x0250C04A); /* IsSM */
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	CHECK_OCTETS(poll_fixture_last(&b), wanted, SMA_BLOCK_SIZE);
	CHECK_EQUAL(logged_with("seen by polling: capability mask (trap 144): 0x0250c04a, was 0x0250c048"),
	            1);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_set_mask(&b, POLL_MASK);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 2);
	poll_fixture_end(&b);
}

static void test_mask_bits(void)
{
	for (unsigned bit = 0; bit < 32; bit++) {
		poll_fixture_prepare_switch(&b, 2);
		poll_fixture_begin(&b);
		poll_fixture_set_mask(&b, POLL_MASK ^ 1U << bit);
		poll_fixture_look(&b);
		unit_case("bit %u", bit);
		CHECK_EQUAL(b.reported, 1);
		CHECK_EQUAL(poll_fixture_last(&b)[3], 2);
		CHECK_EQUAL(notice_trap(poll_fixture_last(&b)), 144);
		poll_fixture_end(&b);
	}
}

static void test_guid(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = {0x84, 0, 0,    1, 0, 145,      0, POLL_LID,
	                                               0,    0, 0,    0, 0, POLL_LID, 0, 0,
	                                               0,    8, 0xF1, 4, 0, 0x41,     0, 0x15};

	poll_fixture_prepare_ca(&b);
	poll_fixture_begin(&b);
	poll_fixture_set(&b, SMA_NodeInfo_SystemImageGUID, 0, 0x0008F10400410015);
	poll_fixture_advance(&b, POLL_NODE_AGE_MS + POLL_INTERVAL_MS);
	CHECK_EQUAL(b.reported, 1);
	CHECK_OCTETS(poll_fixture_last(&b), wanted, SMA_BLOCK_SIZE);
	CHECK_EQUAL(logged_with("seen by polling: system image GUID (trap 145): 0x0008f10400410015"), 1);
	poll_fixture_advance(&b, 2 * POLL_NODE_AGE_MS);
	CHECK_EQUAL(b.reported, 1);
	poll_fixture_end(&b);
}

/* Nor do others of NodeInfo count. */
static void test_no_guid(void)
{
	poll_fixture_prepare_ca(&b);
	poll_fixture_begin(&b);
	poll_fixture_set(&b, SMA_NodeInfo_NodeGUID, 0, 99);
	poll_fixture_set(&b, SMA_NodeInfo_PortGUID, 0, 98);
	sma_node_expire(b.fixture.node, SMA_ALL_ATTRS);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_end(&b);
}

/* ---- the LID ---- */

static void check_lid(uint16_t wanted)
{
	uint64_t lid = 1;

	unit_case("LID %u", wanted);
	CHECK_EQUAL(notice_issuer(poll_fixture_last(&b)), wanted);
	CHECK_EQUAL(notice_get(poll_fixture_last(&b), NOTICE_LIDADDR, &lid), 0);
	CHECK_EQUAL(lid, wanted);
	unit_case(NULL);
}

/* It is that of the reading, which the local port does not have yet. */
static void test_lid(void)
{
	static const struct {
		uint16_t read, reported;
	} lids[] = {{0x1234, 0x1234}, {0xBFFF, 0xBFFF}, {0, 0}, {0xC000, 0}, {0xFFFF, 0}};

	poll_fixture_prepare_ca(&b);
	poll_fixture_begin(&b);
	for (unsigned i = 0; i < UNIT_COUNT(lids); i++) {
		poll_fixture_set_lid(&b, lids[i].read);
		poll_fixture_set_mask(&b, i);
		poll_fixture_look(&b);
		CHECK_EQUAL(b.reported, i + 1);
		check_lid(lids[i].reported);
	}
	poll_fixture_end(&b);
}

/* The LID is assigned while the ports are being read. */
static void test_lid_of_late(void)
{
	enum { ANSWER_MS = 50, PORT_INFOS = 9 };

	poll_fixture_prepare_switch(&b, 8);
	poll_fixture_set_lid(&b, 0);
	b.local.lid = 0;
	poll_fixture_begin(&b);
	fake_qp0_delay(b.fixture.fake, UMAD_SM_ATTR_PORT_INFO, ANSWER_MS);
	poll_fixture_set_state(&b, 1, 1);
	poll_fixture_advance(&b, POLL_INTERVAL_MS - 100);
	while (poll_fixture_asked(&b, UMAD_SM_ATTR_PORT_INFO) < 2 * PORT_INFOS)
		poll_fixture_advance(&b, 1);
	poll_fixture_set_lid(&b, 77);
	CHECK_EQUAL(b.reported, 0);
	poll_fixture_advance(&b, 10 * ANSWER_MS);
	CHECK_EQUAL(b.reported, 1);
	check_lid(77);
	poll_fixture_end(&b);
}

/* Where it cannot be read it is that of the local. */
static void test_lid_unread(void)
{
	poll_fixture_prepare_ca(&b);
	b.fixture.config.age_ms[SMA_NodeInfo] = 1;
	poll_fixture_begin(&b);
	fake_qp0_refuse(b.fixture.fake, UMAD_SM_ATTR_PORT_INFO, 0x1C);
	poll_fixture_advance(&b, 70000); /* what was read before stands in for a minute */
	b.local.lid = 78;
	poll_fixture_set(&b, SMA_NodeInfo_SystemImageGUID, 0, 5);
	poll_fixture_look(&b);
	CHECK_EQUAL(b.reported, 1);
	check_lid(78);
	poll_fixture_end(&b);
}

static const struct unit_test tests[] = {
	{"a link goes down", test_link},
	{"one notice for all links", test_links},
	{"each port of a large switch", test_each_port},
	{"PortStateChange", test_flag},
	{"the way to Active", test_way_to_active},
	{"what is no change of a link", test_no_link},
	{"the link of a CA", test_link_of_ca},
	{"CapabilityMask", test_mask},
	{"each bit of CapabilityMask", test_mask_bits},
	{"SystemImageGUID", test_guid},
	{"other GUIDs", test_no_guid},
	{"the LID of a notice", test_lid},
	{"a LID that has just been assigned", test_lid_of_late},
	{"a LID that cannot be read", test_lid_unread},
};

int main(void)
{
	return UNIT_MAIN("poll change", tests);
}
