// SPDX-License-Identifier: BSD-2-Clause
/* Notices that were heard before, and what is delivered when their windows end. */
#include <inttypes.h>

#include "sma/log.h"
#include "sma/notice/sources_parts.h"

enum { LOG_MS = 60 * 1000 }; /* they are logged no more often */

/* The windows that end by `until`, and those that have to end for there to be room. */
static void end_windows(struct sources *sources, uint64_t until)
{
	struct sma_notice notice;
	uint64_t again;
	bool due;

	while (duplicates_ended(sources->duplicates, until, &notice, &again, &due)) {
		sources->unlogged += again;
		notice.when = sources->now;
		if (due)
			sources_deliver(sources, &notice);
	}
}

bool sources_is_duplicate(struct sources *sources, const struct sma_notice *notice, uint32_t tid)
{
	if (notice->source == SMA_NOTICE_SOFT)
		return false;
	end_windows(sources, 0);
	return !duplicates_is_new(sources->duplicates, notice, tid, sources->now);
}

static void log_repeats(struct sources *sources)
{
	if (!sources->unlogged || sources->now < sources->log_at)
		return;
	sma_log(SMA_LOG_INFO, "watch", "notices that were heard again and not sent again: %" PRIu64,
	        sources->unlogged);
	sources->unlogged = 0;
	sources->log_at = sources->now + LOG_MS;
}

uint64_t sources_end_windows(struct sources *sources)
{
	uint64_t due;

	end_windows(sources, sources->now);
	log_repeats(sources);
	due = duplicates_due(sources->duplicates);
	return sources->unlogged && sources->log_at < due ? sources->log_at : due;
}

void sources_restart_windows(struct sources *sources, unsigned repeat_ms)
{
	end_windows(sources, UINT64_MAX);
	duplicates_restart(sources->duplicates, repeat_ms);
}
