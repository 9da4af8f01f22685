// SPDX-License-Identifier: BSD-2-Clause
/* The control messages of the simulator wire. */
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/wire/simwire.h"
#include "tests/soft/wire_client.h"
#include "tests/unit.h"

enum { BLOCK = 64 };

/* ---- what a client asks ---- */

static void set_identity(struct soft_state *state)
{
	state_set(state, 0, SMA_NodeInfo_VendorID, 0x2C9);
	state_set(state, 0, SMA_NodeInfo_DeviceID, 0x1003);
	state_set(state, 0, SMA_NodeInfo_Revision, 0xA0);
}

static void test_identity(void)
{
	const uint8_t gid[16] = {0xFE, 0x80, [14] = 0x10, [15] = 0x02};
	const uint8_t guid[8] = {[6] = 0x10};
	struct wire_client client;
	uint8_t data[BLOCK] = {0};
	uint64_t firmware;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	set_identity(bed.state);
	CHECK(wire_attach(&client, &bed, ":2", false));
	CHECK_EQUAL(wire_control(&client, WIRE_GET_VENDOR, data, sizeof(data)), WIRE_GET_VENDOR);
	CHECK_OCTETS(data, ((const uint32_t[]){0x2C9, 0x1003, 0xA0, 0}), 16);
	memcpy(&firmware, data + 16, sizeof(firmware));
	CHECK_EQUAL(firmware, 1);
	CHECK_EQUAL(wire_control(&client, WIRE_GET_GID, data, sizeof(data)), WIRE_GET_GID);
	CHECK_OCTETS(data, gid, sizeof(gid));
	CHECK_EQUAL(wire_control(&client, WIRE_GET_GUID, data, sizeof(data)), WIRE_GET_GUID);
	CHECK_OCTETS(data, guid, sizeof(guid));
	wire_detach(&client);
	wire_bed_close(&bed);
}

