// SPDX-License-Identifier: BSD-2-Clause
/* What may be done while an engine calls, what it hears, and peers that move. */
#include <errno.h>
#include <string.h>

#include "tests/logged.h"
#include "tests/mad/engine_fixture.h"
#include "tests/unit.h"

enum { NOTICE = 0x02, PORT_COUNTERS = 0x12, LID = 12, TRAP_TID = 77, MAX_LISTENERS = 16 };

static int soon(const struct packet *packet, const struct mad_head *head)
{
	(void)packet;
	(void)head;
	return 10;
}

static int only_lid(const struct packet *packet, const struct mad_head *head)
{
	(void)head;
	return packet->lid == LID ? 10 : FIXTURE_NEVER;
}

/* ---- completions ---- */

static struct {
	struct peer *peers[3];
	struct peer *next; /* whom a completion asks */
	unsigned left;     /* how often */
	unsigned refused;
} c;

/* Ask the next. */
static void ask(void *arg, const struct engine_result *result)
{
	fixture_done(arg, result);
	if (!c.left)
		return;
	c.left--;
	struct engine_request request = fixture_get(PORT_INFO, 100 + c.left);

	request.done = ask;
	if (peer_submit(c.next, &request, t.now, NULL) < 0)
		c.refused++;
}

/* Close all peers. */
static void close_all(void *arg, const struct engine_result *result)
{
	fixture_done(arg, result);
	for (unsigned i = 0; i < UNIT_COUNT(c.peers); i++) {
		struct peer *peer = c.peers[i];

		c.peers[i] = NULL;
		peer_close(peer);
	}
}

static void begin(unsigned window)
{
	memset(&c, 0, sizeof(c));
	fixture_begin(window, 1);
	for (unsigned i = 0; i < UNIT_COUNT(c.peers); i++)
		c.peers[i] = fixture_lid((uint16_t)(LID + i), 2);
	c.next = c.peers[0];
}

static void end(void)
{
	for (unsigned i = 0; i < UNIT_COUNT(c.peers); i++)
		peer_close(c.peers[i]);
	fixture_end();
}

static void submit(struct peer *peer, uint32_t modifier, engine_done *done)
{
	struct engine_request request = fixture_get(PORT_INFO, modifier);

	request.done = done;
	CHECK_EQUAL(peer_submit(peer, &request, t.now, NULL), 0);
}

/* One follows the other, in whatever way they end. */
static void test_chain(void)
{
	begin(1);
	c.left = 6;
	submit(c.peers[0], 0, ask);
	fixture_run();
	for (unsigned i = 0; i < 5; i++) {
		CHECK_EQUAL(t.fake.count, i + 1);
		fixture_answer(i, i % 2 ? MAD_STATUS_INVALID : 0);
		CHECK_EQUAL(t.ended, i + 1);
	}
	end();
	CHECK_EQUAL(t.ended, 6);
	CHECK_EQUAL(t.ends[5].result, -ECANCELED);
	CHECK_EQUAL(c.refused, 1); /* it is being closed */
}

/* What a completion asks another peer for is sent, though nothing else happens. */
static void test_ask_another(void)
{
	begin(4);
	t.delay_of = only_lid;
	for (unsigned i = 0; i < 2; i++)
		submit(c.peers[0], i, fixture_done);
	fixture_advance(1000);
	CHECK_EQUAL(t.ended, 2);
	c.left = 1;
	submit(c.peers[1], 2, ask);
	fixture_advance(5000);
	CHECK_EQUAL(t.ended, 4);
	CHECK_EQUAL(t.ends[2].result, -EHOSTDOWN);
	CHECK_EQUAL(t.ends[3].result, 0);
	CHECK_EQUAL(t.ends[3].at, t.ends[2].at + 10);
	end();
}

/* A completion closes its own peer and others, which have requests waiting and in flight; their completions
 * find all closed. */
static void check_close(int how)
{
	begin(4);
	unit_case("way %d", how);
	for (uint32_t i = 0; i < 5; i++) {
		for (unsigned p = 0; p < UNIT_COUNT(c.peers); p++)
			submit(c.peers[p], i, close_all);
	}
	fixture_run();
	CHECK_EQUAL(t.fake.count, 4);
	if (how == 0)
		fixture_answer(1, 0);
	else if (how == 1)
		fixture_advance(5000);
	else
		close_all(NULL, &(struct engine_result){.error = -ECANCELED});
	CHECK_EQUAL(t.ended, 15 + (how == 2));
	/* all were silent, and so their requests had ended */
	for (unsigned i = 1; i < t.ended; i++)
		CHECK_EQUAL(t.ends[i].result, how == 1 ? -EHOSTDOWN : -ECANCELED);
	CHECK_EQUAL(t.ends[0].result, how == 0 ? 0 : t.ends[1].result);
	fixture_advance(1000);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	CHECK(TAILQ_EMPTY(&t.engine->busy) && TAILQ_EMPTY(&t.engine->begun) && TAILQ_EMPTY(&t.engine->ended));
	end();
}

