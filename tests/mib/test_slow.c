// SPDX-License-Identifier: BSD-2-Clause
/* The handler within Net-SNMP's agent, over an SMA that answers late or never, and requests that go away. */
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <infiniband/umad_sm.h>

#include "mib/sma/sma_mib_gen.h"
#include "tests/mib/agent_fixture.h"
#include "tests/unit.h"

enum { LFT_AGE = 60000 };

static const oid base[] = {SMA_MIB_OID};

static const uint32_t node_type[] = {1, 1, 4, 0};
static const uint32_t port_lid[] = {1, 4, 3, 0};
static const uint32_t egress_5[] = {1, 9, 1, 1, 2, 5};

/* ---- an SMA that takes its time ---- */

/* An old value is taken after 80 ms. */
static void test_stale(void)
{
	struct fixture *b;
	uint64_t start;
	struct reply reply;

	b = agent_begin("sw40", false);
	agent_warm(egress_5, UNIT_COUNT(egress_5));
	agent_pass(LFT_AGE);
	fake_qp0_delay(b->fake, FAKE_ANY, 1500);
	start = b->now;
	AGENT_SEND(SNMP_MSG_GET, egress_5, &reply);
	agent_pass(MIB_STALE_MS - 1);
	CHECK_EQUAL(reply_type(&reply, 0), REPLY_NOT_YET);
	agent_pass(1);
	CHECK_EQUAL(reply_number(&reply, 0), 200);
	CHECK_EQUAL(reply.at - start, MIB_STALE_MS);
	reply_free(&reply);
	agent_end();
}

/* Whatever came since a request arrived is fresh enough for it: without caching each block is asked once. */
static void test_no_caching(void)
{
	struct fixture *b = agent_begin_with_age("sw40", 0);

	fake_qp0_delay(b->fake, FAKE_ANY, 10);
	for (unsigned i = 1; i <= 2; i++) {
		uint64_t start = b->now;
		struct reply reply;

		AGENT_SEND(SNMP_MSG_GET, egress_5, &reply);
		agent_pass(1000);
		CHECK_EQUAL(reply_number(&reply, 0), 200);
		CHECK(reply.at - start < MIB_STALE_MS);
		CHECK_EQUAL(fake_qp0_count_most(b->fake, FAKE_ANY), i);
		reply_free(&reply);
	}
	agent_end();
}

/* What was never known and does not come is answered within 800 ms, whether late or not at all. */
static void check_missing(uint16_t attribute, enum fake_fault fault, unsigned delay_ms, const uint32_t *subid,
                          size_t length, bool unknown)
{
	struct fixture *b;
	uint64_t start;
	struct reply reply;

	b = agent_begin("sw40", false);
	fake_qp0_delay(b->fake, attribute, delay_ms);
	fake_qp0_fault(b->fake, attribute, fault, FAKE_FOREVER);
	start = b->now;
	agent_send(SNMP_MSG_GET, subid, length, &reply);
	agent_pass(200);
	CHECK_EQUAL(reply_type(&reply, 0), REPLY_NOT_YET);
	agent_pass(5000);
	unit_case("attribute 0x%x, fault %d", attribute, fault);
	CHECK_EQUAL(reply_error(&reply), unknown ? SNMP_ERR_GENERR : SNMP_ERR_NOERROR);
	if (!unknown)
		CHECK_EQUAL(reply_type(&reply, 0), SNMP_NOSUCHINSTANCE);
	CHECK(reply.at - start <= MIB_ANSWER_MS);
	CHECK_EQUAL(agent_due(), UINT64_MAX);
	CHECK(fault == FAKE_SEND_FAILS || fake_qp0_count(b->fake, FAKE_ANY) <= 6);
	reply_free(&reply);
	agent_end();
}

/* Nothing is known of an SMA that answers nothing. */
static void test_unknown(void)
{
	check_missing(FAKE_ANY, FAKE_NONE, 1500, node_type, UNIT_COUNT(node_type), true);
	check_missing(FAKE_ANY, FAKE_SILENT, 0, node_type, UNIT_COUNT(node_type), true);
	check_missing(FAKE_ANY, FAKE_VANISH, 0, egress_5, UNIT_COUNT(egress_5), true);
	check_missing(FAKE_ANY, FAKE_LOST, 0, egress_5, UNIT_COUNT(egress_5), true);
	check_missing(FAKE_ANY, FAKE_SEND_FAILS, 0, port_lid, UNIT_COUNT(port_lid), true);
	check_missing(FAKE_ANY, FAKE_GARBAGE, 0, port_lid, UNIT_COUNT(port_lid), true);
}

