/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines for a place where writing may block: a terminal that is stopped, a pipe that nobody reads, a disk. A
 * thread writes them in order; a bounded amount waits, and what exceeds it is counted.
 */
#ifndef AGENT_OUTPUT_H
#define AGENT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Where lines go. The functions are called by one thread at a time. */
struct output_place {
	/* Write lines, each with its newline, however long it takes. 0, or -errno: not all was written. */
	int (*write)(void *arg, int priority, const char *lines);
	/* Reopen the place by its name, which may be that of another file by now. NULL: it has no name. */
	void (*reopen)(void *arg);
	void *arg;
	const char *mark; /* the beginning of a line about missing lines */
};

struct output;

/* An output of which up to `limit` bytes may wait. Until output_start lines are written at once. NULL: out of
 * memory. It is never freed: a thread that hangs may use it. */
struct output *output_new(const struct output_place *place, size_t limit);

/* Write in a thread from now on, which does not survive fork(2). -errno: it cannot be started. */
int output_start(struct output *output);

/* Write lines, each with its newline, or count them as missing: as soon as there is room again, a line in
 * their place says how many are missing and why. `priority` is one of syslog(3). For any thread. */
void output_put(struct output *output, int priority, const char *lines);

/* Reopen the place, after the lines that wait. */
void output_reopen(struct output *output);

/* Wait until everything is written, for at most `limit_ms`. Whether it is. */
bool output_finish(struct output *output, unsigned limit_ms);

#endif
