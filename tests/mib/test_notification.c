// SPDX-License-Identifier: BSD-2-Clause
/* Notices to notifications: all variables, their order, types and values. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/ibsmad/ibsmad_mib_gen.h"
#include "mib/mib.h"
#include "mib/sma/sma_mib_gen.h"
#include "mib/tree.h"
#include "tests/node/node_fixture.h"
#include "tests/unit.h"

enum { MAX_WANTED = 13, LINE = 256 };

/* Variables as text: OID, ASN.1 tag, value. */
#define SMA_MIB        "1.3.6.1.3.117.3"
#define TRAP(n)        "1.3.6.1.6.3.1.1.4.1.0 06 " SMA_MIB ".2." n
#define NODE_INFO      SMA_MIB ".1.1."
#define LID(n)         NODE_INFO "14.0 02 " n
#define PORT(n)        NODE_INFO "15.0 42 " n
#define METHOD(n)      NODE_INFO "16.0 02 " n
#define ATTRIBUTE(n)   NODE_INFO "17.0 42 " n
#define MODIFIER(n)    NODE_INFO "18.0 42 " n
#define KEY(octets)    NODE_INFO "19.0 04 " octets
#define LID2(n)        NODE_INFO "20.0 02 " n
#define SL(n)          NODE_INFO "21.0 02 " n
#define QP1(n)         NODE_INFO "22.0 02 " n
#define QP2(n)         NODE_INFO "23.0 02 " n
#define GID1(octets)   NODE_INFO "24.0 04 " octets
#define GID2(octets)   NODE_INFO "25.0 04 " octets
#define MASK(octets)   NODE_INFO "26.0 04 " octets
#define SWITCH_LID(n)  NODE_INFO "27.0 02 " n
#define VALID(octets)  NODE_INFO "28.0 04 " octets
#define SYSTEM(octets) NODE_INFO "6.0 04 " octets

#define NO_GID "00000000000000000000000000000000"

/* DataDetails of trap 259 up to PORTNO, and the variables that report them. */
#define SWITCH_KEY                                                                                           \
	"82000002 0103 002a 0000 80f5 000b c000 7fff 5a 000001 bb 123456"                                    \
	"fe80000000000000 0002c9000000aa01 fe80000000000000 0002c9000000bb02 a5a6"
#define SWITCH_KEY_VARBINDS                                                                                  \
	TRAP("10"), KEY("0000000000007fff"), LID("11"), GID1("fe800000000000000002c9000000aa01"), QP1("1"),  \
		LID2("49152"), GID2("fe800000000000000002c9000000bb02"), QP2("1193046"), SL("5"),            \
		SWITCH_LID("42406"), VALID("80f5")

static const struct {
	const char *name;
	const char *notice; /* its octets; those behind it are zero */
	const char *wanted[MAX_WANTED];
} reported[] = {
	{"128", "81000002 0080 0003 0000 0011", {TRAP("1"), LID("17")}},
	{"129", "81000002 0081 0003 0000 aaaa 0022 c8", {TRAP("2"), LID("34"), PORT("200")}},
	{"130", "81000003 0082 0003 8001 aaaa 1234 01", {TRAP("3"), LID("4660"), PORT("1")}},
	{"131", "81000002 0083 0003 0000 aaaa ffff fe", {TRAP("4"), LID("65535"), PORT("254")}},
	{"144", "84000001 0090 0003 0000 aaaa 0005 0000 0250c04a", {TRAP("5"), LID("5"), MASK("0250c04a")}},
	{"144, mask 0",
         "84000001 0090 0003 0000 0000 0005 aafe 00000000 ffff",
         {TRAP("5"), LID("5"), MASK("00000000")}},
	{"144, other changes too",
         "84000001 0090 0003 0000 0000 0005 0001 80000000 0001",
         {TRAP("5"), LID("5"), MASK("80000000")}},
	{"145",
         "84000001 0091 0003 0000 aaaa 0005 0000 0008f10400410015",
         {TRAP("6"), LID("5"), SYSTEM("0008f10400410015")}},
	{"145: LIDADDR 0",
         "84000001 0091 0003 0000 aaaa 0000 0000 0008f10400410015",
         {TRAP("6"), LID("0"), SYSTEM("0008f10400410015")}},
	{"256",
         "82000001 0100 0003 0000 0000 0007 ffff 81 ee 0015 ffffffff 1234567812345678 00 c4 05060708",
         {TRAP("7"), KEY("1234567812345678"), LID("7"), METHOD("129"), ATTRIBUTE("21"),
          MODIFIER("4294967295")}},
	{"257",
         "82000001 0101 0003 0000 0000 0001 0002 00008001 9a 010101 ab 020202"
         "fe80000000000000 0002c90000000a01 fe80000000000000 0002c90000000b02",
         {TRAP("8"), KEY("0000000000008001"), LID("1"), GID1("fe800000000000000002c90000000a01"),
          QP1("65793"), LID2("2"), GID2("fe800000000000000002c90000000b02"), QP2("131586"), SL("9")}},
	{"258",
         "82000001 0102 0003 0000 0000 0001 bfff 80010000 f0 ffffff 00 000001",
         {TRAP("9"), KEY("0000000080010000"), LID("1"), GID1(NO_GID), QP1("16777215"), LID2("49151"),
          GID2(NO_GID), QP2("1"), SL("15")}},
	{"259: port 1", SWITCH_KEY "01", {SWITCH_KEY_VARBINDS, PORT("1")}},
	{"259: port 254", SWITCH_KEY "fe", {SWITCH_KEY_VARBINDS, PORT("254")}},
	{"259: port 0", SWITCH_KEY "00", {SWITCH_KEY_VARBINDS}},
	{"259: port 255", SWITCH_KEY "ff", {SWITCH_KEY_VARBINDS}},
};

