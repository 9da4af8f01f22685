/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages to the service manager, if there is one, as sd_notify(3) describes them. */
#ifndef AGENT_SUPERVISOR_H
#define AGENT_SUPERVISOR_H

#include <stdint.h>

/* Find the service manager by NOTIFY_SOCKET and WATCHDOG_USEC. */
void supervisor_init(void);

/* Send a state: "READY=1", "STOPPING=1", "RELOADING=1". */
void supervisor_notify(const char *state);

/* Show the watchdog in time that the loop runs: a loop_work. */
uint64_t supervisor_process(void *arg, uint64_t now);

#endif
