/* SPDX-License-Identifier: BSD-2-Clause */
/* A place that the log goes to: standard error or output, a file, syslog. */
#ifndef AGENT_LOGPLACE_H
#define AGENT_LOGPLACE_H

struct logplace;

/* Places; they are never freed, for a thread that hangs may have them. NULL: out of memory. */
struct logplace *logplace_stream(int fd);
struct logplace *logplace_file(int fd, const char *path); /* the descriptor is the place's from now on */
struct logplace *logplace_syslog(void);                   /* as openlog(3) has opened it */

/* Have a thread write to it from now on. -errno: there is none. */
int logplace_start(struct logplace *place);

/* Take text of a priority of syslog(3), which may be part of a line or several. Empty lines are left out. */
void logplace_take(struct logplace *place, int priority, const char *text);

/* Open a log file again by its name, after the lines that wait. */
void logplace_reopen(struct logplace *place);

/* Write what waits, within `limit_ms`. */
void logplace_finish(struct logplace *place, unsigned limit_ms);

/* What is wrong with a log file goes to syslog from now on, and to standard error no longer. */
void logplace_leave_stderr(void);

#endif
