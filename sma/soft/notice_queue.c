// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/notice_queue.h"

enum {
	TOGGLE_AT = 8, /* bit 15: toggle, the rest: count */
	TOGGLE = 0x8000,
};

static void drop_head(struct notice_queue *queue)
{
	queue->first = (queue->first + 1) % NOTICE_QUEUE;
	queue->count--;
	queue->toggle = !queue->toggle;
}

void notice_queue_add(struct notice_queue *queue, const uint8_t notice[SMA_BLOCK_SIZE])
{
	if (queue->count == NOTICE_QUEUE)
		drop_head(queue);
	memcpy(queue->notices[(queue->first + queue->count++) % NOTICE_QUEUE], notice, SMA_BLOCK_SIZE);
}

void notice_queue_head(const struct notice_queue *queue, uint8_t notice[SMA_BLOCK_SIZE])
{
	if (queue->count == 0) {
		notice_build_empty(notice);
		return;
	}
	memcpy(notice, queue->notices[queue->first], SMA_BLOCK_SIZE);
	notice_set_queued(notice, queue->toggle, queue->count);
}

void notice_queue_clear(struct notice_queue *queue, const uint8_t notice[SMA_BLOCK_SIZE])
{
	if (queue->count && notice_toggle(notice) == queue->toggle)
		drop_head(queue);
}
