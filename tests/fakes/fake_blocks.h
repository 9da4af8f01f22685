/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The attributes of an SMA in memory, filled from a text file. A line of the file is
 *
 *     PORT ATTRIBUTE MODIFIER DATA...       the answer is DATA
 *     PORT ATTRIBUTE MODIFIER = STATUS      the answer is an error status
 *
 * PORT is the local port whose SMA is asked, in decimal; all else is hexadecimal. MODIFIER may be a range
 * FIRST-LAST. Blanks within DATA do not count, and what is short of 64 bytes is zero. A later line takes the
 * place of an earlier one; # begins a comment.
 */
#ifndef TESTS_FAKES_FAKE_BLOCKS_H
#define TESTS_FAKES_FAKE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/fakes/fake_rules.h"

enum { FAKE_DATA_SIZE = 64, FAKE_PORTS = 256 };

struct fake_block {
	uint8_t port;
	uint16_t attribute;
	uint32_t modifier;
	bool listed;     /* it is in the file, or was set */
	uint16_t status; /* of the answer */
	uint8_t data[FAKE_DATA_SIZE];
	unsigned asked; /* SMPs for it */
	bool ruled;     /* it has a rule of its own */
	struct fake_rule rule;
};

struct fake_blocks {
	struct fake_block *all;
	size_t count;
	size_t room;
	size_t last;            /* the block that was asked for last: the next one is often behind it */
	bool ports[FAKE_PORTS]; /* those that have an SMA */
};

/* Read a file in addition to what is there. 0, or -errno; a mistake is reported on standard error. */
int fake_blocks_load(struct fake_blocks *blocks, const char *path);

/* The block of a key, added unlisted if it is not there yet; valid until the next call. */
struct fake_block *fake_blocks_at(struct fake_blocks *blocks, uint8_t port, uint16_t attribute,
                                  uint32_t modifier);

/* Whether any block of an attribute is listed. */
bool fake_blocks_has(const struct fake_blocks *blocks, uint8_t port, uint16_t attribute);

void fake_blocks_free(struct fake_blocks *blocks);

#endif
