// SPDX-License-Identifier: BSD-2-Clause
#include "agent/agentx/backoff.h"

unsigned backoff_next(struct backoff *backoff, unsigned limit_ms, uint32_t chance)
{
	unsigned delay = backoff->last_ms ? 2 * backoff->last_ms : BACKOFF_FIRST_MS;

	if (delay > limit_ms)
		delay = limit_ms;
	backoff->last_ms = delay;
	return delay * (100 - BACKOFF_SPREAD + chance % (2 * BACKOFF_SPREAD + 1)) / 100;
}
