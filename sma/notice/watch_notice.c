// SPDX-License-Identifier: BSD-2-Clause
/* One notice: whose it is, and whether it is wanted. */
#include <string.h>

#include "sma/log.h"
#include "sma/node/node.h"
#include "sma/node/node_parts.h"
#include "sma/notice/watch_parts.h"

/* ---- whose it is ---- */

static bool comes_from_outside(const struct sma_notice *notice)
{
	return notice->source == SMA_NOTICE_SA || notice->source == SMA_NOTICE_TRAP;
}

static bool is_own(const struct sma_watch *watch, const struct found *found)
{
	const struct facts *facts;

	if (!comes_from_outside(&found->notice))
		return true;
	facts = facts_get(watch->facts);
	return facts_is_own_lid(watch->facts, notice_issuer(found->notice.data), watch->now) ||
	       (found->has_gid && facts->known && memcmp(found->gid, facts->gid, sizeof(facts->gid)) == 0);
}

/* ---- whether it is wanted ---- */

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

	if (notice_trap(notice->data) != SMA_TRAP_CAPABILITY)
		return true;
	notice_get(notice->data, NOTICE_OTHERLOCALCHANGES, &others);
	notice_get(notice->data, NOTICE_CAPABILITYMASK, &mask);
	if (notice->source == SMA_NOTICE_SOFT)
		return !others;
	if (others && !mask)
		return false;
	is_new = notice->own ? learn_own_mask(watch, mask)
	                     : masks_learn(&watch->masks, notice_issuer(notice->data), (uint32_t)mask);
	return !others || is_new;
}

static void hear_own(struct sma_watch *watch, const struct sma_notice *notice)
{
	if (watch->poll && notice->own && notice->source != SMA_NOTICE_POLL)
		poll_heard(watch->poll, notice_trap(notice->data), notice->when);
}

/* NULL: it is; else the counter of what it is not wanted for. */
static uint64_t *why_unwanted(struct sma_watch *watch, const struct found *found)
{
	const struct sma_notice *notice = &found->notice;

	if (!notice->own && !watch->config.subnet)
		return &watch->counters.foreign;
	if (!has_news(watch, notice))
		return &watch->counters.unwanted;
	hear_own(watch, notice);
	return watch_is_repeat(watch, notice, found->tid) ? &watch->counters.repeated : NULL;
}

void watch_give(struct sma_watch *watch, const struct sma_notice *notice)
{
	watch->counters.given++;
	watch->sink(watch->arg, notice);
}

static void judge(struct sma_watch *watch, struct found *found)
{
	uint64_t *reason;

	found->notice.own = is_own(watch, found);
	if (found->notice.own) /* whether or not it is told: what happened has changed what was read before */
		sma_node_expire(watch->node, notice_changes(notice_trap(found->notice.data)));
	reason = why_unwanted(watch, found);
	if (reason)
		++*reason;
	else
		watch_give(watch, &found->notice);
}

/* ---- those that wait ---- */

static struct found *take_waiting(struct sma_watch *watch)
{
	struct found *found = &watch->waiting.ring[watch->waiting.first];

	watch->waiting.first = (watch->waiting.first + 1) % WATCH_WAITING;
	watch->waiting.count--;
	return found;
}

/* The port may just have got another LID, with which its trap came sooner than the facts of it. */
static bool is_certain(const struct sma_watch *watch, const struct found *found)
{
	return is_own(watch, found) || facts_are_of(watch->facts, found->notice.when);
}

static bool has_to_wait(const struct sma_watch *watch, const struct found *found)
{
	return comes_from_outside(&found->notice) && (watch->waiting.count || !is_certain(watch, found));
}

/* Those that wait keep their order; where they are too many, the first is judged by what is known. */
static void wait_for_facts(struct sma_watch *watch, const struct found *found)
{
	if (watch->waiting.count == WATCH_WAITING)
		judge(watch, take_waiting(watch));
	watch->waiting.ring[(watch->waiting.first + watch->waiting.count++) % WATCH_WAITING] = *found;
	facts_want(watch->facts, found->notice.when);
}

void watch_end_waiting(struct sma_watch *watch, bool now_or_never)
{
	while (watch->waiting.count &&
	       (now_or_never || is_certain(watch, &watch->waiting.ring[watch->waiting.first])))
		judge(watch, take_waiting(watch));
}

/* ---- what a source finds ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The node finds notices before this round of the watch. */
static uint64_t time_of(const struct sma_watch *watch)
{
	return later(watch->now, watch->node->now);
}

void watch_take(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                const uint8_t *issuer_gid, uint32_t tid)
{
	struct sma_watch *watch = arg;
	struct found found = {.notice = {.source = source, .when = time_of(watch)}, .tid = tid};
	enum notice_verdict verdict = notice_judge(data, size);

	watch->now = found.notice.when;
	watch->counters.found[source]++;
	if (verdict != NOTICE_WANTED) {
		++*(verdict == NOTICE_MALFORMED ? &watch->counters.malformed : &watch->counters.unwanted);
		sma_log(SMA_LOG_DEBUG, "watch", "a notice that is none of the ten was dropped");
		return;
	}
	memcpy(found.notice.data, data, SMA_BLOCK_SIZE);
	found.has_gid = issuer_gid;
	if (issuer_gid)
		memcpy(found.gid, issuer_gid, sizeof(found.gid));
	if (has_to_wait(watch, &found))
		wait_for_facts(watch, &found);
	else
		judge(watch, &found);
}
