// SPDX-License-Identifier: BSD-2-Clause
/* The whole tree of each crafted node: tests/data/NAME.blocks has to give tests/data/NAME.tree. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mib/sma/sma_mib_gen.h"
#include "tests/mib/expected.h"
#include "tests/unit.h"

static const char *const nodes[] = {"ca", "sw8", "sw40"};

struct setting {
	struct fixture fixture;
	struct expected expected;
};

static void for_each_node(void (*test)(struct setting *))
{
	for (size_t i = 0; i < UNIT_COUNT(nodes); i++) {
		struct setting s;

		unit_case("%s", nodes[i]);
		fixture_init(&s.fixture, nodes[i]);
		fixture_open(&s.fixture);
		expected_load(&s.expected, nodes[i]);
		test(&s);
		expected_free(&s.expected);
		fixture_close(&s.fixture);
	}
}

/* ---- rows ---- */

static void check_order(struct setting *s)
{
	for (size_t i = 1; i < s->expected.count; i++) {
		const struct row *a = &s->expected.rows[i - 1];
		const struct row *b = &s->expected.rows[i];

		unit_case("%s", oid_text(b->subid, b->length));
		CHECK(compare_oids(a->subid, a->length, b->subid, b->length) < 0);
	}
}

static void test_order(void)
{
	for_each_node(check_order);
}

static void test_objects_in_order(void)
{
	for (size_t i = 1; i < SMA_MIB_OBJECT_COUNT; i++) {
		const struct mib_object *a = &sma_mib_objects[i - 1];
		const struct mib_object *b = &sma_mib_objects[i];

		unit_case("%s", b->name);
		CHECK(compare_oids(a->subid, a->length, b->subid, b->length) < 0);
	}
}

static void check_get(struct setting *s)
{
	for (size_t i = 0; i < s->expected.count; i++) {
		const struct row *row = &s->expected.rows[i];
		struct mib_answer answer;

		unit_case("%s", oid_text(row->subid, row->length));
		if (CHECK_EQUAL(ask(&s->fixture, tree_get, row->subid, row->length, &answer), 0))
			check_row(&answer, row);
	}
}

static void test_get(void)
{
	for_each_node(check_get);
}

/* From each row GETNEXT gives the next, and nothing after the last. */
static void check_next(struct setting *s)
{
	struct mib_answer answer = {0};

	for (size_t i = 0; i < s->expected.count; i++) {
		const struct row *row = &s->expected.rows[i];
		const struct row *from = i ? row - 1 : NULL;

		unit_case("the successor is %s", oid_text(row->subid, row->length));
		if (!CHECK_EQUAL(ask(&s->fixture, tree_next, from ? from->subid : NULL,
		                     from ? from->length : 0, &answer),
		                 0))
			return;
		check_row(&answer, row);
	}
	CHECK_EQUAL(ask(&s->fixture, tree_next, answer.subid, answer.length, &answer), -ENOENT);
}

static void test_next(void)
{
	for_each_node(check_next);
}

/* ---- what is not there ---- */

static void check_none(struct setting *s, const uint32_t *subid, size_t length)
{
	struct mib_answer answer;
	int rc;

	if (expected_find(&s->expected, subid, length))
		return;
	unit_case("%s", oid_text(subid, length));
	rc = ask(&s->fixture, tree_get, subid, length, &answer);
	CHECK(rc == -ENOENT || rc == -ENXIO);
}

static const uint32_t odd_values[] = {0, 1, 2, 41, 254, 255, 256, 65535, 65536, UINT32_MAX - 1, UINT32_MAX};

/* Around a row: its last value changed, each beginning of it, and more behind it. */
static void check_around(struct setting *s, const struct row *row)
{
	uint32_t probe[MAX_SUBIDS + 1];
	size_t length = row->length;

	memcpy(probe, row->subid, length * sizeof(*probe));
	for (size_t i = 0; i < UNIT_COUNT(odd_values); i++) {
		probe[length] = odd_values[i];
		check_none(s, probe, length + 1);
		probe[length - 1] = odd_values[i];
		check_none(s, probe, length);
		probe[length - 1] = row->subid[length - 1];
	}
	probe[length - 1]++;
	check_none(s, probe, length);
	for (size_t shorter = 0; shorter < length; shorter++)
		check_none(s, row->subid, shorter);
}