static void test_close(void)
{
	for (int how = 0; how < 3; how++)
		check_close(how);
}

/* ---- peers that move ---- */

/* What waited, and the next try, go to the new address; what is in flight may be answered from the old one.
 */
static void test_move(void)
{
	const struct engine_address there = {.route = ENGINE_LID, .lid = 44, .sl = 1};
	struct peer *peer;

	fixture_begin(1, 2);
	peer = fixture_peer(MAD_CLASS_PERF, ENGINE_LID, LID, 1);
	for (uint32_t i = 0; i < 3; i++)
		fixture_submit(peer, PORT_COUNTERS, i);
	fixture_run();
	peer_move(peer, &there);
	CHECK_EQUAL(peer_address(peer)->lid, 44);
	fixture_answer(0, 0);
	CHECK_EQUAL(t.ended, 1);
	CHECK_EQUAL(fake_transport_sent(&t.fake, 1)->packet.lid, 44);
	CHECK_EQUAL(fake_transport_sent(&t.fake, 1)->packet.sl, 1);
	peer_move(peer, &(struct engine_address){.route = ENGINE_LID, .lid = 45});
	fixture_advance(2 * FIXTURE_TIMEOUT);
	CHECK_EQUAL(fake_transport_last(&t.fake)->packet.lid, 45);
	/* general services are not found along a directed route */
	peer_move(peer, &(struct engine_address){.route = ENGINE_SELF});
	fixture_advance(10 * FIXTURE_TIMEOUT);
	CHECK_EQUAL(t.ended, 3);
	CHECK_EQUAL(t.ends[1].result, -ETIMEDOUT);
	CHECK_EQUAL(t.ends[2].result, -EINVAL);
	peer_close(peer);
	fixture_end();
}

/* An SMA may be reached along a directed route first, and then have a LID. */
static void test_another_route(void)
{
	struct peer *peer;

	fixture_begin(1, 3);
	peer = fixture_self(1);
	fixture_submit(peer, PORT_INFO, 1);
	fixture_run();
	fixture_answer(0, MAD_STATUS_BUSY);
	peer_move(peer, &(struct engine_address){.route = ENGINE_LID, .lid = LID});
	fixture_advance(FIXTURE_TIMEOUT);
	CHECK_EQUAL(fixture_head(1).class, MAD_CLASS_SM);
	CHECK_EQUAL(fake_transport_last(&t.fake)->packet.lid, LID);
	fixture_answer(0, 0); /* nobody waits for it any more */
	CHECK_EQUAL(t.ended, 0);
	CHECK_EQUAL(engine_strange(t.engine), 1);
	fixture_answer(1, 0);
	CHECK_EQUAL(t.ended, 1);
	peer_close(peer);
	fixture_end();
}

/* ---- what comes unasked ---- */

static unsigned heard;

static void hear(void *arg, const struct engine_received *received)
{
	heard++;
	CHECK_EQUAL(received->head.tid, TRAP_TID);
	if (arg)
		CHECK_EQUAL(engine_listen(arg, MAD_CLASS_SM, MAD_TRAP, NULL, NULL), 0);
}

static void post_trap(void)
{
	const struct mad_head head = {
		.class = MAD_CLASS_SM, .method = MAD_TRAP, .tid = TRAP_TID, .attribute = NOTICE};
	struct mail mail = {.kind = MAIL_MAD, .slid = LID, .size = MAD_SIZE};

	mad_build(mail.mad, &head);
	fake_transport_post(&t.fake, &mail);
	fixture_run();
}

/* Whoever listens may cease to while it hears, and listen again. */
static void test_listen(void)
{
	fixture_begin(1, 1);
	heard = 0;
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_SM, MAD_TRAP, NULL, NULL), 0); /* nobody did */
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_SM, MAD_TRAP, hear, t.engine), 0);
	post_trap();
	post_trap();
	CHECK_EQUAL(heard, 1);
	CHECK_EQUAL(engine_strange(t.engine), 1);
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_SM, MAD_TRAP, hear, NULL), 0);
	post_trap();
	CHECK_EQUAL(heard, 2);
	fixture_end();
}

/* There is room for so many; each has a class and a method of its own. */
static void test_listeners(void)
{
	fixture_begin(1, 1);
	heard = 0;
	for (unsigned i = 0; i < MAX_LISTENERS; i++)
		CHECK_EQUAL(engine_listen(t.engine, i % 2 ? MAD_CLASS_SA : MAD_CLASS_SM,
		                          (uint8_t)(MAD_TRAP + i / 2), hear, NULL),
		            0);
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_PERF, MAD_TRAP, hear, NULL), -ENOSPC);
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_SA, MAD_TRAP, NULL, NULL), 0);
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_PERF, MAD_TRAP, hear, NULL), 0);
	post_trap();
	CHECK_EQUAL(heard, 1);
	fixture_end();
}

