// SPDX-License-Identifier: BSD-2-Clause
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sma/mad/mailbox.h"

struct mailbox {
	pthread_mutex_t lock;
	int fd;
	unsigned head; /* oldest */
	unsigned count;
	unsigned dropped;
	struct mail mails[MAILBOX_CAPACITY];
};

struct mailbox *mailbox_new(void)
{
	struct mailbox *box = calloc(1, sizeof(*box));

	if (!box)
		return NULL;
	box->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (box->fd < 0) {
		free(box);
		return NULL;
	}
	pthread_mutex_init(&box->lock, NULL);
	return box;
}

void mailbox_free(struct mailbox *box)
{
	if (!box)
		return;
	close(box->fd);
	pthread_mutex_destroy(&box->lock);
	free(box);
}

int mailbox_fd(const struct mailbox *box)
{
	return box->fd;
}

static void wake(const struct mailbox *box)
{
	const uint64_t one = 1;

	/* fails only when the counter is full, and then the descriptor is readable anyway */
	if (write(box->fd, &one, sizeof(one)) < 0)
		return;
}

static struct mail *at(struct mailbox *box, unsigned i)
{
	return &box->mails[(box->head + i) % MAILBOX_CAPACITY];
}

/* Make room for a state: what is reported once must not be lost. The newest MAD has to go, and what is behind
 * it, states all, moves up. */
static void drop_newest_mad(struct mailbox *box)
{
	unsigned i = box->count - 1;

	while (i > 0 && at(box, i)->kind != MAIL_MAD)
		i--;
	for (; i + 1 < box->count; i++)
		*at(box, i) = *at(box, i + 1);
	box->count--;
}

void mailbox_put(struct mailbox *box, const struct mail *mail)
{
	bool is_full;

	pthread_mutex_lock(&box->lock);
	is_full = box->count == MAILBOX_CAPACITY;
	box->dropped += is_full;
	if (is_full && mail->kind != MAIL_MAD)
		drop_newest_mad(box);
	if (box->count < MAILBOX_CAPACITY)
		*at(box, box->count++) = *mail;
	pthread_mutex_unlock(&box->lock);
	wake(box);
}

static void clear(const struct mailbox *box)
{
	uint64_t count;

	/* EAGAIN: nothing was posted since the last time */
	if (read(box->fd, &count, sizeof(count)) < 0)
		return;
}

bool mailbox_take(struct mailbox *box, struct mail *mail)
{
	bool any;

	pthread_mutex_lock(&box->lock);
	any = box->count > 0;
	if (any) {
		*mail = box->mails[box->head];
		box->head = (box->head + 1) % MAILBOX_CAPACITY;
		box->count--;
	} else {
		clear(box);
	}
	pthread_mutex_unlock(&box->lock);
	return any;
}

unsigned mailbox_dropped(struct mailbox *box)
{
	unsigned dropped;

	pthread_mutex_lock(&box->lock);
	dropped = box->dropped;
	box->dropped = 0;
	pthread_mutex_unlock(&box->lock);
	return dropped;
}
