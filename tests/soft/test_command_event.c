// SPDX-License-Identifier: BSD-2-Clause
/* What commands of the console change in the node, and the notices that they raise. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/soft/command_fixture.h"
#include "tests/unit.h"

/* Bytes of a Notice. */
enum { NUMBER_AT = 4, ISSUER_AT = 6, HEAD_SIZE = 10 };

/* ---- what changes ---- */

static const struct {
	unsigned type;
	const char *line;
	unsigned port;
	enum sma_component component;
	uint64_t value;
} changes[] = {
	{CA, "link 1 down", 1, SMA_PortInfo_PortState, 1},
	{CA, "link 1 down", 1, SMA_PortInfo_PortPhysicalState, 2},
	{CA, "link 1 down", 2, SMA_PortInfo_PortState, STATE_ACTIVE},
	{CA, "link 1 up", 1, SMA_PortInfo_PortState, STATE_ACTIVE}, /* it was in already */
	{SWITCH, "link 3 down", 3, SMA_PortInfo_PortState, 1},
	{SWITCH, "link 3 down", 0, SMA_SwitchInfo_PortStateChange, 1},
	{CA, "badpkey port=2", 2, SMA_PortInfo_P_KeyViolations, 1},
	{CA, "badpkey port=2", 1, SMA_PortInfo_P_KeyViolations, 0},
	{CA, "badpkey", 1, SMA_PortInfo_P_KeyViolations, 1},
	{CA, "badpkey", 1, SMA_PortInfo_Q_KeyViolations, 0},
	{CA, "badqkey", 1, SMA_PortInfo_Q_KeyViolations, 1},
	{CA, "badqkey", 1, SMA_PortInfo_P_KeyViolations, 0},
	{SWITCH, "badpkey", 0, SMA_PortInfo_P_KeyViolations, 1},
	{SWITCH, "badpkey port=3", 3, SMA_PortInfo_P_KeyViolations, 0}, /* it is not reported */
	{CA, "systemguid 0x1234567812345678", 0, SMA_NodeInfo_SystemImageGUID, 0x1234567812345678},
	{CA, "capability 2 IsMKeyNVRAM on", 2, SMA_PortInfo_IsMKeyNVRAM, 1},
	{CA, "capability 2 IsMKeyNVRAM on", 1, SMA_PortInfo_IsMKeyNVRAM, 0},
	{CA, "capability 1 IsTrapSupported off", 1, SMA_PortInfo_IsTrapSupported, 0},
	{CA, "diag 2 0x8013", 2, SMA_PortInfo_DiagCode, 0x8013},
	{SWITCH, "diag 0 3", 0, SMA_PortInfo_DiagCode, 3},
};

static uint64_t value_of(const struct soft_state *state, unsigned port, enum sma_component component)
{
	const uint8_t *block = sma_component_attr(component) == SMA_NodeInfo     ? state->node_info
	                       : sma_component_attr(component) == SMA_SwitchInfo ? state->switch_info
	                                                                         : state->port[port].info;

	return sma_component_get(block, component);
}

static void test_changes(void)
{
	for (size_t i = 0; i < UNIT_COUNT(changes); i++) {
		struct command_fixture fixture;

		unit_case("%s", changes[i].line);
		command_fixture_open(&fixture, changes[i].type);
		command_fixture_run(&fixture, changes[i].line);
		CHECK_EQUAL(value_of(fixture.state, changes[i].port, changes[i].component), changes[i].value);
		command_fixture_close(&fixture);
	}
}

static void test_link(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	command_fixture_run(&fixture, "link 1 down");
	CHECK(!fixture.state->port[1].link);
	command_fixture_run(&fixture, "link 1 up");
	CHECK(fixture.state->port[1].link);
	CHECK_EQUAL(state_get(fixture.state, 1, SMA_PortInfo_PortState), STATE_INITIALIZE);
	CHECK_EQUAL(state_get(fixture.state, 1, SMA_PortInfo_PortPhysicalState), 5);
	command_fixture_close(&fixture);
}

static void test_led(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	state_set(fixture.state, 2, SMA_PortInfo_IsLedInfoSupported, 1);
	CHECK_EQUAL(command_fixture_run(&fixture, "led 2 on"), 0);
	CHECK_EQUAL(fixture.state->port[2].led, SOFT_LED_ON);
	CHECK_EQUAL(command_fixture_run(&fixture, "led 2 off"), 0);
	CHECK_EQUAL(fixture.state->port[2].led, 0);
	command_fixture_close(&fixture);
}

