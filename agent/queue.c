// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "agent/queue.h"

struct queue {
	unsigned size;
	unsigned head; /* oldest */
	unsigned count;
	struct sma_notice notices[];
};

struct queue *queue_new(unsigned size)
{
	struct queue *queue = calloc(1, sizeof(*queue) + size * sizeof(queue->notices[0]));

	if (queue)
		queue->size = size;
	return queue;
}

void queue_free(struct queue *queue)
{
	free(queue);
}

bool queue_put(struct queue *queue, const struct sma_notice *notice)
{
	bool full = queue->count == queue->size;

	if (full)
		queue_drop(queue);
	queue->notices[((size_t)queue->head + queue->count++) % queue->size] = *notice;
	return full;
}

const struct sma_notice *queue_head(const struct queue *queue)
{
	return queue->count ? &queue->notices[queue->head] : NULL;
}

void queue_drop(struct queue *queue)
{
	if (queue->count == 0)
		return;
	queue->head = (queue->head + 1) % queue->size;
	queue->count--;
}

unsigned queue_length(const struct queue *queue)
{
	return queue->count;
}
