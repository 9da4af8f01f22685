// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/fabric/name_map.h"
#include "sma/log.h"

enum { LINE_SIZE = 256 }; /* the tools go on behind as many bytes as in a new line */

struct entry {
	uint64_t guid;
	unsigned serial; /* its place in the file */
	char *name;
};

struct name_map {
	struct entry *entries; /* by GUID */
	unsigned count;
	unsigned room;
};

/* ---- lines ---- */

static char *skip_blanks(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* The name in what stands behind a GUID: up to a quotation mark or comment, which may also come first. NULL:
 * there is none. */
static char *cut_name(char *text)
{
	text[strcspn(text, "\n")] = '\0';
	text += strspn(text, "\"#");
	text[strcspn(text, "\"#")] = '\0';
	for (char *at = text; *at; at++) {
		if (*at < ' ' || *at > '~')
			*at = ' ';
	}
	return *text ? text : NULL;
}

/* A line apart: 1: it names a node; 0: it says nothing; -EINVAL. */
static int parse_line(char *line, uint64_t *guid, char **name)
{
	char *begin = skip_blanks(line);
	char *end;

	if (!*begin || *begin == '#')
		return 0;
	*guid = strtoull(begin, &end, 0);
	if (end == begin || (*end && *end != '#' && !isspace((unsigned char)*end)))
		return -EINVAL;
	*name = cut_name(skip_blanks(end));
	return *name != NULL;
}

/* ---- entries ---- */

static int add(struct name_map *map, uint64_t guid, const char *name)
{
	struct entry *entry;

	if (map->count == map->room) {
		unsigned room = map->room ? 2 * map->room : 16;
		struct entry *entries = reallocarray(map->entries, room, sizeof(*entries));

		if (!entries)
			return -ENOMEM;
		map->entries = entries;
		map->room = room;
	}
	entry = &map->entries[map->count];
	*entry = (struct entry){.guid = guid, .serial = map->count, .name = strdup(name)};
	if (!entry->name)
		return -ENOMEM;
	map->count++;
	return 0;
}

static int compare_guids(const void *a, const void *b)
{
	const struct entry *one = a;
	const struct entry *other = b;

	return (one->guid > other->guid) - (one->guid < other->guid);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *one = a;
	const struct entry *other = b;
	int order = compare_guids(a, b);

	return order ? order : (one->serial > other->serial) - (one->serial < other->serial);
}

/* Sort them, and keep the first of each GUID. */
static void settle(struct name_map *map)
{
	unsigned kept = 0;

	if (map->count)
		qsort(map->entries, map->count, sizeof(map->entries[0]), compare_entries);
	for (unsigned i = 0; i < map->count; i++) {
		if (kept && map->entries[kept - 1].guid == map->entries[i].guid)
			free(map->entries[i].name);
		else
			map->entries[kept++] = map->entries[i];
	}
	map->count = kept;
}

const char *name_map_find(const struct name_map *map, uint64_t guid)
{
	const struct entry wanted = {.guid = guid};
	const struct entry *entry = map && map->count ? bsearch(&wanted, map->entries, map->count,
	                                                        sizeof(map->entries[0]), compare_guids)
	                                              : NULL;

	return entry ? entry->name : NULL;
}

void name_map_free(struct name_map *map)
{
	if (!map)
		return;
	for (unsigned i = 0; i < map->count; i++)
		free(map->entries[i].name);
	free(map->entries);
	free(map);
}

/* ---- the file ---- */

static int read_lines(FILE *file, struct name_map *map, unsigned *number, char line[LINE_SIZE])
{
	bool goes_on = false; /* the line before was longer than LINE_SIZE */

	while (fgets(line, LINE_SIZE, file)) {
		uint64_t guid;
		char *name;
		int rc;

		*number += !goes_on;
		goes_on = !strchr(line, '\n');
		rc = parse_line(line, &guid, &name);
		if (rc > 0)
			rc = add(map, guid, name);
		if (rc < 0)
			return rc;
	}
	return ferror(file) ? -errno : 0;
}

static void explain(int rc, const char *file, unsigned number, char *line, char *error, size_t size)
{
	line[strcspn(line, "\n")] = '\0';
	sma_make_printable(line);
	if (rc == -EINVAL)
		snprintf(error, size,
		         "%s, line %u: a NodeGUID and a name, 0x0123456789abcdef \"name\", were expected "
		         "instead of: %s",
		         file, number, line);
	else
		snprintf(error, size, "%s cannot be read: %s", file, strerror(-rc));
}

int name_map_load(const char *file, struct name_map **map, char *error, size_t size)
{
	FILE *in = fopen(file, "re");
	char line[LINE_SIZE] = "";
	unsigned number = 0;
	int rc = in ? 0 : -errno;

	*map = calloc(1, sizeof(**map));
	if (rc == 0)
		rc = *map ? read_lines(in, *map, &number, line) : -ENOMEM;
	if (in)
		fclose(in);
	if (rc < 0) {
		explain(rc, file, number, line, error, size);
		name_map_free(*map);
		*map = NULL;
		return rc;
	}
	settle(*map);
	return 0;
}
