/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef AGENT_SNMPLOG_H
#define AGENT_SNMPLOG_H

#include <stdbool.h>
#include <stdint.h>

/* Send the log of all layers through Net-SNMP's, whose options decide where it goes. Without a destination
 * from the command line it goes to standard error, in the background to syslog once snmplog_detach is called.
 */
void snmplog_init(bool destination_given);

/* The last line of level WARNING or ERROR. */
struct snmplog_trouble {
	char text[256];   /* with its topic; what is longer is cut off; "": there was none */
	uint64_t wall_ms; /* since 1970 */
};
const struct snmplog_trouble *snmplog_last_trouble(void);

/* Leave standard error for syslog, unless the command line gave a destination. */
void snmplog_detach(bool destination_given);

#endif
