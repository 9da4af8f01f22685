// SPDX-License-Identifier: BSD-2-Clause
/* Random requests, MADs and times for an engine. The input is a sequence of steps, each an octet that says
 * what happens and one that says to what. Each accepted request ends exactly once, in time, and with the
 * answer to its own question only; windows and limits hold; tries are spaced and not too many; counters
 * agree. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/clock.h"
#include "sma/log.h"
#include "sma/mad/engine.h"
#include "sma/mad/mailbox.h"
#include "tests/fuzz/fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	PEERS = 4,
	WINDOW = 4,
	LIMIT = 2,
	TIMEOUT = 50,
	TRIES = 2,
	KEPT_TRIES = 4 * TRIES, /* of an agent that answers late, or nothing for a while */
	REQUESTS = 256,
	FLIGHTS = 64,
	ROUNDS = 64,           /* without time passing */
	TURNS = 20 * 1000,     /* until an engine without new requests has nothing to do */
	ATTRIBUTE = 0x15,      /* of questions; probes have others */
	UNANSWERED = 0xFFFFFF, /* the modifier of what nobody waits for */
};

struct question {
	bool open;
	unsigned peer;
	unsigned tries;
	uint64_t tried;     /* last */
	bool in_flight;     /* nothing was said of that */
	struct packet sent; /* the last try */
	struct exchange *exchange;
};

static const uint8_t classes[PEERS] = {MAD_CLASS_SM, MAD_CLASS_SM, MAD_CLASS_PERF, MAD_CLASS_DEVICE};

static struct {
	struct transport transport;
	struct engine *engine;
	struct peer *peers[PEERS];
	struct question questions[REQUESTS];
	struct question probes[PEERS];
	struct question *flights[FLIGHTS]; /* a ring */
	unsigned asked;
	unsigned flown;
	unsigned window;
	uint64_t now;
	uint64_t wake;
	int error;   /* what sending gives */
	bool again;  /* completions submit */
	bool closes; /* completions close a peer */
	uint64_t sent;
	uint64_t ended; /* but for those that were cancelled */
} f;

/* ---- requests ---- */

static void submit(unsigned peer, enum engine_priority priority, uint8_t method);
static void close_peer(unsigned i);

/* The modifier of a question is its number, and so is the first word of its answer. */
static void done(void *arg, const struct engine_result *result)
{
	struct question *question = arg;
	uint32_t number = (uint32_t)(question - f.questions);

	expect(question->open);
	question->open = false;
	question->in_flight = false;
	expect((result->error == 0) == (result->data != NULL));
	if (result->data)
		expect(memcmp(result->data, &number, sizeof(number)) == 0);
	f.ended += result->error != -ECANCELED;
	if (f.closes && result->error != -ECANCELED)
		close_peer((question->peer + number) % PEERS);
	/* one that is refused at once would be so for ever */
	if (f.again && (result->data || result->error == -ETIMEDOUT))
		submit((question->peer + number / 8) % PEERS, ENGINE_MANAGER, MAD_GET);
}

static void submit(unsigned peer, enum engine_priority priority, uint8_t method)
{
	struct question *question = &f.questions[f.asked];
	struct engine_request request = {
		.method = method,
		.attribute = ATTRIBUTE,
		.modifier = f.asked,
		.data = (const uint8_t *)question,
		.size = method == MAD_SET ? sizeof(uint64_t) : 0,
		.priority = priority,
		.done = done,
		.arg = question,
	};

	if (f.asked == REQUESTS || !f.peers[peer])
		return;
	*question = (struct question){.open = true, .peer = peer};
	if (peer_submit(f.peers[peer], &request, f.now, &question->exchange) == 0)
		f.asked++;
}

/* A peer keeps to LIDs of its own; the second one may be at the end of a directed route. */
static struct engine_address address_of(unsigned peer, unsigned which)
{
	bool is_routed = peer == 1 && which % 4 != 0;

