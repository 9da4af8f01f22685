// SPDX-License-Identifier: BSD-2-Clause
/* What becomes of a notice that a source finds: whose it is, whether it is news, and what is read again
 * for it. */
#include "sma/iba/wire.h"
#include "sma/node/node_parts.h"
#include "tests/logged.h"
#include "tests/notice/sources_fixture.h"
#include "tests/unit.h"

enum { OTHER_LID = 9, NEW_MASK = 0x0250C04A };

static const uint8_t other_gid[16] = {0xFE, 0x80, [15] = 2};

/* ---- whose it is ---- */

static void test_scope(void)
{
	static const struct {
		const char *name;
		bool subnet;
		enum sma_notice_source source;
		uint16_t issuer;
		const uint8_t *gid;
		bool is_given, own;
	} cases[] = {
		{"own LID", false, SMA_NOTICE_SA, OWN_LID, other_gid, true, true},
		{"own GID", false, SMA_NOTICE_SA, OTHER_LID, own_gid, true, true},
		{"another", false, SMA_NOTICE_SA, OTHER_LID, other_gid, false, false},
		{"another, no GID", false, SMA_NOTICE_TRAP, OTHER_LID, NULL, false, false},
		{"another, subnet", true, SMA_NOTICE_SA, OTHER_LID, other_gid, true, false},
		{"own, subnet", true, SMA_NOTICE_TRAP, OWN_LID, NULL, true, true},
		{"seen here", false, SMA_NOTICE_POLL, 0, NULL, true, true},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		uint8_t notice[SMA_BLOCK_SIZE];
		struct sources_fixture b;

		unit_case("%s", cases[i].name);
		sources_fixture_init(&b);
		b.config.subnet = cases[i].subnet;
		sources_fixture_open(&b);
		notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, cases[i].issuer);
		sources_fixture_find(&b, cases[i].source, notice, cases[i].gid);
		CHECK_EQUAL(b.given, cases[i].is_given);
		CHECK_EQUAL(b.counters.found[cases[i].source], 1);
		CHECK_EQUAL(b.counters.given, cases[i].is_given);
		CHECK_EQUAL(b.counters.foreign, !cases[i].is_given);
		if (cases[i].is_given) {
			CHECK(b.last.node == (cases[i].own ? b.node : NULL));
			CHECK_EQUAL(b.last.source, cases[i].source);
			CHECK_EQUAL(b.last.when, 1000);
			CHECK_OCTETS(b.last.data, notice, sizeof(notice));
		}
		sources_fixture_close(&b);
	}
	unit_case(NULL);
}

/* ---- whether it is one ---- */

static void test_verdicts(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	notice[0] &= 0x7F;
	sources_fixture_find(&b, SMA_NOTICE_SA, notice, NULL);
	CHECK_EQUAL(b.counters.unwanted, 1);
	notice_build(notice, 64, 4, OWN_LID);
	sources_fixture_find(&b, SMA_NOTICE_SA, notice, NULL);
	CHECK_EQUAL(b.counters.unwanted, 2);
	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	b.fake->inform.found(b.fake->inform.arg, SMA_NOTICE_SA, notice, SMA_BLOCK_SIZE - 1, NULL, 0);
	sources_count(b.sources, &b.counters);
	CHECK_EQUAL(b.counters.malformed, 1);
	CHECK_EQUAL(b.given, 0);
	sources_fixture_close(&b);
}

/* ---- trap 144 ---- */

static void build_144_of(uint8_t *notice, uint16_t issuer, bool others, uint32_t mask)
{
	notice_build(notice, SMA_TRAP_CAPABILITY, SMA_NODE_CA, issuer);
	notice_set(notice, NOTICE_LIDADDR, issuer);
	notice_set(notice, NOTICE_OTHERLOCALCHANGES, others);
	notice_set(notice, NOTICE_CAPABILITYMASK, mask);
	notice_set(notice, NOTICE_CHANGEFLAGS, others);
}

static void build_144(uint8_t *notice, bool others, uint32_t mask)
{
	build_144_of(notice, OWN_LID, others, mask);
}

