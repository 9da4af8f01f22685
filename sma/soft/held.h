/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Answers to Sets that wait until what the node keeps is on the disk. They leave in the order in which they
 * came; other requests do not wait for them.
 */
#ifndef SOFT_HELD_H
#define SOFT_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	HELD_COUNT = 64, /* more are not held */
	HELD_SIZE = 288, /* bytes of an answer with what its wire needs besides */
};

#define HELD_OPEN UINT64_MAX

/* Send an answer to whom it is for. False: not now, it is to be held further. */
typedef bool held_send(void *wire, unsigned to, const void *answer);

struct held_answer {
	held_send *send; /* NULL: forgotten */
	void *wire;
	unsigned to;
	uint64_t version; /* of the contents that have to be on the disk; HELD_OPEN: not known yet */
	uint8_t bytes[HELD_SIZE];
};

struct held {
	struct held_answer answers[HELD_COUNT]; /* the oldest first */
	unsigned count;
};

/* Hold an answer, of `size` bytes, for `to`, who is known to the wire. -ENOBUFS: too many are held already.
 */
int held_add(struct held *held, held_send *send, void *wire, unsigned to, const void *answer, size_t size);

/* What the answers since the last call wait for. */
void held_seal(struct held *held, uint64_t version);

/* Send all that wait for a version up to this one. */
void held_release(struct held *held, uint64_t version);

/* Forget answers for `to`, who has left the wire. */
void held_forget(struct held *held, const void *wire, unsigned to);

#endif
