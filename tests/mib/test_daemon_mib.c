// SPDX-License-Identifier: BSD-2-Clause
/* IBSMAD-MIB: its values from the state of a daemon, and the state of a node and a view from their traffic.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mib/ibsmad/ibsmad_mib_gen.h"
#include "tests/mib/agent_fixture.h"
#include "tests/mib/expected.h"
#include "tests/unit.h"

enum {
	DAY_MS = 24 * 60 * 60 * 1000,
	STARTED = 5000,
	NOW = STARTED + DAY_MS + 1239,
	VIEWS = 2,
	ATTRIBUTES = 14,
	SCALARS = 31,
	VIEW_COLUMNS = 18,
	ATTRIBUTE_COLUMNS = 4,
};

static struct mib_view views[VIEWS];
static struct mib_daemon daemon_state;

/* Their ids have gaps. */
static const struct mib_view *view_from(void *arg, uint32_t from)
{
	(void)arg;
	for (unsigned i = 0; i < VIEWS; i++) {
		if (views[i].id >= from)
			return &views[i];
	}
	return NULL;
}

/* Each value is another one. */
static void fill_views(void)
{
	memset(views, 0, sizeof(views));
	views[0] = (struct mib_view){.id = 1,
	                             .context = "",
	                             .alias = "mlx5_0:2",
	                             .device = "mlx5_0",
	                             .port = 2,
	                             .path = "",
	                             .description = "",
	                             .state = MIB_VIEW_ANSWERING};
	views[0].sma.oldest = NOW - 90 * 1000 - 999;
	views[0].notices = SOURCES_SUBSCRIBED;
	views[1] = (struct mib_view){.id = 7,
	                             .context = "switch",
	                             .alias = "",
	                             .device = "",
	                             .guid = 0x0002c90300a1b2c3,
	                             .type = SMA_NODE_SWITCH,
	                             .lid = 49151,
	                             .path = "0,1,17",
	                             .remote = true,
	                             .description = "leaf\x01 3",
	                             .ports = 36,
	                             .ports_up = 35,
	                             .state = MIB_VIEW_SILENT,
	                             .last = NOW - 12999,
	                             .values = {.hits = 40, .misses = 1},
	                             .smps = {.sent = 42, .timed_out = 43}};
	views[1].sma.oldest = NOW - 7000;
	views[1].notices = SOURCES_SOFT;
}

static void begin(void)
{
	static const uint8_t date[MIB_DATE_SIZE] = {0x07, 0xEA, 11, 30, 1, 2, 3, 4, '+', 0, 0};

	fill_views();
	daemon_state = (struct mib_daemon){
		.now = NOW,
		.started = STARTED,
		.version = "1.2.3",
		.error = "sma: the SMA does not answer",
		.smps = {.sent = 11, .answered = 12, .timed_out = 13, .refused = 14, .strange = 15},
		.values = {.hits = 16, .misses = 17},
		.notices = {.found = {[SMA_NOTICE_SOFT] = 21,
	                              [SMA_NOTICE_SA] = 22,
	                              [SMA_NOTICE_TRAP] = 23,
	                              [SMA_NOTICE_POLL] = 24},
	                    .repeated = 25,
	                    .foreign = 26,
	                    .unwanted = 27,
	                    .malformed = 28},
		.sent = 31,
		.held_back = 32,
		.dropped = 33,
		.queued = 34,
		.sweep = {.count = 51,
	                  .running = true,
	                  .completed = NOW - 3500,
	                  .nodes = 52,
	                  .links = 53,
	                  .smps = 54},
		.view_count = VIEWS,
		.view = view_from,
	};
	memcpy(daemon_state.error_date, date, sizeof(date));
}

static int ask_daemon(question_fn *question, const uint32_t *subid, size_t length, struct mib_answer *answer)
{
	struct sma_reader reader = {0};
	const struct mib_question q = {
		.module = &ibsmad_mib_module, .reader = &reader, .daemon = &daemon_state};

	return question(&q, subid, length, answer);
}

