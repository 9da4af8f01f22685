// SPDX-License-Identifier: BSD-2-Clause
/* Lines for the console: which it takes, and how it answers right ones, wrong ones and any. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/soft/command_fixture.h"
#include "tests/unit.h"

#define LETTERS_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* ---- answers ---- */

#define COMMANDS                                                                                             \
	"link, integrity, overrun, flowcontrol, badpkey, badqkey, description, systemguid, capability, "     \
	"diag, led, ioc, ready, show, help\n"
#define KEYS "expected KEY=VALUE, where KEY is port, key, lid1, lid2, sl, qp1, qp2, gid1 or gid2\n"

static const struct {
	unsigned type;
	const char *line;
	int rc;
	const char *reply;
} answers[] = {
	/* lines */
	{CA, "", 0, ""},
	{CA, " \t\r", 0, ""},
	{CA, "# nothing", 0, ""},
	{CA, "link 1 down # why", 0, "ok\n"},
	{CA, "\tLINK  1\tDown \r", 0, "ok\n"},
	{CA, "\"link\" \"1\" \"down\"", 0, "ok\n"},
	{CA, "unlink", -EINVAL, "error: unlink: unknown command; the nearest is link\n"},
	{CA, "lin 1 up", -EINVAL, "error: lin: unknown command; the nearest is link\n"},
	{CA, "\"\"", -EINVAL, "error: : unknown command; expected one of " COMMANDS},
	{CA, "link 1\x01", -EINVAL, "error: link: expected text, not the byte 0x01\n"},
	{CA, "link 1\x7F", -EINVAL, "error: link: expected text, not the byte 0x7f\n"},
	{CA,
         "\x9B"
         "31m",
         -EINVAL, "error: ?31m: unknown command; expected one of " COMMANDS},
	{CA,
         "\xC2\x9B"
         "31m",
         -EINVAL, "error: ??31m: unknown command; expected one of " COMMANDS},
	{CA, "caf\xC3\xA9", -EINVAL, "error: caf\xC3\xA9: unknown command; expected one of " COMMANDS},
	{CA, "link \"1 up", -EINVAL, "error: link: expected a quotation mark at the end of the text\n"},
	/* link */
	{CA, "link 0x2 up", 0, "ok\n"},
	{SWITCH, "link 4 down", 0, "ok\n"},
	{CA, "link", -EINVAL, "error: link: expected link PORT up|down\n"},
	{CA, "link 1", -EINVAL, "error: link: expected link PORT up|down\n"},
	{CA, "link 1 up 2", -EINVAL, "error: link: expected link PORT up|down\n"},
	{CA, "link 0 up", -EINVAL, "error: link 0: expected a port, 1 to 2\n"},
	{CA, "link 3 up", -EINVAL, "error: link 3: expected a port, 1 to 2\n"},
	{SWITCH, "link 5 up", -EINVAL, "error: link 5: expected a port, 1 to 4\n"},
	{CA, "link -1 up", -EINVAL, "error: link -1: expected a port, 1 to 2\n"},
	{CA, "link 1x up", -EINVAL, "error: link 1x: expected a port, 1 to 2\n"},
	{CA, "link 18446744073709551617 up", -EINVAL,
         "error: link 18446744073709551617: expected a port, 1 to 2\n"},
	{CA, "link 1 on", -EINVAL, "error: link on: expected up or down\n"},
	/* thresholds */
	{CA, "integrity 2", 0, "ok\n"},
	{SWITCH, "integrity 4", 0, "ok\n"},
	{CA, "integrity", -EINVAL, "error: integrity: expected integrity PORT\n"},
	{SWITCH, "integrity 0", -EINVAL, "error: integrity 0: expected a port, 1 to 4\n"},
	{ROUTER, "overrun 1", 0, "ok\n"},
	{CA, "overrun x", -EINVAL, "error: overrun x: expected a port, 1 to 2\n"},
	{SWITCH, "flowcontrol 1", 0, "ok\n"},
	{SWITCH, "flowcontrol 9", -EINVAL, "error: flowcontrol 9: expected a port, 1 to 4\n"},
	{CA, "flowcontrol 1", -EINVAL, "error: flowcontrol: expected only with nodeType switch\n"},
	/* bad keys */
	{CA, "badpkey", 0, "ok\n"},
	{CA, "badpkey PORT=2 KEY=0xffff lid1=0xffff lid2=0 sl=15 qp1=0xffffff qp2=0 gid1=:: gid2=fe80::1", 0,
         "ok\n"},
	{CA, "badpkey 1", -EINVAL, "error: badpkey 1: " KEYS},
	{CA, "badpkey port", -EINVAL, "error: badpkey port: " KEYS},
	{CA, "badpkey por=1", -EINVAL, "error: badpkey por=1: " KEYS},
	{CA, "badpkey =1", -EINVAL, "error: badpkey =1: " KEYS},
	{CA, "badpkey port=", -EINVAL, "error: badpkey : expected port, 1 to 2\n"},
	{CA, "badpkey port=1 port=1", -EINVAL, "error: badpkey: expected port once only\n"},
	{CA, "badpkey gid2=:: gid2=::", -EINVAL, "error: badpkey: expected gid2 once only\n"},
	{CA, "badpkey port=3", -EINVAL, "error: badpkey 3: expected port, 1 to 2\n"},
	{CA, "badpkey key=0x10000", -EINVAL, "error: badpkey 0x10000: expected key, 0x0 to 0xFFFF\n"},
	{CA, "badpkey lid1=65536", -EINVAL, "error: badpkey 65536: expected lid1, 0 to 65535\n"},
	{CA, "badpkey lid2=x", -EINVAL, "error: badpkey x: expected lid2, 0 to 65535\n"},
	{CA, "badpkey sl=16", -EINVAL, "error: badpkey 16: expected sl, 0 to 15\n"},
	{CA, "badpkey qp1=0x1000000", -EINVAL, "error: badpkey 0x1000000: expected qp1, 0x0 to 0xFFFFFF\n"},
	{CA, "badpkey qp2=0x1000000", -EINVAL, "error: badpkey 0x1000000: expected qp2, 0x0 to 0xFFFFFF\n"},
	{CA, "badpkey gid1=1", -EINVAL, "error: badpkey 1: expected gid1, a GID such as fe80::1\n"},
	{SWITCH, "badpkey", 0, "ok\n"},
	{SWITCH, "badpkey port=1", -EINVAL,
         "error: badpkey: port 1 raises no trap 259: expected IsPKeySwitchExternalPortTrapSupported on\n"},
	{SWITCH, "badpkey port=5", -EINVAL, "error: badpkey 5: expected port, 0 to 4\n"},
	{CA, "badqkey key=0xffffffff port=2", 0, "ok\n"},
	{CA, "badqkey key=0x100000000", -EINVAL,
         "error: badqkey 0x100000000: expected key, 0x0 to 0xFFFFFFFF\n"},
	{SWITCH, "badqkey port=0", 0, "ok\n"},
	{SWITCH, "badqkey port=1", -EINVAL, "error: badqkey 1: expected port, 0 only\n"},
	/* the node */
	{CA, "description", -EINVAL, "error: description: expected description \"TEXT\"\n"},
	{CA, "description a b", -EINVAL, "error: description: expected description \"TEXT\"\n"},
	{CA, "description " LETTERS_64, 0, "ok\n"},
	{CA, "description \"" LETTERS_64 "x\"", -EINVAL,
         "error: description 0123456789abcdef0123456789abcdef0123456789ab...: expected UTF-8 text, 0 to 64 "
         "bytes\n"},
	{CA, "systemguid 0xffffffffffffffff", 0, "ok\n"},
	{CA, "systemguid", -EINVAL, "error: systemguid: expected systemguid GUID\n"},
	{CA, "systemguid fe80", -EINVAL,
         "error: systemguid fe80: expected a GUID, 0 to 18446744073709551615\n"},
	{CA, "capability 2 isvendorclasssupported ON", 0, "ok\n"},
	{SWITCH, "capability 0 IsPortInfoExtendedSupported on", 0, "ok\n"},
	{SWITCH, "capability 1 IsSM on", -EINVAL,
         "error: capability 1: expected a port with an SMA, 0 only\n"},
	{CA, "capability 1 IsSN on", -EINVAL,
         "error: capability IsSN: expected a capability; the nearest is IsSM\n"},
	{CA, "capability 1 M_Key on", -EINVAL,
         "error: capability M_Key: expected a capability; the nearest is IsSM\n"},
	{CA, "capability 1 IsSM yes", -EINVAL, "error: capability yes: expected on or off\n"},
	{CA, "capability 1 IsSM", -EINVAL, "error: capability: expected capability PORT NAME on|off\n"},
	{CA, "diag 1 0xffff", 0, "ok\n"},
	{CA, "diag 1 65536", -EINVAL, "error: diag 65536: expected a code, 0 to 65535\n"},
	{CA, "diag 0 1", -EINVAL, "error: diag 0: expected a port with an SMA, 1 to 2\n"},
	{CA, "diag 1", -EINVAL, "error: diag: expected diag PORT CODE\n"},
	{CA, "led 1 on", -EINVAL, "error: led 1: expected a port with IsLedInfoSupported on\n"},
	{CA, "led 1 up", -EINVAL, "error: led up: expected on or off\n"},
	{SWITCH, "led 1 on", -EINVAL, "error: led 1: expected a port with an SMA, 0 only\n"},
	/* show */
	{CA, "show", 0,
         "CA, ports: 2\nNodeDescription \"node\"\n"
         "port 1: Active, LID 5, cable in\nport 2: Active, LID 6, cable in\nok\n"},
	{SWITCH, "show", 0,
         "switch, ports: 4\nNodeDescription \"node\"\nport 0: Active, LID 5\nport 1: Active, cable in\n"
         "port 2: Active, cable in\nport 3: Active, cable in\nport 4: Active, cable in\nok\n"},
	{CA, "show nodes", -EINVAL, "error: show nodes: unknown subject; the nearest is node\n"},
	{CA, "show node 1", -EINVAL, "error: show node: expected show node\n"},
	{CA, "show port", -EINVAL, "error: show port: expected show port PORT\n"},
	{CA, "show port 1 2", -EINVAL, "error: show port: expected show port PORT\n"},
	{CA, "show port 0", -EINVAL, "error: show port 0: expected a port, 1 to 2\n"},
	{SWITCH, "show port 5", -EINVAL, "error: show port 5: expected a port, 0 to 4\n"},
	{CA, "show switch", -EINVAL, "error: show switch: expected only with nodeType switch\n"},
	{CA, "show lft", -EINVAL, "error: show lft: expected only with linearFDBCap on a switch\n"},
	{CA, "show pkeys 1", 0, "0: 0xffff\nok\n"},
	{SWITCH, "show pkeys 1", 0, "ok\n"},
	{SWITCH, "show lft", 0, "ok\n"},
	{SWITCH, "show lft 63", 0, "LID 63: discarded\nok\n"},
	{SWITCH, "show lft 64", -EINVAL, "error: show lft 64: expected a LID, 0 to 63\n"},
	{CA, "show traps", 0, "port 1: traps dropped 0\nport 2: traps dropped 0\nok\n"},
	{CA, "show counters", 0,
         "answered 0\nrefused 0\nmalformed 0\nbad M_Keys 0\nTrapRepress 0\n"
         "wire answered 0\nwire unanswered 0\nwire forwarded 0\nwire undelivered 0\nwire dropped 0\n"
         "wire malformed 0\nwire refused 0\n"
         "port 1: M_KeyViolations 0, P_KeyViolations 0, Q_KeyViolations 0\n"
         "port 2: M_KeyViolations 0, P_KeyViolations 0, Q_KeyViolations 0\nok\n"},
	{CA, "help me", -EINVAL, "error: help: expected help\n"},
};

