// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "agent/doctor/report.h"

enum { INDENT = 6, MAX_FIXES = 32 };

/* of the check that is running */
static char text[REPORT_TEXT_SIZE];
static char fixes[MAX_FIXES][REPORT_TEXT_SIZE];
static unsigned fix_count;

enum finding report_say(enum finding finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return finding;
}

void report_fix(const char *format, ...)
{
	va_list args;

	if (fix_count == MAX_FIXES)
		return;
	va_start(args, format);
	vsnprintf(fixes[fix_count++], REPORT_TEXT_SIZE, format, args);
	va_end(args);
}

bool report_fix_of(char *message)
{
	char *fix = strstr(message, "; ");

	if (!fix)
		return false;
	*fix = '\0';
	report_fix("%s", fix + strlen("; "));
	return true;
}

void report_print(const char *check, enum finding finding)
{
	static const char *const words[] = {[FINDING_OK] = "ok",
	                                    [FINDING_WARN] = "warn",
	                                    [FINDING_FAIL] = "FAIL",
	                                    [FINDING_SKIP] = "skip"};

	printf("%-*s%-15s %s\n", INDENT, words[finding], check, text);
	for (unsigned i = 0; i < fix_count; i++)
		printf("%*s%s\n", INDENT, "", fixes[i]);
	fflush(stdout);
	text[0] = '\0';
	fix_count = 0;
}

void report_conclude(bool failed, bool was_read)
{
	if (failed)
		printf("SMA-MIB would not be readable: fix what failed, and check again.\n");
	else if (was_read)
		printf("SMA-MIB is readable.\n");
	else
		printf("Nothing is known to prevent SMA-MIB from being read, but that was not tried.\n");
	fflush(stdout);
}
