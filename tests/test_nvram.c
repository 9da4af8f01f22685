// SPDX-License-Identifier: BSD-2-Clause
/* What the software SMA keeps across restarts, and when it writes that down. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sma/wire.h"
#include "tests/nvram_bench.h"
#include "tests/unit.h"

/* ---- what is kept ---- */

static void test_round_trip(void)
{
	struct nvram_bench bench;

	nvram_bench_open(&bench);
	nvram_bench_program(bench.store, 1, 7);
	CHECK_EQUAL(nvram_bench_sync(&bench, bench.store), 0);
	CHECK_EQUAL(nvram_bench_restore(&bench, bench.again), 0);
	CHECK(nvram_bench_same(bench.store, bench.again));
	CHECK(!nvram_bench_exists(bench.new_path));
	nvram_bench_close(&bench);
}

/* The format, which other versions are to read. */
static void test_text(void)
{
	static const char wanted[] = "ibsmad-nvram 1\n"
				     "node 0x0000000000001000\n"
				     "m_key 1 0x00000000000000ab 2 60\n"
				     "p_key 1 0\n"
				     "p_key 1 0 0xffff 0x0000 0x0000\n"
				     "p_key 2 0\n"
				     "checksum 0x";
	struct sma_store *store = nvram_bench_store(SMA_NODE_CA, BENCH_NODE_GUID, 3);
	char text[BENCH_FILE_SIZE + 1] = "";
	struct nvram_bench bench;

	nvram_bench_open(&bench);
	nvram_bench_keep(store, 1, true, true);
	nvram_bench_keep(store, 2, false, true);
	memset(store->port[2].pkeys, 0, 6);
	store_set(store, 1, SMA_PortInfo_M_Key, 0xAB);
	store_set(store, 1, SMA_PortInfo_M_KeyProtectBits, 2);
	store_set(store, 1, SMA_PortInfo_M_KeyLeasePeriod, 60);
	CHECK_EQUAL(nvram_bench_sync(&bench, store), 0);
	CHECK_EQUAL(nvram_bench_read(bench.path, text), strlen(wanted) + 17);
	text[strlen(wanted)] = '\0';
	CHECK_TEXT(text, wanted);
	store_free(store);
	nvram_bench_close(&bench);
}

/* Each bit keeps what it is for, of its own port. */
static void test_bits(void)
{
	for (unsigned bits = 0; bits < 16; bits++) {
		struct nvram_bench bench;

		unit_case("%u", bits);
		nvram_bench_open(&bench);
		for (unsigned p = 1; p <= BENCH_PORTS; p++) {
			nvram_bench_keep(bench.store, p, bits >> (2 * p - 2) & 1, bits >> (2 * p - 1) & 1);
			nvram_bench_keep(bench.again, p, true, true);
			nvram_bench_program(bench.store, p, p);
		}
		CHECK_EQUAL(nvram_bench_sync(&bench, bench.store), 0);
		CHECK_EQUAL(nvram_bench_restore(&bench, bench.again), 0);
		for (unsigned p = 1; p <= BENCH_PORTS; p++) {
			const struct sma_store *m_key = bits >> (2 * p - 2) & 1 ? bench.store : bench.fresh;
			const struct sma_store *p_keys = bits >> (2 * p - 1) & 1 ? bench.store : bench.fresh;

			CHECK(nvram_bench_same_m_key(bench.again, m_key, p));
			CHECK(nvram_bench_same_p_keys(bench.again, p_keys, p));
		}
		nvram_bench_close(&bench);
	}
}

static void test_switch(void)
{
	struct sma_store *store = nvram_bench_store(SMA_NODE_SWITCH, BENCH_NODE_GUID, BENCH_PKEYS);
	struct sma_store *again = nvram_bench_store(SMA_NODE_SWITCH, BENCH_NODE_GUID, BENCH_PKEYS);
	struct nvram_bench bench;

	nvram_bench_open(&bench);
	nvram_bench_keep(store, 0, true, true);
	nvram_bench_keep(again, 0, true, true);
	nvram_bench_program(store, 0, 9);
	CHECK_EQUAL(nvram_bench_sync(&bench, store), 0);
	CHECK_EQUAL(nvram_bench_restore(&bench, again), 0);
	CHECK(nvram_bench_same_m_key(store, again, 0) && nvram_bench_same_p_keys(store, again, 0));
	store_free(store);
	store_free(again);
	nvram_bench_close(&bench);
}

/* A table that the SM emptied stays empty, whatever the node file fills it with. */
static void test_empty_table(void)
{
	static const uint8_t zeros[2 * BENCH_PKEYS];
	struct nvram_bench bench;

	nvram_bench_open(&bench);
	memset(bench.store->port[1].pkeys, 0, sizeof(zeros));
	CHECK_EQUAL(nvram_bench_sync(&bench, bench.store), 0);
	CHECK_EQUAL(nvram_bench_restore(&bench, bench.again), 0);
	CHECK_OCTETS(bench.again->port[1].pkeys, zeros, sizeof(zeros));
	nvram_bench_close(&bench);
}

