// SPDX-License-Identifier: BSD-2-Clause
/* One bad attribute never spoils a walk: what does not depend on it stays, and GETNEXT agrees with GET. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/logged.h"
#include "tests/mib/expected.h"
#include "tests/unit.h"

enum { MAX_GROUPS = 12, MAX_WALK = 4096 };

static const char *const nodes[] = {"ca", "sw8", "sw40"};

/* The groups of the MIB that a bad attribute may change; all others have to stay as they are. */
static const unsigned char touched[SMA_ATTR_COUNT][MAX_GROUPS] = {
	[SMA_NodeDescription] = {1},
	[SMA_NodeInfo] = {1, 3, 5, 6, 7, 8, 10, 11, 12, 13, 14},
	[SMA_SwitchInfo] = {2, 6, 7, 9, 10, 11},
	[SMA_GUIDInfo] = {3},
	[SMA_PortInfo] = {3, 4, 5, 7, 8, 11, 12, 13, 14},
	[SMA_P_KeyTable] = {6},
	[SMA_SLtoVLMappingTable] = {7},
	[SMA_VLArbitration] = {8},
	[SMA_LinearForwardingTable] = {9},
	[SMA_RandomForwardingTable] = {10},
	[SMA_MulticastForwardingTable] = {11},
	[SMA_SMInfo] = {12},
	[SMA_VendorDiag] = {13},
	[SMA_LedInfo] = {14},
};

struct trouble {
	const char *name;
	enum fake_fault fault;
	uint16_t status;
};

static const struct trouble troubles[] = {
	{"not implemented", FAKE_REFUSE, 0x0C},
	{"refused", FAKE_REFUSE, 0x1C},
	{"not answered", FAKE_SILENT, 0},
	{"lost", FAKE_LOST, 0},
};

static struct {
	struct mib_answer answers[MAX_WALK];
	size_t count;
} seen;

static bool is_touched(enum sma_attr attr, const struct row *row)
{
	return row->subid[0] == 1 && memchr(touched[attr], (int)row->subid[1], MAX_GROUPS);
}

/* All instances by GETNEXT. */
static void walk_all(struct fixture *b)
{
	struct mib_answer answer = {0};

	for (seen.count = 0; seen.count < MAX_WALK; seen.count++) {
		if (ask(b, tree_next, answer.subid, answer.length, &answer) < 0)
			return;
		seen.answers[seen.count] = answer;
	}
	CHECK(seen.count < MAX_WALK);
}

static int compare_with_row(const void *key, const void *element)
{
	const struct row *row = key;
	const struct mib_answer *a = element;

	return compare_oids(row->subid, row->length, a->subid, a->length);
}

/* A walk is in order: see check_order. */
static const struct mib_answer *find_seen(const struct row *row)
{
	return bsearch(row, seen.answers, seen.count, sizeof(seen.answers[0]), compare_with_row);
}

static void check_expected(struct fixture *b, const struct expected *expected, enum sma_attr attr)
{
	for (size_t i = 0; i < expected->count; i++) {
		const struct row *row = &expected->rows[i];
		const struct mib_answer *walked = find_seen(row);
		struct mib_answer got;
		int rc = ask(b, tree_get, row->subid, row->length, &got);

		unit_case("%s: %s", sma_attr_name(attr), oid_text(row->subid, row->length));
		if (!CHECK_EQUAL(rc == 0, walked != NULL))
			return;
		if (!is_touched(attr, row) && !(CHECK(walked != NULL) && check_row(walked, row)))
			return;
	}
}

static void check_order(void)
{
	for (size_t i = 1; i < seen.count; i++)
		CHECK(compare_oids(seen.answers[i - 1].subid, seen.answers[i - 1].length,
		                   seen.answers[i].subid, seen.answers[i].length) < 0);
}

static void check_trouble(const char *node, enum sma_attr attr, const struct trouble *trouble)
{
	struct expected expected;
	struct fixture b;

	logged_start(false);
	fixture_init(&b, node);
	fixture_open(&b);
	expected_load(&expected, node);
	if (trouble->status)
		fake_qp0_refuse(b.fake, sma_attr_id(attr), trouble->status);
	else
		fake_qp0_fault(b.fake, sma_attr_id(attr), trouble->fault, FAKE_FOREVER);
	walk_all(&b);
	unit_case("%s: %s %s", node, sma_attr_name(attr), trouble->name);
	CHECK(seen.count > 0 || attr == SMA_NodeInfo);
	check_order();
	check_expected(&b, &expected, attr);
	expected_free(&expected);
	fixture_close(&b);
	logged_stop();
}

static void check_attributes(const struct trouble *trouble)
{
	for (size_t n = 0; n < UNIT_COUNT(nodes); n++) {
		for (enum sma_attr attr = 0; attr < SMA_ATTR_COUNT; attr++)
			check_trouble(nodes[n], attr, trouble);
	}
}

static void test_not_implemented(void)
{
	check_attributes(&troubles[0]);
}

static void test_refused(void)
{
	check_attributes(&troubles[1]);
}

static void test_not_answered(void)
{
	check_attributes(&troubles[2]);
}

static void test_lost(void)
{
	check_attributes(&troubles[3]);
}

/* A fabric that loses three of ten requests: everything is there all the same. */
static void check_lossy(const char *node)
{
	struct mib_answer answer = {0};
	struct expected expected;
	struct fixture b;

	logged_start(false);
	fixture_init(&b, node);
	fixture_open(&b);
	expected_load(&expected, node);
	for (size_t i = 0; i < expected.count; i++) {
		fake_qp0_fault(b.fake, FAKE_ANY, FAKE_LOST, rand() % 10 < 3);
		unit_case("%s: row %zu", node, i);
		if (!CHECK_EQUAL(ask(&b, tree_next, answer.subid, answer.length, &answer), 0) ||
		    !check_row(&answer, &expected.rows[i]))
			break;
	}
	expected_free(&expected);
	fixture_close(&b);
	logged_stop();
}

static void test_lossy(void)
{
	for (size_t n = 0; n < UNIT_COUNT(nodes); n++)
		check_lossy(nodes[n]);
}

static const struct unit_test tests[] = {
	{"an attribute that is not implemented", test_not_implemented},
	{"an attribute that is refused", test_refused},
	{"an attribute that is not answered", test_not_answered},
	{"an attribute that is always lost", test_lost},
	{"a lossy fabric", test_lossy},
};

int main(void)
{
	return UNIT_MAIN("partial", tests);
}
