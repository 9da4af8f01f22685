/* SPDX-License-Identifier: BSD-2-Clause */
/* Catching the log of Net-SNMP's library while it reads files for the checks, which report on them
 * themselves. */
#ifndef AGENT_DOCTOR_LOG_CATCH_H
#define AGENT_DOCTOR_LOG_CATCH_H

/* Pass each line, with a priority of syslog(3), to `take` instead of writing it; NULL: drop it. */
void log_catch_start(void (*take)(int priority, const char *line));

/* Write lines again to where the options say. */
void log_catch_stop(void);

#endif
