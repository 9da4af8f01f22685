// SPDX-License-Identifier: BSD-2-Clause
/* The table of checks, and what is printed of them. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agentx/agentx.h"
#include "agent/clock.h"
#include "agent/doctor/checks.h"
#include "agent/doctor/doctor.h"
#include "agent/loop.h"
#include "sma/log.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { INDENT = 6, SLICE_MS = 10 };

enum check_id {
	DEVICES,
	PORT,
	UMAD,
	QP0,
	SM,
	NOTICES,
	NODE_FILE,
	RIGHTS,
	AGENTX,
	SNMPD_CONF,
	SINKS,
	SMA_MIB,
	DAEMON_MIB,
	SYSTEM,
	NAMES,
	CHECKS
};

enum { WITH_DEVICE = 1, WITH_FILE = 2, ALWAYS = WITH_DEVICE | WITH_FILE };

static const struct check {
	const char *name;
	enum finding (*run)(struct doctor *d);
	unsigned when;
	unsigned needs; /* bits of other checks, which must not have failed */
} checks[CHECKS] = {
	[DEVICES] = {"devices", check_devices, WITH_DEVICE, 0},
	[PORT] = {"port", check_port, WITH_DEVICE, 1 << DEVICES},
	[UMAD] = {"umad device", check_umad, WITH_DEVICE, 1 << PORT},
	[QP0] = {"QP0", check_qp0, WITH_DEVICE, 1 << UMAD},
	[SM] = {"subnet manager", check_sm, WITH_DEVICE, 1 << QP0},
	[NOTICES] = {"subscription", check_notices, WITH_DEVICE, 1 << SM},
	[NODE_FILE] = {"node file", check_file, WITH_FILE, 0},
	[RIGHTS] = {"rights", check_rights, ALWAYS, 0},
	[AGENTX] = {"AgentX", check_agentx, ALWAYS, 1 << RIGHTS},
	[SNMPD_CONF] = {"snmpd.conf", check_snmpd_conf, ALWAYS, 0},
	[SINKS] = {"notifications", check_notifications, ALWAYS, 0},
	[SMA_MIB] = {"SMA-MIB", check_sma_mib, ALWAYS, 1 << QP0 | 1 << NODE_FILE | 1 << AGENTX},
	[DAEMON_MIB] = {"IBSMAD-MIB", check_daemon_mib, ALWAYS, 1 << SMA_MIB},
	[SYSTEM] = {"system group", check_system, ALWAYS, 1 << SMA_MIB},
	[NAMES] = {"MIB names", check_names, ALWAYS, 0},
};

/* ---- for the checks ---- */

enum finding doctor_say(struct doctor *d, enum finding finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(d->text, sizeof(d->text), format, args);
	va_end(args);
	return finding;
}

void doctor_mend(struct doctor *d, const char *format, ...)
{
	size_t used = strlen(d->mends);
	va_list args;

	used += (size_t)snprintf(d->mends + used, sizeof(d->mends) - used, "%*s", INDENT, "");
	if (used >= sizeof(d->mends))
		return;
	va_start(args, format);
	used += (size_t)vsnprintf(d->mends + used, sizeof(d->mends) - used, format, args);
	va_end(args);
	if (used < sizeof(d->mends) - 1)
		memcpy(d->mends + used, "\n", sizeof("\n"));
}

/* The loop looks at a condition only when something happens that it knows of. */
bool doctor_wait(bool (*is_over)(const void *arg), const void *arg)
{
	uint64_t until = clock_ms() + CHECKS_WAIT_MS;

	while (!is_over(arg) && clock_ms() < until)
		loop_finish(is_over, arg, SLICE_MS);
	return is_over(arg);
}

static uint64_t process_node(void *arg, uint64_t now)
{
	return sma_node_process(arg, now);
}

void doctor_follow_node(struct doctor *d)
{
	loop_add(sma_node_fd(d->node), process_node, d->node);
}

static uint64_t run_mib(void *arg, uint64_t now)
{
	return mib_run(arg, now);
}

void doctor_follow_mib(struct doctor *d)
{
	loop_add(-1, run_mib, d->mib);
}

/* ---- all of them ---- */

/* A check that was skipped for another's failure keeps those from running that need it. */
static enum finding run_check(struct doctor *d, const struct check *check, const enum finding *findings)
{
	d->text[0] = d->mends[0] = '\0';
	for (unsigned i = 0; i < COUNT(checks); i++) {
		if (check->needs >> i & 1 && findings[i] >= FINDING_FAIL)
			return doctor_say(d, FINDING_SKIP, "needs \"%s\"", checks[i].name);
	}
	return check->run(d);
}

static void print(const struct doctor *d, const struct check *check, enum finding finding)
{
	static const char *const words[] = {[FINDING_OK] = "ok",
	                                    [FINDING_WARN] = "warn",
	                                    [FINDING_FAIL] = "FAIL",
	                                    [FINDING_SKIP] = "skip"};

	printf("%-*s%-15s %s\n%s", INDENT, words[finding], check->name, d->text, d->mends);
	fflush(stdout);
}

static void conclude(bool failed, bool was_read)
{
	if (failed)
		printf("SMA-MIB would not be readable: fix what failed, and check again.\n");
	else if (was_read)
		printf("SMA-MIB is readable.\n");
	else
		printf("Nothing is known to keep SMA-MIB from being read, but that was not tried.\n");
	fflush(stdout);
}

static int run_checks(struct doctor *d)
{
	const unsigned when = d->software ? WITH_FILE : WITH_DEVICE;
	enum finding findings[CHECKS] = {FINDING_OK};
	bool failed = false;

	for (unsigned i = 0; i < CHECKS; i++) {
		if (!(checks[i].when & when))
			continue;
		findings[i] = run_check(d, &checks[i], findings);
		failed = failed || findings[i] == FINDING_FAIL;
		print(d, &checks[i], findings[i]);
	}
	conclude(failed, findings[SMA_MIB] <= FINDING_WARN);
	return failed ? -EIO : 0;
}

/* ---- the log: what a check finds is printed, and need not be logged as well ---- */

static bool wants_debug(const char *topic)
{
	(void)topic;
	return false;
}

static void drop_line(enum sma_level level, const char *topic, const char *line)
{
	(void)level;
	(void)topic;
	(void)line;
}

static const struct sma_log_sink silence = {.wants_debug = wants_debug, .write = drop_line};

int doctor_run(const struct agent_config *config, const char *software)
{
	struct doctor *d = calloc(1, sizeof(*d));
	int rc;

	if (!d)
		return -ENOMEM;
	d->config = config;
	d->software = software;
	if (!snmp_get_do_debugging())
		sma_log_to(&silence);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_NO_TOKEN_WARNINGS, 1);
	doctor_prepare_names();
	agentlib_start();
	snmpd_conf_read(&d->conf); /* as the user who started this */
	rc = run_checks(d);
	doctor_end_agentx(d);
	mib_close(d->mib);
	sma_node_close(d->node);
	sma_devices_free(&d->devices);
	sma_soft_close(d->soft);
	agentlib_stop();
	free(d);
	return rc;
}
