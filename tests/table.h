/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of cases in tests/data: a case is a line of words; # begins a comment line. */
#ifndef TESTS_TABLE_H
#define TESTS_TABLE_H

#include <stdbool.h>

enum { TABLE_WORDS = 16, TABLE_LINE = 256 };

struct table_line {
	char text[TABLE_LINE];
	const char *words[TABLE_WORDS]; /* within `text` */
	unsigned count;
};

/* Read a file below the source tree and give each line with at least `least` words to `take`, which stores
 * what it needs of the line; its words stay valid. A line with fewer words, or that `take` does not accept,
 * ends the program with a message for the test driver. */
void table_read(const char *file, unsigned least, bool (*take)(const struct table_line *line));

#endif