static const struct {
	const char *name;
	const char *notice;
	int rc;
} dropped[] = {
	{"129: port 0", "81000002 0081 0003 0000 0000 0022 00", -ERANGE},
	{"129: port 255", "81000002 0081 0003 0000 0000 0022 ff", -ERANGE},
	{"130: port 0", "81000002 0082 0003 0000 0000 0022 00", -ERANGE},
	{"130: port 255", "81000002 0082 0003 0000 0000 0022 ff", -ERANGE},
	{"131: port 0", "81000002 0083 0003 0000 0000 0022 00", -ERANGE},
	{"131: port 255", "81000002 0083 0003 0000 0000 0022 ff", -ERANGE},
	{"another trap: 64", "83000004 0040 0003", -ENOENT},
	{"another trap: 132", "81000002 0084 0003", -ENOENT},
	{"another trap: 255", "81000002 00ff 0003", -ENOENT},
	{"another trap: 260", "81000002 0104 0003", -ENOENT},
	{"another trap: 0", "", -ENOENT},
	{"another trap: 65535", "81000002 ffff 0003", -ENOENT},
};

/* ---- text to octets, and back ---- */

static void read_octets(uint8_t data[SMA_BLOCK_SIZE], const char *text)
{
	unsigned value;
	int used;

	memset(data, 0, SMA_BLOCK_SIZE);
	for (; sscanf(text, " %2x%n", &value, &used) == 1; text += used)
		*data++ = (uint8_t)value;
}

static size_t write_oid(char *text, const oid *name, size_t length)
{
	size_t used = 0;

	for (size_t i = 0; i < length; i++)
		used += (size_t)snprintf(text + used, LINE - used, "%s%lu", i ? "." : "", name[i]);
	return used;
}

static void write_value(char *text, size_t size, const netsnmp_variable_list *v)
{
	if (v->type == ASN_OBJECT_ID) {
		write_oid(text, v->val.objid, v->val_len / sizeof(oid));
	} else if (v->type == ASN_OCTET_STR) {
		for (size_t i = 0; i < v->val_len; i++)
			snprintf(text + 2 * i, size - 2 * i, "%02x", v->val.string[i]);
	} else {
		snprintf(text, size, "%ld", *v->val.integer);
	}
}

static void write_variable(char *line, const netsnmp_variable_list *v)
{
	size_t used = write_oid(line, v->name, v->name_length);

	used += (size_t)snprintf(line + used, LINE - used, " %02x ", v->type);
	write_value(line + used, LINE, v);
}

/* ---- notifications ---- */

static void check_notification(const char *text, bool expose_keys, const char *const *wanted)
{
	struct sma_notice notice = {.source = SMA_NOTICE_TRAP};
	netsnmp_variable_list *all = NULL;
	unsigned count = 0;

	read_octets(notice.data, text);
	CHECK_EQUAL(mib_notification(&notice, expose_keys, &all), 0);
	for (const netsnmp_variable_list *v = all; v && wanted[count]; v = v->next_variable) {
		char line[2 * LINE];

		write_variable(line, v);
		CHECK_TEXT(line, wanted[count]);
		count++;
	}
	CHECK_EQUAL(count_varbinds(all), count);
	CHECK(!wanted[count]);
	snmp_free_varbind(all);
}

