// SPDX-License-Identifier: BSD-2-Clause
/* Notices, their repetition until TrapRepress, and the Notice queue (IBA 13.4.8 to 13.4.10, 14.2.5.1, 14.3).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

enum { PACE = 1074 /* ms: 4.096 us x 2^18, rounded up */ };
enum { EMPTY = 0x7F, INVALID = 0x1C, NOT_SUPPORTED = 0x0C };

static void open_active(struct soft_fixture *fixture, char node)
{
	soft_fixture_open(fixture, node);
	soft_fixture_activate(fixture);
}

/* ---- when traps may be sent ---- */

static void test_conditions(void)
{
	static const struct {
		enum sma_component component;
		unsigned value;
	} silencers[] = {
		{SMA_PortInfo_IsTrapSupported, 0}, {SMA_PortInfo_MasterSMLID, 0}, {SMA_PortInfo_PortState, 1},
		{SMA_PortInfo_PortState, 2},       {SMA_PortInfo_PortState, 3},
	};

	for (size_t i = 0; i < UNIT_COUNT(silencers); i++) {
		struct soft_fixture fixture;
		struct sent sent;

		open_active(&fixture, 'c');
		state_set(fixture.state, 1, silencers[i].component, silencers[i].value);
		soft_fixture_raise(&fixture, 145, 1);
		unit_case("case %zu", i);
		CHECK(!soft_fixture_next(&fixture, 1000, &sent));
		CHECK_EQUAL(responder_due(&fixture.responder), UINT64_MAX);
		CHECK_EQUAL(fixture.responder.endpoints[0].notices.count, 1);
		soft_fixture_close(&fixture);
	}
}

/* What happened before the port was Active is not sent afterwards; nor is anything once it is not. */
static void test_active(void)
{
	struct soft_fixture fixture;
	struct sent sent;

	open_active(&fixture, 'c');
	state_set(fixture.state, 1, SMA_PortInfo_PortState, 3);
	soft_fixture_raise(&fixture, 145, 1);
	state_set(fixture.state, 1, SMA_PortInfo_PortState, 4);
	CHECK(!soft_fixture_next(&fixture, 1000, &sent));
	soft_fixture_raise(&fixture, 145, 1);
	state_set(fixture.state, 1, SMA_PortInfo_PortState, 3);
	CHECK(!soft_fixture_next(&fixture, 1000, &sent));
	CHECK_EQUAL(responder_due(&fixture.responder), UINT64_MAX);
	state_set(fixture.state, 1, SMA_PortInfo_PortState, 4);
	CHECK_EQUAL(soft_fixture_next(&fixture, 1000, &sent), 145);
	soft_fixture_close(&fixture);
}

/* ---- repetition ---- */

static void test_repetition(void)
{
	struct soft_fixture fixture;
	struct sent first, again;

	open_active(&fixture, 'c');
	soft_fixture_raise(&fixture, 145, 1);
	CHECK(responder_due(&fixture.responder) <= 1000);
	CHECK(soft_fixture_next(&fixture, 1000, &first));
	CHECK_EQUAL(responder_due(&fixture.responder), 1000 + PACE);
	CHECK(!soft_fixture_next(&fixture, 1000 + PACE - 1, &again));
	CHECK(soft_fixture_next(&fixture, 1000 + PACE, &again));
	CHECK(memcmp(first.mad, again.mad, MAD_SIZE) == 0);
	CHECK(!soft_fixture_next(&fixture, 1000 + PACE, &again));
	soft_fixture_repress(&fixture, &first, AT_TID, 0);
	CHECK_EQUAL(fixture.responder.counters.represses, 1);
	CHECK(!soft_fixture_next(&fixture, 99000, &again));
	CHECK_EQUAL(responder_due(&fixture.responder), UINT64_MAX);
	soft_fixture_close(&fixture);
}

