/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef AGENT_DAEMON_H
#define AGENT_DAEMON_H

/* Before anything else: open /dev/null as whatever is closed of standard input, output and error, or else
 * another descriptor would get its number and what is meant for it; and ignore signals that tell no more than
 * what write(2) returns: SIGPIPE, SIGXFSZ. -errno: /dev/null cannot be opened. */
int daemon_init(void);

/* Go into the background. In the child returns 0, and `*ready` is for daemon_ready. In the parent returns
 * only when the child is ready (1) or has ended before it was (-ECHILD), so that the exit status tells
 * whether the daemon runs. Another -errno: fork failed. */
int daemon_fork(int *ready);

/* The child is ready: let the parent end, and leave the terminal and the working directory. */
void daemon_ready(int ready);

#endif
