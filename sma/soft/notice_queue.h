/* SPDX-License-Identifier: BSD-2-Clause */
/* The Notices that an SMA keeps for SubnGet(Notice) (IBA 13.4.8, 13.4.10, 14.2.5.1). */
#ifndef SOFT_NOTICE_QUEUE_H
#define SOFT_NOTICE_QUEUE_H

#include "sma/iba/iba.h"

enum { NOTICE_QUEUE = 32 /* the oldest give way to more */ };

struct notice_queue {
	uint8_t notices[NOTICE_QUEUE][SMA_BLOCK_SIZE];
	unsigned first;
	unsigned count;
	bool toggle; /* of the head */
};

/* Keep a Notice for SubnGet(Notice). */
void notice_queue_add(struct notice_queue *queue, const uint8_t notice[SMA_BLOCK_SIZE]);

/* The answer to SubnGet(Notice): the head, with its toggle and the number of Notices queued. */
void notice_queue_head(const struct notice_queue *queue, uint8_t notice[SMA_BLOCK_SIZE]);

/* SubnSet(Notice): remove the head if the toggle is its own; a repeated Set removes nothing more. */
void notice_queue_clear(struct notice_queue *queue, const uint8_t notice[SMA_BLOCK_SIZE]);

#endif
