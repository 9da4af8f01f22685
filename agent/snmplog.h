/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef AGENT_SNMPLOG_H
#define AGENT_SNMPLOG_H

#include <stdbool.h>

/* The log of all rooms, and Net-SNMP's own, goes where Net-SNMP's options say, else to standard error until
 * snmplog_detach is called. Control characters are replaced. Until snmplog_start lines are written at once.
 * -ENOMEM, or there is no descriptor. */
int snmplog_init(bool destination_given);

/* Write in threads from now on, so that a place that blocks delays nothing. They do not survive fork(2).
 * -errno: they cannot be started. */
int snmplog_start(void);

/* Leave standard error, which is about to become another file, for syslog, unless the command line gave a
 * destination. -ENOMEM, or there is no thread. */
int snmplog_detach(bool destination_given);

/* Reopen log files by their names, after the lines that wait. */
void snmplog_reopen(void);

/* Write what waits, for at most 0.3 s. */
void snmplog_finish(void);

#endif