static void test_answers(void)
{
	for (size_t i = 0; i < UNIT_COUNT(answers); i++) {
		struct command_fixture fixture;

		unit_case("%s", answers[i].line);
		command_fixture_open(&fixture, answers[i].type);
		CHECK_EQUAL(command_fixture_run(&fixture, answers[i].line), answers[i].rc);
		CHECK_TEXT(fixture.reply, answers[i].reply);
		command_fixture_close(&fixture);
	}
}

static void test_long_line(void)
{
	char line[SMA_SOFT_LINE_SIZE + 1];
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	memset(line, 'x', sizeof(line));
	line[SMA_SOFT_LINE_SIZE] = '\0';
	CHECK_EQUAL(command_fixture_run(&fixture, line), -EINVAL);
	CHECK_TEXT(fixture.reply, "error: the line is too long: expected at most 1023 bytes\n");
	line[SMA_SOFT_LINE_SIZE - 1] = '\0';
	CHECK_EQUAL(command_fixture_run(&fixture, line), -EINVAL);
	CHECK_TEXT(fixture.reply, "error: expected words of at most 255 bytes\n");
	command_fixture_close(&fixture);
}

/* Any bytes are a line, but those after a NUL do not go unseen. */
static void test_nul(void)
{
	static const char line[] = "link 1\0 down";
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	CHECK_EQUAL(
		command_run(&fixture.responder, line, sizeof(line) - 1, fixture.reply, sizeof(fixture.reply)),
		-EINVAL);
	CHECK_TEXT(fixture.reply, "error: link: expected text, not the byte 0x00\n");
	CHECK_EQUAL(command_run(&fixture.responder, "link 1 down", 0, fixture.reply, sizeof(fixture.reply)),
	            0);
	CHECK_TEXT(fixture.reply, "");
	CHECK_EQUAL(fixture.state->port[1].link, true);
	command_fixture_close(&fixture);
}

