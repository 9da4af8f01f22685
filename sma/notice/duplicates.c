// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "sma/iba/iba.h"
#include "sma/notice/duplicates.h"

/* A notice that was delivered. */
struct heard {
	LIST_ENTRY(heard) link;
	struct sma_notice notice;
	uint64_t delivered_at;
	uint64_t again;
	uint32_t hash;
	uint32_t tids[SMA_NOTICE_SOURCE_COUNT]; /* with which each source reported it last */
	bool reported_by[SMA_NOTICE_SOURCE_COUNT];
	bool listed; /* what comes is compared with it; false: a later notice took its place */
	bool due;
};

LIST_HEAD(bucket, heard);

/* In the order of delivered_at. */
struct ring {
	unsigned first; /* the oldest */
	unsigned count;
	struct heard kept[DUPLICATES_KEPT];
};

enum kind { KIND_EVENTS, KIND_STATES, KINDS };

struct duplicates {
	unsigned window;
	struct ring rings[KINDS];
	struct bucket buckets[DUPLICATES_KEPT];
};

struct duplicates *duplicates_new(unsigned window_ms)
{
	struct duplicates *duplicates = calloc(1, sizeof(*duplicates));

	if (duplicates)
		duplicates->window = window_ms;
	return duplicates;
}

void duplicates_free(struct duplicates *duplicates)
{
	free(duplicates);
}

void duplicates_restart(struct duplicates *duplicates, unsigned window_ms)
{
	for (enum kind kind = 0; kind < KINDS; kind++)
		duplicates->rings[kind].count = 0;
	memset(duplicates->buckets, 0, sizeof(duplicates->buckets));
	duplicates->window = window_ms;
}

/* ---- finding ---- */

static struct ring *ring_of(struct duplicates *duplicates, const uint8_t *data)
{
	return &duplicates->rings[notice_is_state(notice_trap(data)) ? KIND_STATES : KIND_EVENTS];
}

/* FNV-1a over what a notice is found by: all that it reports, or trap and issuer alone. */
static uint32_t hash_of(const uint8_t *data)
{
	uint8_t essence[SMA_BLOCK_SIZE];
	size_t size = notice_is_state(notice_trap(data)) ? 8 : sizeof(essence);
	uint32_t hash = 2166136261;

	notice_essence(data, essence);
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ essence[i]) * 16777619;
	return hash;
}

static struct bucket *bucket_of(struct duplicates *duplicates, uint32_t hash)
{
	return &duplicates->buckets[(hash ^ hash >> 16) % DUPLICATES_KEPT];
}

static bool has_same_key(const uint8_t *a, const uint8_t *b)
{
	if (!notice_is_state(notice_trap(a)))
		return notice_is_same(a, b);
	return notice_trap(a) == notice_trap(b) && notice_issuer(a) == notice_issuer(b);
}

static struct heard *find(struct duplicates *duplicates, const uint8_t *data, uint32_t hash)
{
	struct heard *heard = LIST_FIRST(bucket_of(duplicates, hash));

	for (; heard; heard = LIST_NEXT(heard, link)) {
		if (heard->hash == hash && has_same_key(heard->notice.data, data))
			return heard;
	}
	return NULL;
}

/* ---- remembering ---- */

static bool is_over(const struct duplicates *duplicates, const struct heard *heard, uint64_t now)
{
	return now >= heard->delivered_at + duplicates->window;
}

static void unlist(struct heard *heard)
{
	if (heard->listed)
		LIST_REMOVE(heard, link);
	heard->listed = false;
}

static struct heard *take_oldest(struct ring *ring)
{
	struct heard *heard = &ring->kept[ring->first];

	ring->first = (ring->first + 1) % DUPLICATES_KEPT;
	ring->count--;
	unlist(heard);
	return heard;
}

/* It keeps its count until its window ends. The same notice delivered again is what it was due for. */
static void replace(struct heard *heard, const uint8_t *data)
{
	unlist(heard);
	if (notice_is_same(heard->notice.data, data))
		heard->due = false;
}

static void note_source(struct heard *heard, enum sma_notice_source source, uint32_t tid)
{
	heard->reported_by[source] = true;
	heard->tids[source] = tid;
}

static void copy_sources(struct heard *heard, const struct heard *from)
{
	memcpy(heard->reported_by, from->reported_by, sizeof(heard->reported_by));
	memcpy(heard->tids, from->tids, sizeof(heard->tids));
}

