// SPDX-License-Identifier: BSD-2-Clause
/* Trap 514, from the preparation to its repress, and the Notices that are kept. */
#include <errno.h>
#include <string.h>

#include "tests/soft/devmgt_fixture.h"
#include "tests/unit.h"

enum { PACE = 1074 /* of SubnetTimeOut 18, in ms */, FAILED = 0x8000, INVALID = 0x1C };

static struct devmgt_fixture fixture;

static void begin(char node)
{
	devmgt_fixture_open(&fixture, node, 255);
	devmgt_fixture_add(&fixture, 1);
	devmgt_fixture_add(&fixture, 255);
}

static void get_ready(unsigned slot, uint16_t status)
{
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_PREPARE, slot, 0), 0);
	CHECK_EQUAL(devmgt_ready(&fixture.devmgt, slot, status), 0);
}

/* A Notice of the port with LID 7, whose details are from LIDADDR to DEVICE. */
static void check_notice(const uint8_t *notice, uint16_t status, unsigned slot)
{
	uint8_t wanted[DEVMGT_NOTICE_SIZE] = {0x84,
	                                      0,
	                                      0,
	                                      4,
	                                      0x02,
	                                      0x02,
	                                      0,
	                                      7,
	                                      [12] = 0,
	                                      7,
	                                      (uint8_t)(status >> 8),
	                                      (uint8_t)status,
	                                      0,
	                                      0,
	                                      0,
	                                      (uint8_t)slot};

	wanted[64] = 0xFE;
	wanted[65] = 0x80;
	wanted[78] = 0x10;
	wanted[79] = state_is_switch(fixture.node.state) ? 0x00 : 0x01;
	CHECK_OCTETS(notice, wanted, sizeof(wanted));
}

static void test_trap(void)
{
	static const uint8_t zeros[MAD_SIZE];
	static const char nodes[] = "cs";

	for (const char *node = nodes; *node; node++) {
		struct devmgt_trap trap = {0};

		unit_case("node %c", *node);
		begin(*node);
		devmgt_fixture_send_traps(&fixture, 0x1234);
		get_ready(255, 0);
		CHECK(devmgt_next_trap(&fixture.devmgt, 1000, &trap));
		CHECK_EQUAL(wire_get32(trap.mad), 0x01060105);
		CHECK_EQUAL(wire_get32(trap.mad + 4), 0);
		CHECK(wire_get64(trap.mad + AT_TID) != 0);
		CHECK_EQUAL(wire_get16(trap.mad + AT_ATTRIBUTE), 2);
		CHECK_OCTETS(trap.mad + 18, zeros, AT_DATA - 18);
		check_notice(trap.mad + AT_DATA, 0, 255);
		CHECK_OCTETS(trap.mad + AT_DATA + 80, zeros, DM_DATA_SIZE - 80);
		CHECK_EQUAL(trap.port, soft_fixture_port(&fixture.node));
		CHECK_EQUAL(trap.dlid, 0x1234);
		CHECK_EQUAL(trap.sl, 0);
		CHECK_EQUAL(trap.qp, 1);
		CHECK_EQUAL(trap.qkey, 0x80010000);
		CHECK_EQUAL(trap.pkey, 0xFFFF);
		devmgt_fixture_close(&fixture);
	}
}

