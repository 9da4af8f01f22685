// SPDX-License-Identifier: BSD-2-Clause
/* Which requests an engine sends when: windows, turns and priorities. */
#include <errno.h>

#include "tests/mad/engine_fixture.h"
#include "tests/unit.h"

enum { MANY = 100, DEAD = 1 /* the LID of who answers nothing */ };

static struct peer *peers[MANY];

static int soon(const struct packet *packet, const struct mad_head *head)
{
	(void)packet;
	(void)head;
	return 10;
}

static int soon_but_one(const struct packet *packet, const struct mad_head *head)
{
	(void)head;
	return packet->lid == DEAD ? FIXTURE_NEVER : 10;
}

static int never(const struct packet *packet, const struct mad_head *head)
{
	(void)packet;
	(void)head;
	return FIXTURE_NEVER;
}

/* Peers at LIDs from 1 on. */
static void open_peers(unsigned count, unsigned limit)
{
	for (unsigned i = 0; i < count; i++)
		peers[i] = fixture_lid((uint16_t)(i + 1), limit);
}

static void close_peers(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		peer_close(peers[i]);
}

static uint16_t lid_of(unsigned i)
{
	return fake_transport_sent(&t.fake, i)->packet.lid;
}

/* ---- windows ---- */

/* The window is one for all peers, in whatever class. */
static void test_window(void)
{
	struct peer *pma;

	fixture_begin(3, 1);
	open_peers(2, 16);
	pma = fixture_peer(MAD_CLASS_PERF, ENGINE_LID, 1, 16);
	for (uint32_t i = 0; i < 3; i++) {
		fixture_submit(peers[0], PORT_INFO, i);
		fixture_submit(peers[1], PORT_INFO, i);
		fixture_submit(pma, PORT_INFO, i);
	}
	fixture_run();
	CHECK_EQUAL(t.fake.count, 3);
	for (unsigned i = 0; i < 6; i++) {
		fixture_answer(i, 0);
		CHECK_EQUAL(t.fake.count, 4 + i);
	}
	close_peers(2);
	peer_close(pma);
	fixture_end();
}

static void test_limit(void)
{
	fixture_begin(8, 1);
	open_peers(2, 2);
	for (uint32_t i = 0; i < 10; i++)
		fixture_submit(peers[0], PORT_INFO, i);
	fixture_submit(peers[1], PORT_INFO, 0);
	fixture_run();
	CHECK_EQUAL(t.fake.count, 3);
	fixture_answer(1, 0); /* it is the other one's */
	CHECK_EQUAL(t.fake.count, 3);
	fixture_answer(0, 0);
	CHECK_EQUAL(t.fake.count, 4);
	CHECK_EQUAL(lid_of(3), 1);
	CHECK_EQUAL(fixture_head(3).modifier, 2);
	close_peers(2);
	CHECK_EQUAL(t.ended, 11);
	fixture_end();
}

/* Two that share have one limit, also when the one whose limit it was is closed. */
static void test_share(void)
{
	fixture_begin(8, 1);
	open_peers(2, 2);
	peer_share(peers[1], peers[0]);
	peer_share(peers[1], peers[0]);
	for (uint32_t i = 0; i < 4; i++) {
		fixture_submit(peers[0], PORT_INFO, i);
		fixture_submit(peers[1], PORT_INFO, i);
	}
	fixture_run();
	CHECK_EQUAL(t.fake.count, 2);
	fixture_answer(0, 0);
	CHECK_EQUAL(t.fake.count, 3);
	peer_close(peers[0]);
	fixture_run();
	fixture_answer(1, 0);
	fixture_answer(2, 0);
	CHECK(t.fake.count <= 5);
	peer_close(peers[1]);
	CHECK_EQUAL(t.ended, 8);
	fixture_end();
}

/* A smaller window holds when enough of what is in flight has ended. */
static void test_configure(void)
{
	fixture_begin(4, 1);
	open_peers(1, 16);
	for (uint32_t i = 0; i < 10; i++)
		fixture_submit(peers[0], PORT_INFO, i);
	fixture_run();
	CHECK_EQUAL(t.fake.count, 4);
	t.config.window = 2;
	engine_configure(t.engine, &t.config);
	fixture_answer(0, 0);
	fixture_answer(1, 0);
	CHECK_EQUAL(t.fake.count, 4);
	fixture_answer(2, 0);
	CHECK_EQUAL(t.fake.count, 5);
	t.config.window = 3;
	engine_configure(t.engine, &t.config);
	fixture_run();
	CHECK_EQUAL(t.fake.count, 6);
	close_peers(1);
	fixture_end();
}

