// SPDX-License-Identifier: BSD-2-Clause
/* The console of the software SMA. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/command.h"
#include "sma/wire.h"
#include "tests/unit.h"

#define M_KEY 0x1122334455667788ULL

#define LETTERS_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

enum {
	CA_PORTS = 2,
	SWITCH_PORTS = 4,
	LID = 5, /* of the first end port, the next ones counting up */
	SM_LID = 1,
	STATE_INITIALIZE = 2,
	STATE_ACTIVE = 4,
	NUMBER_AT = 4, /* in a Notice */
	HEAD_SIZE = 10,
	NOW = 1000,
};

struct bed {
	struct sma_store *store;
	struct responder responder;
	char reply[COMMAND_REPLY_SIZE];
};

static void settle_port(struct sma_store *store, unsigned port, unsigned lid)
{
	store_set(store, port, SMA_PortInfo_LID, lid);
	store_set(store, port, SMA_PortInfo_MasterSMLID, SM_LID);
	store_set(store, port, SMA_PortInfo_PortState, STATE_ACTIVE);
	store_set(store, port, SMA_PortInfo_M_Key, M_KEY);
}

/* A node as an SM leaves it: end ports active, all cables in. */
static void bed_open(struct bed *bed, unsigned type)
{
	struct store_shape shape = {.type = type,
	                            .ports = type == SMA_NODE_SWITCH ? SWITCH_PORTS : CA_PORTS,
	                            .guid_cap = 8,
	                            .pkey_cap = 32,
	                            .enforce_cap = 4,
	                            .linear_cap = 64,
	                            .vls = 4};

	if (store_new(&shape, &bed->store) < 0 || responder_init(&bed->responder, bed->store) < 0)
		abort();
	store_set_guid(bed->store, 0x1000);
	for (unsigned p = 0; p <= shape.ports; p++) {
		bed->store->port[p].link = p > 0;
		if (p)
			store_set(bed->store, p, SMA_PortInfo_PortState, STATE_ACTIVE);
		if (store_is_end_port(bed->store, p))
			settle_port(bed->store, p, type == SMA_NODE_SWITCH ? LID : LID + p - 1);
	}
	store_set(bed->store, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 0);
	memcpy(bed->store->description, "node", 4);
}

static void bed_close(struct bed *bed)
{
	responder_finish(&bed->responder);
	store_free(bed->store);
}

static int run(struct bed *bed, const char *line)
{
	return command_run(&bed->responder, line, bed->reply, sizeof(bed->reply));
}

/* ---- answers ---- */

#define CA     SMA_NODE_CA
#define SWITCH SMA_NODE_SWITCH
#define ROUTER SMA_NODE_ROUTER