static int send_nothing(struct transport *transport, const struct packet *packet, unsigned timeout_ms)
{
	(void)transport;
	(void)packet;
	(void)timeout_ms;
	return 0;
}

static void close_nothing(struct transport *transport)
{
	(void)transport;
}

/* A transport may hear nothing, and an engine may have none yet. */
static void test_deaf(void)
{
	static const struct transport_ops ops = {.send = send_nothing, .close = close_nothing};
	static struct transport transport = {.ops = &ops};
	const struct engine_config config = {.port = 1, .window = 1, .timeout_ms = 1, .tries = 1};
	struct engine *engine = engine_open(&config);
	const struct packet packet = {.lid = LID};

	CHECK_EQUAL(engine_send(engine, &packet, 0), -ENODEV);
	CHECK_EQUAL(engine_listen(engine, MAD_CLASS_SM, MAD_TRAP, hear, NULL), -ENOTSUP);
	engine_attach(engine, &transport);
	CHECK_EQUAL(engine_send(engine, &packet, 0), 0);
	CHECK_EQUAL(engine_listen(engine, MAD_CLASS_SM, MAD_TRAP, hear, NULL), -ENOTSUP);
	engine_close(engine);
}

/* ---- stops ---- */

/* What came while the process was stopped is taken first; what had not come by then has its grace. */
static void test_stopped(void)
{
	struct peer *peer;
	struct mail mail;

	fixture_begin(4, 1);
	peer = fixture_peer(MAD_CLASS_SA, ENGINE_LID, LID, 4);
	fixture_submit(peer, PORT_INFO, 0);
	fixture_submit(peer, PORT_INFO, 1);
	fixture_run();
	mail = fake_transport_answer(fake_transport_sent(&t.fake, 0), 0);
	fake_transport_post(&t.fake, &mail);
	t.now += 60 * 1000;
	fixture_run();
	CHECK_EQUAL(t.ended, 1);
	CHECK_EQUAL(t.ends[0].result, 0);
	fixture_answer(1, 0);
	CHECK_EQUAL(t.ended, 2);
	CHECK_EQUAL(t.ends[1].result, 0);
	peer_close(peer);
	fixture_end();
}

/* Nor is a probe lost by that. */
static void test_stopped_in_doubt(void)
{
	struct peer *peer;

	fixture_begin(4, 1);
	peer = fixture_self(4);
	fixture_submit(peer, PORT_INFO, 0);
	fixture_advance(FIXTURE_TIMEOUT / 2);
	CHECK_EQUAL(fixture_head(1).attribute, NODE_INFO);
	for (unsigned i = 0; i < 5; i++) {
		t.now += 60 * 1000;
		fixture_run();
	}
	CHECK_EQUAL(t.fake.count, 2);
	CHECK_EQUAL(t.ended, 0);
	t.delay_of = soon;
	fixture_answer(1, 0);
	fixture_advance(FIXTURE_TIMEOUT);
	CHECK_EQUAL(t.ended, 1);
	CHECK_EQUAL(t.ends[0].result, -ETIMEDOUT);
	CHECK_EQUAL(logged_with("does not answer"), 0);
	peer_close(peer);
	fixture_end();
}

/* A flood of strange MADs holds up nothing, and what was lost with it is asked for again. */
static void test_flood(void)
{
	struct peer *peer;

	fixture_begin(4, 2);
	peer = fixture_self(4);
	fixture_submit(peer, PORT_INFO, 0);
	fixture_run();
	for (unsigned i = 0; i < 2 * MAILBOX_CAPACITY; i++) {
		const struct mail mail = {.kind = MAIL_MAD, .size = MAD_SIZE};

		fake_transport_post(&t.fake, &mail);
	}
	fixture_answer(0, 0);
	CHECK_EQUAL(t.ended, 0);
	CHECK_EQUAL(engine_strange(t.engine), MAILBOX_CAPACITY);
	CHECK_EQUAL(logged_with("received MADs were dropped"), 1);
	t.delay_of = soon;
	fixture_advance(1000);
	CHECK_EQUAL(t.ended, 1);
	CHECK_EQUAL(t.ends[0].result, 0);
	peer_close(peer);
	fixture_end();
}

static const struct unit_test tests[] = {
	{"a completion may submit again", test_chain},
	{"a completion may ask another peer", test_ask_another},
	{"a completion may close its peer, and others", test_close},
	{"a peer that moved is asked at its new address", test_move},
	{"a peer that is reached by another route", test_another_route},
	{"who listens may cease to while it hears", test_listen},
	{"as many listeners as there is room for", test_listeners},
	{"without transport, or one that hears nothing", test_deaf},
	{"what came while the process was stopped", test_stopped},
	{"a probe while the process was stopped", test_stopped_in_doubt},
	{"a flood of MADs", test_flood},
};

int main(void)
{
	return UNIT_MAIN("engine: calls", tests);
}
