// SPDX-License-Identifier: BSD-2-Clause
/* What the software SMA keeps across restarts, and when it writes that down. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sma/iba/wire.h"
#include "sma/soft/file/nodefile.h"
#include "tests/soft/nvram_fixture.h"
#include "tests/unit.h"

/* ---- what is kept ---- */

static void test_round_trip(void)
{
	struct nvram_fixture fixture;

	nvram_fixture_open(&fixture);
	nvram_fixture_program(fixture.state, 1, 7);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, fixture.state), 0);
	CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.again), 0);
	CHECK(nvram_fixture_same(fixture.state, fixture.again));
	CHECK(!nvram_fixture_exists(fixture.new_path));
	nvram_fixture_close(&fixture);
}

/* The format, which other versions are to read: lines of a node file. */
static void test_text(void)
{
	static const char wanted[] = "# What ibsmad keeps of the node, as lines of its node file. It "
				     "replaces them all at each change.\n"
				     "mKey 1 0x00000000000000ab 2 60\n"
				     "pKey 1 0-4 0x0000\n"
				     "pKey 1 0 0xffff\n"
				     "pKey 1 2-3 0x8001\n"
				     "pKey 2 0-4 0x0000\n"
				     "nodeGuid 0x0000000000001000\n";
	struct soft_state *state = nvram_fixture_state(SMA_NODE_CA, FIXTURE_NODE_GUID, 5);
	char text[FIXTURE_FILE_SIZE + 1] = "";
	struct nvram_fixture fixture;

	nvram_fixture_open(&fixture);
	nvram_fixture_keep(state, 1, true, true);
	nvram_fixture_keep(state, 2, false, true);
	memset(state->port[2].pkeys, 0, 10);
	wire_put16(state->port[1].pkeys + 4, 0x8001);
	wire_put16(state->port[1].pkeys + 6, 0x8001);
	state_set(state, 1, SMA_PortInfo_M_Key, 0xAB);
	state_set(state, 1, SMA_PortInfo_M_KeyProtectBits, 2);
	state_set(state, 1, SMA_PortInfo_M_KeyLeasePeriod, 60);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, state), 0);
	CHECK_EQUAL(nvram_fixture_read(fixture.path, text), strlen(wanted));
	CHECK_TEXT(text, wanted);
	state_free(state);
	nvram_fixture_close(&fixture);
}

/* A node file with these lines in it describes the node as it was. */
static void test_lines_of_node_file(void)
{
	static const char node[] = "nodeType ca\nports 2\npartitionCap 40\n";
	char text[sizeof(node) + FIXTURE_FILE_SIZE];
	struct nvram_fixture fixture;
	struct soft_state *read = NULL;
	size_t size = sizeof(node) - 1;

	nvram_fixture_open(&fixture);
	nvram_fixture_program(fixture.state, 1, 7);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, fixture.state), 0);
	memcpy(text, node, size);
	size += nvram_fixture_read(fixture.path, text + size);
	CHECK_EQUAL(nodefile_parse("f", text, size, &read, fixture.error, sizeof(fixture.error)), 0);
	CHECK_TEXT(fixture.error, "");
	CHECK(read && nvram_fixture_same(read, fixture.state));
	state_free(read);
	nvram_fixture_close(&fixture);
}

/* ---- the first release ---- */

#define OLD_NODE "ibsmad-nvram 1\nnode 0x0000000000001000\n"

/* A file that the first release wrote. */
static size_t old_text(const struct soft_state *state, char bytes[FIXTURE_FILE_SIZE])
{
	size_t used = (size_t)snprintf(bytes, FIXTURE_FILE_SIZE,
	                               OLD_NODE "m_key 1 0x%016" PRIx64 " %u %u\np_key 1 0\n",
	                               sma_component_get(state->port[1].info, SMA_PortInfo_M_Key),
	                               state_get(state, 1, SMA_PortInfo_M_KeyProtectBits),
	                               state_get(state, 1, SMA_PortInfo_M_KeyLeasePeriod));

	for (unsigned i = 0; i < FIXTURE_PKEYS; i++)
		used += (size_t)snprintf(bytes + used, FIXTURE_FILE_SIZE - used,
		                         i % 16 ? " 0x%04x%s" : "p_key 1 %3$u 0x%1$04x%2$s",
		                         wire_get16(state->port[1].pkeys + 2UL * i),
		                         i % 16 == 15 || i + 1 == FIXTURE_PKEYS ? "\n" : "", i);
	return used +
	       (size_t)snprintf(bytes + used, FIXTURE_FILE_SIZE - used, "checksum 0x0123456789abcdef\n");
}

