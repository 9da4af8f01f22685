// SPDX-License-Identifier: BSD-2-Clause
/* Where lines go, and how they look there: standard error, here a file, the journal, and log files. Net-SNMP
 * takes options once in a process, so each case has one of its own. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/last_error.h"
#include "agent/options.h"
#include "agent/snmplog.h"
#include "sma/log.h"
#include "tests/unit.h"

static char folder[UNIT_FOLDER_SIZE];
static char log_file[UNIT_FOLDER_SIZE + 8];
static char moved[UNIT_FOLDER_SIZE + 8];
static char stderr_file[UNIT_FOLDER_SIZE + 8];
static char text[4096];

static const char *contents(const char *name)
{
	FILE *file = fopen(name, "r");

	text[0] = '\0';
	if (!file)
		return text;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

static void write_file(const char *name, const char *bytes)
{
	FILE *file = fopen(name, "w");

	CHECK(file && fputs(bytes, file) >= 0 && fclose(file) == 0);
}

/* Have `speak` log with these log options, at most two. Exit status 0: its own checks hold. */
static void in_process(bool (*speak)(void), const char *option, const char *argument)
{
	char *argv[] = {(char *)"ibsmad", (char *)option, (char *)argument, NULL};
	struct options options;
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		bool good;

		if (!freopen(stderr_file, "w", stderr) || dup2(fileno(stderr), STDERR_FILENO) < 0)
			_exit(2);
		good = options_parse(option ? argument ? 3 : 2 : 1, argv, &options) == 0 &&
		       snmplog_init(options.logging) == 0 && speak();
		snmplog_finish();
		_exit(good ? 0 : 1);
	}
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	CHECK_EQUAL(status, 0);
}

/* ---- standard error ---- */

static bool log_levels(void)
{
	sma_log(SMA_LOG_ERROR, "sma", "an error");
	sma_log(SMA_LOG_INFO, "agent", "a notice of 100%%");
	snmp_log(LOG_WARNING, "Net-SNMP's\n");
	return true;
}

static bool log_levels_to_journal(void)
{
	return snmplog_start() == 0 && log_levels();
}

static void test_elsewhere(void)
{
	setenv("JOURNAL_STREAM", "1:1", 1);
	in_process(log_levels, NULL, NULL);
	CHECK_TEXT(contents(stderr_file), "sma: an error\nagent: a notice of 100%\nNet-SNMP's\n");
}

/* The file of standard error is made by a first case, and keeps its number. */
static void test_journal(void)
{
	struct stat status;
	char stream[64];

	CHECK_EQUAL(stat(stderr_file, &status), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
	setenv("JOURNAL_STREAM", stream, 1);
	in_process(log_levels_to_journal, NULL, NULL);
	CHECK_TEXT(contents(stderr_file), "<3>sma: an error\n<6>agent: a notice of 100%\n<4>Net-SNMP's\n");
	in_process(log_levels, "-Le", NULL);
	CHECK_TEXT(contents(stderr_file), "<3>sma: an error\n<6>agent: a notice of 100%\n<4>Net-SNMP's\n");
	setenv("JOURNAL_STREAM", "1:1", 1);
}

static bool log_pieces(void)
{
	char longest[3000];

	snmp_log(LOG_INFO, "one \x1B[1m");
	snmp_log(LOG_INFO, "line\ntwo\r\n\nth");
	snmp_log(LOG_INFO, "ree\n");
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	snmp_log(LOG_INFO, "%s\n", longest);
	return true;
}

/* What Net-SNMP logs in pieces becomes lines, without control characters. */
static void test_pieces(void)
{
	static const char pieces[] = "one ?[1mline\ntwo?\nthree\nxxx";

	in_process(log_pieces, NULL, NULL);
	contents(stderr_file);
	CHECK_EQUAL(strncmp(text, pieces, strlen(pieces)), 0);
	CHECK_EQUAL(strspn(strstr(text, "xxx"), "x\n"), 2999 + 3); /* three lines */
}

/* Net-SNMP's levels say what goes to a place. */
static void test_level(void)
{
	in_process(log_levels, "-LE3", NULL);
	CHECK_TEXT(contents(stderr_file), "sma: an error\n");
	in_process(log_levels, "-Ln", NULL);
	CHECK_TEXT(contents(stderr_file), "");
}

/* After its end Net-SNMP's functions would write to standard error themselves. */
static bool log_after_end(void)
{
	if (snmplog_start() < 0)
		return false;
	while (get_logh_head())
		netsnmp_remove_loghandler(get_logh_head());
	sma_log(SMA_LOG_NOTICE, "agent", "the end");
	return true;
}

static void test_after_end(void)
{
	in_process(log_after_end, "-Lf", log_file);
	CHECK_TEXT(contents(log_file), "agent: the end\n");
	CHECK_TEXT(contents(stderr_file), "");
	remove(log_file);
}

/* ---- log files ---- */

static bool log_in_thread(void)
{
	if (snmplog_start() < 0)
		return false;
	for (unsigned i = 1; i <= 3; i++)
		sma_log(SMA_LOG_INFO, "sma", "line %u", i);
	sma_log(SMA_LOG_ERROR, "sma", "an error");
	return true;
}

static void test_append(void)
{
	write_file(log_file, "of yesterday\n");
	in_process(log_in_thread, "-Lf", log_file);
	CHECK_TEXT(contents(log_file),
	           "of yesterday\nsma: line 1\nsma: line 2\nsma: line 3\nsma: an error\n");
	CHECK_TEXT(contents(stderr_file), "");
	remove(log_file);
}

/* As logrotate does it: the lines of before go into the old file. */
static bool rotate(void)
{
	bool good = log_in_thread() && rename(log_file, moved) == 0;

	sma_log(SMA_LOG_INFO, "sma", "before");
	snmplog_reopen();
	sma_log(SMA_LOG_INFO, "sma", "after");
	return good;
}

static void test_rotation(void)
{
	in_process(rotate, "-Lf", log_file);
	CHECK_TEXT(contents(moved), "sma: line 1\nsma: line 2\nsma: line 3\nsma: an error\nsma: before\n");
	CHECK_TEXT(contents(log_file), "sma: after\n");
	remove(moved);
	remove(log_file);
}

static bool rotate_badly(void)
{
	bool good = log_in_thread() && rename(log_file, moved) == 0 && mkdir(log_file, 0700) == 0;
	struct last_error last;

	snmplog_reopen();
	sma_log(SMA_LOG_INFO, "sma", "after");
	snmplog_finish();
	last_error_get(&last);
	return good && strstr(last.text, "cannot be reopened: Is a directory");
}

static void test_rotation_failing(void)
{
	in_process(rotate_badly, "-Lf", log_file);
	CHECK(strstr(contents(moved), "sma: after\n") != NULL);
	CHECK(strstr(contents(stderr_file), log_file) && strstr(text, "cannot be reopened: Is a directory"));
	remove(moved);
	rmdir(log_file);
}

static void limit_files(rlim_t size)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = size ? size : limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
}

