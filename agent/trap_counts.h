/* SPDX-License-Identifier: BSD-2-Clause */
/* The number of notices of each trap. */
#ifndef AGENT_TRAP_COUNTS_H
#define AGENT_TRAP_COUNTS_H

#include "sma/iba/iba.h"

/* All zero: nothing was counted. */
struct trap_counts {
	struct {
		unsigned trap;
		unsigned count; /* 0: this entry and those that follow are free */
	} entries[NOTICE_TRAP_COUNT];
};

enum { TRAP_COUNTS_TEXT_SIZE = 704 /* enough for any counts */ };

/* Count a notice of a trap. The number of them by now; 0: there are too many different traps, more than IBA
 * has. */
unsigned trap_counts_add(struct trap_counts *counts, unsigned trap);

bool trap_counts_is_empty(const struct trap_counts *counts);

/* Write "NAME COUNT, NAME COUNT" into `text`, with the names of the notifications. */
void trap_counts_print(const struct trap_counts *counts, char text[TRAP_COUNTS_TEXT_SIZE]);

#endif
