/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether an SMA answers: back-off when it is silent, attributes that it does not answer, and one log line
 * for each trouble and its end. */
#ifndef SMA_HEALTH_H
#define SMA_HEALTH_H

#include "sma/cache.h"

struct health {
	unsigned lost_in_row;  /* requests given up since the last answer */
	unsigned hold_ms;      /* the back-off in force; 0: none */
	uint64_t silent_until; /* no request before this time */
	bool heard;            /* it has answered once */
	struct {
		uint64_t good;       /* blocks that came */
		uint64_t last_good;  /* when the last of them came; 0: never */
		unsigned lost;       /* blocks in state BLOCK_LOST */
		bool last_was_lost;  /* the last request */
		unsigned pending;    /* requests on their way */
		uint64_t quiet_from; /* when something happened last, if requests are on their way */
	} attrs[SMA_ATTR_COUNT];
};

/* Account for a request that sets out. */
void health_note_request(struct health *health, enum sma_attr attr, uint64_t now);

/* Whether waiting for blocks of an attribute seems to be in vain. */
bool health_is_unanswered(const struct health *health, enum sma_attr attr, uint64_t now);

/* Whether requests are held back because the SMA does not answer at all. */
bool health_is_silent(const struct health *health, uint64_t now);

/* Whether that is so, or was until it is asked again. */
enum sma_state health_state(const struct health *health);

/* Whether so many requests were lost in a row that the SMA may be silent. It is taken for silent when
 * NodeInfo is lost as well. */
bool health_is_suspect(const struct health *health);

/* Account for the end of a request, before `block` takes on the new outcome. `result` as in request.h. */
void health_note(struct health *health, const struct block *block, enum block_outcome outcome, int result,
                 uint64_t now);

#endif
