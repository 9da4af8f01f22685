// SPDX-License-Identifier: BSD-2-Clause
/*
 * Node files. A text is gone through twice: first for the lines that set sizes, which may stand anywhere;
 * then the state is made, and all other lines are applied to it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/soft/file/load.h"
#include "sma/soft/file/nodefile_parts.h"

/* What a node has whose file says nothing; 0: nothing, or the file must say it. */
static const unsigned defaults[SIZE_COUNT] = {
	[SIZE_GUID_CAP] = 8, [SIZE_PARTITION_CAP] = 32, [SIZE_VL_CAP] = 4, /* VL0 to VL7 */
};

/* ---- tokens ---- */

static const struct token *token_of(enum size size)
{
	const struct token *token = nodefile_tokens;

	while (!nodefile_is_size(token) || token->what != (int)size)
		token++;
	return token;
}

/* ---- lines ---- */

static int take_line(struct nodefile *file, const struct load_lines *lines)
{
	struct line *line = &file->statement.line;
	int rc;

	line->number = lines->number;
	rc = line_split(line, lines->line, lines->length);
	if (rc < 0 || line->count == 0)
		return rc;
	rc = arg_find_row(&file->statement, "token", nodefile_tokens, sizeof(nodefile_tokens[0]),
	                  nodefile_token_count);
	if (rc < 0)
		return rc;
	file->token = &nodefile_tokens[rc];
	if (nodefile_is_size(file->token) == (file->state != NULL))
		return 0;
	rc = arg_read_all(&file->statement, &file->token->syntax);
	return rc < 0 ? rc : file->token->set(file);
}

static int take_lines(struct nodefile *file, const char *text, size_t length)
{
	struct load_lines lines = {.at = text, .end = text + length};
	int rc = 0;

	while (rc == 0 && load_next_line(&lines))
		rc = take_line(file, &lines);
	return rc;
}

/* ---- sizes ---- */

static const char *name_of(enum size size)
{
	return token_of(size)->syntax.name;
}

static int check_required(struct nodefile *file)
{
	static const enum size required[] = {SIZE_NODE_TYPE, SIZE_PORTS, SIZE_NODE_GUID};

	for (size_t i = 0; i < sizeof(required) / sizeof(required[0]); i++) {
		const struct syntax *syntax = &token_of(required[i])->syntax;

		if (file->size_line[required[i]])
			continue;
		snprintf(file->statement.line.error, file->statement.line.error_size,
		         "%s: no %s: expected a line %s %s", file->name, syntax->name, syntax->name,
		         syntax->usage);
		return -EINVAL;
	}
	return 0;
}

/* Blame the line of a size. */
static int blame(struct nodefile *file, enum size size, const char *expected, enum size other)
{
	char value[24];
	struct line *line = &file->statement.line;

	line->number = file->size_line[size];
	line->count = 1;
	snprintf(line->word[0], LINE_WORD_SIZE, "%s", name_of(size));
	snprintf(value, sizeof(value), "%llu", (unsigned long long)file->size[size]);
	return line_fail(line, value, "expected %s; %s stands in line %u", expected, name_of(other),
	                 file->size_line[other]);
}

/* Tables that only a switch has, and of its two unicast tables exactly one. */
static int check_tables(struct nodefile *file)
{
	static const enum size of_switches[] = {SIZE_ENFORCEMENT_CAP, SIZE_LINEAR_CAP, SIZE_RANDOM_CAP,
	                                        SIZE_MULTICAST_CAP};
	const uint64_t *size = file->size;

	for (size_t i = 0; i < sizeof(of_switches) / sizeof(of_switches[0]); i++) {
		if (size[SIZE_NODE_TYPE] != SMA_NODE_SWITCH && size[of_switches[i]])
			return blame(file, of_switches[i], "on a switch only", SIZE_NODE_TYPE);
	}
	if (size[SIZE_LINEAR_CAP] && size[SIZE_RANDOM_CAP]) {
		bool linear_is_second = file->size_line[SIZE_LINEAR_CAP] > file->size_line[SIZE_RANDOM_CAP];
		enum size second = linear_is_second ? SIZE_LINEAR_CAP : SIZE_RANDOM_CAP;

		return blame(file, second, "one unicast table only",
		             linear_is_second ? SIZE_RANDOM_CAP : SIZE_LINEAR_CAP);
	}
	if (size[SIZE_NODE_TYPE] != SMA_NODE_SWITCH || size[SIZE_LINEAR_CAP] || size[SIZE_RANDOM_CAP])
		return 0;
	snprintf(file->statement.line.error, file->statement.line.error_size,
	         "%s: line %u: nodeType switch: expected linearFDBCap or randomFDBCap with it, 1 to %d",
	         file->name, file->size_line[SIZE_NODE_TYPE], SOFT_MAX_LIDS);
	return -EINVAL;
}

static int make_state(struct nodefile *file)
{
	const uint64_t *size = file->size;
	const struct state_shape shape = {
		.type = (unsigned)size[SIZE_NODE_TYPE],
		.ports = (unsigned)size[SIZE_PORTS],
		.guid_cap = (unsigned)size[SIZE_GUID_CAP],
		.pkey_cap = (unsigned)size[SIZE_PARTITION_CAP],
		.enforce_cap = (unsigned)size[SIZE_ENFORCEMENT_CAP],
		.linear_cap = (unsigned)size[SIZE_LINEAR_CAP],
		.random_cap = (unsigned)size[SIZE_RANDOM_CAP],
		.multicast_cap = (unsigned)size[SIZE_MULTICAST_CAP],
		.vls = (unsigned)size[SIZE_VL_CAP],
	};
	int rc = state_new(&shape, &file->state);

	if (rc < 0) {
		snprintf(file->statement.line.error, file->statement.line.error_size, "%s: %s", file->name,
		         strerror(-rc));
		return rc;
	}
	file->statement.state = file->state;
	state_set_guid(file->state, size[SIZE_NODE_GUID]);
	state_set(file->state, 0, SMA_NodeInfo_SystemImageGUID, size[SIZE_NODE_GUID]);
	return nodefile_make_unit(file);
}

/* ---- texts and files ---- */

static int parse(struct nodefile *file, const char *text, size_t length)
{
	int rc = take_lines(file, text, length);

	if (rc == 0)
		rc = check_required(file);
	if (rc == 0)
		rc = check_tables(file);
	if (rc == 0)
		rc = make_state(file);
	if (rc == 0)
		rc = take_lines(file, text, length);
	if (rc == 0)
		nodefile_finish_unit(file);
	return rc;
}

int nodefile_parse(const char *name, const char *text, size_t length, struct soft_state **state, char *error,
                   size_t size)
{
	struct nodefile file = {.statement.line = {.error = error, .error_size = size}};
	int rc;

	load_show_name(file.name, name);
	file.statement.line.file = file.name;
	for (unsigned i = 0; i < SIZE_COUNT; i++)
		file.size[i] = defaults[i];
	rc = parse(&file, text, length);
	if (rc < 0)
		state_free(file.state);
	else
		*state = file.state;
	return rc;
}

int nodefile_load(const char *path, struct soft_state **state, char *error, size_t size)
{
	char *text;
	size_t length;
	char name[LOAD_NAME_SIZE];
	int rc = load_text(path, NODEFILE_MAX_SIZE, &text, &length);

	load_show_name(name, path);
	if (rc < 0)
		snprintf(error, size, "%s: %s", name, strerror(-rc));
	else
		rc = nodefile_parse(path, text, length, state, error, size);
	free(text);
	return rc;
}
