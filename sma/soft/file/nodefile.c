// SPDX-License-Identifier: BSD-2-Clause
/*
 * Node files. A text is gone through twice: first for the lines that set sizes, which may stand anywhere;
 * then the state is made, and all other lines are applied to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sma/soft/file/nodefile_arg.h"

/* What a node has whose file says nothing; 0: nothing, or the file must say it. */
static const unsigned defaults[SIZE_COUNT] = {
	[SIZE_GUID_CAP] = 8, [SIZE_PARTITION_CAP] = 32, [SIZE_VL_CAP] = 4, /* VL0 to VL7 */
};

/* ---- tokens ---- */

static const struct token *find_token(const char *name)
{
	const struct token *token;

	for (unsigned i = 0; (token = nodefile_token(i)); i++) {
		if (strcasecmp(token->name, name) == 0)
			return token;
	}
	return NULL;
}

static const struct token *token_of(enum size size)
{
	const struct token *token;
	unsigned i = 0;

	do
		token = nodefile_token(i++);
	while (!nodefile_is_size(token) || token->what != (int)size);
	return token;
}

static const char *token_name(const void *context, unsigned i)
{
	const struct token *token = nodefile_token(i);

	(void)context;
	return token ? token->name : NULL;
}

static unsigned token_count(void)
{
	unsigned count = 0;

	while (nodefile_token(count))
		count++;
	return count;
}

static int unknown_token(struct nodefile *file)
{
	const char *word = file->line.word[0];
	unsigned distance;
	const char *nearest = nodefile_nearest(word, token_name, NULL, token_count(), &distance);
	char names[NODEFILE_ERROR_SIZE] = "";
	size_t used = 0;

	if (distance <= strlen(word) / 2)
		return nodefile_fail(file, NULL, "unknown token; the nearest is %s", nearest);
	for (unsigned i = 0; token_name(NULL, i) && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
		                         token_name(NULL, i));
	return nodefile_fail(file, NULL, "unknown token; expected one of %s", names);
}

/* ---- lines ---- */

static int take_line(struct nodefile *file, const char *text, size_t length)
{
	const char *lack;
	int rc = nodefile_split(file, text, length);

	if (rc < 0 || file->line.count == 0)
		return rc;
	file->token = find_token(file->line.word[0]);
	if (!file->token)
		return unknown_token(file);
	if (nodefile_is_size(file->token) == (file->state != NULL))
		return 0;
	lack = file->state ? nodefile_lacks(file, file->token->need) : NULL;
	if (lack)
		return nodefile_fail(file, NULL, "expected only with %s", lack);
	rc = nodefile_read_args(file);
	return rc < 0 ? rc : file->token->set(file);
}

static int take_lines(struct nodefile *file, const char *text, size_t length)
{
	const char *end = text + length;
	int rc = 0;

	for (file->line.number = 1; rc == 0 && text < end; file->line.number += rc == 0) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;

		rc = take_line(file, text, (size_t)(stop - text));
		text = newline ? newline + 1 : end;
	}
	return rc;
}

/* ---- sizes ---- */

static const char *name_of(enum size size)
{
	return token_of(size)->name;
}

static int check_required(struct nodefile *file)
{
	static const enum size required[] = {SIZE_NODE_TYPE, SIZE_PORTS, SIZE_NODE_GUID};

	for (size_t i = 0; i < sizeof(required) / sizeof(required[0]); i++) {
		const struct token *token = token_of(required[i]);

		if (file->size_line[required[i]])
			continue;
		snprintf(file->error, file->error_size, "%s: no %s: expected a line %s %s", file->name,
		         token->name, token->name, token->usage);
		return -EINVAL;
	}
	return 0;
}

/* Blame the line of a size. */
static int blame(struct nodefile *file, enum size size, const char *expected, enum size other)
{
	char value[24];

	file->line.number = file->size_line[size];
	file->line.count = 1;
	snprintf(file->line.word[0], WORD_SIZE, "%s", name_of(size));
	snprintf(value, sizeof(value), "%llu", (unsigned long long)file->size[size]);
	return nodefile_fail(file, value, "expected %s; %s stands in line %u", expected, name_of(other),
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
	snprintf(file->error, file->error_size,
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
		snprintf(file->error, file->error_size, "%s: %s", file->name, strerror(-rc));
		return rc;
	}
	state_set_guid(file->state, size[SIZE_NODE_GUID]);
	state_set(file->state, 0, SMA_NodeInfo_SystemImageGUID, size[SIZE_NODE_GUID]);
	return 0;
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
	return rc < 0 ? rc : take_lines(file, text, length);
}

int nodefile_parse(const char *name, const char *text, size_t length, struct soft_state **state, char *error,
                   size_t size)
{
	struct nodefile file = {.error = error, .error_size = size};
	int rc;

	nodefile_show_name(file.name, name);
	for (unsigned i = 0; i < SIZE_COUNT; i++)
		file.size[i] = defaults[i];
	rc = parse(&file, text, length);
	if (rc < 0)
		state_free(file.state);
	else
		*state = file.state;
	return rc;
}

/* The bytes of a file, the caller's to free. One byte more is asked for than may be there. */
static int read_all(int fd, char **text, size_t *length)
{
	char *buffer = malloc(NODEFILE_MAX_SIZE + 1);
	ssize_t got = 1;

	*text = buffer;
	*length = 0;
	if (!buffer)
		return -ENOMEM;
	while (got > 0 && *length <= NODEFILE_MAX_SIZE) {
		got = read(fd, buffer + *length, NODEFILE_MAX_SIZE + 1 - *length);
		*length += got > 0 ? (size_t)got : 0;
	}
	if (got < 0)
		return -errno;
	return *length > NODEFILE_MAX_SIZE ? -EFBIG : 0;
}

static int read_file(const char *path, char **text, size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return -errno;
	rc = read_all(fd, text, length);
	close(fd);
	return rc;
}

int nodefile_load(const char *path, struct soft_state **state, char *error, size_t size)
{
	char *text = NULL;
	size_t length = 0;
	char name[NODEFILE_NAME_SIZE];
	int rc = read_file(path, &text, &length);

	nodefile_show_name(name, path);
	if (rc < 0)
		snprintf(error, size, "%s: %s", name, strerror(-rc));
	else
		rc = nodefile_parse(path, text, length, state, error, size);
	free(text);
	return rc;
}
