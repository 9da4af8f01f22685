/* SPDX-License-Identifier: BSD-2-Clause */
/* The one loop: Net-SNMP's sockets and alarms, further descriptors, and signals. */
#ifndef AGENT_LOOP_H
#define AGENT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* Do what is due at `now`, without blocking. Returns when to be called again, UINT64_MAX for never. It is
 * called in each round of the loop. */
typedef uint64_t loop_work(void *arg, uint64_t now);

/* Have SIGTERM and SIGINT end the loop, and 2 s later the process, with status 0, should it hang. -errno. */
int loop_init(void);

/* Call `act` in the loop soon after a signal. -errno, or -ENOSPC: there is no room. */
int loop_on_signal(int number, void (*act)(void));

/* Call `work` in each round, after what was added before; a round starts when `fd` is readable (-1: there is
 * no descriptor). -ENOSPC: there is no room. */
int loop_add(int fd, loop_work *work, void *arg);

/* Stop watching a descriptor that was added; its work is still called. */
void loop_forget_fd(int fd);

/* End the loop, which returns `error`, a -errno. */
void loop_fail(int error);

/* Run until SIGTERM or SIGINT. 0, or -errno: that of loop_fail, or waiting for events failed. */
int loop_run(void);

/* Run the loop until `is_over`, but not longer than `limit_ms`. Whether it is over. */
bool loop_wait(bool (*is_over)(const void *arg), const void *arg, unsigned limit_ms);

#endif
