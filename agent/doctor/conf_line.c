// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "agent/doctor/conf_line.h"

#define BLANKS " \t\n"
#define DIGITS "0123456789"

/* The word after that at `word`; NULL: it was the last, or there was none. */
static const char *next_word(const char *word)
{
	if (!word)
		return NULL;
	word += strcspn(word, BLANKS);
	word += strspn(word, BLANKS);
	return *word ? word : NULL;
}

/* The first two words may be a name or a community, which may start with #. */
const char *conf_line_comment(const char *line)
{
	unsigned count = 0;

	for (const char *word = line; word; word = next_word(word), count++) {
		if (*word == '#' && (count >= 2 || strcspn(word, BLANKS) == 1))
			return word;
	}
	return NULL;
}

static bool is_port(const char *word)
{
	return strspn(word, DIGITS) == strcspn(word, BLANKS);
}

const char *conf_line_behind_sink(const char *line)
{
	const char *comment = conf_line_comment(line);
	const char *word = line;

	if (comment)
		return comment;
	while (word && *word == '-') /* an option with its value */
		word = next_word(next_word(word));
	word = next_word(next_word(word));
	return word && is_port(word) ? next_word(word) : word;
}
