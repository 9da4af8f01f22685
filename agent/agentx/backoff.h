/* SPDX-License-Identifier: BSD-2-Clause */
/* How long to wait before the next attempt: twice as long each time, spread at random. */
#ifndef AGENT_AGENTX_BACKOFF_H
#define AGENT_AGENTX_BACKOFF_H

#include <stdint.h>

enum {
	BACKOFF_FIRST_MS = 200,
	BACKOFF_SPREAD = 20, /* per cent, more or less */
};

/* Begins with zeros, which also start it anew. */
struct backoff {
	unsigned last_ms;
};

/* The time to wait now: BACKOFF_FIRST_MS, then twice the last, `limit_ms` at most; spread by `chance`, which
 * is any number. */
unsigned backoff_next(struct backoff *backoff, unsigned limit_ms, uint32_t chance);

#endif