static void test_notifications(void)
{
	for (unsigned i = 0; i < UNIT_COUNT(reported); i++) {
		unit_case("trap %s", reported[i].name);
		check_notification(reported[i].notice, true, reported[i].wanted);
	}
}

/* Which node it is of follows the objects. */
static void test_issuer(void)
{
	static const struct mib_issuer issuer = {
		.context = "leaf-03", .guid = 0x0002c90300a1b2c3, .description = "leaf\n3"};
	static const char *const added[] = {"14.0 04 0002c90300a1b2c3", "15.0 04 6c6561663f33",
	                                    "16.0 04 6c6561662d3033"};
	struct sma_notice notice = {.source = SMA_NOTICE_TRAP};
	netsnmp_variable_list *all = NULL;
	const netsnmp_variable_list *v;
	unsigned before;

	read_octets(notice.data, reported[0].notice);
	CHECK_EQUAL(mib_notification(&notice, true, &all), 0);
	before = count_varbinds(all);
	CHECK_EQUAL(mib_notification_issuer(&issuer, all), 0);
	CHECK_EQUAL(count_varbinds(all), before + UNIT_COUNT(added));
	v = all;
	while (v && before-- > 0)
		v = v->next_variable;
	for (unsigned i = 0; v && i < UNIT_COUNT(added); i++, v = v->next_variable) {
		char line[2 * LINE] = "";

		write_variable(line, v);
		CHECK(strstr(line, added[i]) != NULL);
	}
	snmp_free_varbind(all);
}

/* The M_Key that is wrong here may be the right one elsewhere; P_Keys and Q_Keys are no secrets. */
static void test_hidden(void)
{
	static const char *const wanted[MAX_WANTED] = {TRAP("7"),       KEY("0000000000000000"),
	                                               LID("7"),        METHOD("129"),
	                                               ATTRIBUTE("21"), MODIFIER("4294967295")};

	for (unsigned i = 0; i < UNIT_COUNT(reported); i++) {
		bool is_m_key = strcmp(reported[i].name, "256") == 0;

		unit_case("trap %s", reported[i].name);
		check_notification(reported[i].notice, false, is_m_key ? wanted : reported[i].wanted);
	}
}

static void test_none(void)
{
	for (unsigned i = 0; i < UNIT_COUNT(dropped); i++) {
		struct sma_notice notice = {.source = SMA_NOTICE_SA};
		netsnmp_variable_list untouched;
		netsnmp_variable_list *all = &untouched;

		unit_case("%s", dropped[i].name);
		read_octets(notice.data, dropped[i].notice);
		CHECK_EQUAL(mib_notification(&notice, true, &all), dropped[i].rc);
		CHECK(all == &untouched);
	}
}

static void test_names(void)
{
	static const struct {
		unsigned trap;
		const char *name;
	} names[] = {
		{SMA_TRAP_LINK_STATE, "ibSmaPortLinkStateChange"},
		{SMA_TRAP_LINK_INTEGRITY, "ibSmaLinkIntegrityThresReached"},
		{SMA_TRAP_BUFFER_OVERRUN, "ibSmaExcessBuffOverrunThres"},
		{SMA_TRAP_FLOW_CONTROL, "ibSmaFlowCntrlUpdateTimerExpire"},
		{SMA_TRAP_CAPABILITY, "ibSmaCapabilityMaskModified"},
		{SMA_TRAP_SYSTEM_GUID, "ibSmaSysImageGuidModified"},
		{SMA_TRAP_BAD_M_KEY, "ibSmaBadManagementKey"},
		{SMA_TRAP_BAD_P_KEY, "ibSmaBadPartitionKey"},
		{SMA_TRAP_BAD_Q_KEY, "ibSmaBadQueueKey"},
		{SMA_TRAP_BAD_P_KEY_SWITCH, "ibSmaBadPKeyAtSwitchPort"},
		{DM_TRAP_READY, "ibDmReadyToTest"},
	};
	unsigned named = 0;

	for (unsigned i = 0; i < UNIT_COUNT(names); i++)
		CHECK_TEXT(mib_notification_name(names[i].trap), names[i].name);
	for (unsigned trap = 0; trap < 0x20000; trap++)
		named += mib_notification_name(trap) != NULL;
	CHECK_EQUAL(named, UNIT_COUNT(names));
}

