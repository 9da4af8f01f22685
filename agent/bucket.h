/* SPDX-License-Identifier: BSD-2-Clause */
/* A token bucket. Times are in ms. */
#ifndef AGENT_BUCKET_H
#define AGENT_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

struct bucket {
	unsigned rate;   /* tokens that come a second, 1.. */
	unsigned burst;  /* so many at most, 1.. */
	uint64_t tokens; /* in thousandths */
	uint64_t last;   /* the latest time up to which they were added */
};

/* Begin with a full bucket. */
void bucket_init(struct bucket *bucket, unsigned rate, unsigned burst);

/* Go on with another rate and burst. */
void bucket_configure(struct bucket *bucket, unsigned rate, unsigned burst);

/* Take a token if there is one. A time before that of an earlier call counts as that time. */
bool bucket_take(struct bucket *bucket, uint64_t now);

/* When there is a token; at once if that is not after the present. */
uint64_t bucket_due(const struct bucket *bucket);

#endif
