// SPDX-License-Identifier: BSD-2-Clause
/* Notices that come with a LID that the local port does not have yet. */
#include "sma/iba/wire.h"
#include "sma/node/node_parts.h"
#include "tests/notice/sources_fixture.h"
#include "tests/unit.h"

enum { OTHER_LID = 9 };

/* The local port was read before what is found now. */
static void open_with_old_port(struct sources_fixture *b, bool subnet)
{
	sources_fixture_init(b);
	b->config.subnet = subnet;
	sources_fixture_open(b);
	b->fake->as_of = 999;
}

/* They are read again. */
static void renew_port(struct sources_fixture *b, uint16_t lid)
{
	b->fake->local.lid = lid;
	b->fake->as_of = 1000;
	sources_fixture_run(b, 1100);
	sources_count(b->sources, &b->counters);
}

/* A trap comes with a new LID before the local port has it. */
static void test_new_lid(void)
{
	static const struct {
		const char *name;
		bool subnet;
		uint16_t lid;
		bool is_given, own;
	} cases[] = {
		{"the own, own notices", false, OTHER_LID, true, true},
		{"the own, all notices", true, OTHER_LID, true, true},
		{"another's, own notices", false, OWN_LID, false, false},
		{"another's, all notices", true, OWN_LID, true, false},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct sources_fixture b;

		unit_case("%s", cases[i].name);
		open_with_old_port(&b, cases[i].subnet);
		sources_fixture_find_trap(&b, SMA_NOTICE_TRAP, SMA_TRAP_LINK_STATE, OTHER_LID, NULL);
		sources_fixture_run(&b, 1050);
		CHECK_EQUAL(b.given + b.counters.foreign, 0);
		CHECK_EQUAL(b.fake->refreshed_soon, 1000);
		renew_port(&b, cases[i].lid);
		CHECK_EQUAL(b.given, cases[i].is_given);
		CHECK_EQUAL(b.counters.foreign, !cases[i].is_given);
		CHECK_EQUAL(b.last.when, cases[i].is_given ? 1000 : 0);
		CHECK(b.last.node == (cases[i].own ? b.node : NULL));
		CHECK_EQUAL(b.node->epochs[SMA_PortInfo], cases[i].own);
		CHECK_EQUAL(b.fake->poll.heard, cases[i].own ? SMA_TRAP_LINK_STATE : 0);
		CHECK_EQUAL(b.fake->poll.heard_at, cases[i].own ? 1000 : 0);
		sources_fixture_close(&b);
	}
	unit_case(NULL);
}

/* What is known to be the own does not wait, but for those before it. */
static void test_waiting_order(void)
{
	struct sources_fixture b;

	open_with_old_port(&b, false);
	sources_fixture_find_trap(&b, SMA_NOTICE_TRAP, SMA_TRAP_LINK_INTEGRITY, OWN_LID, NULL);
	CHECK_EQUAL(b.given, 1);
	sources_fixture_find_trap(&b, SMA_NOTICE_TRAP, SMA_TRAP_BAD_P_KEY, OTHER_LID, NULL);
	sources_fixture_find_trap(&b, SMA_NOTICE_TRAP, SMA_TRAP_BAD_Q_KEY, OWN_LID, NULL);
	sources_fixture_find_trap(&b, SMA_NOTICE_SA, SMA_TRAP_BAD_M_KEY, OTHER_LID, own_gid);
	CHECK_EQUAL(b.given, 1);
	sources_fixture_find_trap(&b, SMA_NOTICE_POLL, SMA_TRAP_LINK_STATE, OWN_LID,
	                          NULL); /* nothing waits for it */
	CHECK_EQUAL(b.given, 2);
	renew_port(&b, OWN_LID);
	CHECK_EQUAL(b.given, 4);
	CHECK_EQUAL(notice_trap(b.last.data), SMA_TRAP_BAD_M_KEY);
	CHECK_EQUAL(b.counters.foreign, 1);
	sources_fixture_close(&b);
}

/* More than can wait: the first ones are taken for what they seem to be, and none is lost. */
static void test_waiting_many(void)
{
	enum { MANY = 1000 };
	uint8_t notice[SMA_BLOCK_SIZE];
	struct sources_fixture b;

	open_with_old_port(&b, false);
	notice_build(notice, SMA_TRAP_BAD_M_KEY, SMA_NODE_CA, OTHER_LID);
	for (unsigned i = 0; i < MANY; i++) {
		notice_set(notice, NOTICE_KEY, i);
		sources_fixture_find(&b, SMA_NOTICE_SA, notice, NULL);
	}
	CHECK_EQUAL(b.counters.foreign, MANY - 64);
	renew_port(&b, OTHER_LID);
	CHECK_EQUAL(b.counters.foreign, MANY - 64);
	CHECK_EQUAL(b.given, 64);
	sources_fixture_close(&b);
}

/* Another configuration does not forget them. */
static void test_waiting_configured(void)
{
	struct sources_fixture b;

	open_with_old_port(&b, true);
	sources_fixture_find_trap(&b, SMA_NOTICE_TRAP, SMA_TRAP_LINK_STATE, OTHER_LID, NULL);
	CHECK_EQUAL(b.given, 0);
	b.config.off = true;
	CHECK_EQUAL(sources_configure(b.sources, &b.config), 0);
	CHECK_EQUAL(b.given, 1);
	sources_fixture_close(&b);
}

static const struct unit_test tests[] = {
	{"a new LID", test_new_lid},
	{"the order of those that wait", test_waiting_order},
	{"many that wait", test_waiting_many},
	{"another configuration while one waits", test_waiting_configured},
};

int main(void)
{
	return UNIT_MAIN("sources LID", tests);
}
