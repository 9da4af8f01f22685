/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices about a state (notice_is_state) that came faster than the rate of notifications allows: of each
 * trap and issuer the latest, until the rate allows it. So the last state is reported however often it
 * changed.
 */
#ifndef AGENT_LATEST_H
#define AGENT_LATEST_H

#include "sma/notice/notice.h"

enum { LATEST_KEPT = 1024 };

/* All zero: none waits. */
struct latest {
	unsigned count;
	struct sma_notice notices[LATEST_KEPT]; /* in the order in which they leave */
};

/* Put a notice in place of an earlier one of the same trap and issuer, or last; without room the first one is
 * dropped. The trap of the notice that was replaced or dropped; 0: none was. */
unsigned latest_put(struct latest *latest, const struct sma_notice *notice);

/* The one that leaves first, NULL if none waits; valid until the next call with `latest`. */
const struct sma_notice *latest_first(const struct latest *latest);

/* Take it out. */
void latest_drop(struct latest *latest);

#endif