/* But one that answers others, or says that it cannot answer. */
static void test_missing(void)
{
	check_missing(UMAD_SM_ATTR_NODE_INFO, FAKE_SILENT, 0, node_type, UNIT_COUNT(node_type), false);
	check_missing(UMAD_SM_ATTR_NODE_INFO, FAKE_NONE, 1500, node_type, UNIT_COUNT(node_type), false);
	check_missing(UMAD_SM_ATTR_LINEAR_FT, FAKE_VANISH, 0, egress_5, UNIT_COUNT(egress_5), false);
	check_missing(UMAD_SM_ATTR_LINEAR_FT, FAKE_LOST, 0, egress_5, UNIT_COUNT(egress_5), false);
	check_missing(UMAD_SM_ATTR_PORT_INFO, FAKE_GARBAGE, 0, port_lid, UNIT_COUNT(port_lid), false);
	check_missing(FAKE_ANY, FAKE_BUSY, 0, port_lid, UNIT_COUNT(port_lid), false);
}

/* Once it is known that an SMA is silent, what is not known is an error at once. */
static void test_silent(void)
{
	struct fixture *b;
	struct reply reply;

	b = agent_begin("sw40", false);
	agent_warm(node_type, UNIT_COUNT(node_type));
	fake_qp0_fault(b->fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	AGENT_SEND(SNMP_MSG_GET, egress_5, &reply);
	agent_pass(2000);
	CHECK_EQUAL(reply_error(&reply), SNMP_ERR_GENERR);
	reply_free(&reply);
	AGENT_SEND(SNMP_MSG_GET, egress_5, &reply);
	CHECK_EQUAL(reply_error(&reply), SNMP_ERR_GENERR);
	reply_free(&reply);
	AGENT_SEND(SNMP_MSG_GETNEXT, egress_5, &reply);
	CHECK_EQUAL(reply_error(&reply), SNMP_ERR_GENERR);
	reply_free(&reply);
	AGENT_SEND(SNMP_MSG_GET, node_type, &reply);
	CHECK_EQUAL(reply_number(&reply, 0), 2);
	reply_free(&reply);
	agent_end();
}

/* While one request waits, what is known is answered at once. */
static void test_not_held_up(void)
{
	struct fixture *b;
	struct reply slow;
	struct reply quick;

	b = agent_begin("sw40", false);
	agent_warm(node_type, UNIT_COUNT(node_type));
	fake_qp0_fault(b->fake, FAKE_ANY, FAKE_SILENT, FAKE_FOREVER);
	AGENT_SEND(SNMP_MSG_GET, egress_5, &slow);
	for (unsigned i = 0; i < 4; i++) {
		agent_pass(100);
		AGENT_SEND(SNMP_MSG_GET, node_type, &quick);
		CHECK_EQUAL(reply_number(&quick, 0), 2);
		CHECK_EQUAL(quick.at, b->now);
		reply_free(&quick);
	}
	CHECK_EQUAL(reply_type(&slow, 0), REPLY_NOT_YET);
	agent_pass(1000);
	CHECK(slow.pdu != NULL);
	reply_free(&slow);
	agent_end();
}

/* One GETNEXT: the row that follows, the end of the walk, or an error. `name` becomes that row. */
static long next(struct fixture *b, oid *name, size_t *length)
{
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GETNEXT);
	uint64_t start = b->now;
	struct reply reply;
	long error;

	snmp_add_null_var(pdu, name, *length);
	agent_send_pdu(pdu, &reply);
	while (!reply.pdu && b->now < start + 2 * MIB_ANSWER_MS)
		agent_pass(10);
	error = reply_error(&reply);
	CHECK(reply.pdu && reply.at - start <= MIB_ANSWER_MS);
	if (error == SNMP_ERR_NOERROR) {
		*length = reply.pdu->variables->name_length;
		memcpy(name, reply.pdu->variables->name, *length * sizeof(oid));
	}
	reply_free(&reply);
	return error;
}

/* Each GETNEXT of a walk over silent attributes is answered in time. A manager that asks again after an error
 * gets further, and the walk ends. */
static void test_walk_over_silence(void)
{
	struct fixture *b;
	oid name[MAX_OID_LEN] = {SMA_MIB_OID};
	size_t length = OID_LENGTH(base);
	unsigned errors = 0;
	unsigned rows = 0;

	b = agent_begin("sw40", false);
	fake_qp0_fault(b->fake, UMAD_SM_ATTR_PORT_INFO, FAKE_SILENT, FAKE_FOREVER);
	fake_qp0_fault(b->fake, UMAD_SM_ATTR_LINEAR_FT, FAKE_SILENT, FAKE_FOREVER);
	while (rows < 3000 && errors < 10) {
		long error = next(b, name, &length);

		if (!CHECK(error == SNMP_ERR_NOERROR || error == SNMP_ERR_GENERR))
			break;
		if (snmp_oidtree_compare(name, length, base, OID_LENGTH(base)) != 0)
			break;
		errors += error != 0;
		rows += error == 0;
	}
	CHECK(errors <= 3);
	/* NodeInfo and SwitchInfo groups, a GUID row for each port, P_Keys of port 0, multicast */
	CHECK(rows >= 13 + 1 + 16 + 40 + 4);
	agent_end();
}

