// SPDX-License-Identifier: BSD-2-Clause
/* Whether snmpd is told where to send notifications. */
#include "agent/doctor/checks.h"

enum finding check_notifications(struct doctor *d)
{
	const struct snmpd_conf *conf = &d->conf;

	if (d->config->sources.off)
		return doctor_say(d, FINDING_OK, "off");
	if (!d->knows_snmpd)
		return doctor_say(d, FINDING_SKIP, "the configuration of snmpd is not known");
	if (!conf->sinks) {
		doctor_mend(d, "%s: trap2sink HOST COMMUNITY",
		            conf->view_file[0] ? conf->view_file : conf->file);
		doctor_mend(d, "systemctl restart snmpd");
		return doctor_say(d, FINDING_WARN, "notifications go nowhere: %s names no receiver",
		                  conf->file);
	}
	if (conf->stray_sink[0]) {
		doctor_mend(d, "%s: host and community only, a comment on a line of its own",
		            conf->stray_sink);
		return doctor_say(d, FINDING_WARN,
		                  "notifications may not arrive, for a line has too much: %s",
		                  conf->stray_sink);
	}
	return doctor_say(d, FINDING_OK, "%s names receivers: %u", conf->file, conf->sinks);
}
