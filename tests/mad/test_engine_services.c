// SPDX-License-Identifier: BSD-2-Clause
/* Requests to general services, whose agents are not probed, and what comes unasked. In virtual time. */
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/mad/engine.h"
#include "tests/fakes/fake_transport.h"
#include "tests/unit.h"

enum {
	TIMEOUT = 400,
	TRIES = 2,
	LID = 7,
	SL = 5,
	START = 1000,
	ATTRIBUTE = 0x12,
	MODIFIER = 0x01020304,
	MAX_ROUNDS = 1000
};

static struct {
	struct engine *engine;
	struct peer *peer;
	struct fake_transport fake;
	uint64_t now;
	uint64_t wake;
	unsigned done;
	struct engine_result result; /* of the last; its data are not kept */
	uint8_t data[8];
	unsigned heard;
	struct engine_received received; /* the last that was heard; its MAD is not kept */
} t;

static void begin(uint8_t class)
{
	const struct engine_config config = {.port = 1, .window = 16, .timeout_ms = 250, .tries = 1};
	const struct engine_address address = {.route = ENGINE_LID, .lid = LID, .sl = SL};

	memset(&t, 0, sizeof(t));
	t.now = START;
	t.engine = engine_open(&config);
	fake_transport_attach(&t.fake, t.engine);
	t.peer = peer_open(t.engine, class, &address, 4);
}

static void end(void)
{
	peer_close(t.peer);
	engine_close(t.engine);
	CHECK(t.fake.closed);
}

/* Let time pass, with a round whenever one is due. */
static void run(uint64_t ms)
{
	uint64_t until = t.now + ms;
	unsigned rounds = 0;

	t.wake = engine_process(t.engine, t.now);
	for (; t.now < until && rounds < MAX_ROUNDS; rounds++) {
		t.now = t.wake < until ? t.wake : until;
		t.wake = engine_process(t.engine, t.now);
	}
	CHECK(rounds < MAX_ROUNDS);
}

static void take_done(void *arg, const struct engine_result *result)
{
	CHECK(arg == &t);
	t.done++;
	t.result = *result;
	if (result->data)
		memcpy(t.data, result->data, sizeof(t.data));
}

static struct engine_request request(void)
{
	static const uint8_t data[3] = {1, 2, 3};

	return (struct engine_request){
		.method = MAD_SET,
		.attribute = ATTRIBUTE,
		.modifier = MODIFIER,
		.data = data,
		.size = sizeof(data),
		.timeout_ms = TIMEOUT,
		.tries = TRIES,
		.done = take_done,
		.arg = &t,
	};
}

static void submit(enum engine_priority priority)
{
	struct engine_request wanted = request();

	wanted.priority = priority;
	CHECK_EQUAL(peer_submit(t.peer, &wanted, t.now, NULL), 0);
	run(0);
}

static void answer(unsigned i, uint16_t status)
{
	struct mail mail = fake_transport_answer(fake_transport_sent(&t.fake, i), status);

	fake_transport_post(&t.fake, &mail);
	run(0);
}

static void lose(unsigned i)
{
	struct mail mail = fake_transport_unanswered(fake_transport_sent(&t.fake, i));

	fake_transport_post(&t.fake, &mail);
	run(0);
}

/* ---- requests ---- */

static void check_sent(const struct fake_sent *sent, uint8_t class, uint8_t version, unsigned data_at)
{
	const uint8_t header[8] = {1, class, version, MAD_SET};
	const uint8_t attribute[8] = {0, ATTRIBUTE, 0, 0, 1, 2, 3, 4};
	static const uint8_t zeros[MAD_SIZE];
	const uint8_t *mad = sent->packet.mad;

	CHECK_OCTETS(mad, header, sizeof(header));
	CHECK_EQUAL(wire_get32(mad + 8), 0); /* the kernel's half of the transaction id */
	CHECK(wire_get32(mad + 12) != 0);
	CHECK_OCTETS(mad + 16, attribute, sizeof(attribute));
	CHECK_OCTETS(mad + 24, zeros, data_at - 24);
	CHECK_OCTETS(mad + data_at, ((const uint8_t[]){1, 2, 3}), 3);
	CHECK_OCTETS(mad + data_at + 3, zeros, MAD_SIZE - data_at - 3);
	CHECK_EQUAL(sent->packet.lid, LID);
	CHECK_EQUAL(sent->packet.sl, SL);
}

