// SPDX-License-Identifier: BSD-2-Clause
/* Words of lines: splitting, numbers, likeness, and the sentences about them. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/log.h"
#include "sma/soft/text/line.h"

enum {
	SHOWN_SIZE = 48, /* of a word in a message */
	NAME_SIZE = 64,  /* more than any name that words are compared with */
	NAMES_SIZE = 512,
};

/* ---- messages ---- */

/* A word as it may stand in a log: cut, and without bytes that a terminal would act upon. */
static const char *shown(const char *word, char text[SHOWN_SIZE])
{
	if (snprintf(text, SHOWN_SIZE, "%s", word) >= SHOWN_SIZE)
		memcpy(text + SHOWN_SIZE - sizeof("..."), "...", sizeof("..."));
	sma_make_printable(text);
	return text;
}

/* `FILE: line N: ` and the words up to the head. */
static size_t put_place(const struct line *line, char *text, size_t size)
{
	char word[SHOWN_SIZE];
	int used = line->file ? snprintf(text, size, "%s: line %u: ", line->file, line->number) : 0;

	for (unsigned i = 0; i <= line->head && i < line->count && (size_t)used < size; i++)
		used += snprintf(text + used, size - (size_t)used, "%s%s", i ? " " : "",
		                 shown(line->word[i], word));
	return (size_t)used;
}

int line_fail(struct line *line, const char *word, const char *format, ...)
{
	char text[SHOWN_SIZE];
	char *error = line->error;
	size_t size = line->error_size;
	size_t used = put_place(line, error, size);
	va_list args;

	if (used < size && line->count)
		used += (size_t)snprintf(error + used, size - used, "%s%s: ", word ? " " : "",
		                         word ? shown(word, text) : "");
	if (used >= size)
		return -EINVAL;
	va_start(args, format);
	vsnprintf(error + used, size - used, format, args);
	va_end(args);
	return -EINVAL;
}

/* ---- lines ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

struct scan {
	const char *at, *end;
	bool quoted; /* within quotation marks */
};

static bool at_blank(const struct scan *scan)
{
	return scan->at == scan->end || is_blank(*scan->at);
}

/* The next character of a word; false at its end. A closing quotation mark is consumed. */
static bool next(struct scan *scan, char *c)
{
	if (scan->at == scan->end || (!scan->quoted && is_blank(*scan->at)))
		return false;
	*c = *scan->at++;
	if (scan->quoted && *c == '"') {
		scan->quoted = false;
		return false;
	}
	if (scan->quoted && *c == '\\' && scan->at < scan->end && (*scan->at == '"' || *scan->at == '\\'))
		*c = *scan->at++;
	return true;
}

static int take_word(struct line *line, struct scan *scan)
{
	char *word = line->word[line->count];
	size_t length = 0;
	char c;

	scan->quoted = *scan->at == '"';
	scan->at += scan->quoted;
	while (next(scan, &c)) {
		if (iscntrl((unsigned char)c))
			return line_fail(line, NULL, "expected text, not the byte 0x%02x", (unsigned char)c);
		if (length == LINE_WORD_SIZE - 1)
			return line_fail(line, NULL, "expected words of at most %d bytes",
			                 LINE_WORD_SIZE - 1);
		word[length++] = c;
	}
	if (scan->quoted)
		return line_fail(line, NULL, "expected a quotation mark at the end of the text");
	if (!at_blank(scan))
		return line_fail(line, NULL, "expected a blank after the closing quotation mark");
	word[length] = '\0';
	line->count++;
	return 0;
}

int line_split(struct line *line, const char *text, size_t length)
{
	struct scan scan = {text, text + length, false};
	int rc = 0;

	line->count = 0;
	line->head = 0;
	while (rc == 0 && line->count < LINE_WORDS) {
		while (scan.at < scan.end && is_blank(*scan.at))
			scan.at++;
		if (scan.at == scan.end || *scan.at == '#')
			break;
		rc = take_word(line, &scan);
	}
	return rc;
}

/* ---- numbers ---- */

bool line_number(const char **at, uint64_t *number)
{
	bool hex = (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X');
	char *end;

	if (!isdigit((unsigned char)**at))
		return false; /* strtoull takes blanks and signs */
	errno = 0;
	*number = strtoull(*at, &end, hex ? 16 : 10);
	*at = end;
	return errno == 0;
}

bool line_range(const char **at, uint64_t *first, uint64_t *last)
{
	if (!line_number(at, first))
		return false;
	*last = *first;
	if (**at != '-')
		return true;
	++*at;
	return line_number(at, last) && *first <= *last;
}

/* ---- likeness ---- */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The distances of one letter more of the word from all beginnings of `name`. */
static void next_row(unsigned *row, char letter, const char *name, size_t size)
{
	unsigned diagonal = row[0];

	row[0]++;
	for (size_t j = 0; j < size; j++) {
		unsigned substituted = diagonal + !same_letter(letter, name[j]);

		diagonal = row[j + 1];
		row[j + 1] = least(substituted, least(diagonal, row[j]) + 1);
	}
}

/* Insertions, deletions and substitutions that make `name` of `word`, whatever the case of letters. */
static unsigned distance_between(const char *word, const char *name)
{
	unsigned row[NAME_SIZE];
	size_t size = strlen(name);

	for (unsigned j = 0; j <= size; j++)
		row[j] = j;
	for (; *word; word++)
		next_row(row, *word, name, size);
	return row[size];
}

const char *line_nearest(const char *word, line_name *name_of, const void *context, unsigned count,
                         unsigned *distance)
{
	const char *nearest = NULL;

	*distance = UINT_MAX;
	for (unsigned i = 0; i < count; i++) {
		const char *name = name_of(context, i);
		unsigned d = name && strlen(name) < NAME_SIZE ? distance_between(word, name) : UINT_MAX;

		if (d < *distance) {
			*distance = d;
			nearest = name;
		}
	}
	return nearest;
}

int line_unknown_head(struct line *line, const char *kind, line_name *name_of, const void *context,
                      unsigned count)
{
	const char *word = line->word[line->head];
	unsigned distance;
	const char *nearest = line_nearest(word, name_of, context, count, &distance);
	char names[NAMES_SIZE] = "";
	size_t used = 0;

	if (distance <= strlen(word) / 2)
		return line_fail(line, NULL, "unknown %s; the nearest is %s", kind, nearest);
	for (unsigned i = 0; i < count && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
		                         name_of(context, i));
	return line_fail(line, NULL, "unknown %s; expected one of %s", kind, names);
}
