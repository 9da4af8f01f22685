/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether an SMA answers: back-off while it is silent, and one log line for each trouble and its end. */
#ifndef NODE_HEALTH_H
#define NODE_HEALTH_H

#include "sma/node/cache.h"

struct health {
	unsigned hold_ms;      /* the back-off in force; 0: none */
	uint64_t silent_until; /* no request before this time */
	bool heard;            /* it has answered once */
	struct {
		uint64_t good;      /* blocks that came */
		uint64_t last_good; /* when the last of them came; 0: never */
		unsigned lost;      /* blocks in state BLOCK_LOST */
	} attrs[SMA_ATTR_COUNT];
};

/* Whether requests are held back because the SMA does not answer at all. */
bool health_is_silent(const struct health *health, uint64_t now);

/* Whether that is so, or was until it is asked again. */
enum sma_state health_state(const struct health *health);

/* The SMA was found silent, with a request for `port`. */
void health_fall_silent(struct health *health, unsigned port, uint64_t now);

/* Ask a silent SMA again at once: there is reason to believe that it will answer. */
void health_forgive(struct health *health);

/* Account for the end of a request, before `block` takes on the new outcome. `result` as in request.h, but
 * not -EHOSTDOWN. */
void health_note(struct health *health, const struct block *block, enum block_outcome outcome, int result,
                 uint64_t now);

#endif
