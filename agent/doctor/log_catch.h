/* SPDX-License-Identifier: BSD-2-Clause */
/* The log of Net-SNMP's library, caught while it reads what the doctor judges itself. */
#ifndef AGENT_DOCTOR_LOG_CATCH_H
#define AGENT_DOCTOR_LOG_CATCH_H

/* Hand each line, with its priority as syslog(3) has it, to `take` instead of writing it; NULL: drop it. */
void log_catch_start(void (*take)(int priority, const char *line));

/* Write lines again where the options say. */
void log_catch_stop(void);

#endif
