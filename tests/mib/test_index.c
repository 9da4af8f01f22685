// SPDX-License-Identifier: BSD-2-Clause
/* The index walk against brute force: a sorted list of all indexes of an irregular space. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mib/index.h"
#include "tests/unit.h"

enum { MAX_LEVELS = 3, MAX_ROWS = 600, MAX_PROBE = MAX_LEVELS + 1 };

struct row {
	uint32_t index[MAX_LEVELS];
};

/* Rows in order. A prefix of `sealed` cannot be read below it, and one of `blocked` ends the search. */
struct space {
	unsigned levels;
	size_t count;
	struct row rows[MAX_ROWS];
	uint32_t sealed;
	uint32_t blocked;
};

static int compare(const uint32_t *a, size_t a_length, const uint32_t *b, size_t b_length)
{
	for (size_t i = 0; i < a_length && i < b_length; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return (a_length > b_length) - (a_length < b_length);
}

static int next_value(void *arg, const uint32_t *index, unsigned level, uint32_t from, uint32_t *value)
{
	const struct space *s = arg;

	CHECK(level < s->levels);
	if (level > 0 && s->sealed && index[0] == s->sealed)
		return -EIO;
	if (level > 0 && s->blocked && index[0] == s->blocked)
		return -EAGAIN;
	for (size_t i = 0; i < s->count; i++) {
		const uint32_t *row = s->rows[i].index;

		if (compare(row, level, index, level) == 0 && row[level] >= from) {
			*value = row[level];
			return 0;
		}
	}
	return -ENOENT;
}

static int compare_rows(const void *a, const void *b)
{
	return compare(((const struct row *)a)->index, MAX_LEVELS, ((const struct row *)b)->index,
	               MAX_LEVELS);
}

static const uint32_t values[] = {0, 1, 2, 3, 5, 254, 255, 256, UINT32_MAX - 1, UINT32_MAX};

static uint32_t random_value(void)
{
	return values[(size_t)rand() % UNIT_COUNT(values)];
}

/* A random space: levels depend on those before, with ends of the range among the values. */
static void make_space(struct space *s, unsigned levels, size_t count)
{
	size_t kept = 0;

	*s = (struct space){.levels = levels};
	for (size_t i = 0; i < count; i++) {
		for (unsigned l = 0; l < levels; l++)
			s->rows[i].index[l] = random_value();
	}
	qsort(s->rows, count, sizeof(s->rows[0]), compare_rows);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || compare_rows(&s->rows[i], &s->rows[kept - 1]) != 0)
			s->rows[kept++] = s->rows[i];
	}
	s->count = kept;
}

/* The first row behind a probe that can be read, by looking at each. */
static const struct row *successor(const struct space *s, const uint32_t *probe, size_t length)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct row *row = &s->rows[i];

		if (s->levels > 1 && s->sealed && row->index[0] == s->sealed)
			continue;
		if (compare(row->index, s->levels, probe, length) > 0)
			return row;
	}
	return NULL;
}

static bool check_probe(struct space *s, const uint32_t *probe, size_t length)
{
	const struct row *wanted = successor(s, probe, length);
	uint32_t index[MAX_LEVELS] = {0};
	int rc = index_successor(next_value, s, s->levels, probe, length, index);

	if (!wanted)
		return CHECK(rc == -ENOENT || (s->sealed && rc == -EIO));
	return CHECK_EQUAL(rc, 0) && CHECK(compare(index, s->levels, wanted->index, s->levels) == 0);
}

static bool has_row(const struct space *s, const uint32_t *probe, size_t length)
{
	for (size_t i = 0; i < s->count; i++) {
		if (compare(s->rows[i].index, s->levels, probe, length) == 0)
			return true;
	}
	return false;
}

/* Every probe of up to one level more than the space has, over all values of interest. */
static bool check_all(struct space *s, uint32_t *probe, size_t length)
{
	int rc = index_check(next_value, s, s->levels, probe, length);

	if (!check_probe(s, probe, length) || !CHECK_EQUAL(rc, has_row(s, probe, length) ? 0 : -ENOENT))
		return false;
	if (length > s->levels)
		return true;
	for (size_t i = 0; i < UNIT_COUNT(values); i++) {
		probe[length] = values[i];
		if (!check_all(s, probe, length + 1))
			return false;
	}
	return true;
}

static void check_levels(unsigned levels, unsigned rounds, size_t most)
{
	static struct space s;

	for (unsigned round = 0; round < rounds; round++) {
		uint32_t probe[MAX_PROBE + 1];

		unit_case("UNIT_SEED=%u", unit_seed());
		make_space(&s, levels, (size_t)rand() % most);
		if (!check_all(&s, probe, 0))
			return;
	}
}

static void test_one_level(void)
{
	check_levels(1, 300, 12);
}

static void test_two_levels(void)
{
	check_levels(2, 60, 60);
}

static void test_three_levels(void)
{
	check_levels(3, 6, MAX_ROWS);
}

/* From the first to the last by successors. */
static void test_walk(void)
{
	static struct space s;
	uint32_t after[MAX_LEVELS];
	uint32_t index[MAX_LEVELS];
	size_t length = 0;
	size_t count = 0;

	unit_case("UNIT_SEED=%u", unit_seed());
	make_space(&s, 3, MAX_ROWS);
	while (index_successor(next_value, &s, s.levels, after, length, index) == 0) {
		CHECK(compare(index, 3, s.rows[count].index, 3) == 0);
		memcpy(after, index, sizeof(after));
		length = 3;
		if (++count > s.count)
			break;
	}
	CHECK_EQUAL(count, s.count);
}

/* What cannot be read below one value does not hide what stands behind it. */
static void test_unreadable_branch(void)
{
	static const uint32_t sealed[] = {1, 5, 255, UINT32_MAX};
	static struct space s;
	uint32_t probe[MAX_PROBE + 1];

	for (size_t i = 0; i < UNIT_COUNT(sealed); i++) {
		unit_case("UNIT_SEED=%u, sealed %u", unit_seed(), sealed[i]);
		make_space(&s, 2, 60);
		s.sealed = sealed[i];
		for (size_t v = 0; v < UNIT_COUNT(values); v++) {
			probe[0] = values[v];
			check_probe(&s, probe, 0);
			check_probe(&s, probe, 1);
		}
	}
}

/* A block that has to be waited for ends the search, since what it holds comes first. */
static void test_missing_block(void)
{
	static struct space s;
	const uint32_t probe[] = {2};
	uint32_t index[MAX_LEVELS];

	s = (struct space){.levels = 2, .count = 3, .blocked = 3, .rows = {{{1, 1}}, {{3, 1}}, {{4, 1}}}};
	CHECK_EQUAL(index_successor(next_value, &s, 2, NULL, 0, index), 0);
	CHECK_EQUAL(index[0], 1);
	CHECK_EQUAL(index_successor(next_value, &s, 2, probe, 1, index), -EAGAIN);
	CHECK_EQUAL(index_check(next_value, &s, 2, (const uint32_t[]){3, 1}, 2), -EAGAIN);
	CHECK_EQUAL(index_check(next_value, &s, 2, (const uint32_t[]){4, 1}, 2), 0);
}

static const struct unit_test tests[] = {
	{"every probe of one level", test_one_level},
	{"every probe of two levels", test_two_levels},
	{"every probe of three levels", test_three_levels},
	{"from the first row to the last", test_walk},
	{"a branch that cannot be read is passed over", test_unreadable_branch},
	{"a block that is missing ends the search", test_missing_block},
};

int main(void)
{
	return UNIT_MAIN("index", tests);
}