/* A trap after TrapRepress still waits for the pace; it has a transaction of its own. */
static void test_pace(void)
{
	static const struct {
		unsigned timeout;
		uint64_t ms;
	} paces[] = {{0, 1}, {8, 2}, {18, 1074}, {20, 4295}, {31, 8796094}};

	for (size_t i = 0; i < UNIT_COUNT(paces); i++) {
		struct soft_fixture fixture;
		struct sent first, second;

		open_active(&fixture, 's');
		state_set(fixture.state, 0, SMA_PortInfo_SubnetTimeOut, paces[i].timeout);
		unit_case("SubnetTimeOut %u", paces[i].timeout);
		soft_fixture_raise(&fixture, 145, 0);
		CHECK(soft_fixture_next(&fixture, 1000, &first));
		soft_fixture_repress(&fixture, &first, AT_TID, 0);
		soft_fixture_raise(&fixture, 129, 1);
		CHECK(!soft_fixture_next(&fixture, 1000 + paces[i].ms - 1, &second));
		CHECK_EQUAL(soft_fixture_next(&fixture, 1000 + paces[i].ms, &second), 129);
		CHECK(wire_get64(first.mad + AT_TID) != wire_get64(second.mad + AT_TID));
		soft_fixture_close(&fixture);
	}
}

/* TrapRepress must name AttributeID, AttributeModifier and transaction of the trap. */
static void test_repress_match(void)
{
	static const struct {
		unsigned at;
		bool matches;
	} cases[] = {
		{AT_TID + 7, false},      {AT_TID + 4, false},  {AT_ATTRIBUTE + 1, false},
		{AT_MODIFIER + 3, false}, {AT_M_KEY + 7, true}, /* no key is set */
		{AT_DATA + 5, true},      {AT_TID, true},       /* the half that belongs to the kernel */
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct soft_fixture fixture;
		struct sent sent;

		open_active(&fixture, 'c');
		soft_fixture_raise(&fixture, 145, 1);
		CHECK(soft_fixture_next(&fixture, 1000, &sent));
		unit_case("byte %u changed", cases[i].at);
		soft_fixture_repress(&fixture, &sent, cases[i].at, 1);
		CHECK_EQUAL(trap_sender_waiting(&fixture.responder.endpoints[0].traps), !cases[i].matches);
		CHECK_EQUAL(fixture.responder.counters.represses, cases[i].matches);
		soft_fixture_close(&fixture);
	}
}

/* Urgent goes before Security, Security before Informational; within a type the oldest first. */
static void test_priority(void)
{
	static const unsigned raised[] = {145, 257, 144, 129, 258, 130};
	static const unsigned order[] = {129, 130, 257, 258, 145, 144};
	struct soft_fixture fixture;
	uint64_t now = 1000;

	open_active(&fixture, 'c');
	for (size_t i = 0; i < UNIT_COUNT(raised); i++)
		CHECK_EQUAL(soft_fixture_raise(&fixture, raised[i], 1), 0);
	for (size_t i = 0; i < UNIT_COUNT(order); i++, now += PACE) {
		struct sent sent;

		unit_case("trap %zu", i);
		CHECK_EQUAL(soft_fixture_next(&fixture, now, &sent), order[i]);
		soft_fixture_repress(&fixture, &sent, AT_TID, 0);
	}
	CHECK(!trap_sender_waiting(&fixture.responder.endpoints[0].traps));
	soft_fixture_close(&fixture);
}

/* A trap that is raised meanwhile goes before the one that is being repeated. */
static void test_priority_later(void)
{
	struct soft_fixture fixture;
	struct sent sent;

	open_active(&fixture, 'c');
	soft_fixture_raise(&fixture, 145, 1);
	CHECK_EQUAL(soft_fixture_next(&fixture, 1000, &sent), 145);
	soft_fixture_raise(&fixture, 129, 1);
	CHECK_EQUAL(soft_fixture_next(&fixture, 1000 + PACE, &sent), 129);
	CHECK_EQUAL(soft_fixture_next(&fixture, 1000 + 2 * PACE, &sent), 129);
	soft_fixture_repress(&fixture, &sent, AT_TID, 0);
	CHECK_EQUAL(soft_fixture_next(&fixture, 1000 + 3 * PACE, &sent), 145);
	soft_fixture_close(&fixture);
}

/* No trap of the subnet management class is Fatal or of SubnetManagement; the lists have room for both. */
static void test_all_types(void)
{
	static struct trap_sender traps;
	uint8_t notice[SMA_BLOCK_SIZE];

	for (unsigned type = NOTICE_TYPES; type--;) {
		notice_build(notice, 129, SMA_NODE_CA, 7);
		notice[0] = (uint8_t)(0x80 | type);
		trap_sender_add(&traps, notice);
	}
	for (unsigned type = 0; type < NOTICE_TYPES; type++) {
		const struct trap *trap = trap_sender_next(&traps, 1000 * type, 1000);

		unit_case("type %u", type);
		if (!CHECK(trap != NULL))
			continue;
		CHECK_EQUAL(trap->notice[0], 0x80 | type);
		CHECK(trap_sender_repress(&traps, trap->tid));
	}
	CHECK(!trap_sender_waiting(&traps));
}