/* ---- what only notifications have cannot be read ---- */

static void check_unreadable(const struct mib_question *question, const struct mib_object *object)
{
	uint32_t subid[MIB_MAX_SUBIDS + 1];
	struct mib_answer answer;

	memcpy(subid, object->subid, sizeof(object->subid));
	subid[object->length] = 0;
	unit_case("%s", object->name);
	CHECK_EQUAL(tree_get(question, subid, object->length, &answer), -ENXIO);
	CHECK_EQUAL(tree_get(question, subid, object->length + 1U, &answer), -ENXIO);
	CHECK_EQUAL(tree_next(question, subid, object->length, &answer), 0);
	CHECK_TEXT(answer.object->name, "ibSmaSwLinearFdbTableNum");
}

static void test_unreadable(void)
{
	struct fixture fixture;
	struct sma_reader reader;
	const struct mib_question question = {.module = &sma_mib_module, .reader = &reader, .window = 16};
	const uint8_t *block;
	struct sma_key key;

	fixture_init(&fixture, "sw8");
	fixture_open(&fixture);
	key = sma_key_node(sma_node_id(fixture.node), SMA_SwitchInfo);
	CHECK_EQUAL(fixture_read(&fixture, &key, &block), 0);
	for (unsigned i = 0; i < SMA_MIB_NOTIFY_OBJECT_COUNT; i++) {
		reader = fixture_reader(&fixture, SMA_FINAL, 0);
		check_unreadable(&question, &sma_mib_notify_objects[i]);
	}
	fixture_close(&fixture);
}

/* Nor would they be if a module listed them among what can be read. */
static void test_no_instance(void)
{
	const struct mib_module module = {.objects = sma_mib_notify_objects,
	                                  .count = SMA_MIB_NOTIFY_OBJECT_COUNT};
	struct sma_reader reader = {0};
	const struct mib_question question = {.module = &module, .reader = &reader, .window = 16};
	struct mib_answer answer;

	for (unsigned i = 0; i < module.count; i++) {
		const struct mib_object *object = &module.objects[i];
		uint32_t subid[MIB_MAX_SUBIDS + 1] = {0};

		memcpy(subid, object->subid, object->length * sizeof(*subid));
		unit_case("%s", object->name);
		CHECK_EQUAL(tree_get(&question, subid, object->length + 1U, &answer), -ENOENT);
	}
	CHECK_EQUAL(tree_next(&question, NULL, 0, &answer), -ENOENT);
}

/* ---- what maps say of objects ---- */

static void check_readable(const struct mib_module *module, enum mib_origin origin)
{
	for (size_t i = 0; i < module->count; i++) {
		const struct mib_object *object = &module->objects[i];

		unit_case("%s", object->name);
		CHECK_EQUAL(object->map->origin, origin);
		CHECK(!object->table || object->table->space->origin == origin);
		CHECK_EQUAL(object->map->notified, strcmp(object->name, "ibSmaSystemImageGuid") == 0);
	}
}

static void test_maps(void)
{
	check_readable(&sma_mib_module, MIB_OF_NODE);
	check_readable(&ibsmad_mib_module, MIB_OF_DAEMON);
	for (unsigned i = 0; i < SMA_MIB_NOTIFY_OBJECT_COUNT; i++) {
		unit_case("%s", sma_mib_notify_objects[i].name);
		CHECK_EQUAL(sma_mib_notify_objects[i].map->origin, MIB_OF_NOTICE);
	}
	for (unsigned i = 0; i < SMA_MIB_NOTIFICATION_COUNT; i++) {
		const struct mib_notification_type *type = &sma_mib_notifications[i];

		for (unsigned j = 0; j < type->count; j++) {
			unit_case("%s: %s", type->name, type->objects[j]->name);
			CHECK(type->objects[j]->map->notified);
		}
	}
}

static const struct unit_test tests[] = {
	{"notices that become notifications", test_notifications},
	{"the node that issued the notice", test_issuer},
	{"keys that are not shown", test_hidden},
	{"notices that do not", test_none},
	{"names of notifications", test_names},
	{"objects of notifications are not read", test_unreadable},
	{"objects of notifications have no instance", test_no_instance},
	{"maps say where an object is", test_maps},
};

int main(void)
{
	return UNIT_MAIN("notification", tests);
}