#define COMMANDS                                                                                             \
	"link, integrity, overrun, flowcontrol, badpkey, badqkey, description, systemguid, capability, "     \
	"diag, led, show, help\n"
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
	{CA, "unlink", -EINVAL, "error: unlink: expected one of " COMMANDS},
	{CA, "lin 1 up", -EINVAL, "error: lin: expected one of " COMMANDS},
	{CA, "\"\"", -EINVAL, "error: : expected one of " COMMANDS},
	{CA, "link 1\x01", -EINVAL, "error: expected text, not the byte 0x01\n"},
	{CA, "link 1\x7F", -EINVAL, "error: expected text, not the byte 0x7f\n"},
	{CA, "link \"1 up", -EINVAL, "error: expected a quotation mark at the end of the text\n"},
	/* link */
	{CA, "link 0x2 up", 0, "ok\n"},
	{SWITCH, "link 4 down", 0, "ok\n"},
	{CA, "link", -EINVAL, "error: link: expected link PORT up|down\n"},
	{CA, "link 1", -EINVAL, "error: link: expected link PORT up|down\n"},
	{CA, "link 1 up 2", -EINVAL, "error: link: expected link PORT up|down\n"},
	{CA, "link 0 up", -ERANGE, "error: port 0: expected 1 to 2\n"},
	{CA, "link 3 up", -ERANGE, "error: port 3: expected 1 to 2\n"},
	{SWITCH, "link 5 up", -ERANGE, "error: port 5: expected 1 to 4\n"},
	{CA, "link -1 up", -EINVAL, "error: port -1: expected 1 to 2\n"},
	{CA, "link 1x up", -EINVAL, "error: port 1x: expected 1 to 2\n"},
	{CA, "link 18446744073709551617 up", -EINVAL, "error: port 18446744073709551617: expected 1 to 2\n"},
	{CA, "link 1 on", -EINVAL, "error: on: expected up or down\n"},
	/* thresholds */
	{CA, "integrity 2", 0, "ok\n"},
	{SWITCH, "integrity 4", 0, "ok\n"},
	{CA, "integrity", -EINVAL, "error: integrity: expected integrity PORT\n"},
	{SWITCH, "integrity 0", -ERANGE, "error: port 0: expected 1 to 4\n"},
	{ROUTER, "overrun 1", 0, "ok\n"},
	{CA, "overrun x", -EINVAL, "error: port x: expected 1 to 2\n"},
	{SWITCH, "flowcontrol 1", 0, "ok\n"},
	{SWITCH, "flowcontrol 9", -ERANGE, "error: port 9: expected 1 to 4\n"},
	{CA, "flowcontrol 1", -ENOTSUP,
         "error: flowcontrol PORT: expected a switch, which this node is not\n"},
	/* bad keys */
	{CA, "badpkey", 0, "ok\n"},
	{CA, "badpkey PORT=2 KEY=0xffff lid1=0xffff lid2=0 sl=15 qp1=0xffffff qp2=0 gid1=:: gid2=fe80::1", 0,
         "ok\n"},
	{CA, "badpkey 1", -EINVAL, "error: 1: " KEYS},
	{CA, "badpkey port", -EINVAL, "error: port: " KEYS},
	{CA, "badpkey por=1", -EINVAL, "error: por=1: " KEYS},
	{CA, "badpkey =1", -EINVAL, "error: =1: " KEYS},
	{CA, "badpkey port=", -EINVAL, "error: port : expected 1 to 2\n"},
	{CA, "badpkey port=1 port=1", -EINVAL, "error: port: expected once only\n"},
	{CA, "badpkey gid2=:: gid2=::", -EINVAL, "error: gid2: expected once only\n"},
	{CA, "badpkey port=3", -ERANGE, "error: port 3: expected 1 to 2\n"},
	{CA, "badpkey key=0x10000", -ERANGE, "error: key 0x10000: expected 0 to 65535\n"},
	{CA, "badpkey lid1=65536", -ERANGE, "error: lid1 65536: expected 0 to 65535\n"},
	{CA, "badpkey lid2=x", -EINVAL, "error: lid2 x: expected 0 to 65535\n"},
	{CA, "badpkey sl=16", -ERANGE, "error: sl 16: expected 0 to 15\n"},
	{CA, "badpkey qp1=0x1000000", -ERANGE, "error: qp1 0x1000000: expected 0x0 to 0xffffff\n"},
	{CA, "badpkey qp2=0x1000000", -ERANGE, "error: qp2 0x1000000: expected 0x0 to 0xffffff\n"},
	{CA, "badpkey gid1=1", -EINVAL, "error: gid1 1: expected a GID such as fe80::1\n"},
	{SWITCH, "badpkey", 0, "ok\n"},
	{SWITCH, "badpkey port=1", -ENOTSUP,
         "error: port 1 raises no trap 259: expected a switch with IsPKeySwitchExternalPortTrapSupported "
         "on\n"},
	{SWITCH, "badpkey port=5", -ERANGE, "error: port 5: expected 0 to 4\n"},
	{CA, "badqkey key=0xffffffff port=2", 0, "ok\n"},
	{CA, "badqkey key=0x100000000", -ERANGE, "error: key 0x100000000: expected 0x0 to 0xffffffff\n"},
	{SWITCH, "badqkey port=0", 0, "ok\n"},
	{SWITCH, "badqkey port=1", -ERANGE, "error: port 1: expected 0\n"},
	/* the node */
	{CA, "description", -EINVAL, "error: description: expected description \"TEXT\"\n"},
	{CA, "description a b", -EINVAL, "error: description: expected description \"TEXT\"\n"},
	{CA, "description " LETTERS_64, 0, "ok\n"},
	{CA, "description \"" LETTERS_64 "x\"", -EINVAL,
         "error: the text has 65 bytes: expected at most 64\n"},
	{CA, "systemguid 0xffffffffffffffff", 0, "ok\n"},
	{CA, "systemguid", -EINVAL, "error: systemguid: expected systemguid GUID\n"},
	{CA, "systemguid fe80", -EINVAL, "error: GUID fe80: expected 0x0 to 0xffffffffffffffff\n"},
	{CA, "capability 2 isvendorclasssupported ON", 0, "ok\n"},
	{SWITCH, "capability 0 IsPortInfoExtendedSupported on", 0, "ok\n"},
	{SWITCH, "capability 1 IsSM on", -ERANGE, "error: port 1: expected 0\n"},
	{CA, "capability 1 IsSN on", -EINVAL,
         "error: IsSN: expected a capability as IBA names it; the nearest is IsSM\n"},
	{CA, "capability 1 M_Key on", -EINVAL,
         "error: M_Key: expected a capability as IBA names it; the nearest is IsSM\n"},
	{CA, "capability 1 IsSM yes", -EINVAL, "error: yes: expected on or off\n"},
	{CA, "capability 1 IsSM", -EINVAL, "error: capability: expected capability PORT NAME on|off\n"},
	{CA, "diag 1 0xffff", 0, "ok\n"},
	{CA, "diag 1 65536", -ERANGE, "error: code 65536: expected 0 to 65535\n"},
	{CA, "diag 0 1", -ERANGE, "error: port 0: expected 1 to 2\n"},
	{CA, "diag 1", -EINVAL, "error: diag: expected diag PORT CODE\n"},
	{CA, "led 1 on", -ENOTSUP, "error: port 1 has no LED: expected one with IsLedInfoSupported on\n"},
	{CA, "led 1 up", -EINVAL, "error: up: expected on or off\n"},
	{SWITCH, "led 1 on", -ERANGE, "error: port 1: expected 0\n"},
	/* show */
	{CA, "show", 0,
         "CA, ports: 2\nNodeDescription \"node\"\n"
         "port 1: Active, LID 5, cable in\nport 2: Active, LID 6, cable in\nok\n"},
	{SWITCH, "show", 0,
         "switch, ports: 4\nNodeDescription \"node\"\nport 0: Active, LID 5\nport 1: Active, cable in\n"
         "port 2: Active, cable in\nport 3: Active, cable in\nport 4: Active, cable in\nok\n"},
	{CA, "show nodes", -EINVAL,
         "error: nodes: expected one of node, switch, port, pkeys, lft, traps, counters\n"},
	{CA, "show node 1", -EINVAL, "error: node: expected show node\n"},
	{CA, "show port", -EINVAL, "error: port: expected show port PORT\n"},
	{CA, "show port 1 2", -EINVAL, "error: show: expected show\n"},
	{CA, "show port 0", -ERANGE, "error: port 0: expected 1 to 2\n"},
	{SWITCH, "show port 5", -ERANGE, "error: port 5: expected 0 to 4\n"},
	{CA, "show switch", -ENOTSUP, "error: show switch: expected a switch, which this node is not\n"},
	{CA, "show lft", -ENOTSUP, "error: show lft [LID]: expected a switch, which this node is not\n"},
	{CA, "show pkeys 1", 0, "0: 0xffff\nok\n"},
	{SWITCH, "show pkeys 1", 0, "ok\n"},
	{SWITCH, "show lft", 0, "ok\n"},
	{SWITCH, "show lft 63", 0, "LID 63: discarded\nok\n"},
	{SWITCH, "show lft 64", -ERANGE, "error: LID 64: expected 0 to 63\n"},
	{CA, "show traps", 0, "port 1: traps dropped 0\nport 2: traps dropped 0\nok\n"},
	{CA, "show counters", 0,
         "answered 0\nrefused 0\nmalformed 0\nbad M_Keys 0\nTrapRepress 0\n"
         "port 1: M_KeyViolations 0, P_KeyViolations 0, Q_KeyViolations 0\n"
         "port 2: M_KeyViolations 0, P_KeyViolations 0, Q_KeyViolations 0\nok\n"},
	{CA, "help me", -EINVAL, "error: help: expected help\n"},
};

