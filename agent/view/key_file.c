// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/config_token.h"
#include "agent/view/key_file.h"

enum { LINE_SIZE = 256 };

struct entry {
	uint64_t guid;
	uint64_t key;
};

struct key_file {
	uint64_t default_key;
	unsigned count;
	struct entry *entries; /* by GUID once all are read; of one GUID the first counts */
};

/* ---- the file ---- */

/* What is wrong with its kind or its rights; NULL: nothing is. */
static const char *find_fault(const struct stat *status)
{
	if (!S_ISREG(status->st_mode))
		return "is no regular file";
	if (status->st_uid != 0 && status->st_uid != geteuid())
		return "belongs to another user than root and that of ibsmad: chown it";
	if (status->st_mode & (S_IRWXG | S_IRWXO))
		return "can be read or written by others: chmod 600 it";
	return NULL;
}

/* A link could lead to a file that others may change. */
static int open_file(const char *file, FILE **in, char *error, size_t size)
{
	int fd = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;
	const char *fault;
	int rc;

	if (fd < 0 || fstat(fd, &status) < 0) {
		rc = -errno;
		snprintf(error, size, "%s cannot be read: %s", file,
		         rc == -ELOOP ? "it is a symbolic link" : strerror(-rc));
		if (fd >= 0)
			close(fd);
		return rc;
	}
	fault = find_fault(&status);
	*in = fault ? NULL : fdopen(fd, "r");
	if (*in)
		return 0;
	close(fd);
	snprintf(error, size, "%s %s", file, fault ? fault : "cannot be read: no memory");
	return fault ? -EPERM : -ENOMEM;
}

/* ---- lines ---- */

static int add(struct key_file *keys, uint64_t guid, uint64_t key)
{
	struct entry *grown;

	for (unsigned i = 0; i < keys->count; i++) {
		if (keys->entries[i].guid == guid)
			return 0;
	}
	grown = malloc((keys->count + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	if (keys->count)
		memcpy(grown, keys->entries, keys->count * sizeof(*grown));
	if (keys->count)
		explicit_bzero(keys->entries, keys->count * sizeof(*grown));
	free(keys->entries);
	keys->entries = grown;
	grown[keys->count++] = (struct entry){guid, key};
	return 0;
}

static int take_line(struct key_file *keys, char *line)
{
	char *rest;
	const char *first;
	const char *second;
	uint64_t guid;
	uint64_t key;

	line[strcspn(line, "#\n")] = '\0';
	first = strtok_r(line, " \t\r", &rest);
	second = first ? strtok_r(NULL, " \t\r", &rest) : NULL;
	if (!first)
		return 0;
	if (!second || strtok_r(NULL, " \t\r", &rest) || config_token_hex(second, &key) < 0)
		return -EINVAL;
	if (strcasecmp(first, "default") == 0) {
		keys->default_key = key;
		return 0;
	}
	return config_token_hex(first, &guid) == 0 && guid ? add(keys, guid, key) : -EINVAL;
}

static int read_lines(struct key_file *keys, FILE *in, unsigned *number)
{
	char line[LINE_SIZE];
	int rc = 0;

	for (*number = 1; rc == 0 && fgets(line, sizeof(line), in); ++*number) {
		rc = strlen(line) == sizeof(line) - 1 ? -EINVAL : take_line(keys, line);
		if (rc < 0)
			break;
	}
	explicit_bzero(line, sizeof(line));
	return rc < 0 || !ferror(in) ? rc : -EIO;
}

static int compare(const void *a, const void *b)
{
	const struct entry *x = a;
	const struct entry *y = b;

	return (x->guid > y->guid) - (x->guid < y->guid);
}

int key_file_load(const char *file, struct key_file **keys_out, char *error, size_t size)
{
	struct key_file *keys;
	unsigned number = 0;
	FILE *in = NULL;
	int rc = open_file(file, &in, error, size);

	if (rc < 0)
		return rc;
	keys = calloc(1, sizeof(*keys));
	rc = keys ? read_lines(keys, in, &number) : -ENOMEM;
	fclose(in);
	if (rc == -EINVAL)
		snprintf(error, size,
		         "%s, line %u: a node GUID or the word default, and an M_Key of up to 16 hexadecimal "
		         "digits were expected",
		         file, number);
	else if (rc < 0)
		snprintf(error, size, "%s cannot be read: %s", file, strerror(-rc));
	if (rc < 0) {
		key_file_free(keys);
		return rc;
	}
	if (keys->count)
		qsort(keys->entries, keys->count, sizeof(keys->entries[0]), compare);
	*keys_out = keys;
	return 0;
}

void key_file_free(struct key_file *keys)
{
	if (!keys)
		return;
	if (keys->count)
		explicit_bzero(keys->entries, keys->count * sizeof(keys->entries[0]));
	free(keys->entries);
	explicit_bzero(keys, sizeof(*keys));
	free(keys);
}

uint64_t key_file_find(const struct key_file *keys, uint64_t guid)
{
	const struct entry wanted = {.guid = guid};
	const struct entry *found;

	if (!keys)
		return 0;
	found = keys->count ? bsearch(&wanted, keys->entries, keys->count, sizeof(wanted), compare) : NULL;
	return found ? found->key : keys->default_key;
}