/* GETNEXT of a table whose first blocks do not come: the row behind them. */
static void check_dead_beginning(struct fixture *b, const uint32_t *table, const uint32_t *wanted,
                                 size_t length)
{
	uint64_t start = b->now;
	struct reply reply;

	unit_case("table 1.%u", table[1]);
	agent_send(SNMP_MSG_GETNEXT, table, 2, &reply);
	agent_pass(MIB_ANSWER_MS);
	CHECK(reply.at - start <= MIB_ANSWER_MS);
	if (CHECK_EQUAL(reply_error(&reply), SNMP_ERR_NOERROR) &&
	    CHECK_EQUAL(reply.pdu->variables->name_length, OID_LENGTH(base) + length)) {
		for (size_t i = 0; i < length; i++)
			CHECK_EQUAL(reply.pdu->variables->name[OID_LENGTH(base) + i], wanted[i]);
	}
	reply_free(&reply);
}

static void test_dead_beginning(void)
{
	static const uint32_t ports[] = {1, 5}, port_5[] = {1, 5, 1, 1, 2, 5};
	static const uint32_t lids[] = {1, 9}, lid_256[] = {1, 9, 1, 1, 2, 256};
	struct fixture *b = agent_begin("sw40", false);
	uint8_t *info = fake_qp0_data(b->fake, 0, UMAD_SM_ATTR_SWITCH_INFO, 0);

	sma_component_set(info, SMA_SwitchInfo_LinearFDBCap, 2048);
	sma_component_set(info, SMA_SwitchInfo_LinearFDBTop, 511);
	memset(fake_qp0_data(b->fake, 0, UMAD_SM_ATTR_LINEAR_FT, 4), 1, SMA_BLOCK_SIZE);
	for (unsigned i = 0; i < 4; i++) {
		fake_qp0_fault_block(b->fake, 0, UMAD_SM_ATTR_PORT_INFO, 1 + i, FAKE_SILENT, FAKE_FOREVER);
		fake_qp0_fault_block(b->fake, 0, UMAD_SM_ATTR_LINEAR_FT, i, FAKE_SILENT, FAKE_FOREVER);
	}
	check_dead_beginning(b, ports, port_5, UNIT_COUNT(port_5));
	check_dead_beginning(b, lids, lid_256, UNIT_COUNT(lid_256));
	agent_end();
}

/* ---- many that wait ---- */

/* They are answered in the order in which they arrived, all that wait for one block and at one time. */
static void test_order(void)
{
	struct reply replies[6];
	struct fixture *b = agent_begin("sw40", false);

	fake_qp0_delay(b->fake, FAKE_ANY, 30);
	for (size_t i = 0; i < UNIT_COUNT(replies); i++)
		AGENT_SEND(SNMP_MSG_GET, egress_5, &replies[i]);
	agent_pass(1000);
	for (size_t i = 0; i < UNIT_COUNT(replies); i++) {
		CHECK_EQUAL(reply_number(&replies[i], 0), 200);
		CHECK(i == 0 || replies[i].serial == replies[i - 1].serial + 1);
		reply_free(&replies[i]);
	}
	agent_end();
}

/* ---- requests that go away ---- */

static void test_vanished(void)
{
	struct fixture *b;
	struct reply reply;

	b = agent_begin("sw40", false);
	fake_qp0_delay(b->fake, FAKE_ANY, 50);
	AGENT_SEND(SNMP_MSG_GET, egress_5, &reply);
	agent_pass(10);
	CHECK_EQUAL(netsnmp_remove_delegated_requests_for_session(NULL), 1);
	agent_pass(2000);
	CHECK_EQUAL(agent_due(), UINT64_MAX);
	CHECK(reply.pdu == NULL || reply.pdu->errstat != 0 || reply_type(&reply, 0) != ASN_GAUGE);
	reply_free(&reply);
	fake_qp0_delay(b->fake, FAKE_ANY, 0);
	agent_warm(node_type, UNIT_COUNT(node_type));
	agent_end();
}

static void test_close_while_waiting(void)
{
	struct fixture *b;
	struct reply waiting;
	struct reply reply;

	b = agent_begin("sw40", false);
	fake_qp0_delay(b->fake, FAKE_ANY, 50);
	AGENT_SEND(SNMP_MSG_GET, egress_5, &waiting);
	CHECK_EQUAL(netsnmp_remove_delegated_requests_for_session(NULL), 1);
	agent_end();
	/* and nothing is registered any more */
	AGENT_SEND(SNMP_MSG_GET, node_type, &reply);
	CHECK_EQUAL(reply_type(&reply, 0), SNMP_NOSUCHOBJECT);
	reply_free(&reply);
	reply_free(&waiting);
}

static const struct unit_test tests[] = {
	{"an old value after 80 ms", test_stale},
	{"without caching", test_no_caching},
	{"an unknown value is an error within 800 ms", test_unknown},
	{"a missing value within 800 ms", test_missing},
	{"a silent SMA", test_silent},
	{"what is known is not held up", test_not_held_up},
	{"a walk over attributes that are not answered", test_walk_over_silence},
	{"a table whose first blocks do not come", test_dead_beginning},
	{"requests are answered in the order of their arrival", test_order},
	{"a request that vanished", test_vanished},
	{"the end while requests wait", test_close_while_waiting},
};

int main(void)
{
	return agent_init() < 0 ? EXIT_FAILURE : UNIT_MAIN("slow", tests);
}
