// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sma/soft/file/load.h"

enum { FIRST_SIZE = 64 * 1024 };

void load_show_name(char shown[LOAD_NAME_SIZE], const char *path)
{
	const char *mark = "";
	size_t length = strlen(path);

	if (length >= LOAD_NAME_SIZE) {
		mark = "...";
		path += length + sizeof("...") - LOAD_NAME_SIZE;
	}
	snprintf(shown, LOAD_NAME_SIZE, "%s%s", mark, path);
}

/* Room for twice as much, but one byte more than may be there at most. */
static int grow(char **text, size_t *room, size_t most)
{
	size_t larger = *room ? *room * 2 : FIRST_SIZE;
	char *buffer;

	if (larger > most + 1)
		larger = most + 1;
	buffer = realloc(*text, larger);
	if (!buffer)
		return -ENOMEM;
	*text = buffer;
	*room = larger;
	return 0;
}

static int read_all(int fd, size_t most, char **text, size_t *length)
{
	size_t room = 0;
	ssize_t got = 1;

	while (got > 0 && *length <= most) {
		if (*length == room && grow(text, &room, most) < 0)
			return -ENOMEM;
		got = read(fd, *text + *length, room - *length);
		*length += got > 0 ? (size_t)got : 0;
	}
	if (got < 0)
		return -errno;
	return *length > most ? -EFBIG : 0;
}

int load_text(const char *path, size_t most, char **text, size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	*text = NULL;
	*length = 0;
	if (fd < 0)
		return -errno;
	rc = read_all(fd, most, text, length);
	close(fd);
	return rc;
}

bool load_next_line(struct load_lines *lines)
{
	const char *newline;

	if (lines->at == lines->end)
		return false;
	newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
	lines->line = lines->at;
	lines->length = (size_t)((newline ? newline : lines->end) - lines->at);
	lines->at = newline ? newline + 1 : lines->end;
	lines->number++;
	lines->is_ended = newline;
	return true;
}
