/* SPDX-License-Identifier: BSD-2-Clause */
/* The traps of an SMA: Notices that are sent and repeated until TrapRepress (IBA 13.4.9, 14.3). */
#ifndef SOFT_TRAP_SENDER_H
#define SOFT_TRAP_SENDER_H

#include "sma/iba/iba.h"

enum { TRAPS_PER_TYPE = 100 /* that wait for their TrapRepress; further ones are dropped */ };

/* One trap that is sent until the SM represses it. */
struct trap {
	uint32_t tid;
	uint8_t notice[SMA_BLOCK_SIZE];
};

struct trap_list {
	struct trap traps[TRAPS_PER_TYPE]; /* the oldest first */
	unsigned count;
};

struct trap_sender {
	struct trap_list lists[NOTICE_TYPES];
	uint64_t next_at; /* the pace: nothing is sent before */
	uint32_t last_tid;
	uint64_t dropped; /* traps that found their list full */
};

/* Send a Notice as a trap until it is repressed; one with the same contents that waits already counts for
 * both. */
void trap_sender_add(struct trap_sender *traps, const uint8_t notice[SMA_BLOCK_SIZE]);

/* The trap to send at `now`, NULL for none; the next is due `pace_ms` later. */
const struct trap *trap_sender_next(struct trap_sender *traps, uint64_t now, uint64_t pace_ms);

/* TrapRepress: forget the trap. False: none has this TID. */
bool trap_sender_repress(struct trap_sender *traps, uint32_t tid);

/* Forget all, as when the port leaves Active. */
void trap_sender_clear(struct trap_sender *traps);

bool trap_sender_waiting(const struct trap_sender *traps);

#endif
