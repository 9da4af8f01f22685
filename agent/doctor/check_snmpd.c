// SPDX-License-Identifier: BSD-2-Clause
/* The configuration of snmpd: whether there is one, which lines do not do what they seem to, and whether
 * notifications go anywhere. */
#include <string.h>
#include <unistd.h>

#include "agent/agentx/agentx.h"
#include "agent/doctor/checks.h"

static bool is_elsewhere(void)
{
	struct address address;

	return address_parse(agentlib_address(), &address) == 0 && !address_is_local(&address);
}

bool check_snmpd_is_missing(void)
{
	static const char *const places[] = {"/usr/sbin/snmpd", "/usr/local/sbin/snmpd", "/sbin/snmpd"};
	bool found = is_elsewhere();

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		found = found || access(places[i], X_OK) == 0;
	return !found;
}

static enum finding report_unread(const struct doctor *d)
{
	if (d->conf.closed[0]) {
		report_fix("run ibsmad --check as root");
		return report_say(FINDING_FAIL, "%s cannot be read: %s", d->conf.closed,
		                  strerror(d->conf.reason));
	}
	if (check_snmpd_is_missing())
		return report_say(FINDING_SKIP, "snmpd is not installed");
	report_fix("SNMPCONFPATH=DIRECTORY ibsmad --check    (with the directory of the snmpd.conf in use)");
	return report_say(FINDING_FAIL, "there is no snmpd.conf where snmpd looks for it");
}

/* Lines that have no effect, however well they look. False: there are none. */
static bool fix_shadowed(const struct snmpd_conf *conf)
{
	bool found = false;

	for (size_t i = 0; i < conf->community_count; i++) {
		const struct community *shadow = community_shadow(conf->communities, i);

		if (!shadow)
			continue;
		report_fix("%s: another community than that of %s, which comes first",
		           conf->communities[i].place, shadow->place);
		found = true;
	}
	return found;
}

enum finding check_snmpd_conf(struct doctor *d)
{
	const struct snmpd_conf *conf = &d->conf;

	if (is_elsewhere())
		return report_say(FINDING_SKIP, "snmpd is on another machine: run ibsmad --check there");
	d->knows_snmpd = conf->file[0] && !conf->closed[0];
	if (!d->knows_snmpd)
		return report_unread(d);
	if (fix_shadowed(conf))
		return report_say(
			FINDING_WARN,
			"a line has no effect: an earlier one has the same community, and the first "
			"applies");
	if (conf->stray_view[0]) {
		report_fix("%s: the comment on a line of its own", conf->stray_view);
		return report_say(FINDING_WARN, "a view has a comment in place of a mask: %s",
		                  conf->stray_view);
	}
	if (conf->complaint[0])
		return report_say(FINDING_WARN, "Net-SNMP says: %s", conf->complaint);
	return report_say(FINDING_OK, "%s was read; lines with communities: %zu, with users: %u", conf->file,
	                  conf->community_count, conf->users);
}

enum finding check_notifications(struct doctor *d)
{
	const struct snmpd_conf *conf = &d->conf;

	if (d->config->sources.off)
		return report_say(FINDING_OK, "off");
	if (!d->knows_snmpd)
		return report_say(FINDING_SKIP, "the configuration of snmpd is not known");
	if (!conf->sinks) {
		report_fix("%s: trap2sink HOST COMMUNITY", conf->view_file[0] ? conf->view_file : conf->file);
		report_fix("systemctl restart snmpd");
		return report_say(FINDING_WARN, "notifications go nowhere: %s names no receiver", conf->file);
	}
	if (conf->stray_sink[0]) {
		report_fix("%s: host and community only, a comment on a line of its own", conf->stray_sink);
		return report_say(FINDING_WARN,
		                  "notifications may not arrive, as a line has too many words: %s",
		                  conf->stray_sink);
	}
	return report_say(FINDING_OK, "%s names receivers: %u", conf->file, conf->sinks);
}
