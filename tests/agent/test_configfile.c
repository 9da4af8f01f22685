// SPDX-License-Identifier: BSD-2-Clause
/* Files of tokens and values: their lines, what is no such file, and where they are looked for. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/configfile.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { PATH_SIZE = UNIT_FOLDER_SIZE + 32, NOBODY = 65534 };

static char folder[UNIT_FOLDER_SIZE];
static char file[PATH_SIZE];
static char local[PATH_SIZE];
static char taken[1024]; /* "number token=value;" of each line */

static void take(const struct configfile_line *line)
{
	size_t used = strlen(taken);

	snprintf(taken + used, sizeof(taken) - used, "%u %s=%s;", line->number, line->token, line->value);
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
	FILE *out = fopen(path, "w");

	CHECK(out && fwrite(bytes, 1, size, out) == size && fclose(out) == 0);
}

static int read_bytes(const char *bytes, size_t size)
{
	write_bytes(file, bytes, size);
	taken[0] = '\0';
	return configfile_read(file, take);
}

static void test_lines(void)
{
	static const struct {
		const char *text, *taken;
	} files[] = {
		{"", ""},
		{"\n\n", ""},
		{"a 1", "1 a=1;"},
		{"a 1\nb 2\n", "1 a=1;2 b=2;"},
		{"# a 1\n  # b 2\nc 3\n", "3 c=3;"},
		{"  a \t 1 2  \t\n", "1 a=1 2;"},
		{"a\nb \n", "1 a=;2 b=;"},
		{"a 1\r\n\r\nb 2\r\n", "1 a=1;3 b=2;"},
		{"a 1 # no comment", "1 a=1 # no comment;"},
		{"a 1\\\nb", "1 a=1\\;2 b=;"},
	};

	for (size_t i = 0; i < UNIT_COUNT(files); i++) {
		unit_case("%s", files[i].text);
		CHECK_EQUAL(read_bytes(files[i].text, strlen(files[i].text)), 0);
		CHECK_TEXT(taken, files[i].taken);
	}
}

/* A NUL would hide the rest of its line. */
static void test_byte_0(void)
{
	static const char inside[] = "a 1\nport 1\0x\nb 2\n";
	static const char end[] = "a 1\n\0";
	char place[PATH_SIZE + 64];

	logged_start(false);
	CHECK_EQUAL(read_bytes(inside, sizeof(inside) - 1), -EINVAL);
	CHECK_TEXT(taken, "1 a=1;");
	snprintf(place, sizeof(place), "%s: line 2: expected text, not the byte 0x00", file);
	CHECK_EQUAL(logged_with(place), 1);
	CHECK_EQUAL(read_bytes(end, sizeof(end) - 1), -EINVAL);
	logged_stop();
}

static void test_size(void)
{
	static char large[(1 << 20) + 1];

	memset(large, '\n', sizeof(large));
	CHECK_EQUAL(read_bytes(large, sizeof(large)), -EFBIG);
	CHECK_EQUAL(read_bytes(large, sizeof(large) - 2), 0);
	CHECK_EQUAL(configfile_read("/dev/zero", take), -EFBIG);
	CHECK_EQUAL(configfile_read("/dev/null", take), 0);
}

/* None of them stops who reads it. */
static void test_no_file(void)
{
	CHECK_EQUAL(configfile_read("/nonexistent/ibsmad.conf", take), -ENOENT);
	CHECK_EQUAL(configfile_read(folder, take), -EISDIR);
	remove(file);
	CHECK_EQUAL(mkfifo(file, 0600), 0);
	logged_start(false);
	CHECK_EQUAL(configfile_read(file, take), -EINVAL);
	CHECK_EQUAL(logged_with("expected a regular file"), 1);
	logged_stop();
	remove(file);
}

/* What a user without rights gets; the errno of `read` as a child's exit status. */
static int as_nobody(int (*read)(void))
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		if (geteuid() == 0 && setuid(NOBODY) < 0)
			_exit(255);
		_exit(-read());
	}
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	return -WEXITSTATUS(status);
}

static int read_file(void)
{
	return configfile_read(file, take);
}

static int search(void)
{
	return configfile_search("test", take);
}