/* The mask that the node has at first is read from it. */
static void test_capability(void)
{
	static const struct {
		const char *name;
		bool others;
		uint32_t mask;
		bool is_given;
	} steps[] = {
		{"a description, mask 0", true, 0, false},
		{"a description, the mask as it is", true, OWN_MASK, false},
		{"other changes and a new mask", true, NEW_MASK, true},
		{"other changes, the mask as it is now", true, NEW_MASK, false},
		{"only a mask", false, OWN_MASK, true},
		{"a mask of 0", false, 0, true},
		{"and back", true, OWN_MASK, true},
	};
	uint8_t notice[SMA_BLOCK_SIZE];
	unsigned expected = 0;
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.config.repeat_ms = 0;
	sources_fixture_open(&b);
	for (size_t i = 0; i < UNIT_COUNT(steps); i++) {
		unit_case("%s", steps[i].name);
		build_144(notice, steps[i].others, steps[i].mask);
		sources_fixture_find(&b, SMA_NOTICE_SA, notice, own_gid);
		expected += steps[i].is_given;
		CHECK_EQUAL(b.given, expected);
	}
	unit_case(NULL);
	sources_fixture_close(&b);
}

/* Of other nodes the first mask is delivered, and then each that is another than the one before of that node.
 */
static void test_capability_of_others(void)
{
	static const struct {
		const char *name;
		uint16_t issuer;
		bool others;
		uint32_t mask;
		bool is_given;
	} steps[] = {
		{"no mask", 9, true, 0, false},
		{"the first", 9, true, OWN_MASK, true},
		{"the same", 9, true, OWN_MASK, false},
		{"of another node", 0xBFFF, true, OWN_MASK, true},
		{"a new one", 9, true, 1, true},
		{"not of that", 0xBFFF, true, OWN_MASK, false},
		{"a mask alone", 9, false, 1, true},
		{"the same again", 9, true, 1, false},
		{"of no LID", 0, true, OWN_MASK, true},
		{"which is one node", 0, true, OWN_MASK, false},
		{"beyond all LIDs", 0xFFFF, true, 2, true},
	};
	uint8_t notice[SMA_BLOCK_SIZE];
	unsigned expected = 0;
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.config.subnet = true;
	b.config.repeat_ms = 0;
	sources_fixture_open(&b);
	for (size_t i = 0; i < UNIT_COUNT(steps); i++) {
		unit_case("%s", steps[i].name);
		build_144_of(notice, steps[i].issuer, steps[i].others, steps[i].mask);
		sources_fixture_find(&b, SMA_NOTICE_SA, notice, other_gid);
		expected += steps[i].is_given;
		CHECK_EQUAL(b.given, expected);
	}
	unit_case("the own mask is none of theirs");
	build_144(notice, true, OWN_MASK);
	sources_fixture_find(&b, SMA_NOTICE_SA, notice, own_gid);
	CHECK_EQUAL(b.given, expected);
	unit_case(NULL);
	sources_fixture_close(&b);
}

/* Each end port of the software SMA reports its own mask; it is new where no other change is reported. */
static void test_capability_of_software(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	for (unsigned port = 1; port <= 2; port++) {
		build_144_of(notice, 0, true, OWN_MASK + port);
		sources_fixture_find(&b, SMA_NOTICE_SOFT, notice, NULL);
	}
	CHECK_EQUAL(b.given, 0);
	CHECK_EQUAL(b.counters.unwanted, 2);
	build_144_of(notice, 0, false, NEW_MASK);
	sources_fixture_find(&b, SMA_NOTICE_SOFT, notice, NULL);
	CHECK_EQUAL(b.given, 1);
	sources_fixture_close(&b);
}

/* ---- who hears of it ---- */