static size_t parse(const char *text, uint32_t *subid)
{
	size_t length = 0;

	while (*text && length < MAX_SUBIDS) {
		subid[length++] = (uint32_t)strtoul(text, (char **)&text, 10);
		text += *text == '.';
	}
	return length;
}

static int get(const char *oid, struct mib_answer *answer)
{
	uint32_t subid[MAX_SUBIDS];
	size_t length = parse(oid, subid);

	unit_case("%s", oid);
	return ask_daemon(tree_get, subid, length, answer);
}

static void check_number(const char *oid, uint8_t type, uint32_t number)
{
	struct mib_answer answer;

	if (CHECK_EQUAL(get(oid, &answer), 0) && CHECK_EQUAL(answer.object->type, type))
		CHECK_EQUAL(answer.value.number, number);
}

static void check_octets(const char *oid, const void *octets, size_t length)
{
	struct mib_answer answer;

	if (CHECK_EQUAL(get(oid, &answer), 0) && CHECK_EQUAL(answer.object->type, ASN_OCTET_STR) &&
	    CHECK_EQUAL(answer.value.length, length))
		CHECK_OCTETS(answer.value.octets, octets, length);
}

static void check_none(const char *oid)
{
	struct mib_answer answer;

	CHECK_EQUAL(get(oid, &answer), -ENOENT);
}

/* ---- scalars ---- */

static const struct {
	const char *oid;
	uint8_t type;
	uint32_t number;
} numbers[] = {
	{"1.1.2.0", ASN_TIMETICKS, (DAY_MS + 1239) / 10},
	{"1.1.3.0", ASN_GAUGE, 2},
	{"1.2.1.0", ASN_COUNTER, 11},
	{"1.2.2.0", ASN_COUNTER, 12},
	{"1.2.3.0", ASN_COUNTER, 13},
	{"1.2.4.0", ASN_COUNTER, 14},
	{"1.2.5.0", ASN_COUNTER, 15},
	{"1.2.6.0", ASN_COUNTER, 16},
	{"1.2.7.0", ASN_COUNTER, 17},
	{"1.2.8.0", ASN_GAUGE, 90},
	{"1.3.1.0", ASN_COUNTER, 31},
	{"1.3.2.0", ASN_COUNTER, 32},
	{"1.3.3.0", ASN_COUNTER, 33},
	{"1.3.4.0", ASN_COUNTER, 25},
	{"1.3.5.0", ASN_GAUGE, 34},
	{"1.3.7.0", ASN_COUNTER, 21},
	{"1.3.8.0", ASN_COUNTER, 22},
	{"1.3.9.0", ASN_COUNTER, 23},
	{"1.3.10.0", ASN_COUNTER, 24},
	{"1.3.11.0", ASN_COUNTER, 26},
	{"1.3.12.0", ASN_COUNTER, 27},
	{"1.3.13.0", ASN_COUNTER, 28},
	{"1.6.1.0", ASN_COUNTER, 51},
	{"1.6.2.0", ASN_INTEGER, 1},
	{"1.6.3.0", ASN_GAUGE, 3},
	{"1.6.4.0", ASN_GAUGE, 52},
	{"1.6.5.0", ASN_GAUGE, 53},
	{"1.6.6.0", ASN_COUNTER, 54},
};

static void test_scalars(void)
{
	begin();
	for (size_t i = 0; i < UNIT_COUNT(numbers); i++)
		check_number(numbers[i].oid, numbers[i].type, numbers[i].number);
	check_octets("1.1.1.0", "1.2.3", 5);
	check_octets("1.1.4.0", "sma: the SMA does not answer", 28);
	check_octets("1.1.5.0", "\x07\xEA\x0B\x1E\x01\x02\x03\x04+\0\0", MIB_DATE_SIZE);
}