/* ---- replies that have no room ---- */

/* Whether a reply is whole lines, the last of them ok or an error. */
static bool is_well_formed(const char *reply, int rc)
{
	size_t length = strlen(reply);
	const char *last = reply + length;

	if (length == 0)
		return rc == 0;
	if (last[-1] != '\n')
		return false;
	for (last--; last > reply && last[-1] != '\n';)
		last--;
	return rc == 0 ? strcmp(last, "ok\n") == 0 : strncmp(last, "error: ", 7) == 0;
}

static void test_cut(void)
{
	char whole[SMA_SOFT_REPLY_SIZE];
	struct command_fixture fixture;

	command_fixture_open(&fixture, CA);
	CHECK_EQUAL(command_fixture_run(&fixture, "show port 1"), 0);
	memcpy(whole, fixture.reply, sizeof(whole));
	for (size_t size = COMMAND_ERROR_SIZE; size < strlen(whole) + 200; size++) {
		char *reply = malloc(size); /* so that a sanitizer sees its end */
		int rc = command_run(&fixture.responder, "show port 1", strlen("show port 1"), reply, size);
		size_t kept;

		unit_case("%zu", size);
		CHECK_EQUAL(rc, size > strlen(whole) + 128 - strlen("ok\n") ? 0 : -ENOSPC);
		CHECK(is_well_formed(reply, rc));
		kept = rc == 0 ? strlen(reply) : (size_t)(strstr(reply, "error: ") - reply);
		CHECK(kept > 0 && memcmp(reply, whole, kept) == 0);
		free(reply);
	}
	command_fixture_close(&fixture);
}

