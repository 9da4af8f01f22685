// SPDX-License-Identifier: BSD-2-Clause
/* The frame of requests and responses: what is taken, what is echoed, which status (IBA 13.4, 14.2). */
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

static const char nodes[] = "csfr";

/* ---- what is taken ---- */

static enum verdict send_changed(char node, bool directed, unsigned at, uint8_t byte)
{
	struct soft_fixture fixture;
	enum verdict verdict;

	soft_fixture_open(&fixture, node);
	soft_fixture_request(&fixture, GET, ATTR_NODE_INFO, 0, NULL);
	if (directed)
		soft_fixture_direct(&fixture, 2);
	fixture.request[at] = byte;
	verdict = soft_fixture_send(&fixture);
	CHECK_EQUAL(fixture.responder.counters.answered + fixture.responder.counters.refused,
	            verdict == VERDICT_ANSWER);
	soft_fixture_close(&fixture);
	return verdict;
}

/* One byte of a good Get(NodeInfo) over two hops is another: only these values of it are taken. */
static const struct {
	const char *name;
	bool lid, directed; /* the classes it is about */
	unsigned at;
	unsigned taken[9]; /* with more: 0x100 ends the list */
} bytes[] = {
	{"BaseVersion", true, true, 0, {1, 0x100}},
	{"MgmtClass", true, false, AT_CLASS, {CLASS_LID, 0x100}},
	{"MgmtClass, directed", false, true, AT_CLASS, {CLASS_LID, CLASS_DIRECTED, 0x100}},
	{"HopPointer", false, true, AT_HOP_POINTER, {3, 0x100}},
	{"HopCount", false, true, AT_HOP_COUNT, {2, 0x100}},
};

static bool is_taken(const unsigned *taken, unsigned byte)
{
	while (*taken != 0x100 && *taken != byte)
		taken++;
	return *taken == byte;
}

static void check_byte(size_t i, bool directed)
{
	for (const char *node = nodes; *node; node++) {
		for (unsigned byte = 0; byte < 0x100; byte++) {
			/* a directed-route class makes hops of what is none */
			if (!directed && bytes[i].at == AT_CLASS && byte == CLASS_DIRECTED)
				continue;
			unit_case("node %c, directed %d, %s %u", *node, directed, bytes[i].name, byte);
			CHECK_EQUAL(send_changed(*node, directed, bytes[i].at, (uint8_t)byte),
			            is_taken(bytes[i].taken, byte) ? VERDICT_ANSWER : VERDICT_DROP);
		}
	}
}

static void test_bytes(void)
{
	for (size_t i = 0; i < UNIT_COUNT(bytes); i++) {
		if (bytes[i].lid)
			check_byte(i, false);
		if (bytes[i].directed)
			check_byte(i, true);
	}
}

/* All 256 methods: responses, Trap, Report and TrapRepress get no answer; what is no Get or Set gets 8. */
static void test_methods(void)
{
	static const uint8_t silent[] = {0x05, 0x06, TRAP_REPRESS};

	for (unsigned method = 0; method < 0x100; method++) {
		struct soft_fixture fixture;
		unsigned wanted = method == GET ? 0 : method == SET ? 0x0C : 0x08;

		if (method & 0x80 || memchr(silent, (int)method, sizeof(silent)))
			wanted = ASK_DROPPED;
		soft_fixture_open(&fixture, 'c');
		unit_case("method %02x", method);
		CHECK_EQUAL(soft_fixture_ask(&fixture, (uint8_t)method, ATTR_NODE_INFO, 0, NULL), wanted);
		soft_fixture_close(&fixture);
	}
}

