// SPDX-License-Identifier: BSD-2-Clause
/* The handler within Net-SNMP's agent: answers, exceptions, several varbinds. */
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <infiniband/umad_sm.h>

#include "mib/map.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/value.h"
#include "tests/mib/agent_fixture.h"
#include "tests/mib/expected.h"
#include "tests/unit.h"

static const oid base[] = {SMA_MIB_OID};

static const uint32_t node_type[] = {1, 1, 4, 0};
static const uint32_t port_lid[] = {1, 4, 3, 0};
static const uint32_t notified[] = {1, 1, 14, 0};
static const uint32_t egress_5[] = {1, 9, 1, 1, 2, 5};
static const uint32_t egress_6[] = {1, 9, 1, 1, 2, 6};

/* ---- answers ---- */

static void test_get(void)
{
	struct fixture *b;
	struct reply reply;

	b = agent_begin("sw40", false);
	AGENT_SEND(SNMP_MSG_GET, node_type, &reply);
	CHECK_EQUAL(reply_type(&reply, 0), REPLY_NOT_YET);
	agent_settle();
	CHECK_EQUAL(reply_type(&reply, 0), ASN_INTEGER);
	CHECK_EQUAL(reply_number(&reply, 0), 2);
	reply_free(&reply);
	/* now it is known, and the answer does not wait for the loop */
	fake_qp0_forget_counts(b->fake);
	AGENT_SEND(SNMP_MSG_GET, node_type, &reply);
	CHECK_EQUAL(reply_number(&reply, 0), 2);
	CHECK_EQUAL(fake_qp0_count(b->fake, FAKE_ANY), 0);
	reply_free(&reply);
	agent_end();
}

static void test_exceptions(void)
{
	static const uint32_t long_instance[] = {1, 1, 4, 0, 0};
	static const uint32_t nothing[] = {3, 1};
	struct reply reply;

	agent_begin("sw40", false);
	AGENT_SEND(SNMP_MSG_GET, notified, &reply);
	CHECK_EQUAL(reply_type(&reply, 0), SNMP_NOSUCHOBJECT);
	reply_free(&reply);
	AGENT_SEND(SNMP_MSG_GET, nothing, &reply);
	CHECK_EQUAL(reply_type(&reply, 0), SNMP_NOSUCHOBJECT);
	reply_free(&reply);
	AGENT_SEND(SNMP_MSG_GET, egress_6, &reply);
	agent_settle();
	CHECK_EQUAL(reply_type(&reply, 0), SNMP_NOSUCHINSTANCE);
	reply_free(&reply);
	AGENT_SEND(SNMP_MSG_GET, long_instance, &reply);
	agent_settle();
	CHECK_EQUAL(reply_type(&reply, 0), SNMP_NOSUCHINSTANCE);
	reply_free(&reply);
	agent_end();
}

static void test_set(void)
{
	struct fixture *b;
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_SET);
	oid name[] = {SMA_MIB_OID, 1, 1, 4, 0};
	struct reply reply;
	long value = 1;

	b = agent_begin("sw40", false);
	snmp_pdu_add_variable(pdu, name, OID_LENGTH(name), ASN_INTEGER, &value, sizeof(value));
	agent_send_pdu(pdu, &reply);
	agent_settle();
	CHECK(reply.pdu && reply.pdu->errstat == SNMP_ERR_NOTWRITABLE);
	CHECK_EQUAL(fake_qp0_count(b->fake, FAKE_ANY), 0);
	reply_free(&reply);
	agent_end();
}

static bool check_varbind(const netsnmp_variable_list *v, const struct row *row)
{
	if (!CHECK_EQUAL(v->name_length, OID_LENGTH(base) + row->length) || !CHECK_EQUAL(v->type, row->type))
		return false;
	for (size_t i = 0; i < row->length; i++) {
		if (!CHECK_EQUAL(v->name[OID_LENGTH(base) + i], row->subid[i]))
			return false;
	}
	if (v->type != ASN_OCTET_STR)
		return CHECK_EQUAL(agent_number(v), row->value.number);
	return CHECK_EQUAL(v->val_len, row->value.length) &&
	       CHECK_OCTETS(v->val.string, row->value.octets, v->val_len);
}

