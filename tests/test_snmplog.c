// SPDX-License-Identifier: BSD-2-Clause
/* Lines on standard error, here a file: with their level if it is the journal, else without. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/snmplog.h"
#include "sma/sma.h"
#include "tests/unit.h"

static FILE *file;
static char text[1024];

/* What is logged to the file, when JOURNAL_STREAM is `stream`. */
static const char *log_lines(const char *stream)
{
	int before = dup(STDERR_FILENO);

	setenv("JOURNAL_STREAM", stream, 1);
	rewind(file);
	CHECK_EQUAL(ftruncate(fileno(file), 0), 0);
	dup2(fileno(file), STDERR_FILENO);
	snmplog_init(false);
	sma_log(SMA_LOG_ERROR, "sma", "an error");
	sma_log(SMA_LOG_INFO, "agent", "a notice of 100%%");
	snmp_log(LOG_WARNING, "Net-SNMP's\n");
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	return text;
}

static void test_journal(void)
{
	struct stat status;
	char stream[64];

	CHECK_EQUAL(fstat(fileno(file), &status), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
	CHECK_TEXT(log_lines(stream), "<3>sma: an error\n<6>agent: a notice of 100%\n<4>Net-SNMP's\n");
}

static void test_elsewhere(void)
{
	CHECK_TEXT(log_lines("1:1"), "sma: an error\nagent: a notice of 100%\nNet-SNMP's\n");
}

static void test_trouble(void)
{
	log_lines("1:1");
	CHECK_TEXT(snmplog_last_trouble()->text, "sma: an error");
	CHECK(snmplog_last_trouble()->wall_ms != 0);
}

static const struct unit_test tests[] = {
	{"the journal", test_journal},
	{"another place", test_elsewhere},
	{"the last trouble", test_trouble},
};

int main(void)
{
	file = tmpfile();
	if (!file)
		return EXIT_FAILURE;
	return UNIT_MAIN("snmplog", tests);
}
