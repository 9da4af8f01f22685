// SPDX-License-Identifier: BSD-2-Clause
/* Words of node files: splitting, numbers, likeness, and the messages about them. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/soft/file/nodefile_arg.h"

enum {
	SHOWN_SIZE = 48, /* of a word in a message */
	NAME_SIZE = 64,  /* more than any name that words are compared with */
};

/* ---- messages ---- */

/* A word as it may stand in a log: cut, and without bytes that a terminal would act upon. */
static const char *shown(const char *word, char text[SHOWN_SIZE])
{
	snprintf(text, SHOWN_SIZE, "%s", word);
	for (char *p = text; *p; p++) {
		if (!isprint((unsigned char)*p))
			*p = '?';
	}
	if (strlen(word) >= SHOWN_SIZE)
		memcpy(text + SHOWN_SIZE - sizeof("..."), "...", sizeof("..."));
	return text;
}

void nodefile_show_name(char shown[NODEFILE_NAME_SIZE], const char *path)
{
	const char *mark = "";
	size_t length = strlen(path);

	if (length >= NODEFILE_NAME_SIZE) {
		mark = "...";
		path += length + sizeof("...") - NODEFILE_NAME_SIZE;
	}
	snprintf(shown, NODEFILE_NAME_SIZE, "%s%s", mark, path);
}

int nodefile_fail(struct nodefile *file, const char *word, const char *format, ...)
{
	const struct line *line = &file->line;
	char token_text[SHOWN_SIZE];
	char word_text[SHOWN_SIZE];
	va_list args;
	int used = snprintf(file->error, file->error_size, "%s: line %u: %s%s%s%s", file->name, line->number,
	                    line->count ? shown(line->word[0], token_text) : "", word ? " " : "",
	                    word ? shown(word, word_text) : "", line->count ? ": " : "");

	if (used < 0 || (size_t)used >= file->error_size)
		return -EINVAL;
	va_start(args, format);
	vsnprintf(file->error + used, file->error_size - (size_t)used, format, args);
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

static int take_word(struct nodefile *file, struct scan *scan)
{
	char *word = file->line.word[file->line.count];
	size_t length = 0;
	char c;

	scan->quoted = *scan->at == '"';
	scan->at += scan->quoted;
	while (next(scan, &c)) {
		if (iscntrl((unsigned char)c))
			return nodefile_fail(file, NULL, "expected text, not the byte 0x%02x",
			                     (unsigned char)c);
		if (length == WORD_SIZE - 1)
			return nodefile_fail(file, NULL, "expected words of at most %d bytes", WORD_SIZE - 1);
		word[length++] = c;
	}
	if (scan->quoted)
		return nodefile_fail(file, NULL, "expected a quotation mark at the end of the text");
	if (!at_blank(scan))
		return nodefile_fail(file, NULL, "expected a blank after the closing quotation mark");
	word[length] = '\0';
	file->line.count++;
	return 0;
}

int nodefile_split(struct nodefile *file, const char *text, size_t length)
{
	struct scan scan = {text, text + length, false};
	int rc = 0;

	file->line.count = 0;
	while (rc == 0 && file->line.count < MAX_WORDS) {
		while (scan.at < scan.end && is_blank(*scan.at))
			scan.at++;
		if (scan.at == scan.end || *scan.at == '#')
			break;
		rc = take_word(file, &scan);
	}
	return rc;
}

/* ---- numbers ---- */

bool nodefile_number(const char **at, uint64_t *number)
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

bool nodefile_range(const char **at, uint64_t *first, uint64_t *last)
{
	if (!nodefile_number(at, first))
		return false;
	*last = *first;
	if (**at != '-')
		return true;
	++*at;
	return nodefile_number(at, last) && *first <= *last;
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

const char *nodefile_nearest(const char *word, const char *(*name_of)(const void *context, unsigned i),
                             const void *context, unsigned count, unsigned *distance)
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
