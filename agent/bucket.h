/* SPDX-License-Identifier: BSD-2-Clause */
/* A token bucket. Times are in ms. */
#ifndef AGENT_BUCKET_H
#define AGENT_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

struct bucket {
	unsigned rate;   /* tokens a second, 1.. */
	unsigned burst;  /* tokens at most, 1.. */
	uint64_t tokens; /* in thousandths */
	uint64_t last;   /* the time up to which tokens were added */
};

/* Start with a full bucket. */
void bucket_init(struct bucket *bucket, unsigned rate, unsigned burst);

/* Change the rate and the burst. */
void bucket_configure(struct bucket *bucket, unsigned rate, unsigned burst);

/* Take a token if there is one. A time before that of an earlier call counts as that time. */
bool bucket_take(struct bucket *bucket, uint64_t now);

/* When there will be a token; a time in the past: there is one now. */
uint64_t bucket_due(const struct bucket *bucket);

#endif
