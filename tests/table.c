// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/table.h"
#include "tests/unit.h"

static void bail_out(const char *file, unsigned number)
{
	printf("Bail out! %s, line %u cannot be read\n", file, number);
	exit(EXIT_FAILURE);
}

/* The words are pointed to for as long as the program runs. */
static struct table_line *split(const char *text)
{
	struct table_line *line = calloc(1, sizeof(*line));
	char *rest;

	if (!line)
		return NULL;
	memcpy(line->text, text, sizeof(line->text));
	for (char *word = strtok_r(line->text, " \n", &rest); word && line->count < TABLE_WORDS;
	     word = strtok_r(NULL, " \n", &rest))
		line->words[line->count++] = word;
	return line;
}

void table_read(const char *file, unsigned least, bool (*take)(const struct table_line *line))
{
	FILE *stream = fopen(unit_source(file), "r");
	char text[TABLE_LINE] = "";
	unsigned number = 0;

	if (!stream)
		bail_out(file, number);
	while (fgets(text, sizeof(text), stream)) {
		const struct table_line *line;

		number++;
		if (text[0] == '#' || text[0] == '\n')
			continue;
		line = split(text);
		if (!line || line->count < least || !take(line))
			bail_out(file, number);
	}
	fclose(stream);
}