	return (struct engine_address){
		.route = is_routed ? (which % 4 == 1 ? ENGINE_SELF : ENGINE_ROUTED) : ENGINE_LID,
		.lid = (uint16_t)(1 + peer + PEERS * (which % 16)),
		.hops = 2,
		.path = {0, (uint8_t)which, 3},
	};
}

static void open_peer(unsigned i, unsigned which)
{
	const struct engine_address address = address_of(i, which);

	if (!f.peers[i])
		f.peers[i] = peer_open(f.engine, classes[i], &address, LIMIT);
	else
		peer_move(f.peers[i], &address);
}

static void close_peer(unsigned i)
{
	struct peer *peer = f.peers[i];

	f.peers[i] = NULL;
	peer_close(peer);
	f.probes[i].in_flight = false;
}

/* ---- what is sent ---- */

/* What certainly holds a place: of `peer`, or with PEERS of all. */
static unsigned places(const struct question *questions, unsigned count, unsigned peer)
{
	unsigned held = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct question *question = &questions[i];

		held += question->in_flight && f.now < question->tried + TIMEOUT / 2 &&
		        (peer == PEERS || question->peer == peer);
	}
	return held;
}

static void take_try(struct question *question, uint8_t class)
{
	unsigned most = class == MAD_CLASS_PERF ? TRIES : KEPT_TRIES;

	expect(question->open && question->tries < most);
	expect(question->tried == 0 || f.now >= question->tried + TIMEOUT);
	expect(places(f.questions, f.asked, PEERS) < f.window);
	expect(places(f.questions, f.asked, question->peer) < LIMIT);
}

static unsigned peer_of(const struct packet *packet)
{
	return packet->lid == MAD_PERMISSIVE_LID ? 1 : (packet->lid - 1U) % PEERS;
}

static int fake_send(struct transport *transport, const struct packet *packet, unsigned timeout_ms)
{
	struct question *question;
	struct mad_head head;

	(void)transport;
	expect(mad_read_head(packet->mad, MAD_SIZE, &head) == 0 && head.tid != 0 && head.tid <= UINT32_MAX);
	if (head.modifier == UNANSWERED) {
		expect(timeout_ms == 0);
		f.sent += f.error == 0 && head.method != MAD_TRAP_REPRESS;
		return f.error;
	}
	expect(timeout_ms == TIMEOUT);
	question = head.attribute == ATTRIBUTE ? &f.questions[head.modifier] : &f.probes[peer_of(packet)];
	if (head.attribute == ATTRIBUTE)
		take_try(question, head.class);
	else
		expect(places(f.probes, PEERS, PEERS) < f.window);
	question->tried = f.now;
	question->in_flight = f.error == 0;
	question->sent = *packet;
	if (f.error)
		return f.error;
	question->tries++;
	f.flights[f.flown++ % FLIGHTS] = question;
	f.sent++;
	return 0;
}

static void fake_close(struct transport *transport)
{
	(void)transport;
}

static int fake_listen(struct transport *transport, uint8_t class, uint8_t method, bool on)
{
	(void)transport;
	(void)class;
	(void)method;
	(void)on;
	return f.error;
}

static const struct transport_ops ops = {.send = fake_send, .listen = fake_listen, .close = fake_close};

/* ---- what comes in ---- */

enum fate { ANSWERED, REFUSED, BUSY, RETURNED, PATCHED, ASTRAY, FATES };

/* The parts of a header that do not say what is answered: status, the kernel's half of the transaction id,
 * the try, and what is reserved. */
static bool is_idle(unsigned at)
{
	return (at >= 4 && at < 12) || at == 15 || at / 2 == 9;
}

