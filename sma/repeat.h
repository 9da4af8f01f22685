/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices that were heard already. A trap is repeated until it is repressed (IBA 13.4.9), and one event may
 * come in from several sources.
 *
 * A window begins when a notice is told and is not prolonged by what is heard in it, so that one that never
 * ends is told once a window. Traps about a state (128, 144, 145) are compared with the last notice of the
 * same issuer and trap, so that a value that changes to and fro is told each time; the others with all
 * notices of the window.
 *
 * A 128 says only that something changed: when the window of one ends after there was a further event, it is
 * due once more, so that the last state of a flapping link is looked at. A source that tells it for the first
 * time tells of the same event as the others; within the window, and the one before if that made it due. What
 * it tells after that is a further event: of a Report or a Trap only with another TID, since those with the
 * same are repeats; of the software SMA, which has no TIDs, each time. Polling tells only what no other
 * source has told of: that is a further event at once.
 */
#ifndef SMA_REPEAT_H
#define SMA_REPEAT_H

#include "sma/sma.h"

enum { REPEAT_KEPT = 4096 }; /* notices that are remembered; the oldest give way, with their counts */

struct repeats;

/* What was heard less than `window_ms` after it was told counts as heard again; with 0 nothing does. All
 * memory is allocated here. NULL when out of memory. */
struct repeats *repeats_new(unsigned window_ms);
void repeats_free(struct repeats *repeats);

/* Whether a notice, which must be a wanted one, is new. It is remembered from `now` on if so, and counted
 * with the remembered one if not. `tid` is that of a Report or Trap, and not looked at with other sources.
 * `now` never goes back. */
bool repeats_is_new(struct repeats *repeats, const struct sma_notice *notice, uint32_t tid, uint64_t now);

/* A notice whose window has ended, for what is to be told then; false: none at present. It is the notice as
 * it was told. `again` (1..) says how often it was heard more than once told, `due` whether it is to be told
 * once more: its `when` is `now` then, and it counts as told at `now`, without a call of repeats_is_new.
 * Notices that were heard once only are passed over. Call it until false. */
bool repeats_ended(struct repeats *repeats, uint64_t now, struct sma_notice *notice, uint64_t *again,
                   bool *due);

/* When the next window ends, UINT64_MAX for never. */
uint64_t repeats_due(const struct repeats *repeats);

#endif
