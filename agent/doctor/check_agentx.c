// SPDX-License-Identifier: BSD-2-Clause
/* The master agent: its socket, and whether it takes the MIB. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agent.h"
#include "agent/agentx/agentx.h"
#include "agent/clock.h"
#include "agent/doctor/checks.h"

enum { SHUTDOWN_MS = 500 };

static const oid sma_mib[] = {CHECKS_SMA_MIB};
static const oid daemon_mib[] = {IBSMAD_MIB_OID};

/* ---- connecting ---- */

struct connecting {
	struct connect *attempt;
	int *rc; /* a socket, or -errno */
};

static bool is_connected(const void *arg)
{
	const struct connecting *connecting = arg;

	if (*connecting->rc == -EINPROGRESS)
		*connecting->rc = connect_continue(connecting->attempt, clock_ms());
	return *connecting->rc != -EINPROGRESS;
}

static int connect_to(const char *text, struct address *address)
{
	struct connect attempt;
	int rc = address_parse(text, address);
	const struct connecting connecting = {.attempt = &attempt, .rc = &rc};

	if (rc < 0)
		return rc;
	rc = connect_start(&attempt, address, clock_ms());
	if (doctor_wait(is_connected, &connecting))
		return rc;
	connect_stop(&attempt);
	return -ETIMEDOUT;
}

/* ---- why it failed ---- */

static const char *conf_file(const struct doctor *d)
{
	return d->conf.file[0] ? d->conf.file : "snmpd.conf";
}

/* The path of the socket; NULL: it has none. */
static const char *socket_path(struct address *address)
{
	bool has_path = address_parse(agentlib_address(), address) == 0 && address->family == AF_UNIX;

	return has_path ? address->path.sun_path : NULL;
}

/* snmpd gives the mode of agentXPerms to a folder that it makes, not to one that is there. */
static void mend_folders(struct doctor *d, const struct checks_user *user)
{
	struct address address;
	const char *path = socket_path(&address);
	size_t length = path ? checks_user_barrier(user, path, 1) : 0;

	for (; length && path[length]; length = checks_user_barrier(user, path, length + 1))
		doctor_mend(d, "chmod 0755 %.*s", (int)length, path);
}

static void mend_rights_of(struct doctor *d, const struct checks_user *user)
{
	// cppcheck-suppress getgrgidCalled ; there is one thread that does
	const struct group *group = getgrgid(user->gid);
	char line[SNMPD_CONF_TEXT];

	snprintf(line, sizeof(line), "0660 0755 root %s", group ? group->gr_name : "GROUP");
	if (strcmp(line, d->conf.perms) != 0)
		doctor_mend(d, "%s: agentXPerms %s", conf_file(d), line);
	mend_folders(d, user);
	doctor_mend(d, "systemctl restart snmpd");
}

static void mend_rights(struct doctor *d)
{
	struct checks_user self;

	checks_user_self(&self);
	mend_rights_of(d, &self);
}

static void mend_master(struct doctor *d)
{
	const char *socket = d->conf.socket;

	if (doctor_lacks_snmpd()) {
		doctor_mend_lack(d);
		return;
	}
	if (d->conf.file[0] && !d->conf.is_master)
		doctor_mend(d, "%s: master agentx", conf_file(d));
	else if (socket[0] && strcmp(socket, agentlib_address()) != 0)
		doctor_mend(d, "ibsmad.conf: agentXSocket %s    (as in %s)", socket, conf_file(d));
	doctor_mend(d, "systemctl restart snmpd");
}

static void mend_connection(struct doctor *d, int rc)
{
	static const struct {
		int error;
		void (*mend)(struct doctor *d);
	} mends[] = {{EACCES, mend_rights}, {EPERM, mend_rights}};

	for (size_t i = 0; i < sizeof(mends) / sizeof(mends[0]); i++) {
		if (mends[i].error == -rc) {
			mends[i].mend(d);
			return;
		}
	}
	mend_master(d);
}

/* ---- Open, Register ---- */

static int take_setup_response(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu,
                               void *arg);

