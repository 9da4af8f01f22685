// SPDX-License-Identifier: BSD-2-Clause
/* What an engine sends, where to, and what it takes for an answer. */
#include <errno.h>
#include <string.h>

#include "tests/mad/engine_fixture.h"
#include "tests/unit.h"

enum { AT_CLASS = 1, AT_METHOD = 3, AT_STATUS = 4, AT_KEY = 24, AT_SA_KEY = 36, AT_PATH = 128, LID = 12 };

static const uint8_t classes[] = {MAD_CLASS_SM, MAD_CLASS_SA, MAD_CLASS_PERF, MAD_CLASS_DEVICE};

static const struct packet *packet(unsigned i)
{
	return &fake_transport_sent(&t.fake, i)->packet;
}

/* ---- where it goes ---- */

/* IBA 14.2.2: at both ends of a directed route the LIDs are permissive. */
static void test_routes(void)
{
	struct peer *peers[3];

	fixture_begin(4, 1);
	peers[0] = fixture_peer(MAD_CLASS_SM, ENGINE_SELF, 0, 1);
	peers[1] = fixture_peer(MAD_CLASS_SM, ENGINE_ROUTED, 0, 1);
	peers[2] = fixture_peer(MAD_CLASS_SM, ENGINE_LID, LID, 1);
	for (unsigned i = 0; i < UNIT_COUNT(peers); i++) {
		fixture_submit(peers[i], NODE_INFO, i);
		fixture_run();
		CHECK_EQUAL(packet(i)->lid, i == 2 ? LID : MAD_PERMISSIVE_LID);
		CHECK_EQUAL(packet(i)->sl, i == 2 ? FIXTURE_SL : 0);
		CHECK_EQUAL(fixture_head(i).class, i == 2 ? MAD_CLASS_SM : MAD_CLASS_SM_DIRECTED);
		CHECK_EQUAL(fixture_head(i).modifier, i);
	}
	CHECK_OCTETS(packet(0)->mad + AT_STATUS, "\0\0\0\0", 4); /* status, hop pointer and count */
	CHECK_OCTETS(packet(0)->mad + AT_KEY + 8, "\xFF\xFF\xFF\xFF", 4);
	CHECK_OCTETS(packet(1)->mad + AT_STATUS, "\0\0\0\2", 4);
	CHECK_OCTETS(packet(1)->mad + AT_KEY + 8, "\xFF\xFF\xFF\xFF", 4);
	CHECK_OCTETS(packet(1)->mad + AT_PATH, "\0\5\x9\0", 4);
	for (unsigned i = 0; i < UNIT_COUNT(peers); i++)
		peer_close(peers[i]);
	fixture_end();
}

/* General services are LID-routed, and no request takes more data than fits, or more tries than are counted.
 */
static void test_invalid(void)
{
	static const uint8_t data[MAD_SIZE];

	for (size_t i = 0; i < UNIT_COUNT(classes); i++) {
		const struct mad_class *class = mad_class_find(classes[i]);

		for (enum engine_route route = ENGINE_SELF; route <= ENGINE_ROUTED; route++) {
			struct engine_request request = fixture_get(NODE_INFO, 0);
			int rc = class->qp == 0 || route == ENGINE_LID ? 0 : -EINVAL;
			struct peer *peer;

			fixture_begin(4, 1);
			unit_case("class 0x%02x, route %d", class->id, route);
			peer = fixture_peer(class->id, route, LID, 4);
			request.data = data;
			request.size = class->data_size;
			CHECK_EQUAL(peer_submit(peer, &request, t.now, NULL), rc);
			request.size++;
			CHECK_EQUAL(peer_submit(peer, &request, t.now, NULL), -EINVAL);
			request.size = 0;
			request.tries = ENGINE_TRIES;
			CHECK_EQUAL(peer_submit(peer, &request, t.now, NULL), rc);
			request.tries++;
			CHECK_EQUAL(peer_submit(peer, &request, t.now, NULL), -EINVAL);
			peer_close(peer);
			CHECK_EQUAL(t.ended, rc ? 0 : 2);
			fixture_end();
		}
	}
}

/* ---- what goes with it ---- */

/* A Set is answered by a GetResp (IBA 13.4.5). */
static void test_set(void)
{
	uint8_t data[] = {9, 8, 7};
	struct engine_request request;
	struct peer *peer;

	fixture_begin(4, 1);
	peer = fixture_lid(LID, 1);
	request = fixture_get(PORT_INFO, 4);
	request.method = MAD_SET;
	request.data = data;
	request.size = sizeof(data);
	CHECK_EQUAL(peer_submit(peer, &request, t.now, NULL), 0);
	memset(data, 0, sizeof(data)); /* it was copied */
	fixture_run();
	CHECK_EQUAL(fixture_head(0).method, MAD_SET);
	CHECK_OCTETS(packet(0)->mad + 64, "\x09\x08\x07\0", 4);
	fixture_answer(0, 0);
	CHECK_EQUAL(t.ended, 1);
	CHECK_EQUAL(t.ends[0].result, 0);
	CHECK_EQUAL(t.ends[0].octet, 9);
	peer_close(peer);
	fixture_end();
}

