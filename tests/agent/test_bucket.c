// SPDX-License-Identifier: BSD-2-Clause
/* When a token bucket has a token. What it lets pass is in test_rate. */
#include "agent/bucket.h"
#include "tests/unit.h"

/* As soon as it is due there is one, and no sooner. */
static void test_due(void)
{
	static const unsigned rates[] = {1, 3, 7, 100, 200, 999, 1000, 1001, 1000000};

	for (size_t i = 0; i < UNIT_COUNT(rates); i++) {
		struct bucket bucket;
		uint64_t now = 5000;

		unit_case("%u/s", rates[i]);
		bucket_init(&bucket, rates[i], 2);
		CHECK(bucket_due(&bucket) <= now);
		CHECK(bucket_take(&bucket, now) && bucket_take(&bucket, now));
		for (unsigned taken = 0; taken < 20; taken++) {
			uint64_t due = bucket_due(&bucket);

			CHECK(due - now <= (1000 + rates[i] - 1) / rates[i]);
			CHECK(due == now || !bucket_take(&bucket, due - 1));
			CHECK_EQUAL(bucket_due(&bucket), due);
			now = due;
			CHECK(bucket_take(&bucket, now));
		}
	}
	unit_case(NULL);
}

static void test_configure(void)
{
	struct bucket bucket;

	bucket_init(&bucket, 1, 1);
	CHECK(bucket_take(&bucket, 1000));
	CHECK_EQUAL(bucket_due(&bucket), 2000);
	bucket_configure(&bucket, 10, 5);
	CHECK_EQUAL(bucket_due(&bucket), 1100);
	for (unsigned i = 0; i < 6; i++)
		CHECK_EQUAL(bucket_take(&bucket, 9000), i < 5);
}

static const struct unit_test tests[] = {
	{"when it is due", test_due},
	{"another rate", test_configure},
};

int main(void)
{
	return UNIT_MAIN("bucket", tests);
}
