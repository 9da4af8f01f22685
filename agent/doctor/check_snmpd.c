// SPDX-License-Identifier: BSD-2-Clause
/* The configuration of snmpd: whether there is one, and what in it does not do what it seems to. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/agentx/agentx.h"
#include "agent/doctor/checks.h"

static bool is_elsewhere(void)
{
	struct address address;

	return address_parse(agentlib_address(), &address) == 0 && !address_is_local(&address);
}

bool doctor_lacks_snmpd(void)
{
	static const char *const places[] = {"/usr/sbin/snmpd", "/usr/local/sbin/snmpd", "/sbin/snmpd"};
	bool found = is_elsewhere();

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		found = found || access(places[i], X_OK) == 0;
	return !found;
}

void doctor_mend_lack(struct doctor *d)
{
	doctor_mend(d, "apt-get install snmpd    (Fedora: dnf install net-snmp)");
}

static enum finding tell_unread(struct doctor *d)
{
	if (d->conf.closed[0]) {
		doctor_mend(d, "run ibsmad --check as root");
		return doctor_say(d, FINDING_FAIL, "%s cannot be read: %s", d->conf.closed,
		                  strerror(d->conf.reason));
	}
	if (doctor_lacks_snmpd())
		return doctor_say(d, FINDING_SKIP, "snmpd is not installed");
	doctor_mend(d, "SNMPCONFPATH=FOLDER ibsmad --check    (with the folder of the snmpd.conf in use)");
	return doctor_say(d, FINDING_FAIL, "there is no snmpd.conf where snmpd looks for it");
}

/* Lines that have no effect, however well they look. False: there are none. */
static bool mend_shadowed(struct doctor *d)
{
	const struct snmpd_conf *conf = &d->conf;
	bool found = false;

	for (size_t i = 0; i < conf->community_count; i++) {
		const struct community *shadow = community_shadow(conf->communities, i);

		if (!shadow)
			continue;
		doctor_mend(d, "%s: another community than that of %s, which comes first",
		            conf->communities[i].place, shadow->place);
		found = true;
	}
	return found;
}

enum finding check_snmpd_conf(struct doctor *d)
{
	const struct snmpd_conf *conf = &d->conf;

	if (is_elsewhere())
		return doctor_say(d, FINDING_SKIP, "snmpd is on another machine: run ibsmad --check there");
	d->knows_snmpd = conf->file[0] && !conf->closed[0];
	if (!d->knows_snmpd)
		return tell_unread(d);
	if (mend_shadowed(d))
		return doctor_say(d, FINDING_WARN,
		                  "a line has no effect: one before it has the same community, and the first "
		                  "is taken");
	if (conf->stray_view[0]) {
		doctor_mend(d, "%s: the comment on a line of its own", conf->stray_view);
		return doctor_say(d, FINDING_WARN, "a view has a comment in place of a mask: %s",
		                  conf->stray_view);
	}
	if (conf->complaint[0])
		return doctor_say(d, FINDING_WARN, "Net-SNMP says: %s", conf->complaint);
	return doctor_say(d, FINDING_OK, "%s was read; lines with communities: %zu, with users: %u",
	                  conf->file, conf->community_count, conf->users);
}