/* It goes where ClassPortInfo says, of which the rest stays as it is. */
static void test_class_port_info(void)
{
	uint8_t data[DM_DATA_SIZE];
	uint8_t wanted[DM_DATA_SIZE] = {1, 1, 0, 3, [7] = 16};
	struct devmgt_trap trap = {0};

	for (unsigned i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(0x40 + i);
	memcpy(wanted + 40, data + 40, 32);
	begin('c');
	CHECK_EQUAL(devmgt_fixture_ask(&fixture, SET, DEV_CLASS_PORT_INFO, 0, data), 0);
	CHECK_OCTETS(devmgt_fixture_data(&fixture), wanted, DM_DATA_SIZE);
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_CLASS_PORT_INFO, 0), 0);
	CHECK_OCTETS(devmgt_fixture_data(&fixture), wanted, DM_DATA_SIZE);
	fixture.node.arrival.port = 2;
	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_CLASS_PORT_INFO, 0), 0);
	CHECK_EQUAL(devmgt_fixture_data(&fixture)[60], 0);
	fixture.node.arrival.port = 1;
	get_ready(1, 0);
	CHECK(devmgt_next_trap(&fixture.devmgt, 1000, &trap));
	CHECK_EQUAL(trap.sl, 0x7);
	CHECK_EQUAL(trap.dlid, 0x7C7D);
	CHECK_EQUAL(trap.pkey, 0x7E7F);
	CHECK_EQUAL(trap.qp, 0x818283);
	CHECK_EQUAL(trap.qkey, 0x84858687);
	wire_put16(data + 60, 0xC000);
	CHECK_EQUAL(devmgt_fixture_ask(&fixture, SET, DEV_CLASS_PORT_INFO, 0, data), INVALID);
	devmgt_fixture_close(&fixture);
}

static void test_repetition(void)
{
	struct devmgt_trap first = {0};
	struct devmgt_trap again = {0};

	begin('s');
	devmgt_fixture_send_traps(&fixture, 9);
	get_ready(1, FAILED);
	CHECK_EQUAL(devmgt_due(&fixture.devmgt), 0);
	CHECK(devmgt_next_trap(&fixture.devmgt, 2000, &first));
	check_notice(first.mad + AT_DATA, FAILED, 1);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 2000, &again));
	CHECK_EQUAL(devmgt_due(&fixture.devmgt), 2000 + PACE);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 2000 + PACE - 1, &again));
	CHECK(devmgt_next_trap(&fixture.devmgt, 2000 + PACE, &again));
	CHECK_OCTETS(again.mad, first.mad, MAD_SIZE);
	first.mad[15] ^= 1;
	devmgt_fixture_repress(&fixture, &first);
	CHECK(devmgt_next_trap(&fixture.devmgt, 2000 + 2 * PACE, &again));
	again.mad[AT_MODIFIER] = 1;
	devmgt_fixture_repress(&fixture, &again);
	CHECK(devmgt_next_trap(&fixture.devmgt, 2000 + 3 * PACE, &again));
	devmgt_fixture_repress(&fixture, &again);
	CHECK_EQUAL(fixture.devmgt.counters.represses, 1);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 2000 + 9 * PACE, &again));
	CHECK_EQUAL(devmgt_due(&fixture.devmgt), UINT64_MAX);
	devmgt_fixture_close(&fixture);
}

/* A controller gets ready by itself, and tells so without being asked. */
static void test_in_time(void)
{
	struct devmgt_trap trap = {0};

	begin('s');
	devmgt_fixture_send_traps(&fixture, 9);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_PREPARE, 255, 0), 0);
	CHECK_EQUAL(devmgt_due(&fixture.devmgt), 2000);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 1999, &trap));
	CHECK(devmgt_next_trap(&fixture.devmgt, 2000, &trap));
	check_notice(trap.mad + AT_DATA, 0, 255);
	devmgt_fixture_close(&fixture);
}

static void test_no_trap(void)
{
	struct devmgt_trap trap = {0};

	begin('s');
	get_ready(1, 0);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 1000, &trap));
	CHECK_EQUAL(fixture.raised, 1);
	check_notice(fixture.notice, 0, 1);
	devmgt_fixture_send_traps(&fixture, 9);
	state_set(fixture.node.state, 0, SMA_PortInfo_PortState, SMA_PORT_ARMED);
	get_ready(255, 0);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 1000, &trap));
	CHECK_EQUAL(fixture.raised, 2);
	state_set(fixture.node.state, 0, SMA_PortInfo_PortState, SMA_PORT_ACTIVE);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 9000, &trap));
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_PREPARE, 1, 0), 0);
	CHECK(devmgt_next_trap(&fixture.devmgt, 9000, &trap));
	devmgt_fixture_send_traps(&fixture, 0);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 99000, &trap));
	devmgt_fixture_send_traps(&fixture, 9);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 99000, &trap));
	devmgt_fixture_close(&fixture);
}