static void test_keys(void)
{
	static const uint8_t key[8] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
	static const uint8_t none[8];
	static const unsigned places[] = {AT_KEY, AT_SA_KEY, 0, 0};

	for (size_t i = 0; i < UNIT_COUNT(classes); i++) {
		unsigned at = places[i] ? places[i] : AT_KEY;
		struct engine_request request = fixture_get(NODE_INFO, 0);
		struct peer *peer;

		fixture_begin(4, 1);
		unit_case("class 0x%02x", classes[i]);
		peer = fixture_peer(classes[i], ENGINE_LID, LID, 4);
		peer_set_key(peer, 0x1122334455667788);
		peer_submit(peer, &request, t.now, NULL);
		request.keyless = true;
		peer_submit(peer, &request, t.now, NULL);
		fixture_run();
		CHECK_OCTETS(packet(0)->mad + at, places[i] ? key : none, sizeof(key));
		CHECK_OCTETS(packet(1)->mad + at, none, sizeof(key));
		peer_close(peer);
		fixture_end();
	}
}

/* ---- transaction ids ---- */

/* They differ in their lower half, of which none is 0, also when the count begins again. */
static void test_ids(void)
{
	static const uint32_t starts[] = {0, 0xFFFFF800, 0xFFFFFF00};

	for (size_t s = 0; s < UNIT_COUNT(starts); s++) {
		struct peer *peer;

		fixture_begin(16, 1);
		unit_case("from 0x%x", starts[s]);
		t.engine->last_tid = starts[s];
		peer = fixture_self(16);
		for (unsigned i = 0; i < 16; i++)
			fixture_submit(peer, PORT_INFO, i);
		fixture_run();
		CHECK_EQUAL(t.fake.count, 16);
		for (unsigned i = 0; i < 16; i++) {
			CHECK(fixture_head(i).tid != 0 && fixture_head(i).tid <= UINT32_MAX);
			for (unsigned j = 0; j < i; j++)
				CHECK(fixture_head(i).tid != fixture_head(j).tid);
		}
		for (unsigned i = 16; i > 0; i--)
			fixture_answer(i - 1, 0);
		for (unsigned i = 0; i < 16; i++)
			CHECK(t.ends[i].modifier == 15 - i && t.ends[i].result == 0);
		peer_close(peer);
		fixture_end();
	}
}

/* A request may be tried more often than its id has room for. */
static void test_many_tries(void)
{
	struct peer *peer;

	fixture_begin(1, 1);
	t.engine->last_tid = 0xFFFFFE00;
	peer = fixture_self(1);
	t.fake.result = -EIO;
	fixture_submit(peer, PORT_INFO, 1);
	fixture_advance(300 * FIXTURE_TIMEOUT);
	t.fake.result = 0;
	t.delay_of = NULL;
	fixture_advance(FIXTURE_TIMEOUT);
	CHECK_EQUAL(t.fake.count, 1);
	CHECK(fixture_head(0).tid != 0);
	fixture_answer(0, 0); /* the probe */
	CHECK_EQUAL(fixture_head(1).attribute, PORT_INFO);
	fixture_answer(1, 0);
	CHECK_EQUAL(t.ended, 1);
	CHECK_EQUAL(t.ends[0].result, 0);
	peer_close(peer);
	fixture_end();
}

/* ---- matching ---- */

struct patch {
	const char *name;
	unsigned at;
	uint8_t value;
	bool answers[2]; /* along a directed route, from a LID */
};

static const struct patch patches[] = {
	{"another base version", 0, 2, {false, false}},
	{"the LID-routed class", 1, 0x01, {false, true}},
	{"the directed class", 1, 0x81, {true, false}},
	{"another class", 1, 0x04, {false, false}},
	{"another class version", 2, 2, {false, false}},
	{"the request", 3, 0x01, {false, false}},
	{"the answer to another method", 3, 0x92, {false, false}},
	{"the D bit", 4, 0x80, {true, true}},
	{"the half of the kernel", 8, 0x55, {true, true}},
	{"another transaction", 14, 0x77, {false, false}},
	{"a later try", 15, 0x01, {false, false}},
	{"another attribute", 17, 0x16, {false, false}},
	{"another modifier", 23, 0x08, {false, false}},
};

static void check_answer(const struct patch *patch, bool lid_routed)
{
	struct peer *peer;
	struct mail mail;

	fixture_begin(4, 1);
	unit_case("%s, %s", patch->name, lid_routed ? "LID" : "directed");
	peer = lid_routed ? fixture_lid(LID, 4) : fixture_self(4);
	fixture_submit(peer, PORT_INFO, 7);
	fixture_run();
	mail = fake_transport_answer(fake_transport_sent(&t.fake, 0), 0);
	mail.mad[patch->at] = patch->value;
	fake_transport_post(&t.fake, &mail);
	fixture_run();
	CHECK_EQUAL(t.ended, patch->answers[lid_routed]);
	CHECK_EQUAL(engine_strange(t.engine), !patch->answers[lid_routed]);
	if (!t.ended)
		fixture_answer(0, 0);
	CHECK_EQUAL(t.ended, 1);
	CHECK_EQUAL(t.ends[0].result, patch->at == AT_STATUS && lid_routed ? patch->value << 8 : 0);
	peer_close(peer);
	fixture_end();
}