/* The whole tree by GETNEXT, which is all that snmpd sends. */
static void check_walk(const char *node)
{
	struct expected expected;
	bool good = true;

	agent_begin(node, false);
	expected_load(&expected, node);
	for (size_t i = 0; good && i < expected.count; i++) {
		const struct row *last = i ? &expected.rows[i - 1] : NULL;
		struct reply reply;

		agent_send(SNMP_MSG_GETNEXT, last ? last->subid : NULL, last ? last->length : 0, &reply);
		agent_settle();
		unit_case("%s: row %zu", node, i);
		good = CHECK(reply.pdu && reply.pdu->errstat == 0) &&
		       check_varbind(reply.pdu->variables, &expected.rows[i]);
		reply_free(&reply);
	}
	expected_free(&expected);
	agent_end();
}

static void test_walk(void)
{
	check_walk("ca");
	check_walk("sw8");
	check_walk("sw40");
}

static void test_end(void)
{
	static const uint32_t behind[] = {1, 14, 2};
	struct reply reply;

	agent_begin("ca", false);
	AGENT_SEND(SNMP_MSG_GETNEXT, behind, &reply);
	agent_settle();
	CHECK(reply.pdu != NULL);
	CHECK(reply_type(&reply, 0) == SNMP_ENDOFMIBVIEW ||
	      snmp_oidtree_compare(reply.pdu->variables->name, reply.pdu->variables->name_length, base,
	                           OID_LENGTH(base)) > 0);
	reply_free(&reply);
	agent_end();
}

/* Several varbinds of one PDU: known and unknown, there and not there. One SMP for each block. */
static void test_several(void)
{
	struct fixture *b;
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GET);
	struct reply reply;

	b = agent_begin("sw40", false);
	agent_warm(node_type, UNIT_COUNT(node_type));
	agent_add(pdu, egress_5, UNIT_COUNT(egress_5));
	agent_add(pdu, node_type, UNIT_COUNT(node_type));
	agent_add(pdu, notified, UNIT_COUNT(notified));
	agent_add(pdu, egress_6, UNIT_COUNT(egress_6));
	agent_add(pdu, port_lid, UNIT_COUNT(port_lid));
	agent_add(pdu, egress_5, UNIT_COUNT(egress_5));
	agent_send_pdu(pdu, &reply);
	CHECK_EQUAL(reply_type(&reply, 0), REPLY_NOT_YET);
	agent_settle();
	CHECK_EQUAL(reply_number(&reply, 0), 200);
	CHECK_EQUAL(reply_number(&reply, 1), 2);
	CHECK_EQUAL(reply_type(&reply, 2), SNMP_NOSUCHOBJECT);
	CHECK_EQUAL(reply_type(&reply, 3), SNMP_NOSUCHINSTANCE);
	CHECK_EQUAL(reply_number(&reply, 4), 3);
	CHECK_EQUAL(reply_number(&reply, 5), 200);
	CHECK_EQUAL(fake_qp0_count_most(b->fake, FAKE_ANY), 1);
	reply_free(&reply);
	agent_end();
}

/* ---- 64 bits ---- */

/* Of Counter64 objects, and a GUID of a real block. */
static const uint64_t wide[] = {0, UINT32_MAX, 0x100000000, 0x123456789ABCDEF0, UINT64_MAX};
static const struct mib_map guid_map = {.get.of_node = map_number, .component = SMA_NodeInfo_NodeGUID};

static int wide_get(const struct mib_cell *cell, struct mib_value *value)
{
	value_number(value, wide[cell->object->subid[0]]);
	return 0;
}

static const struct mib_map wide_map = {.get.of_node = wide_get};

#define WIDE(n, mapped)                                                                                      \
	{                                                                                                    \
		.name = "wide" #n, .subid = {n}, .length = 1, .type = ASN_COUNTER64, .high = UINT64_MAX,     \
		.map = &(mapped)                                                                             \
	}

static const struct mib_object wide_objects[] = {WIDE(0, wide_map), WIDE(1, wide_map), WIDE(2, wide_map),
                                                 WIDE(3, wide_map), WIDE(4, wide_map), WIDE(5, guid_map)};
