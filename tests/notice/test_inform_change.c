// SPDX-License-Identifier: BSD-2-Clause
/* The subscription to traps when the port changes: when there is nobody to subscribe with, and when again. */
#include "sma/log.h"
#include "tests/logged.h"
#include "tests/notice/inform_fixture.h"
#include "tests/unit.h"

struct obstacle {
	const char *name;
	struct local_port local;
	const char *line; /* NULL: none */
};

static const struct obstacle obstacles[] = {
	{"nothing read yet", {.known = false, .active = true, .lid = 7, .sm_lid = 1}, NULL},
	{"not active", {.known = true, .lid = 7, .sm_lid = 1}, "while the port is not active"},
	{"LID 0", {.known = true, .active = true, .sm_lid = 1}, "while the port has no LID yet"},
	{"SM LID 0", {.known = true, .active = true, .lid = 7}, "while the port knows no subnet manager"},
};

static void check_obstacle(const struct obstacle *o)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	b.local = o->local;
	for (b.now = 1000; b.now < 300000; b.now += 1000)
		CHECK_EQUAL(inform_fixture_turn(&b), UINT64_MAX);
	CHECK_EQUAL(b.fake.count, 0);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), o->line ? 1 : 0);
	if (o->line)
		CHECK_EQUAL(logged_with(o->line), 1);
	b.local = inform_fixture_port;
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 1);
	CHECK(inform_fixture_answer(&b, 0));
	b.local = o->local;
	CHECK_EQUAL(inform_fixture_turn(&b), UINT64_MAX);
	CHECK(!inform_is_active(b.inform));
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_end(&b);
}

static void test_obstacles(void)
{
	for (size_t i = 0; i < UNIT_COUNT(obstacles); i++) {
		unit_case("%s", obstacles[i].name);
		check_obstacle(&obstacles[i]);
	}
}

/* With nobody to ask. */
static void test_renewed_in_vain(void)
{
	struct inform_fixture b;

	inform_fixture_begin(&b, false);
	b.local = obstacles[1].local;
	inform_fixture_turn(&b);
	inform_restart(b.inform, b.now);
	CHECK_EQUAL(inform_fixture_turn(&b), UINT64_MAX);
	CHECK_EQUAL(b.fake.count, 0);
	inform_fixture_end(&b);
}

/* An SM that has another LID knows nothing of us, and the old one may be gone. */
static void test_other_sm(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	b.now += 10;
	b.local.sm_lid = 5;
	inform_fixture_turn(&b);
	CHECK(!inform_is_active(b.inform));
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_check_set(&b.fake.sent[0], true, inform_fixture_port.gid);
	CHECK_EQUAL(b.fake.sent[0].packet.lid, 5);
	CHECK(inform_fixture_answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	CHECK_EQUAL(logged_with("subscribed to traps with the SA at LID 5"), 1);
	inform_fixture_end(&b);
	CHECK_EQUAL(b.fake.count, 2);
	CHECK_EQUAL(b.fake.sent[1].packet.lid, 5);
}

/* The SA matches a subscriber by its LID: from another one the old subscription cannot be taken back. */
static void test_other_lid(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	b.local.lid = 9;
	inform_fixture_turn(&b);
	CHECK(!inform_is_active(b.inform));
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_check_set(&b.fake.sent[0], true, inform_fixture_port.gid);
	inform_fixture_end(&b);
}

static void test_other_gid(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	b.local.gid[1] = 0xC0;
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 2);
	inform_fixture_check_set(&b.fake.sent[0], false, inform_fixture_port.gid);
	CHECK_EQUAL(b.fake.sent[0].timeout_ms, 0);
	inform_fixture_check_set(&b.fake.sent[1], true, b.local.gid);
	CHECK_EQUAL(b.fake.sent[1].timeout_ms, INFORM_ANSWER_MS);

	/* the answer to the first is none to the second */
	CHECK(!inform_fixture_take(&b, fake_transport_answer(&b.fake.sent[0], 0)));
	CHECK(!inform_is_active(b.inform));
	CHECK(inform_fixture_answer(&b, 0));
	CHECK(inform_is_active(b.inform));
	inform_fixture_end(&b);
}

/* A subscription is found by the SL it was made with, too. */
static void test_other_sl(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	b.local.sm_sl = 6;
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 2);
	inform_fixture_check_set(&b.fake.sent[0], false, inform_fixture_port.gid);
	CHECK_EQUAL(b.fake.sent[0].packet.sl, 3);
	inform_fixture_check_set(&b.fake.sent[1], true, inform_fixture_port.gid);
	CHECK_EQUAL(b.fake.sent[1].packet.sl, 6);
	inform_fixture_end(&b);
}

static void test_active_again(void)
{
	struct inform_fixture b;

	inform_fixture_begin_subscribed(&b);
	b.local.active = false;
	inform_fixture_turn(&b);
	b.now += 3000;
	b.local.active = true;
	inform_fixture_turn(&b);
	CHECK_EQUAL(b.fake.count, 1);
	inform_fixture_check_set(&b.fake.sent[0], true, inform_fixture_port.gid);
	CHECK(inform_fixture_answer(&b, 0));
	CHECK_EQUAL(logged_with("subscribed to traps"), 1);
	inform_fixture_end(&b);
}

static const struct unit_test tests[] = {
	{"port without LID, SM or link", test_obstacles},
	{"nobody to subscribe with", test_renewed_in_vain},
	{"another SM", test_other_sm},
	{"another LID", test_other_lid},
	{"another GID", test_other_gid},
	{"another SM SL", test_other_sl},
	{"active again", test_active_again},
};

int main(void)
{
	return UNIT_MAIN("inform change", tests);
}
