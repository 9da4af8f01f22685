// SPDX-License-Identifier: BSD-2-Clause
/* Agents that answer nothing, not everything, or late, and a port that sends nothing. */
#include <errno.h>

#include "tests/logged.h"
#include "tests/mad/engine_fixture.h"
#include "tests/unit.h"

enum { SLOW = 160, MINUTE = 60 * 1000 };

static int never(const struct packet *packet, const struct mad_head *head)
{
	(void)packet;
	(void)head;
	return FIXTURE_NEVER;
}

static int soon(const struct packet *packet, const struct mad_head *head)
{
	(void)packet;
	(void)head;
	return 10;
}

/* All answers come when the next try has been sent, but to PortInfo 13, which is not answered. */
static int late(const struct packet *packet, const struct mad_head *head)
{
	(void)packet;
	return head->attribute == PORT_INFO && head->modifier == 13 ? FIXTURE_NEVER : SLOW;
}

static int all_but_13(const struct packet *packet, const struct mad_head *head)
{
	return late(packet, head) < 0 ? FIXTURE_NEVER : 10;
}

/* ---- how often it is asked ---- */

/* At most four MADs in any minute that no manager waits for, however many are wanted. */
static void test_budget(void)
{
	struct engine_request request = fixture_get(PORT_INFO, 1);
	struct peer *peer;

	fixture_begin(16, FIXTURE_TRIES);
	request.priority = ENGINE_BACKGROUND;
	peer = fixture_self(16);
	t.delay_of = never;
	for (unsigned minute = 1; minute <= 3; minute++) {
		uint64_t last = FIXTURE_START + minute * MINUTE - 1;

		for (; t.now < last; fixture_advance(last - t.now < 250 ? last - t.now : 250))
			peer_submit(peer, &request, t.now, NULL);
		unit_case("minute %u", minute);
		CHECK_EQUAL(t.fake.count, 4 * minute);
	}
	CHECK_EQUAL(logged_with("does not answer"), 1);
	peer_close(peer);
	fixture_end();
}

/* What a manager waits for is asked beyond that. */
static void test_manager_beyond_budget(void)
{
	struct exchange *exchange;
	struct peer *peer;
	unsigned before;

	fixture_begin(16, FIXTURE_TRIES);
	peer = fixture_self(16);
	t.delay_of = never;
	fixture_background(peer, 1);
	fixture_advance(10 * 1000);
	exchange = fixture_background(peer, 2);
	fixture_advance(2 * 1000);
	before = t.fake.count;
	CHECK_EQUAL(t.ended, 1);
	fixture_advance(1000);
	CHECK_EQUAL(t.fake.count, before);
	peer_promote(exchange);
	t.delay_of = soon;
	fixture_advance(100);
	CHECK_EQUAL(t.ended, 2);
	CHECK_EQUAL(t.ends[1].result, 0);
	CHECK_EQUAL(peer_state(peer), PEER_ANSWERING);
	CHECK_EQUAL(logged_with("answers again"), 1);
	peer_close(peer);
	fixture_end();
}

/* What insists is tried in full, as often as it is submitted, and a peer that is hushed says nothing of its
 * silence. */
static void test_insists(void)
{
	struct engine_request request = fixture_get(PORT_INFO, 1);
	struct peer *peers[2];

	fixture_begin(16, FIXTURE_TRIES);
	request.priority = ENGINE_PROMPT;
	request.insists = true;
	t.delay_of = never;
	for (unsigned i = 0; i < 2; i++) {
		peers[i] = fixture_self(16);
		peer_hush(peers[i]);
		CHECK_EQUAL(peer_submit(peers[i], &request, t.now, NULL), 0);
		fixture_advance(5 * 1000);
		CHECK_EQUAL(t.ended, i + 1);
		CHECK_EQUAL(peer_state(peers[i]), PEER_SILENT);
		peer_close(peers[i]);
	}
	CHECK(t.fake.count > 2 * 4);
	CHECK_EQUAL(logged_with("does not answer"), 0);
	fixture_end();
}

