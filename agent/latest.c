// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "agent/latest.h"

/* The one of the same trap and issuer. */
static struct sma_notice *find(struct latest *latest, const struct sma_notice *notice)
{
	for (unsigned i = 0; i < latest->count; i++) {
		struct sma_notice *other = &latest->notices[i];

		if (notice_trap(other->data) == notice_trap(notice->data) &&
		    notice_issuer(other->data) == notice_issuer(notice->data))
			return other;
	}
	return NULL;
}

unsigned latest_put(struct latest *latest, const struct sma_notice *notice)
{
	struct sma_notice *earlier = find(latest, notice);
	unsigned dropped = 0;

	if (earlier) {
		dropped = notice_trap(earlier->data);
		*earlier = *notice;
		return dropped;
	}
	if (latest->count == LATEST_KEPT) {
		dropped = notice_trap(latest->notices[0].data);
		latest_drop(latest);
	}
	latest->notices[latest->count++] = *notice;
	return dropped;
}

const struct sma_notice *latest_first(const struct latest *latest)
{
	return latest->count ? &latest->notices[0] : NULL;
}

void latest_drop(struct latest *latest)
{
	latest->count--;
	memmove(&latest->notices[0], &latest->notices[1], latest->count * sizeof(latest->notices[0]));
}