/* Counter32 and TimeTicks go round, Gauge32 does not. */
static void test_limits(void)
{
	begin();
	daemon_state.smps.sent = UINT32_MAX;
	check_number("1.2.1.0", ASN_COUNTER, UINT32_MAX);
	daemon_state.smps.sent++;
	check_number("1.2.1.0", ASN_COUNTER, 0);
	daemon_state.queued = (uint64_t)UINT32_MAX + 5;
	check_number("1.3.5.0", ASN_GAUGE, UINT32_MAX);
	daemon_state.now = STARTED + (((uint64_t)1 << 32) + 7) * 10;
	check_number("1.1.2.0", ASN_TIMETICKS, 7);
	views[0].sma.attrs[SMA_PortInfo].good = ((uint64_t)1 << 32) + 3;
	check_number("1.5.1.3.1.21", ASN_COUNTER, 3);
}

static void test_texts(void)
{
	static char text[300];

	begin();
	daemon_state.error = "agent: /etc/\xC3\xA4\n\x7F~ ";
	check_octets("1.1.4.0", "agent: /etc/????~ ", 18);
	memset(text, 'x', sizeof(text) - 1);
	daemon_state.error = text;
	check_octets("1.1.4.0", text, 255);
}

/* What there was never. */
static void test_nothing(void)
{
	begin();
	daemon_state.error = "";
	views[0].sma.oldest = views[1].sma.oldest = 0;
	check_octets("1.1.4.0", "", 0);
	check_none("1.1.5.0");
	check_none("1.2.8.0");
	check_none("1.5.1.4.1.17");
	views[1].sma.oldest = NOW;
	check_number("1.2.8.0", ASN_GAUGE, 0);
}

/* ---- tables ---- */

static void test_views(void)
{
	begin();
	check_octets("1.4.1.2.1", "", 0);
	check_octets("1.4.1.2.7", "switch", 6);
	check_octets("1.4.1.3.1", "mlx5_0", 6);
	check_octets("1.4.1.3.7", "", 0);
	check_number("1.4.1.4.1", ASN_UNSIGNED, 2);
	check_number("1.4.1.4.7", ASN_UNSIGNED, 0);
	check_number("1.4.1.5.1", ASN_INTEGER, 1);
	check_number("1.4.1.5.7", ASN_INTEGER, 2);
	check_number("1.4.1.6.1", ASN_INTEGER, 3);
	check_number("1.4.1.6.7", ASN_INTEGER, 2);
	check_octets("1.4.1.7.1", "mlx5_0:2", 8);
	check_octets("1.4.1.7.7", "", 0);
	check_octets("1.4.1.8.7", "\x00\x02\xc9\x03\x00\xa1\xb2\xc3", 8);
	check_number("1.4.1.9.7", ASN_INTEGER, 2);
	check_octets("1.4.1.10.7", "leaf? 3", 7);
	check_number("1.4.1.11.7", ASN_UNSIGNED, 49151);
	check_octets("1.4.1.12.7", "0,1,17", 6);
	check_number("1.4.1.13.1", ASN_INTEGER, 2);
	check_number("1.4.1.13.7", ASN_INTEGER, 1);
	check_number("1.4.1.14.7", ASN_UNSIGNED, 36);
	check_number("1.4.1.15.7", ASN_UNSIGNED, 35);
	check_number("1.4.1.16.7", ASN_GAUGE, 12);
	check_number("1.4.1.17.7", ASN_COUNTER, 41);
	check_number("1.4.1.18.7", ASN_COUNTER, 42);
	check_number("1.4.1.19.7", ASN_COUNTER, 43);
	check_none("1.4.1.2.0");
	check_none("1.4.1.2.3");
	check_none("1.4.1.2.8");
	check_none("1.4.1.2.1.1");
	check_none("1.4.1.8.1");
	check_none("1.4.1.9.1");
	check_none("1.4.1.16.1");
}

static void test_states(void)
{
	static const struct {
		enum sources_state state;
		unsigned number;
	} notices[] = {{SOURCES_OFF, 1},
	               {SOURCES_SOFT, 2},
	               {SOURCES_SUBSCRIBED, 3},
	               {SOURCES_TRAPS, 4},
	               {SOURCES_UNSUBSCRIBED, 5}};

	begin();
	for (size_t i = 0; i < UNIT_COUNT(notices); i++) {
		views[0].notices = notices[i].state;
		check_number("1.4.1.6.1", ASN_INTEGER, notices[i].number);
	}
	views[0].state = MIB_VIEW_UNKNOWN;
	check_number("1.4.1.5.1", ASN_INTEGER, 3);
	views[0].state = MIB_VIEW_UNREACHABLE;
	check_number("1.4.1.5.1", ASN_INTEGER, 4);
}

