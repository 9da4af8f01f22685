/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limit of the rate of notifications: token buckets, and what they hold back. Times are in ms.
 *
 * Traps about a state (128, 144, 145) have a bucket of their own, so that a storm of the others, which may go
 * on for hours where a host tries a wrong P_Key, leaves the way of a link that goes down free. The others
 * share one. Both have the same limit.
 */
#ifndef AGENT_RATE_H
#define AGENT_RATE_H

#include "agent/tally.h"

enum rate_bucket_name { RATE_EVENTS, RATE_STATES, RATE_BUCKETS };

struct rate_bucket {
	uint64_t tokens; /* in thousandths, at most burst * 1000 */
	uint64_t last;   /* the latest time up to which they were added */
};

struct rate {
	unsigned rate;  /* a second, 1.. */
	unsigned burst; /* at once, 1.. */
	struct rate_bucket buckets[RATE_BUCKETS];
	struct tally held;   /* held back since */
	uint64_t held_since; /* this time, if anything is */
};

/* Begin with full buckets. */
void rate_init(struct rate *rate, unsigned per_second, unsigned burst);

/* Go on with another limit. */
void rate_configure(struct rate *rate, unsigned per_second, unsigned burst);

/* Whether a notice of a trap that arose at `when` may pass; it is counted if not. A time before that of an
 * earlier call with the same bucket counts as that time. */
bool rate_take(struct rate *rate, unsigned trap, uint64_t when);

/* Log what was held back in a minute, from both buckets in one line, when the minute is over. Returns when to
 * be called again, UINT64_MAX for never. */
uint64_t rate_report(struct rate *rate, uint64_t now);

/* Log what was held back and not reported yet. */
void rate_log(const struct rate *rate);

#endif
