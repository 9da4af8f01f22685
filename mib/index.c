// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>

#include "mib/index.h"

struct search {
	index_next_fn *next;
	void *space;
	unsigned levels;
	const uint32_t *after;
	size_t length;
	uint32_t *index;
};

/* Search from `level` on. `tight`: index[0..level-1] equals `after` so far, so that this level begins there.
 */
static int search_level(const struct search *s, unsigned level, bool tight)
{
	bool bounded = tight && level < s->length;
	uint64_t from = bounded ? s->after[level] : 0;
	bool last = level + 1 == s->levels;
	int rc = -ENOENT;

	/* an index that equals `after`, or its beginning, does not come after it */
	if (bounded && last)
		from++;
	while (from <= UINT32_MAX) {
		uint32_t value;

		rc = s->next(s->space, s->index, level, (uint32_t)from, &value);
		if (rc < 0)
			break;
		s->index[level] = value;
		if (last)
			return 0;
		rc = search_level(s, level + 1, bounded && value == s->after[level]);
		/* what cannot be read below one value does not hide what is below the next */
		if (rc != -ENOENT && rc != -EIO)
			break;
		from = (uint64_t)value + 1;
	}
	return rc;
}

int index_successor(index_next_fn *next, void *space, unsigned levels, const uint32_t *after, size_t length,
                    uint32_t *index)
{
	const struct search s = {next, space, levels, after, length, index};

	return search_level(&s, 0, true);
}

int index_check(index_next_fn *next, void *space, unsigned levels, const uint32_t *sub, size_t length)
{
	if (length != levels)
		return -ENOENT;
	for (unsigned level = 0; level < levels; level++) {
		uint32_t value;
		int rc = next(space, sub, level, sub[level], &value);

		if (rc < 0)
			return rc;
		if (value != sub[level])
			return -ENOENT;
	}
	return 0;
}
