// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "sma/iba/iba.h"
#include "sma/notice/repeat.h"

/* A notice that was told. */
struct heard {
	LIST_ENTRY(heard) link;
	struct sma_notice notice;
	uint64_t told_at;
	uint64_t again;
	uint32_t hash;
	uint32_t tids[SMA_NOTICE_SOURCE_COUNT]; /* with which each source told it last */
	bool told_by[SMA_NOTICE_SOURCE_COUNT];
	bool listed; /* what comes is compared with it; false: a later notice took its place */
	bool due;
};

LIST_HEAD(bucket, heard);

/* In the order of told_at. */
struct ring {
	unsigned first; /* the oldest */
	unsigned count;
	struct heard kept[REPEAT_KEPT];
};

enum kind { KIND_EVENTS, KIND_STATES, KINDS };

struct repeats {
	unsigned window;
	struct ring rings[KINDS];
	struct bucket buckets[REPEAT_KEPT];
};

struct repeats *repeats_new(unsigned window_ms)
{
	struct repeats *repeats = calloc(1, sizeof(*repeats));

	if (repeats)
		repeats->window = window_ms;
	return repeats;
}

void repeats_free(struct repeats *repeats)
{
	free(repeats);
}

void repeats_restart(struct repeats *repeats, unsigned window_ms)
{
	for (enum kind kind = 0; kind < KINDS; kind++)
		repeats->rings[kind].count = 0;
	memset(repeats->buckets, 0, sizeof(repeats->buckets));
	repeats->window = window_ms;
}

/* ---- finding ---- */

static struct ring *ring_of(struct repeats *repeats, const uint8_t *data)
{
	return &repeats->rings[notice_is_state(notice_trap(data)) ? KIND_STATES : KIND_EVENTS];
}

/* FNV-1a over what a notice is found by: all that it tells, or trap and issuer alone. */
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

static struct bucket *bucket_of(struct repeats *repeats, uint32_t hash)
{
	return &repeats->buckets[(hash ^ hash >> 16) % REPEAT_KEPT];
}

static bool has_same_key(const uint8_t *a, const uint8_t *b)
{
	if (!notice_is_state(notice_trap(a)))
		return notice_is_same(a, b);
	return notice_trap(a) == notice_trap(b) && notice_issuer(a) == notice_issuer(b);
}

static struct heard *find(struct repeats *repeats, const uint8_t *data, uint32_t hash)
{
	struct heard *heard = LIST_FIRST(bucket_of(repeats, hash));

	for (; heard; heard = LIST_NEXT(heard, link)) {
		if (heard->hash == hash && has_same_key(heard->notice.data, data))
			return heard;
	}
	return NULL;
}

/* ---- remembering ---- */

static bool is_over(const struct repeats *repeats, const struct heard *heard, uint64_t now)
{
	return now >= heard->told_at + repeats->window;
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

	ring->first = (ring->first + 1) % REPEAT_KEPT;
	ring->count--;
	unlist(heard);
	return heard;
}

/* It keeps its count until its window ends. The same told anew makes up for what it was due for. */
static void replace(struct heard *heard, const uint8_t *data)
{
	unlist(heard);
	if (notice_is_same(heard->notice.data, data))
		heard->due = false;
}

static void note_source(struct heard *heard, enum sma_notice_source source, uint32_t tid)
{
	heard->told_by[source] = true;
	heard->tids[source] = tid;
}

static void copy_sources(struct heard *heard, const struct heard *from)
{
	memcpy(heard->told_by, from->told_by, sizeof(heard->told_by));
	memcpy(heard->tids, from->tids, sizeof(heard->tids));
}

static struct heard *remember(struct repeats *repeats, const struct sma_notice *notice, uint64_t now)
{
	uint32_t hash = hash_of(notice->data);
	struct heard *heard = find(repeats, notice->data, hash);
	struct ring *ring = ring_of(repeats, notice->data);