static void test_answers(void)
{
	for (size_t i = 0; i < UNIT_COUNT(answers); i++) {
		struct bed bed;

		unit_case("%s", answers[i].line);
		bed_open(&bed, answers[i].type);
		CHECK_EQUAL(run(&bed, answers[i].line), answers[i].rc);
		CHECK_TEXT(bed.reply, answers[i].reply);
		bed_close(&bed);
	}
}

static void test_long_line(void)
{
	char line[COMMAND_LINE_SIZE + 1];
	struct bed bed;

	bed_open(&bed, CA);
	memset(line, 'x', sizeof(line));
	line[COMMAND_LINE_SIZE] = '\0';
	CHECK_EQUAL(run(&bed, line), -EINVAL);
	CHECK_TEXT(bed.reply, "error: the line is too long: expected at most 1023 bytes\n");
	line[COMMAND_LINE_SIZE - 1] = '\0';
	CHECK_EQUAL(run(&bed, line), -EINVAL);
	CHECK_TEXT(bed.reply, "error: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: expected one of " COMMANDS);
	bed_close(&bed);
}

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
	struct bed bed;

	bed_open(&bed, CA);
	CHECK_EQUAL(run(&bed, "help"), 0);
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		const char *at = strstr(bed.reply, lines[i]);

		unit_case("%s", lines[i]);
		CHECK(at && (at == bed.reply || at[-1] == '\n'));
	}
	unit_case(NULL);
	bed_close(&bed);
}

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
	{SWITCH, "badpkey port=3", 3, SMA_PortInfo_P_KeyViolations, 0}, /* it is not told */
	{CA, "systemguid 0x1234567812345678", 0, SMA_NodeInfo_SystemImageGUID, 0x1234567812345678},
	{CA, "capability 2 IsMKeyNVRAM on", 2, SMA_PortInfo_IsMKeyNVRAM, 1},
	{CA, "capability 2 IsMKeyNVRAM on", 1, SMA_PortInfo_IsMKeyNVRAM, 0},
	{CA, "capability 1 IsTrapSupported off", 1, SMA_PortInfo_IsTrapSupported, 0},
	{CA, "diag 2 0x8013", 2, SMA_PortInfo_DiagCode, 0x8013},
	{SWITCH, "diag 0 3", 0, SMA_PortInfo_DiagCode, 3},
};

