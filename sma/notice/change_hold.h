/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Changes that polling saw and that another source may report: those of states (128, 144 and 145).
 *
 * While another source covers them, a change is held for 5 s. It is dropped if a notice of its trap was heard
 * since the reading before began, and published if not, or as soon as the other source turns out not to be in
 * force: a subscription looks confirmed until it is renewed, though the subnet manager has died or was
 * restarted. A change to a state that was reported, between two readings with such an outage, may be
 * published once more.
 */
#ifndef NOTICE_CHANGE_HOLD_H
#define NOTICE_CHANGE_HOLD_H

#include "sma/iba/iba.h"

enum { CHANGE_TEXT_SIZE = 128 };

/* A notice of a change, and what it is, for the log. */
struct change {
	uint8_t notice[SMA_BLOCK_SIZE];
	char text[CHANGE_TEXT_SIZE];
};

/* Publish a change; `is_missed`: no other source reported it though one should have. */
typedef void change_publish(void *arg, const struct change *change, bool is_missed);

/* What is known of one trap. */
struct held_change {
	unsigned trap;  /* 0: nothing yet */
	uint64_t heard; /* when another source reported it last; 0: never */
	bool held;      /* a change is; the rest is about it */
	uint64_t from;  /* what was heard since then reports it */
	uint64_t until;
	struct change change;
};

struct change_hold {
	change_publish *publish;
	void *arg;
	struct held_change changes[SMA_TRAP_STATES];
	bool wants_check; /* a change began to be held: whether the other source is in force is in question */
};

/* Begin with nothing held. */
void change_hold_init(struct change_hold *hold, change_publish *publish, void *arg);

/* A change was seen at `now`, and was not yet there when the reading before began, at `before`. It is
 * published at once unless it is one that another source covers, or has reported since then. A change that is
 * held already is replaced, and keeps its time if nothing has reported it. */
void change_hold_add(struct change_hold *hold, const struct change *change, bool is_covered, uint64_t before,
                     uint64_t now);

/* Another source reported a trap. */
void change_hold_heard(struct change_hold *hold, unsigned trap, uint64_t now);

/* Publish or drop what is decided by now. Returns when to call again, UINT64_MAX for never. */
uint64_t change_hold_settle(struct change_hold *hold, bool is_covered, uint64_t now);

/* Publish now what is held and was not heard. */
void change_hold_flush(struct change_hold *hold);

#endif