static const oid wide_base[] = {1, 3, 6, 1, 4, 1, 8072, 9999, 9999, 118};
static const struct mib_module wide_module = {.name = "wide",
                                              .oid = wide_base,
                                              .length = OID_LENGTH(wide_base),
                                              .objects = wide_objects,
                                              .count = UNIT_COUNT(wide_objects)};

static void check_wide(int command, uint64_t wanted, oid *name, size_t *length)
{
	netsnmp_pdu *pdu = snmp_pdu_create(command);
	struct reply reply;

	snmp_add_null_var(pdu, name, *length);
	agent_send_pdu(pdu, &reply);
	agent_settle();
	if (CHECK_EQUAL(reply_type(&reply, 0), ASN_COUNTER64)) {
		const netsnmp_variable_list *v = reply.pdu->variables;

		CHECK_EQUAL(agent_number(v), wanted);
		*length = v->name_length;
		memcpy(name, v->name, v->name_length * sizeof(oid));
	}
	reply_free(&reply);
}

/* GETNEXT of each, and GET of what it found. */
static void test_wide(void)
{
	oid name[MAX_OID_LEN];
	size_t length = OID_LENGTH(wide_base);
	struct fixture *b = agent_begin("sw40", false);
	uint8_t *info = fake_qp0_data(b->fake, 0, UMAD_SM_ATTR_NODE_INFO, 0);

	sma_component_set(info, SMA_NodeInfo_NodeGUID, 0xFEDCBA9876543210);
	agent_warm(node_type, UNIT_COUNT(node_type));
	agent_serve(&wide_module);
	memcpy(name, wide_base, sizeof(wide_base));
	for (size_t i = 0; i < UNIT_COUNT(wide_objects); i++) {
		uint64_t wanted = i < UNIT_COUNT(wide) ? wide[i] : 0xFEDCBA9876543210;

		unit_case("object %zu", i);
		check_wide(SNMP_MSG_GETNEXT, wanted, name, &length);
		check_wide(SNMP_MSG_GET, wanted, name, &length);
		CHECK_EQUAL(name[length - 2], i);
	}
	agent_withdraw();
	agent_end();
}

/* An M_Key that is not shown has no instance, an SM_Key is zeros; also where that is changed on the way. */
static void check_keys(bool exposed)
{
	static const uint32_t keys[][7] = {{1, 4, 1, 0}, {1, 12, 1, 1, 1, 3, 1}};
	static const size_t lengths[] = {4, 7};
	static const uint8_t m_key[8] = {0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0};
	static const uint8_t sm_key[8] = {[7] = 0xAA};
	static const uint8_t zeros[8];
	struct reply replies[2];

	for (unsigned i = 0; i < UNIT_COUNT(keys); i++)
		agent_send(SNMP_MSG_GET, keys[i], lengths[i], &replies[i]);
	agent_settle();
	if (CHECK_EQUAL(reply_type(&replies[0], 0), exposed ? ASN_OCTET_STR : SNMP_NOSUCHINSTANCE) && exposed)
		CHECK_OCTETS(replies[0].pdu->variables->val.string, m_key, 8);
	if (CHECK_EQUAL(reply_type(&replies[1], 0), ASN_OCTET_STR))
		CHECK_OCTETS(replies[1].pdu->variables->val.string, exposed ? sm_key : zeros, 8);
	for (unsigned i = 0; i < UNIT_COUNT(keys); i++)
		reply_free(&replies[i]);
}

static void test_exposed_keys(void)
{
	for (unsigned expose = 0; expose < 2; expose++) {
		agent_begin("ca", expose);
		check_keys(expose);
		mib_expose_keys(agent_mib(), !expose);
		check_keys(!expose);
		agent_end();
	}
}

static const struct unit_test tests[] = {
	{"GET, unknown and known", test_get},   {"exceptions", test_exceptions},
	{"SET is refused", test_set},           {"the expected trees", test_walk},
	{"behind the last instance", test_end}, {"several varbinds", test_several},
	{"64 bits arrive whole", test_wide},    {"keys", test_exposed_keys},
};

int main(void)
{
	return agent_init() < 0 ? EXIT_FAILURE : UNIT_MAIN("handler", tests);
}