	if (heard)
		replace(heard, notice->data);
	if (ring->count == REPEAT_KEPT)
		take_oldest(ring);
	heard = &ring->kept[(ring->first + ring->count++) % REPEAT_KEPT];
	*heard = (struct heard){.notice = *notice, .told_at = now, .hash = hash, .listed = true};
	LIST_INSERT_HEAD(bucket_of(repeats, hash), heard, link);
	return heard;
}

static bool is_further_event(const struct heard *heard, enum sma_notice_source source, uint32_t tid)
{
	return source == SMA_NOTICE_POLL || (heard->told_by[source] && heard->tids[source] != tid);
}

static void hear_again(struct heard *heard, enum sma_notice_source source, uint32_t tid)
{
	heard->again++;
	if (notice_trap(heard->notice.data) == SMA_TRAP_LINK_STATE && is_further_event(heard, source, tid))
		heard->due = true;
	note_source(heard, source, tid);
}

/* What polling sees after it told of the like is another event, unless it is a value and the one told last.
 */
static bool is_seen_anew(const struct heard *heard, const struct sma_notice *notice)
{
	unsigned trap = notice_trap(notice->data);

	return notice->source == SMA_NOTICE_POLL && heard->told_by[SMA_NOTICE_POLL] &&
	       (trap == SMA_TRAP_LINK_STATE || !notice_is_state(trap));
}

bool repeats_is_new(struct repeats *repeats, const struct sma_notice *notice, uint32_t tid, uint64_t now)
{
	struct heard *heard = find(repeats, notice->data, hash_of(notice->data));
	bool is_like =
		heard && !is_over(repeats, heard, now) && notice_is_same(heard->notice.data, notice->data);
	struct heard before = {0};

	if (is_like && !is_seen_anew(heard, notice)) {
		hear_again(heard, notice->source, tid);
		return false;
	}
	if (repeats->window == 0)
		return true;
	if (is_like)
		before = *heard;
	heard = remember(repeats, notice, now);
	copy_sources(heard, &before);
	note_source(heard, notice->source, tid);
	return true;
}

/* ---- the end of a window ---- */

static const struct heard *oldest_of(const struct ring *ring)
{
	return ring->count ? &ring->kept[ring->first] : NULL;
}

static bool has_ended(const struct repeats *repeats, const struct ring *ring, uint64_t now)
{
	return ring->count == REPEAT_KEPT || (ring->count && is_over(repeats, oldest_of(ring), now));
}

/* The ring whose oldest was told first, of those whose oldest has ended or has to give way. NULL: none has.
 */
static struct ring *find_ended(struct repeats *repeats, uint64_t now)
{
	struct ring *found = NULL;

	for (enum kind kind = 0; kind < KINDS; kind++) {
		struct ring *ring = &repeats->rings[kind];

		if (has_ended(repeats, ring, now) &&
		    (!found || oldest_of(ring)->told_at < oldest_of(found)->told_at))
			found = ring;
	}
	return found;
}

static bool take_ended(struct repeats *repeats, uint64_t now, struct heard *ended)
{
	struct ring *ring;

	while ((ring = find_ended(repeats, now))) {
		*ended = *take_oldest(ring);
		if (ended->again)
			return true;
	}
	return false;
}

bool repeats_ended(struct repeats *repeats, uint64_t now, struct sma_notice *notice, uint64_t *again,
                   bool *due)
{
	struct heard heard;

	if (!take_ended(repeats, now, &heard))
		return false;
	*notice = heard.notice;
	*again = heard.again;
	*due = heard.due;
	notice->when = heard.due ? now : notice->when;
	if (heard.due && is_over(repeats, &heard, now))
		copy_sources(remember(repeats, notice, now), &heard);
	return true;
}

uint64_t repeats_due(const struct repeats *repeats)
{
	uint64_t due = UINT64_MAX;

	for (enum kind kind = 0; kind < KINDS; kind++) {
		const struct heard *oldest = oldest_of(&repeats->rings[kind]);

		if (oldest && oldest->told_at + repeats->window < due)
			due = oldest->told_at + repeats->window;
	}
	return due;
}