static void test_description(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = "a \"b\" \\c # d";
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	CHECK_EQUAL(command_fixture_run(&fixture, "description \"a \\\"b\\\" \\\\c # d\""), 0);
	CHECK_OCTETS(fixture.state->description, wanted, SMA_BLOCK_SIZE);
	CHECK_EQUAL(command_fixture_run(&fixture, "description \"\""), 0);
	CHECK_EQUAL(fixture.state->description[0], 0);
	command_fixture_close(&fixture);
}

/* Counters stop at their ceiling. */
static void test_ceiling(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	state_set(fixture.state, 1, SMA_PortInfo_P_KeyViolations, 0xFFFE);
	for (unsigned i = 0; i < 3; i++)
		command_fixture_run(&fixture, "badpkey");
	CHECK_EQUAL(state_get(fixture.state, 1, SMA_PortInfo_P_KeyViolations), 0xFFFF);
	command_fixture_close(&fixture);
}

/* ---- notices ---- */

/* The tables of IBA 13.4.8.2 and 14.2.5.1, byte by byte: `head` is IsGeneric and Type, ProducerType,
 * TrapNumber and IssuerLID; toggle and count are zero, and so is what is beyond `details`. */
static const struct {
	unsigned type;
	const char *before; /* a line that goes first, or NULL */
	const char *line;
	const char *head, *details;
} notices[] = {
	{SWITCH, NULL, "link 3 down", "81 000002 0080 0005", "0005"},
	{CA, NULL, "integrity 2", "81 000001 0081 0006", "0000 0006 02"},
	{SWITCH, NULL, "integrity 4", "81 000002 0081 0005", "0000 0005 04"},
	{ROUTER, NULL, "overrun 1", "81 000003 0082 0005", "0000 0005 01"},
	{SWITCH, NULL, "flowcontrol 4", "81 000002 0083 0005", "0000 0005 04"},
	{CA, NULL, "badpkey", "82 000001 0101 0005",
         "0000 0005 0005 00000001 00 000001 00 000001 fe80000000000000 0000000000001001 fe80000000000000 "
         "0000000000001001"},
	{CA, NULL,
         "badpkey gid2=fe80::3:4 gid1=fe80::1:2 qp2=0xd0e0f0 qp1=0xa0b0c0 sl=9 lid2=0x1234 lid1=0xbeef "
         "key=0x8001 port=2",
         "82 000001 0101 0006",
         "0000 beef 1234 00008001 90 a0b0c0 00 d0e0f0 fe80000000000000 0000000000010002 fe80000000000000 "
         "0000000000030004"},
	{SWITCH, NULL, "badpkey port=0 key=7", "82 000002 0101 0005",
         "0000 0005 0005 00000007 00 000001 00 000001 fe80000000000000 0000000000001000 fe80000000000000 "
         "0000000000001000"},
	{CA, NULL, "badqkey key=0x80010203 sl=15 gid1=ff00::", "82 000001 0102 0005",
         "0000 0005 0005 80010203 f0 000001 00 000001 ff00000000000000 0000000000000000 fe80000000000000 "
         "0000000000001001"},
	{SWITCH, "capability 0 IsPKeySwitchExternalPortTrapSupported on",
         "badpkey port=3 key=0x7fff lid1=2 lid2=3 sl=1 qp1=4 qp2=5 gid1=::6 gid2=::7", "82 000002 0103 0005",
         "00ff 0002 0003 7fff 10 000004 00 000005 0000000000000000 0000000000000006 0000000000000000 "
         "0000000000000007 0005 03"},
	{CA, NULL, "systemguid 0x0123456789abcdef", "84 000001 0091 0005", "0000 0005 0000 0123456789abcdef"},
	/* 0260084c is what a new state can do */
	{CA, NULL, "capability 1 IsAutomaticMigrationSupported on", "84 000001 0090 0005",
         "0000 0005 00 00 0260086c 0000"},
	{CA, NULL, "capability 1 IsPortInfoExtendedSupported on", "84 000001 0090 0005",
         "0000 0005 00 01 0260084c 0020 0002"},
	{CA, NULL, "description x", "84 000001 0090 0005", "0000 0005 00 01 0260084c 0001"},
};

static void append_hex(uint8_t *bytes, size_t at, const char *hex)
{
	for (; *hex; hex += 2) {
		hex += strspn(hex, " ");
		sscanf(hex, "%2" SCNx8, &bytes[at++]);
	}
}

static const struct notice_queue *queue_of(const struct command_fixture *fixture, uint16_t issuer)
{
	return &fixture->responder.endpoints[issuer - LID].notices;
}

