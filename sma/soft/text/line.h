/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of words, the grammar that node files, NVRAM files and the console share: words with blanks between,
 * # at the beginning of a word begins a comment, quotation marks around words with blanks or # in them,
 * numbers in decimal or with 0x. And the sentences about what is wrong with them.
 */
#ifndef SOFT_TEXT_LINE_H
#define SOFT_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LINE_WORDS = 20, /* what is beyond is not read: more than any line may have */
	LINE_WORD_SIZE = 256,
};

struct line {
	const char *
		file; /* the name of its file, as errors show it; NULL: errors name neither file nor number */
	unsigned number; /* from 1 */
	unsigned head;   /* the word that says what kind of line it is: 0, or that of a subcommand */
	unsigned count;  /* words */
	char word[LINE_WORDS][LINE_WORD_SIZE];
	char *error; /* takes sentences, of `error_size` bytes */
	size_t error_size;
};

/* Say what is wrong: `FILE: line N: HEAD WORD: ` and the sentence. `word` NULL: no single word is. -EINVAL.
 */
int line_fail(struct line *line, const char *word, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Take the words of a text without newlines; `head` is 0 again. 0 or line_fail's result. */
int line_split(struct line *line, const char *text, size_t length);

/* Read a number or a range N or N-M, decimal or with 0x, and move `*at` behind it. False: there is none. */
bool line_number(const char **at, uint64_t *number);
bool line_range(const char **at, uint64_t *first, uint64_t *last);

/* Names, for 0 to count - 1; NULL: no name. */
typedef const char *line_name(const void *context, unsigned i);

/* The name most like `word`, and how many letters would have to change; NULL: there are no names. */
const char *line_nearest(const char *word, line_name *name_of, const void *context, unsigned count,
                         unsigned *distance);

/* line_fail, as the head is none of the names; `kind` is what they are names of. */
int line_unknown_head(struct line *line, const char *kind, line_name *name_of, const void *context,
                      unsigned count);

#endif
