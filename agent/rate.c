// SPDX-License-Identifier: BSD-2-Clause
#include "agent/rate.h"
#include "sma/log.h"

enum { MINUTE_MS = 60000 };

void rate_init(struct rate *rate, unsigned per_second, unsigned burst)
{
	*rate = (struct rate){0};
	for (enum rate_bucket i = 0; i < RATE_BUCKETS; i++)
		bucket_init(&rate->buckets[i], per_second, burst);
}

void rate_configure(struct rate *rate, unsigned per_second, unsigned burst)
{
	for (enum rate_bucket i = 0; i < RATE_BUCKETS; i++)
		bucket_configure(&rate->buckets[i], per_second, burst);
}

bool rate_passes(struct rate *rate, unsigned trap, uint64_t when)
{
	return bucket_take(&rate->buckets[notice_is_state(trap) ? RATE_STATES : RATE_EVENTS], when);
}

uint64_t rate_states_due(const struct rate *rate)
{
	return bucket_due(&rate->buckets[RATE_STATES]);
}

void rate_hold_back(struct rate *rate, unsigned trap, uint64_t when)
{
	if (trap_counts_is_empty(&rate->held))
		rate->held_since = when;
	trap_counts_add(&rate->held, trap);
}

uint64_t rate_report(struct rate *rate, uint64_t now)
{
	if (trap_counts_is_empty(&rate->held))
		return UINT64_MAX;
	if (now < rate->held_since + MINUTE_MS)
		return rate->held_since + MINUTE_MS;
	rate_log(rate);
	rate->held = (struct trap_counts){0};
	return UINT64_MAX;
}

void rate_log(const struct rate *rate)
{
	char text[TRAP_COUNTS_TEXT_SIZE];

	if (trap_counts_is_empty(&rate->held))
		return;
	trap_counts_print(&rate->held, text);
	sma_log(SMA_LOG_WARNING, "notify", "held back in the last minute, over notifyRate %u/s: %s",
	        rate->buckets[RATE_EVENTS].rate, text);
}