/* The newest Notice of the agent that must have raised it, and that it is raised as a trap too. */
static void check_notice(const struct command_fixture *fixture, const uint8_t wanted[SMA_BLOCK_SIZE])
{
	uint16_t issuer = wire_get16(wanted + ISSUER_AT);
	const struct notice_queue *queue = queue_of(fixture, issuer);
	const struct trap_list *list =
		&fixture->responder.endpoints[issuer - LID].traps.lists[wanted[0] & 0x7F];

	if (!CHECK(queue->count > 0 && list->count > 0))
		return;
	CHECK_OCTETS(queue->notices[queue->count - 1], wanted, SMA_BLOCK_SIZE);
	CHECK_OCTETS(list->traps[list->count - 1].notice, wanted, SMA_BLOCK_SIZE);
}

static void test_notices(void)
{
	for (size_t i = 0; i < UNIT_COUNT(notices); i++) {
		uint8_t wanted[SMA_BLOCK_SIZE] = {0};
		struct command_fixture fixture;

		unit_case("%s", notices[i].line);
		command_fixture_open(&fixture, notices[i].type);
		if (notices[i].before)
			CHECK_EQUAL(command_fixture_run(&fixture, notices[i].before), 0);
		CHECK_EQUAL(command_fixture_run(&fixture, notices[i].line), 0);
		append_hex(wanted, 0, notices[i].head);
		append_hex(wanted, HEAD_SIZE, notices[i].details);
		check_notice(&fixture, wanted);
		command_fixture_close(&fixture);
	}
}

/* What is no event raises nothing. */
static const struct {
	unsigned type;
	const char *line;
} silent[] = {
	{CA, "link 1 down"},   {CA, "link 1 up"},
	{SWITCH, "link 1 up"}, {CA, "capability 1 IsTrapSupported on"}, /* it was on */
	{CA, "diag 1 4"},      {SWITCH, "badpkey port=1"},
	{CA, "integrity 3"},   {CA, "show"},
	{CA, "help"},
};

static void test_silent(void)
{
	for (size_t i = 0; i < UNIT_COUNT(silent); i++) {
		struct command_fixture fixture;

		unit_case("%s", silent[i].line);
		command_fixture_open(&fixture, silent[i].type);
		command_fixture_run(&fixture, silent[i].line);
		for (unsigned a = 0; a < fixture.responder.endpoint_count; a++) {
			CHECK_EQUAL(fixture.responder.endpoints[a].notices.count, 0);
			CHECK(!trap_sender_waiting(&fixture.responder.endpoints[a].traps));
		}
		command_fixture_close(&fixture);
	}
}

/* What concerns the node is reported by each of its ports. */
static void test_every_port(void)
{
	static const struct {
		const char *line;
		unsigned trap;
	} cases[] = {{"description x", SMA_TRAP_CAPABILITY}, {"systemguid 1", SMA_TRAP_SYSTEM_GUID}};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct command_fixture fixture;

		unit_case("%s", cases[i].line);
		command_fixture_open(&fixture, CA);
		command_fixture_run(&fixture, cases[i].line);
		for (unsigned p = 0; p < CA_PORTS; p++) {
			const struct notice_queue *queue = queue_of(&fixture, (uint16_t)(LID + p));

			CHECK_EQUAL(queue->count, 1);
			CHECK_EQUAL(wire_get16(queue->notices[0] + NUMBER_AT), cases[i].trap);
			CHECK_EQUAL(wire_get16(queue->notices[0] + ISSUER_AT), LID + p);
		}
		command_fixture_close(&fixture);
	}
}

/* A bad P_Key at a data port of a switch is counted there. */
static void test_switch_p_key(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, SWITCH);
	state_set(fixture.state, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 1);
	CHECK_EQUAL(command_fixture_run(&fixture, "badpkey port=3"), 0);
	CHECK_EQUAL(state_get(fixture.state, 3, SMA_PortInfo_P_KeyViolations), 1);
	CHECK_EQUAL(state_get(fixture.state, 0, SMA_PortInfo_P_KeyViolations), 0);
	command_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"components that change", test_changes},
	{"links", test_link},
	{"LEDs", test_led},
	{"descriptions", test_description},
	{"counters at their ceiling", test_ceiling},
	{"notices", test_notices},
	{"lines that raise no notice", test_silent},
	{"notices of every port", test_every_port},
	{"bad P_Keys at a switch", test_switch_p_key},
};

int main(void)
{
	return UNIT_MAIN("command_event", tests);
}
