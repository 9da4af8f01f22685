// SPDX-License-Identifier: BSD-2-Clause
/* What the software SMA keeps across restarts. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sma/nvram.h"
#include "sma/wire.h"
#include "tests/unit.h"

enum {
	PATH_SIZE = 64,
	FILE_SIZE = 4096, /* more than any file of these tests */
	PORTS = 2,
	PKEYS = 40, /* two lines of 16, and one of 8 */
	NODE_GUID = 0x1000,
};

static char folder[] = "/tmp/ibsmad-nvram-XXXXXX";
static char path[PATH_SIZE];
static char damaged_path[PATH_SIZE];
static char new_path[PATH_SIZE];
static char error[NVRAM_ERROR_SIZE];

/* ---- stores ---- */

static struct sma_store *new_store(unsigned type, uint64_t guid, unsigned pkeys)
{
	const struct store_shape shape = {.type = type,
	                                  .ports = PORTS,
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

static void keep(struct sma_store *store, unsigned port, bool m_key, bool p_keys)
{
	store_set(store, port, SMA_PortInfo_IsMKeyNVRAM, m_key);
	store_set(store, port, SMA_PortInfo_IsPKeyNVRAM, p_keys);
}

/* As a node file has it. */
static struct sma_store *keeping_store(void)
{
	struct sma_store *store = new_store(SMA_NODE_CA, NODE_GUID, PKEYS);

	keep(store, 1, true, true);
	return store;
}

/* As an SM leaves it; `seed` makes it another each time. */
static void program(struct sma_store *store, unsigned port, unsigned seed)
{
	store_set(store, port, SMA_PortInfo_M_Key, 0x0123456700000000ULL + seed);
	store_set(store, port, SMA_PortInfo_M_KeyProtectBits, seed % 4);
	store_set(store, port, SMA_PortInfo_M_KeyLeasePeriod, 60000 + seed % 1000);
	for (unsigned i = 0; i < store->port[port].pkey_count; i += 3)
		wire_put16(store->port[port].pkeys + 2UL * i, (uint16_t)(0x8001 + seed + i));
}

static bool same_m_key(const struct sma_store *a, const struct sma_store *b, unsigned port)
{
	static const enum sma_component parts[] = {SMA_PortInfo_M_Key, SMA_PortInfo_M_KeyProtectBits,
	                                           SMA_PortInfo_M_KeyLeasePeriod};
	bool same = true;

	for (size_t i = 0; i < UNIT_COUNT(parts); i++)
		same = same && sma_component_get(a->port[port].info, parts[i]) ==
		                       sma_component_get(b->port[port].info, parts[i]);
	return same;
}

static bool same_p_keys(const struct sma_store *a, const struct sma_store *b, unsigned port)
{
	return memcmp(a->port[port].pkeys, b->port[port].pkeys, a->port[port].pkey_count * 2UL) == 0;
}

static bool same(const struct sma_store *a, const struct sma_store *b)
{
	bool all = true;

	for (unsigned p = 1; p <= PORTS; p++)
		all = all && same_m_key(a, b, p) && same_p_keys(a, b, p);
	return all;
}

/* ---- files ---- */

static int restore(struct sma_store *store)
{
	struct nvram nvram;

	nvram_init(&nvram, path);
	error[0] = '\0';
	return nvram_restore(&nvram, store, error, sizeof(error));
}

static int sync_new(const struct sma_store *store)
{
	struct nvram nvram;

	nvram_init(&nvram, path);
	return nvram_sync(&nvram, store);
}

static bool exists(const char *name)
{
	return access(name, F_OK) == 0;
}

static size_t read_file(const char *name, char bytes[FILE_SIZE])
{
	FILE *file = fopen(name, "r");
	size_t size = file ? fread(bytes, 1, FILE_SIZE, file) : 0;

	if (file)
		fclose(file);
	return size;
}

static void write_file(const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		abort();
}

static void clear(void)
{
	unlink(path);
	unlink(damaged_path);
	unlink(new_path);
}

/* ---- what is kept ---- */

static void test_round_trip(void)
{
	struct sma_store *store = keeping_store();
	struct sma_store *again = keeping_store();

	program(store, 1, 7);
	CHECK_EQUAL(sync_new(store), 0);
	CHECK_EQUAL(restore(again), 0);
	CHECK(same(store, again));
	CHECK(!exists(new_path));
	store_free(store);
	store_free(again);
	clear();
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
	struct sma_store *store = new_store(SMA_NODE_CA, NODE_GUID, 3);
	char text[FILE_SIZE + 1] = "";

	keep(store, 1, true, true);
	keep(store, 2, false, true);
	memset(store->port[2].pkeys, 0, 6);
	store_set(store, 1, SMA_PortInfo_M_Key, 0xAB);
	store_set(store, 1, SMA_PortInfo_M_KeyProtectBits, 2);
	store_set(store, 1, SMA_PortInfo_M_KeyLeasePeriod, 60);
	CHECK_EQUAL(sync_new(store), 0);
	CHECK_EQUAL(read_file(path, text), strlen(wanted) + 17);
	text[strlen(wanted)] = '\0';
	CHECK_TEXT(text, wanted);
	store_free(store);
	clear();
}

/* Each bit keeps what it is for, of its own port. */
static void test_bits(void)
{
	for (unsigned bits = 0; bits < 16; bits++) {
		struct sma_store *store = keeping_store();
		struct sma_store *fresh = keeping_store();
		struct sma_store *again = keeping_store();

		unit_case("%u", bits);
		for (unsigned p = 1; p <= PORTS; p++) {
			keep(store, p, bits >> (2 * p - 2) & 1, bits >> (2 * p - 1) & 1);
			keep(again, p, true, true);
			program(store, p, p);
		}
		CHECK_EQUAL(sync_new(store), 0);
		CHECK_EQUAL(restore(again), 0);
		for (unsigned p = 1; p <= PORTS; p++) {
			CHECK(same_m_key(again, bits >> (2 * p - 2) & 1 ? store : fresh, p));
			CHECK(same_p_keys(again, bits >> (2 * p - 1) & 1 ? store : fresh, p));
		}
		store_free(store);
		store_free(fresh);
		store_free(again);
		clear();
	}
}

static void test_switch(void)
{
	struct sma_store *store = new_store(SMA_NODE_SWITCH, NODE_GUID, PKEYS);
	struct sma_store *again = new_store(SMA_NODE_SWITCH, NODE_GUID, PKEYS);

	keep(store, 0, true, true);
	keep(again, 0, true, true);
	program(store, 0, 9);
	CHECK_EQUAL(sync_new(store), 0);
	CHECK_EQUAL(restore(again), 0);
	CHECK(same_m_key(store, again, 0) && same_p_keys(store, again, 0));
	store_free(store);
	store_free(again);
	clear();
}

/* A table that the SM emptied stays empty, whatever the node file fills it with. */
static void test_empty_table(void)
{
	static const uint8_t zeros[2 * PKEYS];
	struct sma_store *store = keeping_store();
	struct sma_store *again = keeping_store();

	memset(store->port[1].pkeys, 0, sizeof(zeros));
	CHECK_EQUAL(sync_new(store), 0);
	CHECK_EQUAL(restore(again), 0);
	CHECK_OCTETS(again->port[1].pkeys, zeros, sizeof(zeros));
	store_free(store);
	store_free(again);
	clear();
}

/* The node file has changed since: what it no longer keeps is passed over. */
static void test_changed_node(void)
{
	struct sma_store *store = keeping_store();
	struct sma_store *fresh = keeping_store();
	struct sma_store *deaf = keeping_store();
	struct sma_store *small = new_store(SMA_NODE_CA, NODE_GUID, 20);

	program(store, 1, 7);
	keep(store, 2, true, true);
	CHECK_EQUAL(sync_new(store), 0);
	keep(deaf, 1, false, false);
	CHECK_EQUAL(restore(deaf), 0);
	CHECK(same(deaf, fresh));
	keep(small, 1, true, true);
	CHECK_EQUAL(restore(small), 0);
	CHECK_OCTETS(small->port[1].pkeys, store->port[1].pkeys, 40);
	CHECK(same_m_key(small, store, 1));
	store_free(store);
	store_free(fresh);
	store_free(deaf);
	store_free(small);
	clear();
}

/* ---- when it is written ---- */

static bool syncs(struct nvram *nvram, const struct sma_store *store)
{
	unlink(path);
	CHECK_EQUAL(nvram_sync(nvram, store), 0);
	return exists(path);
}

static void test_only_changes(void)
{
	struct sma_store *store = keeping_store();
	struct nvram nvram;

	nvram_init(&nvram, path);
	CHECK_EQUAL(nvram_restore(&nvram, store, error, sizeof(error)), 0);
	CHECK(!syncs(&nvram, store)); /* as the node file has it */
	store_set(store, 1, SMA_PortInfo_LID, 5);
	program(store, 2, 7);
	CHECK(!syncs(&nvram, store)); /* none of it is kept */
	store_set(store, 1, SMA_PortInfo_M_Key, 1);
	CHECK(syncs(&nvram, store));
	CHECK(!syncs(&nvram, store));
	store_set(store, 1, SMA_PortInfo_M_KeyProtectBits, 1);
	CHECK(syncs(&nvram, store));
	store_set(store, 1, SMA_PortInfo_M_KeyLeasePeriod, 1);
	CHECK(syncs(&nvram, store));
	wire_put16(store->port[1].pkeys + 2UL * (PKEYS - 1), 1);
	CHECK(syncs(&nvram, store));
	keep(store, 2, false, true);
	CHECK(syncs(&nvram, store));
	CHECK(!syncs(&nvram, store));
	store_free(store);
	clear();
}

static void test_not_after_restore(void)
{
	struct sma_store *store = keeping_store();
	struct nvram nvram;

	program(store, 1, 7);
	CHECK_EQUAL(sync_new(store), 0);
	nvram_init(&nvram, path);
	CHECK_EQUAL(nvram_restore(&nvram, store, error, sizeof(error)), 0);
	CHECK(!syncs(&nvram, store));
	store_free(store);
	clear();
}

static void test_mode(void)
{
	struct sma_store *store = keeping_store();
	mode_t mask = umask(0);
	struct stat status;

	write_file("", 0); /* a file that others can read, and one that a crash left */
	CHECK_EQUAL(link(path, new_path), 0);
	CHECK_EQUAL(sync_new(store), 0);
	CHECK_EQUAL(stat(path, &status), 0);
	CHECK_EQUAL(status.st_mode & 07777, 0600);
	CHECK(!exists(new_path));
	umask(mask);
	store_free(store);
	clear();
}

/* A try that failed is made again. */
static void test_unwritable(void)
{
	struct sma_store *store = keeping_store();
	char inner[PATH_SIZE + 8];
	struct nvram nvram;

	snprintf(inner, sizeof(inner), "%s/f", path);
	nvram_init(&nvram, inner);
	CHECK_EQUAL(nvram_sync(&nvram, store), -ENOENT);
	write_file("", 0);
	CHECK_EQUAL(nvram_sync(&nvram, store), -ENOTDIR);
	clear();
	CHECK_EQUAL(mkdir(path, 0700), 0);
	CHECK_EQUAL(nvram_sync(&nvram, store), 0);
	CHECK(exists(inner));
	CHECK_EQUAL(sync_new(store), -EISDIR);
	CHECK(!exists(new_path));
	unlink(inner);
	rmdir(path);
	store_free(store);
	clear();
}

/* The old file stays until the new one is whole. */
static void test_full(void)
{
	struct sma_store *store = keeping_store();
	struct sma_store *changed = keeping_store();
	struct sma_store *again = keeping_store();
	struct rlimit limit, low;

	program(store, 1, 1);
	program(changed, 1, 2);
	CHECK_EQUAL(sync_new(store), 0);
	getrlimit(RLIMIT_FSIZE, &limit);
	low = (struct rlimit){100, limit.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &low);
	CHECK_EQUAL(sync_new(changed), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK(!exists(new_path));
	CHECK_EQUAL(restore(again), 0);
	CHECK(same(again, store));
	store_free(store);
	store_free(changed);
	store_free(again);
	clear();
}

/* ---- what cannot be used ---- */

static void test_missing(void)
{
	struct sma_store *store = keeping_store();
	struct sma_store *fresh = keeping_store();

	CHECK_EQUAL(restore(store), 0);
	CHECK_TEXT(error, "");
	CHECK(same(store, fresh));
	store_free(store);
	store_free(fresh);
}

static void test_unreadable(void)
{
	struct sma_store *store = keeping_store();
	struct sma_store *fresh = keeping_store();
	char wanted[NVRAM_ERROR_SIZE];

	CHECK_EQUAL(mkdir(path, 0700), 0);
	CHECK_EQUAL(restore(store), -EISDIR);
	snprintf(wanted, sizeof(wanted), "%s: Is a directory", path);
	CHECK_TEXT(error, wanted);
	CHECK(same(store, fresh));
	rmdir(path);
	store_free(store);
	store_free(fresh);
}

/* A file whose folder is none, and a damaged one whose place is taken. */
static void test_stuck(void)
{
	struct sma_store *store = keeping_store();
	char inner[PATH_SIZE + 8];
	struct nvram nvram;

	snprintf(inner, sizeof(inner), "%s/f", path);
	write_file("x", 1);
	nvram_init(&nvram, inner);
	CHECK_EQUAL(nvram_restore(&nvram, store, error, sizeof(error)), -ENOTDIR);
	CHECK(strstr(error, inner) == error && strstr(error, strerror(ENOTDIR)));
	CHECK_EQUAL(mkdir(damaged_path, 0700), 0);
	CHECK_EQUAL(restore(store), -EISDIR);
	CHECK(strstr(error, "cannot be set aside: Is a directory"));
	CHECK(exists(path));
	rmdir(damaged_path);
	store_free(store);
	clear();
}

/* That a file is set aside, and leaves the store as it was. */
static void check_set_aside(const char *bytes, size_t size, const char *wrong)
{
	struct sma_store *store = keeping_store();
	struct sma_store *fresh = keeping_store();
	char kept[FILE_SIZE];

	write_file(bytes, size);
	CHECK_EQUAL(restore(store), -EBADMSG);
	CHECK(same(store, fresh));
	CHECK(!exists(path));
	CHECK_EQUAL(read_file(damaged_path, kept), size);
	CHECK(memcmp(kept, bytes, size) == 0);
	CHECK(strstr(error, wrong) && strstr(error, path) == error && strstr(error, damaged_path));
	CHECK_EQUAL(restore(store), 0); /* it is gone */
	store_free(store);
	store_free(fresh);
}

static size_t good_file(char bytes[FILE_SIZE])
{
	struct sma_store *store = keeping_store();
	size_t size;

	program(store, 1, 7);
	keep(store, 2, true, false);
	CHECK_EQUAL(sync_new(store), 0);
	size = read_file(path, bytes);
	store_free(store);
	return size;
}

static void test_damaged(void)
{
	char bytes[FILE_SIZE];
	size_t size = good_file(bytes);

	for (size_t i = 0; i < size; i++) {
		char good = bytes[i];

		for (unsigned bit = 0; bit < 8; bit++) {
			unit_case("byte %zu, bit %u", i, bit);
			bytes[i] = (char)(good ^ 1 << bit);
			check_set_aside(bytes, size, "the file ");
		}
		unit_case("byte %zu, zero", i);
		bytes[i] = '\0';
		check_set_aside(bytes, size, "the file ");
		bytes[i] = good;
	}
	unit_case(NULL);
	clear();
}

static void test_truncated(void)
{
	char bytes[FILE_SIZE];
	size_t size = good_file(bytes);

	for (size_t i = 0; i < size; i++) {
		unit_case("%zu bytes", i);
		check_set_aside(bytes, i, "the file ");
	}
	check_set_aside(bytes, 0, "has lost its end");
	unit_case(NULL);
	clear();
}

static void test_appended(void)
{
	char bytes[FILE_SIZE];
	size_t size = good_file(bytes);

	bytes[size] = '\n';
	check_set_aside(bytes, size + 1, "has lines after its checksum");
	bytes[size] = '\0';
	check_set_aside(bytes, size + 1, "has lines after its checksum");
	memcpy(bytes + size, bytes, size);
	check_set_aside(bytes, 2 * size, "has lines after its checksum");
	clear();
}

static void test_foreign(void)
{
	struct sma_store *other = new_store(SMA_NODE_CA, NODE_GUID + 1, PKEYS);
	char bytes[FILE_SIZE];

	keep(other, 1, true, true);
	program(other, 1, 7);
	CHECK_EQUAL(sync_new(other), 0);
	check_set_aside(bytes, read_file(path, bytes), "is of another node");
	store_free(other);
	clear();
}

/* ---- lines with a right checksum ---- */

#define HEAD       "ibsmad-nvram 1\nnode 0x0000000000001000\n"
#define UNREADABLE "has a line that cannot be understood"
#define M_KEYS     "has a line with another M_Key than it can be"
#define P_KEYS     "has a line with other P_Keys than there can be"

static const struct {
	const char *text;
	const char *wrong; /* NULL: it is good */
} lines[] = {
	{HEAD, NULL},
	{HEAD "m_key 1 0x1 3 65535\n", NULL},
	{HEAD "m_key 254 1 0 0\n", NULL}, /* a port that the node does not have */
	{HEAD "p_key 1 65535 1 2 3\n", NULL},
	{HEAD "p_key 1 39 1 2\np_key 2 0\np_key 0 0 1\n", NULL},
	{"", "has lost its beginning"},
	{"ibsmad-nvram 1\n", "has lost its beginning"},
	{"ibsmad-nvram 2\nnode 0x0000000000001000\n", "does not begin with \"ibsmad-nvram 1\""},
	{"ibsmad-nvram 1\nm_key 1 1 0 0\n", "does not name its node in the second line"},
	{"ibsmad-nvram 1\nnode 0x1000\n", "is of another node"},
	{HEAD "\n", UNREADABLE},
	{HEAD "x\n", UNREADABLE},
	{HEAD "m_key\n", UNREADABLE},
	{HEAD "m_key x\n", UNREADABLE},
	{HEAD "m_key -1 1 1 1\n", UNREADABLE},
	{HEAD "m_key 1 1 1 1 \n", UNREADABLE},
	{HEAD "m_key 255 1 1 1\n", UNREADABLE},
	{HEAD "m_key 1 0x10000000000000000 1 1\n", UNREADABLE},
	{HEAD "m_key 1 1 1\n", M_KEYS},
	{HEAD "m_key 1 1 1 1 1\n", M_KEYS},
	{HEAD "m_key 1 1 4 1\n", M_KEYS},
	{HEAD "m_key 1 1 1 65536\n", M_KEYS},
	{HEAD "p_key 1\n", P_KEYS},
	{HEAD "p_key 1 65536\n", P_KEYS},
	{HEAD "p_key 1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", UNREADABLE},
	{HEAD "p_key 1 0 65536\n", P_KEYS},
};

/* A file with the lines and their FNV-1a checksum. */
static size_t with_checksum(const char *text, char bytes[FILE_SIZE])
{
	uint64_t checksum = 0xCBF29CE484222325ULL;

	for (const char *p = text; *p; p++)
		checksum = (checksum ^ (uint8_t)*p) * 0x100000001B3ULL;
	return (size_t)snprintf(bytes, FILE_SIZE, "%schecksum 0x%016" PRIx64 "\n", text, checksum);
}

static void test_lines(void)
{
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		struct sma_store *store = keeping_store();
		char bytes[FILE_SIZE];
		size_t size = with_checksum(lines[i].text, bytes);

		unit_case("%s", lines[i].text);
		if (lines[i].wrong) {
			check_set_aside(bytes, size, lines[i].wrong);
		} else {
			write_file(bytes, size);
			CHECK_EQUAL(restore(store), 0);
			CHECK_EQUAL(sync_new(store), 0);
		}
		store_free(store);
		clear();
	}
	unit_case(NULL);
}

/* ---- kill -9 ---- */

static void sync_for_ever(void)
{
	struct sma_store *store = keeping_store();
	struct nvram nvram;

	nvram_init(&nvram, path);
	for (unsigned seed = 0;; seed++) {
		program(store, 1, seed);
		if (nvram_sync(&nvram, store) < 0)
			_exit(1);
	}
}

/* The seed of the state that a store is in, by its M_Key; all else must be of the same. */
static bool is_consistent(const struct sma_store *store)
{
	struct sma_store *wanted = keeping_store();
	uint64_t key = sma_component_get(store->port[1].info, SMA_PortInfo_M_Key);
	bool good;

	program(wanted, 1, (unsigned)key);
	good = key == 0 || same(wanted, store);
	store_free(wanted);
	return good;
}

static void test_kill(void)
{
	unsigned seed = unit_seed();
	unsigned kept = 0;

	for (unsigned i = 0; i < 50; i++) {
		const struct timespec time = {.tv_nsec = random() % 20000000};
		struct sma_store *store = keeping_store();
		pid_t child = fork();

		unit_case("seed %u, kill %u", seed, i);
		if (child == 0)
			sync_for_ever();
		nanosleep(&time, NULL);
		CHECK_EQUAL(kill(child, SIGKILL), 0);
		CHECK_EQUAL(waitpid(child, NULL, 0), child);
		CHECK_EQUAL(restore(store), 0);
		CHECK(is_consistent(store));
		kept += exists(path);
		store_free(store);
	}
	unit_case(NULL);
	CHECK(kept > 0);
	clear();
}

static const struct unit_test tests[] = {
	{"round trip", test_round_trip},
	{"the text", test_text},
	{"what each capability keeps", test_bits},
	{"port 0 of a switch", test_switch},
	{"an empty P_Key table", test_empty_table},
	{"a node that has changed", test_changed_node},
	{"writing after changes only", test_only_changes},
	{"no writing after restoring", test_not_after_restore},
	{"mode and leftovers", test_mode},
	{"folders that cannot be written", test_unwritable},
	{"a full disk", test_full},
	{"a missing file", test_missing},
	{"a file that cannot be read", test_unreadable},
	{"files that cannot be set aside", test_stuck},
	{"every bit damaged", test_damaged},
	{"cut at every length", test_truncated},
	{"more than the file", test_appended},
	{"the file of another node", test_foreign},
	{"lines with a right checksum", test_lines},
	{"killed while writing", test_kill},
};

int main(void)
{
	int status;

	if (!mkdtemp(folder))
		return EXIT_FAILURE;
	snprintf(path, sizeof(path), "%s/n", folder);
	snprintf(damaged_path, sizeof(damaged_path), "%s/n.damaged", folder);
	snprintf(new_path, sizeof(new_path), "%s/n.new", folder);
	status = UNIT_MAIN("nvram", tests);
	rmdir(folder);
	return status;
}
