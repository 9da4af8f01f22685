/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a peer that owes an answer is alive. Times are in milliseconds of one clock. */
#ifndef AGENT_AGENTX_LIVENESS_H
#define AGENT_AGENTX_LIVENESS_H

#include <stdbool.h>
#include <stdint.h>

/* All zero at the start. */
struct liveness {
	bool asked;        /* it owes an answer */
	uint64_t asked_at; /* since this time */
	bool frozen;       /* it has owed one for too long */
	uint64_t frozen_at;
};

enum liveness_change { LIVENESS_SAME, LIVENESS_FROZEN, LIVENESS_ANSWERS };

void liveness_ask(struct liveness *liveness, uint64_t now);
void liveness_answer(struct liveness *liveness);

/* What has changed. The peer was last heard at `heard`, and may take `limit_ms` to answer. */
enum liveness_change liveness_check(struct liveness *liveness, uint64_t heard, uint64_t limit_ms,
                                    uint64_t now);

/* Whether it should be pinged. */
bool liveness_wants_ping(const struct liveness *liveness, uint64_t heard, uint64_t limit_ms, uint64_t now);

/* When the result of one of the above will change if nothing else happens; UINT64_MAX for never. */
uint64_t liveness_due(const struct liveness *liveness, uint64_t heard, uint64_t limit_ms);

#endif
