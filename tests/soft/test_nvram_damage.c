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

/* A failure is reported once and answers no longer wait for it; it is tried again after some seconds, and its
 * end is reported, too. */
static void test_unwritable(void)
{
	enum { RETRY_MS = 10000, START = 1000 };
	char inner[FIXTURE_PATH_SIZE + 8];
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

/* While the disk is busy the node continues, and what comes meanwhile is kept as well. */
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
	char inner[FIXTURE_PATH_SIZE + 8];
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
	char kept[FIXTURE_FILE_SIZE];

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
static size_t open_good(struct nvram_fixture *fixture, char bytes[FIXTURE_FILE_SIZE])
{
	nvram_fixture_open(fixture);
	nvram_fixture_program(fixture->state, 1, 7);
	nvram_fixture_keep(fixture->state, 2, true, false);
	CHECK_EQUAL(nvram_fixture_sync(fixture, fixture->state), 0);
	return nvram_fixture_read(fixture->path, bytes);
}

/* A file with one byte changed is set aside, or it is a good one still: one that differs in a value. */
static void check_damaged(struct nvram_fixture *fixture, const char *bytes, size_t size)
{
	static const char aside[] = "; the file is set aside as ";
	struct soft_state *state = nvram_fixture_node();
	int rc;

	nvram_fixture_write(fixture, bytes, size);
	fixture->error[0] = '\0';
	rc = nvram_fixture_restore(fixture, state);
	CHECK(rc == 0 || rc == -EBADMSG);
	CHECK_EQUAL(nvram_fixture_exists(fixture->path), rc == 0);
	CHECK(!nvram_fixture_same(state, fixture->fresh) == (rc == 0));
	CHECK(rc == 0 || (strstr(fixture->error, "/n: line ") && strstr(fixture->error, aside)));
	CHECK_EQUAL(nvram_fixture_same_m_key(state, fixture->fresh, 2), 1);
	state_free(state);
}

static void test_damaged(void)
{
	struct nvram_fixture fixture;
	char bytes[FIXTURE_FILE_SIZE];
	size_t size = open_good(&fixture, bytes);

	for (size_t i = 0; i < size; i++) {
		char good = bytes[i];

		for (unsigned bit = 0; bit < 8; bit++) {
			unit_case("byte %zu, bit %u", i, bit);
			bytes[i] = (char)(good ^ 1 << bit);
			check_damaged(&fixture, bytes, size);
		}
		bytes[i] = good;
	}
	unit_case(NULL);
	nvram_fixture_close(&fixture);
}

/* What a disk makes of blocks that it has lost. */
static void test_zeros(void)
{
	struct nvram_fixture fixture;
	char bytes[FIXTURE_FILE_SIZE];
	size_t size = open_good(&fixture, bytes);

	for (size_t i = strcspn(bytes, "\n") + 1; i < size; i++) {
		char good = bytes[i];

		unit_case("byte %zu", i);
		bytes[i] = '\0';
		check_set_aside(&fixture, bytes, size, "expected text, not the byte 0x00");
		bytes[i] = good;
	}
	unit_case(NULL);
	memset(bytes, 0, size);
	check_set_aside(&fixture, bytes, size, "/n: line 1: expected text, not the byte 0x00");
	nvram_fixture_close(&fixture);
}

static void test_truncated(void)
{
	struct nvram_fixture fixture;
	char bytes[FIXTURE_FILE_SIZE];
	size_t size = open_good(&fixture, bytes);

	for (size_t i = 0; i < size; i++) {
		unit_case("%zu bytes", i);
		check_set_aside(&fixture, bytes, i, "/n: line ");
	}
	check_set_aside(&fixture, bytes, 0,
	                "/n: line 1: expected a last line nodeGuid GUID: the file has lost its end");
	unit_case(NULL);
	nvram_fixture_close(&fixture);
}

static void test_appended(void)
{
	struct nvram_fixture fixture;
	char bytes[FIXTURE_FILE_SIZE];
	size_t size = open_good(&fixture, bytes);

	bytes[size] = '\0';
	check_set_aside(&fixture, bytes, size + 1, "expected text, not the byte 0x00");
	memcpy(bytes + size, bytes, size);
	check_set_aside(&fixture, bytes, 2 * size, "expected no line behind the last");
	nvram_fixture_close(&fixture);
}

static void test_foreign(void)
{
	struct soft_state *other = nvram_fixture_state(SMA_NODE_CA, FIXTURE_NODE_GUID + 1, FIXTURE_PKEYS);
	struct nvram_fixture fixture;
	char bytes[FIXTURE_FILE_SIZE];

	nvram_fixture_open(&fixture);
	nvram_fixture_keep(other, 1, true, true);
	nvram_fixture_program(other, 1, 7);
	CHECK_EQUAL(nvram_fixture_sync(&fixture, other), 0);
	check_set_aside(
		&fixture, bytes, nvram_fixture_read(fixture.path, bytes),
		": nodeGuid 0x0000000000001001: expected 0x0000000000001000: the file is of another node");
	state_free(other);
	nvram_fixture_close(&fixture);
}

/* ---- lines ---- */

#define TAIL     "nodeGuid 0x1000\n"
#define OLD_HEAD "ibsmad-nvram 1\nnode 0x0000000000001000\n"
#define OLD_TAIL "checksum 0x0123456789abcdef\n"
#define LOST     "expected a last line nodeGuid GUID: the file has lost its end"

static const struct {
	const char *text;
	const char *wrong; /* NULL: it is good */
} lines[] = {
	{TAIL, NULL},
	{"\n# by hand\n  MKEY 1 0x1 3 65535 # why\r\n" TAIL "\n# end\n", NULL},
	{"mKey 254 1 0 0\npKey 2 0 1\npKey 0 0 1\n" TAIL,
         NULL}, /* ports that keep nothing, or are not there */
	{"pKey 1 65535 1\npKey 1 39-40 1\n" TAIL, NULL},
	{"mKey 1 1 1 1\n", "n: line 2: " LOST},
	{"nodeGuid 0x1000", "n: line 2: " LOST},
	{"nodeGuid 0x1001\n",
         "n: line 1: nodeGuid 0x1001: expected 0x0000000000001000: the file is of another node"},
	{TAIL TAIL, "n: line 2: nodeGuid: expected no line behind the last"},
	{"nodeType ca\n" TAIL, "n: line 1: nodeType: unknown token; "},
	{"mKeys 1 1 0 0\n" TAIL, "n: line 1: mKeys: unknown token; the nearest is mKey"},
	{"\nmKey\n" TAIL, "n: line 2: mKey: expected mKey PORT KEY PROTECT LEASE"},
	{"mKey -1 1 1 1\n" TAIL, "n: line 1: mKey ...: expected a port, 0 to 254"},
	{"mKey 255 1 1 1\n" TAIL, "n: line 1: mKey ...: expected a port, 0 to 254"},
	{"mKey 1 0x10000000000000000 1 1\n" TAIL,
         "n: line 1: mKey ...: expected an M_Key, 0x0 to 0xFFFFFFFFFFFFFFFF"},
	{"mKey 1 1 1\n" TAIL, "n: line 1: mKey: expected mKey PORT KEY PROTECT LEASE"},
	{"mKey 1 1 4 1\n" TAIL, "n: line 1: mKey ...: expected a protection level, 0 to 3"},
	{"mKey 1 1 1 65536\n" TAIL, "n: line 1: mKey ...: expected a lease period in seconds, 0 to 65535"},
	{"pKey 1 0\n" TAIL, "n: line 1: pKey: expected pKey PORT ENTRIES P_KEY"},
	{"pKey all 0 1\n" TAIL, "n: line 1: pKey all: expected a port, 0 to 254"},
	{"pKey 1 65536 1\n" TAIL, "n: line 1: pKey 65536: expected entries, 0 to 65535"},
	{"pKey 1 0 65536\n" TAIL, "n: line 1: pKey 65536: expected a P_Key, 0 to 65535"},
	{OLD_HEAD OLD_TAIL, NULL},
	{OLD_HEAD "m_key 1 0x1 3 65535\np_key 1 65535 1 2 3\np_key 1 39 1 2\np_key 2 0\n" OLD_TAIL, NULL},
	{OLD_HEAD, "n: line 3: " LOST},
	{"ibsmad-nvram 1\n" OLD_TAIL, "n: line 3: " LOST},
	{"ibsmad-nvram 2\n" OLD_TAIL, "n: line 1: ibsmad-nvram 2: expected a version, 1 only"},
	{"ibsmad-nvram 1\nnode 0x0000000000001001\n" OLD_TAIL, "the file is of another node"},
	{OLD_HEAD "p_key 1\n" OLD_TAIL, "n: line 3: p_key: expected p_key PORT FIRST [P_KEY ...]"},
	{OLD_HEAD "p_key 1 0 65536\n" OLD_TAIL, "n: line 3: p_key 65536: expected a P_Key, 0 to 65535"},
};

static void test_lines(void)
{
	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		const char *text = lines[i].text;
		struct nvram_fixture fixture;

		unit_case("%s", text);
		nvram_fixture_open(&fixture);
		if (lines[i].wrong) {
			check_set_aside(&fixture, text, strlen(text), lines[i].wrong);
		} else {
			nvram_fixture_write(&fixture, text, strlen(text));
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
	{"zeros", test_zeros},
	{"cut at every length", test_truncated},
	{"more than the file", test_appended},
	{"the file of another node", test_foreign},
	{"lines by hand", test_lines},
	{"killed while writing", test_kill},
};

int main(void)
{
	return UNIT_MAIN("nvram_damage", tests);
}
