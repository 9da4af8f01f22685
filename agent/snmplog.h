/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef AGENT_SNMPLOG_H
#define AGENT_SNMPLOG_H

#include <stdbool.h>

/* Send the log of all layers, and Net-SNMP's own, where Net-SNMP's options have said, else to standard error
 * until snmplog_detach is called. Control characters are replaced. Until snmplog_start each line is written
 * at once. -ENOMEM, or there is no descriptor. */
int snmplog_init(bool destination_given);

/* Have threads write from now on, so that a place that takes no lines holds nothing up. They do not outlive
 * fork(2). -errno: there are none. */
int snmplog_start(void);

/* Leave standard error, which is about to be another file, for syslog, unless the command line gave a
 * destination. -ENOMEM, or there is no thread. */
int snmplog_detach(bool destination_given);

/* Open log files again by their names, after the lines that wait. */
void snmplog_reopen(void);

/* Write what waits, as far as that takes but a moment. */
void snmplog_finish(void);

#endif
