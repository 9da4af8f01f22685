// SPDX-License-Identifier: BSD-2-Clause
#include "agent/rate.h"

enum {
	TOKEN = 1000, /* so that a millisecond adds `rate` */
	MINUTE_MS = 60000,
};

static const struct {
	unsigned trap;
	enum rate_bucket_name bucket;
} apart[] = {
	{SMA_TRAP_LINK_STATE, RATE_STATES},
	{SMA_TRAP_CAPABILITY, RATE_STATES},
	{SMA_TRAP_SYSTEM_GUID, RATE_STATES},
};

static struct rate_bucket *bucket_of(struct rate *rate, unsigned trap)
{
	for (size_t i = 0; i < sizeof(apart) / sizeof(apart[0]); i++) {
		if (apart[i].trap == trap)
			return &rate->buckets[apart[i].bucket];
	}
	return &rate->buckets[RATE_EVENTS];
}

void rate_init(struct rate *rate, unsigned per_second, unsigned burst)
{
	*rate = (struct rate){.rate = per_second, .burst = burst};
	for (unsigned i = 0; i < RATE_BUCKETS; i++)
		rate->buckets[i].tokens = (uint64_t)burst * TOKEN;
}

void rate_configure(struct rate *rate, unsigned per_second, unsigned burst)
{
	rate->rate = per_second;
	rate->burst = burst;
	for (unsigned i = 0; i < RATE_BUCKETS; i++) {
		if (rate->buckets[i].tokens > (uint64_t)burst * TOKEN)
			rate->buckets[i].tokens = (uint64_t)burst * TOKEN;
	}
}

static void refill(const struct rate *rate, struct rate_bucket *bucket, uint64_t now)
{
	uint64_t missing = (uint64_t)rate->burst * TOKEN - bucket->tokens;
	uint64_t elapsed;

	if (now <= bucket->last)
		return;
	elapsed = now - bucket->last;
	bucket->last = now;
	/* compared before it is multiplied, which could overflow after a long time */
	bucket->tokens += elapsed > missing / rate->rate ? missing : elapsed * rate->rate;
}

static void hold_back(struct rate *rate, unsigned trap, uint64_t when)
{
	if (tally_is_empty(&rate->held))
		rate->held_since = when;
	tally_add(&rate->held, trap);
}

bool rate_take(struct rate *rate, unsigned trap, uint64_t when)
{
	struct rate_bucket *bucket = bucket_of(rate, trap);

	refill(rate, bucket, when);
	if (bucket->tokens < TOKEN) {
		hold_back(rate, trap, bucket->last);
		return false;
	}
	bucket->tokens -= TOKEN;
	return true;
}

uint64_t rate_report(struct rate *rate, uint64_t now)
{
	if (tally_is_empty(&rate->held))
		return UINT64_MAX;
	if (now < rate->held_since + MINUTE_MS)
		return rate->held_since + MINUTE_MS;
	rate_log(rate);
	rate->held = (struct tally){0};
	return UINT64_MAX;
}

void rate_log(const struct rate *rate)
{
	char text[TALLY_TEXT_SIZE];

	if (tally_is_empty(&rate->held))
		return;
	tally_print(&rate->held, text);
	sma_log(SMA_LOG_WARNING, "notify", "held back in the last minute, over notifyRate %u/s: %s",
	        rate->rate, text);
}
