// SPDX-License-Identifier: BSD-2-Clause
/* What is registered where: each node in its context, and the daemon once. */
#include <errno.h>
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/dm/dm_mib_gen.h"
#include "mib/ibsmad/ibsmad_mib_gen.h"
#include "mib/sma/sma_mib_gen.h"
#include "tests/mib/agent_fixture.h"
#include "tests/unit.h"

static const uint32_t node_type[] = {1, 1, 4, 0};
static const uint32_t egress_5[] = {1, 9, 1, 1, 2, 5};

/* ---- nodes ---- */

/* A place that is taken is refused, and what is there stays. */
static void test_taken(void)
{
	struct fixture *b = agent_begin("sw40", false);
	struct sma_node *other;

	CHECK_EQUAL(sma_node_new(&b->config, 0, &other), 0);
	CHECK_EQUAL(agent_show(other, "", NULL), -EEXIST);
	agent_warm(egress_5, UNIT_COUNT(egress_5));
	sma_node_close(other);
	agent_end();
	mib_close(NULL);
}

/* `also` is the node that is asked beside that of the default context. */
static long read_number(const char *context, const uint32_t *subid, size_t length, struct fixture *also)
{
	struct reply reply;
	long number;

	agent_send_in(context, SNMP_MSG_GET, subid, length, &reply);
	if (also)
		fixture_settle(also);
	agent_settle();
	number =
		reply_type(&reply, 0) == ASN_INTEGER ? reply_number(&reply, 0) : -(long)reply_type(&reply, 0);
	reply_free(&reply);
	return number;
}

/* Each node answers in its context, from its own blocks; a node that is hidden answers no more. */
static void test_contexts(void)
{
	struct fixture ca;
	struct mib_shown *shown;

	agent_begin("sw40", false);
	fixture_init(&ca, "ca");
	fixture_open(&ca);
	CHECK_EQUAL(agent_show(ca.node, "ca", &shown), 0);
	CHECK_EQUAL(read_number("", node_type, UNIT_COUNT(node_type), &ca), SMA_NODE_SWITCH);
	CHECK_EQUAL(read_number("ca", node_type, UNIT_COUNT(node_type), &ca), SMA_NODE_CA);
	CHECK_EQUAL(read_number("none", node_type, UNIT_COUNT(node_type), &ca), -(long)SNMP_NOSUCHOBJECT);
	mib_hide(shown);
	CHECK_EQUAL(read_number("ca", node_type, UNIT_COUNT(node_type), &ca), -(long)SNMP_NOSUCHOBJECT);
	CHECK_EQUAL(read_number("", node_type, UNIT_COUNT(node_type), &ca), SMA_NODE_SWITCH);
	fixture_close(&ca);
	agent_end();
}

/* ---- the daemon ---- */

static void fill(void *arg, struct mib_daemon *daemon)
{
	(void)arg;
	*daemon = (struct mib_daemon){.version = "1", .error = ""};
}

/* A subtree of a context. */
struct subtree {
	const char *context;
	const struct mib_module *module;
};

static const struct subtree *wanted_subtrees;
static unsigned subtree_count;
static unsigned wanted_count;

static int note_subtree(const char *context, const unsigned long *name, size_t length)
{
	const struct subtree *wanted = &wanted_subtrees[subtree_count++];

	if (!CHECK(subtree_count <= wanted_count))
		return 0;
	unit_case("subtree %u", subtree_count);
	CHECK_TEXT(context, wanted->context);
	CHECK(snmp_oid_compare(name, length, wanted->module->oid, wanted->module->length) == 0);
	return 0;
}

static void check_subtrees(const struct subtree *wanted, unsigned count)
{
	wanted_subtrees = wanted;
	wanted_count = count;
	subtree_count = 0;
	CHECK_EQUAL(mib_subtrees(agent_mib(), note_subtree), 0);
	CHECK_EQUAL(subtree_count, count);
}

/* Of one node, of two, and of one again. */
static void test_subtrees(void)
{
	static const struct subtree all[] = {
		{"", &sma_mib_module},
		{"", &dm_mib_module},
		{"", &ibsmad_mib_module},
	};
	static const struct subtree of_two[] = {
		{"", &sma_mib_module},  {"", &dm_mib_module},     {"ca", &sma_mib_module},
		{"ca", &dm_mib_module}, {"", &ibsmad_mib_module},
	};
	struct mib_shown *shown;
	struct fixture ca;

	agent_begin_with_daemon("sw40", fill);
	check_subtrees(all, 3);
	fixture_init(&ca, "ca");
	fixture_open(&ca);
	CHECK_EQUAL(agent_show(ca.node, "ca", &shown), 0);
	check_subtrees(of_two, 5);
	mib_hide(shown);
	check_subtrees(all, 3);
	fixture_close(&ca);
	agent_end();
	agent_begin("sw40", false);
	check_subtrees(all, 2);
	agent_end();
}

/* What there is once is in the default context, however many nodes there are. */
static int type_in(const char *context)
{
	static const oid views[] = {IBSMAD_MIB_OID, 1, 1, 3, 0};
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GET);
	struct reply reply;
	int type;

	snmp_add_null_var(pdu, views, OID_LENGTH(views));
	pdu->contextName = strdup(context);
	pdu->contextNameLen = strlen(context);
	agent_send_pdu(pdu, &reply);
	type = reply_type(&reply, 0);
	reply_free(&reply);
	return type;
}

static void test_once(void)
{
	struct mib_shown *shown;
	struct fixture ca;

	agent_begin_with_daemon("sw40", fill);
	fixture_init(&ca, "ca");
	fixture_open(&ca);
	CHECK_EQUAL(agent_show(ca.node, "ca", &shown), 0);
	CHECK_EQUAL(type_in(""), ASN_GAUGE);
	CHECK_EQUAL(type_in("ca"), SNMP_NOSUCHOBJECT);
	mib_hide(shown);
	CHECK_EQUAL(type_in(""), ASN_GAUGE);
	fixture_close(&ca);
	agent_end();
}

static const struct unit_test tests[] = {
	{"a place that is taken is refused", test_taken},
	{"nodes in contexts", test_contexts},
	{"subtrees", test_subtrees},
	{"IBSMAD-MIB is served once", test_once},
};

int main(void)
{
	return agent_init() < 0 ? EXIT_FAILURE : UNIT_MAIN("contexts", tests);
}
