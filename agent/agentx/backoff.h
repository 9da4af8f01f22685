/* SPDX-License-Identifier: BSD-2-Clause */
/* The delay before the next attempt: doubled each time, and spread at random. */
#ifndef AGENT_AGENTX_BACKOFF_H
#define AGENT_AGENTX_BACKOFF_H

#include <stdint.h>

enum {
	BACKOFF_FIRST_MS = 200,
	BACKOFF_SPREAD = 20, /* per cent, more or less */
};

/* All zero at the start; zeros also reset it. */
struct backoff {
	unsigned last_ms;
};

/* The delay in ms: BACKOFF_FIRST_MS, then twice the last one, at most `limit_ms`; spread by `chance`, which
 * is any number. */
unsigned backoff_next(struct backoff *backoff, unsigned limit_ms, uint32_t chance);

#endif
