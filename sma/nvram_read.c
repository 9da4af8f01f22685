// SPDX-License-Identifier: BSD-2-Clause
/* The NVRAM file: reading it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sma/nvram_file.h"
#include "sma/wire.h"

enum {
	KEY_NUMBERS = 4, /* in a line of M_Keys */
	MAX_NUMBERS = 2 + NVRAM_PKEYS_PER_LINE,
	MAX_PROTECT_BITS = 3,
	HEADS = 2, /* lines of which there is one, at the beginning */
};

/* ---- reading ---- */

/* Going through the lines of a file; the readers of lines give NULL, or what is wrong with the file. */
struct reading {
	FILE *file;
	struct sma_store *store; /* NULL: lines are checked only */
	uint64_t guid;           /* of the node it should be */
	uint64_t checksum;
	unsigned lines;
	const char *wrong; /* first mistake so far */
	bool ended;        /* the line with the checksum has come */
};

static const char *read_first(struct reading *reading, const char *line)
{
	(void)reading;
	return strcmp(line, NVRAM_FIRST_LINE "\n") == 0 ? NULL
	                                                : "does not begin with \"" NVRAM_FIRST_LINE "\"";
}

static const char *read_node(struct reading *reading, const char *line)
{
	char expected[NVRAM_LINE_SIZE];

	if (strncmp(line, "node ", 5) != 0)
		return "does not name its node in the second line";
	snprintf(expected, sizeof(expected), "node 0x%016" PRIx64 "\n", reading->guid);
	return strcmp(line, expected) == 0 ? NULL : "is of another node";
}

/* A damaged byte may make any line wrong, so the checksum has the first word. */
static const char *read_checksum(struct reading *reading, const char *line)
{
	char expected[NVRAM_LINE_SIZE];

	snprintf(expected, sizeof(expected), NVRAM_CHECKSUM, reading->checksum);
	reading->ended = true;
	if (strcmp(line, expected) != 0)
		return "has a wrong checksum";
	return reading->lines < HEADS ? "has lost its beginning" : reading->wrong;
}

/* The numbers of a line. Their count, or 0 if something else stands there. */
static unsigned read_numbers(const char *at, uint64_t numbers[MAX_NUMBERS])
{
	unsigned count = 0;
	char *end;

	while (*at == ' ' && at[1] >= '0' && at[1] <= '9' && count < MAX_NUMBERS) {
		errno = 0;
		numbers[count++] = strtoull(at + 1, &end, 0);
		if (errno)
			return 0;
		at = end;
	}
	return strcmp(at, "\n") == 0 ? count : 0;
}

static const char *read_key(struct reading *reading, const uint64_t *numbers, unsigned count)
{
	struct sma_store *store = reading->store;
	unsigned port = (unsigned)numbers[0];

	if (count != KEY_NUMBERS || numbers[2] > MAX_PROTECT_BITS || numbers[3] > UINT16_MAX)
		return "has a line with another M_Key than it can be";
	if (!store || !nvram_keeps(store, port, SMA_PortInfo_IsMKeyNVRAM))
		return NULL;
	for (unsigned i = 0; i < NVRAM_KEY_PARTS; i++)
		store_set(store, port, nvram_key_parts[i], numbers[1 + i]);
	return NULL;
}

static bool are_16_bit(const uint64_t *numbers, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (numbers[i] > UINT16_MAX)
			return false;
	}
	return true;
}

/* The first line of a table has no entries, and clears it. */
static const char *read_pkeys(struct reading *reading, const uint64_t *numbers, unsigned count)
{
	struct sma_store *store = reading->store;
	unsigned port = (unsigned)numbers[0];
	uint64_t first = numbers[1];
	struct store_port *to;

	if (count < 2 || !are_16_bit(numbers + 1, count - 1))
		return "has a line with other P_Keys than there can be";
	if (!store || !nvram_keeps(store, port, SMA_PortInfo_IsPKeyNVRAM))
		return NULL;
	to = &store->port[port];
	if (count == 2)
		memset(to->pkeys, 0, to->pkey_count * 2UL);
	for (unsigned i = 2; i < count && first + i - 2 < to->pkey_count; i++)
		wire_put16(to->pkeys + 2 * (first + i - 2), (uint16_t)numbers[i]);
	return NULL;
}

