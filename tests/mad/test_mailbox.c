// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/mad/sma_mailbox.h"
#include "tests/unit.h"

enum { CAPACITY = 512, POSTERS = 4, EACH = 20000 };

static bool is_readable(const struct sma_mailbox *box)
{
	struct pollfd fd = {.fd = sma_mailbox_fd(box), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

static void post_number(struct sma_mailbox *box, uint8_t port, uint32_t number)
{
	uint8_t mad[SMA_MAD_SIZE] = {0};

	wire_put32(mad + 252, number);
	sma_mailbox_post(box, port, (int)(number % 3), mad);
}

static uint32_t number_of(const struct sma_mail *mail)
{
	return wire_get32(mail->mad + 252);
}

static void test_order(void)
{
	struct sma_mailbox *box = sma_mailbox_new();
	struct sma_mail mail;

	CHECK(!sma_mailbox_take(box, &mail));
	for (uint32_t i = 0; i < 1000; i++) {
		post_number(box, (uint8_t)i, i);
		post_number(box, (uint8_t)i, i + 1000000);
		CHECK(sma_mailbox_take(box, &mail));
		CHECK_EQUAL(mail.kind, SMA_MAIL_MAD);
		CHECK_EQUAL(number_of(&mail), i);
		CHECK_EQUAL(mail.port, i % 256);
		CHECK_EQUAL(mail.status, i % 3);
		CHECK(sma_mailbox_take(box, &mail));
		CHECK_EQUAL(number_of(&mail), i + 1000000);
	}
	CHECK(!sma_mailbox_take(box, &mail));
	sma_mailbox_free(box);
}

static void test_readable(void)
{
	struct sma_mailbox *box = sma_mailbox_new();
	struct sma_mail mail;

	CHECK(!is_readable(box));
	post_number(box, 1, 1);
	post_number(box, 1, 2);
	CHECK(is_readable(box));
	sma_mailbox_take(box, &mail);
	CHECK(is_readable(box));
	sma_mailbox_take(box, &mail);
	CHECK(!sma_mailbox_take(box, &mail));
	CHECK(!is_readable(box));
	sma_mailbox_post_state(box, 1, SMA_MAIL_MENDED, 0);
	CHECK(is_readable(box));
	sma_mailbox_free(box);
}

static void test_overflow(void)
{
	struct sma_mailbox *box = sma_mailbox_new();
	struct sma_mail mail;
	uint32_t count = 0;

	for (uint32_t i = 0; i < CAPACITY + 7; i++)
		post_number(box, 1, i);
	CHECK_EQUAL(sma_mailbox_dropped(box), 7);
	CHECK_EQUAL(sma_mailbox_dropped(box), 0);
	while (sma_mailbox_take(box, &mail))
		CHECK_EQUAL(number_of(&mail), count++);
	CHECK_EQUAL(count, CAPACITY);
	post_number(box, 1, 99);
	CHECK(sma_mailbox_take(box, &mail));
	CHECK_EQUAL(number_of(&mail), 99);
	CHECK_EQUAL(sma_mailbox_dropped(box), 0);
	sma_mailbox_free(box);
}

/* A state that is told once is not lost, and keeps its place among states; MADs give way, the newest first.
 */
static void test_overflow_of_states(void)
{
	struct sma_mailbox *box = sma_mailbox_new();
	struct sma_mail mail;

	for (uint32_t i = 0; i < CAPACITY; i++)
		post_number(box, 1, i);
	sma_mailbox_post_state(box, 1, SMA_MAIL_BROKEN, EIO);
	sma_mailbox_post_state(box, 2, SMA_MAIL_BROKEN, ENODEV);
	post_number(box, 1, CAPACITY);
	sma_mailbox_post_state(box, 1, SMA_MAIL_MENDED, 0);
	CHECK_EQUAL(sma_mailbox_dropped(box), 4);
	for (uint32_t i = 0; i < CAPACITY - 3; i++) {
		CHECK(sma_mailbox_take(box, &mail));
		CHECK_EQUAL(number_of(&mail), i);
	}
	CHECK(sma_mailbox_take(box, &mail));
	CHECK_EQUAL(mail.status, EIO);
	CHECK(sma_mailbox_take(box, &mail));
	CHECK_EQUAL(mail.status, ENODEV);
	CHECK(sma_mailbox_take(box, &mail));
	CHECK_EQUAL(mail.kind, SMA_MAIL_MENDED);
	CHECK(!sma_mailbox_take(box, &mail));
	sma_mailbox_free(box);
}

/* Nothing but states: the oldest gives way. */
static void test_states_alone(void)
{
	struct sma_mailbox *box = sma_mailbox_new();
	struct sma_mail mail;
	unsigned count = 0;

	for (int i = 0; i <= CAPACITY; i++)
		sma_mailbox_post_state(box, 1, SMA_MAIL_BROKEN, 1 + i);
	CHECK_EQUAL(sma_mailbox_dropped(box), 1);
	while (sma_mailbox_take(box, &mail))
		CHECK_EQUAL(mail.status, 2 + count++);
	CHECK_EQUAL(count, CAPACITY);
	sma_mailbox_free(box);
}

static void test_states(void)
{
	struct sma_mailbox *box = sma_mailbox_new();
	struct sma_mail mail;

	sma_mailbox_post_state(box, 3, SMA_MAIL_BROKEN, ENODEV);
	sma_mailbox_post_state(box, 3, SMA_MAIL_MENDED, 0);
	CHECK(sma_mailbox_take(box, &mail));
	CHECK_EQUAL(mail.kind, SMA_MAIL_BROKEN);
	CHECK_EQUAL(mail.port, 3);
	CHECK_EQUAL(mail.status, ENODEV);
	CHECK(sma_mailbox_take(box, &mail));
	CHECK_EQUAL(mail.kind, SMA_MAIL_MENDED);
	sma_mailbox_free(box);
}

/* Where a MAD came from, and how much of it. */
static void test_source(void)
{
	struct sma_mailbox *box = sma_mailbox_new();
	const struct sma_mail part = {.kind = SMA_MAIL_MAD,
	                              .port = 2,
	                              .slid = 0xBFFF,
	                              .sl = 15,
	                              .size = 92,
	                              .mad = {1, 3, 2, 0x81}};
	const struct sma_mail whole = {.kind = SMA_MAIL_MAD,
	                               .port = 1,
	                               .status = 110,
	                               .slid = 0xC001,
	                               .sl = 7,
	                               .size = 256,
	                               .mad = {1, 1, 1, 5}};
	uint8_t mad[SMA_MAD_SIZE] = {1, 1, 1, 5};
	struct sma_mail mail;

	memset(&mail, 0xFF, sizeof(mail));
	sma_mailbox_post(box, 1, 0, mad);
	sma_mailbox_put(box, &whole);
	sma_mailbox_put(box, &part);
	CHECK(sma_mailbox_take(box, &mail));
	CHECK_EQUAL(mail.slid, 0);
	CHECK_EQUAL(mail.sl, 0);
	CHECK_EQUAL(mail.size, 256);
	CHECK(sma_mailbox_take(box, &mail));
	CHECK_EQUAL(mail.kind, SMA_MAIL_MAD);
	CHECK_EQUAL(mail.port, 1);
	CHECK_EQUAL(mail.slid, 0xC001);
	CHECK_EQUAL(mail.sl, 7);
	CHECK_EQUAL(mail.status, 110);
	CHECK_EQUAL(mail.size, 256);
	CHECK_OCTETS(mail.mad, mad, SMA_MAD_SIZE);
	CHECK(sma_mailbox_take(box, &mail));
	CHECK_EQUAL(mail.port, 2);
	CHECK_EQUAL(mail.slid, 0xBFFF);
	CHECK_EQUAL(mail.sl, 15);
	CHECK_EQUAL(mail.size, 92);
	CHECK_OCTETS(mail.mad, part.mad, SMA_MAD_SIZE);
	sma_mailbox_free(box);
}

struct poster {
	struct sma_mailbox *box;
	uint8_t port;
};

static void *post_many(void *arg)
{
	const struct poster *p = arg;

	for (uint32_t i = 0; i < EACH; i++)
		post_number(p->box, p->port, i);
	return NULL;
}

/* Take until all posters are done and nothing is left, sleeping on the descriptor in between. */
static unsigned take_many(struct sma_mailbox *box, unsigned *dropped)
{
	struct pollfd fd = {.fd = sma_mailbox_fd(box), .events = POLLIN};
	uint32_t next[POSTERS] = {0};
	struct sma_mail mail;
	unsigned taken = 0;

	*dropped = 0;
	while (taken + *dropped < POSTERS * EACH && poll(&fd, 1, 5000) == 1) {
		while (sma_mailbox_take(box, &mail)) {
			/* those of one thread keep their order, though some may be missing */
			CHECK(number_of(&mail) >= next[mail.port]);
			next[mail.port] = number_of(&mail) + 1;
			taken++;
		}
		*dropped += sma_mailbox_dropped(box);
	}
	return taken;
}

/* Each MAD of several threads is taken or counted as dropped, and the reader never sleeps over one. */
static void test_threads(void)
{
	struct sma_mailbox *box = sma_mailbox_new();
	struct poster posters[POSTERS];
	pthread_t threads[POSTERS];
	unsigned dropped;
	unsigned taken;

	for (uint8_t i = 0; i < POSTERS; i++) {
		posters[i] = (struct poster){.box = box, .port = i};
		CHECK_EQUAL(pthread_create(&threads[i], NULL, post_many, &posters[i]), 0);
	}
	taken = take_many(box, &dropped);
	for (unsigned i = 0; i < POSTERS; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQUAL(taken + dropped, POSTERS * EACH);
	CHECK(taken > 0);
	sma_mailbox_free(box);
}

static void test_free_nothing(void)
{
	sma_mailbox_free(NULL);
}

static const struct unit_test tests[] = {
	{"first in, first out", test_order},
	{"readable while mail waits", test_readable},
	{"a full box drops the newest and counts", test_overflow},
	{"a full box drops a MAD for a state", test_overflow_of_states},
	{"a box full of states drops the oldest", test_states_alone},
	{"states of the transport", test_states},
	{"source and size", test_source},
	{"several threads", test_threads},
	{"NULL may be freed", test_free_nothing},
};

int main(void)
{
	return UNIT_MAIN("mailbox", tests);
}
