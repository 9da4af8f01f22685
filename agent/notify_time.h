/* SPDX-License-Identifier: BSD-2-Clause */
/* When a notice arose, as its notification tells it. */
#ifndef AGENT_NOTIFY_TIME_H
#define AGENT_NOTIFY_TIME_H

#include <stdint.h>

enum {
	NOTIFY_TIME_LATE_MS = 2000, /* a notification that is so old has waited, and tells the time */
	NOTIFY_TIME_DATE_SIZE = 11,
};

struct variable_list; /* of Net-SNMP: netsnmp_variable_list */

/* sysUpTime, in hundredths of a second, when something arose `age_ms` before it was `uptime`; 0 if that was
 * before the start. */
uint32_t notify_time_uptime(uint32_t uptime, uint64_t age_ms);

/* Write a time, in ms since 1970, as DateAndTime in UTC (SNMPv2-TC, RFC 2579). */
void notify_time_date(uint8_t date[NOTIFY_TIME_DATE_SIZE], uint64_t wall_ms);

/* Complete a notification that is sent `age_ms` after its notice arose, the master's sysUpTime being `uptime`
 * and the wall clock `wall_ms`: put sysUpTime.0 in front, and if it is late ibsmadNoticeTime.0 at the end.
 * -ENOMEM; `varbinds` is the caller's to free in any case. */
int notify_time_add(struct variable_list **varbinds, uint32_t uptime, uint64_t age_ms, uint64_t wall_ms);

#endif
