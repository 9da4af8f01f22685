// SPDX-License-Identifier: BSD-2-Clause
/*
 * The NVRAM file:
 *
 *   ibsmad-nvram 1
 *   node 0x0002c90300001000
 *   m_key PORT M_KEY M_KEYPROTECTBITS M_KEYLEASEPERIOD
 *   p_key PORT FIRST-ENTRY P_KEY ...
 *   checksum 0x0123456789abcdef
 *
 * with 16 entries in a line of P_Keys, and none for 16 that are zero. The checksum is over all lines before
 * it. A file is gone through twice, so that nothing of a damaged one reaches the store.
 */
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

#include "sma/nvram.h"
#include "sma/wire.h"

#define FIRST_LINE "ibsmad-nvram 1"
#define CHECKSUM   "checksum 0x%016" PRIx64 "\n"

enum {
	LINE_SIZE = 256, /* more than any line that is written */
	PKEYS_PER_LINE = 16,
	KEY_NUMBERS = 4, /* in a line of M_Keys */
	MAX_NUMBERS = 2 + PKEYS_PER_LINE,
	MAX_PROTECT_BITS = 3,
	HEADS = 2, /* lines of which there is one, at the beginning */
};

/* ---- fingerprints: FNV-1a, which tells any two texts apart that differ in one byte ---- */

#define FINGERPRINT_START 0xCBF29CE484222325ULL
#define FINGERPRINT_PRIME 0x100000001B3ULL

static uint64_t fingerprint(uint64_t so_far, const void *bytes, size_t size)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < size; i++)
		so_far = (so_far ^ p[i]) * FINGERPRINT_PRIME;
	return so_far;
}

/* ---- what is kept ---- */

static const enum sma_component key_parts[] = {
	SMA_PortInfo_M_Key,
	SMA_PortInfo_M_KeyProtectBits,
	SMA_PortInfo_M_KeyLeasePeriod,
};

enum { KEY_PARTS = sizeof(key_parts) / sizeof(key_parts[0]) };

static bool keeps(const struct sma_store *store, unsigned port, enum sma_component bit)
{
	return store_is_end_port(store, port) && store_get(store, port, bit);
}

static void get_key(const struct sma_store *store, unsigned port, uint64_t parts[KEY_PARTS])
{
	for (unsigned i = 0; i < KEY_PARTS; i++)
		parts[i] = sma_component_get(store->port[port].info, key_parts[i]);
}

static uint64_t fingerprint_of(const struct sma_store *store)
{
	uint64_t result = FINGERPRINT_START;
	uint64_t parts[KEY_PARTS];

	for (unsigned p = 0; p <= store->ports; p++) {
		const bool kept[] = {keeps(store, p, SMA_PortInfo_IsMKeyNVRAM),
		                     keeps(store, p, SMA_PortInfo_IsPKeyNVRAM)};

		result = fingerprint(result, kept, sizeof(kept));
		if (kept[0]) {
			get_key(store, p, parts);
			result = fingerprint(result, parts, sizeof(parts));
		}
		if (kept[1])
			result = fingerprint(result, store->port[p].pkeys, store->port[p].pkey_count * 2UL);
	}
	return result;
}

static uint64_t node_guid(const struct sma_store *store)
{
	return sma_component_get(store->node_info, SMA_NodeInfo_NodeGUID);
}

void nvram_init(struct nvram *nvram, const char *path)
{
	*nvram = (struct nvram){.path = path};
}

static void note_kept(struct nvram *nvram, uint64_t kept)
{
	nvram->kept = kept;
	nvram->known = true;
}

/* ---- writing ---- */

struct writer {
	FILE *file;
	uint64_t checksum;
};

/* A failure shows at the end, in ferror. */
static void write_line(struct writer *writer, const char *line)
{
	writer->checksum = fingerprint(writer->checksum, line, strlen(line));
	fputs(line, writer->file);
}

static void write_key(struct writer *writer, const struct sma_store *store, unsigned port)
{
	char line[LINE_SIZE];
	uint64_t parts[KEY_PARTS];

	get_key(store, port, parts);
	snprintf(line, sizeof(line), "m_key %u 0x%016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", port, parts[0],
	         parts[1], parts[2]);
	write_line(writer, line);
}

static void write_pkeys(struct writer *writer, const struct store_port *from, unsigned port, unsigned first)
{
	char line[LINE_SIZE];
	int used = snprintf(line, sizeof(line), "p_key %u %u", port, first);
	bool any = false;

	for (unsigned i = first; i < first + PKEYS_PER_LINE && i < from->pkey_count; i++) {
		unsigned key = wire_get16(from->pkeys + 2UL * i);

		any = any || key;
		used += snprintf(line + used, sizeof(line) - (size_t)used, " 0x%04x", key);
	}
	snprintf(line + used, sizeof(line) - (size_t)used, "\n");
	if (any)
		write_line(writer, line);
}

