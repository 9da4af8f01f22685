/* SPDX-License-Identifier: BSD-2-Clause */
/* Received MADs on their way from the reader threads to the loop. */
#ifndef MAD_SMA_MAILBOX_H
#define MAD_SMA_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "sma/iba/iba.h"

struct sma_mailbox;

enum sma_mail_kind {
	SMA_MAIL_MAD,    /* a MAD was received */
	SMA_MAIL_BROKEN, /* the transport cannot be read: `status` is the errno */
	SMA_MAIL_MENDED, /* it can again */
};

struct sma_mail {
	enum sma_mail_kind kind;
	uint8_t port;  /* local port it came in on */
	int status;    /* 0, or the errno of a request that came back unanswered */
	uint16_t slid; /* where a received MAD came from */
	uint8_t sl;
	uint16_t size; /* bytes of the MAD that were received; the rest is 0 */
	uint8_t mad[SMA_MAD_SIZE];
};

/* NULL with errno when out of memory or descriptors. */
struct sma_mailbox *sma_mailbox_new(void);
void sma_mailbox_free(struct sma_mailbox *box);

/* Readable while mail is waiting. */
int sma_mailbox_fd(const struct sma_mailbox *box);

/* Put in mail, from any thread. When the box is full a MAD is dropped, as a port would do, and counted; a
 * change of the transport's state drops the newest MAD instead. */
void sma_mailbox_put(struct sma_mailbox *box, const struct sma_mail *mail);

/* Put in a whole MAD that comes from nowhere in particular, likewise. */
void sma_mailbox_post(struct sma_mailbox *box, uint8_t port, int status, const uint8_t mad[SMA_MAD_SIZE]);

/* Put in a change of the transport's state, likewise. `status` is the errno of SMA_MAIL_BROKEN. */
void sma_mailbox_post_state(struct sma_mailbox *box, uint8_t port, enum sma_mail_kind kind, int status);

/* Take the oldest; false: none left. Clears the descriptor. */
bool sma_mailbox_take(struct sma_mailbox *box, struct sma_mail *mail);

/* MADs dropped since the last call. */
unsigned sma_mailbox_dropped(struct sma_mailbox *box);

#endif
