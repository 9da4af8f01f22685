// SPDX-License-Identifier: BSD-2-Clause
#include <sys/random.h>

#include "agent/agentx/retry.h"

static unsigned next(struct backoff *backoff, unsigned limit_ms)
{
	uint32_t chance = 0;

	/* without randomness all agents of this snmpd come at once, which is no harm */
	if (getrandom(&chance, sizeof(chance), GRND_NONBLOCK) < 0)
		chance = 0;
	return backoff_next(backoff, limit_ms, chance);
}

void retry_settled(struct retry *retry)
{
	retry->ended = (struct backoff){0};
	retry->ended_soon = 0;
}

unsigned retry_absent(struct retry *retry, bool is_local)
{
	retry_settled(retry); /* whichever comes next has ended no session */
	return next(&retry->absent, is_local ? RETRY_LOCAL_MS : RETRY_REMOTE_MS);
}

void retry_connected(struct retry *retry)
{
	retry->absent = (struct backoff){0};
}

/* Its uptime has gone back, or it runs for less time than has passed. A number that never changes is no
 * uptime.
 */
static bool was_started_since(const struct retry *retry, uint32_t uptime, uint64_t now)
{
	return uptime < retry->uptime || (uptime != retry->uptime && uptime < (now - retry->ended_at) / 10);
}

void retry_up(struct retry *retry, uint32_t uptime, uint64_t now)
{
	if (was_started_since(retry, uptime, now))
		retry_settled(retry);
}

unsigned retry_ended(struct retry *retry, bool was_up, uint32_t uptime, uint64_t now)
{
	retry->ended_at = now;
	retry->uptime = uptime;
	if (was_up)
		retry->ended_soon++;
	return next(&retry->ended, RETRY_ENDED_MS);
}

bool retry_is_quiet(const struct retry *retry)
{
	return retry->ended_soon >= RETRY_LOGGED;
}
