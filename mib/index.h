/* SPDX-License-Identifier: BSD-2-Clause */
/* Successor and validity in an index space: pure arithmetic over a function that knows the space. */
#ifndef MIB_INDEX_H
#define MIB_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* The lowest value >= from of index object `level` below index[0..level-1]. 0; -ENOENT: none; -EIO: it is
 * not known, and the search continues behind index[0..level-1]; any other negative result ends the search and
 * is passed on. */
typedef int index_next_fn(void *space, const uint32_t *index, unsigned level, uint32_t from, uint32_t *value);

/* Find the first index in lexicographic order that is greater than the sub-identifiers `after`, of any number
 * and value. `index` has room for `levels` values. */
int index_successor(index_next_fn *next, void *space, unsigned levels, const uint32_t *after, size_t length,
                    uint32_t *index);

/* Whether the space has the index `sub`. 0, or as above. */
int index_check(index_next_fn *next, void *space, unsigned levels, const uint32_t *sub, size_t length);

#endif