/* A MAD about the last try of a question or probe. */
static void post(enum fate fate, unsigned which)
{
	struct question *question = f.flights[which % FLIGHTS];
	struct mail mail = {.size = MAD_SIZE};
	unsigned at = which * 7 % MAD_HEADER_SIZE;
	struct mad_head head;
	bool answers;
	uint32_t number;

	if (!question)
		return;
	memcpy(mail.mad, question->sent.mad, MAD_SIZE);
	mail.slid = question->sent.lid;
	expect(mad_read_head(mail.mad, MAD_SIZE, &head) == 0);
	answers = fate == PATCHED ? is_idle(at) : fate != ASTRAY || head.class == MAD_CLASS_SM_DIRECTED;
	number = answers ? head.modifier : UNANSWERED;
	if (fate == RETURNED) {
		mail.status = ETIMEDOUT;
		mail.size = MAD_HEADER_SIZE;
	} else {
		mad_set_method(mail.mad, MAD_GET | MAD_RESPONSE);
		memcpy(mail.mad + mad_class_find(head.class)->data_at, &number, sizeof(number));
	}
	if (fate == REFUSED || fate == BUSY)
		mail.mad[5] = fate == BUSY ? MAD_STATUS_BUSY : MAD_STATUS_INVALID;
	if (fate == PATCHED)
		mail.mad[at] ^= (uint8_t)(1 << which % 8);
	if (fate == ASTRAY)
		mail.slid ^= 0x40;
	question->in_flight = question->in_flight && !answers;
	if (answers && fate != RETURNED) /* the probe is needed no longer */
		f.probes[question->peer].in_flight = false;
	mailbox_put(engine_mailbox(f.engine), &mail);
}

static void hear(void *arg, const struct engine_received *received)
{
	expect(arg == &f && received->head.method == MAD_TRAP && !received->head.response);
	engine_reply(f.engine, received, MAD_TRAP_REPRESS);
}

static void post_other(unsigned which)
{
	const struct mad_head head = {
		.class = MAD_CLASS_SM, .method = MAD_TRAP, .tid = 7, .modifier = UNANSWERED};
	struct mail mail = {.kind = MAIL_MAD, .slid = 9, .size = (uint16_t)(which % 2 ? MAD_SIZE : which)};

	switch (which % 8) {
	case 0:
		mail = (struct mail){.kind = MAIL_BROKEN, .status = EIO};
		break;
	case 1:
		mail = (struct mail){.kind = MAIL_RESTORED};
		break;
	case 2:
		engine_listen(f.engine, MAD_CLASS_SM, MAD_TRAP, NULL, NULL);
		break;
	case 3:
		engine_listen(f.engine, MAD_CLASS_SM, MAD_TRAP, hear, &f);
		break;
	default:
		mad_build(mail.mad, &head);
		break;
	}
	mailbox_put(engine_mailbox(f.engine), &mail);
}

/* ---- time ---- */

/* Rounds until none is due. One more does nothing. */
static void run(void)
{
	unsigned rounds = 0;
	uint64_t done;

	do {
		f.wake = engine_process(f.engine, f.now);
		expect(++rounds < ROUNDS);
	} while (f.wake <= f.now);
	done = f.sent + f.ended;
	expect(engine_process(f.engine, f.now) == f.wake && f.sent + f.ended == done);
	expect(engine_now(f.engine) == f.now);
}

/* From one event to the next. */
static void advance(uint64_t ms)
{
	uint64_t stop = f.now + ms;

	while (f.now < stop) {
		f.now = sma_earlier(f.wake, stop);
		run();
	}
}

/* ---- steps ---- */

static void configure(unsigned which)
{
	const struct engine_config config = {.port = 1,
	                                     .window = 1 + which % WINDOW,
	                                     .timeout_ms = TIMEOUT,
	                                     .tries = TRIES,
	                                     .background = which / WINDOW % 2 * 100};

	engine_configure(f.engine, &config);
	f.window = config.window;
}

static void send_unanswered(unsigned which)
{
	const struct engine_request request = {
		.method = MAD_SET, .attribute = ATTRIBUTE, .modifier = UNANSWERED};

	if (f.peers[which % PEERS])
		peer_send(f.peers[which % PEERS], &request);
	f.wake = engine_begin(f.engine);
}