static void test_attributes(void)
{
	begin();
	views[1].sma.attrs[SMA_LinearForwardingTable].good = 41;
	views[1].sma.attrs[SMA_LinearForwardingTable].last = NOW - 42999;
	views[1].sma.attrs[SMA_LinearForwardingTable].lost = 43;
	check_octets("1.5.1.2.7.25", "LinearForwardingTable", 21);
	check_number("1.5.1.3.7.25", ASN_COUNTER, 41);
	check_number("1.5.1.4.7.25", ASN_GAUGE, 42);
	check_number("1.5.1.5.7.25", ASN_GAUGE, 43);
	check_number("1.5.1.3.1.25", ASN_COUNTER, 0);
	check_octets("1.5.1.2.1.16", "NodeDescription", 15);
	check_octets("1.5.1.2.1.49", "LedInfo", 7);
	check_none("1.5.1.2.1.19"); /* Notice */
	check_none("1.5.1.2.1.50");
	check_none("1.5.1.2.3.16");
	check_none("1.5.1.2.1");
}

/* ---- the tree ---- */

static void test_walk(void)
{
	/* AttributeIDs of IBA 14.2.5, ascending */
	static const uint32_t ids[ATTRIBUTES] = {0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x17,
	                                         0x18, 0x19, 0x1A, 0x1B, 0x20, 0x30, 0x31};
	uint32_t last[MAX_SUBIDS] = {0};
	struct mib_answer answer;
	size_t length = 0;
	unsigned names = 0;
	unsigned count = 0;

	begin();
	for (unsigned i = 0; i < VIEWS * SMA_ATTR_COUNT; i++)
		views[i % VIEWS].sma.attrs[i / VIEWS].last = NOW;
	views[0].guid = views[0].type = SMA_NODE_CA;
	views[0].last = NOW;
	while (ask_daemon(tree_next, last, length, &answer) == 0) {
		unit_case("%s", oid_text(answer.subid, answer.length));
		CHECK(compare_oids(last, length, answer.subid, answer.length) < 0);
		if (strcmp(answer.object->name, "ibsmadAttributeName") == 0) {
			CHECK_EQUAL(answer.subid[5], ids[names % ATTRIBUTES]);
			names++;
		}
		length = answer.length;
		memcpy(last, answer.subid, length * sizeof(*last));
		count++;
	}
	CHECK_EQUAL(names, VIEWS * ATTRIBUTES);
	CHECK_EQUAL(count, SCALARS + VIEWS * (VIEW_COLUMNS + ATTRIBUTES * ATTRIBUTE_COLUMNS));
}

/* Index columns, and what only notifications have. */
static void test_unreadable(void)
{
	static const char *const oids[] = {"1.3.6.0", "1.4.1.1.1", "1.5.1.1.1.16", "1.1.6.0", "2.1.1", "1"};
	struct mib_answer answer;

	begin();
	for (size_t i = 0; i < UNIT_COUNT(oids); i++)
		CHECK_EQUAL(get(oids[i], &answer), -ENXIO);
}

/* ---- within the agent ---- */

static unsigned fills;

static void fill(void *arg, struct mib_daemon *daemon)
{
	(void)arg;
	fills++;
	*daemon = daemon_state;
}

static void add(netsnmp_pdu *pdu, const char *below)
{
	oid name[MAX_OID_LEN] = {IBSMAD_MIB_OID};
	uint32_t subid[MAX_SUBIDS];
	size_t base = ibsmad_mib_module.length;
	size_t length = parse(below, subid);

	for (size_t i = 0; i < length; i++)
		name[base + i] = subid[i];
	snmp_add_null_var(pdu, name, base + length);
}

