// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "agent/latest.h"

static bool has_same_key(const struct sma_notice *a, const struct sma_notice *b)
{
	return notice_trap(a->data) == notice_trap(b->data) &&
	       notice_issuer(a->data) == notice_issuer(b->data);
}

static struct sma_notice *find(struct latest *latest, const struct sma_notice *notice)
{
	for (unsigned i = 0; i < latest->count; i++) {
		if (has_same_key(&latest->notices[i], notice))
			return &latest->notices[i];
	}
	return NULL;
}

unsigned latest_put(struct latest *latest, const struct sma_notice *notice)
{
	struct sma_notice *place = find(latest, notice);
	unsigned given_up = 0;

	if (place) {
		given_up = notice_trap(place->data);
		*place = *notice;
		return given_up;
	}
	if (latest->count == LATEST_KEPT) {
		given_up = notice_trap(latest->notices[0].data);
		latest_drop(latest);
	}
	latest->notices[latest->count++] = *notice;
	return given_up;
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
