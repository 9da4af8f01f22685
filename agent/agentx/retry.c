// SPDX-License-Identifier: BSD-2-Clause
#include <sys/random.h>

#include "agent/agentx/retry.h"

static unsigned next(struct backoff *backoff, unsigned limit_ms)
{
	uint32_t chance = 0;

	/* without randomness all agents of this snmpd come at once, which does no harm */
	if (getrandom(&chance, sizeof(chance), GRND_NONBLOCK) < 0)
		chance = 0;
	return backoff_next(backoff, limit_ms, chance);
}

void retry_settled(struct retry *retry)
{
	retry->ended = (struct backoff){0};
	retry->ended_early = 0;
}

unsigned retry_absent(struct retry *retry, bool is_local)
{
	retry_settled(retry); /* the one that comes next has ended no session */
	return next(&retry->absent, is_local ? RETRY_LOCAL_MS : RETRY_REMOTE_MS);
}

void retry_connected(struct retry *retry)
{
	retry->absent = (struct backoff){0};
}

void retry_up(struct retry *retry, uint32_t uptime, uint64_t now)
{
	/* a number that never changes is no uptime */
	bool is_younger = uptime != retry->uptime && uptime < (now - retry->ended_at) / 10;

	if (uptime < retry->uptime || is_younger)
		retry_settled(retry);
}

unsigned retry_ended(struct retry *retry, bool was_up, uint32_t uptime, uint64_t now)
{
	retry->ended_at = now;
	retry->uptime = uptime;
	if (was_up)
		retry->ended_early++;
	return next(&retry->ended, RETRY_ENDED_MS);
}

bool retry_is_quiet(const struct retry *retry)
{
	return retry->ended_early >= RETRY_LOGGED;
}
