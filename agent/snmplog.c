// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <time.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agent.h"
#include "agent/snmplog.h"
#include "sma/sma.h"

static const int priorities[] = {
	[SMA_LOG_ERROR] = LOG_ERR, [SMA_LOG_WARNING] = LOG_WARNING, [SMA_LOG_NOTICE] = LOG_NOTICE,
	[SMA_LOG_INFO] = LOG_INFO, [SMA_LOG_DEBUG] = LOG_DEBUG,
};

static bool wants_debug(const char *topic)
{
	return snmp_get_do_debugging() && debug_is_token_registered(topic) == SNMPERR_SUCCESS;
}

static struct snmplog_trouble last_trouble;

static void remember(const char *topic, const char *line)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	last_trouble.wall_ms = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
	snprintf(last_trouble.text, sizeof(last_trouble.text), "%s: %s", topic, line);
}

const struct snmplog_trouble *snmplog_last_trouble(void)
{
	return &last_trouble;
}

static void write_line(enum sma_level level, const char *topic, const char *line)
{
	if (level == SMA_LOG_ERROR || level == SMA_LOG_WARNING)
		remember(topic, line);
	snmp_log(priorities[level], "%s: %s\n", topic, line);
}

static const struct sma_log_sink sink = {.wants_debug = wants_debug, .write = write_line};

void snmplog_init(bool destination_given)
{
	if (!destination_given)
		snmp_enable_stderrlog();
	sma_log_to(&sink);
}

void snmplog_detach(bool destination_given)
{
	if (destination_given)
		return;
	snmp_disable_stderrlog();
	snmp_enable_syslog_ident(AGENT_NAME, LOG_DAEMON);
}
