// SPDX-License-Identifier: BSD-2-Clause
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sma/iba/wire.h"
#include "tests/soft/nvram_fixture.h"

enum { LIMIT_MS = 60000 };

struct soft_state *nvram_fixture_state(unsigned type, uint64_t guid, unsigned pkeys)
{
	const struct state_shape shape = {.type = type,
	                                  .ports = FIXTURE_PORTS,
	                                  .guid_cap = 1,
	                                  .pkey_cap = pkeys,
	                                  .linear_cap = type == SMA_NODE_SWITCH ? 64 : 0,
	                                  .vls = 1};
	struct soft_state *state;

	if (state_new(&shape, &state) < 0)
		abort();
	state_set_guid(state, guid);
	return state;
}

void nvram_fixture_keep(struct soft_state *state, unsigned port, bool m_key, bool p_keys)
{
	state_set(state, port, SMA_PortInfo_IsMKeyNVRAM, m_key);
	state_set(state, port, SMA_PortInfo_IsPKeyNVRAM, p_keys);
}

struct soft_state *nvram_fixture_node(void)
{
	struct soft_state *state = nvram_fixture_state(SMA_NODE_CA, FIXTURE_NODE_GUID, FIXTURE_PKEYS);

	nvram_fixture_keep(state, 1, true, true);
	return state;
}

void nvram_fixture_program(struct soft_state *state, unsigned port, unsigned seed)
{
	state_set(state, port, SMA_PortInfo_M_Key, 0x0123456700000000ULL + seed);
	state_set(state, port, SMA_PortInfo_M_KeyProtectBits, seed % 4);
	state_set(state, port, SMA_PortInfo_M_KeyLeasePeriod, 60000 + seed % 1000);
	for (unsigned i = 0; i < state->port[port].pkey_count; i += 3)
		wire_put16(state->port[port].pkeys + 2UL * i, (uint16_t)(0x8001 + seed + i));
}

bool nvram_fixture_same_m_key(const struct soft_state *a, const struct soft_state *b, unsigned port)
{
	static const enum sma_component parts[] = {SMA_PortInfo_M_Key, SMA_PortInfo_M_KeyProtectBits,
	                                           SMA_PortInfo_M_KeyLeasePeriod};
	bool same = true;

	for (size_t i = 0; i < UNIT_COUNT(parts); i++)
		same = same && sma_component_get(a->port[port].info, parts[i]) ==
		                       sma_component_get(b->port[port].info, parts[i]);
	return same;
}

bool nvram_fixture_same_p_keys(const struct soft_state *a, const struct soft_state *b, unsigned port)
{
	return memcmp(a->port[port].pkeys, b->port[port].pkeys, a->port[port].pkey_count * 2UL) == 0;
}

bool nvram_fixture_same(const struct soft_state *a, const struct soft_state *b)
{
	bool all = true;

	for (unsigned p = 1; p <= FIXTURE_PORTS; p++)
		all = all && nvram_fixture_same_m_key(a, b, p) && nvram_fixture_same_p_keys(a, b, p);
	return all;
}

int nvram_fixture_restore(struct nvram_fixture *fixture, struct soft_state *state)
{
	struct nvram nvram;
	int rc;

	CHECK_EQUAL(nvram_init(&nvram, fixture->path), 0);
	fixture->error[0] = '\0';
	rc = nvram_restore(&nvram, state, fixture->error, sizeof(fixture->error));
	nvram_finish(&nvram);
	return rc;
}

int nvram_fixture_await(struct nvram *nvram, const struct soft_state *state, uint64_t now)
{
	struct pollfd fd = {.fd = nvram_fd(nvram), .events = POLLIN};
	uint64_t before = nvram->settled;

	nvram_process(nvram, state, true, now);
	if (nvram->version == before)
		return NVRAM_NOTHING;
	while (nvram->settled < nvram->version && CHECK_EQUAL(poll(&fd, 1, LIMIT_MS), 1))
		nvram_process(nvram, state, false, now);
	return nvram->error;
}

int nvram_fixture_sync(const struct nvram_fixture *fixture, const struct soft_state *state)
{
	struct nvram nvram;
	int rc;

	CHECK_EQUAL(nvram_init(&nvram, fixture->path), 0);
	rc = nvram_fixture_await(&nvram, state, 0);
	nvram_finish(&nvram);
	return rc;
}

bool nvram_fixture_exists(const char *name)
{
	return access(name, F_OK) == 0;
}

size_t nvram_fixture_read(const char *name, char bytes[FIXTURE_FILE_SIZE])
{
	FILE *file = fopen(name, "r");
	size_t size = file ? fread(bytes, 1, FIXTURE_FILE_SIZE, file) : 0;

	if (file)
		fclose(file);
	return size;
}

void nvram_fixture_write(const struct nvram_fixture *fixture, const char *bytes, size_t size)
{
	FILE *file = fopen(fixture->path, "w");

	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		abort();
}

void nvram_fixture_open(struct nvram_fixture *fixture)
{
	if (!unit_folder(fixture->folder))
		abort();
	snprintf(fixture->path, sizeof(fixture->path), "%s/n", fixture->folder);
	snprintf(fixture->damaged_path, sizeof(fixture->damaged_path), "%s/n.damaged", fixture->folder);
	snprintf(fixture->new_path, sizeof(fixture->new_path), "%s/n.new", fixture->folder);
	fixture->error[0] = '\0';
	fixture->state = nvram_fixture_node();
	fixture->again = nvram_fixture_node();
	fixture->fresh = nvram_fixture_node();
}

void nvram_fixture_close(struct nvram_fixture *fixture)
{
	remove(fixture->path);
	remove(fixture->damaged_path);
	remove(fixture->new_path);
	rmdir(fixture->folder);
	state_free(fixture->state);
	state_free(fixture->again);
	state_free(fixture->fresh);
}
