/* SPDX-License-Identifier: BSD-2-Clause */
/* How many notices there were of each trap. */
#ifndef AGENT_TALLY_H
#define AGENT_TALLY_H

#include <stddef.h>

#include "sma/iba/iba.h"

/* All zero: nothing was counted. */
struct tally {
	struct {
		unsigned trap;
		unsigned count; /* 0: this entry and those that follow are free */
	} entries[SMA_TRAP_COUNT];
};

enum { TALLY_TEXT_SIZE = 640 /* enough for the text of any tally */ };

/* Count a notice of a trap. How many of it there were by now; 0: there are too many different traps, which
 * those of IBA never are. */
unsigned tally_add(struct tally *tally, unsigned trap);

bool tally_is_empty(const struct tally *tally);

/* Write "NAME COUNT, NAME COUNT" into `text`, with the names of the notifications. */
void tally_print(const struct tally *tally, char text[TALLY_TEXT_SIZE]);

#endif