static uint64_t value_of(const struct sma_store *store, unsigned port, enum sma_component component)
{
	const uint8_t *block = sma_component_attr(component) == SMA_NodeInfo     ? store->node_info
	                       : sma_component_attr(component) == SMA_SwitchInfo ? store->switch_info
	                                                                         : store->port[port].info;

	return sma_component_get(block, component);
}

static void test_changes(void)
{
	for (size_t i = 0; i < UNIT_COUNT(changes); i++) {
		struct bed bed;

		unit_case("%s", changes[i].line);
		bed_open(&bed, changes[i].type);
		run(&bed, changes[i].line);
		CHECK_EQUAL(value_of(bed.store, changes[i].port, changes[i].component), changes[i].value);
		bed_close(&bed);
	}
}

static void test_link(void)
{
	struct bed bed;

	bed_open(&bed, CA);
	run(&bed, "link 1 down");
	CHECK(!bed.store->port[1].link);
	run(&bed, "link 1 up");
	CHECK(bed.store->port[1].link);
	CHECK_EQUAL(store_get(bed.store, 1, SMA_PortInfo_PortState), STATE_INITIALIZE);
	CHECK_EQUAL(store_get(bed.store, 1, SMA_PortInfo_PortPhysicalState), 5);
	bed_close(&bed);
}