/* IBA 13.4.3, 15.2.1, 16.1.1, 16.3.1 */
static void test_layouts(void)
{
	static const struct {
		uint8_t class, version;
		unsigned data_at;
	} classes[] = {{MAD_CLASS_SA, 2, 56}, {MAD_CLASS_PERF, 1, 64}};

	for (size_t i = 0; i < UNIT_COUNT(classes); i++) {
		unit_case("class 0x%02x", classes[i].class);
		begin(classes[i].class);
		submit(ENGINE_MANAGER);
		CHECK_EQUAL(t.fake.count, 1);
		check_sent(fake_transport_last(&t.fake), classes[i].class, classes[i].version,
		           classes[i].data_at);
		CHECK_EQUAL(fake_transport_last(&t.fake)->timeout_ms, TIMEOUT);
		answer(0, 0);
		CHECK_EQUAL(t.done, 1);
		CHECK_EQUAL(t.result.error, 0);
		CHECK_EQUAL(t.result.size, MAD_SIZE - classes[i].data_at);
		CHECK_OCTETS(t.data, ((const uint8_t[]){1, 2, 3, 0}), 4);
		end();
	}
}

/* Nothing but the requests themselves is sent to an agent that answers none. */
static void test_lost(void)
{
	begin(MAD_CLASS_SA);
	submit(ENGINE_MANAGER);
	run(TIMEOUT);
	lose(0);
	CHECK_EQUAL(t.fake.count, 2);
	CHECK_EQUAL(t.done, 0);
	run(TIMEOUT + TIMEOUT / 4); /* nor does the transport report it */
	CHECK_EQUAL(t.done, 1);
	CHECK_EQUAL(t.result.error, -ETIMEDOUT);
	CHECK_EQUAL(t.fake.count, 2);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	CHECK_EQUAL(peer_state(t.peer), PEER_UNKNOWN);
	end();
}

/* What cannot be sent has had its try, and that is known at once. */
static void test_unsendable(void)
{
	static const int errors[] = {-ENODEV, -EIO, -EBUSY};

	for (size_t i = 0; i < UNIT_COUNT(errors); i++) {
		unit_case("%s", strerror(-errors[i]));
		begin(MAD_CLASS_SA);
		t.fake.result = errors[i];
		struct engine_request wanted = request();

		wanted.tries = 1;
		CHECK_EQUAL(peer_submit(t.peer, &wanted, t.now, NULL), 0);
		for (unsigned n = 0; n < 3 && !t.done; n++) {
			run(0);
			CHECK(t.done || t.wake == t.now);
		}
		CHECK_EQUAL(t.done, 1);
		CHECK_EQUAL(t.result.error, errors[i]);
		run(20000);
		CHECK_EQUAL(engine_lost(t.engine), 0); /* that is for QP0 to say */
		end();
	}
}

/* Busy is tried again, and is the answer of the last try. */
static void test_busy(void)
{
	begin(MAD_CLASS_SA);
	submit(ENGINE_MANAGER);
	answer(0, MAD_STATUS_BUSY);
	CHECK_EQUAL(t.done, 0);
	run(TIMEOUT);
	CHECK_EQUAL(t.fake.count, 2);
	answer(1, MAD_STATUS_BUSY);
	CHECK_EQUAL(t.done, 1);
	CHECK_EQUAL(t.result.error, 0);
	CHECK_EQUAL(t.result.status, MAD_STATUS_BUSY);
	end();
}

