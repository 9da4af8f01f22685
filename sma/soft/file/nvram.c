// SPDX-License-Identifier: BSD-2-Clause
/* The NVRAM: what is kept, and when it is written. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/soft/file/nvram_parts.h"

#define TOPIC "soft"

enum { RETRY_MS = 10 * 1000 };

/* ---- what is kept ---- */

bool nvram_keeps(const struct soft_state *state, unsigned port, enum sma_component bit)
{
	return state_is_end_port(state, port) && state_get(state, port, bit);
}

uint64_t nvram_node_guid(const struct soft_state *state)
{
	return sma_component_get(state->node_info, SMA_NodeInfo_NodeGUID);
}

/* ---- the text of the file ---- */

static void print_m_key(FILE *out, const struct soft_state *state, unsigned port)
{
	fprintf(out, "mKey %u 0x%016" PRIx64 " %u %u\n", port,
	        sma_component_get(state->port[port].info, SMA_PortInfo_M_Key),
	        state_get(state, port, SMA_PortInfo_M_KeyProtectBits),
	        state_get(state, port, SMA_PortInfo_M_KeyLeasePeriod));
}

static void print_pkey(FILE *out, unsigned port, unsigned first, unsigned last, unsigned key)
{
	if (first == last)
		fprintf(out, "pKey %u %u 0x%04x\n", port, first, key);
	else
		fprintf(out, "pKey %u %u-%u 0x%04x\n", port, first, last, key);
}

/* First all entries are zero, whatever the node file fills the table with. */
static void print_pkeys(FILE *out, const struct state_port *from, unsigned port)
{
	unsigned next;

	print_pkey(out, port, 0, from->pkey_count - 1, 0);
	for (unsigned i = 0; i < from->pkey_count; i = next) {
		unsigned key = wire_get16(from->pkeys + 2UL * i);

		for (next = i + 1; next < from->pkey_count && wire_get16(from->pkeys + 2UL * next) == key;)
			next++;
		if (key)
			print_pkey(out, port, i, next - 1, key);
	}
}

static void print_node(FILE *out, const struct soft_state *state)
{
	fputs("# What ibsmad keeps of the node, as lines of its node file. It replaces them all at each "
	      "change.\n",
	      out);
	for (unsigned p = 0; p <= state->ports; p++) {
		if (nvram_keeps(state, p, SMA_PortInfo_IsMKeyNVRAM))
			print_m_key(out, state, p);
		if (nvram_keeps(state, p, SMA_PortInfo_IsPKeyNVRAM))
			print_pkeys(out, &state->port[p], p);
	}
	fprintf(out, "nodeGuid 0x%016" PRIx64 "\n", nvram_node_guid(state));
}

struct text {
	char *bytes; /* allocated */
	size_t size;
	uint64_t hash;
};

/* FNV-1a of 64 bits. */
static uint64_t hash_of(const struct text *text)
{
	uint64_t hash = 0xCBF29CE484222325ULL;

	for (size_t i = 0; i < text->size; i++)
		hash = (hash ^ (uint8_t)text->bytes[i]) * 0x100000001B3ULL;
	return hash;
}

static int make_text(const struct soft_state *state, struct text *text)
{
	FILE *out = open_memstream(&text->bytes, &text->size);
	bool failed;

	if (!out)
		return -ENOMEM;
	print_node(out, state);
	failed = ferror(out);
	if (fclose(out) == EOF || failed) {
		free(text->bytes);
		return -ENOMEM;
	}
	text->hash = hash_of(text);
	return 0;
}

/* ---- writing ---- */

/* A failure is reported once, and so is its end. */
static void report(const struct nvram *nvram, int error)
{
	if (error && !nvram->error)
		sma_log(SMA_LOG_ERROR, TOPIC, "%s cannot be written: %s; keys set now are lost at a restart",
		        nvram->path, strerror(-error));
	if (!error && nvram->error)
		sma_log(SMA_LOG_NOTICE, TOPIC, "%s is written again", nvram->path);
}

static void settle(struct nvram *nvram, const struct written *written, uint64_t now)
{
	report(nvram, written->error);
	nvram->settled = written->version;
	nvram->error = written->error;
	if (written->error)
		nvram->retry_at = now + RETRY_MS;
}

static void keep(struct nvram *nvram, const struct soft_state *state, uint64_t now)
{
	struct text text;
	int rc = make_text(state, &text);

	if (rc == 0 && text.hash == nvram->hash && now < nvram->retry_at) {
		free(text.bytes);
		return;
	}
	nvram->version++;
	nvram->retry_at = UINT64_MAX;
	if (rc == 0) {
		nvram->hash = text.hash;
		rc = writer_put(nvram->writer, nvram->version, text.bytes, text.size);
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
	struct text text;
	bool is_old;
	int rc = nvram_read(nvram->path, state, &is_old, error, size);

	if (rc < 0 && rc != -EBADMSG)
		return rc;
	if (is_old)
		nvram->retry_at = 0;
	if (make_text(state, &text) == 0) {
		nvram->hash = text.hash;
		free(text.bytes);
	}
	return rc;
}