static void test_led(void)
{
	struct bed bed;

	bed_open(&bed, CA);
	store_set(bed.store, 2, SMA_PortInfo_IsLedInfoSupported, 1);
	CHECK_EQUAL(run(&bed, "led 2 on"), 0);
	CHECK_EQUAL(bed.store->port[2].led, STORE_LED_ON);
	CHECK_EQUAL(run(&bed, "led 2 off"), 0);
	CHECK_EQUAL(bed.store->port[2].led, 0);
	bed_close(&bed);
}

static void test_description(void)
{
	static const uint8_t wanted[SMA_BLOCK_SIZE] = "a \"b\" \\c # d";
	struct bed bed;

	bed_open(&bed, CA);
	CHECK_EQUAL(run(&bed, "description \"a \\\"b\\\" \\\\c # d\""), 0);
	CHECK_OCTETS(bed.store->description, wanted, SMA_BLOCK_SIZE);
	CHECK_EQUAL(run(&bed, "description \"\""), 0);
	CHECK_EQUAL(bed.store->description[0], 0);
	bed_close(&bed);
}

/* Counters stop at their ceiling. */
static void test_ceiling(void)
{
	struct bed bed;

	bed_open(&bed, CA);
	store_set(bed.store, 1, SMA_PortInfo_P_KeyViolations, 0xFFFE);
	for (unsigned i = 0; i < 3; i++)
		run(&bed, "badpkey");
	CHECK_EQUAL(store_get(bed.store, 1, SMA_PortInfo_P_KeyViolations), 0xFFFF);
	bed_close(&bed);
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
	/* 0260084c is what a new store can do */
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

static const struct notice_queue *queue_of(const struct bed *bed, uint16_t issuer)
{
	return &bed->responder.agents[issuer - LID].traps.queue;
}

/* The newest Notice of the agent that must have raised it, and that it is raised as a trap too. */
static void check_notice(const struct bed *bed, const uint8_t wanted[SMA_BLOCK_SIZE])
{
	uint16_t issuer = wire_get16(wanted + 6);
	const struct notice_queue *queue = queue_of(bed, issuer);
	const struct trap_list *list = &bed->responder.agents[issuer - LID].traps.lists[wanted[0] & 0x7F];

	if (!CHECK(queue->count > 0 && list->count > 0))
		return;
	CHECK_OCTETS(queue->notices[queue->count - 1], wanted, SMA_BLOCK_SIZE);
	CHECK_OCTETS(list->traps[list->count - 1].notice, wanted, SMA_BLOCK_SIZE);
}

static void test_notices(void)
{
	for (size_t i = 0; i < UNIT_COUNT(notices); i++) {
		uint8_t wanted[SMA_BLOCK_SIZE] = {0};
		struct bed bed;

		unit_case("%s", notices[i].line);
		bed_open(&bed, notices[i].type);
		if (notices[i].before)
			CHECK_EQUAL(run(&bed, notices[i].before), 0);
		CHECK_EQUAL(run(&bed, notices[i].line), 0);
		append_hex(wanted, 0, notices[i].head);
		append_hex(wanted, HEAD_SIZE, notices[i].details);
		check_notice(&bed, wanted);
		bed_close(&bed);
	}
}

/* What tells nothing raises nothing. */
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
		struct bed bed;

		unit_case("%s", silent[i].line);
		bed_open(&bed, silent[i].type);
		run(&bed, silent[i].line);
		for (unsigned a = 0; a < bed.responder.agent_count; a++) {
			CHECK_EQUAL(bed.responder.agents[a].traps.queue.count, 0);
			CHECK(!traps_waiting(&bed.responder.agents[a].traps));
		}
		bed_close(&bed);
	}
}