/* Each port has its own address, and sends for itself. */
static void test_ports(void)
{
	struct devmgt_trap trap = {0};

	begin('c');
	state_set(fixture.node.state, 2, SMA_PortInfo_PortState, SMA_PORT_ACTIVE);
	devmgt_fixture_send_traps(&fixture, 9);
	fixture.node.arrival.port = 2;
	devmgt_fixture_send_traps(&fixture, 10);
	get_ready(1, 0);
	CHECK(devmgt_next_trap(&fixture.devmgt, 1000, &trap));
	CHECK_EQUAL(trap.port, 1);
	CHECK_EQUAL(trap.dlid, 9);
	CHECK(devmgt_next_trap(&fixture.devmgt, 1000, &trap));
	CHECK_EQUAL(trap.port, 2);
	CHECK_EQUAL(trap.dlid, 10);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 1000, &trap));
	devmgt_fixture_repress(&fixture, &trap);
	CHECK(devmgt_next_trap(&fixture.devmgt, 9000, &trap));
	CHECK_EQUAL(trap.port, 1);
	CHECK(!devmgt_next_trap(&fixture.devmgt, 9000, &trap));
	CHECK_EQUAL(fixture.raised, 2);
	devmgt_fixture_close(&fixture);
}

static void test_ready(void)
{
	begin('c');
	CHECK_EQUAL(devmgt_ready(&fixture.devmgt, 2, 0), -ENOENT);
	CHECK_EQUAL(devmgt_ready(&fixture.devmgt, 0, 0), -ENOENT);
	CHECK_EQUAL(devmgt_ready(&fixture.devmgt, 1, 0), -EINVAL);
	CHECK_EQUAL(devmgt_fixture_set(&fixture, DEV_PREPARE, 1, 0), 0);
	CHECK_EQUAL(devmgt_ready(&fixture.devmgt, 1, 1), -EINVAL);
	devmgt_fixture_close(&fixture);
}

/* ---- Get and Set(Notice) ---- */

static void check_head(unsigned slot, unsigned toggle_and_count)
{
	uint8_t notice[DEVMGT_NOTICE_SIZE];

	CHECK_EQUAL(devmgt_fixture_get(&fixture, DEV_NOTICE, 0), 0);
	memcpy(notice, devmgt_fixture_data(&fixture), sizeof(notice));
	CHECK_EQUAL(wire_get16(notice + 8), toggle_and_count);
	wire_put16(notice + 8, 0);
	if (slot)
		check_notice(notice, 0, slot);
	else
		CHECK_EQUAL(notice[0], 0x7F);
}

static void clear(unsigned toggle)
{
	uint8_t data[DM_DATA_SIZE] = {[8] = (uint8_t)toggle};

	CHECK_EQUAL(devmgt_fixture_ask(&fixture, SET, DEV_NOTICE, 0, data), 0);
}

static void test_kept(void)
{
	begin('s');
	check_head(0, 0);
	get_ready(1, 0);
	get_ready(255, 0);
	check_head(1, 2);
	clear(0x80);
	check_head(1, 2);
	clear(0);
	CHECK_EQUAL(wire_get16(devmgt_fixture_data(&fixture) + 8), 0x8001);
	check_head(255, 0x8001);
	clear(0);
	check_head(255, 0x8001);
	clear(0x80);
	check_head(0, 0);
	devmgt_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"the trap of a controller that is ready", test_trap},
	{"it goes where ClassPortInfo says", test_class_port_info},
	{"it is repeated until its repress", test_repetition},
	{"a controller gets ready in its time", test_in_time},
	{"none leaves without an address or an active port", test_no_trap},
	{"ports send for themselves", test_ports},
	{"only what prepares gets ready", test_ready},
	{"Notices are kept until they are cleared", test_kept},
};

int main(void)
{
	return UNIT_MAIN("devmgt_traps", tests);
}
