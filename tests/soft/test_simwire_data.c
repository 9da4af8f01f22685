// SPDX-License-Identifier: BSD-2-Clause
/* MADs to the SMA over the simulator wire, and those that lead nowhere. */
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/wire/simwire.h"
#include "tests/soft/wire_client.h"
#include "tests/unit.h"

/* ---- to the SMA ---- */

static void test_directed(void)
{
	struct wire_client first;
	struct wire_client client;
	struct wire_packet packet = wire_directed(NODE_DESCRIPTION, 0x12345678);
	struct wire_packet answer;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&first, &bed, NULL, false));
	CHECK(wire_attach(&client, &bed, NULL, false));
	/* the client library's agent number is above the caller's half; what is above that is the server's */
	wire_put64(packet.mad + AT_TID, 0xAAAA000712345678);
	packet.sqp = 5;
	CHECK(wire_exchange(&client, &packet, &answer));
	CHECK_EQUAL(answer.status, 0);
	CHECK_EQUAL(answer.length, MAD_SIZE);
	CHECK_EQUAL(answer.dlid, WIRE_PERMISSIVE);
	CHECK_EQUAL(answer.slid, WIRE_PERMISSIVE);
	CHECK_EQUAL(answer.dqp, 5);
	CHECK_EQUAL(answer.sqp, 0);
	CHECK_EQUAL(wire_tid(&answer), 0x0001000712345678);
	CHECK_EQUAL(answer.mad[AT_METHOD], GET_RESPONSE);
	CHECK_EQUAL(wire_get16(answer.mad + AT_STATUS), 0x8000);
	CHECK_EQUAL(answer.mad[AT_POINTER], 0);
	CHECK_OCTETS(answer.mad + AT_DATA, "node one", 9);
	CHECK(!wire_receive(&first, &answer));
	CHECK_EQUAL(wire_bed_counters(&bed).answered, 1);
	wire_detach(&client);
	wire_detach(&first);
	wire_bed_close(&bed);
}

static void test_routed(void)
{
	struct wire_client client;
	struct wire_packet answer;
	struct wire_packet packet;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed, NULL, false));
	for (unsigned lid = WIRE_LID; lid < WIRE_LID + WIRE_LIDS; lid++) {
		unit_case("LID %u", lid);
		packet = wire_routed(NODE_INFO, (uint16_t)lid, lid);
		CHECK(wire_exchange(&client, &packet, &answer));
		CHECK_EQUAL(answer.status, 0);
		CHECK_EQUAL(answer.slid, lid);
		CHECK_EQUAL(answer.dlid, WIRE_LID);
		CHECK_EQUAL(wire_get16(answer.mad + AT_STATUS), 0);
		CHECK_EQUAL(answer.mad[AT_DATA + 36], 1);
	}
	/* the directed route of no hops begins at a LID */
	packet = wire_directed(NODE_INFO, 1);
	packet.dlid = WIRE_LID + 1;
	packet.slid = 0;
	CHECK(wire_exchange(&client, &packet, &answer));
	CHECK_EQUAL(answer.status, 0);
	CHECK_EQUAL(answer.dlid, WIRE_LID);
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* Each port of a CA has an SMA; a switch has one. */
static void test_ports(void)
{
	struct wire_packet packet = wire_directed(NODE_INFO, 1);
	struct wire_packet answer;
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed, ":2", false));
	CHECK(wire_exchange(&client, &packet, &answer));
	CHECK_EQUAL(answer.mad[AT_DATA + 36], 2);
	wire_detach(&client);
	wire_bed_close(&bed);
	wire_bed_open(&bed, SMA_NODE_SWITCH);
	CHECK(wire_attach(&client, &bed, NULL, false));
	CHECK(wire_exchange(&client, &packet, &answer));
	CHECK_EQUAL(answer.mad[AT_DATA + 36], 0);
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* ---- what comes back ---- */

static const struct back_case {
	const char *name;
	uint16_t dlid;
	uint8_t class;
	uint8_t hops;
	uint8_t method; /* 0: Get */
	bool comes_back;
} back_cases[] = {
	{"LID below", WIRE_LID - 1, CLASS_ROUTED, 0, 0, true},
	{"LID above", WIRE_LID + WIRE_LIDS, CLASS_ROUTED, 0, 0, true},
	{"LID of port 2", 32, CLASS_ROUTED, 0, 0, true},
	{"LID 0", 0, CLASS_ROUTED, 0, 0, true},
	{"permissive LID", WIRE_PERMISSIVE, CLASS_ROUTED, 0, 0, true},
	{"one hop", WIRE_PERMISSIVE, CLASS_DIRECTED, 1, 0, true},
	{"64 hops", WIRE_PERMISSIVE, CLASS_DIRECTED, 64, 0, true},
	{"directed from a LID elsewhere", WIRE_LID - 1, CLASS_DIRECTED, 0, 0, true},
	{"directed from a LID, then a hop", WIRE_LID, CLASS_DIRECTED, 1, 0, true},
	{"performance", WIRE_LID, CLASS_PERFORMANCE, 0, 0, true},
	{"vendor class", WIRE_LID, 0x32, 0, 0, true},
	{"SA without an SM", WIRE_LID, CLASS_SA, 0, 0, true},
	{"Report that the SMA drops", WIRE_LID, CLASS_ROUTED, 0, REPORT, true},
	{"Trap without an SM", WIRE_LID, CLASS_ROUTED, 0, TRAP, false},
	{"Trap to nowhere", 99, CLASS_ROUTED, 0, TRAP, false},
	{"TrapRepress", WIRE_LID, CLASS_ROUTED, 0, TRAP_REPRESS, false},
	{"TrapRepress to nowhere", 99, CLASS_ROUTED, 0, TRAP_REPRESS, false},
	{"SA Send without an SM", WIRE_LID, CLASS_SA, 0, SEND, false},
	{"response to nobody", WIRE_LID, CLASS_ROUTED, 0, GET_RESPONSE, false},
};

