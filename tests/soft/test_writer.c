// SPDX-License-Identifier: BSD-2-Clause
/* Files that are written by a thread, on disks that are slow, full or closed. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sma/soft/file/writer.h"
#include "tests/fakes/slow_disk.h"
#include "tests/unit.h"

enum { PATH_SIZE = UNIT_FOLDER_SIZE + 16, LIMIT_MS = 60000 };

struct fixture {
	char folder[UNIT_FOLDER_SIZE];
	char path[PATH_SIZE];
	char new_path[PATH_SIZE];
	struct writer *writer;
	struct written written; /* as reported last */
};

static void begin(struct fixture *b)
{
	*b = (struct fixture){0};
	CHECK(unit_folder(b->folder));
	snprintf(b->path, sizeof(b->path), "%s/f", b->folder);
	snprintf(b->new_path, sizeof(b->new_path), "%s/f.new", b->folder);
	b->writer = writer_new(b->path);
}

static void end(struct fixture *b)
{
	writer_free(b->writer);
	remove(b->path);
	CHECK_EQUAL(rmdir(b->folder), 0); /* nothing else is left */
}

static void put(struct fixture *b, uint64_t version, const char *text)
{
	CHECK_EQUAL(writer_put(b->writer, version, strdup(text), strlen(text)), 0);
}

/* Wait for the end of a write. */
static bool await(struct fixture *b)
{
	struct pollfd fd = {.fd = writer_fd(b->writer), .events = POLLIN};

	return CHECK_EQUAL(poll(&fd, 1, LIMIT_MS), 1) && CHECK(writer_take(b->writer, &b->written));
}

static bool is_told(struct fixture *b)
{
	struct pollfd fd = {.fd = writer_fd(b->writer), .events = POLLIN};
	bool readable = poll(&fd, 1, 0) == 1;

	CHECK_EQUAL(writer_take(b->writer, &b->written), readable);
	return readable;
}

static void check_file(const char *path, const char *wanted)
{
	char text[64] = "";
	FILE *file = fopen(path, "r");

	if (!CHECK(file))
		return;
	CHECK_EQUAL(fread(text, 1, sizeof(text) - 1, file), strlen(wanted));
	CHECK_TEXT(text, wanted);
	fclose(file);
}

static void leave(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void test_contents(void)
{
	mode_t mask = umask(0);
	struct stat status;
	struct fixture b;

	begin(&b);
	leave(b.path, "what others may read");
	leave(b.new_path, "what a crash left");
	CHECK(!is_told(&b));
	put(&b, 7, "contents");
	CHECK(await(&b));
	CHECK_EQUAL(b.written.version, 7);
	CHECK_EQUAL(b.written.error, 0);
	CHECK(!is_told(&b));
	check_file(b.path, "contents");
	CHECK_EQUAL(stat(b.path, &status), 0);
	CHECK_EQUAL(status.st_mode & 07777, 0600);
	umask(mask);
	end(&b);
}

/* The name of a file in the present folder. */
static void test_bare_name(void)
{
	char *before = getcwd(NULL, 0);
	struct fixture b;

	begin(&b);
	writer_free(b.writer);
	CHECK_EQUAL(chdir(b.folder), 0);
	b.writer = writer_new("f");
	put(&b, 1, "contents");
	CHECK(await(&b));
	CHECK_EQUAL(b.written.error, 0);
	check_file(b.path, "contents");
	CHECK_EQUAL(chdir(before), 0);
	free(before);
	end(&b);
}

/* While the disk is busy with one version, of those that are put only the last is worth writing. */
static void test_slow(void)
{
	struct fixture b;

	begin(&b);
	slow_disk_hold();
	put(&b, 1, "one");
	CHECK(slow_disk_await());
	put(&b, 2, "two");
	put(&b, 3, "three");
	CHECK(!is_told(&b));
	CHECK(access(b.path, F_OK) < 0); /* nothing there before it lasts */
	slow_disk_go();
	while (b.written.version < 3 && await(&b))
		CHECK(b.written.error == 0 && b.written.version != 2);
	check_file(b.path, "three");
	end(&b);
}

static void test_end(void)
{
	struct fixture b;

	begin(&b);
	slow_disk_hold();
	put(&b, 1, "one");
	CHECK(slow_disk_await());
	put(&b, 2, "two");
	slow_disk_go();
	writer_free(b.writer);
	check_file(b.path, "two");
	b.writer = writer_new(b.path); /* that is never used */
	end(&b);
	writer_free(NULL);
}

/* A write that fails leaves the file as it was, and the next one may not fail. */
static void check_failure(struct fixture *b, int error)
{
	put(b, 2, "new contents");
	CHECK(await(b));
	CHECK_EQUAL(b->written.version, 2);
	CHECK_EQUAL(b->written.error, error);
	check_file(b->path, "old");
	CHECK(access(b->new_path, F_OK) < 0);
}

static void check_success(struct fixture *b)
{
	put(b, 3, "newest");
	CHECK(await(b));
	CHECK_EQUAL(b->written.error, 0);
	check_file(b->path, "newest");
}

static void test_disk_error(void)
{
	struct fixture b;

	begin(&b);
	leave(b.path, "old");
	slow_disk_fail(EIO);
	check_failure(&b, -EIO);
	slow_disk_fail(0);
	check_success(&b);
	end(&b);
}

/* The signal that says so by default ends a program. */
static void test_limit(void)
{
	struct rlimit before, low;
	struct fixture b;

	begin(&b);
	leave(b.path, "old");
	getrlimit(RLIMIT_FSIZE, &before);
	low = (struct rlimit){10, before.rlim_max};
	setrlimit(RLIMIT_FSIZE, &low);
	check_failure(&b, -EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	check_success(&b);
	end(&b);
}

/* A folder that is not there, and is made later. */
static void test_folder(void)
{
	char inner[PATH_SIZE + 8];
	struct fixture b;

	begin(&b);
	writer_free(b.writer);
	snprintf(inner, sizeof(inner), "%s/f", b.path);
	b.writer = writer_new(inner);
	put(&b, 1, "one");
	CHECK(await(&b));
	CHECK_EQUAL(b.written.error, -ENOENT);
	CHECK_EQUAL(mkdir(b.path, 0700), 0);
	put(&b, 2, "two");
	CHECK(await(&b));
	CHECK_EQUAL(b.written.error, 0);
	check_file(inner, "two");
	unlink(inner);
	end(&b);
}

/* What stands in the place of the file is no file. */
static void test_occupied(void)
{
	struct fixture b;

	begin(&b);
	CHECK_EQUAL(mkdir(b.path, 0700), 0);
	put(&b, 1, "one");
	CHECK(await(&b));
	CHECK_EQUAL(b.written.error, -EISDIR);
	end(&b);
}

static const struct unit_test tests[] = {
	{"contents and mode", test_contents},
	{"a name without a folder", test_bare_name},
	{"versions that are put while the disk is busy", test_slow},
	{"the end waits for the disk", test_end},
	{"a disk with errors", test_disk_error},
	{"a limit of the size of files", test_limit},
	{"a folder that is missing", test_folder},
	{"a folder in the place of the file", test_occupied},
};

int main(void)
{
	return UNIT_MAIN("writer", tests);
}
