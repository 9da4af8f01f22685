// SPDX-License-Identifier: BSD-2-Clause
/* The NVRAM: what is kept, and when it is written. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/soft/file/nvram_file.h"

#define TOPIC "soft"

enum { RETRY_MS = 10 * 1000 };

/* ---- what is kept ---- */

const enum sma_component nvram_key_parts[NVRAM_KEY_PARTS] = {
	SMA_PortInfo_M_Key,
	SMA_PortInfo_M_KeyProtectBits,
	SMA_PortInfo_M_KeyLeasePeriod,
};

bool nvram_keeps(const struct soft_state *state, unsigned port, enum sma_component bit)
{
	return state_is_end_port(state, port) && state_get(state, port, bit);
}

uint64_t nvram_node_guid(const struct soft_state *state)
{
	return sma_component_get(state->node_info, SMA_NodeInfo_NodeGUID);
}

/* ---- the contents of the file ---- */

uint64_t nvram_checksum(const char *bytes, size_t size)
{
	uint64_t sum = 0xCBF29CE484222325ULL;

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ (uint8_t)bytes[i]) * 0x100000001B3ULL;
	return sum;
}

static void print_key(FILE *out, const struct soft_state *state, unsigned port)
{
	const uint8_t *info = state->port[port].info;
	uint64_t parts[NVRAM_KEY_PARTS];

	for (unsigned i = 0; i < NVRAM_KEY_PARTS; i++)
		parts[i] = sma_component_get(info, nvram_key_parts[i]);
	fprintf(out, "m_key %u 0x%016" PRIx64 " %" PRIu64 " %" PRIu64 "\n", port, parts[0], parts[1],
	        parts[2]);
}

/* A line of P_Keys, unless all are zero. */
static void print_pkeys(FILE *out, const struct state_port *from, unsigned port, unsigned first)
{
	unsigned end = first + NVRAM_PKEYS_PER_LINE < from->pkey_count ? first + NVRAM_PKEYS_PER_LINE
	                                                               : from->pkey_count;
	unsigned any = 0;

	for (unsigned i = first; i < end; i++)
		any |= wire_get16(from->pkeys + 2UL * i);
	if (!any)
		return;
	fprintf(out, "p_key %u %u", port, first);
	for (unsigned i = first; i < end; i++)
		fprintf(out, " 0x%04x", wire_get16(from->pkeys + 2UL * i));
	fputc('\n', out);
}

static void print_port(FILE *out, const struct soft_state *state, unsigned port)
{
	if (nvram_keeps(state, port, SMA_PortInfo_IsMKeyNVRAM))
		print_key(out, state, port);
	if (!nvram_keeps(state, port, SMA_PortInfo_IsPKeyNVRAM))
		return;
	/* a line of its own says that the table is kept, even if all of it is zero */
	fprintf(out, "p_key %u 0\n", port);
	for (unsigned i = 0; i < state->port[port].pkey_count; i += NVRAM_PKEYS_PER_LINE)
		print_pkeys(out, &state->port[port], port, i);
}

/* What a file has to hold. */
struct contents {
	char *bytes; /* allocated */
	size_t size;
	uint64_t checksum;
};

static int make_contents(const struct soft_state *state, struct contents *contents)
{
	FILE *out = open_memstream(&contents->bytes, &contents->size);
	bool failed;

	if (!out)
		return -ENOMEM;
	fprintf(out, NVRAM_FIRST_LINE NVRAM_NODE, nvram_node_guid(state));
	for (unsigned p = 0; p <= state->ports; p++)
		print_port(out, state, p);
	failed = fflush(out) == EOF;
	if (!failed) {
		contents->checksum = nvram_checksum(contents->bytes, contents->size);
		fprintf(out, NVRAM_CHECKSUM, contents->checksum);
	}
	failed = ferror(out) || failed;
	if (fclose(out) == 0 && !failed)
		return 0;
	free(contents->bytes);
	return -ENOMEM;
}

/* ---- writing ---- */

/* Tell once when the file cannot be written, and once when it can again. */
static void tell(const struct nvram *nvram, int error)
{
	if (error && !nvram->error)
		sma_log(SMA_LOG_ERROR, TOPIC, "%s cannot be written: %s; keys set now are lost at a restart",
		        nvram->path, strerror(-error));
	if (!error && nvram->error)
		sma_log(SMA_LOG_NOTICE, TOPIC, "%s is written again", nvram->path);
}

static void settle(struct nvram *nvram, const struct written *written, uint64_t now)
{
	tell(nvram, written->error);
	nvram->settled = written->version;
	nvram->error = written->error;
	if (written->error)
		nvram->retry_at = now + RETRY_MS;
}

static void keep(struct nvram *nvram, const struct soft_state *state, uint64_t now)
{
	struct contents contents;
	int rc = make_contents(state, &contents);

	if (rc == 0 && contents.checksum == nvram->checksum && now < nvram->retry_at) {
		free(contents.bytes);
		return;
	}
	nvram->version++;
	nvram->retry_at = UINT64_MAX;
	if (rc == 0) {
		nvram->checksum = contents.checksum;
		rc = writer_put(nvram->writer, nvram->version, contents.bytes, contents.size);
	}
	if (rc < 0)
		settle(nvram, &(struct written){nvram->version, rc}, now);
}

uint64_t nvram_process(struct nvram *nvram, const struct soft_state *state, bool changed, uint64_t now)
{
	struct written written;

	if (writer_take(nvram->writer, &written))
		settle(nvram, &written, now);
	if (changed || now >= nvram->retry_at)
		keep(nvram, state, now);
	return nvram->retry_at;
}

/* ---- start and end ---- */

int nvram_init(struct nvram *nvram, const char *path)
{
	int rc;

	*nvram = (struct nvram){.path = strdup(path), .writer = writer_new(path), .retry_at = UINT64_MAX};
	if (nvram->path && nvram->writer)
		return 0;
	rc = -errno;
	writer_free(nvram->writer);
	free(nvram->path);
	return rc;
}

void nvram_stop(struct nvram *nvram)
{
	struct written written;

	writer_stop(nvram->writer);
	if (writer_take(nvram->writer, &written))
		settle(nvram, &written, 0);
}

void nvram_finish(struct nvram *nvram)
{
	nvram_stop(nvram);
	writer_free(nvram->writer);
	free(nvram->path);
	*nvram = (struct nvram){0};
}

int nvram_fd(const struct nvram *nvram)
{
	return writer_fd(nvram->writer);
}

int nvram_restore(struct nvram *nvram, struct soft_state *state, char *error, size_t size)
{
	int rc = nvram_read(nvram->path, state, error, size);
	struct contents contents;

	if (rc < 0 && rc != -EBADMSG)
		return rc;
	if (make_contents(state, &contents) == 0) {
		nvram->checksum = contents.checksum;
		free(contents.bytes);
	}
	return rc;
}
