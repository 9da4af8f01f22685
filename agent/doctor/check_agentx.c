// SPDX-License-Identifier: BSD-2-Clause
/* The master agent: its socket, and whether it accepts the MIB. The session is the daemon's own. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agent.h"
#include "agent/agentx/agentx.h"
#include "agent/doctor/barrier.h"
#include "agent/doctor/checks.h"
#include "agent/loop.h"
#include "agent/privilege.h"

static const oid sma_mib[] = {CHECKS_SMA_MIB};
static const oid daemon_mib[] = {IBSMAD_MIB_OID};

static const char *conf_file(const struct doctor *d)
{
	return d->conf.file[0] ? d->conf.file : "snmpd.conf";
}

/* ---- access to the socket ---- */

/* The path of the socket; NULL: it has none. */
static const char *socket_path(struct address *address)
{
	bool has_path = address_parse(agentlib_address(), address) == 0 && address->family == AF_UNIX;

	return has_path ? address->path.sun_path : NULL;
}

/* snmpd gives the mode of agentXPerms to a directory that it creates, not to an existing one. */
static void fix_folders(const char *user)
{
	struct address address;
	const char *path = socket_path(&address);
	size_t length = path ? barrier_find(user, path, 1) : 0;

	for (; length && path[length]; length = barrier_find(user, path, length + 1))
		report_fix("chmod 0755 %.*s", (int)length, path);
}

/* `user`: NULL for that of this process. */
static void fix_access(const struct doctor *d, const char *user)
{
	// cppcheck-suppress[getpwnamCalled,getgrgidCalled] ; no other thread looks anybody up
	const struct passwd *entry = user ? getpwnam(user) : NULL;
	// cppcheck-suppress getgrgidCalled
	const struct group *group = getgrgid(entry ? entry->pw_gid : getegid());
	char line[SNMPD_CONF_TEXT];

	snprintf(line, sizeof(line), "0660 0755 root %s", group ? group->gr_name : "GROUP");
	if (strcmp(line, d->conf.perms) != 0)
		report_fix("%s: agentXPerms %s", conf_file(d), line);
	fix_folders(user);
	report_fix("systemctl restart snmpd");
}

/* Whether the socket is closed to the user of the installed service; root may use any. */
static bool is_closed_to_service(const struct doctor *d)
{
	struct address address;
	const char *path = socket_path(&address);
	uid_t service;

	return path && geteuid() == 0 && !d->config->user[0] &&
	       privilege_user_id(AGENT_NAME, &service) == 0 && barrier_find(AGENT_NAME, path, 1);
}

/* ---- the result ---- */

static enum finding report_accepted(const struct doctor *d, const char *what)
{
	if (!is_closed_to_service(d))
		return report_say(FINDING_OK, "snmpd at %s %s", agentlib_address(), what);
	fix_access(d, AGENT_NAME);
	return report_say(FINDING_WARN,
	                  "snmpd at %s %s, but is closed to user " AGENT_NAME ", as whom the service runs",
	                  agentlib_address(), what);
}

static void fix_master(const struct doctor *d)
{
	const char *socket = d->conf.socket;

	if (check_snmpd_is_missing()) {
		report_fix("apt-get install snmpd    (Fedora: dnf install net-snmp)");
		return;
	}
	if (d->conf.file[0] && !d->conf.is_master)
		report_fix("%s: master agentx", conf_file(d));
	else if (socket[0] && strcmp(socket, agentlib_address()) != 0)
		report_fix("ibsmad.conf: agentXSocket %s    (as in %s)", socket, conf_file(d));
	report_fix("systemctl restart snmpd");
}

static enum finding report_failure(const struct doctor *d, const struct session_failure *failure)
{
	switch (failure->kind) {
	case SESSION_NOT_CONNECTED:
		if (failure->error == -EACCES || failure->error == -EPERM)
			fix_access(d, NULL);
		else
			fix_master(d);
		return report_say(FINDING_FAIL, "no connection to snmpd at %s: %s%s", agentlib_address(),
		                  strerror(-failure->error),
		                  check_snmpd_is_missing() ? "; snmpd is not installed" : "");
	case SESSION_NOT_PERMITTED:
		report_fix("systemctl restart snmpd    (it replaces the socket of another program)");
		return report_say(FINDING_FAIL, "no connection to snmpd at %s: %s", agentlib_address(),
		                  failure->text);
	case SESSION_DUPLICATE:
		return report_accepted(d, "has " CHECKS_MIB " from another ibsmad --check");
	default:
		report_fix("systemctl restart snmpd");
		return report_say(FINDING_FAIL, "snmpd at %s: %s", agentlib_address(),
		                  failure->kind == SESSION_ENDED ? failure->text : "it does not answer");
	}
}

static bool is_settled(const void *arg)
{
	(void)arg;
	return session_is_up() || session_last_failure()->kind != SESSION_NOT_FAILED;
}

enum finding check_agentx(struct doctor *d)
{
	session_permit_peer(d->config->agentx_peer);
	/* a daemon that runs continues to serve, and snmpd does not complain about a second registration */
	session_give_way();
	session_serve("", sma_mib, OID_LENGTH(sma_mib));
	session_serve("", daemon_mib, OID_LENGTH(daemon_mib));
	loop_add(-1, session_process, NULL);
	loop_wait(is_settled, NULL, CHECKS_WAIT_MS);
	return session_is_up() ? report_accepted(d, "accepts " CHECKS_MIB)
	                       : report_failure(d, session_last_failure());
}