/* ClassVersion is looked at after the frame, and before the method and the key. */
static void test_class_version(void)
{
	static const struct {
		uint8_t method;
		enum verdict verdict;
	} cases[] = {
		{GET, VERDICT_ANSWER}, {SET, VERDICT_ANSWER},        {0x03, VERDICT_ANSWER},
		{0x81, VERDICT_DROP},  {TRAP_REPRESS, VERDICT_DROP},
	};

	for (unsigned version = 0; version < 0x100; version++) {
		for (size_t i = 0; version != 1 && i < UNIT_COUNT(cases); i++) {
			struct soft_fixture fixture;

			soft_fixture_open(&fixture, 'c');
			state_set(fixture.state, 1, SMA_PortInfo_M_Key, 5);
			state_set(fixture.state, 1, SMA_PortInfo_M_KeyProtectBits, 2);
			soft_fixture_request(&fixture, cases[i].method, ATTR_PORT_INFO, 0, NULL);
			fixture.request[AT_CLASS_VERSION] = (uint8_t)version;
			unit_case("version %u, method %02x", version, cases[i].method);
			CHECK_EQUAL(soft_fixture_send(&fixture), cases[i].verdict);
			if (cases[i].verdict == VERDICT_ANSWER)
				CHECK_EQUAL(wire_get16(fixture.response + AT_STATUS), 0x04);
			CHECK_EQUAL(fixture.responder.counters.bad_m_key, 0);
			soft_fixture_close(&fixture);
		}
	}
}

/* ---- directed routes ---- */

/* The last hop has moved the pointer behind the route; 63 hops are the most. */
static void test_hops(void)
{
	for (unsigned count = 0; count < 0x100; count++) {
		for (int off = -2; off <= 2; off++) {
			struct soft_fixture fixture;
			bool good = count <= 63 && off == 0;

			soft_fixture_open(&fixture, 's');
			soft_fixture_request(&fixture, GET, ATTR_NODE_INFO, 0, NULL);
			soft_fixture_direct(&fixture, count);
			fixture.request[AT_HOP_POINTER] = (uint8_t)((int)count + 1 + off);
			unit_case("%u hops, pointer off by %d", count, off);
			CHECK_EQUAL(soft_fixture_send(&fixture), good ? VERDICT_ANSWER : VERDICT_DROP);
			CHECK_EQUAL(fixture.responder.counters.malformed, !good);
			soft_fixture_close(&fixture);
		}
	}
}

/* A wire that does not move the pointer is served with any, and gets it back as it was. */
static void test_any_hop_pointer(void)
{
	static const struct {
		uint8_t pointer, count;
		bool good;
	} cases[] = {{0, 0, true}, {0, 5, true}, {6, 5, true}, {99, 5, true}, {0, 63, true}, {0, 64, false}};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct soft_fixture fixture;

		soft_fixture_open(&fixture, 'c');
		fixture.arrival.any_hop_pointer = true;
		soft_fixture_request(&fixture, GET, ATTR_NODE_INFO, 0, NULL);
		soft_fixture_direct(&fixture, 0);
		fixture.request[AT_HOP_POINTER] = cases[i].pointer;
		fixture.request[AT_HOP_COUNT] = cases[i].count;
		unit_case("case %zu", i);
		CHECK_EQUAL(soft_fixture_send(&fixture), cases[i].good ? VERDICT_ANSWER : VERDICT_DROP);
		if (cases[i].good)
			CHECK_EQUAL(fixture.response[AT_HOP_POINTER], cases[i].pointer);
		soft_fixture_close(&fixture);
	}
}

/* With D set a packet is on its way back. On a LID route that bit is part of the status, which is ignored. */
static void test_direction(void)
{
	for (const char *node = nodes; *node; node++) {
		unit_case("node %c", *node);
		CHECK_EQUAL(send_changed(*node, true, AT_STATUS, 0x80), VERDICT_DROP);
		CHECK_EQUAL(send_changed(*node, true, AT_STATUS, 0x7F), VERDICT_ANSWER);
		CHECK_EQUAL(send_changed(*node, false, AT_STATUS, 0x80), VERDICT_ANSWER);
	}
}

/* ---- the answer ---- */

