// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "agent/tally.h"
#include "mib/mib.h"

unsigned tally_add(struct tally *tally, unsigned trap)
{
	for (unsigned i = 0; i < SMA_TRAP_COUNT; i++) {
		if (tally->entries[i].count && tally->entries[i].trap != trap)
			continue;
		tally->entries[i].trap = trap;
		return ++tally->entries[i].count;
	}
	return 0;
}

bool tally_is_empty(const struct tally *tally)
{
	return tally->entries[0].count == 0;
}

void tally_print(const struct tally *tally, char text[TALLY_TEXT_SIZE])
{
	size_t length = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < SMA_TRAP_COUNT && tally->entries[i].count; i++) {
		const char *name = mib_notification_name(tally->entries[i].trap);

		length += (size_t)snprintf(text + length, TALLY_TEXT_SIZE - length, "%s%.48s %u",
		                           i ? ", " : "", name ? name : "others", tally->entries[i].count);
	}
}
