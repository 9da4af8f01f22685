// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "agent/last_error.h"
#include "agent/logplace.h"
#include "agent/output.h"
#include "agent/stream.h"
#include "sma/log.h"

enum { LIMIT = 256 * 1024 /* bytes that wait */ };

struct logplace {
	struct output *output;
	struct stream stream;          /* none for syslog */
	char *path;                    /* of a log file, else NULL */
	bool journal;                  /* which takes the level from the beginning of a line, sd-daemon(3) */
	bool failing;                  /* for the thread that writes */
	char line[LOGPLACE_LINE_SIZE]; /* what has been taken of one */
	size_t length;
};

/* ---- writing, in a thread ---- */

static atomic_bool left_stderr;

/* This may block, which delays a log that fails anyway. */
static void __attribute__((format(printf, 1, 2))) report_elsewhere(const char *format, ...)
{
	struct stream standard_error = {.fd = STDERR_FILENO};
	char line[LOGPLACE_LINE_SIZE];
	char text[LOGPLACE_LINE_SIZE + 16];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	last_error_note("agent", line);
	snprintf(text, sizeof(text), "agent: %s\n", line);
	if (left_stderr || stream_write(&standard_error, text) < 0)
		syslog(LOG_ERR, "%s", text);
}

static int write_stream(void *arg, int priority, const char *lines)
{
	struct logplace *place = arg;
	int rc = stream_write(&place->stream, lines);

	(void)priority;
	if (rc < 0 && !place->failing && place->path)
		report_elsewhere("the log cannot be written to %s: %s; lines are lost until it can",
		                 place->path, strerror(-rc));
	place->failing = rc < 0;
	return rc;
}

static void reopen_file(void *arg)
{
	struct logplace *place = arg;
	int rc = stream_reopen(&place->stream, place->path);

	if (rc < 0)
		report_elsewhere("the log file %s cannot be reopened: %s; the log stays in the old file",
		                 place->path, strerror(-rc));
}

static int write_syslog(void *arg, int priority, const char *lines)
{
	(void)arg;
	syslog(priority, "%s", lines);
	return 0;
}

/* ---- places ---- */

/* Whether a descriptor is the stream that systemd has connected to the journal. */
static bool is_journal(int fd)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct stat status;
	char found[64];

	if (!stream || fstat(fd, &status) < 0)
		return false;
	snprintf(found, sizeof(found), "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
	return strcmp(stream, found) == 0;
}

static struct logplace *new_place(const struct logplace *contents, struct output_place how)
{
	struct logplace *place = malloc(sizeof(*place));

	if (!place)
		return NULL;
	*place = *contents;
	how.arg = place;
	how.mark = place->journal ? "<4>agent: " : "agent: ";
	place->output = output_new(&how, LIMIT);
	if (place->output)
		return place;
	free(place);
	return NULL;
}

struct logplace *logplace_stream(int fd)
{
	const struct logplace contents = {.stream.fd = fd, .journal = is_journal(fd)};

	return new_place(&contents, (struct output_place){.write = write_stream});
}

struct logplace *logplace_file(int fd, const char *path)
{
	const struct logplace contents = {.stream.fd = fd, .path = strdup(path)};
	const struct output_place how = {.write = write_stream, .reopen = reopen_file};
	struct logplace *place = contents.path ? new_place(&contents, how) : NULL;

	if (!place) {
		close(fd);
		free(contents.path);
	}
	return place;
}

struct logplace *logplace_syslog(void)
{
	const struct logplace contents = {0};

	return new_place(&contents, (struct output_place){.write = write_syslog});
}

int logplace_start(struct logplace *place)
{
	return output_start(place->output);
}

/* ---- lines ---- */

static void end_line(struct logplace *place, int priority)
{
	char text[LOGPLACE_LINE_SIZE + 16];

	place->line[place->length] = '\0';
	if (place->length == 0)
		return;
	place->length = 0;
	sma_make_printable(place->line);
	if (place->journal)
		snprintf(text, sizeof(text), "<%d>%s\n", priority, place->line);
	else
		snprintf(text, sizeof(text), "%s\n", place->line);
	output_put(place->output, priority, text);
}

void logplace_take(struct logplace *place, int priority, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n' || place->length == LOGPLACE_LINE_SIZE - 1)
			end_line(place, priority);
		if (*text != '\n')
			place->line[place->length++] = *text;
	}
}

void logplace_reopen(struct logplace *place)
{
	output_reopen(place->output);
}

void logplace_finish(struct logplace *place, unsigned limit_ms)
{
	output_finish(place->output, limit_ms);
}

void logplace_leave_stderr(void)
{
	left_stderr = true;
}
