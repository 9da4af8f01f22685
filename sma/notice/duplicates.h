/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notices that were heard before. A trap is repeated until it is repressed (IBA 13.4.9), and one event may
 * come from several sources. What the software SMA raises is an event each time and has no place here.
 *
 * A window begins when a notice is delivered and is not prolonged by what is heard in it, so that one that
 * never ends is delivered once a window. Traps that report a state (128, 144, 145) are compared with the last
 * notice of the same issuer and trap, so that a value that alternates is delivered each time; the others with
 * all notices of the window.
 *
 * A 128 says only that something changed: when the window of one ends after there was a further event, it is
 * due once more, so that the last state of a flapping link is looked at. The first report of a source is of
 * the same event as those of the others; within the window, and the one before if that made it due. What it
 * reports after that with another TID is a further event; with the same TID it is a repetition.
 *
 * Polling sees changes for itself. After it reported one, the next is an event of its own and new; except a
 * value that is the one delivered last. The first time it reports what others have reported, it may be the
 * same event; of a 128 it reports only what no other source has reported, and that is a further event.
 *
 * States and all other traps are remembered apart, so that a storm of bad keys pushes no state out.
 */
#ifndef NOTICE_DUPLICATES_H
#define NOTICE_DUPLICATES_H

#include "sma/notice/found.h"

enum { DUPLICATES_KEPT = 4096 }; /* notices that are remembered, of states and of others each */

struct duplicates;

/* What was heard less than `window_ms` after it was delivered counts as heard again; with 0 nothing does. All
 * memory is allocated here. NULL when out of memory. */
struct duplicates *duplicates_new(unsigned window_ms);
void duplicates_free(struct duplicates *duplicates);

/* Forget all that was heard, and use another window from now on. */
void duplicates_restart(struct duplicates *duplicates, unsigned window_ms);

/* Whether a notice, which must be a wanted one and not from the software SMA, is new. It is remembered from
 * `now` on if so, and counted with the remembered one if not. `tid` is that of a Report or Trap, and not
 * looked at with polling. `now` never goes back. duplicates_ended has to be called before, for there to be
 * room: else the oldest is forgotten with its count. */
bool duplicates_is_new(struct duplicates *duplicates, const struct sma_notice *notice, uint32_t tid,
                       uint64_t now);

/* Take a notice whose window has ended by `now`; false: there is none at present. It is the notice as it was
 * delivered. `again` (1..) says how often it was heard besides, `due` whether it is to be delivered once
 * more: its `when` is `now` then, and it counts as delivered at `now`, without a call of duplicates_is_new.
 * Notices that were heard once only are passed over. Call it until false.
 *
 * Where there is no room for another notice the window of the oldest ends early, whatever `now` is; what is
 * due of it then begins no window. */
bool duplicates_ended(struct duplicates *duplicates, uint64_t now, struct sma_notice *notice, uint64_t *again,
                      bool *due);

/* When the next window ends, UINT64_MAX for never. */
uint64_t duplicates_due(const struct duplicates *duplicates);

#endif