static const struct {
	const char *word;
	const char *(*read)(struct reading *reading, const uint64_t *numbers, unsigned count);
} kinds[] = {{"m_key", read_key}, {"p_key", read_pkeys}};

static const char *read_port(struct reading *reading, const char *line)
{
	uint64_t numbers[MAX_NUMBERS];
	unsigned count;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t length = strlen(kinds[i].word);

		if (strncmp(line, kinds[i].word, length) != 0)
			continue;
		count = read_numbers(line + length, numbers);
		if (count == 0 || numbers[0] > SMA_MAX_PORTS)
			break;
		return kinds[i].read(reading, numbers, count);
	}
	return "has a line that cannot be understood";
}

static void read_line(struct reading *reading, const char *line)
{
	static const char *(*const heads[])(struct reading * reading, const char *line) = {read_first,
	                                                                                   read_node};
	const char *wrong =
		reading->lines < HEADS ? heads[reading->lines](reading, line) : read_port(reading, line);

	if (!reading->wrong)
		reading->wrong = wrong;
	reading->lines++;
	reading->checksum = nvram_fingerprint(reading->checksum, line, strlen(line));
}

/* NULL, or what is wrong with the file; -errno in `*rc` if it cannot be read. */
static const char *read_lines(struct reading *reading, int *rc)
{
	char line[NVRAM_LINE_SIZE];

	reading->checksum = NVRAM_FINGERPRINT_START;
	while (fgets(line, sizeof(line), reading->file)) {
		if (reading->ended)
			return "has lines after its checksum";
		if (strncmp(line, "checksum", 8) == 0)
			reading->wrong = read_checksum(reading, line);
		else
			read_line(reading, line);
	}
	if (ferror(reading->file))
		*rc = -errno;
	return reading->ended ? reading->wrong : "has lost its end";
}

static const char *read_file(FILE *file, struct sma_store *store, int *rc)
{
	struct reading check = {.file = file, .guid = nvram_node_guid(store)};
	struct reading apply = {.file = file, .guid = nvram_node_guid(store), .store = store};
	const char *wrong = read_lines(&check, rc);

	if (wrong || *rc < 0)
		return wrong;
	rewind(file);
	return read_lines(&apply, rc);
}

static int set_aside(const char *path, const char *wrong, char *error, size_t size)
{
	char new_path[PATH_MAX];
	int rc = nvram_path_with(path, ".damaged", new_path);

	if (rc == 0 && rename(path, new_path) < 0)
		rc = -errno;
	if (rc == 0)
		snprintf(error, size, "%.200s: the file %s; it is set aside as %.200s", path, wrong,
		         new_path);
	else
		snprintf(error, size, "%.200s: the file %s, and cannot be set aside: %s", path, wrong,
		         strerror(-rc));
	return rc == 0 ? -EBADMSG : rc;
}

static int restore_from(FILE *file, const char *path, struct sma_store *store, char *error, size_t size)
{
	int rc = 0;
	const char *wrong = read_file(file, store, &rc);

	if (rc < 0)
		snprintf(error, size, "%.200s: %s", path, strerror(-rc));
	else if (wrong)
		rc = set_aside(path, wrong, error, size);
	return rc;
}

int nvram_restore(struct nvram *nvram, struct sma_store *store, char *error, size_t size)
{
	FILE *file = fopen(nvram->path, "re");
	int rc = 0;

	if (!file && errno != ENOENT) {
		rc = -errno;
		snprintf(error, size, "%.200s: %s", nvram->path, strerror(-rc));
		return rc;
	}
	if (file) {
		rc = restore_from(file, nvram->path, store, error, size);
		fclose(file);
	}
	nvram_note_kept(nvram, nvram_fingerprint_of(store));
	return rc;
}
