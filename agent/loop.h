/* SPDX-License-Identifier: BSD-2-Clause */
/* The one loop: Net-SNMP's sockets and alarms, whatever else wants to be watched, and signals. */
#ifndef AGENT_LOOP_H
#define AGENT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* Do what there is to do at `now`, without waiting. Returns when to be called again, UINT64_MAX for never. It
 * is called in each round of the loop. */
typedef uint64_t loop_work(void *arg, uint64_t now);

/* Take SIGTERM and SIGINT, which end the loop, and the process with status 0 should that hang. -errno. */
int loop_init(void);

/* Have `act` called in the loop, soon after a signal came. -errno, or -ENOSPC: there is no room. */
int loop_on_signal(int number, void (*act)(void));

/* Have `work` called in each round, after what was added before; a round begins when `fd` is readable (-1:
 * for no descriptor). -ENOSPC: there is no room. */
int loop_add(int fd, loop_work *work, void *arg);

/* Watch a descriptor that was added no longer; its work goes on. */
void loop_forget_fd(int fd);

/* End the loop, which returns `error`, a -errno. */
void loop_fail(int error);

/* Go on until SIGTERM or SIGINT. 0, or -errno: of loop_fail, or waiting for events failed. */
int loop_run(void);

/* Run the loop until `is_over`, but not longer than `limit_ms`. Whether it is over. */
bool loop_wait(bool (*is_over)(const void *arg), const void *arg, unsigned limit_ms);

#endif
