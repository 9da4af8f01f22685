// SPDX-License-Identifier: BSD-2-Clause
/* Notices of a watch that were heard before, and what is told when their windows end. */
#include <inttypes.h>

#include "sma/log.h"
#include "sma/notice/watch_parts.h"

enum { LOG_MS = 60 * 1000 }; /* they are logged no more often */

/* The windows that end by `until`, and those that have to end for there to be room. */
static void end_windows(struct sma_watch *watch, uint64_t until)
{
	struct sma_notice notice;
	uint64_t again;
	bool due;

	while (repeats_ended(watch->repeats, until, &notice, &again, &due)) {
		watch->unlogged += again;
		notice.when = watch->now;
		if (due)
			watch_give(watch, &notice);
	}
}

bool watch_is_repeat(struct sma_watch *watch, const struct sma_notice *notice, uint32_t tid)
{
	if (notice->source == SMA_NOTICE_SOFT)
		return false;
	end_windows(watch, 0);
	return !repeats_is_new(watch->repeats, notice, tid, watch->now);
}

static void log_repeats(struct sma_watch *watch)
{
	if (!watch->unlogged || watch->now < watch->log_at)
		return;
	sma_log(SMA_LOG_INFO, "watch", "notices that were heard again and not told again: %" PRIu64,
	        watch->unlogged);
	watch->unlogged = 0;
	watch->log_at = watch->now + LOG_MS;
}

uint64_t watch_end_repeats(struct sma_watch *watch)
{
	uint64_t due;

	end_windows(watch, watch->now);
	log_repeats(watch);
	due = repeats_due(watch->repeats);
	return watch->unlogged && watch->log_at < due ? watch->log_at : due;
}

void watch_restart_repeats(struct sma_watch *watch, unsigned repeat_ms)
{
	end_windows(watch, UINT64_MAX);
	repeats_restart(watch->repeats, repeat_ms);
}
