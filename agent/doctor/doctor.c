// SPDX-License-Identifier: BSD-2-Clause
/* The table of checks, and their run. */
#include <errno.h>
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/agentx.h"
#include "agent/doctor/checks.h"
#include "agent/doctor/doctor.h"
#include "sma/log.h"

enum check_id {
	DEVICES,
	PORT,
	UMAD,
	QP0,
	SM,
	SUBSCRIPTION,
	NODE_FILE,
	RIGHTS,
	AGENTX,
	SNMPD_CONF,
	NOTIFICATIONS,
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
	[SUBSCRIPTION] = {"subscription", check_subscription, WITH_DEVICE, 1 << SM},
	[NODE_FILE] = {"node file", check_node_file, WITH_FILE, 0},
	[RIGHTS] = {"rights", check_rights, ALWAYS, 0},
	[AGENTX] = {"AgentX", check_agentx, ALWAYS, 1 << RIGHTS},
	[SNMPD_CONF] = {"snmpd.conf", check_snmpd_conf, ALWAYS, 0},
	[NOTIFICATIONS] = {"notifications", check_notifications, ALWAYS, 0},
	[SMA_MIB] = {"SMA-MIB", check_sma_mib, ALWAYS, 1 << QP0 | 1 << NODE_FILE | 1 << AGENTX},
	[DAEMON_MIB] = {"IBSMAD-MIB", check_daemon_mib, ALWAYS, 1 << SMA_MIB},
	[SYSTEM] = {"system group", check_system, ALWAYS, 1 << SMA_MIB},
	[NAMES] = {"MIB names", check_names, ALWAYS, 0},
};

/* A check is skipped after a failure of one that it needs, and then so are those that need it. */
static enum finding run_check(struct doctor *d, const struct check *check, const enum finding *findings)
{
	for (unsigned i = 0; i < CHECKS; i++) {
		if (check->needs >> i & 1 && findings[i] >= FINDING_FAIL)
			return report_say(FINDING_SKIP, "needs \"%s\"", checks[i].name);
	}
	return check->run(d);
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
		report_print(checks[i].name, findings[i]);
	}
	report_conclude(failed, findings[SMA_MIB] <= FINDING_WARN);
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
	check_names_prepare();
	agentlib_start();
	snmpd_conf_read(&d->conf); /* before privileges are dropped */
	rc = run_checks(d);
	session_stop();
	mib_close(d->mib);
	sma_node_close(d->node);
	mad_ports_close(d->ports);
	sma_devices_free(&d->devices);
	sma_soft_close(d->soft);
	free(d);
	return rc;
}
