/* SPDX-License-Identifier: BSD-2-Clause */
/* What other modules may know of the software SMA. */
#ifndef SMA_SOFT_H
#define SMA_SOFT_H

#include "sma/sma.h"

/* Have each Notice that is raised given to `raised`, whether or not it leaves as a trap. NULL: to nobody. */
void soft_on_notice(struct sma_soft *soft, void (*raised)(void *arg, const uint8_t *notice), void *arg);

/* The time of the last sma_soft_process: that of the Notice that is given. */
uint64_t soft_now(const struct sma_soft *soft);

#endif