/* Every line of the answers that fails, in a reply that just holds errors. */
static void test_small_replies(void)
{
	for (size_t i = 0; i < UNIT_COUNT(answers); i++) {
		char *reply = malloc(COMMAND_ERROR_SIZE);
		struct command_fixture fixture;

		unit_case("%s", answers[i].line);
		command_fixture_open(&fixture, answers[i].type);
		command_run(&fixture.responder, answers[i].line, strlen(answers[i].line), reply,
		            COMMAND_ERROR_SIZE);
		if (answers[i].rc < 0)
			CHECK_TEXT(reply, answers[i].reply);
		command_fixture_close(&fixture);
		free(reply);
	}
}

/* ---- lines of chance ---- */

static const char *const words[] = {
	"link",
	"integrity",
	"overrun",
	"flowcontrol",
	"badpkey",
	"badqkey",
	"description",
	"diag",
	"systemguid",
	"capability",
	"led",
	"show",
	"help",
	"node",
	"switch",
	"port",
	"pkeys",
	"lft",
	"traps",
	"counters",
	"up",
	"down",
	"on",
	"off",
	"0",
	"1",
	"2",
	"3",
	"0xffff",
	"4294967296",
	"port=1",
	"key=0x7fff",
	"gid1=::",
	"sl=3",
	"lid1=7",
	"\"a b\"",
	"\"",
	"\\",
	"#",
	"IsSM",
	"IsLedInfoSupported",
	"IsNoticeSupported",
	"=",
	"%s%n",
	"\xC3\xA9",
	"\x02",
};

