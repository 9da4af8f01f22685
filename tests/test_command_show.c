// SPDX-License-Identifier: BSD-2-Clause
/* What the console tells: help, and the node as it stands, but for keys. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/wire.h"
#include "tests/command_bench.h"
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
		"show counters ",
	};
	struct command_bench bench;

	command_bench_open(&bench, CA);
	CHECK_EQUAL(command_bench_run(&bench, "help"), 0);
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		const char *at = strstr(bench.reply, lines[i]);

		unit_case("%s", lines[i]);
		CHECK(at && (at == bench.reply || at[-1] == '\n'));
	}
	unit_case(NULL);
	command_bench_close(&bench);
}

/* ---- show ---- */

static void test_show_port(void)
{
	struct command_bench bench;

	command_bench_open(&bench, CA);
	store_set(bench.store, 1, SMA_PortInfo_IsLedInfoSupported, 1);
	store_set(bench.store, 1, SMA_PortInfo_DiagCode, 0x24);
	CHECK_EQUAL(command_bench_run(&bench, "show port 1"), 0);
	CHECK(strstr(bench.reply, "port 1: Active, LID 5, cable in\nLED off\n") == bench.reply);
	CHECK(strstr(bench.reply, "\nDiagCode 36 (0x24)\n"));
	CHECK(strstr(bench.reply, "\nPortState 4\n"));
	CHECK_EQUAL(command_bench_run(&bench, "link 1 down"), 0);
	CHECK_EQUAL(command_bench_run(&bench, "show port 1"), 0);
	CHECK(strstr(bench.reply, "port 1: Down, LID 5, cable out\n") == bench.reply);
	command_bench_close(&bench);
}

static void test_show_tables(void)
{
	struct command_bench bench;

	command_bench_open(&bench, SWITCH);
	memset(bench.store->linear + 1, 2, 4);
	bench.store->linear[5] = 9;
	bench.store->linear[20] = 1;
	store_set(bench.store, 0, SMA_SwitchInfo_LinearFDBTop, 10);
	CHECK_EQUAL(command_bench_run(&bench, "show lft"), 0);
	CHECK_TEXT(bench.reply, "LID 1-4: port 2\nLID 5: discarded\nok\n");
	CHECK_EQUAL(command_bench_run(&bench, "show lft 20"), 0);
	CHECK_TEXT(bench.reply, "LID 20: port 1\nok\n");
	wire_put16(bench.store->port[1].pkeys + 2, 0x8001);
	wire_put16(bench.store->port[1].pkeys + 4, 0x8001);
	wire_put16(bench.store->port[1].pkeys + 6, 0x0002);
	CHECK_EQUAL(command_bench_run(&bench, "show pkeys 1"), 0);
	CHECK_TEXT(bench.reply, "1-2: 0x8001\n3: 0x0002\nok\n");
	CHECK_EQUAL(command_bench_run(&bench, "show switch"), 0);
	CHECK(strstr(bench.reply, "LinearFDBTop 10 (0xa)\n"));
	command_bench_close(&bench);
}

/* What the node has not got. */
static void test_show_nothing(void)
{
	struct store_shape shape = {
		.type = SWITCH, .ports = 1, .guid_cap = 1, .pkey_cap = 1, .random_cap = 8, .vls = 1};
	struct command_bench bench;

	if (store_new(&shape, &bench.store) < 0 || responder_init(&bench.responder, bench.store) < 0)
		abort();
	CHECK_EQUAL(command_bench_run(&bench, "show lft"), -ENOTSUP);
	CHECK_TEXT(bench.reply, "error: the node has no LFT: expected a switch with a linear table\n");
	CHECK_EQUAL(command_bench_run(&bench, "show pkeys 1"), -ENOTSUP);
	CHECK_TEXT(bench.reply, "error: port 1 has no P_Keys: expected one with a P_Key table\n");
	CHECK_EQUAL(command_bench_run(&bench, "show pkeys 2"), -ERANGE);
	command_bench_close(&bench);
}