static void test_matching(void)
{
	for (size_t i = 0; i < UNIT_COUNT(patches); i++) {
		check_answer(&patches[i], false);
		check_answer(&patches[i], true);
	}
}

/* Where an answer comes from matters only where requests go to a LID. */
static void test_source(void)
{
	for (unsigned lid_routed = 0; lid_routed < 2; lid_routed++) {
		struct peer *peer;
		struct mail mail;

		fixture_begin(4, 1);
		unit_case("%s", lid_routed ? "LID" : "directed");
		peer = lid_routed ? fixture_lid(LID, 4) : fixture_self(4);
		fixture_submit(peer, PORT_INFO, 7);
		fixture_run();
		mail = fake_transport_answer(fake_transport_sent(&t.fake, 0), 0);
		mail.slid = LID + 1;
		fake_transport_post(&t.fake, &mail);
		fixture_run();
		CHECK_EQUAL(t.ended, !lid_routed);
		peer_close(peer);
		fixture_end();
	}
}

/* What is received of the attribute is never more than it has. */
static void test_size(void)
{
	static const struct {
		uint16_t received, of_sm, of_sa;
	} sizes[] = {{24, 0, 0},    {56, 0, 0},    {60, 0, 4},    {64, 0, 8},
	             {100, 36, 44}, {128, 64, 72}, {256, 64, 200}};

	for (size_t i = 0; i < UNIT_COUNT(sizes); i++) {
		struct peer *peers[2];

		fixture_begin(4, 1);
		unit_case("%u bytes", sizes[i].received);
		peers[0] = fixture_lid(LID, 4);
		peers[1] = fixture_peer(MAD_CLASS_SA, ENGINE_LID, LID, 4);
		for (unsigned p = 0; p < 2; p++) {
			struct mail mail;

			fixture_submit(peers[p], PORT_INFO, 7);
			fixture_run();
			mail = fake_transport_answer(fake_transport_sent(&t.fake, p), 0);
			mail.size = sizes[i].received;
			fake_transport_post(&t.fake, &mail);
			fixture_run();
			CHECK_EQUAL(t.ends[p].size, p ? sizes[i].of_sa : sizes[i].of_sm);
			peer_close(peers[p]);
		}
		fixture_end();
	}
}

/* ---- counters ---- */

/* One answer, one status, and one that is closed, for each class; subnet management has two routes. */
static void test_counters(void)
{
	const struct engine_counters once = {.sent = 3, .answered = 1, .refused = 1};
	const struct engine_counters twice = {.sent = 6, .answered = 2, .refused = 2};
	struct engine_counters counters;
	struct peer *peers[UNIT_COUNT(classes) + 1];

	fixture_begin(16, 1);
	for (unsigned p = 0; p < UNIT_COUNT(peers); p++) {
		bool more = p == UNIT_COUNT(classes);

		peers[p] = fixture_peer(more ? MAD_CLASS_SM : classes[p], more ? ENGINE_SELF : ENGINE_LID,
		                        LID, 3);
		for (unsigned i = 0; i < 3; i++)
			fixture_submit(peers[p], PORT_INFO, i);
		fixture_run();
		fixture_answer(3 * p, 0);
		fixture_answer(3 * p + 1, MAD_STATUS_INVALID);
		peer_count(peers[p], &counters);
		CHECK_OCTETS(&counters, &once, sizeof(counters));
	}
	for (size_t i = 0; i < UNIT_COUNT(classes); i++) {
		unit_case("class 0x%02x", classes[i]);
		engine_count(t.engine, classes[i], &counters);
		CHECK_OCTETS(&counters, classes[i] == MAD_CLASS_SM ? &twice : &once, sizeof(counters));
	}
	for (unsigned p = 0; p < UNIT_COUNT(peers); p++)
		peer_close(peers[p]);
	engine_count(t.engine, MAD_CLASS_SA, &counters);
	CHECK_OCTETS(&counters, &once, sizeof(counters));
	fixture_end();
}

static const struct unit_test tests[] = {
	{"the class on the wire, LID and path follow from the address", test_routes},
	{"requests that cannot be sent are refused", test_invalid},
	{"data go with a Set, whose answer is a GetResp", test_set},
	{"the key goes where the class has one", test_keys},
	{"each request has a transaction id of its own", test_ids},
	{"more tries than a transaction id has room for", test_many_tries},
	{"only the answer to the question counts", test_matching},
	{"only the answer of who was asked counts", test_source},
	{"the size of an answer", test_size},
	{"counters of classes and peers", test_counters},
};

int main(void)
{
	return UNIT_MAIN("engine", tests);
}
