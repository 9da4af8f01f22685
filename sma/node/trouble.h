/* SPDX-License-Identifier: BSD-2-Clause */
/* Which attributes can be read: one log line for each trouble and its end. */
#ifndef NODE_TROUBLE_H
#define NODE_TROUBLE_H

#include "sma/node/cache.h"

struct trouble {
	struct {
		uint64_t good;      /* blocks that came */
		uint64_t last_good; /* when the last of them came; 0: never */
		unsigned lost;      /* blocks in state BLOCK_LOST */
	} attrs[SMA_READ_COUNT];
};

/* Account for the end of a request, before `block` takes on the new outcome. `result`: 0, the MAD status, or
 * -ETIMEDOUT. */
void trouble_note(struct trouble *trouble, const struct block *block, enum block_outcome outcome, int result,
                  uint64_t now);

#endif
