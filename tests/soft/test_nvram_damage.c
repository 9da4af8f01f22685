// SPDX-License-Identifier: BSD-2-Clause
/* What the software SMA keeps when its file is damaged, and when writing fails or is cut short. */
#include <errno.h>
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

#include "sma/log.h"
#include "tests/fakes/slow_disk.h"
#include "tests/logged.h"
#include "tests/soft/nvram_fixture.h"
#include "tests/unit.h"

/* ---- what cannot be written ---- */

/* A failure is told once and answers no longer wait for it; it is tried again after some seconds, and told
 * when it is over. */
static void test_unwritable(void)
{
	enum { RETRY_MS = 10000, START = 1000 };
	char inner[BENCH_PATH_SIZE + 8];
	struct nvram_fixture fixture;
	struct nvram nvram;

	nvram_fixture_open(&fixture);
	snprintf(inner, sizeof(inner), "%s/f", fixture.path);
	logged_start(false);
	CHECK_EQUAL(nvram_init(&nvram, inner), 0);
	CHECK_EQUAL(nvram_fixture_await(&nvram, fixture.state, START), -ENOENT);
	CHECK_EQUAL(logged_with("cannot be written: No such file or directory; keys set now are lost"), 1);
	CHECK_EQUAL(nvram_process(&nvram, fixture.state, false, START), START + RETRY_MS);
	nvram_process(&nvram, fixture.state, false, START + RETRY_MS - 1);
	CHECK_EQUAL(nvram.version, 1);
	CHECK_EQUAL(nvram_fixture_await(&nvram, fixture.state, START + RETRY_MS), -ENOENT);
	nvram_fixture_program(fixture.state, 1, 1); /* what is new is tried at once */
	CHECK_EQUAL(nvram_fixture_await(&nvram, fixture.state, START + RETRY_MS + 1), -ENOENT);
	CHECK_EQUAL(nvram.version, 3);
	CHECK_EQUAL(logged_level(SMA_LOG_ERROR), 1);
	CHECK_EQUAL(mkdir(fixture.path, 0700), 0);
	CHECK_EQUAL(nvram_fixture_await(&nvram, fixture.state, START + 3 * RETRY_MS), 0);
	CHECK_EQUAL(logged_with("is written again"), 1);
	CHECK_EQUAL(nvram_process(&nvram, fixture.state, true, START + 9 * RETRY_MS), UINT64_MAX);
	CHECK_EQUAL(nvram.version, 4);
	CHECK(nvram_fixture_exists(inner));
	nvram_finish(&nvram);
	logged_stop();
	unlink(inner);
	nvram_fixture_close(&fixture);
}

/* While the disk is busy the node goes on, and what comes meanwhile is kept as well. */
static void test_slow(void)
{
	struct nvram_fixture fixture;
	struct nvram nvram;

	nvram_fixture_open(&fixture);
	logged_start(false);
	CHECK_EQUAL(nvram_init(&nvram, fixture.path), 0);
	slow_disk_hold();
	CHECK_EQUAL(nvram_process(&nvram, fixture.state, true, 0), UINT64_MAX);
	CHECK(slow_disk_await());
	for (unsigned seed = 1; seed < 4; seed++) {
		nvram_fixture_program(fixture.state, 1, seed);
		nvram_process(&nvram, fixture.state, true, seed);
	}
	CHECK_EQUAL(nvram.version, 4);
	CHECK_EQUAL(nvram.settled, 0);
	slow_disk_go();
	CHECK_EQUAL(nvram_fixture_await(&nvram, fixture.fresh, 0), 0);
	nvram_process(&nvram, fixture.state, true, 5);
	nvram_finish(&nvram); /* and so at the end */
	CHECK_EQUAL(logged_level(SMA_LOG_ERROR), 0);
	CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.again), 0);
	CHECK(nvram_fixture_same(fixture.again, fixture.state));
	CHECK_EQUAL(nvram_init(&nvram, fixture.path), 0);
	slow_disk_fail(EIO);
	nvram_process(&nvram, fixture.state, true, 0);
	nvram_finish(&nvram); /* which says what has become of it */
	slow_disk_fail(0);
	CHECK_EQUAL(logged_with("cannot be written: Input/output error"), 1);
	logged_stop();
	nvram_fixture_close(&fixture);
}

