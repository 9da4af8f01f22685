/* SPDX-License-Identifier: BSD-2-Clause */
/* When a notice arose, as its notification says it. */
#ifndef AGENT_NOTIFY_TIME_H
#define AGENT_NOTIFY_TIME_H

#include <stdint.h>

enum {
	NOTIFY_TIME_LATE_MS = 2000, /* a notification that is so old has waited, and carries the time */
	NOTIFY_TIME_DATE_SIZE = 11,
};

struct variable_list; /* of Net-SNMP: netsnmp_variable_list */

/* The sysUpTime, in hundredths of a second, of `age_ms` before it was `uptime`; 0 if that was before the
 * start. */
uint32_t notify_time_uptime(uint32_t uptime, uint64_t age_ms);

/* Write a time, in ms since 1970, as DateAndTime in UTC (SNMPv2-TC, RFC 2579). */
void notify_time_date(uint8_t date[NOTIFY_TIME_DATE_SIZE], uint64_t wall_ms);

/* Complete a notification that is sent `age_ms` after its notice arose, when the master's sysUpTime is
 * `uptime` and the wall clock `wall_ms`: prepend sysUpTime.0, and if it is late append ibsmadNoticeTime.0.
 * -ENOMEM; `varbinds` is the caller's to free in any case. */
int notify_time_add(struct variable_list **varbinds, uint32_t uptime, uint64_t age_ms, uint64_t wall_ms);

#endif
