// SPDX-License-Identifier: BSD-2-Clause
/* Whether the configuration of snmpd lets anybody read the MIBs. */
#include <stdio.h>
#include <string.h>

#include "agent/address.h"
#include "agent/agentlib.h"
#include "agent/doctor_parts.h"
#include "agent/doctor_vacm.h"

#define ARCS(mib) mib, sizeof(mib) / sizeof((mib)[0])

static const oid sma_mib[] = {1, 3, 6, 1, 3, 117, 3};
static const oid daemon_mib[] = {IBSMAD_MIB_OID};

/* ---- what mends it ---- */

/* What snmpd itself calls a view that was made for a line with an OID. */
static bool is_nameless(const char *view)
{
	return !view[0] || strncmp(view, "viewComm", strlen("viewComm")) == 0 ||
	       strncmp(view, "viewUSM", strlen("viewUSM")) == 0;
}

static void mend_comment(struct doctor *d)
{
	doctor_mend(d, "%s: %s: the comment on a line of its own", d->conf.file, d->conf.stray_view);
}

static void write_name(char *text, size_t size, const oid *name, size_t length)
{
	size_t used = 0;

	for (size_t i = 0; i < length && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%lu", i ? "." : "", name[i]);
}

/* A line that includes the MIB does not prevail over one that excludes it, or more exactly a part of it. */
static bool mend_exclusions(struct doctor *d, const char *view, const oid *mib, size_t length)
{
	char name[DOCTOR_CONF_TEXT];
	const oid *subtree;
	size_t arcs;
	unsigned line = 0;

	while ((subtree = doctor_vacm_exclusion(view, mib, length, line, &arcs))) {
		write_name(name, sizeof(name), subtree, arcs);
		doctor_mend(d, "%s: remove the line: view %s excluded .%s", d->conf.file, view, name);
		line++;
	}
	if (line)
		doctor_mend(d, "    or use a view of its own:");
	return line;
}

static void mend_view(struct doctor *d, const struct doctor_vacm *vacm, const oid *mib, size_t length)
{
	char name[DOCTOR_CONF_TEXT];

	write_name(name, sizeof(name), mib, length);
	if (d->conf.stray_view[0])
		mend_comment(d);
	if (is_nameless(vacm->view) || mend_exclusions(d, vacm->view, mib, length)) {
		doctor_mend(d, "%s: view ibsma included .%s", d->conf.file, name);
		doctor_mend(d, "%s: rocommunity COMMUNITY 127.0.0.1 -V ibsma", d->conf.file);
	} else {
		doctor_mend(d, "%s: view %s included .%s", d->conf.file, vacm->view, name);
	}
	doctor_mend(d, "systemctl restart snmpd");
}

static enum finding tell_unread(struct doctor *d)
{
	if (d->conf.closed[0]) {
		doctor_mend(d, "run ibsmad --check as root");
		return doctor_say(d, FINDING_FAIL, "%s cannot be read: %s", d->conf.closed,
		                  strerror(d->conf.reason));
	}
	doctor_mend(d, "SNMPCONFPATH=FOLDER ibsmad --check    (with the folder of the snmpd.conf in use)");
	return doctor_say(d, FINDING_FAIL, "there is no snmpd.conf where snmpd looks for it");
}

/* ---- SMA-MIB ---- */

static bool is_elsewhere(void)
{
	struct address address;

	return address_parse(agentlib_address(), &address) == 0 && !address_is_local(&address);
}

static enum finding tell_readable(struct doctor *d, const char *community)
{
	if (!d->conf.stray_view[0])
		return doctor_say(d, FINDING_OK, "%s lets " DOCTOR_MIB " be read%s", d->conf.file,
		                  community ? ", also from this host" : "");
	mend_comment(d);
	return doctor_say(d, FINDING_WARN,
	                  "%s lets " DOCTOR_MIB " be read%s, but has a comment in place of a mask: %s",
	                  d->conf.file, community ? ", also from this host" : "", d->conf.stray_view);
}

static enum finding tell_hidden(struct doctor *d, const struct doctor_vacm *vacm)
{
	mend_view(d, vacm, ARCS(sma_mib));
	if (vacm->partial)
		return doctor_say(d, FINDING_WARN, "%s shows only part of " DOCTOR_MIB " (view %s)",
		                  d->conf.file, vacm->view);
	if (vacm->principals)
		return doctor_say(d, FINDING_FAIL, "%s hides " DOCTOR_MIB ": no view includes it (view %s)",
		                  d->conf.file, vacm->view);
	return doctor_say(d, FINDING_FAIL, "%s lets nobody read anything", d->conf.file);
}

enum finding doctor_check_view(struct doctor *d)
{
	struct doctor_vacm vacm;

	if (is_elsewhere()) {
		doctor_mend(d, "snmpd.conf of that machine: view systemonly included ." DOCTOR_MIB);
		return doctor_say(d, FINDING_WARN, "snmpd is on another machine, its views are not known");
	}
	d->knows_snmpd = d->conf.file[0] && !d->conf.closed[0];
	doctor_vacm_survey(&d->conf, ARCS(sma_mib), &vacm);
	d->community = vacm.community;
	if (vacm.readers)
		return tell_readable(d, vacm.community);
	return d->knows_snmpd ? tell_hidden(d, &vacm) : tell_unread(d);
}

/* ---- IBSMAD-MIB ---- */

enum finding doctor_check_daemon_view(struct doctor *d)
{
	struct doctor_vacm vacm;
	char name[DOCTOR_CONF_TEXT];

	if (!d->knows_snmpd)
		return doctor_say(d, FINDING_SKIP, "the configuration of snmpd is not known");
	write_name(name, sizeof(name), ARCS(daemon_mib));
	doctor_vacm_survey(&d->conf, ARCS(daemon_mib), &vacm);
	if (vacm.readers)
		return doctor_say(d, FINDING_OK, "%s lets %s be read", d->conf.file, name);
	mend_view(d, &vacm, ARCS(daemon_mib));
	return doctor_say(d, FINDING_WARN, "%s hides the health of ibsmad: no view includes %s", d->conf.file,
	                  name);
}
