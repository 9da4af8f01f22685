// SPDX-License-Identifier: BSD-2-Clause
#include <time.h>

#include "agent/clock.h"

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

uint64_t clock_ms(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_wall_ms(void)
{
	return read_clock(CLOCK_REALTIME);
}
