// SPDX-License-Identifier: BSD-2-Clause
/* Whether the configuration of snmpd lets anybody read the MIB. */
#include <string.h>

#include "agent/address.h"
#include "agent/agentlib.h"
#include "agent/doctor_parts.h"
#include "agent/doctor_vacm.h"

/* What snmpd itself calls a view that was made for a line with an OID. */
static bool is_nameless(const char *view)
{
	return !view[0] || strncmp(view, "viewComm", strlen("viewComm")) == 0 ||
	       strncmp(view, "viewUSM", strlen("viewUSM")) == 0;
}

static void mend_view(struct doctor *d, const struct doctor_vacm *vacm)
{
	if (is_nameless(vacm->view)) {
		doctor_mend(d, "%s: view ibsma included ." DOCTOR_MIB, d->conf.file);
		doctor_mend(d, "%s: rocommunity COMMUNITY 127.0.0.1 -V ibsma", d->conf.file);
	} else {
		doctor_mend(d, "%s: view %s included ." DOCTOR_MIB, d->conf.file, vacm->view);
	}
	doctor_mend(d, "systemctl restart snmpd");
}

static enum finding tell_unread(struct doctor *d)
{
	if (d->conf.closed[0]) {
		doctor_mend(d, "run ibsmad --check as a user who may read it");
		return doctor_say(d, FINDING_WARN, "%s cannot be read: %s", d->conf.closed,
		                  strerror(d->conf.reason));
	}
	doctor_mend(d, "SNMPCONFPATH=FOLDER ibsmad --check    (with the folder of the snmpd.conf in use)");
	return doctor_say(d, FINDING_WARN, "there is no snmpd.conf where snmpd looks for it");
}

static bool is_elsewhere(void)
{
	struct address address;

	return address_parse(agentlib_address(), &address) == 0 && !address_is_local(&address);
}

enum finding doctor_check_view(struct doctor *d)
{
	struct doctor_vacm vacm;

	if (is_elsewhere()) {
		doctor_mend(d, "snmpd.conf of that machine: view systemonly included ." DOCTOR_MIB);
		return doctor_say(d, FINDING_WARN, "snmpd is on another machine, its views are not known");
	}
	doctor_vacm_survey(&d->conf, &vacm);
	d->community = vacm.community;
	if (vacm.readers)
		return doctor_say(d, FINDING_OK, "%s lets " DOCTOR_MIB " be read%s", d->conf.file,
		                  vacm.community ? ", also from this host" : "");
	if (!d->conf.file[0] || d->conf.closed[0])
		return tell_unread(d);
	mend_view(d, &vacm);
	if (vacm.partial)
		return doctor_say(d, FINDING_WARN, "%s shows only part of " DOCTOR_MIB " (view %s)",
		                  d->conf.file, vacm.view);
	if (vacm.principals)
		return doctor_say(d, FINDING_FAIL, "%s hides " DOCTOR_MIB ": no view includes it (view %s)",
		                  d->conf.file, vacm.view);
	return doctor_say(d, FINDING_FAIL, "%s lets nobody read anything", d->conf.file);
}