static struct heard *remember(struct duplicates *duplicates, const struct sma_notice *notice, uint64_t now)
{
	uint32_t hash = hash_of(notice->data);
	struct heard *heard = find(duplicates, notice->data, hash);
	struct ring *ring = ring_of(duplicates, notice->data);

	if (heard)
		replace(heard, notice->data);
	if (ring->count == DUPLICATES_KEPT)
		take_oldest(ring);
	heard = &ring->kept[(ring->first + ring->count++) % DUPLICATES_KEPT];
	*heard = (struct heard){.notice = *notice, .delivered_at = now, .hash = hash, .listed = true};
	LIST_INSERT_HEAD(bucket_of(duplicates, hash), heard, link);
	return heard;
}

static bool is_further_event(const struct heard *heard, enum sma_notice_source source, uint32_t tid)
{
	return source == SMA_NOTICE_POLL || (heard->reported_by[source] && heard->tids[source] != tid);
}

static void hear_again(struct heard *heard, enum sma_notice_source source, uint32_t tid)
{
	heard->again++;
	if (notice_trap(heard->notice.data) == SMA_TRAP_LINK_STATE && is_further_event(heard, source, tid))
		heard->due = true;
	note_source(heard, source, tid);
}

/* What polling sees after it reported the like is another event, unless it is a value and the one delivered
 * last. */
static bool is_seen_again(const struct heard *heard, const struct sma_notice *notice)
{
	unsigned trap = notice_trap(notice->data);

	return notice->source == SMA_NOTICE_POLL && heard->reported_by[SMA_NOTICE_POLL] &&
	       (trap == SMA_TRAP_LINK_STATE || !notice_is_state(trap));
}

bool duplicates_is_new(struct duplicates *duplicates, const struct sma_notice *notice, uint32_t tid,
                       uint64_t now)
{
	struct heard *heard = find(duplicates, notice->data, hash_of(notice->data));
	bool is_like =
		heard && !is_over(duplicates, heard, now) && notice_is_same(heard->notice.data, notice->data);
	struct heard before = {0};

	if (is_like && !is_seen_again(heard, notice)) {
		hear_again(heard, notice->source, tid);
		return false;
	}
	if (duplicates->window == 0)
		return true;
	if (is_like)
		before = *heard;
	heard = remember(duplicates, notice, now);
	copy_sources(heard, &before);
	note_source(heard, notice->source, tid);
	return true;
}

/* ---- the end of a window ---- */

static const struct heard *oldest_of(const struct ring *ring)
{
	return ring->count ? &ring->kept[ring->first] : NULL;
}

static bool has_ended(const struct duplicates *duplicates, const struct ring *ring, uint64_t now)
{
	return ring->count == DUPLICATES_KEPT || (ring->count && is_over(duplicates, oldest_of(ring), now));
}

/* The ring whose oldest was delivered first, of those whose oldest has ended or has to give way. NULL: none
 * has.
 */
static struct ring *find_ended(struct duplicates *duplicates, uint64_t now)
{
	struct ring *found = NULL;

	for (enum kind kind = 0; kind < KINDS; kind++) {
		struct ring *ring = &duplicates->rings[kind];

		if (has_ended(duplicates, ring, now) &&
		    (!found || oldest_of(ring)->delivered_at < oldest_of(found)->delivered_at))
			found = ring;
	}
	return found;
}

static bool take_ended(struct duplicates *duplicates, uint64_t now, struct heard *ended)
{
	struct ring *ring;

	while ((ring = find_ended(duplicates, now))) {
		*ended = *take_oldest(ring);
		if (ended->again)
			return true;
	}
	return false;
}

bool duplicates_ended(struct duplicates *duplicates, uint64_t now, struct sma_notice *notice, uint64_t *again,
                      bool *due)
{
	struct heard heard;

	if (!take_ended(duplicates, now, &heard))
		return false;
	*notice = heard.notice;
	*again = heard.again;
	*due = heard.due;
	notice->when = heard.due ? now : notice->when;
	if (heard.due && is_over(duplicates, &heard, now))
		copy_sources(remember(duplicates, notice, now), &heard);
	return true;
}

uint64_t duplicates_due(const struct duplicates *duplicates)
{
	uint64_t due = UINT64_MAX;

	for (enum kind kind = 0; kind < KINDS; kind++) {
		const struct heard *oldest = oldest_of(&duplicates->rings[kind]);

		if (oldest && oldest->delivered_at + duplicates->window < due)
			due = oldest->delivered_at + duplicates->window;
	}
	return due;
}
