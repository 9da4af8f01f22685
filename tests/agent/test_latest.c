// SPDX-License-Identifier: BSD-2-Clause
/* States over the rate of notifications: the latest of each trap and issuer. */
#include "agent/latest.h"
#include "tests/unit.h"

static struct latest latest;

/* The trap of the one that is given up. */
static unsigned put(unsigned trap, unsigned issuer, unsigned serial)
{
	struct sma_notice notice = {.when = serial};

	notice.data[4] = (uint8_t)(trap >> 8);
	notice.data[5] = (uint8_t)trap;
	notice.data[6] = (uint8_t)(issuer >> 8);
	notice.data[7] = (uint8_t)issuer;
	return latest_put(&latest, &notice);
}

static void check_first(unsigned serial)
{
	const struct sma_notice *first = latest_first(&latest);

	unit_case("notice %u", serial);
	if (!CHECK(first != NULL))
		return;
	CHECK_EQUAL(first->when, serial);
	latest_drop(&latest);
	unit_case(NULL);
}

static void test_latest(void)
{
	latest.count = 0;
	CHECK(latest_first(&latest) == NULL);
	CHECK_EQUAL(put(128, 1, 10), 0);
	CHECK_EQUAL(put(144, 1, 11), 0);
	CHECK_EQUAL(put(128, 2, 12), 0);
	CHECK_EQUAL(put(128, 257, 13), 0);
	CHECK_EQUAL(put(144, 1, 14), 144);
	CHECK_EQUAL(put(128, 1, 15), 128);
	CHECK_EQUAL(put(128, 1, 16), 128);
	CHECK_EQUAL(latest.count, 4);
	check_first(16);
	check_first(14);
	CHECK_EQUAL(put(128, 1, 17), 0);
	check_first(12);
	check_first(13);
	check_first(17);
	CHECK(latest_first(&latest) == NULL);
}

static void test_full(void)
{
	latest.count = 0;
	for (unsigned i = 0; i < LATEST_KEPT; i++)
		CHECK_EQUAL(put(i == 0 ? 145 : 128, i, i), 0);
	CHECK_EQUAL(put(128, LATEST_KEPT - 1, 5000), 128);
	CHECK_EQUAL(put(128, LATEST_KEPT, LATEST_KEPT), 145);
	CHECK_EQUAL(latest.count, LATEST_KEPT);
	for (unsigned i = 1; i <= LATEST_KEPT; i++)
		check_first(i == LATEST_KEPT - 1 ? 5000 : i);
}

static const struct unit_test tests[] = {
	{"the latest of each", test_latest},
	{"no place", test_full},
};

int main(void)
{
	return UNIT_MAIN("latest", tests);
}