/* At once, of one moment for all varbinds of a PDU, and without an SMP. */
static void test_answers(void)
{
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GET);
	struct reply reply;
	struct fixture *b;

	begin();
	b = agent_begin_with_daemon("sw40", fill);
	fills = 0;
	add(pdu, "1.2.1.0");
	add(pdu, "1.4.1.4.1");
	add(pdu, "1.4.1.4.3");
	add(pdu, "1.3.6.0");
	agent_send_pdu(pdu, &reply);
	CHECK_EQUAL(reply_type(&reply, 0), ASN_COUNTER);
	CHECK_EQUAL(reply_number(&reply, 0), 11);
	CHECK_EQUAL(reply_number(&reply, 1), 2);
	CHECK_EQUAL(reply_type(&reply, 2), SNMP_NOSUCHINSTANCE);
	CHECK_EQUAL(reply_type(&reply, 3), SNMP_NOSUCHOBJECT);
	CHECK_EQUAL(fills, 1);
	CHECK_EQUAL(fake_qp0_count(b->fake, FAKE_ANY), 0);
	reply_free(&reply);
	agent_end();
}

static void test_next(void)
{
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GETNEXT);
	const oid wanted[] = {IBSMAD_MIB_OID, 1, 3, 7, 0};
	struct reply reply;

	begin();
	agent_begin_with_daemon("sw40", fill);
	add(pdu, "1.3.5.0");
	agent_send_pdu(pdu, &reply);
	if (CHECK_EQUAL(reply_type(&reply, 0), ASN_COUNTER))
		CHECK(snmp_oid_compare(reply.pdu->variables->name, reply.pdu->variables->name_length, wanted,
		                       OID_LENGTH(wanted)) == 0);
	CHECK_EQUAL(reply_number(&reply, 0), 21);
	reply_free(&reply);
	agent_end();
}

/* ---- the cache ---- */

static const uint32_t node_type[] = {1, 1, 4, 0};
static const uint32_t node_guid[] = {1, 1, 7, 0};
static const uint32_t egress_5[] = {1, 9, 1, 1, 2, 5};
static const uint32_t egress_6[] = {1, 9, 1, 1, 2, 6};

static void check_values(uint64_t hits, uint64_t misses)
{
	struct mib_counters counters;

	mib_count(agent_mib(), &counters);
	CHECK_EQUAL(counters.hits, hits);
	CHECK_EQUAL(counters.misses, misses);
}

static void ask_agent(int command, const uint32_t *subid, size_t length)
{
	struct reply reply;

	agent_send(command, subid, length, &reply);
	agent_settle();
	CHECK(reply.pdu != NULL);
	reply_free(&reply);
}

static void test_cache(void)
{
	agent_begin("sw40", false);
	check_values(0, 0);
	agent_warm(node_type, UNIT_COUNT(node_type));
	check_values(0, 1);
	agent_warm(node_type, UNIT_COUNT(node_type));
	agent_warm(node_guid, UNIT_COUNT(node_guid));
	check_values(2, 1);
	/* one of its blocks is known, two are not: the question waits, once */
	agent_warm(egress_5, UNIT_COUNT(egress_5));
	check_values(2, 2);
	/* no instance is no value, and the block of its neighbour says so */
	agent_warm(egress_6, UNIT_COUNT(egress_6));
	check_values(2, 2);
	ask_agent(SNMP_MSG_GETNEXT, node_type, UNIT_COUNT(node_type));
	check_values(3, 2);
	/* too old */
	agent_pass(61 * 1000);
	agent_warm(node_type, UNIT_COUNT(node_type));
	check_values(3, 3);
	agent_end();
}

static const struct unit_test tests[] = {
	{"scalars", test_scalars},
	{"counters go round, gauges do not", test_limits},
	{"texts are printable and not too long", test_texts},
	{"what there was never has no instance", test_nothing},
	{"views", test_views},
	{"states of views", test_states},
	{"attributes", test_attributes},
	{"GETNEXT goes through all in order", test_walk},
	{"what cannot be read", test_unreadable},
	{"the agent answers at once, without an SMP", test_answers},
	{"the agent's GETNEXT", test_next},
	{"values from the cache, and not", test_cache},
};

int main(void)
{
	return agent_init() < 0 ? EXIT_FAILURE : UNIT_MAIN("daemon_mib", tests);
}