/* What concerns the node is told by each of its ports. */
static void test_every_port(void)
{
	static const struct {
		const char *line;
		unsigned trap;
	} cases[] = {{"description x", SMA_TRAP_CAPABILITY}, {"systemguid 1", SMA_TRAP_SYSTEM_GUID}};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct bed bed;

		unit_case("%s", cases[i].line);
		bed_open(&bed, CA);
		run(&bed, cases[i].line);
		for (unsigned p = 0; p < CA_PORTS; p++) {
			const struct notice_queue *queue = queue_of(&bed, (uint16_t)(LID + p));

			CHECK_EQUAL(queue->count, 1);
			CHECK_EQUAL(wire_get16(queue->notices[0] + NUMBER_AT), cases[i].trap);
			CHECK_EQUAL(wire_get16(queue->notices[0] + 6), LID + p);
		}
		bed_close(&bed);
	}
}

/* A bad P_Key at a data port of a switch is counted there. */
static void test_switch_p_key(void)
{
	struct bed bed;

	bed_open(&bed, SWITCH);
	store_set(bed.store, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 1);
	CHECK_EQUAL(run(&bed, "badpkey port=3"), 0);
	CHECK_EQUAL(store_get(bed.store, 3, SMA_PortInfo_P_KeyViolations), 1);
	CHECK_EQUAL(store_get(bed.store, 0, SMA_PortInfo_P_KeyViolations), 0);
	bed_close(&bed);
}

/* ---- show ---- */

static void test_show_port(void)
{
	struct bed bed;

	bed_open(&bed, CA);
	store_set(bed.store, 1, SMA_PortInfo_IsLedInfoSupported, 1);
	store_set(bed.store, 1, SMA_PortInfo_DiagCode, 0x24);
	CHECK_EQUAL(run(&bed, "show port 1"), 0);
	CHECK(strstr(bed.reply, "port 1: Active, LID 5, cable in\nLED off\n") == bed.reply);
	CHECK(strstr(bed.reply, "\nDiagCode 36 (0x24)\n"));
	CHECK(strstr(bed.reply, "\nPortState 4\n"));
	CHECK_EQUAL(run(&bed, "link 1 down"), 0);
	CHECK_EQUAL(run(&bed, "show port 1"), 0);
	CHECK(strstr(bed.reply, "port 1: Down, LID 5, cable out\n") == bed.reply);
	bed_close(&bed);
}

static void test_show_tables(void)
{
	struct bed bed;

	bed_open(&bed, SWITCH);
	memset(bed.store->linear + 1, 2, 4);
	bed.store->linear[5] = 9;
	bed.store->linear[20] = 1;
	store_set(bed.store, 0, SMA_SwitchInfo_LinearFDBTop, 10);
	CHECK_EQUAL(run(&bed, "show lft"), 0);
	CHECK_TEXT(bed.reply, "LID 1-4: port 2\nLID 5: discarded\nok\n");
	CHECK_EQUAL(run(&bed, "show lft 20"), 0);
	CHECK_TEXT(bed.reply, "LID 20: port 1\nok\n");
	wire_put16(bed.store->port[1].pkeys + 2, 0x8001);
	wire_put16(bed.store->port[1].pkeys + 4, 0x8001);
	wire_put16(bed.store->port[1].pkeys + 6, 0x0002);
	CHECK_EQUAL(run(&bed, "show pkeys 1"), 0);
	CHECK_TEXT(bed.reply, "1-2: 0x8001\n3: 0x0002\nok\n");
	CHECK_EQUAL(run(&bed, "show switch"), 0);
	CHECK(strstr(bed.reply, "LinearFDBTop 10 (0xa)\n"));
	bed_close(&bed);
}

