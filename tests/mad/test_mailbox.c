// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/mad/mailbox.h"
#include "tests/unit.h"

enum { POSTERS = 4, EACH = 20000 };

static bool is_readable(const struct mailbox *box)
{
	struct pollfd fd = {.fd = mailbox_fd(box), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

static void post_number(struct mailbox *box, uint8_t sl, uint32_t number)
{
	struct mail mail = {.kind = MAIL_MAD, .status = (int)(number % 3), .sl = sl, .size = MAD_SIZE};

	wire_put32(mail.mad + 252, number);
	mailbox_put(box, &mail);
}

static void post_state(struct mailbox *box, enum mail_kind kind, int status)
{
	const struct mail mail = {.kind = kind, .status = status};

	mailbox_put(box, &mail);
}

static uint32_t number_of(const struct mail *mail)
{
	return wire_get32(mail->mad + 252);
}

static void test_order(void)
{
	struct mailbox *box = mailbox_new();
	struct mail mail;

	CHECK(!mailbox_take(box, &mail));
	for (uint32_t i = 0; i < 1000; i++) {
		post_number(box, (uint8_t)i, i);
		post_number(box, (uint8_t)i, i + 1000000);
		CHECK(mailbox_take(box, &mail));
		CHECK_EQUAL(mail.kind, MAIL_MAD);
		CHECK_EQUAL(number_of(&mail), i);
		CHECK_EQUAL(mail.sl, i % 256);
		CHECK_EQUAL(mail.status, i % 3);
		CHECK(mailbox_take(box, &mail));
		CHECK_EQUAL(number_of(&mail), i + 1000000);
	}
	CHECK(!mailbox_take(box, &mail));
	mailbox_free(box);
}

static void test_readable(void)
{
	struct mailbox *box = mailbox_new();
	struct mail mail;

	CHECK(!is_readable(box));
	post_number(box, 1, 1);
	post_number(box, 1, 2);
	CHECK(is_readable(box));
	mailbox_take(box, &mail);
	CHECK(is_readable(box));
	mailbox_take(box, &mail);
	CHECK(!mailbox_take(box, &mail));
	CHECK(!is_readable(box));
	post_state(box, MAIL_RESTORED, 0);
	CHECK(is_readable(box));
	mailbox_free(box);
}

static void test_overflow(void)
{
	struct mailbox *box = mailbox_new();
	struct mail mail;
	uint32_t count = 0;

	for (uint32_t i = 0; i < MAILBOX_CAPACITY + 7; i++)
		post_number(box, 1, i);
	CHECK_EQUAL(mailbox_dropped(box), 7);
	CHECK_EQUAL(mailbox_dropped(box), 0);
	while (mailbox_take(box, &mail))
		CHECK_EQUAL(number_of(&mail), count++);
	CHECK_EQUAL(count, MAILBOX_CAPACITY);
	post_number(box, 1, 99);
	CHECK(mailbox_take(box, &mail));
	CHECK_EQUAL(number_of(&mail), 99);
	CHECK_EQUAL(mailbox_dropped(box), 0);
	mailbox_free(box);
}

/* A state that is told once is not lost, and keeps its place among states; MADs give way, the newest first.
 */
static void test_overflow_of_states(void)
{
	struct mailbox *box = mailbox_new();
	struct mail mail;

	for (uint32_t i = 0; i < MAILBOX_CAPACITY; i++)
		post_number(box, 1, i);
	post_state(box, MAIL_BROKEN, EIO);
	post_state(box, MAIL_BROKEN, ENODEV);
	post_number(box, 1, MAILBOX_CAPACITY);
	post_state(box, MAIL_RESTORED, 0);
	CHECK_EQUAL(mailbox_dropped(box), 4);
	for (uint32_t i = 0; i < MAILBOX_CAPACITY - 3; i++) {
		CHECK(mailbox_take(box, &mail));
		CHECK_EQUAL(number_of(&mail), i);
	}
	CHECK(mailbox_take(box, &mail));
	CHECK_EQUAL(mail.status, EIO);
	CHECK(mailbox_take(box, &mail));
	CHECK_EQUAL(mail.status, ENODEV);
	CHECK(mailbox_take(box, &mail));
	CHECK_EQUAL(mail.kind, MAIL_RESTORED);
	CHECK(!mailbox_take(box, &mail));
	mailbox_free(box);
}

/* Nothing but states: the oldest gives way. */
static void test_states_alone(void)
{
	struct mailbox *box = mailbox_new();
	struct mail mail;
	unsigned count = 0;

	for (int i = 0; i <= MAILBOX_CAPACITY; i++)
		post_state(box, MAIL_BROKEN, 1 + i);
	CHECK_EQUAL(mailbox_dropped(box), 1);
	while (mailbox_take(box, &mail))
		CHECK_EQUAL(mail.status, 2 + count++);
	CHECK_EQUAL(count, MAILBOX_CAPACITY);
	mailbox_free(box);
}

static void test_states(void)
{
	struct mailbox *box = mailbox_new();
	struct mail mail;

	post_state(box, MAIL_BROKEN, ENODEV);
	post_state(box, MAIL_RESTORED, 0);
	CHECK(mailbox_take(box, &mail));
	CHECK_EQUAL(mail.kind, MAIL_BROKEN);
	CHECK_EQUAL(mail.status, ENODEV);
	CHECK(mailbox_take(box, &mail));
	CHECK_EQUAL(mail.kind, MAIL_RESTORED);
	mailbox_free(box);
}

/* Where a MAD came from, and how much of it. */
static void test_source(void)
{
	struct mailbox *box = mailbox_new();
	const struct mail part = {
		.kind = MAIL_MAD, .slid = 0xBFFF, .sl = 15, .size = 92, .mad = {1, 3, 2, 0x81}};
	const struct mail whole = {
		.kind = MAIL_MAD, .status = 110, .slid = 0xC001, .sl = 7, .size = 256, .mad = {1, 1, 1, 5}};
	uint8_t mad[MAD_SIZE] = {1, 1, 1, 5};
	struct mail mail;

	memset(&mail, 0xFF, sizeof(mail));
	mailbox_put(box, &whole);
	mailbox_put(box, &part);
	CHECK(mailbox_take(box, &mail));
	CHECK_EQUAL(mail.kind, MAIL_MAD);
	CHECK_EQUAL(mail.slid, 0xC001);
	CHECK_EQUAL(mail.sl, 7);
	CHECK_EQUAL(mail.status, 110);
	CHECK_EQUAL(mail.size, 256);
	CHECK_OCTETS(mail.mad, mad, MAD_SIZE);
	CHECK(mailbox_take(box, &mail));
	CHECK_EQUAL(mail.slid, 0xBFFF);
	CHECK_EQUAL(mail.sl, 15);
	CHECK_EQUAL(mail.size, 92);
	CHECK_OCTETS(mail.mad, part.mad, MAD_SIZE);
	mailbox_free(box);
}

struct poster {
	struct mailbox *box;
	uint8_t sl;
};

static void *post_many(void *arg)
{
	const struct poster *p = arg;

	for (uint32_t i = 0; i < EACH; i++)
		post_number(p->box, p->sl, i);
	return NULL;
}

/* Take until all posters are done and nothing is left, sleeping on the descriptor in between. */
static unsigned take_many(struct mailbox *box, unsigned *dropped)
{
	struct pollfd fd = {.fd = mailbox_fd(box), .events = POLLIN};
	uint32_t next[POSTERS] = {0};
	struct mail mail;
	unsigned taken = 0;

	*dropped = 0;
	while (taken + *dropped < POSTERS * EACH && poll(&fd, 1, 5000) == 1) {
		while (mailbox_take(box, &mail)) {
			/* those of one thread keep their order, though some may be missing */
			CHECK(number_of(&mail) >= next[mail.sl]);
			next[mail.sl] = number_of(&mail) + 1;
			taken++;
		}
		*dropped += mailbox_dropped(box);
	}
	return taken;
}

/* Each MAD of several threads is taken or counted as dropped, and the reader never sleeps over one. */
static void test_threads(void)
{
	struct mailbox *box = mailbox_new();
	struct poster posters[POSTERS];
	pthread_t threads[POSTERS];
	unsigned dropped;
	unsigned taken;

	for (uint8_t i = 0; i < POSTERS; i++) {
		posters[i] = (struct poster){.box = box, .sl = i};
		CHECK_EQUAL(pthread_create(&threads[i], NULL, post_many, &posters[i]), 0);
	}
	taken = take_many(box, &dropped);
	for (unsigned i = 0; i < POSTERS; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQUAL(taken + dropped, POSTERS * EACH);
	CHECK(taken > 0);
	mailbox_free(box);
}

static void test_free_nothing(void)
{
	mailbox_free(NULL);
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