static void check_back(struct wire_client *client, const struct back_case *c)
{
	struct wire_packet packet = wire_routed(NODE_INFO, c->dlid, 7);
	struct wire_packet answer;

	unit_case("%s", c->name);
	packet = wire_class(packet, c->class);
	packet.mad[AT_HOPS] = c->hops;
	wire_put64(packet.mad + AT_TID, UINT64_C(5) << 48 | 7);
	if (c->method)
		packet = wire_method(packet, c->method);
	if (!CHECK_EQUAL(wire_exchange(client, &packet, &answer), c->comes_back) || !c->comes_back)
		return;
	CHECK_EQUAL(answer.status, WIRE_TIMED_OUT);
	CHECK_EQUAL(answer.dlid, c->dlid);
	CHECK_EQUAL(wire_tid(&answer), 7);
	wire_put64(packet.mad + AT_TID, 7);
	CHECK_OCTETS(answer.mad, packet.mad, 64);
	CHECK_OCTETS(answer.mad + 64, packet.mad + 64, MAD_SIZE - 64);
}

static void test_back(void)
{
	struct wire_counters counters;
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed, NULL, false));
	for (size_t i = 0; i < UNIT_COUNT(back_cases); i++)
		check_back(&client, &back_cases[i]);
	counters = wire_bed_counters(&bed);
	CHECK_EQUAL(counters.unanswered, 13);
	CHECK_EQUAL(counters.undelivered, 5);
	CHECK_EQUAL(counters.answered, 0);
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* A port that has no LID yet is reached by directed routes only. */
static void test_no_lid(void)
{
	struct wire_packet packet = wire_routed(NODE_INFO, 0, 1);
	struct wire_packet answer;
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	state_set(bed.state, 1, SMA_PortInfo_LID, 0);
	CHECK(wire_attach(&client, &bed, NULL, false));
	for (unsigned lid = 0; lid < WIRE_LIDS; lid++) {
		packet.dlid = (uint16_t)lid;
		CHECK(wire_exchange(&client, &packet, &answer));
		CHECK_EQUAL(answer.status, WIRE_TIMED_OUT);
	}
	packet = wire_directed(NODE_INFO, 1);
	CHECK(wire_exchange(&client, &packet, &answer));
	CHECK_EQUAL(answer.status, 0);
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* What the SMA does not answer: a wrong M_Key. */
static void test_wrong_key(void)
{
	struct wire_packet packet = wire_directed(PORT_INFO, 1);
	struct wire_packet answer;
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	state_set(bed.state, 1, SMA_PortInfo_M_Key, 0x1234);
	state_set(bed.state, 1, SMA_PortInfo_M_KeyProtectBits, 2);
	CHECK(wire_attach(&client, &bed, NULL, false));
	CHECK(wire_exchange(&client, &packet, &answer));
	CHECK_EQUAL(answer.status, WIRE_TIMED_OUT);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_M_KeyViolations), 1);
	wire_put64(packet.mad + AT_KEY, 0x1234);
	CHECK(wire_exchange(&client, &packet, &answer));
	CHECK_EQUAL(answer.status, 0);
	wire_detach(&client);
	wire_bed_close(&bed);
}

static void test_malformed(void)
{
	struct wire_packet packet = wire_directed(NODE_INFO, 1);
	struct wire_packet answer;
	struct wire_client client;
	struct wire_bed bed;
	const uint8_t zeros[WIRE_DATA_SIZE] = {0};
	/* sound but for its size: a MAD of 256 bytes that begins with base version 1 */
	const uint8_t sound[WIRE_DATA_SIZE + 1] = {[30] = 1, [32] = 1};

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed, NULL, false));
	CHECK(wire_raw_send(&client, sound, 0));
	CHECK(wire_raw_send(&client, sound, WIRE_DATA_SIZE - 1));
	CHECK(wire_raw_send(&client, sound, WIRE_DATA_SIZE + 1));
	CHECK(wire_raw_send(&client, zeros, WIRE_DATA_SIZE));
	packet.length = MAD_SIZE + 1;
	CHECK(!wire_exchange(&client, &packet, &answer));
	packet.length = UINT64_MAX;
	CHECK(!wire_exchange(&client, &packet, &answer));
	packet.length = 0;
	CHECK(!wire_exchange(&client, &packet, &answer));
	CHECK_EQUAL(wire_bed_counters(&bed).malformed, 7);
	/* what a client leaves out of the MAD is not what stood behind it in its memory */
	packet.length = 64;
	memset(packet.mad + 64, 0xEE, MAD_SIZE - 64);
	CHECK(wire_exchange(&client, &packet, &answer));
	CHECK_OCTETS(answer.mad + 128, zeros, MAD_SIZE - 128);
	wire_detach(&client);
	wire_bed_close(&bed);
}

static const struct unit_test tests[] = {
	{"a directed route of no hops", test_directed},
	{"the LIDs of the port", test_routed},
	{"the SMA of the client's port", test_ports},
	{"requests that come back", test_back},
	{"a port without LID", test_no_lid},
	{"a wrong M_Key", test_wrong_key},
	{"what is no packet", test_malformed},
};

int main(void)
{
	return UNIT_MAIN("simwire data", tests);
}
