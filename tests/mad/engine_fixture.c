// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sma/clock.h"
#include "tests/logged.h"
#include "tests/mad/engine_fixture.h"
#include "tests/unit.h"

enum { MAX_ROUNDS = 64 /* without time passing */ };

struct fixture t;

static void send_answer(const struct fake_sent *sent)
{
	struct mad_head head;
	int delay;

	if (mad_read_head(sent->packet.mad, MAD_SIZE, &head) < 0 || !t.delay_of)
		return;
	delay = t.delay_of(&sent->packet, &head);
	if (delay < 0 || !CHECK(t.coming_count < FIXTURE_COMING))
		return;
	t.coming[t.coming_count].at = t.now + (unsigned)delay;
	t.coming[t.coming_count++].mail = fake_transport_answer(sent, 0);
}

void fixture_begin(unsigned window, unsigned tries)
{
	memset(&t, 0, sizeof(t));
	logged_start(false);
	t.config = (struct engine_config){
		.port = 1, .window = window, .timeout_ms = FIXTURE_TIMEOUT, .tries = tries};
	t.now = FIXTURE_START;
	t.engine = engine_open(&t.config);
	fake_transport_attach(&t.fake, t.engine);
	t.fake.on_send = send_answer;
	fixture_run();
}

void fixture_end(void)
{
	engine_close(t.engine);
	CHECK(t.fake.closed);
	logged_stop();
}

struct peer *fixture_peer(uint8_t class, enum engine_route route, uint16_t lid, unsigned limit)
{
	const struct engine_address address = {
		.route = route, .lid = lid, .sl = FIXTURE_SL, .hops = 2, .path = {0, 5, 9}};

	return peer_open(t.engine, class, &address, limit);
}

struct peer *fixture_self(unsigned limit)
{
	return fixture_peer(MAD_CLASS_SM, ENGINE_SELF, 0, limit);
}

struct peer *fixture_lid(uint16_t lid, unsigned limit)
{
	return fixture_peer(MAD_CLASS_SM, ENGINE_LID, lid, limit);
}

/* ---- requests ---- */

void fixture_done(void *arg, const struct engine_result *result)
{
	if (!CHECK(t.ended < FIXTURE_ENDS))
		return;
	t.ends[t.ended++] = (struct fixture_end){.modifier = arg ? *(const uint32_t *)arg : 0,
	                                         .result = result->error ? result->error : result->status,
	                                         .size = result->size,
	                                         .octet = result->data ? result->data[0] : 0,
	                                         .at = t.now};
}

struct engine_request fixture_get(uint16_t attribute, uint32_t modifier)
{
	uint32_t *kept = &t.asked[t.asked_count++ % FIXTURE_ENDS];

	*kept = modifier;
	return (struct engine_request){.method = MAD_GET,
	                               .attribute = attribute,
	                               .modifier = modifier,
	                               .done = fixture_done,
	                               .arg = kept};
}

int fixture_submit(struct peer *peer, uint16_t attribute, uint32_t modifier)
{
	const struct engine_request request = fixture_get(attribute, modifier);

	return peer_submit(peer, &request, t.now, NULL);
}

struct exchange *fixture_background(struct peer *peer, uint32_t modifier)
{
	struct engine_request request = fixture_get(PORT_INFO, modifier);
	struct exchange *exchange = NULL;

	request.priority = ENGINE_BACKGROUND;
	CHECK_EQUAL(peer_submit(peer, &request, t.now, &exchange), 0);
	return exchange;
}

/* ---- time ---- */

/* Post what has come by now; whether anything has. */
static bool deliver(void)
{
	unsigned left = 0;
	bool any = false;

	for (unsigned i = 0; i < t.coming_count; i++) {
		if (t.coming[i].at <= t.now) {
			fake_transport_post(&t.fake, &t.coming[i].mail);
			any = true;
		} else {
			t.coming[left++] = t.coming[i];
		}
	}
	t.coming_count = left;
	return any;
}

static uint64_t next_coming(void)
{
	uint64_t next = UINT64_MAX;

	for (unsigned i = 0; i < t.coming_count; i++)
		next = sma_earlier(next, t.coming[i].at);
	return next;
}

void fixture_run(void)
{
	unsigned rounds = 0;
	unsigned sent;

	do {
		deliver();
		t.wake = engine_process(t.engine, t.now);
	} while ((deliver() || t.wake <= t.now) && ++rounds < MAX_ROUNDS);
	CHECK(rounds < MAX_ROUNDS);
	sent = t.fake.count;
	CHECK_EQUAL(engine_process(t.engine, t.now), t.wake); /* one more does nothing */
	CHECK_EQUAL(t.fake.count, sent);
}

void fixture_advance(uint64_t ms)
{
	uint64_t stop = t.now + ms;

	fixture_run();
	while (t.now < stop) {
		uint64_t next = sma_earlier(next_coming(), t.wake);

		t.now = next <= t.now ? t.now + 1 : sma_earlier(next, stop);
		fixture_run();
	}
}

/* ---- MADs ---- */

struct mad_head fixture_head(unsigned i)
{
	struct mad_head head = {0};

	CHECK(i < t.fake.count &&
	      mad_read_head(fake_transport_sent(&t.fake, i)->packet.mad, MAD_SIZE, &head) == 0);
	return head;
}

void fixture_answer(unsigned i, uint16_t status)
{
	struct mail mail = fake_transport_answer(fake_transport_sent(&t.fake, i), status);

	fake_transport_post(&t.fake, &mail);
	fixture_run();
}

void fixture_return(unsigned i)
{
	struct mail mail = fake_transport_unanswered(fake_transport_sent(&t.fake, i));

	fake_transport_post(&t.fake, &mail);
	fixture_run();
}

void fixture_state(enum mail_kind kind, int error)
{
	const struct mail mail = {.kind = kind, .status = error};

	fake_transport_post(&t.fake, &mail);
	fixture_run();
}

struct engine_counters fixture_counters(void)
{
	struct engine_counters counters;

	engine_count(t.engine, MAD_CLASS_SM, &counters);
	return counters;
}