/* The old file stays until the new one is whole. */
static void test_full(void)
{
	struct soft_state *changed = nvram_fixture_node();
	struct nvram_fixture fixture;
	struct rlimit limit, low;
	int rc;

	nvram_fixture_open(&fixture);
	nvram_fixture_program(fixture.state, 1, 1);
	nvram_fixture_program(changed, 1, 2);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, fixture.state), 0);
	getrlimit(RLIMIT_FSIZE, &limit);
	low = (struct rlimit){100, limit.rlim_max};
	logged_start(false); /* standard error may be a file, too */
	setrlimit(RLIMIT_FSIZE, &low);
	rc = nvram_fixture_sync(&fixture, changed);
	setrlimit(RLIMIT_FSIZE, &limit);
	logged_stop();
	CHECK_EQUAL(rc, -EFBIG);
	CHECK(!nvram_fixture_exists(fixture.new_path));
	CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.again), 0);
	CHECK(nvram_fixture_same(fixture.again, fixture.state));
	state_free(changed);
	nvram_fixture_close(&fixture);
}

/* ---- what cannot be used ---- */

static void test_missing(void)
{
	struct nvram_fixture fixture;

	nvram_fixture_open(&fixture);
	CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.state), 0);
	CHECK_TEXT(fixture.error, "");
	CHECK(nvram_fixture_same(fixture.state, fixture.fresh));
	nvram_fixture_close(&fixture);
}

/* What is no file is left alone: a folder, a FIFO that nobody writes to, a device. */
static void test_no_file(void)
{
	static const char *const kinds[] = {"folder", "FIFO", "device"};

	for (size_t i = 0; i < UNIT_COUNT(kinds); i++) {
		struct nvram_fixture fixture;
		struct stat before, after;

		unit_case("%s", kinds[i]);
		nvram_fixture_open(&fixture);
		CHECK_EQUAL(i == 0   ? mkdir(fixture.path, 0700)
		            : i == 1 ? mkfifo(fixture.path, 0600)
		                     : symlink("/dev/zero", fixture.path),
		            0);
		CHECK_EQUAL(lstat(fixture.path, &before), 0);
		CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.state), -EINVAL);
		CHECK(strstr(fixture.error, fixture.path) == fixture.error &&
		      strstr(fixture.error, ": expected a regular file or none; remove what is there"));
		CHECK(nvram_fixture_same(fixture.state, fixture.fresh));
		CHECK_EQUAL(lstat(fixture.path, &after), 0);
		CHECK_EQUAL(after.st_mode, before.st_mode);
		nvram_fixture_close(&fixture);
	}
	unit_case(NULL);
}

/* A file whose folder is none, and a damaged one whose place is taken. */
static void test_stuck(void)
{
	struct nvram_fixture fixture;
	char inner[BENCH_PATH_SIZE + 8];
	struct nvram nvram;

	nvram_fixture_open(&fixture);
	snprintf(inner, sizeof(inner), "%s/f", fixture.path);
	nvram_fixture_write(&fixture, "x", 1);
	CHECK_EQUAL(nvram_init(&nvram, inner), 0);
	CHECK_EQUAL(nvram_restore(&nvram, fixture.state, fixture.error, sizeof(fixture.error)), -ENOTDIR);
	nvram_finish(&nvram);
	CHECK(strstr(fixture.error, inner) == fixture.error && strstr(fixture.error, strerror(ENOTDIR)));
	CHECK_EQUAL(mkdir(fixture.damaged_path, 0700), 0);
	CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.state), -EISDIR);
	CHECK(strstr(fixture.error, "cannot be set aside: Is a directory"));
	CHECK(nvram_fixture_exists(fixture.path));
	nvram_fixture_close(&fixture);
}

/* ---- what is set aside ---- */

/* That a file is set aside, and leaves the state to be restored as it was. */
static void check_set_aside(struct nvram_fixture *fixture, const char *bytes, size_t size, const char *wrong)
{
	char kept[BENCH_FILE_SIZE];

	nvram_fixture_write(fixture, bytes, size);
	CHECK_EQUAL(nvram_fixture_restore(fixture, fixture->again), -EBADMSG);
	CHECK(nvram_fixture_same(fixture->again, fixture->fresh));
	CHECK(!nvram_fixture_exists(fixture->path));
	CHECK_EQUAL(nvram_fixture_read(fixture->damaged_path, kept), size);
	CHECK(memcmp(kept, bytes, size) == 0);
	CHECK(strstr(fixture->error, wrong) && strstr(fixture->error, fixture->path) == fixture->error &&
	      strstr(fixture->error, fixture->damaged_path));
	CHECK_EQUAL(nvram_fixture_restore(fixture, fixture->again), 0); /* it is gone */
}