static void chance_line(char line[SMA_SOFT_LINE_SIZE])
{
	unsigned count = (unsigned)random() % 14;
	size_t used = 0;

	line[0] = '\0';
	for (unsigned i = 0; i < count; i++)
		used += (size_t)snprintf(line + used, SMA_SOFT_LINE_SIZE - used, "%s%s",
		                         words[(size_t)random() % UNIT_COUNT(words)],
		                         random() % 8 ? " " : "");
}

/* What a line might change, but for tables that none touches. */
struct image {
	uint8_t ports[SWITCH_PORTS + 1][sizeof(struct state_port)];
	uint8_t node[SMA_BLOCK_SIZE * 3];
	uint8_t traps[CA_PORTS][sizeof(struct trap_sender)];
};

static void take_image(const struct command_fixture *fixture, struct image *image)
{
	memset(image, 0, sizeof(*image));
	memcpy(image->ports, fixture->state->port, (fixture->state->ports + 1) * sizeof(struct state_port));
	memcpy(image->node, fixture->state->description, SMA_BLOCK_SIZE);
	memcpy(image->node + SMA_BLOCK_SIZE, fixture->state->node_info, SMA_BLOCK_SIZE);
	memcpy(image->node + 2UL * SMA_BLOCK_SIZE, fixture->state->switch_info, SMA_BLOCK_SIZE);
	for (unsigned i = 0; i < fixture->responder.endpoint_count; i++)
		memcpy(image->traps[i], &fixture->responder.endpoints[i].traps, sizeof(struct trap_sender));
}

static void test_chance(void)
{
	static struct image before, after;
	unsigned seed = unit_seed();

	for (unsigned i = 0; i < 20000; i++) {
		static struct command_fixture fixture;
		char line[SMA_SOFT_LINE_SIZE];
		int rc;

		if (i % 100 == 0)
			command_fixture_open(&fixture, i % 200 ? CA : SWITCH);
		chance_line(line);
		unit_case("seed %u, line %u: %s", seed, i, line);
		take_image(&fixture, &before);
		rc = command_fixture_run(&fixture, line);
		CHECK(is_well_formed(fixture.reply, rc));
		take_image(&fixture, &after);
		if (rc < 0)
			CHECK(memcmp(&before, &after, sizeof(before)) == 0);
		if (i % 100 == 99)
			command_fixture_close(&fixture);
	}
	unit_case(NULL);
}

static const struct unit_test tests[] = {
	{"answers", test_answers},
	{"lines that are too long", test_long_line},
	{"a NUL", test_nul},
	{"replies that are cut", test_cut},
	{"small replies", test_small_replies},
	{"lines of chance", test_chance},
};

int main(void)
{
	return UNIT_MAIN("command", tests);
}