static void test_show_description(void)
{
	struct command_bench bench;

	command_bench_open(&bench, CA);
	memset(bench.store->description, 'd', SMA_BLOCK_SIZE);
	/* ESC, newline, DEL, CSI as one byte and in UTF-8, and what is good in UTF-8 */
	memcpy(bench.store->description + 1, "\x1B\n\x7F\x9B\xC2\x9B\xC3\xA9", 8);
	CHECK_EQUAL(command_bench_run(&bench, "show node"), 0);
	CHECK(strstr(bench.reply, "NodeDescription \"d?????\?\xC3\xA9"
	                          "dddddd") == bench.reply);
	CHECK(strstr(bench.reply, "ddd\"\nBaseVersion 1\n"));
	CHECK(strstr(bench.reply, "\nNodeGUID 4096 (0x1000)\n"));
	command_bench_close(&bench);
}

static void test_show_traps(void)
{
	struct command_bench bench;

	command_bench_open(&bench, CA);
	command_bench_run(&bench, "integrity 1");
	command_bench_run(&bench, "systemguid 1");
	command_bench_run(&bench, "badqkey port=2");
	CHECK_EQUAL(command_bench_run(&bench, "show traps"), 0);
	CHECK_TEXT(bench.reply, "port 1: trap 129, TID 0x1\nport 1: trap 145, TID 0x2\nport 1: Notice 129\n"
	                        "port 1: Notice 145\nport 1: traps dropped 0\nport 2: trap 258, TID 0x2\n"
	                        "port 2: trap 145, TID 0x1\nport 2: Notice 145\nport 2: Notice 258\n"
	                        "port 2: traps dropped 0\nok\n");
	CHECK_EQUAL(command_bench_run(&bench, "show counters"), 0);
	CHECK(strstr(bench.reply, "port 2: M_KeyViolations 0, P_KeyViolations 0, Q_KeyViolations 1\n"));
	command_bench_close(&bench);
}

static void test_counters(void)
{
	struct command_bench bench;

	command_bench_open(&bench, CA);
	bench.responder.counters = (struct responder_counters){1, 2, 3, 4, 5};
	bench.responder.wire = (struct wire_counters){.malformed = 6,
	                                              .refused = 7,
	                                              .answered = 8,
	                                              .unanswered = 9,
	                                              .forwarded = 10,
	                                              .undelivered = 11,
	                                              .dropped = 12};
	CHECK_EQUAL(command_bench_run(&bench, "show counters"), 0);
	CHECK(strstr(bench.reply, "answered 1\nrefused 2\nmalformed 3\nbad M_Keys 4\nTrapRepress 5\n"
	                          "wire answered 8\nwire unanswered 9\nwire forwarded 10 (0xa)\n"
	                          "wire undelivered 11 (0xb)\nwire dropped 12 (0xc)\nwire malformed 6\n"
	                          "wire refused 7\n") == bench.reply);
	command_bench_close(&bench);
}

/* Neither the port's key nor the one that an offender tried, in either notation. */
static void test_no_keys(void)
{
	static const char *const lines[] = {"show",         "show node",  "show port 1",  "show port 2",
	                                    "show pkeys 1", "show traps", "show counters"};
	uint8_t mad[SMA_MAD_SIZE] = {1, 1, 1, 2};
	struct arrival arrival = {.port = 1, .slid = 9, .now = NOW};
	char decimal[32];
	struct command_bench bench;

	command_bench_open(&bench, CA);
	snprintf(decimal, sizeof(decimal), "%llu", M_KEY);
	wire_put64(mad + 24, M_KEY + 1);
	mad[17] = 0x15;
	CHECK_EQUAL(responder_answer(&bench.responder, &arrival, mad, mad), VERDICT_DROP);
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		unit_case("%s", lines[i]);
		CHECK_EQUAL(command_bench_run(&bench, lines[i]), 0);
		CHECK(!strstr(bench.reply, "112233445566") && !strstr(bench.reply, decimal) &&
		      !strstr(bench.reply, "M_Key "));
	}
	unit_case(NULL);
	command_bench_run(&bench, "show traps");
	CHECK(strstr(bench.reply, "trap 256"));
	command_bench_close(&bench);
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
