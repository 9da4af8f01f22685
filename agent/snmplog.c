// SPDX-License-Identifier: BSD-2-Clause
/* Net-SNMP's options and functions decide which lines go where; the places of agent/logplace.h write them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agent.h"
#include "agent/last_error.h"
#include "agent/logplace.h"
#include "agent/snmplog.h"
#include "sma/log.h"

enum { FINISH_MS = 300 };

static struct route {
	struct route *next;
	const netsnmp_log_handler *from;
	struct logplace *to;
} * routes;

static bool started;

static const int priorities[] = {
	[SMA_LOG_ERROR] = LOG_ERR, [SMA_LOG_WARNING] = LOG_WARNING, [SMA_LOG_NOTICE] = LOG_NOTICE,
	[SMA_LOG_INFO] = LOG_INFO, [SMA_LOG_DEBUG] = LOG_DEBUG,
};

/* ---- lines ---- */

/* A netsnmp_log_handler. */
static int take(netsnmp_log_handler *handler, int priority, const char *text)
{
	for (const struct route *route = routes; route; route = route->next) {
		if (route->from == handler)
			logplace_take(route->to, priority, text);
	}
	return 1;
}

static bool wants_debug(const char *topic)
{
	return snmp_get_do_debugging() && debug_is_token_registered(topic) == SNMPERR_SUCCESS;
}

/* After its shutdown Net-SNMP has no handlers any more. */
static void write_line(enum sma_level level, const char *topic, const char *line)
{
	char text[LOGPLACE_LINE_SIZE];

	if (level == SMA_LOG_ERROR || level == SMA_LOG_WARNING)
		last_error_note(topic, line);
	snprintf(text, sizeof(text), "%s: %s\n", topic, line);
	if (get_logh_head()) {
		snmp_log(priorities[level], "%s", text);
		return;
	}
	for (const struct route *route = routes; route; route = route->next)
		logplace_take(route->to, priorities[level], text);
}

static const struct sma_log_sink sink = {.wants_debug = wants_debug, .write = write_line};

/* ---- routes ---- */

/* Takes over the file. */
static struct logplace *take_file(netsnmp_log_handler *handler)
{
	FILE *file = handler->magic;
	int fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	fclose(file);
	handler->magic = NULL;
	return fd < 0 ? NULL : logplace_file(fd, handler->token);
}

static struct logplace *open_place(netsnmp_log_handler *handler)
{
	switch (handler->type) {
	case NETSNMP_LOGHANDLER_SYSLOG:
		/* the library would close syslog at its shutdown, and wait for a thread that hangs there */
		handler->type = NETSNMP_LOGHANDLER_CALLBACK;
		return logplace_syslog();
	case NETSNMP_LOGHANDLER_FILE:
		return take_file(handler);
	default:
		return logplace_stream(handler->imagic ? STDOUT_FILENO : STDERR_FILENO);
	}
}

static int add_route(netsnmp_log_handler *handler)
{
	struct route *route = malloc(sizeof(*route));
	int rc;

	if (!route)
		return -ENOMEM;
	errno = 0;
	*route = (struct route){routes, handler, open_place(handler)};
	if (!route->to) {
		rc = errno ? -errno : -ENOMEM;
		free(route);
		return rc;
	}
	routes = route;
	handler->handler = take;
	return started ? logplace_start(route->to) : 0;
}

static int add_routes(void)
{
	int rc = 0;

	for (netsnmp_log_handler *handler = get_logh_head(); handler && rc == 0; handler = handler->next) {
		if (handler->handler != take && handler->type != NETSNMP_LOGHANDLER_NONE &&
		    handler->type != NETSNMP_LOGHANDLER_CALLBACK)
			rc = add_route(handler);
	}
	return rc;
}

int snmplog_init(bool destination_given)
{
	int debugging = snmp_get_do_debugging();
	int rc;

	/* Net-SNMP would write debug output about its handlers itself */
	snmp_set_do_debugging(0);
	if (!destination_given)
		snmp_enable_stderrlog();
	rc = add_routes();
	snmp_set_do_debugging(debugging);
	sma_log_to(&sink);
	return rc;
}

int snmplog_start(void)
{
	int rc = 0;

	started = true;
	for (const struct route *route = routes; route && rc == 0; route = route->next)
		rc = logplace_start(route->to);
	return rc;
}

int snmplog_detach(bool destination_given)
{
	snmplog_finish();
	logplace_leave_stderr();
	if (destination_given)
		return 0;
	snmp_disable_stderrlog();
	while (routes) {
		struct route *next = routes->next;

		free(routes);
		routes = next;
	}
	snmp_enable_syslog_ident(AGENT_NAME, LOG_DAEMON);
	return add_routes();
}

void snmplog_reopen(void)
{
	for (const struct route *route = routes; route; route = route->next)
		logplace_reopen(route->to);
}

void snmplog_finish(void)
{
	for (const struct route *route = routes; route; route = route->next)
		logplace_finish(route->to, FINISH_MS);
}