/* Unless busy is what was asked for; of classes with probes, too. */
static void test_busy_that_ends(void)
{
	static const uint8_t classes[] = {MAD_CLASS_DEVICE, MAD_CLASS_SM};

	for (unsigned i = 0; i < UNIT_COUNT(classes); i++) {
		struct engine_request wanted = request();

		begin(classes[i]);
		wanted.busy_ends = true;
		CHECK_EQUAL(peer_submit(t.peer, &wanted, t.now, NULL), 0);
		run(0);
		answer(0, MAD_STATUS_BUSY);
		CHECK_EQUAL(t.done, 1);
		CHECK_EQUAL(t.result.error, 0);
		CHECK_EQUAL(t.result.status, MAD_STATUS_BUSY);
		end();
	}
}

/* Who asks decides how often, also where there is no answer. */
static void test_background(void)
{
	begin(MAD_CLASS_PERF);
	for (unsigned i = 0; i < 20; i++) {
		submit(ENGINE_BACKGROUND);
		CHECK_EQUAL(t.fake.count, 2 * i + 1);
		run(TIMEOUT);
		lose(2 * i);
		run(TIMEOUT);
		lose(2 * i + 1);
		CHECK_EQUAL(t.done, i + 1);
	}
	end();
}

/* ---- requests that nobody waits for ---- */

static void test_send(void)
{
	struct engine_request wanted = request();

	begin(MAD_CLASS_SA);
	submit(ENGINE_MANAGER);
	CHECK_EQUAL(peer_send(t.peer, &wanted), 0);
	CHECK_EQUAL(t.fake.count, 2);
	check_sent(fake_transport_last(&t.fake), MAD_CLASS_SA, 2, 56);
	CHECK_EQUAL(fake_transport_last(&t.fake)->timeout_ms, 0);
	CHECK(memcmp(t.fake.sent[0].packet.mad + 8, t.fake.sent[1].packet.mad + 8, 8) != 0);
	answer(1, 0); /* of which nobody hears */
	CHECK_EQUAL(t.done, 0);
	CHECK_EQUAL(engine_strange(t.engine), 1);
	answer(0, 0);
	CHECK_EQUAL(t.done, 1);
	t.fake.result = -EAGAIN;
	CHECK_EQUAL(peer_send(t.peer, &wanted), -EAGAIN);
	t.fake.result = -EBUSY;
	CHECK_EQUAL(peer_send(t.peer, &wanted), -EBUSY);
	wanted.size = 201;
	CHECK_EQUAL(peer_send(t.peer, &wanted), -EINVAL);
	end();
}

/* ---- what comes unasked ---- */

static void hear(void *arg, const struct engine_received *received)
{
	CHECK(arg == &t);
	t.heard++;
	t.received = *received;
	engine_reply(t.engine, received, MAD_REPORT | MAD_RESPONSE);
}

static struct mail report(void)
{
	return (struct mail){.kind = MAIL_MAD,
	                     .slid = LID,
	                     .sl = SL,
	                     .size = 136,
	                     .mad = {1, 3, 2, MAD_REPORT, 0, 9, [8] = 0, 0, 0, 5, 0, 0, 0, 6, 0, 2}};
}

static void post(struct mail mail)
{
	fake_transport_post(&t.fake, &mail);
	run(0);
}

static void test_unasked(void)
{
	begin(MAD_CLASS_SA);
	post(report());
	CHECK_EQUAL(engine_strange(t.engine), 1);
	t.fake.refusal = -EBUSY;
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_SA, MAD_REPORT, hear, &t), -EBUSY);
	t.fake.refusal = 0;
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_SA, MAD_REPORT, hear, &t), 0);
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_SA, MAD_REPORT, hear, &t), -EBUSY);
	CHECK_EQUAL(t.fake.class, MAD_CLASS_SA);
	CHECK_EQUAL(t.fake.method, MAD_REPORT);
	post(report());
	CHECK_EQUAL(t.heard, 1);
	CHECK_EQUAL(t.received.slid, LID);
	CHECK_EQUAL(t.received.sl, SL);
	CHECK_EQUAL(t.received.size, 136);
	CHECK_EQUAL(t.received.head.attribute, 2);
	CHECK_EQUAL((uint32_t)t.received.head.tid, 6);
	CHECK_EQUAL(t.fake.count, 1);
	CHECK_OCTETS(t.fake.sent[0].packet.mad,
	             ((const uint8_t[]){1, 3, 2, 0x86, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 6, 0, 2}), 18);
	CHECK_EQUAL(t.fake.sent[0].packet.lid, LID);
	CHECK_EQUAL(t.fake.sent[0].packet.sl, SL);
	CHECK_EQUAL(t.fake.sent[0].timeout_ms, 0);
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_SA, MAD_REPORT, NULL, NULL), 0);
	CHECK_EQUAL(t.fake.stopped, 1);
	post(report());
	CHECK_EQUAL(t.heard, 1);
	end();
}