/* What the node has not got. */
static void test_show_nothing(void)
{
	struct store_shape shape = {
		.type = SWITCH, .ports = 1, .guid_cap = 1, .pkey_cap = 1, .random_cap = 8, .vls = 1};
	struct bed bed;

	if (store_new(&shape, &bed.store) < 0 || responder_init(&bed.responder, bed.store) < 0)
		abort();
	CHECK_EQUAL(run(&bed, "show lft"), -ENOTSUP);
	CHECK_TEXT(bed.reply, "error: the node has no LFT: expected a switch with a linear table\n");
	CHECK_EQUAL(run(&bed, "show pkeys 1"), -ENOTSUP);
	CHECK_TEXT(bed.reply, "error: port 1 has no P_Keys: expected one with a P_Key table\n");
	CHECK_EQUAL(run(&bed, "show pkeys 2"), -ERANGE);
	bed_close(&bed);
}

static void test_show_description(void)
{
	struct bed bed;

	bed_open(&bed, CA);
	memset(bed.store->description, 'd', SMA_BLOCK_SIZE);
	bed.store->description[1] = '\x1B';
	CHECK_EQUAL(run(&bed, "show node"), 0);
	CHECK(strstr(bed.reply, "NodeDescription \"d?dddddd") == bed.reply);
	CHECK(strstr(bed.reply, "ddd\"\nBaseVersion 1\n"));
	CHECK(strstr(bed.reply, "\nNodeGUID 4096 (0x1000)\n"));
	bed_close(&bed);
}

static void test_show_traps(void)
{
	struct bed bed;

	bed_open(&bed, CA);
	run(&bed, "integrity 1");
	run(&bed, "systemguid 1");
	run(&bed, "badqkey port=2");
	CHECK_EQUAL(run(&bed, "show traps"), 0);
	CHECK_TEXT(bed.reply, "port 1: trap 129, TID 0x1\nport 1: trap 145, TID 0x2\nport 1: Notice 129\n"
	                      "port 1: Notice 145\nport 1: traps dropped 0\nport 2: trap 258, TID 0x2\n"
	                      "port 2: trap 145, TID 0x1\nport 2: Notice 145\nport 2: Notice 258\n"
	                      "port 2: traps dropped 0\nok\n");
	CHECK_EQUAL(run(&bed, "show counters"), 0);
	CHECK(strstr(bed.reply, "port 2: M_KeyViolations 0, P_KeyViolations 0, Q_KeyViolations 1\n"));
	bed_close(&bed);
}

/* Neither the port's key nor the one that an offender tried, in either notation. */
static void test_no_keys(void)
{
	static const char *const lines[] = {"show",         "show node",  "show port 1",  "show port 2",
	                                    "show pkeys 1", "show traps", "show counters"};
	uint8_t mad[SMA_MAD_SIZE] = {1, 1, 1, 2};
	struct arrival arrival = {.port = 1, .slid = 9, .now = NOW};
	char decimal[32];
	struct bed bed;

	bed_open(&bed, CA);
	snprintf(decimal, sizeof(decimal), "%llu", M_KEY);
	wire_put64(mad + 24, M_KEY + 1);
	mad[17] = 0x15;
	CHECK_EQUAL(responder_answer(&bed.responder, &arrival, mad, mad), VERDICT_DROP);
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		unit_case("%s", lines[i]);
		CHECK_EQUAL(run(&bed, lines[i]), 0);
		CHECK(!strstr(bed.reply, "112233445566") && !strstr(bed.reply, decimal) &&
		      !strstr(bed.reply, "M_Key "));
	}
	unit_case(NULL);
	run(&bed, "show traps");
	CHECK(strstr(bed.reply, "trap 256"));
	bed_close(&bed);
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
	char whole[COMMAND_REPLY_SIZE];
	struct bed bed;

	bed_open(&bed, CA);
	CHECK_EQUAL(run(&bed, "show port 1"), 0);
	memcpy(whole, bed.reply, sizeof(whole));
	for (size_t size = COMMAND_ERROR_SIZE; size < strlen(whole) + 200; size++) {
		char *reply = malloc(size); /* so that a sanitizer sees its end */
		int rc = command_run(&bed.responder, "show port 1", reply, size);
		size_t kept;

		unit_case("%zu", size);
		CHECK_EQUAL(rc, size > strlen(whole) + 128 - strlen("ok\n") ? 0 : -ENOSPC);
		CHECK(is_well_formed(reply, rc));
		kept = rc == 0 ? strlen(reply) : (size_t)(strstr(reply, "error: ") - reply);
		CHECK(kept > 0 && memcmp(reply, whole, kept) == 0);
		free(reply);
	}
	bed_close(&bed);
}

