// SPDX-License-Identifier: BSD-2-Clause
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sma/wire.h"
#include "tests/nvram_bench.h"

enum { LIMIT_MS = 60000 };

struct sma_store *nvram_bench_store(unsigned type, uint64_t guid, unsigned pkeys)
{
	const struct store_shape shape = {.type = type,
	                                  .ports = BENCH_PORTS,
	                                  .guid_cap = 1,
	                                  .pkey_cap = pkeys,
	                                  .linear_cap = type == SMA_NODE_SWITCH ? 64 : 0,
	                                  .vls = 1};
	struct sma_store *store;

	if (store_new(&shape, &store) < 0)
		abort();
	store_set_guid(store, guid);
	return store;
}

void nvram_bench_keep(struct sma_store *store, unsigned port, bool m_key, bool p_keys)
{
	store_set(store, port, SMA_PortInfo_IsMKeyNVRAM, m_key);
	store_set(store, port, SMA_PortInfo_IsPKeyNVRAM, p_keys);
}

struct sma_store *nvram_bench_node(void)
{
	struct sma_store *store = nvram_bench_store(SMA_NODE_CA, BENCH_NODE_GUID, BENCH_PKEYS);

	nvram_bench_keep(store, 1, true, true);
	return store;
}

void nvram_bench_program(struct sma_store *store, unsigned port, unsigned seed)
{
	store_set(store, port, SMA_PortInfo_M_Key, 0x0123456700000000ULL + seed);
	store_set(store, port, SMA_PortInfo_M_KeyProtectBits, seed % 4);
	store_set(store, port, SMA_PortInfo_M_KeyLeasePeriod, 60000 + seed % 1000);
	for (unsigned i = 0; i < store->port[port].pkey_count; i += 3)
		wire_put16(store->port[port].pkeys + 2UL * i, (uint16_t)(0x8001 + seed + i));
}

bool nvram_bench_same_m_key(const struct sma_store *a, const struct sma_store *b, unsigned port)
{
	static const enum sma_component parts[] = {SMA_PortInfo_M_Key, SMA_PortInfo_M_KeyProtectBits,
	                                           SMA_PortInfo_M_KeyLeasePeriod};
	bool same = true;

	for (size_t i = 0; i < UNIT_COUNT(parts); i++)
		same = same && sma_component_get(a->port[port].info, parts[i]) ==
		                       sma_component_get(b->port[port].info, parts[i]);
	return same;
}

bool nvram_bench_same_p_keys(const struct sma_store *a, const struct sma_store *b, unsigned port)
{
	return memcmp(a->port[port].pkeys, b->port[port].pkeys, a->port[port].pkey_count * 2UL) == 0;
}

bool nvram_bench_same(const struct sma_store *a, const struct sma_store *b)
{
	bool all = true;

	for (unsigned p = 1; p <= BENCH_PORTS; p++)
		all = all && nvram_bench_same_m_key(a, b, p) && nvram_bench_same_p_keys(a, b, p);
	return all;
}

int nvram_bench_restore(struct nvram_bench *bench, struct sma_store *store)
{
	struct nvram nvram;
	int rc;

	CHECK_EQUAL(nvram_init(&nvram, bench->path), 0);
	bench->error[0] = '\0';
	rc = nvram_restore(&nvram, store, bench->error, sizeof(bench->error));
	nvram_finish(&nvram);
	return rc;
}

int nvram_bench_await(struct nvram *nvram, const struct sma_store *store, uint64_t now)
{
	struct pollfd fd = {.fd = nvram_fd(nvram), .events = POLLIN};
	uint64_t before = nvram->settled;

	nvram_process(nvram, store, true, now);
	if (nvram->version == before)
		return BENCH_NOTHING;
	while (nvram->settled < nvram->version && CHECK_EQUAL(poll(&fd, 1, LIMIT_MS), 1))
		nvram_process(nvram, store, false, now);
	return nvram->error;
}

int nvram_bench_sync(const struct nvram_bench *bench, const struct sma_store *store)
{
	struct nvram nvram;
	int rc;

	CHECK_EQUAL(nvram_init(&nvram, bench->path), 0);
	rc = nvram_bench_await(&nvram, store, 0);
	nvram_finish(&nvram);
	return rc;
}

bool nvram_bench_exists(const char *name)
{
	return access(name, F_OK) == 0;
}

size_t nvram_bench_read(const char *name, char bytes[BENCH_FILE_SIZE])
{
	FILE *file = fopen(name, "r");
	size_t size = file ? fread(bytes, 1, BENCH_FILE_SIZE, file) : 0;

	if (file)
		fclose(file);
	return size;
}

void nvram_bench_write(const struct nvram_bench *bench, const char *bytes, size_t size)
{
	FILE *file = fopen(bench->path, "w");

	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		abort();
}

void nvram_bench_open(struct nvram_bench *bench)
{
	if (!unit_folder(bench->folder))
		abort();
	snprintf(bench->path, sizeof(bench->path), "%s/n", bench->folder);
	snprintf(bench->damaged_path, sizeof(bench->damaged_path), "%s/n.damaged", bench->folder);
	snprintf(bench->new_path, sizeof(bench->new_path), "%s/n.new", bench->folder);
	bench->error[0] = '\0';
	bench->store = nvram_bench_node();
	bench->again = nvram_bench_node();
	bench->fresh = nvram_bench_node();
}

void nvram_bench_close(struct nvram_bench *bench)
{
	remove(bench->path);
	remove(bench->damaged_path);
	remove(bench->new_path);
	rmdir(bench->folder);
	store_free(bench->store);
	store_free(bench->again);
	store_free(bench->fresh);
}