static void change_peer(uint8_t how, unsigned which)
{
	unsigned peer = which % PEERS;

	if (how % 3 == 0)
		open_peer(peer, which / PEERS);
	else if (how % 3 == 1)
		close_peer(peer);
	else if (f.peers[peer])
		peer_set_key(f.peers[peer], which);
}

static void promote(unsigned which)
{
	if (which < f.asked && f.questions[which].open)
		peer_promote(f.questions[which].exchange);
}

static void set_moods(unsigned which)
{
	static const int errors[] = {0, 0, 0, 0, -EIO, -EAGAIN, -EBUSY, 0};

	f.error = errors[which % 8];
	f.again = which / 8 % 2;
	f.closes = which / 16 % 8 == 1;
}

static void step(uint8_t what, uint8_t which)
{
	uint8_t how = what / 16;

	switch (what % 16) {
	case 0:
	case 1:
	case 2:
		submit(which % PEERS, which / PEERS % ENGINE_PRIORITIES, which & 0x80 ? MAD_SET : MAD_GET);
		break;
	case 3:
	case 4:
		post(ANSWERED, which);
		break;
	case 5:
	case 6:
		post(how % FATES, which);
		break;
	case 7:
	case 8:
		advance(which);
		break;
	case 9: /* the process is stopped */
		f.now += (uint64_t)which << how;
		break;
	case 10:
		advance((uint64_t)which << how % 8);
		break;
	case 11:
		set_moods(which);
		break;
	case 12:
		change_peer(how, which);
		break;
	case 13:
		promote(which);
		break;
	case 14:
		post_other(which);
		break;
	default:
		how % 2 ? configure(which) : send_unanswered(which);
		break;
	}
}

/* ---- life ---- */

static void open_all(void)
{
	const struct engine_config config = {
		.port = 1, .window = WINDOW, .timeout_ms = TIMEOUT, .tries = TRIES, .background = 100};

	memset(&f, 0, sizeof(f));
	f.now = 1000 * 1000;
	f.window = WINDOW;
	f.transport.ops = &ops;
	f.engine = engine_open(&config);
	engine_attach(f.engine, &f.transport);
	for (unsigned i = 0; i < PEERS; i++) {
		f.probes[i].peer = i;
		open_peer(i, 0);
	}
	run();
}

/* Without any answer all ends by itself, as soon as the port sends again. */
static void end_all(void)
{
	f.error = 0;
	f.again = false;
	for (unsigned turn = 0; f.wake != UINT64_MAX; turn++) {
		expect(turn < TURNS);
		advance(f.wake - f.now);
	}
	for (unsigned i = 0; i < f.asked; i++)
		expect(!f.questions[i].open);
}

static void check_counters(void)
{
	struct engine_counters all = {0};

	for (unsigned i = 1; i < PEERS; i++) {
		struct engine_counters counters;

		engine_count(f.engine, classes[i], &counters);
		all.sent += counters.sent;
		all.answered += counters.answered;
		all.refused += counters.refused;
		all.timed_out += counters.timed_out;
	}
	expect(all.sent == f.sent);
	expect(all.answered + all.refused + all.timed_out == f.ended);
}

static bool wants_nothing(const char *topic)
{
	(void)topic;
	return false;
}

static void write_nothing(enum sma_level level, const char *topic, const char *line)
{
	(void)level;
	(void)topic;
	(void)line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sma_log_sink nowhere = {wants_nothing, write_nothing};

	sma_log_to(&nowhere);
	open_all();
	for (size_t i = 0; i + 1 < size; i += 2) {
		step(data[i], data[i + 1]);
		run();
	}
	if (size % 2)
		end_all();
	f.again = false;
	for (unsigned i = 0; i < PEERS; i++)
		close_peer(i);
	for (unsigned i = 0; i < f.asked; i++)
		expect(!f.questions[i].open);
	run();
	check_counters();
	engine_close(f.engine);
	return 0;
}
