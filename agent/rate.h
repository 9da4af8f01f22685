/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limit of the rate of notifications, and what it holds back. Times are in ms.
 *
 * Traps about a state (notice_is_state) have a token bucket of their own: a storm of the others, which
 * may last for hours where a host tries a wrong P_Key, must not hold back a link that goes down. The others
 * share one. Both have the same limit.
 */
#ifndef AGENT_RATE_H
#define AGENT_RATE_H

#include "agent/bucket.h"
#include "agent/trap_counts.h"

enum rate_bucket { RATE_EVENTS, RATE_STATES, RATE_BUCKETS };

struct rate {
	struct bucket buckets[RATE_BUCKETS];
	struct trap_counts held; /* what was held back since */
	uint64_t held_since;     /* this time, if anything is */
};

/* Start with full buckets: `per_second` 1.., `burst` at once, 1... */
void rate_init(struct rate *rate, unsigned per_second, unsigned burst);

/* Change the limit. */
void rate_configure(struct rate *rate, unsigned per_second, unsigned burst);

/* Whether a notice of a trap that arose at `when` may pass. A time before that of an earlier call with the
 * same bucket counts as that time. */
bool rate_passes(struct rate *rate, unsigned trap, uint64_t when);

/* When a notice of a trap about a state may pass. */
uint64_t rate_states_due(const struct rate *rate);

/* Account for a notice of a trap that is held back for good at `when`. */
void rate_hold_back(struct rate *rate, unsigned trap, uint64_t when);

/* Log what was held back in a minute, for both buckets in one line, when the minute is over. Returns when to
 * be called again, UINT64_MAX for never. */
uint64_t rate_report(struct rate *rate, uint64_t now);

/* Log what was held back and not reported yet. */
void rate_log(const struct rate *rate);

#endif
