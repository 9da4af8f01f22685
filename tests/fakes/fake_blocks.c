// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fakes/fake_blocks.h"

struct line {
	unsigned port;
	unsigned attribute;
	unsigned first;
	unsigned last;
	const char *rest; /* data, or = and a status */
};

struct fake_block *fake_blocks_at(struct fake_blocks *blocks, uint8_t port, uint16_t attribute,
                                  uint32_t modifier)
{
	struct fake_block *b;

	for (size_t i = 0; i < blocks->count; i++) {
		size_t at = (blocks->last + i) % blocks->count;

		b = &blocks->all[at];
		if (b->port == port && b->attribute == attribute && b->modifier == modifier) {
			blocks->last = at;
			return b;
		}
	}
	if (blocks->count == blocks->room) {
		blocks->room = blocks->room ? 2 * blocks->room : 64;
		blocks->all = realloc(blocks->all, blocks->room * sizeof(*blocks->all));
		if (!blocks->all)
			abort();
	}
	b = &blocks->all[blocks->count++];
	*b = (struct fake_block){.port = port, .attribute = attribute, .modifier = modifier};
	return b;
}

bool fake_blocks_has(const struct fake_blocks *blocks, uint8_t port, uint16_t attribute)
{
	for (size_t i = 0; i < blocks->count; i++) {
		const struct fake_block *b = &blocks->all[i];

		if (b->listed && b->port == port && b->attribute == attribute)
			return true;
	}
	return false;
}

void fake_blocks_free(struct fake_blocks *blocks)
{
	free(blocks->all);
	*blocks = (struct fake_blocks){0};
}

/* ---- the file ---- */

static int digit(char c)
{
	const char *digits = "0123456789abcdef";
	const char *found = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return found ? (int)(found - digits) : -1;
}

static bool parse_data(const char *text, uint8_t data[FAKE_DATA_SIZE])
{
	size_t nibbles = 0;

	memset(data, 0, FAKE_DATA_SIZE);
	for (; *text; text++) {
		if (isspace((unsigned char)*text))
			continue;
		if (digit(*text) < 0 || nibbles == 2 * FAKE_DATA_SIZE)
			return false;
		data[nibbles / 2] |= (uint8_t)(digit(*text) << (nibbles % 2 ? 0 : 4));
		nibbles++;
	}
	return nibbles > 0 && nibbles % 2 == 0;
}

static bool parse_answer(const char *text, struct fake_block *block)
{
	unsigned status;
	int end;

	if (text[0] != '=')
		return parse_data(text, block->data);
	if (sscanf(text, "= %x %n", &status, &end) != 1 || text[end])
		return false;
	block->status = (uint16_t)status;
	return true;
}

static bool parse_head(const char *text, struct line *line)
{
	int end = 0;

	if (sscanf(text, "%u %x %x%n", &line->port, &line->attribute, &line->first, &end) != 3)
		return false;
	text += end;
	line->last = line->first;
	if (*text == '-' && sscanf(text, "-%x%n", &line->last, &end) == 1)
		text += end;
	if (!isspace((unsigned char)*text))
		return false;
	line->rest = text + strspn(text, " \t");
	return line->port < FAKE_PORTS && line->attribute <= UINT16_MAX && line->first <= line->last;
}

static bool parse_line(struct fake_blocks *blocks, const char *text)
{
	struct fake_block answer = {.listed = true};
	struct line line;

	if (!parse_head(text, &line) || !parse_answer(line.rest, &answer))
		return false;
	for (unsigned modifier = line.first; modifier <= line.last; modifier++) {
		struct fake_block *b =
			fake_blocks_at(blocks, (uint8_t)line.port, (uint16_t)line.attribute, modifier);

		b->listed = true;
		b->status = answer.status;
		memcpy(b->data, answer.data, sizeof(b->data));
	}
	blocks->ports[line.port] = true;
	return true;
}

int fake_blocks_load(struct fake_blocks *blocks, const char *path)
{
	FILE *file = fopen(path, "r");
	char text[1024];
	int rc = 0;

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -errno;
	}
	for (unsigned number = 1; rc == 0 && fgets(text, sizeof(text), file); number++) {
		text[strcspn(text, "#\n")] = '\0';
		if (text[strspn(text, " \t")] && !parse_line(blocks, text)) {
			fprintf(stderr, "%s:%u: not understood: %s\n", path, number, text);
			rc = -EINVAL;
		}
	}
	fclose(file);
	return rc;
}
