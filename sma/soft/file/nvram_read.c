// SPDX-License-Identifier: BSD-2-Clause
/* The NVRAM file: reading it. It is checked as a whole before anything of it reaches the state. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sma/iba/iba.h"
#include "sma/soft/file/load.h"
#include "sma/soft/file/nvram_parts.h"
#include "sma/soft/text/arg.h"

enum { MAX_SIZE = 1 << 29 /* more than a line for each P_Key of all ports */ };

struct reader {
	char name[LOAD_NAME_SIZE];
	struct statement statement;
	uint64_t guid;            /* of the node */
	struct soft_state *state; /* where lines are applied; NULL: they are only checked */
	bool is_ours;             /* the GUID was there, and is the node's */
	bool is_whole;            /* the last line was there */
	bool is_old;              /* it is a file of the first release */
};

static uint64_t number(const struct reader *reader, unsigned i)
{
	return reader->statement.value[i].first;
}

/* The port of the line, if it keeps what a bit stands for; else NULL. */
static struct state_port *port_that_keeps(const struct reader *reader, enum sma_component bit)
{
	unsigned port = (unsigned)number(reader, 0);

	return reader->state && nvram_keeps(reader->state, port, bit) ? &reader->state->port[port] : NULL;
}

static int take_m_key(struct reader *reader)
{
	struct state_port *port = port_that_keeps(reader, SMA_PortInfo_IsMKeyNVRAM);

	if (!port)
		return 0;
	sma_component_set(port->info, SMA_PortInfo_M_Key, number(reader, 1));
	sma_component_set(port->info, SMA_PortInfo_M_KeyProtectBits, number(reader, 2));
	sma_component_set(port->info, SMA_PortInfo_M_KeyLeasePeriod, number(reader, 3));
	return 0;
}

static void set_pkeys(const struct reader *reader, uint64_t first, uint64_t last, uint64_t key)
{
	struct state_port *port = port_that_keeps(reader, SMA_PortInfo_IsPKeyNVRAM);

	for (uint64_t i = first; port && i <= last && i < port->pkey_count; i++)
		wire_put16(port->pkeys + 2 * i, (uint16_t)key);
}

static int take_pkey(struct reader *reader)
{
	const struct value *entries = &reader->statement.value[1];

	set_pkeys(reader, entries->first, entries->last, number(reader, 2));
	return 0;
}

static int check_guid(struct reader *reader)
{
	struct line *line = &reader->statement.line;

	reader->is_ours = number(reader, 0) == reader->guid;
	if (reader->is_ours)
		return 0;
	return line_fail(line, line->word[1], "expected 0x%016" PRIx64 ": the file is of another node",
	                 reader->guid);
}

static int take_guid(struct reader *reader)
{
	reader->is_whole = true;
	return check_guid(reader);
}

/* ---- as the first release wrote it ---- */

static int take_version(struct reader *reader)
{
	reader->is_old = true;
	return 0;
}

static int take_checksum(struct reader *reader)
{
	reader->is_whole = true;
	return 0;
}

/* The first line of a table has no P_Keys, and clears it. */
static int take_pkeys(struct reader *reader)
{
	struct line *line = &reader->statement.line;
	uint64_t first = number(reader, 1);
	uint64_t key;

	if (line->count == 3)
		set_pkeys(reader, 0, UINT16_MAX, 0);
	for (unsigned i = 3; i < line->count; i++) {
		const char *at = line->word[i];

		if (!line_number(&at, &key) || *at || key > UINT16_MAX)
			return line_fail(line, line->word[i], "expected a P_Key, 0 to %d", UINT16_MAX);
		set_pkeys(reader, first + i - 3, first + i - 3, key);
	}
	return 0;
}

/* ---- lines ---- */

#define PORT ARG_UP_TO("a port", SMA_MAX_PORTS)
#define GUID ARG(NUMBER, "a GUID", 1, UINT64_MAX)
#define M_KEY                                                                                                \
	PORT, ARG(SECRET, "an M_Key", 0, UINT64_MAX), ARG_UP_TO("a protection level", 3),                    \
		ARG_UP_TO("a lease period in seconds", UINT16_MAX)

