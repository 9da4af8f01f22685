/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices that were heard already. A trap is repeated until it is repressed (IBA 13.4.9), and one event may
 * come in from several sources. What the software SMA raises is an event each time and has no place here.
 *
 * A window begins when a notice is told and is not prolonged by what is heard in it, so that one that never
 * ends is told once a window. Traps about a state (128, 144, 145) are compared with the last notice of the
 * same issuer and trap, so that a value that changes to and fro is told each time; the others with all
 * notices of the window.
 *
 * A 128 says only that something changed: when the window of one ends after there was a further event, it is
 * due once more, so that the last state of a flapping link is looked at. A source that tells it for the first
 * time tells of the same event as the others; within the window, and the one before if that made it due. What
 * it tells after that with another TID is a further event; with the same TID it is a repetition.
 *
 * Polling sees changes for itself. After it told of one, the next is an event of its own and new; but for a
 * value that is the one which was told last. The first time it tells what others have told, it may be of the
 * same event; of a 128 it tells only what no other source has told of, and that is a further event.
 *
 * Traps about a state and all others are remembered apart, so that a storm of bad keys pushes no state out.
 */
#ifndef NOTICE_DUPLICATES_H
#define NOTICE_DUPLICATES_H

#include "sma/notice/found.h"

enum { DUPLICATES_KEPT = 4096 }; /* notices that are remembered, of states and of others each */

struct duplicates;

/* What was heard less than `window_ms` after it was told counts as heard again; with 0 nothing does. All
 * memory is allocated here. NULL when out of memory. */
struct duplicates *duplicates_new(unsigned window_ms);
void duplicates_free(struct duplicates *duplicates);

/* Forget all that was heard, and go on with another window. */
void duplicates_restart(struct duplicates *duplicates, unsigned window_ms);

/* Whether a notice, which must be a wanted one and not from the software SMA, is new. It is remembered from
 * `now` on if so, and counted with the remembered one if not. `tid` is that of a Report or Trap, and not
 * looked at with polling. `now` never goes back. duplicates_ended has to be called before, for there to be
 * room: else the oldest is forgotten with its count. */
bool duplicates_is_new(struct duplicates *duplicates, const struct sma_notice *notice, uint32_t tid,
                       uint64_t now);

/* A notice whose window has ended by `now`, for what is to be told then; false: none at present. It is the
 * notice as it was told. `again` (1..) says how often it was heard more than once told, `due` whether it is
 * to be told once more: its `when` is `now` then, and it counts as told at `now`, without a call of
 * duplicates_is_new. Notices that were heard once only are passed over. Call it until false.
 *
 * Where there is no room for another notice the window of the oldest ends early, whatever `now` is; what is
 * due of it then begins no window. */
bool duplicates_ended(struct duplicates *duplicates, uint64_t now, struct sma_notice *notice, uint64_t *again,
                      bool *due);

/* When the next window ends, UINT64_MAX for never. */
uint64_t duplicates_due(const struct duplicates *duplicates);

#endif
