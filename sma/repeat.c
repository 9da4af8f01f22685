// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "sma/notice.h"
#include "sma/repeat.h"

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

struct repeats {
	unsigned window;
	unsigned first; /* the oldest of `ring`, which is in the order of told_at */
	unsigned count;
	struct heard ring[REPEAT_KEPT];
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

/* ---- finding ---- */

static bool is_state(unsigned trap)
{
	return trap == SMA_TRAP_LINK_STATE || trap == SMA_TRAP_CAPABILITY || trap == SMA_TRAP_SYSTEM_GUID;
}

/* FNV-1a over what a notice is found by: all that it tells, or trap and issuer alone. */
static uint32_t hash_of(const uint8_t *data)
{
	uint8_t essence[SMA_BLOCK_SIZE];
	size_t size = is_state(sma_notice_trap(data)) ? 8 : sizeof(essence);
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
	if (!is_state(sma_notice_trap(a)))
		return notice_is_same(a, b);
	return sma_notice_trap(a) == sma_notice_trap(b) && sma_notice_issuer(a) == sma_notice_issuer(b);
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
	return now - heard->told_at >= repeats->window;
}

static void unlist(struct heard *heard)
{
	if (heard->listed)
		LIST_REMOVE(heard, link);
	heard->listed = false;
}

static struct heard *take_oldest(struct repeats *repeats)
{
	struct heard *heard = &repeats->ring[repeats->first];

	repeats->first = (repeats->first + 1) % REPEAT_KEPT;
	repeats->count--;
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

	if (heard)
		replace(heard, notice->data);
	if (repeats->count == REPEAT_KEPT)
		take_oldest(repeats);
	heard = &repeats->ring[(repeats->first + repeats->count++) % REPEAT_KEPT];
	*heard = (struct heard){.notice = *notice, .told_at = now, .hash = hash, .listed = true};
	LIST_INSERT_HEAD(bucket_of(repeats, hash), heard, link);
	return heard;
}

static bool is_further_event(const struct heard *heard, enum sma_notice_source source, uint32_t tid)
{
	static const bool has_tids[SMA_NOTICE_SOURCE_COUNT] = {
		[SMA_NOTICE_SA] = true, [SMA_NOTICE_TRAP] = true};

	return source == SMA_NOTICE_POLL ||
	       (heard->told_by[source] && (!has_tids[source] || heard->tids[source] != tid));
}

static void hear_again(struct heard *heard, enum sma_notice_source source, uint32_t tid)
{
	heard->again++;
	if (sma_notice_trap(heard->notice.data) == SMA_TRAP_LINK_STATE &&
	    is_further_event(heard, source, tid))
		heard->due = true;
	note_source(heard, source, tid);
}

bool repeats_is_new(struct repeats *repeats, const struct sma_notice *notice, uint32_t tid, uint64_t now)
{
	struct heard *heard = find(repeats, notice->data, hash_of(notice->data));

	if (heard && !is_over(repeats, heard, now) && notice_is_same(heard->notice.data, notice->data)) {
		hear_again(heard, notice->source, tid);
		return false;
	}
	if (repeats->window)
		note_source(remember(repeats, notice, now), notice->source, tid);
	return true;
}

/* ---- the end of a window ---- */

bool repeats_ended(struct repeats *repeats, uint64_t now, struct sma_notice *notice, uint64_t *again,
                   bool *due)
{
	while (repeats->count && is_over(repeats, &repeats->ring[repeats->first], now)) {
		const struct heard heard = *take_oldest(repeats);

		if (heard.again == 0)
			continue;
		*notice = heard.notice;
		*again = heard.again;
		*due = heard.due;
		if (heard.due) {
			notice->when = now;
			copy_sources(remember(repeats, notice, now), &heard);
		}
		return true;
	}
	return false;
}

uint64_t repeats_due(const struct repeats *repeats)
{
	return repeats->count ? repeats->ring[repeats->first].told_at + repeats->window : UINT64_MAX;
}