/* The node file has changed since: what it no longer keeps is passed over. */
static void test_changed_node(void)
{
	struct sma_store *deaf = nvram_bench_node();
	struct sma_store *small = nvram_bench_store(SMA_NODE_CA, BENCH_NODE_GUID, 20);
	struct nvram_bench bench;

	nvram_bench_open(&bench);
	nvram_bench_program(bench.store, 1, 7);
	nvram_bench_keep(bench.store, 2, true, true);
	CHECK_EQUAL(nvram_bench_sync(&bench, bench.store), 0);
	nvram_bench_keep(deaf, 1, false, false);
	CHECK_EQUAL(nvram_bench_restore(&bench, deaf), 0);
	CHECK(nvram_bench_same(deaf, bench.fresh));
	nvram_bench_keep(small, 1, true, true);
	CHECK_EQUAL(nvram_bench_restore(&bench, small), 0);
	CHECK_OCTETS(small->port[1].pkeys, bench.store->port[1].pkeys, 40);
	CHECK(nvram_bench_same_m_key(small, bench.store, 1));
	store_free(deaf);
	store_free(small);
	nvram_bench_close(&bench);
}

/* ---- when it is written ---- */

/* Whether there is a new file of the bench's store. */
static bool syncs(const struct nvram_bench *bench, struct nvram *nvram)
{
	int rc;

	unlink(bench->path);
	rc = nvram_bench_await(nvram, bench->store, 0);
	CHECK(rc == 0 || rc == BENCH_NOTHING);
	CHECK_EQUAL(nvram_bench_exists(bench->path), rc == 0);
	return rc == 0;
}

static void start(struct nvram_bench *bench, struct nvram *nvram)
{
	CHECK_EQUAL(nvram_init(nvram, bench->path), 0);
	CHECK_EQUAL(nvram_restore(nvram, bench->store, bench->error, sizeof(bench->error)), 0);
}

static void test_only_changes(void)
{
	struct nvram_bench bench;
	struct nvram nvram;

	nvram_bench_open(&bench);
	start(&bench, &nvram);
	CHECK(!syncs(&bench, &nvram)); /* as the node file has it */
	store_set(bench.store, 1, SMA_PortInfo_LID, 5);
	nvram_bench_program(bench.store, 2, 7);
	CHECK(!syncs(&bench, &nvram)); /* none of it is kept */
	store_set(bench.store, 1, SMA_PortInfo_M_Key, 1);
	CHECK(syncs(&bench, &nvram));
	CHECK(!syncs(&bench, &nvram));
	store_set(bench.store, 1, SMA_PortInfo_M_KeyProtectBits, 1);
	CHECK(syncs(&bench, &nvram));
	store_set(bench.store, 1, SMA_PortInfo_M_KeyLeasePeriod, 1);
	CHECK(syncs(&bench, &nvram));
	wire_put16(bench.store->port[1].pkeys + 2UL * (BENCH_PKEYS - 1), 1);
	CHECK(syncs(&bench, &nvram));
	nvram_bench_keep(bench.store, 2, false, true);
	CHECK(syncs(&bench, &nvram));
	CHECK(!syncs(&bench, &nvram));
	nvram_finish(&nvram);
	nvram_bench_close(&bench);
}

/* Either capability keeps what it is for, and notes no change of the rest. */
static void test_only_one_kept(void)
{
	for (unsigned m_key = 0; m_key < 2; m_key++) {
		struct nvram_bench bench;
		struct nvram nvram;

		unit_case("%s only", m_key ? "M_Key" : "P_Keys");
		nvram_bench_open(&bench);
		nvram_bench_keep(bench.store, 1, m_key, !m_key);
		start(&bench, &nvram);
		store_set(bench.store, 1, SMA_PortInfo_M_Key, 1);
		CHECK_EQUAL(syncs(&bench, &nvram), m_key);
		wire_put16(bench.store->port[1].pkeys, 1);
		CHECK_EQUAL(syncs(&bench, &nvram), !m_key);
		store_set(bench.store, 1, SMA_PortInfo_M_KeyLeasePeriod, 1);
		CHECK_EQUAL(syncs(&bench, &nvram), m_key);
		nvram_bench_keep(bench.store, 1, !m_key, m_key); /* what it holds now is to be kept */
		CHECK(syncs(&bench, &nvram));
		nvram_bench_keep(bench.store, 1, false, false);
		CHECK(syncs(&bench, &nvram)); /* nothing is any more */
		nvram_finish(&nvram);
		nvram_bench_close(&bench);
	}
	unit_case(NULL);
}

static void test_not_after_restore(void)
{
	struct nvram_bench bench;
	struct nvram nvram;

	nvram_bench_open(&bench);
	nvram_bench_program(bench.store, 1, 7);
	CHECK_EQUAL(nvram_bench_sync(&bench, bench.store), 0);
	start(&bench, &nvram);
	CHECK(!syncs(&bench, &nvram));
	nvram_finish(&nvram);
	nvram_bench_close(&bench);
}

static void test_mode(void)
{
	mode_t mask = umask(0);
	struct nvram_bench bench;
	struct stat status;

	nvram_bench_open(&bench);
	nvram_bench_write(&bench, "", 0); /* a file that others can read, and one that a crash left */
	CHECK_EQUAL(link(bench.path, bench.new_path), 0);
	CHECK_EQUAL(nvram_bench_sync(&bench, bench.store), 0);
	CHECK_EQUAL(stat(bench.path, &status), 0);
	CHECK_EQUAL(status.st_mode & 07777, 0600);
	CHECK(!nvram_bench_exists(bench.new_path));
	umask(mask);
	nvram_bench_close(&bench);
}

static const struct unit_test tests[] = {
	{"round trip", test_round_trip},
	{"the text", test_text},
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
