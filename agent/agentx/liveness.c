// SPDX-License-Identifier: BSD-2-Clause
#include "agent/agentx/liveness.h"

void liveness_ask(struct liveness *liveness, uint64_t now)
{
	liveness->asked = true;
	liveness->asked_at = now;
}

void liveness_answer(struct liveness *liveness)
{
	liveness->asked = false;
}

uint64_t liveness_due(const struct liveness *liveness, uint64_t heard, uint64_t limit_ms)
{
	uint64_t since = liveness->asked && liveness->asked_at > heard ? liveness->asked_at : heard;

	return liveness->frozen ? UINT64_MAX : since + limit_ms;
}

enum liveness_change liveness_check(struct liveness *liveness, uint64_t heard, uint64_t limit_ms,
                                    uint64_t now)
{
	if (liveness->frozen && heard >= liveness->frozen_at) {
		liveness->frozen = false;
		return LIVENESS_ANSWERS;
	}
	if (!liveness->asked || now < liveness_due(liveness, heard, limit_ms))
		return LIVENESS_SAME;
	liveness->frozen = true;
	liveness->frozen_at = now;
	return LIVENESS_FROZEN;
}

bool liveness_wants_ping(const struct liveness *liveness, uint64_t heard, uint64_t limit_ms, uint64_t now)
{
	return !liveness->asked && now >= liveness_due(liveness, heard, limit_ms);
}