/* At another address it may be found. */
static void test_move(void)
{
	struct engine_address address;
	struct peer *peer;

	fixture_begin(4, 1);
	peer = fixture_lid(5, 4);
	t.delay_of = never;
	fixture_submit(peer, PORT_INFO, 1);
	fixture_advance(2000);
	CHECK_EQUAL(t.ends[0].result, -EHOSTDOWN);
	address = *peer_address(peer);
	peer_move(peer, &address);
	CHECK_EQUAL(fixture_submit(peer, PORT_INFO, 2), -EHOSTDOWN);
	address.lid = 6;
	peer_move(peer, &address);
	CHECK_EQUAL(peer_silent_until(peer), 0);
	CHECK_EQUAL(peer_state(peer), PEER_SILENT);
	t.delay_of = soon;
	CHECK_EQUAL(fixture_submit(peer, PORT_INFO, 2), 0);
	fixture_advance(100);
	CHECK_EQUAL(t.ends[1].result, 0);
	CHECK_EQUAL(fake_transport_last(&t.fake)->packet.lid, 6);
	CHECK_EQUAL(peer_state(peer), PEER_ANSWERING);
	peer_close(peer);
	fixture_end();
}

/* The late answer to a probe ends the silence. */
static void test_answer_in_silence(void)
{
	struct peer *peer;
	struct mail mail;

	fixture_begin(4, 1);
	peer = fixture_self(4);
	t.delay_of = never;
	fixture_submit(peer, PORT_INFO, 1);
	fixture_advance(4000);
	CHECK_EQUAL(peer_state(peer), PEER_SILENT);
	mail = fake_transport_answer(fake_transport_last(&t.fake), 0);
	fake_transport_post(&t.fake, &mail);
	fixture_run();
	CHECK_EQUAL(peer_state(peer), PEER_ANSWERING);
	CHECK_EQUAL(fixture_submit(peer, PORT_INFO, 1), 0);
	CHECK_EQUAL(engine_strange(t.engine), 0);
	peer_close(peer);
	fixture_end();
}

/* ---- not silence ---- */

/* A dead attribute ends, also of an agent whose answers always come after the next try. */
static void test_slow_agent(void)
{
	struct peer *peer;

	fixture_begin(4, FIXTURE_TRIES);
	peer = fixture_self(4);
	t.delay_of = late;
	for (uint32_t i = 10; i < 16; i++)
		CHECK_EQUAL(fixture_submit(peer, PORT_INFO, i), 0);
	fixture_advance(60 * 1000);
	CHECK_EQUAL(t.ended, 6);
	for (unsigned i = 0; i < t.ended; i++)
		CHECK_EQUAL(t.ends[i].result, t.ends[i].modifier == 13 ? -ETIMEDOUT : 0);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	CHECK_EQUAL(peer_state(peer), PEER_ANSWERING);
	CHECK(fixture_counters().sent <= 60);
	peer_close(peer);
	fixture_end();
}

/* A peer with nothing to do is not looked at any more, though its probe was overtaken by another answer. */
static void test_forgotten_probe(void)
{
	struct peer *peer;
	struct mail mail;

	fixture_begin(4, FIXTURE_TRIES);
	peer = fixture_self(4);
	fixture_submit(peer, PORT_INFO, 1);
	fixture_advance(FIXTURE_TIMEOUT / 2);
	CHECK_EQUAL(t.fake.count, 2);
	CHECK_EQUAL(fixture_head(1).attribute, NODE_INFO);
	fixture_answer(0, 0);
	CHECK_EQUAL(t.ended, 1);
	fixture_advance(10 * FIXTURE_TIMEOUT);
	CHECK(TAILQ_EMPTY(&t.engine->busy));
	mail = fake_transport_answer(fake_transport_sent(&t.fake, 1), 0);
	fake_transport_post(&t.fake, &mail);
	fixture_run();
	CHECK_EQUAL(engine_strange(t.engine), 1);
	peer_close(peer);
	fixture_end();
}