static void write_port(struct writer *writer, const struct sma_store *store, unsigned port)
{
	char line[LINE_SIZE];

	if (keeps(store, port, SMA_PortInfo_IsMKeyNVRAM))
		write_key(writer, store, port);
	if (!keeps(store, port, SMA_PortInfo_IsPKeyNVRAM))
		return;
	/* a line of its own says that the table is kept, even if all of it is zero */
	snprintf(line, sizeof(line), "p_key %u 0\n", port);
	write_line(writer, line);
	for (unsigned i = 0; i < store->port[port].pkey_count; i += PKEYS_PER_LINE)
		write_pkeys(writer, &store->port[port], port, i);
}

static void write_all(FILE *file, const struct sma_store *store)
{
	struct writer writer = {file, FINGERPRINT_START};
	char line[LINE_SIZE];

	write_line(&writer, FIRST_LINE "\n");
	snprintf(line, sizeof(line), "node 0x%016" PRIx64 "\n", node_guid(store));
	write_line(&writer, line);
	for (unsigned p = 0; p <= store->ports; p++)
		write_port(&writer, store, p);
	fprintf(file, CHECKSUM, writer.checksum);
}

/* Close a file whose contents are to last. */
static int finish(FILE *file)
{
	int rc = 0;

	if (fflush(file) != 0 || ferror(file) || fsync(fileno(file)) < 0)
		rc = errno ? -errno : -EIO;
	if (fclose(file) != 0 && rc == 0)
		rc = -errno;
	return rc;
}

/* A file that nobody else had or can read: one that an earlier try left goes first. */
static int write_new(const char *path, const struct sma_store *store)
{
	FILE *file;
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (fd < 0)
		return -errno;
	file = fdopen(fd, "w");
	if (!file) {
		close(fd);
		return -ENOMEM;
	}
	errno = 0;
	write_all(file, store);
	return finish(file);
}

/* Make the renaming of a file last. */
static int sync_folder(const char *path)
{
	char copy[PATH_MAX];
	int rc = 0;
	int fd;

	snprintf(copy, sizeof(copy), "%s", path);
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fsync(fd) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

/* PATH with an ending. */
static int path_with(const char *path, const char *ending, char result[PATH_MAX])
{
	int length = snprintf(result, PATH_MAX, "%s%s", path, ending);

	return length < 0 || length >= PATH_MAX ? -ENAMETOOLONG : 0;
}

static int replace(const char *path, const struct sma_store *store)
{
	char new_path[PATH_MAX];
	int rc = path_with(path, ".new", new_path);

	if (rc < 0)
		return rc;
	rc = write_new(new_path, store);
	if (rc == 0 && rename(new_path, path) < 0)
		rc = -errno;
	if (rc < 0) {
		unlink(new_path);
		return rc;
	}
	return sync_folder(path);
}

int nvram_sync(struct nvram *nvram, const struct sma_store *store)
{
	uint64_t now = fingerprint_of(store);
	int rc;

	if (nvram->known && nvram->kept == now)
		return 0;
	rc = replace(nvram->path, store);
	if (rc == 0)
		note_kept(nvram, now);
	return rc;
}

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
	return strcmp(line, FIRST_LINE "\n") == 0 ? NULL : "does not begin with \"" FIRST_LINE "\"";
}

static const char *read_node(struct reading *reading, const char *line)
{
	char expected[LINE_SIZE];

	if (strncmp(line, "node ", 5) != 0)
		return "does not name its node in the second line";
	snprintf(expected, sizeof(expected), "node 0x%016" PRIx64 "\n", reading->guid);
	return strcmp(line, expected) == 0 ? NULL : "is of another node";
}

/* A damaged byte may make any line wrong, so the checksum has the first word. */
static const char *read_checksum(struct reading *reading, const char *line)
{
	char expected[LINE_SIZE];

	snprintf(expected, sizeof(expected), CHECKSUM, reading->checksum);
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
	if (!store || !keeps(store, port, SMA_PortInfo_IsMKeyNVRAM))
		return NULL;
	for (unsigned i = 0; i < KEY_PARTS; i++)
		store_set(store, port, key_parts[i], numbers[1 + i]);
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
	if (!store || !keeps(store, port, SMA_PortInfo_IsPKeyNVRAM))
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
	reading->checksum = fingerprint(reading->checksum, line, strlen(line));
}

/* NULL, or what is wrong with the file; -errno in `*rc` if it cannot be read. */
static const char *read_lines(struct reading *reading, int *rc)
{
	char line[LINE_SIZE];

	reading->checksum = FINGERPRINT_START;
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
	struct reading check = {.file = file, .guid = node_guid(store)};
	struct reading apply = {.file = file, .guid = node_guid(store), .store = store};
	const char *wrong = read_lines(&check, rc);

	if (wrong || *rc < 0)
		return wrong;
	rewind(file);
	return read_lines(&apply, rc);
}

static int set_aside(const char *path, const char *wrong, char *error, size_t size)
{
	char new_path[PATH_MAX];
	int rc = path_with(path, ".damaged", new_path);

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
	note_kept(nvram, fingerprint_of(store));
	return rc;
}