/* Ports and entries that the node has not got are passed over. */
static const struct token {
	struct syntax syntax;
	int (*take)(struct reader *reader);
} tokens[] = {
	{{"mKey", "PORT KEY PROTECT LEASE", NEED_NOTHING, {M_KEY}}, take_m_key},
	{{"pKey",
          "PORT ENTRIES P_KEY",
          NEED_NOTHING,
          {PORT, ARG(RANGE, "entries", 0, UINT16_MAX), ARG_UP_TO("a P_Key", UINT16_MAX)}},
         take_pkey},
	{{"nodeGuid", "GUID", NEED_NOTHING, {GUID}}, take_guid},
	{{"ibsmad-nvram", "1", NEED_NOTHING, {ARG(NUMBER, "a version", 1, 1)}}, take_version},
	{{"node", "GUID", NEED_NOTHING, {GUID}}, check_guid},
	{{"m_key", "PORT KEY PROTECT LEASE", NEED_NOTHING, {M_KEY}}, take_m_key},
	{{"p_key",
          "PORT FIRST [P_KEY ...]",
          NEED_NOTHING,
          {PORT, ARG_UP_TO("an entry", UINT16_MAX), {ARG_REST, "P_Keys", 0, 0, NULL, NULL, true}}},
         take_pkeys},
	{{"checksum", "SUM", NEED_NOTHING, {ARG_UP_TO("a checksum", UINT64_MAX)}}, take_checksum},
};

static int take_line(struct reader *reader, const struct load_lines *lines)
{
	struct line *line = &reader->statement.line;
	int row;
	int rc;

	line->number = lines->number;
	rc = line_split(line, lines->line, lines->length);
	if (rc < 0 || line->count == 0)
		return rc;
	if (reader->is_whole)
		return line_fail(line, NULL, "expected no line behind the last");
	row = arg_find_row(&reader->statement, "token", tokens, sizeof(tokens[0]),
	                   sizeof(tokens) / sizeof(tokens[0]));
	if (row < 0)
		return row;
	rc = arg_read_all(&reader->statement, &tokens[row].syntax);
	return rc < 0 ? rc : tokens[row].take(reader);
}

static int take_lines(struct reader *reader, const char *text, size_t length)
{
	struct load_lines lines = {.at = text, .end = text + length};
	struct line *line = &reader->statement.line;
	int rc = 0;

	reader->is_whole = false;
	while (rc == 0 && load_next_line(&lines))
		rc = take_line(reader, &lines);
	if (rc < 0 || (reader->is_ours && reader->is_whole && lines.is_ended))
		return rc;
	line->number++;
	line->count = 0;
	return line_fail(line, NULL, "expected a last line nodeGuid GUID: the file has lost its end");
}

static int read_text(struct reader *reader, struct soft_state *state, const char *text, size_t length)
{
	int rc;

	reader->guid = nvram_node_guid(state);
	rc = take_lines(reader, text, length);
	if (rc < 0)
		return rc;
	reader->state = state;
	return take_lines(reader, text, length);
}

/* ---- the file ---- */

/* To open a device may do something by itself, and a FIFO would not let go, so that it is looked at first. */
static int load(const char *path, char **text, size_t *length)
{
	struct stat status;

	*text = NULL;
	if (stat(path, &status) < 0)
		return -errno;
	return S_ISREG(status.st_mode) ? load_text(path, MAX_SIZE, text, length) : -EINVAL;
}

/* Continue the sentence that says what is wrong. */
static int set_aside(const char *path, char *error, size_t size)
{
	size_t used = strlen(error);
	char name[LOAD_NAME_SIZE];
	char *new_path;
	int rc = -EBADMSG;

	if (asprintf(&new_path, "%s.damaged", path) < 0)
		return -ENOMEM;
	load_show_name(name, new_path);
	if (rename(path, new_path) < 0) {
		rc = -errno;
		snprintf(error + used, size - used, "; the file cannot be set aside: %s", strerror(-rc));
	} else {
		snprintf(error + used, size - used,
		         "; the file is set aside as %s, and the node starts from its node file", name);
	}
	free(new_path);
	return rc;
}

static int load_error(const char *name, int rc, char *error, size_t size)
{
	if (rc == -EINVAL)
		snprintf(error, size, "%s: expected a regular file or none; remove what is there", name);
	else
		snprintf(error, size, "%s: %s", name, strerror(-rc));
	return rc;
}

int nvram_read(const char *path, struct soft_state *state, bool *is_old, char *error, size_t size)
{
	struct reader reader = {.statement.line = {.file = reader.name, .error = error, .error_size = size}};
	char *text;
	size_t length = 0;
	int rc = load(path, &text, &length);

	load_show_name(reader.name, path);
	*is_old = false;
	if (rc == -ENOENT)
		return 0;
	if (rc < 0) {
		free(text);
		return load_error(reader.name, rc, error, size);
	}
	rc = read_text(&reader, state, text, length);
	free(text);
	*is_old = rc == 0 && reader.is_old;
	return rc < 0 ? set_aside(path, error, size) : 0;
}
