/* SPDX-License-Identifier: BSD-2-Clause */
/* Received MADs on their way from the reader threads to the loop. */
#ifndef MAD_MAILBOX_H
#define MAD_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "sma/iba/iba.h"

struct mailbox;

enum { MAILBOX_CAPACITY = 512 };

enum mail_kind {
	MAIL_MAD,     /* a MAD was received */
	MAIL_BROKEN,  /* the device cannot be read: `status` is the errno */
	MAIL_RESTORED /* it can again */
};

struct mail {
	enum mail_kind kind;
	int status;    /* 0, or the errno of a request that came back unanswered */
	uint16_t slid; /* where a received MAD came from */
	uint8_t sl;
	uint16_t size; /* bytes of the MAD that were received; the rest is 0 */
	uint8_t mad[MAD_SIZE];
};

/* NULL with errno when out of memory or descriptors. */
struct mailbox *mailbox_new(void);
void mailbox_free(struct mailbox *box);

/* Readable while mail is waiting. */
int mailbox_fd(const struct mailbox *box);

/* Put in mail, from any thread. When the box is full a MAD is dropped, as a port would do, and counted; a
 * change of the transport's state drops the newest MAD instead. */
void mailbox_put(struct mailbox *box, const struct mail *mail);

/* Take the oldest; false: none left. Clears the descriptor. */
bool mailbox_take(struct mailbox *box, struct mail *mail);

/* MADs dropped since the last call. */
unsigned mailbox_dropped(struct mailbox *box);

#endif