/* With a probe as the agent's only answers, what is not answered is given up after its tries, spaced. */
static void test_dead_attribute(void)
{
	unsigned sent = 0;
	uint64_t last = 0;
	struct peer *peer;

	fixture_begin(4, 3);
	peer = fixture_self(4);
	t.delay_of = all_but_13;
	fixture_submit(peer, PORT_INFO, 13);
	while (t.now < FIXTURE_START + 5000) {
		unsigned before = t.fake.count;

		fixture_advance(1);
		for (unsigned i = before; i < t.fake.count; i++) {
			if (fixture_head(i).attribute != PORT_INFO)
				continue;
			CHECK(!sent || t.now - last >= FIXTURE_TIMEOUT);
			last = t.now;
			sent++;
		}
	}
	CHECK_EQUAL(sent, 3);
	CHECK_EQUAL(t.ended, 1);
	CHECK_EQUAL(t.ends[0].result, -ETIMEDOUT);
	CHECK_EQUAL(logged_with("does not answer"), 0);
	peer_close(peer);
	fixture_end();
}

/* ---- what cannot be sent ---- */

/* On QP1 that is a lost try, whether or not the class is probed, and no matter of QP0. */
static void test_services_unsent(void)
{
	static const uint8_t classes[] = {MAD_CLASS_SA, MAD_CLASS_PERF, MAD_CLASS_DEVICE};

	for (size_t i = 0; i < UNIT_COUNT(classes); i++) {
		bool is_probed = mad_class_find(classes[i])->probes[0];
		struct peer *peer;
		struct peer *sma;

		fixture_begin(4, FIXTURE_TRIES);
		unit_case("class 0x%02x", classes[i]);
		peer = fixture_peer(classes[i], ENGINE_LID, 5, 4);
		sma = fixture_lid(5, 4);
		t.fake.result = -EIO;
		fixture_submit(peer, PORT_INFO, 1);
		fixture_advance(5000);
		CHECK_EQUAL(t.ended, 1);
		CHECK_EQUAL(t.ends[0].result, is_probed ? -EHOSTDOWN : -EIO);
		CHECK_EQUAL(engine_lost(t.engine), 0);
		t.fake.result = 0;
		t.delay_of = soon;
		fixture_submit(sma, PORT_INFO, 2);
		fixture_run();
		CHECK_EQUAL(fixture_head(0).attribute, PORT_INFO); /* no doubt */
		peer_close(peer);
		peer_close(sma);
		fixture_end();
	}
}

/* While QP0 sends nothing, QP1 may, which may be of another device. */
static void test_only_services(void)
{
	struct peer *dma;
	struct peer *sma;

	fixture_begin(4, FIXTURE_TRIES);
	dma = fixture_peer(MAD_CLASS_DEVICE, ENGINE_LID, 5, 4);
	sma = fixture_lid(5, 4);
	t.fake.result = -EIO;
	fixture_submit(sma, PORT_INFO, 1);
	fixture_run();
	t.fake.result = 0;
	fixture_submit(dma, PORT_INFO, 2);
	fixture_run();
	CHECK_EQUAL(t.fake.count, 1);
	CHECK_EQUAL(fixture_head(0).class, MAD_CLASS_DEVICE);
	CHECK_EQUAL(fixture_head(0).attribute, PORT_INFO);
	peer_close(dma);
	peer_close(sma);
	fixture_end();
}

