/* SPDX-License-Identifier: BSD-2-Clause */
/* The console of the software SMA on standard input and output (sma/command.h). */
#ifndef AGENT_CONSOLE_H
#define AGENT_CONSOLE_H

struct sma_soft;

/* Have the loop read lines from standard input, give them to `soft`, which must outlive the loop, and print
 * the replies. At the end of the input the console is over and the loop goes on. Once in a process. -ENOSPC:
 * the loop has no room. */
int console_start(struct sma_soft *soft);

#endif