/* Standard error has no such limit here: it is a pipe. */
static bool log_beyond_limit(void)
{
	struct last_error last;
	int ends[2];
	bool good;

	if (pipe(ends) < 0 || dup2(ends[1], STDERR_FILENO) < 0)
		return false;
	signal(SIGXFSZ, SIG_IGN);
	limit_files(20);
	good = log_in_thread();
	snmplog_finish();
	last_error_get(&last);
	limit_files(0);
	sma_log(SMA_LOG_INFO, "sma", "again");
	text[read(ends[0], text, sizeof(text) - 1)] = '\0';
	good = good && strstr(text, log_file) &&
	       strcmp(strstr(text, ": File too large"), ": File too large; lines are lost until it can\n") ==
	               0;
	return good && strstr(last.text, "cannot be written") && strstr(last.text, "File too large");
}

/* Told once, where it can be; and what is missing where it is missing. */
static void test_limit(void)
{
	in_process(log_beyond_limit, "-Lf", log_file);
	CHECK_TEXT(contents(log_file), "sma: line 1\nsma: lin\n"
	                               "agent: 3 lines are missing here: File too large\nsma: again\n");
	remove(log_file);
}

/* ---- the last error ---- */

static bool is_remembered(void)
{
	struct last_error last;

	log_levels();
	last_error_get(&last);
	return strcmp(last.text, "sma: an error") == 0 && last.wall_ms != 0;
}

static bool is_not_replaced(void)
{
	struct last_error last;

	sma_log(SMA_LOG_WARNING, LAST_ERROR_CONNECT, "no connection at boot");
	last_error_get(&last);
	if (last.text[0] || last.wall_ms)
		return false;
	sma_log(SMA_LOG_WARNING, "agent", "the session has ended");
	sma_log(SMA_LOG_WARNING, LAST_ERROR_CONNECT, "no connection");
	last_error_get(&last);
	return strcmp(last.text, "agent: the session has ended") == 0;
}

/* Lines that can only be over. */
static void test_no_error(void)
{
	in_process(is_not_replaced, NULL, NULL);
}

static void test_last_error(void)
{
	in_process(is_remembered, NULL, NULL);
}

static const struct unit_test tests[] = {
	{"another place than the journal", test_elsewhere},
	{"the journal", test_journal},
	{"lines in pieces", test_pieces},
	{"a level for a place", test_level},
	{"the end of Net-SNMP's log", test_after_end},
	{"a file is appended to", test_append},
	{"a file is rotated", test_rotation},
	{"a file cannot be opened again", test_rotation_failing},
	{"a limit of the size of files", test_limit},
	{"the last error", test_last_error},
	{"what is no error", test_no_error},
};

int main(void)
{
	int failed;

	if (!unit_folder(folder))
		return EXIT_FAILURE;
	snprintf(log_file, sizeof(log_file), "%s/log", folder);
	snprintf(moved, sizeof(moved), "%s/log.1", folder);
	snprintf(stderr_file, sizeof(stderr_file), "%s/err", folder);
	failed = UNIT_MAIN("snmplog", tests);
	remove(stderr_file);
	rmdir(folder);
	return failed;
}
