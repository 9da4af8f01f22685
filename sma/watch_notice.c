// SPDX-License-Identifier: BSD-2-Clause
/* One notice: whose it is, and whether it is wanted. */
#include <string.h>

#include "sma/node.h"
#include "sma/soft.h"
#include "sma/watch_parts.h"

static bool is_own(const struct sma_watch *watch, const struct sma_notice *notice, const uint8_t *gid)
{
	const struct facts *facts;

	if (notice->source == SMA_NOTICE_SOFT || notice->source == SMA_NOTICE_POLL)
		return true;
	facts = facts_get(watch->facts);
	return facts_is_own_lid(facts, sma_notice_issuer(notice->data)) ||
	       (gid && facts->known && memcmp(gid, facts->gid, sizeof(facts->gid)) == 0);
}

static bool learn_own_mask(struct sma_watch *watch, uint64_t mask)
{
	bool is_new = !watch->mask_known || watch->mask != mask;

	watch->mask_known = true;
	watch->mask = mask;
	return is_new;
}

/* Trap 144 tells of other local changes as well, with a mask that is the old one or not filled in. The
 * software SMA says of none that it is such a change when the mask is new; its end ports each have their own.
 */
static bool has_news(struct sma_watch *watch, const struct sma_notice *notice)
{
	uint64_t others = 0;
	uint64_t mask = 0;
	bool is_new;

	if (sma_notice_trap(notice->data) != SMA_TRAP_CAPABILITY)
		return true;
	sma_notice_get(notice->data, SMA_NOTICE_OTHERLOCALCHANGES, &others);
	sma_notice_get(notice->data, SMA_NOTICE_CAPABILITYMASK, &mask);
	if (notice->source == SMA_NOTICE_SOFT)
		return !others;
	if (others && !mask)
		return false;
	is_new = notice->own ? learn_own_mask(watch, mask)
	                     : masks_learn(&watch->masks, sma_notice_issuer(notice->data), (uint32_t)mask);
	return !others || is_new;
}

static void hear_own(struct sma_watch *watch, const struct sma_notice *notice)
{
	if (watch->poll && notice->own && notice->source != SMA_NOTICE_POLL)
		poll_heard(watch->poll, sma_notice_trap(notice->data), watch->now);
}

void watch_give(struct sma_watch *watch, const struct sma_notice *notice)
{
	watch->counters.given++;
	watch->sink(watch->arg, notice);
}

/* Whether a notice may be given; counts it where not. */
static bool is_wanted(struct sma_watch *watch, struct sma_notice *notice, const uint8_t *gid, uint32_t tid)
{
	uint64_t *reason = NULL;

	notice->own = is_own(watch, notice, gid);
	if (notice->own) /* whether or not it is told: what happened has changed what was read before */
		sma_node_expire(watch->node, notice_changes(sma_notice_trap(notice->data)));
	if (!notice->own && !watch->config.subnet) {
		reason = &watch->counters.foreign;
	} else if (!has_news(watch, notice)) {
		reason = &watch->counters.unwanted;
	} else {
		hear_own(watch, notice);
		if (watch_is_repeat(watch, notice, tid))
			reason = &watch->counters.repeated;
	}
	if (reason)
		++*reason;
	return !reason;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The node and the software SMA find notices before this round of the watch. */
static uint64_t time_of(const struct sma_watch *watch)
{
	uint64_t now = later(watch->now, watch->node->now);

	return watch->soft ? later(now, soft_now(watch->soft)) : now;
}

void watch_take(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                const uint8_t *issuer_gid, uint32_t tid)
{
	struct sma_watch *watch = arg;
	struct sma_notice notice = {.source = source, .when = time_of(watch)};
	enum notice_verdict verdict = notice_judge(data, size);

	watch->now = notice.when;
	watch->counters.found[source]++;
	if (verdict != NOTICE_WANTED) {
		++*(verdict == NOTICE_MALFORMED ? &watch->counters.malformed : &watch->counters.unwanted);
		sma_log(SMA_LOG_DEBUG, "watch", "a notice that is none of the ten was dropped");
		return;
	}
	memcpy(notice.data, data, SMA_BLOCK_SIZE);
	if (is_wanted(watch, &notice, issuer_gid, tid))
		watch_give(watch, &notice);
}
