// SPDX-License-Identifier: BSD-2-Clause
/* The NVRAM file: what is kept, and writing it. */
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

/* ---- fingerprints: FNV-1a, which tells any two texts apart that differ in one byte ---- */

#define FINGERPRINT_PRIME 0x100000001B3ULL

uint64_t nvram_fingerprint(uint64_t so_far, const void *bytes, size_t size)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < size; i++)
		so_far = (so_far ^ p[i]) * FINGERPRINT_PRIME;
	return so_far;
}

/* ---- what is kept ---- */

const enum sma_component nvram_key_parts[NVRAM_KEY_PARTS] = {
	SMA_PortInfo_M_Key,
	SMA_PortInfo_M_KeyProtectBits,
	SMA_PortInfo_M_KeyLeasePeriod,
};

bool nvram_keeps(const struct sma_store *store, unsigned port, enum sma_component bit)
{
	return store_is_end_port(store, port) && store_get(store, port, bit);
}

static void get_key(const struct sma_store *store, unsigned port, uint64_t parts[NVRAM_KEY_PARTS])
{
	for (unsigned i = 0; i < NVRAM_KEY_PARTS; i++)
		parts[i] = sma_component_get(store->port[port].info, nvram_key_parts[i]);
}

uint64_t nvram_fingerprint_of(const struct sma_store *store)
{
	uint64_t result = NVRAM_FINGERPRINT_START;
	uint64_t parts[NVRAM_KEY_PARTS];

	for (unsigned p = 0; p <= store->ports; p++) {
		const bool kept[] = {nvram_keeps(store, p, SMA_PortInfo_IsMKeyNVRAM),
		                     nvram_keeps(store, p, SMA_PortInfo_IsPKeyNVRAM)};

		result = nvram_fingerprint(result, kept, sizeof(kept));
		if (kept[0]) {
			get_key(store, p, parts);
			result = nvram_fingerprint(result, parts, sizeof(parts));
		}
		if (kept[1])
			result = nvram_fingerprint(result, store->port[p].pkeys,
			                           store->port[p].pkey_count * 2UL);
	}
	return result;
}

uint64_t nvram_node_guid(const struct sma_store *store)
{
	return sma_component_get(store->node_info, SMA_NodeInfo_NodeGUID);
}

void nvram_init(struct nvram *nvram, const char *path)
{
	*nvram = (struct nvram){.path = path};
}

void nvram_note_kept(struct nvram *nvram, uint64_t kept)
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
	writer->checksum = nvram_fingerprint(writer->checksum, line, strlen(line));
	fputs(line, writer->file);
}

static void write_key(struct writer *writer, const struct sma_store *store, unsigned port)
{
	char line[NVRAM_LINE_SIZE];
	uint64_t parts[NVRAM_KEY_PARTS];

	get_key(store, port, parts);
	snprintf(line, sizeof(line), "m_key %u 0x%016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", port, parts[0],
	         parts[1], parts[2]);
	write_line(writer, line);
}

static void write_pkeys(struct writer *writer, const struct store_port *from, unsigned port, unsigned first)
{
	char line[NVRAM_LINE_SIZE];
	int used = snprintf(line, sizeof(line), "p_key %u %u", port, first);
	bool any = false;

	for (unsigned i = first; i < first + NVRAM_PKEYS_PER_LINE && i < from->pkey_count; i++) {
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
	char line[NVRAM_LINE_SIZE];

	if (nvram_keeps(store, port, SMA_PortInfo_IsMKeyNVRAM))
		write_key(writer, store, port);
	if (!nvram_keeps(store, port, SMA_PortInfo_IsPKeyNVRAM))
		return;
	/* a line of its own says that the table is kept, even if all of it is zero */
	snprintf(line, sizeof(line), "p_key %u 0\n", port);
	write_line(writer, line);
	for (unsigned i = 0; i < store->port[port].pkey_count; i += NVRAM_PKEYS_PER_LINE)
		write_pkeys(writer, &store->port[port], port, i);
}

static void write_all(FILE *file, const struct sma_store *store)
{
	struct writer writer = {file, NVRAM_FINGERPRINT_START};
	char line[NVRAM_LINE_SIZE];

	write_line(&writer, NVRAM_FIRST_LINE "\n");
	snprintf(line, sizeof(line), "node 0x%016" PRIx64 "\n", nvram_node_guid(store));
	write_line(&writer, line);
	for (unsigned p = 0; p <= store->ports; p++)
		write_port(&writer, store, p);
	fprintf(file, NVRAM_CHECKSUM, writer.checksum);
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
int nvram_path_with(const char *path, const char *ending, char result[PATH_MAX])
{
	int length = snprintf(result, PATH_MAX, "%s%s", path, ending);

	return length < 0 || length >= PATH_MAX ? -ENAMETOOLONG : 0;
}

static int replace(const char *path, const struct sma_store *store)
{
	char new_path[PATH_MAX];
	int rc = nvram_path_with(path, ".new", new_path);

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
	uint64_t now = nvram_fingerprint_of(store);
	int rc;

	if (nvram->known && nvram->kept == now)
		return 0;
	rc = replace(nvram->path, store);
	if (rc == 0)
		nvram_note_kept(nvram, now);
	return rc;
}
