// SPDX-License-Identifier: BSD-2-Clause
#include "agent/bucket.h"

enum { TOKEN = 1000 /* so that a millisecond adds `rate` */ };

static uint64_t capacity(const struct bucket *bucket)
{
	return (uint64_t)bucket->burst * TOKEN;
}

void bucket_init(struct bucket *bucket, unsigned rate, unsigned burst)
{
	*bucket = (struct bucket){.rate = rate, .burst = burst};
	bucket->tokens = capacity(bucket);
}

void bucket_configure(struct bucket *bucket, unsigned rate, unsigned burst)
{
	bucket->rate = rate;
	bucket->burst = burst;
	if (bucket->tokens > capacity(bucket))
		bucket->tokens = capacity(bucket);
}

static void refill(struct bucket *bucket, uint64_t now)
{
	uint64_t missing = capacity(bucket) - bucket->tokens;
	uint64_t elapsed;

	if (now <= bucket->last)
		return;
	elapsed = now - bucket->last;
	bucket->last = now;
	/* compared before it is multiplied: the product could overflow after a long time */
	bucket->tokens += elapsed > missing / bucket->rate ? missing : elapsed * bucket->rate;
}

bool bucket_take(struct bucket *bucket, uint64_t now)
{
	refill(bucket, now);
	if (bucket->tokens < TOKEN)
		return false;
	bucket->tokens -= TOKEN;
	return true;
}

uint64_t bucket_due(const struct bucket *bucket)
{
	uint64_t missing = bucket->tokens < TOKEN ? TOKEN - bucket->tokens : 0;

	return bucket->last + (missing + bucket->rate - 1) / bucket->rate;
}