/* Whatever the rights of a folder in the place of the file are. */
static void test_closed_file(void)
{
	write_bytes(file, "a 1\n", 4);
	CHECK_EQUAL(chmod(folder, 0711), 0);
	CHECK_EQUAL(chmod(file, 0), 0);
	CHECK_EQUAL(as_nobody(read_file), -EACCES);
	CHECK_EQUAL(chmod(folder, 0), 0);
	CHECK_EQUAL(as_nobody(read_file), -EACCES);
	CHECK_EQUAL(chmod(folder, 0711), 0);
	remove(file);
	CHECK_EQUAL(mkdir(file, 0), 0);
	CHECK_EQUAL(as_nobody(read_file), -EISDIR);
	CHECK_EQUAL(chmod(file, 0755), 0);
	CHECK_EQUAL(as_nobody(read_file), -EISDIR);
	CHECK_EQUAL(rmdir(file), 0);
	CHECK_EQUAL(chmod(folder, 0700), 0);
}

static void test_search(void)
{
	char path[2 * PATH_SIZE];

	snprintf(path, sizeof(path), "/nonexistent:%s:%s/test.conf", folder, folder);
	setenv("SNMPCONFPATH", path, 1);
	taken[0] = '\0';
	CHECK_EQUAL(search(), 0);
	CHECK_TEXT(taken, "");
	write_bytes(local, "c 3\n", 4);
	write_bytes(file, "a 1\nb 2\n", 8);
	CHECK_EQUAL(search(), 0);
	CHECK_TEXT(taken, "1 a=1;2 b=2;1 c=3;");
	remove(local);
	remove(file);
}

/* A file that is there but closed is no reason to go on with defaults; a closed folder is passed over. */
static void test_search_closed(void)
{
	setenv("SNMPCONFPATH", folder, 1);
	write_bytes(file, "a 1\n", 4);
	CHECK_EQUAL(chmod(folder, 0711), 0);
	CHECK_EQUAL(chmod(file, 0), 0);
	CHECK_EQUAL(as_nobody(search), -EINVAL);
	CHECK_EQUAL(chmod(folder, 0), 0);
	CHECK_EQUAL(as_nobody(search), 0);
	CHECK_EQUAL(chmod(folder, 0700), 0);
	remove(file);
	CHECK_EQUAL(mkdir(file, 0700), 0);
	logged_start(false);
	CHECK_EQUAL(search(), -EINVAL);
	CHECK_EQUAL(logged_with("cannot be read: Is a directory"), 1);
	logged_stop();
	CHECK_EQUAL(rmdir(file), 0);
}

static int exit_status(pid_t child)
{
	int status = -1;

	CHECK_EQUAL(waitpid(child, &status, 0), child);
	return WEXITSTATUS(status);
}

/* Whether the file in .snmp of a home is read, by a process that begins as root or as nobody; then a second
 * time, as nobody. */
static bool reads_home(bool as_root)
{
	pid_t child = fork();

	if (child == 0) {
		taken[0] = '\0';
		if (!as_root && geteuid() == 0 && setuid(NOBODY) < 0)
			_exit(255);
		if (search() < 0 || (geteuid() == 0 && setuid(NOBODY) < 0) || search() < 0)
			_exit(255);
		_exit(taken[0] ? 1 : 0);
	}
	return exit_status(child);
}

static void test_home(void)
{
	char snmp[PATH_SIZE], inside[PATH_SIZE + 16];

	unsetenv("SNMPCONFPATH");
	setenv("HOME", folder, 1);
	snprintf(snmp, sizeof(snmp), "%s/.snmp", folder);
	snprintf(inside, sizeof(inside), "%s/test.conf", snmp);
	CHECK_EQUAL(mkdir(snmp, 0755), 0);
	CHECK_EQUAL(chmod(folder, 0755), 0);
	write_bytes(inside, "a 1\n", 4);
	CHECK_EQUAL(chmod(inside, 0644), 0);
	CHECK(reads_home(false));
	if (geteuid() == 0)
		CHECK(!reads_home(true));
	remove(inside);
	CHECK_EQUAL(rmdir(snmp), 0);
	CHECK_EQUAL(chmod(folder, 0700), 0);
}

static const struct unit_test tests[] = {
	{"lines", test_lines},
	{"a byte 0", test_byte_0},
	{"the largest file", test_size},
	{"what is no file", test_no_file},
	{"a closed file, and a folder in its place", test_closed_file},
	{"the search path", test_search},
	{"closed files on the search path", test_search_closed},
	{"the home of root", test_home},
};

int main(void)
{
	int status;

	if (!unit_folder(folder))
		return EXIT_FAILURE;
	snprintf(file, sizeof(file), "%s/test.conf", folder);
	snprintf(local, sizeof(local), "%s/test.local.conf", folder);
	status = UNIT_MAIN("configfile", tests);
	remove(file);
	rmdir(folder);
	return status;
}
