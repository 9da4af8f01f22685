// SPDX-License-Identifier: BSD-2-Clause
/* The times in a notification: sysUpTime.0 and, if it waited, ibsmadNoticeTime.0. */
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/notify.h"
#include "agent/notify_time.h"
#include "tests/unit.h"

static void test_uptime(void)
{
	static const struct {
		uint32_t uptime;
		uint64_t age_ms;
		uint32_t wanted;
	} cases[] = {
		{1000, 0, 1000},
		{1000, 9, 1000},
		{1000, 10, 999},
		{1000, 2005, 800},
		{1000, 9990, 1},
		{1000, 9999, 1},
		{1000, 10000, 0},
		{1000, 10010, 0},
		{0, 0, 0},
		{0, 1, 0},
		{0, 500000, 0},
		{UINT32_MAX, 0, UINT32_MAX},
		{UINT32_MAX, 10, UINT32_MAX - 1},
		{100, 0xA00000000, 0}, /* 2^32 hundredths more than the master's age */
		{5, UINT64_MAX, 0},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		unit_case("case %zu", i);
		CHECK_EQUAL(notify_time_uptime(cases[i].uptime, cases[i].age_ms), cases[i].wanted);
	}
}

/* RFC 2579 DateAndTime: year in network order, month from 1, deci-seconds, direction and distance of UTC. */
static void test_date(void)
{
	static const struct {
		const char *text;
		uint64_t seconds; /* as date -u +%s prints */
		unsigned ms;
		uint8_t wanted[NOTIFY_TIME_DATE_SIZE];
	} cases[] = {
		{"1970-01-01 00:00:00.0", 0, 0, {0x07, 0xB2, 1, 1, 0, 0, 0, 0, '+', 0, 0}},
		{"1992-05-26 17:30:15.0", 706901415, 99, {0x07, 0xC8, 5, 26, 17, 30, 15, 0, '+', 0, 0}},
		{"2000-02-29 23:59:59.9", 951868799, 999, {0x07, 0xD0, 2, 29, 23, 59, 59, 9, '+', 0, 0}},
		{"2023-12-31 23:59:59.9", 1704067199, 900, {0x07, 0xE7, 12, 31, 23, 59, 59, 9, '+', 0, 0}},
		{"2024-01-01 00:00:00.1", 1704067200, 100, {0x07, 0xE8, 1, 1, 0, 0, 0, 1, '+', 0, 0}},
		{"2038-01-19 03:14:08.5", 2147483648, 512, {0x07, 0xF6, 1, 19, 3, 14, 8, 5, '+', 0, 0}},
		{"2106-02-07 06:28:16.0", 4294967296, 0, {0x08, 0x3A, 2, 7, 6, 28, 16, 0, '+', 0, 0}},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		uint8_t date[NOTIFY_TIME_DATE_SIZE];

		memset(date, 0xFF, sizeof(date));
		notify_time_date(date, cases[i].seconds * 1000 + cases[i].ms);
		unit_case("%s", cases[i].text);
		CHECK_OCTETS(date, cases[i].wanted, NOTIFY_TIME_DATE_SIZE);
	}
}

/* ---- in a notification ---- */

static const oid sys_uptime[] = {1, 3, 6, 1, 2, 1, 1, 3, 0};
static const oid trap_oid[] = {1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0};
static const oid node_lid[] = {1, 3, 6, 1, 3, 117, 3, 1, 1, 14, 0};
static const oid notice_time[] = {IBSMAD_MIB_OID, 1, 3, 6, 0};

static netsnmp_variable_list *notification(void)
{
	netsnmp_variable_list *varbinds = NULL;
	const long lid = 17;

	snmp_varlist_add_variable(&varbinds, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID, node_lid,
	                          sizeof(node_lid));
	snmp_varlist_add_variable(&varbinds, node_lid, OID_LENGTH(node_lid), ASN_INTEGER, &lid, sizeof(lid));
	return varbinds;
}

/* Whether a varbind is of an object; the one behind it. */
static const netsnmp_variable_list *check_next(const netsnmp_variable_list *varbind, const oid *name,
                                               size_t length, uint8_t type)
{
	if (!CHECK(varbind != NULL))
		return NULL;
	CHECK(snmp_oid_compare(varbind->name, varbind->name_length, name, length) == 0);
	CHECK_EQUAL(varbind->type, type);
	return varbind->next_variable;
}

static void test_on_time(void)
{
	netsnmp_variable_list *varbinds = notification();
	const netsnmp_variable_list *varbind;

	CHECK_EQUAL(notify_time_add(&varbinds, 123456, NOTIFY_TIME_LATE_MS - 1, 1704067200000), 0);
	CHECK_EQUAL(*varbinds->val.integer, 123456 - 199);
	CHECK_EQUAL(varbinds->val_len, sizeof(long));
	varbind = check_next(varbinds, sys_uptime, OID_LENGTH(sys_uptime), ASN_TIMETICKS);
	varbind = check_next(varbind, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID);
	varbind = check_next(varbind, node_lid, OID_LENGTH(node_lid), ASN_INTEGER);
	CHECK(varbind == NULL);
	snmp_free_varbind(varbinds);
}

static void test_late(void)
{
	static const uint8_t date[] = {0x07, 0xE7, 12, 31, 23, 59, 58, 0, '+', 0, 0};
	netsnmp_variable_list *varbinds = notification();
	const netsnmp_variable_list *last;

	CHECK_EQUAL(notify_time_add(&varbinds, 123456, NOTIFY_TIME_LATE_MS, 1704067200000), 0);
	CHECK_EQUAL(*varbinds->val.integer, 123456 - 200);
	last = check_next(varbinds, sys_uptime, OID_LENGTH(sys_uptime), ASN_TIMETICKS);
	last = check_next(last, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID);
	last = check_next(last, node_lid, OID_LENGTH(node_lid), ASN_INTEGER);
	CHECK(check_next(last, notice_time, OID_LENGTH(notice_time), ASN_OCTET_STR) == NULL);
	if (CHECK(last && last->val_len == sizeof(date)))
		CHECK_OCTETS(last->val.string, date, sizeof(date));
	snmp_free_varbind(varbinds);
}

/* It arose before the master started, and after sysUpTime has gone beyond 2^31. */
static void test_limits(void)
{
	netsnmp_variable_list *varbinds = notification();

	CHECK_EQUAL(notify_time_add(&varbinds, 100, 60000, 1704067200000), 0);
	CHECK_EQUAL(*varbinds->val.integer, 0);
	snmp_free_varbind(varbinds);

	varbinds = notification();
	CHECK_EQUAL(notify_time_add(&varbinds, 0xFFFFFFF0, 0, 1704067200000), 0);
	CHECK_EQUAL(*varbinds->val.integer, 0xFFFFFFF0);
	snmp_free_varbind(varbinds);
}

static const struct unit_test tests[] = {
	{"sysUpTime when it arose", test_uptime}, {"DateAndTime", test_date},
	{"a notification on time", test_on_time}, {"a notification that waited", test_late},
	{"sysUpTime at its limits", test_limits},
};

int main(void)
{
	return UNIT_MAIN("notify_time", tests);
}
