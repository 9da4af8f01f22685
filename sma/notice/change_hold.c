// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>

#include "sma/clock.h"
#include "sma/notice/change_hold.h"

enum { HOLD_MS = 5 * 1000 }; /* longer than it takes to find out that a subscription is not in force */

void change_hold_init(struct change_hold *hold, change_publish *publish, void *arg)
{
	*hold = (struct change_hold){.publish = publish, .arg = arg};
}

/* The place of a trap, of which there is one for each that reports a state. NULL: it is none of these. */
static struct held_change *find(struct change_hold *hold, unsigned trap)
{
	struct held_change *held = hold->changes;

	if (!notice_is_state(trap))
		return NULL;
	while (held->trap && held->trap != trap)
		held++;
	held->trap = trap;
	return held;
}

static bool is_heard(const struct held_change *held)
{
	return held->heard >= held->from;
}

void change_hold_add(struct change_hold *hold, const struct change *change, bool is_covered, uint64_t before,
                     uint64_t now)
{
	struct held_change *held = find(hold, notice_trap(change->notice));

	if (!held || (!is_covered && held->heard < before)) {
		hold->publish(hold->arg, change, false);
		return;
	}
	if (!held->held || is_heard(held)) {
		held->from = before;
		held->until = now + HOLD_MS;
	}
	held->held = true;
	held->change = *change;
	hold->wants_check = true;
}

void change_hold_heard(struct change_hold *hold, unsigned trap, uint64_t now)
{
	struct held_change *held = find(hold, trap);

	if (held)
		held->heard = now;
}

static void release(const struct change_hold *hold, struct held_change *held)
{
	held->held = false;
	hold->publish(hold->arg, &held->change, !is_heard(held));
}

/* What was heard counts if its source is in force; else it may have been about an earlier change. */
uint64_t change_hold_settle(struct change_hold *hold, bool is_covered, uint64_t now)
{
	uint64_t due = UINT64_MAX;

	for (unsigned i = 0; i < SMA_TRAP_STATES; i++) {
		struct held_change *held = &hold->changes[i];

		if (!held->held)
			continue;
		if (now < held->until && (is_covered || is_heard(held)))
			due = sma_earlier(due, held->until);
		else if (is_covered && is_heard(held))
			held->held = false;
		else
			release(hold, held);
	}
	return due;
}

void change_hold_flush(struct change_hold *hold)
{
	for (unsigned i = 0; i < SMA_TRAP_STATES; i++) {
		if (hold->changes[i].held && !is_heard(&hold->changes[i]))
			release(hold, &hold->changes[i]);
	}
}
