// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "agent/trap_counts.h"
#include "mib/mib.h"

unsigned trap_counts_add(struct trap_counts *counts, unsigned trap)
{
	for (unsigned i = 0; i < NOTICE_TRAP_COUNT; i++) {
		if (counts->entries[i].count && counts->entries[i].trap != trap)
			continue;
		counts->entries[i].trap = trap;
		return ++counts->entries[i].count;
	}
	return 0;
}

bool trap_counts_is_empty(const struct trap_counts *counts)
{
	return counts->entries[0].count == 0;
}

void trap_counts_print(const struct trap_counts *counts, char text[TRAP_COUNTS_TEXT_SIZE])
{
	size_t length = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < NOTICE_TRAP_COUNT && counts->entries[i].count; i++) {
		const char *name = mib_notification_name(counts->entries[i].trap);

		length += (size_t)snprintf(text + length, TRAP_COUNTS_TEXT_SIZE - length, "%s%.48s %u",
		                           i ? ", " : "", name ? name : "others", counts->entries[i].count);
	}
}
