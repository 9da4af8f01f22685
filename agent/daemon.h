/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef AGENT_DAEMON_H
#define AGENT_DAEMON_H

/* Before anything else: open /dev/null in place of standard input, output and error where they are closed,
 * for another file could otherwise get their number, and be written what is meant for them; and ignore the
 * signals that say no more than a result of write(2): SIGPIPE, SIGXFSZ. -errno: /dev/null cannot be opened.
 */
int daemon_init(void);

/* Go into the background. Returns 0 in the child, and in `*ready` what daemon_ready takes. Returns in the
 * parent when the child is ready (1) or has exited before (-ECHILD), so that the exit status says whether the
 * daemon runs. Another -errno: fork(2) failed. */
int daemon_fork(int *ready);

/* The child is ready: let the parent exit, and leave the terminal. */
void daemon_ready(int ready);

#endif
