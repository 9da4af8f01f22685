/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of text, whole. */
#ifndef SOFT_FILE_LOAD_H
#define SOFT_FILE_LOAD_H

#include <stdbool.h>
#include <stddef.h>

enum { LOAD_NAME_SIZE = 256 };

/* The name of a file as errors show it: of a longer path its end, so that there is room for what is wrong. */
void load_show_name(char shown[LOAD_NAME_SIZE], const char *path);

/* All `length` bytes of what is at `path`, the caller's to free, also after an error. -EFBIG: more than
 * `most`; -ENOMEM; else the error of open(2) or read(2). */
int load_text(const char *path, size_t most, char **text, size_t *length);

/* Go through the lines of a text. False: there is none any more. */
struct load_lines {
	const char *at, *end; /* what was not read yet */
	const char *line;     /* the current one, of `length` bytes without its newline */
	size_t length;
	unsigned number; /* from 1; 0 before the first */
	bool is_ended;   /* it had a newline */
};
bool load_next_line(struct load_lines *lines);

#endif
