/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef AGENT_SNMPLOG_H
#define AGENT_SNMPLOG_H

#include <stdbool.h>

/* Send the log of all layers through Net-SNMP's, whose options decide where it goes. Without a destination
 * from the command line it goes to standard error, in the background to syslog once snmplog_detach is called.
 */
void snmplog_init(bool destination_given);

/* Leave standard error for syslog, unless the command line gave a destination. */
void snmplog_detach(bool destination_given);

#endif
