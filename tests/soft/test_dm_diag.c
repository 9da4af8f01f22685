// SPDX-License-Identifier: BSD-2-Clause
/* The diagnostics of a controller: its states, by the clock. */
#include <errno.h>

#include "sma/iba/iba.h"
#include "sma/soft/dm/diag.h"
#include "tests/unit.h"

enum { ONCE = 1, LOOP = 0x80000001U, RESULT = 0x1234, BUSY = 1, INVALID = 0x1C, FAILED = 0x8000 };

static struct diag diag;

/* Preparing takes 100 ms, a test 50 ms. */
static void begin(void)
{
	const struct diag_config config = {.prepare_ms = 100, .test_ms = 50, .result = RESULT};

	diag_init(&diag, &config);
}

static void make_ready(void)
{
	begin();
	CHECK_EQUAL(diag_prepare(&diag, 1000), 0);
	CHECK(diag_advance(&diag, 1100));
	CHECK_EQUAL(diag.state, DIAG_READY);
}

static void test_prepare(void)
{
	begin();
	CHECK_EQUAL(diag_readiness(&diag), FAILED);
	CHECK_EQUAL(diag_code(&diag), 0);
	CHECK_EQUAL(diag_due(&diag), UINT64_MAX);
	CHECK(!diag_advance(&diag, 1000));
	CHECK_EQUAL(diag_prepare(&diag, 1000), 0);
	CHECK_EQUAL(diag_readiness(&diag), BUSY);
	CHECK_EQUAL(diag_due(&diag), 1100);
	CHECK_EQUAL(diag_prepare(&diag, 1050), 0);
	CHECK_EQUAL(diag_due(&diag), 1100);
	CHECK(!diag_advance(&diag, 1099));
	CHECK_EQUAL(diag_readiness(&diag), BUSY);
	CHECK(diag_advance(&diag, 1100));
	CHECK_EQUAL(diag_readiness(&diag), 0);
	CHECK(!diag_advance(&diag, 1200));
	CHECK_EQUAL(diag_due(&diag), UINT64_MAX);
}

/* Who lost the answer, or the trap, asks again. */
static void test_prepare_again(void)
{
	make_ready();
	CHECK_EQUAL(diag_prepare(&diag, 1200), 0);
	CHECK_EQUAL(diag_readiness(&diag), 0);
	CHECK_EQUAL(diag_due(&diag), 0);
	CHECK(diag_advance(&diag, 1200));
	CHECK(!diag_advance(&diag, 1200));
}

static void test_end_preparation(void)
{
	static const uint16_t failures[] = {FAILED, 0x0100, 0x001C, 0xFFFF};

	begin();
	CHECK_EQUAL(diag_end_preparation(&diag, 0), -EINVAL);
	for (size_t i = 0; i < UNIT_COUNT(failures); i++) {
		CHECK_EQUAL(diag_prepare(&diag, 1000), 0);
		CHECK_EQUAL(diag_end_preparation(&diag, BUSY), -EINVAL);
		CHECK_EQUAL(diag_end_preparation(&diag, failures[i]), 0);
		CHECK_EQUAL(diag.state, DIAG_IDLE);
		CHECK(diag_advance(&diag, 1000));
		CHECK_EQUAL(diag_readiness(&diag), failures[i]);
	}
	CHECK_EQUAL(diag_prepare(&diag, 1000), 0);
	CHECK_EQUAL(diag_end_preparation(&diag, 0), 0);
	CHECK(diag_advance(&diag, 1000));
	CHECK_EQUAL(diag_readiness(&diag), 0);
	CHECK_EQUAL(diag_end_preparation(&diag, 0), -EINVAL);
}

