// SPDX-License-Identifier: BSD-2-Clause
/* One notice: whose it is, and whether it is wanted. */
#include <string.h>

#include "sma/log.h"
#include "sma/node/node.h"
#include "sma/notice/sources_parts.h"

/* ---- whose it is ---- */

static bool comes_from_outside(const struct sma_notice *notice)
{
	return notice->source == SMA_NOTICE_SA || notice->source == SMA_NOTICE_TRAP;
}

static bool is_of_local_port(const struct sources *sources, const struct found *found)
{
	const struct local_port *local = local_port_get(sources->local);

	return local_port_has_lid(sources->local, notice_issuer(found->notice.data), sources->now) ||
	       (found->has_gid && local->known && memcmp(found->gid, local->gid, sizeof(local->gid)) == 0);
}

/* By the LID of the issuer, or its GID. NULL: it is a node that is not read here. */
static struct sma_node *find_node(const struct sources *sources, const struct found *found)
{
	if (comes_from_outside(&found->notice) && !is_of_local_port(sources, found))
		return NULL;
	return sources->node;
}

/* ---- whether it is wanted ---- */

static bool learn_own_mask(struct sources *sources, uint64_t mask)
{
	bool is_new = !sources->mask_known || sources->mask != mask;

	sources->mask_known = true;
	sources->mask = mask;
	return is_new;
}

/* Trap 144 reports other local changes as well, with a mask that is the old one or not filled in. The
 * software SMA marks none as such a change when the mask is new; its end ports each have their own. */
static bool has_news(struct sources *sources, const struct sma_notice *notice)
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
	is_new = notice->node ? learn_own_mask(sources, mask)
	                      : masks_learn(&sources->masks, notice_issuer(notice->data), (uint32_t)mask);
	return !others || is_new;
}

static void hear_own(struct sources *sources, const struct sma_notice *notice)
{
	if (sources->poll && notice->node && notice->source != SMA_NOTICE_POLL)
		change_poll_heard(sources->poll, notice_trap(notice->data), notice->when);
}

/* NULL: it is; else the counter of what it is not wanted for. */
static uint64_t *why_unwanted(struct sources *sources, const struct found *found)
{
	const struct sma_notice *notice = &found->notice;

	if (!notice->node && !sources->config.subnet)
		return &sources->counters.foreign;
	if (!has_news(sources, notice))
		return &sources->counters.unwanted;
	hear_own(sources, notice);
	return sources_is_duplicate(sources, notice, found->tid) ? &sources->counters.repeated : NULL;
}

void sources_deliver(struct sources *sources, const struct sma_notice *notice)
{
	sources->counters.given++;
	sources->sink(sources->arg, notice);
}

static void judge(struct sources *sources, struct found *found)
{
	uint64_t *reason;

	found->notice.node = find_node(sources, found);
	if (found->notice.node) /* delivered or not: what happened has changed what was read before */
		sma_node_expire(found->notice.node, notice_changes(notice_trap(found->notice.data)));
	reason = why_unwanted(sources, found);
	if (reason)
		++*reason;
	else
		sources_deliver(sources, &found->notice);
}

/* ---- those that wait ---- */

static struct found *take_waiting(struct sources *sources)
{
	struct found *found = &sources->waiting.ring[sources->waiting.first];

	sources->waiting.first = (sources->waiting.first + 1) % SOURCES_WAITING;
	sources->waiting.count--;
	return found;
}

/* The port may just have got another LID, with which its trap came before PortInfo was read. */
static bool is_certain(const struct sources *sources, const struct found *found)
{
	return find_node(sources, found) || local_port_is_current(sources->local, found->notice.when);
}

static bool has_to_wait(const struct sources *sources, const struct found *found)
{
	return comes_from_outside(&found->notice) && (sources->waiting.count || !is_certain(sources, found));
}

/* Those that wait keep their order; where they are too many, the first is judged by what is known. */
static void wait_for_local_port(struct sources *sources, const struct found *found)
{
	if (sources->waiting.count == SOURCES_WAITING)
		judge(sources, take_waiting(sources));
	sources->waiting.ring[(sources->waiting.first + sources->waiting.count++) % SOURCES_WAITING] = *found;
	local_port_refresh_soon(sources->local, found->notice.when);
}

void sources_judge_waiting(struct sources *sources, bool now_or_never)
{
	while (sources->waiting.count &&
	       (now_or_never || is_certain(sources, &sources->waiting.ring[sources->waiting.first])))
		judge(sources, take_waiting(sources));
}

/* ---- what a source finds ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Notices come in before the sources have their turn. */
static uint64_t time_of(const struct sources *sources)
{
	return later(sources->now, sma_node_now(sources->node));
}

static void tell_change(const struct sources *sources, const uint8_t *data)
{
	const unsigned trap = notice_trap(data);

	if (sources->heard && (trap == SMA_TRAP_LINK_STATE || trap == SMA_TRAP_CAPABILITY))
		sources->heard(sources->heard_arg, notice_issuer(data));
}

void sources_take(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                  const uint8_t *issuer_gid, uint32_t tid)
{
	struct sources *sources = arg;
	struct found found = {.notice = {.source = source, .when = time_of(sources)}, .tid = tid};
	enum notice_verdict verdict = notice_judge(data, size);

	sources->now = found.notice.when;
	sources->counters.found[source]++;
	if (verdict != NOTICE_WANTED) {
		++*(verdict == NOTICE_MALFORMED ? &sources->counters.malformed : &sources->counters.unwanted);
		sma_log(SMA_LOG_DEBUG, "watch", "a notice that no notification reports was dropped");
		return;
	}
	tell_change(sources, data);
	memcpy(found.notice.data, data, SMA_BLOCK_SIZE);
	found.has_gid = issuer_gid;
	if (issuer_gid)
		memcpy(found.gid, issuer_gid, sizeof(found.gid));
	if (has_to_wait(sources, &found))
		wait_for_local_port(sources, &found);
	else
		judge(sources, &found);
}
