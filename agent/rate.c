// SPDX-License-Identifier: BSD-2-Clause
#include "agent/rate.h"

enum {
	TOKEN = 1000, /* so that a millisecond adds `rate` */
	MINUTE_MS = 60000,
};

void rate_init(struct rate *rate, unsigned per_second, unsigned burst)
{
	*rate = (struct rate){.rate = per_second, .burst = burst, .tokens = (uint64_t)burst * TOKEN};
}

void rate_configure(struct rate *rate, unsigned per_second, unsigned burst)
{
	rate->rate = per_second;
	rate->burst = burst;
	if (rate->tokens > (uint64_t)burst * TOKEN)
		rate->tokens = (uint64_t)burst * TOKEN;
}

static void refill(struct rate *rate, uint64_t now)
{
	uint64_t missing = (uint64_t)rate->burst * TOKEN - rate->tokens;
	uint64_t elapsed;

	if (now <= rate->last)
		return;
	elapsed = now - rate->last;
	rate->last = now;
	/* compared before it is multiplied, which could overflow after a long time */
	rate->tokens += elapsed > missing / rate->rate ? missing : elapsed * rate->rate;
}

static void hold_back(struct rate *rate, unsigned trap)
{
	if (tally_is_empty(&rate->held))
		rate->held_since = rate->last;
	tally_add(&rate->held, trap);
}

bool rate_take(struct rate *rate, unsigned trap, uint64_t when)
{
	refill(rate, when);
	if (rate->tokens < TOKEN) {
		hold_back(rate, trap);
		return false;
	}
	rate->tokens -= TOKEN;
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
