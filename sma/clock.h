/* SPDX-License-Identifier: BSD-2-Clause */
/* Times, in milliseconds of one monotonic clock that the caller reads. */
#ifndef SMA_CLOCK_H
#define SMA_CLOCK_H

#include <stdint.h>

/* The earlier of two times, of which UINT64_MAX is never. */
static inline uint64_t sma_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Who is called so late, in milliseconds, was stopped or busy elsewhere; the readers then take so long to
 * pass on what has come meanwhile, and no time is judged before. */
enum { SMA_STALL_MS = 50, SMA_GRACE_MS = 50 };

#endif
