/* SPDX-License-Identifier: BSD-2-Clause */
/* Warnings about the session. Attempts follow each other, and mostly fail for the same reason. */
#ifndef AGENT_AGENTX_WARNING_H
#define AGENT_AGENTX_WARNING_H

/* Log a warning, unless it is the same as the last one. */
void warning_once(const char *topic, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Forget the last one: a session is up. */
void warning_forget(void);

#endif
