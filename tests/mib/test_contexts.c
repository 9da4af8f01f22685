// SPDX-License-Identifier: BSD-2-Clause
/* What is registered where: each node in its context, and the daemon once. */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	struct mib_shown *shown;
	struct sma_node *other;

	CHECK_EQUAL(sma_node_new(&b->config, 0, &other), 0);
	CHECK_EQUAL(agent_show(other, "", &shown), -EEXIST);
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

/* A subtree of a context, as it was registered or withdrawn. */
struct subtree {
	const char *context;
	const struct mib_module *module;
	bool on;
};

static const struct subtree *wanted_subtrees;
static unsigned subtree_count;
static unsigned wanted_count;

static void note_subtree(void *arg, const char *context, const unsigned long *name, size_t length, bool on)
{
	const struct subtree *wanted = &wanted_subtrees[subtree_count++];

	(void)arg;
	if (!CHECK(subtree_count <= wanted_count))
		return;
	unit_case("subtree %u", subtree_count);
	CHECK_TEXT(context, wanted->context);
	CHECK(snmp_oid_compare(name, length, wanted->module->oid, wanted->module->length) == 0);
	CHECK_EQUAL(on, wanted->on);
}

static void expect(const struct subtree *wanted, unsigned count)
{
	CHECK_EQUAL(subtree_count, wanted_count);
	wanted_subtrees = wanted;
	wanted_count = count;
	subtree_count = 0;
}

/* Of one node, of another with two names, with and without an I/O unit. */
static void test_subtrees(void)
{
	static const struct subtree at_begin[] = {
		{"", &ibsmad_mib_module, true}, {"", &sma_mib_module, true}, {"", &dm_mib_module, true}};
	static const struct subtree named[] = {{"ca", &sma_mib_module, true},
	                                       {"ca", &dm_mib_module, true},
	                                       {"also", &sma_mib_module, true},
	                                       {"also", &dm_mib_module, true}};
	static const struct subtree without_dm[] = {{"ca", &dm_mib_module, false},
	                                            {"also", &dm_mib_module, false}};
	static const struct subtree with_dm[] = {{"ca", &dm_mib_module, true},
	                                         {"also", &dm_mib_module, true}};
	static const struct subtree unnamed[] = {{"ca", &sma_mib_module, false},
	                                         {"ca", &dm_mib_module, false}};
	static const struct subtree hidden[] = {{"also", &sma_mib_module, false},
	                                        {"also", &dm_mib_module, false}};
	static const struct subtree at_end[] = {
		{"", &sma_mib_module, false}, {"", &dm_mib_module, false}, {"", &ibsmad_mib_module, false}};
	struct mib_shown *shown;
	struct fixture ca;

	agent_on_registered(note_subtree);
	expect(at_begin, 3);
	agent_begin_with_daemon("sw40", fill);
	expect(named, 4);
	fixture_init(&ca, "ca");
	fixture_open(&ca);
	CHECK_EQUAL(agent_show(ca.node, "ca", &shown), 0);
	CHECK_EQUAL(mib_name(shown, "also"), 0);
	expect(without_dm, 2);
	CHECK_EQUAL(mib_show_dm(shown, false), 0);
	expect(with_dm, 2);
	CHECK_EQUAL(mib_show_dm(shown, true), 0);
	CHECK_EQUAL(mib_show_dm(shown, true), 0);
	expect(unnamed, 2);
	mib_unname(shown, "ca");
	mib_unname(shown, "ca");
	expect(hidden, 2);
	mib_hide(shown);
	fixture_close(&ca);
	expect(at_end, 3);
	agent_end();
	expect(NULL, 0);
	agent_on_registered(NULL);
}

/* ---- names ---- */

/* A node answers under each of its names, as long as it has it; one that is taken is refused. */
static void test_names(void)
{
	char longest[256];
	struct mib_shown *shown;
	struct fixture ca;

	agent_begin("sw40", false);
	fixture_init(&ca, "ca");
	fixture_open(&ca);
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	CHECK_EQUAL(agent_show(ca.node, "ca", &shown), 0);
	CHECK_EQUAL(mib_name(shown, longest), 0);
	CHECK_EQUAL(mib_name(shown, ""), -EEXIST);
	CHECK_EQUAL(read_number("ca", node_type, UNIT_COUNT(node_type), &ca), SMA_NODE_CA);
	CHECK_EQUAL(read_number(longest, node_type, UNIT_COUNT(node_type), &ca), SMA_NODE_CA);
	mib_unname(shown, "ca");
	CHECK_EQUAL(read_number("ca", node_type, UNIT_COUNT(node_type), &ca), -(long)SNMP_NOSUCHOBJECT);
	CHECK_EQUAL(read_number(longest, node_type, UNIT_COUNT(node_type), &ca), SMA_NODE_CA);
	CHECK_EQUAL(mib_name(shown, "ca"), 0);
	CHECK_EQUAL(read_number("ca", node_type, UNIT_COUNT(node_type), &ca), SMA_NODE_CA);
	CHECK_EQUAL(read_number("", node_type, UNIT_COUNT(node_type), &ca), SMA_NODE_SWITCH);
	mib_hide(shown);
	fixture_close(&ca);
	agent_end();
}

/* What waits in a context that goes is dropped, and is no trouble to what comes later. */
static void test_unname_waiting(void)
{
	struct mib_shown *shown;
	struct reply reply;
	struct fixture ca;

	agent_begin("sw40", false);
	fixture_init(&ca, "ca");
	fixture_open(&ca);
	CHECK_EQUAL(agent_show(ca.node, "ca", &shown), 0);
	CHECK_EQUAL(mib_name(shown, "also"), 0);
	agent_send_in("ca", SNMP_MSG_GET, node_type, UNIT_COUNT(node_type), &reply);
	mib_unname(shown, "ca");
	fixture_settle(&ca);
	agent_settle();
	CHECK_EQUAL(read_number("also", node_type, UNIT_COUNT(node_type), &ca), SMA_NODE_CA);
	reply_free(&reply);
	mib_hide(shown);
	fixture_close(&ca);
	agent_end();
}

/* Requests with contexts that nobody has cost nothing that stays. */
static void test_unknown(void)
{
	char name[32];
	struct mallinfo2 before;

	agent_begin("sw40", false);
	for (unsigned i = 0; i < 2000; i++) {
		if (i == 1000)
			before = mallinfo2();
		snprintf(name, sizeof(name), "random-%u", i * 7919);
		CHECK_EQUAL(read_number(name, node_type, UNIT_COUNT(node_type), NULL),
		            -(long)SNMP_NOSUCHOBJECT);
	}
	CHECK(mallinfo2().uordblks <= before.uordblks + 4096);
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
	{"several names", test_names},
	{"a name that goes while a request waits", test_unname_waiting},
	{"unknown contexts", test_unknown},
	{"IBSMAD-MIB is served once", test_once},
};

int main(void)
{
	return agent_init() < 0 ? EXIT_FAILURE : UNIT_MAIN("contexts", tests);
}