static void test_values(void)
{
	make_ready();
	CHECK_EQUAL(diag_test(&diag, false, 0, 1100), INVALID);
	CHECK_EQUAL(diag_test(&diag, true, 0, 1100), INVALID);
	CHECK_EQUAL(diag_test(&diag, false, 0x80000000, 1100), INVALID);
	CHECK_EQUAL(diag_test(&diag, true, 0x7FFFFFFF, 1100), INVALID);
	CHECK_EQUAL(diag.state, DIAG_READY);
	CHECK_EQUAL(diag_test(&diag, false, 0x7FFFFFFF, 1100), 0);
	make_ready();
	CHECK_EQUAL(diag_test(&diag, true, 0x80000000, 1100), 0);
}

static void test_once(void)
{
	begin();
	CHECK_EQUAL(diag_test(&diag, false, ONCE, 1000), FAILED);
	CHECK_EQUAL(diag_prepare(&diag, 1000), 0);
	CHECK_EQUAL(diag_test(&diag, false, ONCE, 1000), BUSY);
	make_ready();
	CHECK_EQUAL(diag_test(&diag, false, ONCE, 1200), 0);
	CHECK_EQUAL(diag.state, DIAG_TESTING);
	CHECK_EQUAL(diag_readiness(&diag), BUSY);
	CHECK_EQUAL(diag_code(&diag), DM_DIAG_SELF_TEST);
	CHECK_EQUAL(diag_prepare(&diag, 1200), BUSY);
	CHECK_EQUAL(diag_test(&diag, false, ONCE, 1200), BUSY);
	CHECK_EQUAL(diag_test(&diag, true, LOOP, 1200), BUSY);
	CHECK(!diag_advance(&diag, 1249));
	CHECK_EQUAL(diag_code(&diag), DM_DIAG_SELF_TEST);
	CHECK(!diag_advance(&diag, 1250));
	CHECK_EQUAL(diag.state, DIAG_IDLE);
	CHECK_EQUAL(diag_code(&diag), RESULT);
	CHECK_EQUAL(diag_readiness(&diag), FAILED);
}

static void test_loop(void)
{
	make_ready();
	CHECK_EQUAL(diag_test(&diag, true, LOOP, 1200), 0);
	CHECK_EQUAL(diag.state, DIAG_LOOPING);
	CHECK_EQUAL(diag_code(&diag), DM_DIAG_SELF_TEST);
	CHECK_EQUAL(diag_test(&diag, false, ONCE, 1200), BUSY);
	CHECK(!diag_advance(&diag, 1249));
	CHECK_EQUAL(diag_code(&diag), DM_DIAG_SELF_TEST);
	CHECK(!diag_advance(&diag, 1260));
	CHECK_EQUAL(diag_code(&diag), RESULT);
	CHECK_EQUAL(diag.state, DIAG_LOOPING);
	CHECK_EQUAL(diag_readiness(&diag), BUSY);
	CHECK_EQUAL(diag_prepare(&diag, 5000), 0);
	CHECK_EQUAL(diag.state, DIAG_PREPARING);
	CHECK_EQUAL(diag_code(&diag), RESULT);
}

static void test_reset(void)
{
	make_ready();
	diag_prepare(&diag, 1100);
	diag_reset(&diag);
	CHECK_EQUAL(diag_readiness(&diag), FAILED);
	CHECK(!diag_advance(&diag, 9000));
	make_ready();
	diag_test(&diag, false, ONCE, 1100);
	diag_reset(&diag);
	CHECK(!diag_advance(&diag, 9000));
	CHECK_EQUAL(diag_code(&diag), 0);
}

static void test_names(void)
{
	static const char *const names[] = {"idle", "preparing", "ready", "testing", "looping"};

	for (unsigned state = DIAG_IDLE; state <= DIAG_LOOPING; state++)
		CHECK_TEXT(diag_state_name(state), names[state]);
}

static const struct unit_test tests[] = {
	{"it prepares in its time", test_prepare},
	{"one that is ready tells so again", test_prepare_again},
	{"a preparation ends early, well or badly", test_end_preparation},
	{"only values of its own start a test", test_values},
	{"a single test", test_once},
	{"a test in a loop", test_loop},
	{"what is taken out forgets", test_reset},
	{"states have their names", test_names},
};

int main(void)
{
	return UNIT_MAIN("dm_diag", tests);
}