/* Another program has the class. */
static void test_refused(void)
{
	static const int errors[] = {-EBUSY, -ENOTSUP, -EPROTONOSUPPORT};

	for (size_t i = 0; i < UNIT_COUNT(errors); i++) {
		struct peer *peer;

		fixture_begin(4, FIXTURE_TRIES);
		unit_case("errno %d", -errors[i]);
		peer = fixture_self(4);
		t.fake.result = errors[i];
		for (uint32_t n = 0; n < 10; n++)
			fixture_submit(peer, PORT_INFO, n);
		engine_process(t.engine, t.now); /* none takes a place */
		CHECK_EQUAL(t.ended, 10);
		for (unsigned n = 0; n < t.ended; n++)
			CHECK_EQUAL(t.ends[n].result, errors[i]);
		CHECK_EQUAL(fixture_counters().timed_out, 10);
		CHECK_EQUAL(fixture_counters().sent, 0);
		CHECK_EQUAL(peer_state(peer), PEER_UNKNOWN);
		peer_close(peer);
		fixture_end();
	}
}

/* ---- the port ---- */

/* When a probe cannot be sent, all who have requests find out at once whether the port sends again. */
static void test_port_fails(void)
{
	struct peer *peers[2];

	fixture_begin(4, FIXTURE_TRIES);
	for (uint16_t i = 0; i < 2; i++) {
		peers[i] = fixture_lid(i + 1, 1);
		fixture_submit(peers[i], PORT_INFO, 0);
		fixture_submit(peers[i], PORT_INFO, 1);
	}
	fixture_advance(FIXTURE_TIMEOUT / 4);
	fixture_answer(0, 0);
	t.fake.result = -EIO;
	fixture_advance(FIXTURE_TIMEOUT / 4 - 1);
	t.now++;
	for (unsigned i = 0; i < 9 && engine_process(t.engine, t.now) <= t.now; i++)
		continue;
	CHECK(peers[1]->doubt.is);
	CHECK(peers[0]->doubt.is);
	t.fake.result = 0;
	t.delay_of = soon;
	fixture_advance(2 * FIXTURE_TIMEOUT);
	CHECK_EQUAL(t.ended, 4);
	for (unsigned i = 0; i < 2; i++)
		peer_close(peers[i]);
	fixture_end();
}

static void test_broken(void)
{
	fixture_begin(4, 1);
	fixture_state(MAIL_BROKEN, EIO);
	CHECK_EQUAL(t.wake, FIXTURE_START + 10 * 1000);
	fixture_advance(9 * 1000);
	fixture_state(MAIL_BROKEN, ENODEV); /* still, and for another reason */
	fixture_advance(999);
	CHECK_EQUAL(engine_lost(t.engine), 0);
	fixture_advance(1);
	CHECK_EQUAL(engine_lost(t.engine), ENODEV);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	fixture_state(MAIL_RESTORED, 0);
	CHECK_EQUAL(engine_lost(t.engine), 0);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	fixture_state(MAIL_BROKEN, EIO);
	CHECK_EQUAL(t.wake, t.now + 10 * 1000);
	CHECK_EQUAL(logged_with("cannot be read"), 3);
	CHECK_EQUAL(logged_with("can be read again"), 1);
	fixture_end();
}

static const struct unit_test tests[] = {
	{"a silent agent gets four MADs a minute", test_budget},
	{"a manager does not wait for the next minute", test_manager_beyond_budget},
	{"what insists", test_insists},
	{"a silent agent that moved is asked at once", test_move},
	{"a late answer ends the silence", test_answer_in_silence},
	{"an attribute that a slow agent does not answer", test_slow_agent},
	{"a probe that another answer overtook is forgotten", test_forgotten_probe},
	{"an attribute that is not answered is no silence", test_dead_attribute},
	{"general services that cannot be sent", test_services_unsent},
	{"general services while subnet management cannot be sent", test_only_services},
	{"a class that another program has", test_refused},
	{"a port that sends nothing any more", test_port_fails},
	{"a port that cannot be read", test_broken},
};

int main(void)
{
	return UNIT_MAIN("engine: silence", tests);
}