/* A fixture with a good file. The size of the file. */
static size_t open_good(struct nvram_fixture *fixture, char bytes[BENCH_FILE_SIZE])
{
	nvram_fixture_open(fixture);
	nvram_fixture_program(fixture->state, 1, 7);
	nvram_fixture_keep(fixture->state, 2, true, false);
	CHECK_EQUAL(nvram_fixture_sync(fixture, fixture->state), 0);
	return nvram_fixture_read(fixture->path, bytes);
}

static void test_damaged(void)
{
	struct nvram_fixture fixture;
	char bytes[BENCH_FILE_SIZE];
	size_t size = open_good(&fixture, bytes);

	for (size_t i = 0; i < size; i++) {
		char good = bytes[i];

		for (unsigned bit = 0; bit < 8; bit++) {
			unit_case("byte %zu, bit %u", i, bit);
			bytes[i] = (char)(good ^ 1 << bit);
			check_set_aside(&fixture, bytes, size, "the file ");
		}
		unit_case("byte %zu, zero", i);
		bytes[i] = '\0';
		check_set_aside(&fixture, bytes, size, "the file ");
		bytes[i] = good;
	}
	unit_case(NULL);
	nvram_fixture_close(&fixture);
}

static void test_truncated(void)
{
	struct nvram_fixture fixture;
	char bytes[BENCH_FILE_SIZE];
	size_t size = open_good(&fixture, bytes);

	for (size_t i = 0; i < size; i++) {
		unit_case("%zu bytes", i);
		check_set_aside(&fixture, bytes, i, "the file ");
	}
	check_set_aside(&fixture, bytes, 0, "has lost its end");
	unit_case(NULL);
	nvram_fixture_close(&fixture);
}

#define CHECKSUM "has lost its end, or its checksum is wrong"

static void test_appended(void)
{
	struct nvram_fixture fixture;
	char bytes[BENCH_FILE_SIZE];
	size_t size = open_good(&fixture, bytes);

	bytes[size] = '\n';
	check_set_aside(&fixture, bytes, size + 1, CHECKSUM);
	bytes[size] = '\0';
	check_set_aside(&fixture, bytes, size + 1, CHECKSUM);
	memcpy(bytes + size, bytes, size);
	check_set_aside(&fixture, bytes, 2 * size, CHECKSUM);
	nvram_fixture_close(&fixture);
}

static void test_foreign(void)
{
	struct soft_state *other = nvram_fixture_state(SMA_NODE_CA, BENCH_NODE_GUID + 1, BENCH_PKEYS);
	struct nvram_fixture fixture;
	char bytes[BENCH_FILE_SIZE];

	nvram_fixture_open(&fixture);
	nvram_fixture_keep(other, 1, true, true);
	nvram_fixture_program(other, 1, 7);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, other), 0);
	check_set_aside(&fixture, bytes, nvram_fixture_read(fixture.path, bytes), "is of another node");
	state_free(other);
	nvram_fixture_close(&fixture);
}

/* ---- lines with a right checksum ---- */

#define HEAD       "ibsmad-nvram 1\nnode 0x0000000000001000\n"
#define UNREADABLE "has a line that cannot be understood"

static const struct {
	const char *text;
	const char *wrong; /* NULL: it is good */
} lines[] = {
	{HEAD, NULL},
	{HEAD "m_key 1 0x1 3 65535\n", NULL},
	{HEAD "m_key 254 1 0 0\n", NULL}, /* a port that the node does not have */
	{HEAD "p_key 1 65535 1 2 3\n", NULL},
	{HEAD "p_key 1 39 1 2\np_key 2 0\np_key 0 0 1\n", NULL},
	{"", "does not begin with \"ibsmad-nvram 1\""},
	{"ibsmad-nvram 1\n", "is of another node"},
	{"ibsmad-nvram 2\nnode 0x0000000000001000\n", "does not begin with \"ibsmad-nvram 1\""},
	{"ibsmad-nvram 1\nm_key 1 1 0 0\n", "is of another node"},
	{"ibsmad-nvram 1\nnode 0x1000\n", "is of another node"},
	{HEAD "m_key 1 1 1 1", "holds something else than lines of text"},
	{HEAD "\n", UNREADABLE},
	{HEAD "x\n", UNREADABLE},
	{HEAD "m_key\n", UNREADABLE},
	{HEAD "m_key x\n", UNREADABLE},
	{HEAD "m_key -1 1 1 1\n", UNREADABLE},
	{HEAD "m_key 1 1 1 1 \n", UNREADABLE},
	{HEAD "m_key 255 1 1 1\n", UNREADABLE},
	{HEAD "m_key 1 0x10000000000000000 1 1\n", UNREADABLE},
	{HEAD "m_key 1 1 1\n", UNREADABLE},
	{HEAD "m_key 1 1 1 1 1\n", UNREADABLE},
	{HEAD "m_key 1 1 4 1\n", UNREADABLE},
	{HEAD "m_key 1 1 1 65536\n", UNREADABLE},
	{HEAD "p_key 1\n", UNREADABLE},
	{HEAD "p_key 1 65536\n", UNREADABLE},
	{HEAD "p_key 1 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", UNREADABLE},
	{HEAD "p_key 1 0 65536\n", UNREADABLE},
};