static void check_gaps(struct setting *s)
{
	for (size_t i = 0; i < s->expected.count; i += 5)
		check_around(s, &s->expected.rows[i]);
}

static void test_gaps(void)
{
	for_each_node(check_gaps);
}

/* Objects that notifications carry, and the index column of each table. */
static const uint32_t unreadable[][5] = {{1, 1, 14},
                                         {1, 1, 28},
                                         {1, 3, 1, 1, 1},
                                         {1, 3, 1, 1, 2},
                                         {1, 5, 1, 1, 1},
                                         {1, 6, 1, 1, 1},
                                         {1, 6, 1, 1, 2},
                                         {1, 7, 1, 1, 3},
                                         {1, 8, 1, 1, 1},
                                         {1, 8, 2, 1, 2},
                                         {1, 9, 1, 1, 1},
                                         {1, 10, 1, 1, 1},
                                         {1, 11, 1, 1, 1},
                                         {1, 12, 1, 1, 1},
                                         {1, 13, 1, 1, 1},
                                         {1, 14, 1, 1, 1},
                                         {2, 0},
                                         {2, 1},
                                         {3},
                                         {0}};

static void check_unreadable(struct setting *s)
{
	for (size_t i = 0; i < UNIT_COUNT(unreadable); i++) {
		uint32_t probe[8] = {0};
		struct mib_answer answer;
		size_t length = 5;

		while (length > 1 && unreadable[i][length - 1] == 0)
			length--;
		memcpy(probe, unreadable[i], sizeof(unreadable[i]));
		for (uint32_t instance = 0; instance < 3; instance++) {
			probe[length] = probe[length + 1] = probe[length + 2] = instance;
			unit_case("%s", oid_text(probe, length + 1));
			for (size_t more = 0; more <= 3 && length + more <= 8; more++)
				CHECK(ask(&s->fixture, tree_get, probe, length + more, &answer) < 0);
		}
	}
}

static void test_unreadable(void)
{
	for_each_node(check_unreadable);
}

/* An OID that is no instance has the successor that the sorted rows say. */
static void check_successor(struct setting *s, unsigned seed, const uint32_t *probe, size_t length)
{
	struct mib_answer answer;
	size_t i = 0;
	int rc;

	while (i < s->expected.count &&
	       compare_oids(s->expected.rows[i].subid, s->expected.rows[i].length, probe, length) <= 0)
		i++;
	rc = ask(&s->fixture, tree_next, probe, length, &answer);
	unit_case("UNIT_SEED=%u, the successor of %s", seed, oid_text(probe, length));
	if (CHECK_EQUAL(rc, i < s->expected.count ? 0 : -ENOENT) && rc == 0)
		CHECK_TEXT(oid_text(answer.subid, answer.length),
		           oid_text(s->expected.rows[i].subid, s->expected.rows[i].length));
}

static void check_random_successors(struct setting *s)
{
	unsigned seed = unit_seed();

	for (unsigned n = 0; n < 2000; n++) {
		const struct row *row = &s->expected.rows[(size_t)rand() % s->expected.count];
		uint32_t probe[MAX_SUBIDS + 2] = {0};
		size_t length = (size_t)rand() % (row->length + 3);

		memcpy(probe, row->subid, row->length * sizeof(*probe));
		for (size_t i = row->length; i < length; i++)
			probe[i] = (uint32_t)rand() % 3;
		if (length && rand() % 2)
			probe[(size_t)rand() % length] = odd_values[(size_t)rand() % UNIT_COUNT(odd_values)];
		check_successor(s, seed, probe, length);
	}
}

static void test_random_successors(void)
{
	for_each_node(check_random_successors);
}

static const struct unit_test tests[] = {
	{"expected rows are in order", test_order},
	{"objects are in order", test_objects_in_order},
	{"GET of each row", test_get},
	{"GETNEXT of each row", test_next},
	{"nothing between, above and below rows", test_gaps},
	{"index columns and objects of notifications are not served", test_unreadable},
	{"GETNEXT of any OID", test_random_successors},
};

int main(void)
{
	return UNIT_MAIN("tree", tests);
}
