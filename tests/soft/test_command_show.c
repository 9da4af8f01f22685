// SPDX-License-Identifier: BSD-2-Clause
/* What the console shows: help, and the node as it stands, but for keys. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/soft/command_fixture.h"
#include "tests/unit.h"

enum { NOW = 1000 };

/* Each command stands in the help, with the words that its errors give. */
static void test_help(void)
{
	static const char *const lines[] = {
		"link PORT up|down ",
		"integrity PORT ",
		"overrun PORT ",
		"flowcontrol PORT ",
		"badpkey [KEY=VALUE ...] ",
		"badqkey [KEY=VALUE ...] ",
		"systemguid GUID ",
		"capability PORT NAME on|off",
		"description \"TEXT\" ",
		"diag PORT CODE ",
		"led PORT on|off ",
		"show ",
		"help ",
		"show node ",
		"show switch ",
		"show port PORT ",
		"show pkeys PORT ",
		"show lft [LID] ",
		"show traps ",
		"show unit ",
		"show counters ",
		"ioc SLOT add|remove [GUID] ",
		"ready SLOT STATUS ",
	};
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	CHECK_EQUAL(command_fixture_run(&fixture, "help"), 0);
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		const char *at = strstr(fixture.reply, lines[i]);

		unit_case("%s", lines[i]);
		CHECK(at && (at == fixture.reply || at[-1] == '\n'));
	}
	unit_case(NULL);
	command_fixture_close(&fixture);
}

/* ---- show ---- */

static void test_show_port(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	state_set(fixture.state, 1, SMA_PortInfo_IsLedInfoSupported, 1);
	state_set(fixture.state, 1, SMA_PortInfo_DiagCode, 0x24);
	CHECK_EQUAL(command_fixture_run(&fixture, "show port 1"), 0);
	CHECK(strstr(fixture.reply, "port 1: Active, LID 5, cable in\nLED off\n") == fixture.reply);
	CHECK(strstr(fixture.reply, "\nDiagCode 36 (0x24)\n"));
	CHECK(strstr(fixture.reply, "\nPortState 4\n"));
	CHECK_EQUAL(command_fixture_run(&fixture, "link 1 down"), 0);
	CHECK_EQUAL(command_fixture_run(&fixture, "show port 1"), 0);
	CHECK(strstr(fixture.reply, "port 1: Down, LID 5, cable out\n") == fixture.reply);
	command_fixture_close(&fixture);
}

static void test_show_tables(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, SWITCH);
	memset(fixture.state->linear + 1, 2, 4);
	fixture.state->linear[5] = 9;
	fixture.state->linear[20] = 1;
	state_set(fixture.state, 0, SMA_SwitchInfo_LinearFDBTop, 10);
	CHECK_EQUAL(command_fixture_run(&fixture, "show lft"), 0);
	CHECK_TEXT(fixture.reply, "LID 1-4: port 2\nLID 5: discarded\nok\n");
	CHECK_EQUAL(command_fixture_run(&fixture, "show lft 20"), 0);
	CHECK_TEXT(fixture.reply, "LID 20: port 1\nok\n");
	wire_put16(fixture.state->port[1].pkeys + 2, 0x8001);
	wire_put16(fixture.state->port[1].pkeys + 4, 0x8001);
	wire_put16(fixture.state->port[1].pkeys + 6, 0x0002);
	CHECK_EQUAL(command_fixture_run(&fixture, "show pkeys 1"), 0);
	CHECK_TEXT(fixture.reply, "1-2: 0x8001\n3: 0x0002\nok\n");
	CHECK_EQUAL(command_fixture_run(&fixture, "show switch"), 0);
	CHECK(strstr(fixture.reply, "LinearFDBTop 10 (0xa)\n"));
	command_fixture_close(&fixture);
}

/* What the node has not got. */
static void test_show_nothing(void)
{
	struct state_shape shape = {
		.type = SWITCH, .ports = 1, .guid_cap = 1, .pkey_cap = 1, .random_cap = 8, .vls = 1};
	struct command_fixture fixture;

	if (state_new(&shape, &fixture.state) < 0 || responder_init(&fixture.responder, fixture.state) < 0)
		abort();
	CHECK_EQUAL(command_fixture_run(&fixture, "show lft"), -EINVAL);
	CHECK_TEXT(fixture.reply, "error: show lft: expected only with linearFDBCap on a switch\n");
	CHECK_EQUAL(command_fixture_run(&fixture, "show pkeys 1"), -EINVAL);
	CHECK_TEXT(fixture.reply, "error: show pkeys 1: expected a port with a P_Key table\n");
	CHECK_EQUAL(command_fixture_run(&fixture, "show pkeys 2"), -EINVAL);
	command_fixture_close(&fixture);
}