static void test_port(void)
{
	struct wire_client client;
	uint8_t data[BLOCK] = {0};
	uint16_t lid;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	state_set(bed.state, 2, SMA_PortInfo_PortState, 3);
	CHECK(wire_attach(&client, &bed, ":2", false));
	CHECK_EQUAL(wire_control(&client, WIRE_GET_PORT, data, sizeof(data)), WIRE_GET_PORT);
	memcpy(&lid, data, sizeof(lid));
	CHECK_EQUAL(lid, 32);
	CHECK_EQUAL(data[2], 3);
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* PortInfo of port `asked`, as a client at port `attached` is to see it: that of `shown`. */
static void check_port_info(struct wire_bed *bed, struct wire_client *client, uint8_t asked, unsigned shown,
                            unsigned attached)
{
	uint8_t wanted[BLOCK];
	uint8_t data[BLOCK] = {asked};

	unit_case("PortInfo %u at port %u", asked, attached);
	memcpy(wanted, bed->state->port[shown].info, sizeof(wanted));
	sma_component_set(wanted, SMA_PortInfo_LocalPortNum, attached);
	memset(wanted, 0, 8);
	CHECK_EQUAL(wire_control(client, WIRE_GET_PORTINFO, data, sizeof(data)), WIRE_GET_PORTINFO);
	CHECK_OCTETS(data, wanted, sizeof(wanted));
}

static void test_port_info(void)
{
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	state_set(bed.state, 2, SMA_PortInfo_M_Key, 0x1234);
	CHECK(wire_attach(&client, &bed, ":2", false));
	check_port_info(&bed, &client, 0, 2, 2);
	check_port_info(&bed, &client, 1, 1, 2);
	check_port_info(&bed, &client, 2, 2, 2);
	check_port_info(&bed, &client, 3, 2, 2);
	wire_detach(&client);
	wire_bed_close(&bed);
	wire_bed_open(&bed, SMA_NODE_SWITCH);
	CHECK(wire_attach(&client, &bed, NULL, false));
	check_port_info(&bed, &client, 0, 0, 0);
	check_port_info(&bed, &client, 8, 8, 0);
	check_port_info(&bed, &client, 255, 0, 0);
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* More P_Keys than fit, and fewer. */
static void test_pkeys(void)
{
	struct wire_client client;
	uint8_t data[BLOCK] = {0};
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	for (size_t i = 0; i < bed.state->port[1].pkey_count; i++)
		wire_put16(bed.state->port[1].pkeys + 2 * i, (uint16_t)(0x8001 + i));
	CHECK(wire_attach(&client, &bed, NULL, false));
	CHECK_EQUAL(wire_control(&client, WIRE_GET_PKEYS, data, sizeof(data)), WIRE_GET_PKEYS);
	CHECK_OCTETS(data, bed.state->port[1].pkeys, BLOCK);
	bed.state->port[1].pkey_count = 3;
	CHECK_EQUAL(wire_control(&client, WIRE_GET_PKEYS, data, sizeof(data)), WIRE_GET_PKEYS);
	CHECK_OCTETS(data, bed.state->port[1].pkeys, 6);
	CHECK_OCTETS(data + 6, (const uint8_t[BLOCK - 6]){0}, BLOCK - 6);
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* ---- what is no control message, or asks for what is not there ---- */

static void test_malformed(void)
{
	struct wire_client client;
	uint8_t message[WIRE_CONTROL_SIZE + 1] = {0};
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed, NULL, false));
	memcpy(message, (const uint32_t[]){0xDEADBEEF, 0, WIRE_GET_PORT, 0}, 16);
	CHECK_EQUAL(wire_raw_control(&client, message, WIRE_CONTROL_SIZE), WIRE_GET_PORT);
	CHECK_EQUAL(wire_raw_control(&client, message, WIRE_CONTROL_SIZE - 1), -1);
	CHECK_EQUAL(wire_raw_control(&client, message, WIRE_CONTROL_SIZE + 1), -1);
	CHECK_EQUAL(wire_raw_control(&client, message, 0), -1);
	message[0] ^= 1;
	CHECK_EQUAL(wire_raw_control(&client, message, WIRE_CONTROL_SIZE), -1);
	CHECK_EQUAL(wire_bed_counters(&bed).malformed, 4);
	CHECK_EQUAL(wire_bed_counters(&bed).refused, 0);
	wire_detach(&client);
	wire_bed_close(&bed);
}

static void test_refused(void)
{
	struct wire_client client;
	uint8_t data[BLOCK] = {0};
	uint64_t refused = 0;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed, NULL, false));
	CHECK_EQUAL(wire_control(&client, WIRE_ERROR, data, sizeof(data)), WIRE_ERROR);
	CHECK_EQUAL(wire_control(&client, WIRE_UNKNOWN, data, sizeof(data)), WIRE_ERROR);
	CHECK_EQUAL(wire_control(&client, UINT32_MAX, data, sizeof(data)), WIRE_ERROR);
	refused += 3;
	for (uint32_t type = WIRE_DISCONNECT; type < WIRE_UNKNOWN; type++) {
		unit_case("type %u", type);
		for (unsigned i = 0; i < 3; i++) {
			client.slot = (const uint32_t[]){1, SIMWIRE_CLIENTS, UINT32_MAX}[i];
			if (type == WIRE_DISCONNECT && client.slot == 1)
				continue;
			CHECK_EQUAL(wire_control(&client, type, data, sizeof(data)), WIRE_ERROR);
			refused++;
		}
	}
	CHECK_EQUAL(wire_bed_counters(&bed).refused, refused);
	client.slot = 0;
	wire_detach(&client);
	wire_bed_close(&bed);
}

static const struct unit_test tests[] = {
	{"vendor and identifiers", test_identity},
	{"LID and state", test_port},
	{"PortInfo, without the key", test_port_info},
	{"P_Keys", test_pkeys},
	{"what is no control message gets no answer", test_malformed},
	{"what cannot be gets an error", test_refused},
};

int main(void)
{
	return UNIT_MAIN("simwire control", tests);
}
