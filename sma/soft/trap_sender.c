// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/trap_sender.h"

static bool is_waiting(const struct trap_list *list, const uint8_t notice[SMA_BLOCK_SIZE])
{
	for (unsigned i = 0; i < list->count; i++) {
		if (memcmp(list->traps[i].notice, notice, SMA_BLOCK_SIZE) == 0)
			return true;
	}
	return false;
}

void trap_sender_add(struct trap_sender *traps, const uint8_t notice[SMA_BLOCK_SIZE])
{
	struct trap_list *list = &traps->lists[notice_type(notice) % NOTICE_TYPES];
	struct trap *trap;

	if (is_waiting(list, notice))
		return;
	if (list->count == TRAPS_PER_TYPE) {
		traps->dropped++;
		return;
	}
	trap = &list->traps[list->count++];
	trap->tid = ++traps->last_tid;
	memcpy(trap->notice, notice, SMA_BLOCK_SIZE);
}

const struct trap *trap_sender_next(struct trap_sender *traps, uint64_t now, uint64_t pace_ms)
{
	for (unsigned type = 0; now >= traps->next_at && type < NOTICE_TYPES; type++) {
		if (traps->lists[type].count) {
			traps->next_at = now + pace_ms;
			return &traps->lists[type].traps[0];
		}
	}
	return NULL;
}

bool trap_sender_repress(struct trap_sender *traps, uint32_t tid)
{
	for (unsigned type = 0; type < NOTICE_TYPES; type++) {
		struct trap_list *list = &traps->lists[type];

		for (unsigned i = 0; i < list->count; i++) {
			if (list->traps[i].tid != tid)
				continue;
			list->count--;
			memmove(&list->traps[i], &list->traps[i + 1],
			        (list->count - i) * sizeof(list->traps[0]));
			return true;
		}
	}
	return false;
}

void trap_sender_clear(struct trap_sender *traps)
{
	for (unsigned type = 0; type < NOTICE_TYPES; type++)
		traps->lists[type].count = 0;
}

bool trap_sender_waiting(const struct trap_sender *traps)
{
	for (unsigned type = 0; type < NOTICE_TYPES; type++) {
		if (traps->lists[type].count)
			return true;
	}
	return false;
}
