// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/doctor/log_catch.h"

enum { MAX_DESTINATIONS = 16 };

static netsnmp_log_handler *catcher;
static netsnmp_log_handler *silenced[MAX_DESTINATIONS];
static size_t silenced_count;
static void (*take_line)(int priority, const char *line);

static int hand_over(netsnmp_log_handler *handler, int priority, const char *line)
{
	(void)handler;
	if (take_line)
		take_line(priority, line);
	return 1;
}

static void silence_others(void)
{
	silenced_count = 0;
	for (netsnmp_log_handler *other = get_logh_head(); other; other = other->next) {
		if (!other->enabled || silenced_count == MAX_DESTINATIONS)
			continue;
		netsnmp_disable_this_loghandler(other);
		silenced[silenced_count++] = other;
	}
}

void log_catch_start(void (*take)(int priority, const char *line))
{
	take_line = take;
	silence_others();
	catcher = netsnmp_register_loghandler(NETSNMP_LOGHANDLER_NONE, LOG_DEBUG);
	if (catcher)
		catcher->handler = hand_over;
}

void log_catch_stop(void)
{
	if (catcher)
		netsnmp_remove_loghandler(catcher);
	catcher = NULL;
	while (silenced_count)
		netsnmp_enable_this_loghandler(silenced[--silenced_count]);
}