/* It is read once, and replaced by one of today at once. */
static void test_first_release(void)
{
	char bytes[FIXTURE_FILE_SIZE], today[FIXTURE_FILE_SIZE];
	struct nvram_fixture fixture;
	struct nvram nvram;
	size_t size;

	nvram_fixture_open(&fixture);
	nvram_fixture_program(fixture.state, 1, 7);
	nvram_fixture_write(&fixture, bytes, old_text(fixture.state, bytes));
	CHECK_EQUAL(nvram_init(&nvram, fixture.path), 0);
	CHECK_EQUAL(nvram_restore(&nvram, fixture.again, fixture.error, sizeof(fixture.error)), 0);
	CHECK(nvram_fixture_same(fixture.again, fixture.state));
	nvram_process(&nvram, fixture.again, false, 0);
	nvram_finish(&nvram);
	size = nvram_fixture_read(fixture.path, today);
	CHECK(size > 0 && memmem(today, size, "pKey 1 0-39 ", 12) && !memmem(today, size, "checksum", 8));
	CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.fresh), 0);
	CHECK(nvram_fixture_same(fixture.fresh, fixture.state));
	nvram_fixture_close(&fixture);
}

/* ---- what each port keeps ---- */

/* Each bit keeps what it is for, of its own port. */
static void test_bits(void)
{
	for (unsigned bits = 0; bits < 16; bits++) {
		struct nvram_fixture fixture;

		unit_case("%u", bits);
		nvram_fixture_open(&fixture);
		for (unsigned p = 1; p <= FIXTURE_PORTS; p++) {
			nvram_fixture_keep(fixture.state, p, bits >> (2 * p - 2) & 1,
			                   bits >> (2 * p - 1) & 1);
			nvram_fixture_keep(fixture.again, p, true, true);
			nvram_fixture_program(fixture.state, p, p);
		}
		CHECK_EQUAL(nvram_fixture_sync(&fixture, fixture.state), 0);
		CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.again), 0);
		for (unsigned p = 1; p <= FIXTURE_PORTS; p++) {
			const struct soft_state *m_key =
				bits >> (2 * p - 2) & 1 ? fixture.state : fixture.fresh;
			const struct soft_state *p_keys =
				bits >> (2 * p - 1) & 1 ? fixture.state : fixture.fresh;

			CHECK(nvram_fixture_same_m_key(fixture.again, m_key, p));
			CHECK(nvram_fixture_same_p_keys(fixture.again, p_keys, p));
		}
		nvram_fixture_close(&fixture);
	}
}

static void test_switch(void)
{
	struct soft_state *state = nvram_fixture_state(SMA_NODE_SWITCH, FIXTURE_NODE_GUID, FIXTURE_PKEYS);
	struct soft_state *again = nvram_fixture_state(SMA_NODE_SWITCH, FIXTURE_NODE_GUID, FIXTURE_PKEYS);
	struct nvram_fixture fixture;

	nvram_fixture_open(&fixture);
	nvram_fixture_keep(state, 0, true, true);
	nvram_fixture_keep(again, 0, true, true);
	nvram_fixture_program(state, 0, 9);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, state), 0);
	CHECK_EQUAL(nvram_fixture_restore(&fixture, again), 0);
	CHECK(nvram_fixture_same_m_key(state, again, 0) && nvram_fixture_same_p_keys(state, again, 0));
	state_free(state);
	state_free(again);
	nvram_fixture_close(&fixture);
}

/* A table that the SM emptied stays empty, whatever the node file fills it with. */
static void test_empty_table(void)
{
	static const uint8_t zeros[2 * FIXTURE_PKEYS];
	struct nvram_fixture fixture;

	nvram_fixture_open(&fixture);
	memset(fixture.state->port[1].pkeys, 0, sizeof(zeros));
	CHECK_EQUAL(nvram_fixture_sync(&fixture, fixture.state), 0);
	CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.again), 0);
	CHECK_OCTETS(fixture.again->port[1].pkeys, zeros, sizeof(zeros));
	nvram_fixture_close(&fixture);
}

/* The node file has changed since: what it no longer keeps is passed over. */
static void test_changed_node(void)
{
	struct soft_state *deaf = nvram_fixture_node();
	struct soft_state *small = nvram_fixture_state(SMA_NODE_CA, FIXTURE_NODE_GUID, 20);
	struct nvram_fixture fixture;

	nvram_fixture_open(&fixture);
	nvram_fixture_program(fixture.state, 1, 7);
	nvram_fixture_keep(fixture.state, 2, true, true);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, fixture.state), 0);
	nvram_fixture_keep(deaf, 1, false, false);
	CHECK_EQUAL(nvram_fixture_restore(&fixture, deaf), 0);
	CHECK(nvram_fixture_same(deaf, fixture.fresh));
	nvram_fixture_keep(small, 1, true, true);
	CHECK_EQUAL(nvram_fixture_restore(&fixture, small), 0);
	CHECK_OCTETS(small->port[1].pkeys, fixture.state->port[1].pkeys, 40);
	CHECK(nvram_fixture_same_m_key(small, fixture.state, 1));
	state_free(deaf);
	state_free(small);
	nvram_fixture_close(&fixture);
}

/* ---- when it is written ---- */

