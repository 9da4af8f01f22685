/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef AGENT_DAEMON_H
#define AGENT_DAEMON_H

/* Open /dev/null as whatever is closed of standard input, output and error, before anything else takes their
 * numbers and so gets what is meant for them. -errno: it cannot be opened. */
int daemon_hold_standard(void);

/* Go into the background. In the child returns 0, and `*ready` is for daemon_ready. In the parent returns
 * only when the child is ready (1) or has ended before it was (-ECHILD), so that the exit status tells
 * whether the daemon runs. Another -errno: fork failed. */
int daemon_fork(int *ready);

/* The child is ready: let the parent end, and leave the terminal and the working directory. */
void daemon_ready(int ready);

#endif
