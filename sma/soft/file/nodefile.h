/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The node file: a node of the software SMA, described in text (ibsmad-node(5)).
 *
 * Both functions make the power-up state of a node and apply the lines of the file to it. On success the
 * state is the caller's. On failure `*state` is untouched and `error`, of `size` bytes (NODEFILE_ERROR_SIZE
 * hold every sentence), names the first mistake: `FILE: line N: TOKEN VALUE: expected ..., LOW to HIGH`.
 * Keys are never repeated in it. Unknown tokens and the lines that set sizes are judged before all others.
 */
#ifndef SOFT_FILE_NODEFILE_H
#define SOFT_FILE_NODEFILE_H

#include <stddef.h>

#include "sma/soft/file/load.h"
#include "sma/soft/state.h"

enum {
	NODEFILE_MAX_SIZE = 4 * 1024 * 1024, /* bytes of a file */
	NODEFILE_ERROR_SIZE = 1024,
};

/* Read a node file. -EINVAL: a mistake in it; -EFBIG: larger than NODEFILE_MAX_SIZE; -ENOMEM; else the error
 * of open(2) or read(2). */
int nodefile_load(const char *path, struct soft_state **state, char *error, size_t size);

/* The same for a text of `length` bytes, which may be anything; `name` stands for the file. -EINVAL or
 * -ENOMEM. */
int nodefile_parse(const char *name, const char *text, size_t length, struct soft_state **state, char *error,
                   size_t size);

#endif
