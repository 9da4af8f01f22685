/* SPDX-License-Identifier: BSD-2-Clause */
/* What the checks find and what fixes it, as it is printed to standard output. */
#ifndef AGENT_DOCTOR_REPORT_H
#define AGENT_DOCTOR_REPORT_H

#include <stdbool.h>

enum { REPORT_TEXT_SIZE = 1024 };

/* FINDING_WARN: the MIB is readable, but something is missing. */
enum finding { FINDING_OK, FINDING_WARN, FINDING_FAIL, FINDING_SKIP };

/* Say what the check that is running has found; returns the finding. */
enum finding report_say(enum finding finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add a line that fixes it: a command, or FILE: and a line for that file. */
void report_fix(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Of a message "ERROR; FIX" add the fix, and cut the message short. False: it has none. */
bool report_fix_of(char *message);

/* Print the result of a check, and begin the next. */
void report_print(const char *check, enum finding finding);

/* Print what all checks together say. `was_read`: snmpd has shown a value. */
void report_conclude(bool failed, bool was_read);

#endif