static void test_merge(void)
{
	struct soft_fixture fixture;
	struct trap_sender *traps;
	struct sent sent;

	open_active(&fixture, 'c');
	traps = &fixture.responder.endpoints[0].traps;
	for (unsigned i = 0; i < 3; i++) {
		soft_fixture_raise(&fixture, 129, 1);
		soft_fixture_raise(&fixture, 130, 1);
	}
	CHECK_EQUAL(traps->lists[1].count, 2);
	CHECK_EQUAL(fixture.responder.endpoints[0].notices.count, 6); /* the queue holds each event */
	CHECK_EQUAL(soft_fixture_next(&fixture, 1000, &sent), 129);
	soft_fixture_repress(&fixture, &sent, AT_TID, 0);
	soft_fixture_raise(&fixture, 129, 1); /* what was repressed may come again */
	CHECK_EQUAL(traps->lists[1].count, 2);
	CHECK_EQUAL(traps->dropped, 0);
	soft_fixture_close(&fixture);
}

/* A hundred traps of a type wait at most; the further ones are dropped, and other types are not affected. */
static void test_full(void)
{
	struct soft_fixture fixture;
	struct trap_sender *traps;
	struct bad_key key = soft_fixture_bad_key;
	struct sent sent;

	open_active(&fixture, 'c');
	traps = &fixture.responder.endpoints[0].traps;
	for (unsigned i = 0; i < 103; i++) {
		key.lid1 = (uint16_t)(i + 1);
		event_traps_bad_key(&fixture.responder, 1, 257, &key);
	}
	CHECK_EQUAL(traps->lists[2].count, 100);
	CHECK_EQUAL(traps->dropped, 3);
	CHECK_EQUAL(soft_fixture_next(&fixture, 1000, &sent), 257);
	CHECK_EQUAL(wire_get16(sent.mad + AT_DETAILS + 2), 1);
	CHECK_EQUAL(soft_fixture_raise(&fixture, 129, 1), 0);
	CHECK_EQUAL(soft_fixture_next(&fixture, 1000 + PACE, &sent), 129);
	soft_fixture_close(&fixture);
}

/* Each port of a CA has its own traps, SM and pace. */
static void test_ports(void)
{
	struct soft_fixture fixture;
	struct sent first, second, third;

	open_active(&fixture, 'c');
	state_set(fixture.state, 2, SMA_PortInfo_PortState, 4);
	state_set(fixture.state, 2, SMA_PortInfo_LID, 17);
	state_set(fixture.state, 2, SMA_PortInfo_MasterSMLID, 15);
	event_traps_system_guid(&fixture.responder, 1);
	CHECK(soft_fixture_next(&fixture, 1000, &first));
	CHECK(soft_fixture_next(&fixture, 1000, &second));
	CHECK(!soft_fixture_next(&fixture, 1000, &third));
	CHECK_EQUAL(first.port, 1);
	CHECK_EQUAL(second.port, 2);
	CHECK_EQUAL(second.dlid, 15);
	CHECK_EQUAL(wire_get16(second.mad + AT_ISSUER), 17);
	soft_fixture_repress(&fixture, &first, AT_TID, 0); /* it comes in on port 1 */
	CHECK(soft_fixture_next(&fixture, 9000, &third));
	CHECK_EQUAL(third.port, 2);
	soft_fixture_close(&fixture);
}

/* ---- the Notice queue ---- */

static unsigned ask_notice(struct soft_fixture *fixture, uint8_t method, const uint8_t *data)
{
	return soft_fixture_ask(fixture, method, ATTR_NOTICE, 0, data);
}

/* The head, its toggle and the count. */
static void check_head(struct soft_fixture *fixture, unsigned number, bool toggle, unsigned count)
{
	CHECK_EQUAL(ask_notice(fixture, GET, NULL), 0);
	CHECK_EQUAL(wire_get16(fixture->response + AT_NUMBER), number);
	CHECK_EQUAL(wire_get16(fixture->response + AT_COUNT), (toggle ? 0x8000 : 0) | count);
}

