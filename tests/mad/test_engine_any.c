// SPDX-License-Identifier: BSD-2-Clause
/* Many agents with random faults, each of which is always asked for something, in virtual time: no manager
 * starves, and counters agree. */
#include <errno.h>
#include <stdlib.h>

#include "tests/mad/engine_fixture.h"
#include "tests/unit.h"

enum {
	PEERS = 30,
	WINDOW = 8,
	LIMIT = 2,
	EACH = 8,          /* requests of a peer at any time */
	RUN_MS = 20000,    /* for so long */
	LONGEST_MS = 15000 /* that a manager waits for who answers now and then */
};

enum nature { HEALTHY, LOSSY, SLOW, DEAD, FLAPPING, NATURES };

struct question {
	struct peer *peer;
	unsigned number; /* of the peer */
	bool open;
	bool is_background;
	uint64_t asked;
};

static struct {
	struct peer *peers[PEERS];
	enum nature natures[PEERS];
	unsigned answered[PEERS];
	struct question questions[PEERS * EACH];
	uint64_t stop;
	uint64_t submitted;
	uint64_t ended;
	uint64_t lost;
	uint64_t longest;
} p;

static int delay_of(const struct packet *packet, const struct mad_head *head)
{
	int delay = 1 + rand() % 20;

	(void)head;
	switch (p.natures[packet->lid - 1]) {
	case HEALTHY:
		return delay;
	case LOSSY:
		return rand() % 4 ? delay : FIXTURE_NEVER;
	case SLOW:
		return FIXTURE_TIMEOUT + 5 * delay;
	case FLAPPING:
		return t.now / 1000 % 2 ? delay : FIXTURE_NEVER;
	default:
		return FIXTURE_NEVER;
	}
}

static void ask(struct question *question);

static void take_end(void *arg, const struct engine_result *result)
{
	struct question *question = arg;
	uint64_t took = t.now - question->asked;

	CHECK(question->open);
	question->open = false;
	p.ended++;
	p.lost += result->error != 0;
	p.answered[question->number] += result->error == 0;
	if (took > p.longest && p.natures[question->number] < DEAD && !question->is_background)
		p.longest = took;
	CHECK(result->error == 0 || result->error == -ETIMEDOUT || result->error == -EHOSTDOWN);
	CHECK(result->error == 0 || p.natures[question->number] != HEALTHY);
	if (t.now < p.stop && result->error == 0)
		ask(question);
}

static void ask(struct question *question)
{
	struct engine_request request = fixture_get(PORT_INFO, (uint32_t)(question - p.questions));

	question->is_background = rand() % 8 == 0;
	request.priority = question->is_background ? ENGINE_BACKGROUND : ENGINE_MANAGER;
	request.done = take_end;
	request.arg = question;
	question->asked = t.now;
	question->open = peer_submit(question->peer, &request, t.now, NULL) == 0;
	p.submitted += question->open;
}

static void check_counters(void)
{
	struct engine_counters all = fixture_counters();
	struct engine_counters sum = {0};

	for (unsigned i = 0; i < PEERS; i++) {
		struct engine_counters counters;

		peer_count(p.peers[i], &counters);
		sum.sent += counters.sent;
		sum.answered += counters.answered;
		sum.refused += counters.refused;
		sum.timed_out += counters.timed_out;
	}
	CHECK_OCTETS(&sum, &all, sizeof(sum));
	CHECK_EQUAL(all.sent, t.fake.count);
	CHECK_EQUAL(all.answered, p.ended - p.lost);
	CHECK_EQUAL(all.timed_out, p.lost);
	CHECK_EQUAL(p.ended, p.submitted);
}

static void open_all(void)
{
	p.stop = FIXTURE_START + RUN_MS;
	t.delay_of = delay_of;
	for (unsigned i = 0; i < PEERS; i++) {
		p.peers[i] = fixture_lid((uint16_t)(i + 1), LIMIT);
		p.natures[i] = rand() % NATURES;
		for (unsigned n = 0; n < EACH; n++) {
			struct question *question = &p.questions[i * EACH + n];

			*question = (struct question){.peer = p.peers[i], .number = i};
			ask(question);
		}
	}
}

/* What was lost is asked for again, if that is allowed. */
static void ask_again(void)
{
	for (unsigned i = 0; i < PEERS * EACH; i++) {
		if (!p.questions[i].open)
			ask(&p.questions[i]);
	}
}

/* Agents that answer alike are asked about as often. */
static void check_turns(void)
{
	unsigned least = UINT32_MAX;
	unsigned most = 0;

	for (unsigned i = 0; i < PEERS; i++) {
		CHECK(p.natures[i] != DEAD || p.answered[i] == 0);
		if (p.natures[i] != HEALTHY)
			continue;
		least = p.answered[i] < least ? p.answered[i] : least;
		most = p.answered[i] > most ? p.answered[i] : most;
	}
	CHECK(most <= 6 * least || most == 0);
}

static void test_any(void)
{
	unsigned seed = unit_seed();

	fixture_begin(WINDOW, FIXTURE_TRIES);
	unit_case("UNIT_SEED=%u", seed);
	open_all();
	for (unsigned ms = 0; ms < RUN_MS; ms += 1000) {
		fixture_advance(1000);
		ask_again();
	}
	fixture_advance(2 * 60 * 1000);
	CHECK_EQUAL(t.wake, UINT64_MAX);
	CHECK(TAILQ_EMPTY(&t.engine->begun));
	CHECK(p.longest <= LONGEST_MS);
	check_turns();
	check_counters();
	for (unsigned i = 0; i < PEERS; i++)
		peer_close(p.peers[i]);
	fixture_end();
}

static const struct unit_test tests[] = {
	{"many agents with random faults", test_any},
};

int main(void)
{
	return UNIT_MAIN("engine: any agents", tests);
}
