// SPDX-License-Identifier: BSD-2-Clause
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sma/mad/sma_mailbox.h"

enum { CAPACITY = 512 };

struct sma_mailbox {
	pthread_mutex_t lock;
	int fd;
	unsigned head; /* oldest */
	unsigned count;
	unsigned dropped;
	struct sma_mail mails[CAPACITY];
};

struct sma_mailbox *sma_mailbox_new(void)
{
	struct sma_mailbox *box = calloc(1, sizeof(*box));

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

void sma_mailbox_free(struct sma_mailbox *box)
{
	if (!box)
		return;
	close(box->fd);
	pthread_mutex_destroy(&box->lock);
	free(box);
}

int sma_mailbox_fd(const struct sma_mailbox *box)
{
	return box->fd;
}

static void wake(const struct sma_mailbox *box)
{
	const uint64_t one = 1;

	/* fails only when the counter is full, and then the descriptor is readable anyway */
	if (write(box->fd, &one, sizeof(one)) < 0)
		return;
}

static struct sma_mail *at(struct sma_mailbox *box, unsigned i)
{
	return &box->mails[(box->head + i) % CAPACITY];
}

/* Make room for a state: what is told once must not be lost. The newest MAD has to go, and what is behind it,
 * states all, moves up. */
static void drop_newest_mad(struct sma_mailbox *box)
{
	unsigned i = box->count - 1;

	while (i > 0 && at(box, i)->kind != SMA_MAIL_MAD)
		i--;
	for (; i + 1 < box->count; i++)
		*at(box, i) = *at(box, i + 1);
	box->count--;
}

void sma_mailbox_put(struct sma_mailbox *box, const struct sma_mail *mail)
{
	bool is_full;

	pthread_mutex_lock(&box->lock);
	is_full = box->count == CAPACITY;
	box->dropped += is_full;
	if (is_full && mail->kind != SMA_MAIL_MAD)
		drop_newest_mad(box);
	if (box->count < CAPACITY)
		*at(box, box->count++) = *mail;
	pthread_mutex_unlock(&box->lock);
	wake(box);
}

void sma_mailbox_post(struct sma_mailbox *box, uint8_t port, int status, const uint8_t mad[SMA_MAD_SIZE])
{
	struct sma_mail mail = {.kind = SMA_MAIL_MAD, .port = port, .status = status, .size = SMA_MAD_SIZE};

	memcpy(mail.mad, mad, SMA_MAD_SIZE);
	sma_mailbox_put(box, &mail);
}

void sma_mailbox_post_state(struct sma_mailbox *box, uint8_t port, enum sma_mail_kind kind, int status)
{
	const struct sma_mail mail = {.kind = kind, .port = port, .status = status};

	sma_mailbox_put(box, &mail);
}

static void clear(const struct sma_mailbox *box)
{
	uint64_t count;

	/* EAGAIN: nothing was posted since the last time */
	if (read(box->fd, &count, sizeof(count)) < 0)
		return;
}

bool sma_mailbox_take(struct sma_mailbox *box, struct sma_mail *mail)
{
	bool any;

	pthread_mutex_lock(&box->lock);
	any = box->count > 0;
	if (any) {
		*mail = box->mails[box->head];
		box->head = (box->head + 1) % CAPACITY;
		box->count--;
	} else {
		clear(box);
	}
	pthread_mutex_unlock(&box->lock);
	return any;
}

unsigned sma_mailbox_dropped(struct sma_mailbox *box)
{
	unsigned dropped;

	pthread_mutex_lock(&box->lock);
	dropped = box->dropped;
	box->dropped = 0;
	pthread_mutex_unlock(&box->lock);
	return dropped;
}
