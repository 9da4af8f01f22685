// SPDX-License-Identifier: BSD-2-Clause
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agent.h"
#include "agent/clock.h"
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
static bool to_journal; /* it takes the level from the beginning of a line: sd-daemon(3) */

static void remember(const char *topic, const char *line)
{
	last_trouble.wall_ms = clock_wall_ms();
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

/* Whether standard error is the stream that systemd has connected to the journal. */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct stat status;
	char found[64];

	if (!stream || fstat(STDERR_FILENO, &status) < 0)
		return false;
	snprintf(found, sizeof(found), "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
	return strcmp(stream, found) == 0;
}

/* Lines of Net-SNMP's own come here as well. */
static int print(int major, int minor, void *server, void *client)
{
	const struct snmp_log_message *message = server;

	(void)major;
	(void)minor;
	(void)client;
	if (to_journal)
		fprintf(stderr, "<%d>", message->priority);
	fputs(message->msg, stderr);
	return 0;
}

void snmplog_init(bool destination_given)
{
	to_journal = is_journal();
	if (!destination_given) {
		snmp_unregister_callback(SNMP_CALLBACK_LIBRARY, SNMP_CALLBACK_LOGGING, print, NULL, 0);
		snmp_register_callback(SNMP_CALLBACK_LIBRARY, SNMP_CALLBACK_LOGGING, print, NULL);
		snmp_enable_calllog();
	}
	sma_log_to(&sink);
}

void snmplog_detach(bool destination_given)
{
	if (destination_given)
		return;
	snmp_disable_calllog();
	snmp_enable_syslog_ident(AGENT_NAME, LOG_DAEMON);
}