/* Nothing but method, status and data differs; D is set on a directed route, and nothing is swapped. */
static void check_echo(char node, bool directed, uint8_t method, unsigned status)
{
	struct soft_fixture fixture;
	uint8_t wanted[MAD_SIZE];

	soft_fixture_open(&fixture, node);
	soft_fixture_request(&fixture, method, ATTR_NODE_INFO, 0, NULL);
	if (directed)
		soft_fixture_direct(&fixture, 40);
	wire_put64(fixture.request + AT_M_KEY, 0x1122334455667788);
	wire_put16(fixture.request + AT_DR_SLID, 0x0102);
	wire_put16(fixture.request + AT_DR_DLID, PERMISSIVE);
	memcpy(wanted, fixture.request, sizeof(wanted));
	CHECK_EQUAL(soft_fixture_send(&fixture), VERDICT_ANSWER);
	wanted[AT_METHOD] = GET_RESPONSE;
	wire_put16(wanted + AT_STATUS, (uint16_t)(status | (directed ? 0x8000 : 0)));
	if (status == 0)
		memcpy(wanted + AT_DATA, fixture.response + AT_DATA, SMA_BLOCK_SIZE);
	CHECK(memcmp(fixture.response, wanted, sizeof(wanted)) == 0);
	CHECK_OCTETS(fixture.response, wanted, 40);
	soft_fixture_close(&fixture);
}

static void test_echo(void)
{
	for (const char *node = nodes; *node; node++) {
		for (int directed = 0; directed <= 1; directed++) {
			unit_case("node %c, directed %d", *node, directed);
			check_echo(*node, directed, GET, 0);
			check_echo(*node, directed, SET, 0x0C);
			check_echo(*node, directed, 0x03, 0x08);
		}
	}
}

/* The answer may go where the request was. */
static void test_in_place(void)
{
	struct soft_fixture fixture;
	uint8_t data[SMA_BLOCK_SIZE];

	soft_fixture_open(&fixture, 's');
	memset(data, 0x12, sizeof(data));
	soft_fixture_request(&fixture, SET, 0x19, 0, data);
	CHECK_EQUAL(responder_answer(&fixture.responder, &fixture.arrival, fixture.request, fixture.request),
	            VERDICT_ANSWER);
	CHECK_EQUAL(fixture.request[AT_METHOD], GET_RESPONSE);
	CHECK_OCTETS(fixture.request + AT_DATA, data, SMA_BLOCK_SIZE);
	CHECK_OCTETS(fixture.state->linear, data, SMA_BLOCK_SIZE);
	soft_fixture_close(&fixture);
}

/* ---- the port ---- */

static void test_ports(void)
{
	static const struct {
		char node;
		unsigned port;
		bool good;
	} cases[] = {
		{'c', 0, false}, {'c', 1, true}, {'c', 2, true},  {'c', 3, false},  {'r', 0, false},
		{'r', 2, true},  {'s', 0, true}, {'s', 20, true}, {'s', 21, false}, {'s', UINT32_MAX, false},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct soft_fixture fixture;

		soft_fixture_open(&fixture, cases[i].node);
		fixture.arrival.port = cases[i].port;
		unit_case("node %c, port %u", cases[i].node, cases[i].port);
		CHECK_EQUAL(soft_fixture_ask(&fixture, GET, ATTR_PORT_INFO, 0, NULL),
		            cases[i].good ? 0 : ASK_DROPPED);
		soft_fixture_close(&fixture);
	}
}

/* ---- SMInfo ---- */

/* It is the SM's where there is one; a disabled SM says nothing. */
static void test_sm_info(void)
{
	static const struct {
		bool is_sm, disabled;
		uint8_t method;
		uint32_t modifier;
		unsigned wanted;
	} cases[] = {
		{true, false, GET, 0, ASK_TO_SM},    {true, false, SET, 1, ASK_TO_SM},
		{true, false, SET, 99, ASK_TO_SM},   {true, false, 0x03, 0, 0x08},
		{true, false, 0x07, 0, ASK_DROPPED}, {true, true, GET, 0, ASK_DROPPED},
		{false, true, GET, 0, ASK_DROPPED},  {false, true, SET, 1, ASK_DROPPED},
		{false, false, GET, 0, 0x0C},        {false, false, SET, 1, 0x0C},
	};

	for (const char *node = nodes; *node; node++) {
		for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
			struct soft_fixture fixture;
			unsigned port;

			soft_fixture_open(&fixture, *node);
			port = soft_fixture_port(&fixture);
			state_set(fixture.state, port, SMA_PortInfo_IsSM, cases[i].is_sm);
			state_set(fixture.state, port, SMA_PortInfo_IsSMdisabled, cases[i].disabled);
			unit_case("node %c, case %zu", *node, i);
			CHECK_EQUAL(soft_fixture_ask(&fixture, cases[i].method, ATTR_SM_INFO,
			                             cases[i].modifier, NULL),
			            cases[i].wanted);
			soft_fixture_close(&fixture);
		}
	}
}