struct patch {
	const char *name;
	unsigned at;
	uint8_t value;
	uint16_t size;
};

/* What is none of those that are listened to. */
static void test_others(void)
{
	static const struct patch patches[] = {
		{"base version 2", 0, 2, 256}, {"class version 1", 2, 1, 256}, {"class version 3", 2, 3, 256},
		{"another class", 1, 4, 256},  {"ReportResp", 3, 0x86, 256},   {"Trap", 3, 0x05, 256},
		{"no header", 0, 1, 23},
	};
	struct mail mail;

	begin(MAD_CLASS_SA);
	CHECK_EQUAL(engine_listen(t.engine, MAD_CLASS_SA, MAD_REPORT, hear, &t), 0);
	for (size_t i = 0; i < UNIT_COUNT(patches); i++) {
		unit_case("%s", patches[i].name);
		mail = report();
		mail.mad[patches[i].at] = patches[i].value;
		mail.size = patches[i].size;
		post(mail);
		CHECK_EQUAL(t.heard, 0);
		CHECK_EQUAL(engine_strange(t.engine), i + 1);
	}
	unit_case("one that came back");
	mail = report();
	mail.status = ETIMEDOUT;
	post(mail);
	CHECK_EQUAL(t.heard, 0);
	end();
}

/* Answers to what was not asked, or not so. */
static void test_strange_answers(void)
{
	static const struct patch patches[] = {
		{"another transaction", 14, 0x40, 0}, {"another try", 15, 0x01, 0},
		{"transaction 0", 14, 0, 0},          {"another attribute", 17, 0x1D, 0},
		{"another modifier", 20, 2, 0},       {"another class", 1, 4, 0},
		{"the request", 3, MAD_SET, 0},       {"another method", 3, 0x86, 0},
	};
	struct mail mail;

	begin(MAD_CLASS_SA);
	submit(ENGINE_MANAGER);
	for (size_t i = 0; i < UNIT_COUNT(patches); i++) {
		unit_case("%s", patches[i].name);
		mail = fake_transport_answer(fake_transport_last(&t.fake), 0);
		mail.mad[patches[i].at] = patches[i].value;
		post(mail);
		CHECK_EQUAL(t.done, 0);
	}
	unit_case("another LID");
	mail = fake_transport_answer(fake_transport_last(&t.fake), 0);
	mail.slid++;
	post(mail);
	CHECK_EQUAL(t.done, 0);
	unit_case("the half of the kernel");
	mail.slid--;
	mail.mad[9] = 5;
	post(mail);
	CHECK_EQUAL(t.done, 1);
	post(mail); /* once only */
	CHECK_EQUAL(t.done, 1);
	end();
}

static const struct unit_test tests[] = {
	{"layouts of classes", test_layouts},
	{"lost", test_lost},
	{"not sent", test_unsendable},
	{"busy", test_busy},
	{"busy that ends a request", test_busy_that_ends},
	{"in the background", test_background},
	{"nobody waits for it", test_send},
	{"what comes unasked", test_unasked},
	{"what is not listened to", test_others},
	{"answers to nothing", test_strange_answers},
};

int main(void)
{
	return UNIT_MAIN("engine services", tests);
}