/* Set(Notice) with the head as it was read, and possibly the other toggle. */
static void clear_head(struct soft_fixture *fixture, bool stale)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	CHECK_EQUAL(ask_notice(fixture, GET, NULL), 0);
	memcpy(notice, fixture->response + AT_DATA, sizeof(notice));
	if (stale)
		notice[8] ^= 0x80;
	CHECK_EQUAL(ask_notice(fixture, SET, notice), 0);
}

static void check_empty(struct soft_fixture *fixture)
{
	CHECK_EQUAL(ask_notice(fixture, GET, NULL), 0);
	CHECK_EQUAL(fixture->response[AT_DATA] & 0x7F, EMPTY);
	CHECK_EQUAL(wire_get16(fixture->response + AT_COUNT) & 0x7FFF, 0);
}

static void test_queue(void)
{
	struct soft_fixture fixture;

	soft_fixture_open(&fixture, 'c'); /* not Active: the queue does not depend on it */
	check_empty(&fixture);
	soft_fixture_raise(&fixture, 129, 1);
	soft_fixture_raise(&fixture, 145, 1);
	soft_fixture_raise(&fixture, 130, 1);
	check_head(&fixture, 129, false, 3);
	clear_head(&fixture, true);
	CHECK_EQUAL(wire_get16(fixture.response + AT_NUMBER), 129);
	check_head(&fixture, 129, false, 3);
	clear_head(&fixture, false);
	CHECK_EQUAL(wire_get16(fixture.response + AT_NUMBER), 145); /* the answer is the new head */
	check_head(&fixture, 145, true, 2);
	clear_head(&fixture, false);
	check_head(&fixture, 130, false, 1);
	clear_head(&fixture, false);
	CHECK_EQUAL(fixture.response[AT_DATA] & 0x7F, EMPTY);
	check_empty(&fixture);
	clear_head(&fixture, false);
	check_empty(&fixture);
	soft_fixture_close(&fixture);
}

/* A full queue loses the oldest; a Set that meant the lost one removes nothing. */
static void test_queue_full(void)
{
	struct soft_fixture fixture;
	uint8_t stale[SMA_BLOCK_SIZE];

	soft_fixture_open(&fixture, 's');
	soft_fixture_raise(&fixture, 129, 1);
	CHECK_EQUAL(ask_notice(&fixture, GET, NULL), 0);
	memcpy(stale, fixture.response + AT_DATA, sizeof(stale));
	for (unsigned i = 0; i < NOTICE_QUEUE; i++)
		soft_fixture_raise(&fixture, 130, 2);
	check_head(&fixture, 130, true, NOTICE_QUEUE);
	CHECK_EQUAL(ask_notice(&fixture, SET, stale), 0);
	check_head(&fixture, 130, true, NOTICE_QUEUE);
	soft_fixture_close(&fixture);
}

static void test_queue_not_supported(void)
{
	static const uint8_t methods[] = {GET, SET};
	struct soft_fixture fixture;

	soft_fixture_open(&fixture, 'r');
	for (size_t m = 0; m < UNIT_COUNT(methods); m++)
		CHECK_EQUAL(soft_fixture_ask(&fixture, methods[m], ATTR_NOTICE, 1, NULL), INVALID);
	state_set(fixture.state, 1, SMA_PortInfo_IsNoticeSupported, 0);
	soft_fixture_raise(&fixture, 129, 1);
	CHECK_EQUAL(fixture.responder.endpoints[0].notices.count, 0);
	for (size_t m = 0; m < UNIT_COUNT(methods); m++) {
		CHECK_EQUAL(ask_notice(&fixture, methods[m], NULL), NOT_SUPPORTED);
		CHECK_EQUAL(soft_fixture_ask(&fixture, methods[m], ATTR_NOTICE, 1, NULL), NOT_SUPPORTED);
	}
	soft_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"when none is sent", test_conditions},
	{"only while Active", test_active},
	{"repeated until TrapRepress", test_repetition},
	{"the pace is SubnetTimeOut", test_pace},
	{"what TrapRepress must match", test_repress_match},
	{"priority", test_priority},
	{"priority of a later trap", test_priority_later},
	{"priority of all types", test_all_types},
	{"equal traps are one", test_merge},
	{"a full list", test_full},
	{"each port by itself", test_ports},
	{"Notice queue", test_queue},
	{"a full Notice queue", test_queue_full},
	{"no Notice queue", test_queue_not_supported},
};

int main(void)
{
	return UNIT_MAIN("traps", tests);
}
