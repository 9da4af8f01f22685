// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "agent/queue.h"

enum kind { KIND_EVENTS, KIND_STATES, KINDS };

struct place {
	uint64_t serial; /* in the order of queue_put */
	struct sma_notice notice;
};

struct ring {
	unsigned head; /* oldest */
	unsigned count;
	struct place *places;
};

struct queue {
	unsigned size; /* of each ring */
	uint64_t last_serial;
	struct ring rings[KINDS];
	struct place places[]; /* of both */
};

struct queue *queue_new(unsigned size)
{
	struct queue *queue = calloc(1, sizeof(*queue) + (size_t)size * KINDS * sizeof(queue->places[0]));

	if (!queue)
		return NULL;
	queue->size = size;
	for (enum kind kind = 0; kind < KINDS; kind++)
		queue->rings[kind].places = queue->places + (size_t)size * kind;
	return queue;
}

void queue_free(struct queue *queue)
{
	free(queue);
}

static void drop_oldest(const struct queue *queue, struct ring *ring)
{
	ring->head = (ring->head + 1) % queue->size;
	ring->count--;
}

bool queue_put(struct queue *queue, const struct sma_notice *notice)
{
	bool state = notice_is_state(notice_trap(notice->data));
	struct ring *ring = &queue->rings[state ? KIND_STATES : KIND_EVENTS];
	bool full = ring->count == queue->size;
	struct place *place;

	if (full)
		drop_oldest(queue, ring);
	place = &ring->places[((size_t)ring->head + ring->count++) % queue->size];
	*place = (struct place){.serial = ++queue->last_serial, .notice = *notice};
	return full;
}

/* The kind of the oldest; KINDS if there is none. */
static enum kind head_kind(const struct queue *queue)
{
	enum kind found = KINDS;
	uint64_t oldest = UINT64_MAX;

	for (enum kind kind = 0; kind < KINDS; kind++) {
		const struct ring *ring = &queue->rings[kind];

		if (ring->count && ring->places[ring->head].serial < oldest) {
			oldest = ring->places[ring->head].serial;
			found = kind;
		}
	}
	return found;
}

const struct sma_notice *queue_head(const struct queue *queue)
{
	enum kind kind = head_kind(queue);
	const struct ring *ring = &queue->rings[kind];

	return kind == KINDS ? NULL : &ring->places[ring->head].notice;
}

void queue_drop(struct queue *queue)
{
	enum kind kind = head_kind(queue);

	if (kind != KINDS)
		drop_oldest(queue, &queue->rings[kind]);
}

unsigned queue_size(const struct queue *queue)
{
	return queue->size;
}

unsigned queue_length(const struct queue *queue)
{
	return queue->rings[KIND_EVENTS].count + queue->rings[KIND_STATES].count;
}
