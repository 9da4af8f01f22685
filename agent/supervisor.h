/* SPDX-License-Identifier: BSD-2-Clause */
/* What a service manager is told, as sd_notify(3) describes it: nothing where there is none. */
#ifndef AGENT_SUPERVISOR_H
#define AGENT_SUPERVISOR_H

#include <stdint.h>

/* Find the service manager by NOTIFY_SOCKET and WATCHDOG_USEC. */
void supervisor_init(void);

/* Tell it a state: "READY=1", "STOPPING=1", "RELOADING=1". */
void supervisor_notify(const char *state);

/* Show that the loop goes round, in time for the watchdog: a loop_work. */
uint64_t supervisor_process(void *arg, uint64_t now);

#endif