/* Only notices of the own node change what is cached of it. */
static void test_expiry(void)
{
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.config.subnet = true;
	sources_fixture_open(&b);
	sources_fixture_find_trap(&b, SMA_NOTICE_SA, SMA_TRAP_SYSTEM_GUID, OTHER_LID, other_gid);
	CHECK_EQUAL(b.node->epochs[SMA_NodeInfo], 0);
	sources_fixture_find_trap(&b, SMA_NOTICE_SA, SMA_TRAP_SYSTEM_GUID, OWN_LID, own_gid);
	CHECK_EQUAL(b.node->epochs[SMA_NodeInfo], 1);
	CHECK_EQUAL(b.node->epochs[SMA_GUIDInfo], 0);
	sources_fixture_find_trap(&b, SMA_NOTICE_SA, SMA_TRAP_LINK_STATE, OWN_LID, own_gid);
	CHECK_EQUAL(b.node->epochs[SMA_PortInfo], 1);
	CHECK_EQUAL(b.node->epochs[SMA_SwitchInfo], 1);
	sources_fixture_close(&b);
}

/* Also those that are not delivered: one that is heard again, and one without news. */
static void test_expiry_unsent(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];
	struct sources_fixture b;

	sources_fixture_init(&b);
	sources_fixture_open(&b);
	for (unsigned i = 1; i <= 3; i++) {
		sources_fixture_find_trap(&b, SMA_NOTICE_SA, SMA_TRAP_LINK_STATE, OWN_LID, own_gid);
		CHECK_EQUAL(b.node->epochs[SMA_PortInfo], i);
	}
	CHECK_EQUAL(b.given, 1);
	CHECK_EQUAL(b.counters.repeated, 2);
	build_144(notice, true, OWN_MASK);
	sources_fixture_find(&b, SMA_NOTICE_SA, notice, own_gid);
	CHECK_EQUAL(b.given, 1);
	CHECK_EQUAL(b.counters.unwanted, 1);
	CHECK_EQUAL(b.node->epochs[SMA_NodeDescription], 1);
	CHECK_EQUAL(b.node->epochs[SMA_PortInfo], 4);
	sources_fixture_find_trap(&b, SMA_NOTICE_SA, SMA_TRAP_LINK_STATE, OTHER_LID, other_gid);
	CHECK_EQUAL(b.counters.foreign, 1);
	CHECK_EQUAL(b.node->epochs[SMA_PortInfo], 4);
	sources_fixture_close(&b);
}

/* Polling hears of another source, of the own node, with news. */
static void test_heard(void)
{
	uint8_t notice[SMA_BLOCK_SIZE];
	struct sources_fixture b;

	sources_fixture_init(&b);
	b.config.subnet = true;
	sources_fixture_open(&b);
	sources_fixture_find_trap(&b, SMA_NOTICE_SA, SMA_TRAP_LINK_STATE, OTHER_LID, other_gid);
	CHECK_EQUAL(b.fake->poll.heard, 0);
	sources_fixture_find_trap(&b, SMA_NOTICE_POLL, SMA_TRAP_LINK_STATE, OWN_LID, NULL);
	CHECK_EQUAL(b.fake->poll.heard, 0);
	sources_fixture_find_trap(&b, SMA_NOTICE_SA, SMA_TRAP_LINK_STATE, OWN_LID, own_gid);
	CHECK_EQUAL(b.fake->poll.heard, SMA_TRAP_LINK_STATE);
	CHECK_EQUAL(b.counters.repeated, 1);
	build_144(notice, true, 0);
	sources_fixture_find(&b, SMA_NOTICE_TRAP, notice, NULL);
	CHECK_EQUAL(b.fake->poll.heard, SMA_TRAP_LINK_STATE);
	sources_fixture_close(&b);
}

static const struct unit_test tests[] = {
	{"scope", test_scope},
	{"verdicts", test_verdicts},
	{"trap 144", test_capability},
	{"trap 144 of other nodes", test_capability_of_others},
	{"trap 144 of the software SMA", test_capability_of_software},
	{"expiry", test_expiry},
	{"expiry without a notification", test_expiry_unsent},
	{"heard", test_heard},
};

int main(void)
{
	return UNIT_MAIN("sources judge", tests);
}