/* ---- turns ---- */

static void test_turns(void)
{
	static const uint16_t wanted[] = {1, 2, 3, 1, 3, 1, 1};

	fixture_begin(16, 1);
	open_peers(3, 16);
	for (uint32_t i = 0; i < 4; i++)
		fixture_submit(peers[0], PORT_INFO, i);
	fixture_submit(peers[1], PORT_INFO, 0);
	for (uint32_t i = 0; i < 2; i++)
		fixture_submit(peers[2], PORT_INFO, i);
	fixture_run();
	CHECK_EQUAL(t.fake.count, UNIT_COUNT(wanted));
	for (unsigned i = 0; i < UNIT_COUNT(wanted); i++)
		CHECK_EQUAL(lid_of(i), wanted[i]);
	close_peers(3);
	fixture_end();
}

/* However much one has to ask, another one's request waits for one turn only. */
static void test_short_wait(void)
{
	fixture_begin(1, 1);
	open_peers(2, 1);
	t.delay_of = soon;
	for (uint32_t i = 0; i < 50; i++)
		fixture_submit(peers[0], PORT_INFO, i);
	fixture_advance(95);
	fixture_submit(peers[1], PORT_INFO, 1000);
	fixture_advance(1000);
	CHECK_EQUAL(t.ended, 51);
	for (unsigned i = 0; i < t.ended; i++) {
		if (t.ends[i].modifier == 1000)
			CHECK(t.ends[i].at <= FIXTURE_START + 95 + 30);
	}
	close_peers(2);
	fixture_end();
}

/* ---- priorities ---- */

/* Whether in the background or not, no manager waits for it. */
static void submit_prompt(struct peer *peer, uint32_t modifier)
{
	struct engine_request request = fixture_get(PORT_INFO, modifier);

	request.priority = ENGINE_PROMPT;
	CHECK_EQUAL(peer_submit(peer, &request, t.now, NULL), 0);
}

static void test_priorities(void)
{
	fixture_begin(1, 1);
	open_peers(2, 1);
	fixture_background(peers[0], 1);
	fixture_background(peers[1], 2);
	submit_prompt(peers[1], 5);
	fixture_submit(peers[0], PORT_INFO, 3);
	fixture_submit(peers[1], PORT_INFO, 4);
	t.delay_of = soon;
	fixture_advance(100);
	CHECK_EQUAL(t.ended, 5);
	for (unsigned i = 0; i < 5; i++)
		CHECK_EQUAL(t.ends[i].modifier, i < 3 ? i + 3 : i - 2);
	close_peers(2);
	fixture_end();
}

/* What a manager begins to wait for goes behind what managers wait for, before the rest. */
static void test_promote(void)
{
	struct exchange *promoted;

	fixture_begin(1, 1);
	open_peers(1, 1);
	fixture_background(peers[0], 1);
	promoted = fixture_background(peers[0], 2);
	fixture_submit(peers[0], PORT_INFO, 3);
	peer_promote(promoted);
	peer_promote(promoted);
	t.delay_of = soon;
	fixture_advance(100);
	CHECK_EQUAL(t.ended, 3);
	CHECK_EQUAL(t.ends[0].modifier, 3);
	CHECK_EQUAL(t.ends[1].modifier, 2);
	CHECK_EQUAL(t.ends[2].modifier, 1);
	close_peers(1);
	fixture_end();
}

/* So many a second are begun; managers do not wait for that, nor does what they begin to wait for, nor what
 * is prompt. */
