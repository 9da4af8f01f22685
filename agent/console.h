/* SPDX-License-Identifier: BSD-2-Clause */
/* The console of the software SMA on standard input and output (sma/soft/console/command.h). */
#ifndef AGENT_CONSOLE_H
#define AGENT_CONSOLE_H

struct sma_soft;

/* Have the loop read lines from standard input, give them to `soft`, which must outlive the loop, and print
 * the replies. At the end of the input the console is closed, and the loop continues; so it does while nobody
 * reads the replies, of which 1 MiB is kept. Once in a process. -errno: there is no room in the loop, no
 * memory or no thread. */
int console_start(struct sma_soft *soft);

/* Print the replies that are kept, for at most 0.3 s. */
void console_finish(void);

#endif
