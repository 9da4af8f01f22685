/* SPDX-License-Identifier: BSD-2-Clause */
/* A destination of the log: standard error or output, a file, syslog. */
#ifndef AGENT_LOGPLACE_H
#define AGENT_LOGPLACE_H

enum {
	LOGPLACE_LINE_SIZE =
		1280 /* longer lines are split; the longest one of sma_log fits, with its topic */
};

struct logplace;

/* They are never freed, for a thread that hangs may use them. NULL: out of memory. */
struct logplace *logplace_stream(int fd);
struct logplace *logplace_file(int fd, const char *path); /* takes over the descriptor */
struct logplace *logplace_syslog(void);                   /* as openlog(3) has opened it */

/* Write in a thread from now on. -errno: it cannot be started. */
int logplace_start(struct logplace *place);

/* Log text, which may be part of a line or several lines, with a priority of syslog(3). Empty lines are left
 * out. */
void logplace_take(struct logplace *place, int priority, const char *text);

/* Reopen a log file by its name, after the lines that wait. */
void logplace_reopen(struct logplace *place);

/* Write what waits, for at most `limit_ms`. */
void logplace_finish(struct logplace *place, unsigned limit_ms);

/* Report failures of log files to syslog from now on, and no longer to standard error. */
void logplace_leave_stderr(void);

#endif
