// SPDX-License-Identifier: BSD-2-Clause
/* The handler within Net-SNMP's agent, over an SMA that answers late or never, and requests that go away. */
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <infiniband/umad_sm.h>

#include "mib/sma_mib_gen.h"
#include "tests/agent_bench.h"
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
	struct bench *b;
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
	struct bench *b = agent_begin_with_age("sw40", 0);

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

/* What was never known and does not come is missing within 800 ms, whether late or not at all. */
static void check_missing(enum fake_fault fault, unsigned delay_ms, const uint32_t *subid, size_t length)
{
	struct bench *b;
	uint64_t start;
	struct reply reply;

	b = agent_begin("sw40", false);
	fake_qp0_delay(b->fake, FAKE_ANY, delay_ms);
	fake_qp0_fault(b->fake, FAKE_ANY, fault, FAKE_FOREVER);
	start = b->now;
	agent_send(SNMP_MSG_GET, subid, length, &reply);
	agent_pass(200);
	CHECK_EQUAL(reply_type(&reply, 0), REPLY_NOT_YET);
	agent_pass(5000);
	CHECK_EQUAL(reply_type(&reply, 0), SNMP_NOSUCHINSTANCE);
	CHECK(reply.at - start <= MIB_ANSWER_MS);
	CHECK_EQUAL(agent_due(), UINT64_MAX);
	CHECK(fake_qp0_count(b->fake, FAKE_ANY) <= 24);
	reply_free(&reply);
	agent_end();
}

static void test_missing(void)
{
	check_missing(FAKE_NONE, 1500, node_type, UNIT_COUNT(node_type));
	check_missing(FAKE_SILENT, 0, node_type, UNIT_COUNT(node_type));
	check_missing(FAKE_VANISH, 0, egress_5, UNIT_COUNT(egress_5));
	check_missing(FAKE_LOST, 0, egress_5, UNIT_COUNT(egress_5));
	check_missing(FAKE_SEND_FAILS, 0, port_lid, UNIT_COUNT(port_lid));
	check_missing(FAKE_BUSY, 0, port_lid, UNIT_COUNT(port_lid));
	check_missing(FAKE_GARBAGE, 0, port_lid, UNIT_COUNT(port_lid));
}

/* While one request waits, what is known is answered at once. */
static void test_not_held_up(void)
{
	struct bench *b;
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

/* Each GETNEXT of a walk over silent attributes is answered in time, and the walk comes to an end. */
static void test_walk_over_silence(void)
{
	struct bench *b;
	oid name[MAX_OID_LEN] = {SMA_MIB_OID};
	size_t length = OID_LENGTH(base);
	unsigned rows = 0;

	b = agent_begin("sw40", false);
	fake_qp0_fault(b->fake, UMAD_SM_ATTR_PORT_INFO, FAKE_SILENT, FAKE_FOREVER);
	fake_qp0_fault(b->fake, UMAD_SM_ATTR_LINEAR_FT, FAKE_SILENT, FAKE_FOREVER);
	while (rows < 3000) {
		netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GETNEXT);
		uint64_t start = b->now;
		struct reply reply;

		snmp_add_null_var(pdu, name, length);
		agent_send_pdu(pdu, &reply);
		agent_pass(1000);
		if (!CHECK(reply.pdu && reply.pdu->errstat == 0 && reply.at - start <= MIB_ANSWER_MS))
			break;
		length = reply.pdu->variables->name_length;
		memcpy(name, reply.pdu->variables->name, length * sizeof(oid));
		reply_free(&reply);
		if (snmp_oidtree_compare(name, length, base, OID_LENGTH(base)) != 0)
			break;
		rows++;
	}
	/* NodeInfo and SwitchInfo groups, a GUID row for each port, P_Keys of port 0, multicast */
	CHECK(rows >= 13 + 1 + 16 + 40 + 4);
	agent_end();
}

/* ---- requests that go away ---- */

static void test_vanished(void)
{
	struct bench *b;
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
	struct bench *b;
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
	{"a missing value within 800 ms", test_missing},
	{"what is known is not held up", test_not_held_up},
	{"a walk over attributes that are not answered", test_walk_over_silence},
	{"a request that vanished", test_vanished},
	{"the end while requests wait", test_close_while_waiting},
};

int main(void)
{
	return agent_init() < 0 ? EXIT_FAILURE : UNIT_MAIN("slow", tests);
}
