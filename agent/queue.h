/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices that wait to be sent, in order. Those about a state (notice_is_state) and all others have places of
 * their own, so that a storm of bad keys displaces no link state.
 */
#ifndef AGENT_QUEUE_H
#define AGENT_QUEUE_H

#include "sma/notice/notice.h"

struct queue;

/* A queue for `size` notices of each of the two kinds, 1... All its memory is allocated here. NULL when out
 * of memory. */
struct queue *queue_new(unsigned size);

/* NULL is allowed. */
void queue_free(struct queue *queue);

/* Append a notice. True: the oldest of its kind was dropped for it. */
bool queue_put(struct queue *queue, const struct sma_notice *notice);

/* The oldest, NULL if there is none; it stays in the queue, and is valid until the next queue_put. */
const struct sma_notice *queue_head(const struct queue *queue);

/* Remove the oldest, if there is one. */
void queue_drop(struct queue *queue);

/* How many there may be of each kind. */
unsigned queue_size(const struct queue *queue);

/* How many there are of both kinds. */
unsigned queue_length(const struct queue *queue);

#endif