/* Every line of the answers that fails, in a reply that just holds errors. */
static void test_small_replies(void)
{
	for (size_t i = 0; i < UNIT_COUNT(answers); i++) {
		char *reply = malloc(COMMAND_ERROR_SIZE);
		struct bed bed;

		unit_case("%s", answers[i].line);
		bed_open(&bed, answers[i].type);
		command_run(&bed.responder, answers[i].line, reply, COMMAND_ERROR_SIZE);
		if (answers[i].rc < 0)
			CHECK_TEXT(reply, answers[i].reply);
		bed_close(&bed);
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

static void chance_line(char line[COMMAND_LINE_SIZE])
{
	unsigned count = (unsigned)random() % 14;
	size_t used = 0;

	line[0] = '\0';
	for (unsigned i = 0; i < count; i++)
		used += (size_t)snprintf(line + used, COMMAND_LINE_SIZE - used, "%s%s",
		                         words[(size_t)random() % UNIT_COUNT(words)],
		                         random() % 8 ? " " : "");
}

/* What a line might change, but for tables that none touches. */
struct image {
	uint8_t ports[SWITCH_PORTS + 1][sizeof(struct store_port)];
	uint8_t node[SMA_BLOCK_SIZE * 3];
	uint8_t traps[CA_PORTS][sizeof(struct traps)];
};

static void take_image(const struct bed *bed, struct image *image)
{
	memset(image, 0, sizeof(*image));
	memcpy(image->ports, bed->store->port, (bed->store->ports + 1) * sizeof(struct store_port));
	memcpy(image->node, bed->store->description, SMA_BLOCK_SIZE);
	memcpy(image->node + SMA_BLOCK_SIZE, bed->store->node_info, SMA_BLOCK_SIZE);
	memcpy(image->node + 2UL * SMA_BLOCK_SIZE, bed->store->switch_info, SMA_BLOCK_SIZE);
	for (unsigned i = 0; i < bed->responder.agent_count; i++)
		memcpy(image->traps[i], &bed->responder.agents[i].traps, sizeof(struct traps));
}

static void test_chance(void)
{
	static struct image before, after;
	unsigned seed = unit_seed();

	for (unsigned i = 0; i < 20000; i++) {
		static struct bed bed;
		char line[COMMAND_LINE_SIZE];
		int rc;

		if (i % 100 == 0)
			bed_open(&bed, i % 200 ? CA : SWITCH);
		chance_line(line);
		unit_case("seed %u, line %u: %s", seed, i, line);
		take_image(&bed, &before);
		rc = run(&bed, line);
		CHECK(is_well_formed(bed.reply, rc));
		take_image(&bed, &after);
		if (rc < 0)
			CHECK(memcmp(&before, &after, sizeof(before)) == 0);
		if (i % 100 == 99)
			bed_close(&bed);
	}
	unit_case(NULL);
}

static const struct unit_test tests[] = {
	{"answers", test_answers},
	{"lines that are too long", test_long_line},
	{"help", test_help},
	{"components that change", test_changes},
	{"links", test_link},
	{"LEDs", test_led},
	{"descriptions", test_description},
	{"counters at their ceiling", test_ceiling},
	{"notices", test_notices},
	{"lines that raise no notice", test_silent},
	{"notices of every port", test_every_port},
	{"bad P_Keys at a switch", test_switch_p_key},
	{"show port", test_show_port},
	{"show tables", test_show_tables},
	{"tables that are not there", test_show_nothing},
	{"show node", test_show_description},
	{"show traps", test_show_traps},
	{"no keys are shown", test_no_keys},
	{"replies that are cut", test_cut},
	{"small replies", test_small_replies},
	{"lines of chance", test_chance},
};

int main(void)
{
	return UNIT_MAIN("command", tests);
}