static void test_show_description(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	memset(fixture.state->description, 'd', SMA_BLOCK_SIZE);
	/* ESC, newline, DEL, CSI as one byte and in UTF-8, and what is good in UTF-8 */
	memcpy(fixture.state->description + 1, "\x1B\n\x7F\x9B\xC2\x9B\xC3\xA9", 8);
	CHECK_EQUAL(command_fixture_run(&fixture, "show node"), 0);
	CHECK(strstr(fixture.reply, "NodeDescription \"d?????\?\xC3\xA9"
	                            "dddddd") == fixture.reply);
	CHECK(strstr(fixture.reply, "ddd\"\nBaseVersion 1\n"));
	CHECK(strstr(fixture.reply, "\nNodeGUID 4096 (0x1000)\n"));
	command_fixture_close(&fixture);
}

static void test_show_traps(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	command_fixture_run(&fixture, "integrity 1");
	command_fixture_run(&fixture, "systemguid 1");
	command_fixture_run(&fixture, "badqkey port=2");
	CHECK_EQUAL(command_fixture_run(&fixture, "show traps"), 0);
	CHECK_TEXT(fixture.reply, "port 1: trap 129, TID 0x1\nport 1: trap 145, TID 0x2\nport 1: Notice 129\n"
	                          "port 1: Notice 145\nport 1: traps dropped 0\nport 2: trap 258, TID 0x2\n"
	                          "port 2: trap 145, TID 0x1\nport 2: Notice 145\nport 2: Notice 258\n"
	                          "port 2: traps dropped 0\nok\n");
	CHECK_EQUAL(command_fixture_run(&fixture, "show counters"), 0);
	CHECK(strstr(fixture.reply, "port 2: M_KeyViolations 0, P_KeyViolations 0, Q_KeyViolations 1\n"));
	command_fixture_close(&fixture);
}

static void test_counters(void)
{
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	fixture.responder.counters = (struct responder_counters){1, 2, 3, 4, 5};
	fixture.responder.wire = (struct wire_counters){.malformed = 6,
	                                                .refused = 7,
	                                                .answered = 8,
	                                                .unanswered = 9,
	                                                .forwarded = 10,
	                                                .undelivered = 11,
	                                                .dropped = 12};
	CHECK_EQUAL(command_fixture_run(&fixture, "show counters"), 0);
	CHECK(strstr(fixture.reply, "answered 1\nrefused 2\nmalformed 3\nbad M_Keys 4\nTrapRepress 5\n"
	                            "wire answered 8\nwire unanswered 9\nwire forwarded 10 (0xa)\n"
	                            "wire undelivered 11 (0xb)\nwire dropped 12 (0xc)\nwire malformed 6\n"
	                            "wire refused 7\n") == fixture.reply);
	command_fixture_close(&fixture);
}

/* Neither the port's key nor the one that an offender tried, in either notation. */
static void test_no_keys(void)
{
	static const char *const lines[] = {"show",         "show node",  "show port 1",  "show port 2",
	                                    "show pkeys 1", "show traps", "show counters"};
	uint8_t mad[MAD_SIZE] = {1, 1, 1, 2};
	struct arrival arrival = {.port = 1, .slid = 9, .now = NOW};
	char decimal[32];
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	snprintf(decimal, sizeof(decimal), "%llu", M_KEY);
	wire_put64(mad + 24, M_KEY + 1);
	mad[17] = 0x15;
	CHECK_EQUAL(responder_answer(&fixture.responder, &arrival, mad, mad), VERDICT_DROP);
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		unit_case("%s", lines[i]);
		CHECK_EQUAL(command_fixture_run(&fixture, lines[i]), 0);
		CHECK(!strstr(fixture.reply, "112233445566") && !strstr(fixture.reply, decimal) &&
		      !strstr(fixture.reply, "M_Key "));
	}
	unit_case(NULL);
	command_fixture_run(&fixture, "show traps");
	CHECK(strstr(fixture.reply, "trap 256"));
	command_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"help", test_help},
	{"show port", test_show_port},
	{"show tables", test_show_tables},
	{"tables that are not there", test_show_nothing},
	{"show node", test_show_description},
	{"show traps", test_show_traps},
	{"show counters", test_counters},
	{"no keys are shown", test_no_keys},
};

int main(void)
{
	return UNIT_MAIN("command_show", tests);
}
