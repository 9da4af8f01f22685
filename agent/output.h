/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines for a place where writing may take as long as it likes: a terminal that was stopped, a pipe that
 * nobody reads, a disk. A thread writes them, in order; a bounded amount waits, and what is over is counted.
 */
#ifndef AGENT_OUTPUT_H
#define AGENT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Where lines go; its functions are called by one thread at a time. */
struct output_place {
	/* Write lines, the last one with its newline, however long it takes. 0, or -errno: not all was
	 * written. */
	int (*write)(void *arg, int priority, const char *lines);
	/* Open the place again, whose name may be that of another file by now; NULL: there is nothing to
	 * open. */
	void (*reopen)(void *arg);
	void *arg;
	const char *mark; /* what a line that tells of missing lines begins with */
};

struct output;

/* An output that lets up to `limit` bytes wait. Until output_start each line is written at once. NULL: out of
 * memory. It is never freed: what hangs may hold it. */
struct output *output_new(const struct output_place *place, size_t limit);

/* Have a thread write from now on; it does not outlive fork(2). -errno: there is none. */
int output_start(struct output *output);

/* Write lines, the last one with its newline, or count them as missing: as soon as there is room again a line
 * tells how many are missing at its place and why. `priority` is one of syslog(3). For any thread. */
void output_put(struct output *output, int priority, const char *lines);

/* Have the thread open the place again, after the lines that wait. */
void output_reopen(struct output *output);

/* Wait until nothing waits, at most for `limit_ms`. False: something does. */
bool output_finish(struct output *output, unsigned limit_ms);

#endif