/* The SM protects its own attribute: the SMA does not ask for the key. */
static void test_sm_info_key(void)
{
	struct soft_fixture fixture;

	soft_fixture_open(&fixture, 'c');
	state_set(fixture.state, 1, SMA_PortInfo_IsSM, 1);
	state_set(fixture.state, 1, SMA_PortInfo_M_Key, 5);
	state_set(fixture.state, 1, SMA_PortInfo_M_KeyProtectBits, 3);
	CHECK_EQUAL(soft_fixture_ask(&fixture, GET, ATTR_SM_INFO, 0, NULL), ASK_TO_SM);
	CHECK_EQUAL(fixture.responder.counters.bad_m_key, 0);
	soft_fixture_close(&fixture);
}

/* Sets of what is kept wait for the disk: good ones, of PortInfo and P_Keys each with its capability, where
 * there is a place to wait. */
static void test_hold(void)
{
	enum { ATTR_P_KEYS = 0x16, ATTR_SL2VL = 0x17 };
	static const struct {
		uint8_t method;
		uint16_t attribute;
		uint32_t modifier;
		int m_keys, p_keys; /* whether it waits with IsMKeyNVRAM, with IsPKeyNVRAM */
	} cases[] = {
		{SET, ATTR_PORT_INFO, 0, true, false}, {GET, ATTR_PORT_INFO, 0, false, false},
		{SET, ATTR_P_KEYS, 0, false, true},    {GET, ATTR_P_KEYS, 0, false, false},
		{SET, ATTR_P_KEYS, 99, false, false},  {SET, ATTR_SL2VL, 0, false, false},
	};
	static struct held held;

	for (size_t i = 0; i < 8 * UNIT_COUNT(cases); i++) {
		const unsigned bits = i % 8;
		const size_t c = i / 8;
		bool holds = (bits & 4) && ((bits & 1 && cases[c].m_keys) || (bits & 2 && cases[c].p_keys));
		struct soft_fixture fixture;

		unit_case("case %zu, bits %u", c, bits);
		soft_fixture_open(&fixture, 'c');
		state_set(fixture.state, 1, SMA_PortInfo_IsMKeyNVRAM, bits & 1);
		state_set(fixture.state, 1, SMA_PortInfo_IsPKeyNVRAM, bits >> 1 & 1);
		fixture.responder.held = bits & 4 ? &held : NULL;
		soft_fixture_request(&fixture, cases[c].method, cases[c].attribute, cases[c].modifier,
		                     cases[c].attribute == ATTR_PORT_INFO ? fixture.state->port[1].info
		                                                          : NULL);
		CHECK_EQUAL(soft_fixture_send(&fixture), holds ? VERDICT_HOLD : VERDICT_ANSWER);
		CHECK_EQUAL(held.count, 0); /* that is for the wire to do */
		soft_fixture_close(&fixture);
	}
	unit_case(NULL);
}

static const struct unit_test tests[] = {
	{"bytes of the header", test_bytes},
	{"methods", test_methods},
	{"ClassVersion", test_class_version},
	{"hops of a directed route", test_hops},
	{"a wire that leaves the hop pointer alone", test_any_hop_pointer},
	{"direction", test_direction},
	{"all else is echoed", test_echo},
	{"in place", test_in_place},
	{"ports that have no SMA", test_ports},
	{"SMInfo goes to the SM", test_sm_info},
	{"SMInfo is the SM's to protect", test_sm_info_key},
	{"what waits for the disk", test_hold},
};

int main(void)
{
	return UNIT_MAIN("responder", tests);
}
