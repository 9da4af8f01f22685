/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices about a state (notice_is_state) that came faster than the rate of notifications allows: of each
 * trap and issuer the latest, until it may leave. So the last state is told however often it changed.
 */
#ifndef AGENT_LATEST_H
#define AGENT_LATEST_H

#include "sma/notice/notice.h"

enum { LATEST_KEPT = 1024 };

/* All zero: none waits. */
struct latest {
	unsigned count;
	struct sma_notice notices[LATEST_KEPT]; /* the one that may leave first comes first */
};

/* Put a notice in the place of an earlier one of the same trap and issuer, or last; where there is no place
 * the first is given up. The trap of the one that is given up; 0: none is. */
unsigned latest_put(struct latest *latest, const struct sma_notice *notice);

/* The one that may leave first, NULL if none waits; valid until the next call with `latest`. */
const struct sma_notice *latest_first(const struct latest *latest);

/* Take it out. */
void latest_drop(struct latest *latest);

#endif