static void continue_setup(struct checks_session *agentx)
{
	netsnmp_pdu *pdu;

	if (!setup_request(&agentx->setup, &pdu))
		agentx->registered = true;
	else if (link_send(&agentx->link, pdu, take_setup_response, agentx) < 0)
		link_fail(&agentx->link, "a request cannot be sent");
}

static int take_setup_response(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu,
                               void *arg)
{
	struct checks_session *agentx = arg;

	(void)request;
	if (!link_is_response(&agentx->link, operation, pdu))
		return 1;
	agentx->is_taken = pdu->errstat == AGENTX_DUPLICATE_REGISTRATION;
	if (setup_respond(&agentx->setup, session, pdu, agentx->refusal, sizeof(agentx->refusal)))
		continue_setup(agentx);
	return 1;
}

static bool is_settled(const void *arg)
{
	const struct checks_session *agentx = arg;

	return agentx->registered || agentx->refusal[0] || agentx->link.fault[0];
}

/* Whether the socket is closed to the user whom the service has that is installed; root may use any. */
static bool is_closed_to_service(const struct doctor *d, struct checks_user *user)
{
	struct address address;
	const char *path = socket_path(&address);

	return path && geteuid() == 0 && !d->config->user[0] && checks_user_find(user, AGENT_NAME) &&
	       checks_user_barrier(user, path, 1);
}

static enum finding judge_service(struct doctor *d, const char *what)
{
	struct checks_user user;

	if (!is_closed_to_service(d, &user))
		return doctor_say(d, FINDING_OK, "snmpd at %s %s", agentlib_address(), what);
	mend_rights_of(d, &user);
	return doctor_say(d, FINDING_WARN,
	                  "snmpd at %s %s, but is closed to user " AGENT_NAME ", as whom the service runs",
	                  agentlib_address(), what);
}

static enum finding judge(struct doctor *d)
{
	const struct checks_session *agentx = &d->agentx;

	if (agentx->registered)
		return judge_service(d, "takes " CHECKS_MIB);
	if (agentx->is_taken)
		return judge_service(d, "has " CHECKS_MIB " from another ibsmad --check");
	doctor_mend(d, "systemctl restart snmpd");
	if (agentx->refusal[0])
		return doctor_say(d, FINDING_FAIL, "snmpd at %s: %s", agentlib_address(), agentx->refusal);
	return doctor_say(d, FINDING_FAIL, "snmpd at %s was connected, but: %s", agentlib_address(),
	                  agentx->link.fault[0] ? agentx->link.fault : "it does not answer");
}

/* Somebody else than snmpd may have come first. */
static enum finding judge_peer(struct doctor *d, int fd, const char *why)
{
	close(fd);
	doctor_mend(d, "systemctl restart snmpd    (it replaces a socket that is another's)");
	return doctor_say(d, FINDING_FAIL, "no connection to snmpd at %s: %s", agentlib_address(), why);
}

enum finding check_agentx(struct doctor *d)
{
	struct checks_session *agentx = &d->agentx;
	struct address address;
	char why[256];
	int fd = connect_to(agentlib_address(), &address);

	if (fd >= 0 && credentials_check(fd, &address, d->config->agentx_peer, why, sizeof(why)) < 0)
		return judge_peer(d, fd, why);
	if (fd >= 0)
		fd = link_open(&agentx->link, fd);
	if (fd < 0) {
		mend_connection(d, fd);
		return doctor_say(d, FINDING_FAIL, "no connection to snmpd at %s: %s%s", agentlib_address(),
		                  strerror(-fd), doctor_lacks_snmpd() ? "; snmpd is not installed" : "");
	}
	agentx->open = true;
	/* where a daemon runs it goes on serving, and snmpd has no second registration to complain of */
	agentx->setup.gives_way = true;
	setup_serve(&agentx->setup, sma_mib, OID_LENGTH(sma_mib));
	setup_serve(&agentx->setup, daemon_mib, OID_LENGTH(daemon_mib));
	continue_setup(agentx);
	doctor_wait(is_settled, agentx);
	return judge(d);
}

void doctor_end_agentx(struct doctor *d)
{
	struct checks_session *agentx = &d->agentx;

	if (!agentx->open)
		return;
	if (!agentx->link.fault[0])
		link_shut_down(&agentx->link, SHUTDOWN_MS);
	link_close(&agentx->link);
}
