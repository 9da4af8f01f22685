/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traps that an SMA raises: Notices, their repetition until TrapRepress, and the Notice queue (IBA 13.4.8 to
 * 13.4.10, 14.2.5.1, 14.3).
 */
#ifndef SOFT_TRAP_SENDER_H
#define SOFT_TRAP_SENDER_H

#include "sma/iba/iba.h"

enum {
	NOTICE_QUEUE = 32,    /* Notices kept for SubnGet(Notice); the oldest give way */
	TRAPS_PER_TYPE = 100, /* traps that wait for their TrapRepress; further ones are dropped */
};

/* A packet with a wrong P_Key or Q_Key. */
struct bad_key {
	uint32_t key;
	uint16_t lid1, lid2;
	uint8_t sl;        /* 0..15 */
	uint32_t qp1, qp2; /* 24 bits */
	uint8_t gid1[16], gid2[16];
};

/* One trap that is sent until the SM represses it. */
struct trap {
	uint32_t tid;
	uint8_t notice[SMA_BLOCK_SIZE];
};

struct trap_list {
	struct trap traps[TRAPS_PER_TYPE]; /* the oldest first */
	unsigned count;
};

struct notice_queue {
	uint8_t notices[NOTICE_QUEUE][SMA_BLOCK_SIZE];
	unsigned first;
	unsigned count;
	bool toggle; /* of the head */
};

struct trap_sender {
	struct trap_list lists[NOTICE_TYPES];
	struct notice_queue queue;
	uint64_t next_at; /* the pace: nothing is sent before */
	uint32_t last_tid;
	uint64_t dropped; /* traps that found their list full */
};

/* Keep a Notice for SubnGet(Notice). */
void notice_queue_add(struct notice_queue *queue, const uint8_t notice[SMA_BLOCK_SIZE]);

/* The answer to SubnGet(Notice): the head, with its toggle and the number of Notices queued. */
void notice_queue_head(const struct notice_queue *queue, uint8_t notice[SMA_BLOCK_SIZE]);

/* SubnSet(Notice): remove the head if the toggle is its own; a repeated Set removes nothing more. */
void notice_queue_clear(struct notice_queue *queue, const uint8_t notice[SMA_BLOCK_SIZE]);

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