/* Whether there is a new file of the fixture's state. */
static bool syncs(const struct nvram_fixture *fixture, struct nvram *nvram)
{
	int rc;

	unlink(fixture->path);
	rc = nvram_fixture_await(nvram, fixture->state, 0);
	CHECK(rc == 0 || rc == NVRAM_NOTHING);
	CHECK_EQUAL(nvram_fixture_exists(fixture->path), rc == 0);
	return rc == 0;
}

static void start(struct nvram_fixture *fixture, struct nvram *nvram)
{
	CHECK_EQUAL(nvram_init(nvram, fixture->path), 0);
	CHECK_EQUAL(nvram_restore(nvram, fixture->state, fixture->error, sizeof(fixture->error)), 0);
}

static void test_only_changes(void)
{
	struct nvram_fixture fixture;
	struct nvram nvram;

	nvram_fixture_open(&fixture);
	start(&fixture, &nvram);
	CHECK(!syncs(&fixture, &nvram)); /* as the node file has it */
	state_set(fixture.state, 1, SMA_PortInfo_LID, 5);
	nvram_fixture_program(fixture.state, 2, 7);
	CHECK(!syncs(&fixture, &nvram)); /* none of it is kept */
	state_set(fixture.state, 1, SMA_PortInfo_M_Key, 1);
	CHECK(syncs(&fixture, &nvram));
	CHECK(!syncs(&fixture, &nvram));
	state_set(fixture.state, 1, SMA_PortInfo_M_KeyProtectBits, 1);
	CHECK(syncs(&fixture, &nvram));
	state_set(fixture.state, 1, SMA_PortInfo_M_KeyLeasePeriod, 1);
	CHECK(syncs(&fixture, &nvram));
	wire_put16(fixture.state->port[1].pkeys + 2UL * (FIXTURE_PKEYS - 1), 1);
	CHECK(syncs(&fixture, &nvram));
	nvram_fixture_keep(fixture.state, 2, false, true);
	CHECK(syncs(&fixture, &nvram));
	CHECK(!syncs(&fixture, &nvram));
	nvram_finish(&nvram);
	nvram_fixture_close(&fixture);
}

/* Either capability keeps what it is for, and notes no change of the rest. */
static void test_only_one_kept(void)
{
	for (unsigned m_key = 0; m_key < 2; m_key++) {
		struct nvram_fixture fixture;
		struct nvram nvram;

		unit_case("%s only", m_key ? "M_Key" : "P_Keys");
		nvram_fixture_open(&fixture);
		nvram_fixture_keep(fixture.state, 1, m_key, !m_key);
		start(&fixture, &nvram);
		state_set(fixture.state, 1, SMA_PortInfo_M_Key, 1);
		CHECK_EQUAL(syncs(&fixture, &nvram), m_key);
		wire_put16(fixture.state->port[1].pkeys, 1);
		CHECK_EQUAL(syncs(&fixture, &nvram), !m_key);
		state_set(fixture.state, 1, SMA_PortInfo_M_KeyLeasePeriod, 1);
		CHECK_EQUAL(syncs(&fixture, &nvram), m_key);
		nvram_fixture_keep(fixture.state, 1, !m_key, m_key); /* what it holds now is to be kept */
		CHECK(syncs(&fixture, &nvram));
		nvram_fixture_keep(fixture.state, 1, false, false);
		CHECK(syncs(&fixture, &nvram)); /* nothing is any more */
		nvram_finish(&nvram);
		nvram_fixture_close(&fixture);
	}
	unit_case(NULL);
}

static void test_not_after_restore(void)
{
	struct nvram_fixture fixture;
	struct nvram nvram;

	nvram_fixture_open(&fixture);
	nvram_fixture_program(fixture.state, 1, 7);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, fixture.state), 0);
	start(&fixture, &nvram);
	CHECK(!syncs(&fixture, &nvram));
	nvram_finish(&nvram);
	nvram_fixture_close(&fixture);
}

static void test_mode(void)
{
	mode_t mask = umask(0);
	struct nvram_fixture fixture;
	struct stat status;

	nvram_fixture_open(&fixture);
	nvram_fixture_write(&fixture, "", 0); /* a file that others can read, and one that a crash left */
	CHECK_EQUAL(link(fixture.path, fixture.new_path), 0);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, fixture.state), 0);
	CHECK_EQUAL(stat(fixture.path, &status), 0);
	CHECK_EQUAL(status.st_mode & 07777, 0600);
	CHECK(!nvram_fixture_exists(fixture.new_path));
	umask(mask);
	nvram_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"round trip", test_round_trip},
	{"the text", test_text},
	{"lines of a node file", test_lines_of_node_file},
	{"a file of the first release", test_first_release},
	{"what each capability keeps", test_bits},
	{"port 0 of a switch", test_switch},
	{"an empty P_Key table", test_empty_table},
	{"a node that has changed", test_changed_node},
	{"writing after changes only", test_only_changes},
	{"only the M_Key or only P_Keys kept", test_only_one_kept},
	{"no writing after restoring", test_not_after_restore},
	{"mode and leftovers", test_mode},
};

int main(void)
{
	return UNIT_MAIN("nvram", tests);
}