static void test_background(void)
{
	struct exchange *last;

	fixture_begin(8, 1);
	t.config.background = 10;
	engine_configure(t.engine, &t.config);
	open_peers(2, 8);
	t.delay_of = soon;
	for (uint32_t i = 0; i < 12; i++)
		fixture_background(peers[i % 2], i);
	last = fixture_background(peers[0], 12);
	fixture_advance(50);
	CHECK_EQUAL(t.fake.count, 1);
	CHECK_EQUAL(t.wake, FIXTURE_START + 100);
	fixture_submit(peers[0], NODE_INFO, 13);
	fixture_advance(1);
	CHECK_EQUAL(t.fake.count, 2);
	peer_promote(last);
	submit_prompt(peers[1], 14);
	fixture_advance(1);
	CHECK_EQUAL(t.fake.count, 4);
	CHECK_EQUAL(fixture_head(2).modifier, 12);
	CHECK_EQUAL(fixture_head(3).modifier, 14);
	fixture_advance(947);
	CHECK_EQUAL(t.fake.count, 13);
	fixture_advance(200);
	CHECK_EQUAL(t.ended, 15);
	close_peers(2);
	fixture_end();
}

/* ---- peers that answer nothing ---- */

/* One of many that answers nothing keeps no more than its limit from the others, and not for longer than half
 * of a time-out. */
static void test_one_dead(void)
{
	unsigned lost = 0;

	fixture_begin(4, FIXTURE_TRIES);
	open_peers(MANY, 2);
	t.delay_of = soon_but_one;
	for (uint32_t i = 0; i < MANY; i++) {
		for (uint32_t n = 0; n < 4; n++)
			fixture_submit(peers[i], PORT_INFO, i + 1);
	}
	fixture_advance(20 * 1000);
	CHECK_EQUAL(t.ended, 4 * MANY);
	for (unsigned i = 0; i < t.ended; i++) {
		bool is_dead = t.ends[i].modifier == DEAD;

		lost += is_dead;
		CHECK_EQUAL(t.ends[i].result, is_dead ? -EHOSTDOWN : 0);
		/* two places of four are missing for so long: what took (99 * 4) / 4 turns takes three more
		 */
		if (!is_dead)
			CHECK(t.ends[i].at <= FIXTURE_START + 10 * MANY + FIXTURE_TIMEOUT / 2);
	}
	CHECK_EQUAL(lost, 4);
	CHECK(fixture_counters().sent <= 4 * MANY + 2 + 2 * FIXTURE_TRIES);
	close_peers(MANY);
	fixture_end();
}

/* A place that is given up is taken at once, not when something else happens next. */
static void test_place_of_the_dead(void)
{
	fixture_begin(1, FIXTURE_TRIES);
	open_peers(2, 1);
	t.delay_of = soon_but_one;
	fixture_submit(peers[0], PORT_INFO, 1);
	fixture_submit(peers[1], PORT_INFO, 2);
	fixture_advance(10 * 1000);
	CHECK_EQUAL(t.ended, 2);
	CHECK_EQUAL(t.ends[0].modifier, 2);
	CHECK_EQUAL(t.ends[0].at, FIXTURE_START + FIXTURE_TIMEOUT / 2 + 10);
	close_peers(2);
	fixture_end();
}

/* What is sent to ask whether peers answer at all has a window of its own, as large as the other. */
static void test_probes(void)
{
	unsigned before = 0;

	fixture_begin(4, FIXTURE_TRIES);
	open_peers(MANY, 2);
	for (unsigned i = 0; i < MANY; i++)
		fixture_submit(peers[i], PORT_INFO, i);
	t.fake.result = -EIO;
	fixture_advance(1000);
	CHECK_EQUAL(t.fake.count, 0);
	t.fake.result = 0;
	t.delay_of = never;
	for (unsigned i = 0; i < 20 * 1000 && t.ended < MANY; i += FIXTURE_TIMEOUT / 2) {
		fixture_advance(FIXTURE_TIMEOUT / 2);
		CHECK(t.fake.count - before <= 2 * 4 * 2);
		before = t.fake.count;
	}
	CHECK_EQUAL(t.ended, MANY);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	close_peers(MANY);
	fixture_end();
}

static const struct unit_test tests[] = {
	{"the window holds for all peers together", test_window},
	{"the limit of a peer holds", test_limit},
	{"peers that share a limit", test_share},
	{"another window", test_configure},
	{"peers take turns", test_turns},
	{"a request does not wait for all those of another peer", test_short_wait},
	{"what managers wait for goes first", test_priorities},
	{"what a manager begins to wait for", test_promote},
	{"requests in the background are paced", test_background},
	{"one dead peer of many", test_one_dead},
	{"the place of a dead peer", test_place_of_the_dead},
	{"probes have a window, too", test_probes},
};

int main(void)
{
	return UNIT_MAIN("engine: turns", tests);
}