/* A file with the lines and their FNV-1a checksum. */
static size_t with_checksum(const char *text, char bytes[BENCH_FILE_SIZE])
{
	uint64_t checksum = 0xCBF29CE484222325ULL;

	for (const char *p = text; *p; p++)
		checksum = (checksum ^ (uint8_t)*p) * 0x100000001B3ULL;
	return (size_t)snprintf(bytes, BENCH_FILE_SIZE, "%schecksum 0x%016" PRIx64 "\n", text, checksum);
}

static void test_lines(void)
{
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		struct nvram_fixture fixture;
		char bytes[BENCH_FILE_SIZE];
		size_t size = with_checksum(lines[i].text, bytes);

		unit_case("%s", lines[i].text);
		nvram_fixture_open(&fixture);
		if (lines[i].wrong) {
			check_set_aside(&fixture, bytes, size, lines[i].wrong);
		} else {
			nvram_fixture_write(&fixture, bytes, size);
			CHECK_EQUAL(nvram_fixture_restore(&fixture, fixture.state), 0);
			CHECK_EQUAL(nvram_fixture_sync(&fixture, fixture.state), 0);
		}
		nvram_fixture_close(&fixture);
	}
	unit_case(NULL);
}

/* ---- kill -9 ---- */

static void sync_for_ever(const struct nvram_fixture *fixture)
{
	struct nvram nvram;

	if (nvram_init(&nvram, fixture->path) < 0)
		_exit(1);
	for (unsigned seed = 0;; seed++) {
		nvram_fixture_program(fixture->state, 1, seed);
		if (nvram_fixture_await(&nvram, fixture->state, 0) < 0)
			_exit(1);
	}
}

/* The seed that a state was programmed with, by its M_Key; all else must be of the same. */
static bool is_consistent(const struct soft_state *state)
{
	struct soft_state *wanted = nvram_fixture_node();
	uint64_t key = sma_component_get(state->port[1].info, SMA_PortInfo_M_Key);
	bool good;

	nvram_fixture_program(wanted, 1, (unsigned)key);
	good = key == 0 || nvram_fixture_same(wanted, state);
	state_free(wanted);
	return good;
}

static void test_kill(void)
{
	struct nvram_fixture fixture;
	unsigned seed = unit_seed();
	unsigned kept = 0;

	nvram_fixture_open(&fixture);
	for (unsigned i = 0; i < 50; i++) {
		const struct timespec time = {.tv_nsec = random() % 20000000};
		struct soft_state *state = nvram_fixture_node();
		pid_t child = fork();

		unit_case("seed %u, kill %u", seed, i);
		if (child == 0)
			sync_for_ever(&fixture);
		nanosleep(&time, NULL);
		CHECK_EQUAL(kill(child, SIGKILL), 0);
		CHECK_EQUAL(waitpid(child, NULL, 0), child);
		CHECK_EQUAL(nvram_fixture_restore(&fixture, state), 0);
		CHECK(is_consistent(state));
		kept += nvram_fixture_exists(fixture.path);
		state_free(state);
	}
	unit_case(NULL);
	CHECK(kept > 0);
	nvram_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"a folder that cannot be written, and can again", test_unwritable},
	{"a slow disk", test_slow},
	{"a full disk", test_full},
	{"a missing file", test_missing},
	{"what is no file", test_no_file},
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
	return UNIT_MAIN("nvram_damage", tests);
}
