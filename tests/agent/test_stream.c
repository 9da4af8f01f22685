// SPDX-License-Identifier: BSD-2-Clause
/* Lines on descriptors: pipes that are full, files that are cut, renamed or not there. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/stream.h"
#include "tests/unit.h"

enum { LONG = 200000 /* more than a pipe holds */ };

static char folder[UNIT_FOLDER_SIZE];
static char path[UNIT_FOLDER_SIZE + 8];
static char other[UNIT_FOLDER_SIZE + 8];
static char text[1024];

static const char *contents(const char *name)
{
	FILE *file = fopen(name, "r");

	text[0] = '\0';
	if (!CHECK(file))
		return text;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

static void begin(struct stream *stream)
{
	*stream = (struct stream){.fd = open("/dev/null", O_WRONLY)};
	CHECK_EQUAL(stream_reopen(stream, path), 0);
}

static void end(const struct stream *stream)
{
	close(stream->fd);
	remove(path);
	remove(other);
}

static void *read_all(void *arg)
{
	static size_t count;
	char bytes[4096];
	ssize_t got;

	while ((got = read(*(int *)arg, bytes, sizeof(bytes))) > 0)
		count += (size_t)got;
	return &count;
}

/* One that another process has made non-blocking is as good as another. */
static void test_full_pipe(void)
{
	static char line[LONG + 2];
	struct stream stream = {0};
	pthread_t reader;
	int ends[2];
	void *count;

	memset(line, 'x', LONG);
	line[LONG] = '\n';
	CHECK_EQUAL(pipe2(ends, O_NONBLOCK), 0);
	CHECK_EQUAL(fcntl(ends[0], F_SETFL, 0), 0);
	stream.fd = ends[1];
	CHECK_EQUAL(pthread_create(&reader, NULL, read_all, &ends[0]), 0);
	CHECK_EQUAL(stream_write(&stream, line), 0);
	CHECK(fcntl(ends[1], F_GETFL) & O_NONBLOCK); /* it is not ours to change */
	close(ends[1]);
	pthread_join(reader, &count);
	CHECK_EQUAL(*(const size_t *)count, LONG + 1);
	close(ends[0]);
}

static void test_nobody_reads(void)
{
	struct stream stream = {0};
	int ends[2];

	CHECK_EQUAL(pipe(ends), 0);
	close(ends[0]);
	stream.fd = ends[1];
	CHECK_EQUAL(stream_write(&stream, "line\n"), -EPIPE);
	close(ends[1]);
}

static void test_append(void)
{
	struct stream stream;

	begin(&stream);
	CHECK_EQUAL(stream_write(&stream, "one\n"), 0);
	CHECK_EQUAL(stream_reopen(&stream, path), 0);
	CHECK_EQUAL(stream_write(&stream, "two\n"), 0);
	CHECK_TEXT(contents(path), "one\ntwo\n");
	end(&stream);
}

/* As logrotate does it, with `copytruncate` as well. */
static void test_rotation(void)
{
	struct stream stream;

	begin(&stream);
	CHECK_EQUAL(stream_write(&stream, "one\n"), 0);
	CHECK_EQUAL(rename(path, other), 0);
	CHECK_EQUAL(stream_write(&stream, "two\n"), 0);
	CHECK_EQUAL(stream_reopen(&stream, path), 0);
	CHECK_EQUAL(stream_write(&stream, "three\n"), 0);
	CHECK_TEXT(contents(other), "one\ntwo\n");
	CHECK_TEXT(contents(path), "three\n");
	CHECK_EQUAL(truncate(path, 0), 0);
	CHECK_EQUAL(stream_write(&stream, "four\n"), 0);
	CHECK_TEXT(contents(path), "four\n");
	end(&stream);
}

static void test_reopen_fails(void)
{
	struct stream stream;

	begin(&stream);
	CHECK_EQUAL(rename(path, other), 0);
	CHECK_EQUAL(mkdir(path, 0700), 0);
	CHECK_EQUAL(stream_reopen(&stream, path), -EISDIR);
	CHECK_EQUAL(stream_write(&stream, "goes on\n"), 0);
	CHECK_TEXT(contents(other), "goes on\n");
	end(&stream);
}

static void limit_files(rlim_t size)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = size ? size : limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

/* The next text starts on a new line. */
static void test_cut_line(void)
{
	struct stream stream;

	begin(&stream);
	limit_files(7);
	CHECK_EQUAL(stream_write(&stream, "one\n"), 0);
	CHECK_EQUAL(stream_write(&stream, "second\n"), -EFBIG);
	CHECK_EQUAL(stream_write(&stream, "third\n"), -EFBIG);
	limit_files(0);
	CHECK_TEXT(contents(path), "one\nsec");
	CHECK_EQUAL(stream_write(&stream, "fourth\n"), 0);
	CHECK_TEXT(contents(path), "one\nsec\nfourth\n");
	end(&stream);
}

/* A cut at the end of a line is none. */
static void test_cut_between_lines(void)
{
	struct stream stream;

	begin(&stream);
	limit_files(4);
	CHECK_EQUAL(stream_write(&stream, "one\ntwo\n"), -EFBIG);
	limit_files(0);
	CHECK_EQUAL(stream_write(&stream, "three\n"), 0);
	CHECK_TEXT(contents(path), "one\nthree\n");
	end(&stream);
}

static const struct unit_test tests[] = {
	{"a pipe that is full", test_full_pipe},
	{"a pipe that nobody reads any more", test_nobody_reads},
	{"a file is appended to", test_append},
	{"a file that is renamed or emptied", test_rotation},
	{"a file that cannot be opened again", test_reopen_fails},
	{"a line that is cut", test_cut_line},
	{"lines that are cut between them", test_cut_between_lines},
};

int main(void)
{
	int failed;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (!unit_folder(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/log", folder);
	snprintf(other, sizeof(other), "%s/log.1", folder);
	failed = UNIT_MAIN("stream", tests);
	rmdir(folder);
	return failed;
}
