// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <time.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/notify.h"
#include "agent/notify_time.h"

enum { MS_PER_HUNDREDTH = 10, MS_PER_DECISECOND = 100, MS_PER_SECOND = 1000 };

static const oid sys_uptime[] = {1, 3, 6, 1, 2, 1, 1, 3, 0};
static const oid notice_time[] = {IBSMAD_MIB_OID, 1, 3, 6, 0};

uint32_t notify_time_uptime(uint32_t uptime, uint64_t age_ms)
{
	uint64_t age = age_ms / MS_PER_HUNDREDTH;

	return age < uptime ? uptime - (uint32_t)age : 0;
}

void notify_time_date(uint8_t date[NOTIFY_TIME_DATE_SIZE], uint64_t wall_ms)
{
	time_t seconds = (time_t)(wall_ms / MS_PER_SECOND);
	unsigned year;
	struct tm utc;

	gmtime_r(&seconds, &utc);
	year = (unsigned)utc.tm_year + 1900;
	date[0] = (uint8_t)(year >> 8);
	date[1] = (uint8_t)year;
	date[2] = (uint8_t)(utc.tm_mon + 1);
	date[3] = (uint8_t)utc.tm_mday;
	date[4] = (uint8_t)utc.tm_hour;
	date[5] = (uint8_t)utc.tm_min;
	date[6] = (uint8_t)utc.tm_sec;
	date[7] = (uint8_t)(wall_ms % MS_PER_SECOND / MS_PER_DECISECOND);
	date[8] = '+';
	date[9] = 0;
	date[10] = 0;
}

static int add_uptime(netsnmp_variable_list **varbinds, uint32_t uptime)
{
	const u_long ticks = uptime;
	netsnmp_variable_list *first = NULL;

	if (!snmp_varlist_add_variable(&first, sys_uptime, OID_LENGTH(sys_uptime), ASN_TIMETICKS, &ticks,
	                               sizeof(ticks)))
		return -ENOMEM;
	first->next_variable = *varbinds;
	*varbinds = first;
	return 0;
}

static int add_date(netsnmp_variable_list **varbinds, uint64_t wall_ms)
{
	uint8_t date[NOTIFY_TIME_DATE_SIZE];

	notify_time_date(date, wall_ms);
	if (!snmp_varlist_add_variable(varbinds, notice_time, OID_LENGTH(notice_time), ASN_OCTET_STR, date,
	                               sizeof(date)))
		return -ENOMEM;
	return 0;
}

int notify_time_add(struct variable_list **varbinds, uint32_t uptime, uint64_t age_ms, uint64_t wall_ms)
{
	int rc = add_uptime(varbinds, notify_time_uptime(uptime, age_ms));

	if (rc == 0 && age_ms >= NOTIFY_TIME_LATE_MS)
		rc = add_date(varbinds, wall_ms - age_ms);
	return rc;
}
