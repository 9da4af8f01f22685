/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef AGENT_CLOCK_H
#define AGENT_CLOCK_H

#include <stdint.h>

/* Milliseconds of the monotonic clock. */
uint64_t clock_ms(void);

/* Milliseconds of the wall clock, since 1970. */
uint64_t clock_wall_ms(void);

#endif
