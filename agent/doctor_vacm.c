// SPDX-License-Identifier: BSD-2-Clause
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/library/snmpUDPDomain.h>

#include "agent/doctor_vacm.h"

struct mib_root {
	const oid *name;
	size_t length;
};

/* The view in which somebody reads, NULL: none. */
static const char *view_of(int model, const char *name)
{
	bool is_community = model == SNMP_SEC_MODEL_SNMPv1 || model == SNMP_SEC_MODEL_SNMPv2c;
	const struct vacm_groupEntry *group = vacm_getGroupEntry(model, name);
	const struct vacm_accessEntry *access = NULL;

	if (group)
		access = vacm_getAccessEntry(group->groupName, "", model,
		                             is_community ? SNMP_SEC_LEVEL_NOAUTH : SNMP_SEC_LEVEL_AUTHPRIV);
	return access ? access->views[VACM_VIEW_READ] : NULL;
}

static int check(const struct mib_root *mib, const char *view)
{
	return view ? vacm_checkSubtree(view, (oid *)mib->name, mib->length) : VACM_NOVIEW;
}

static void count(struct doctor_vacm *vacm, const struct mib_root *mib, const char *view)
{
	int rc = check(mib, view);

	vacm->principals++;
	vacm->readers += rc == VACM_SUCCESS;
	vacm->partial += rc == VACM_SUBTREE_UNKNOWN;
	if (rc != VACM_SUCCESS && !vacm->view[0])
		snprintf(vacm->view, sizeof(vacm->view), "%s", view);
}

/* Strings of these tables begin with their length. */
static const char *text_of(const char *counted)
{
	return counted + 1;
}

/* The security name of a community that comes from this machine. */
static const char *security_name(const char *community)
{
	netsnmp_indexed_addr_pair from = {0};
	const char *name = NULL;
	const char *context = NULL;

	from.remote_addr.sin.sin_family = AF_INET;
	from.remote_addr.sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	netsnmp_udp_getSecName(&from, sizeof(from), community, strlen(community), &name, &context);
	return context && *context ? NULL : name;
}

static bool may_read(const struct mib_root *mib, const char *community)
{
	const char *name = security_name(community);

	return name && check(mib, view_of(SNMP_SEC_MODEL_SNMPv2c, name)) == VACM_SUCCESS;
}

void doctor_vacm_survey(const struct doctor_conf *conf, const oid *name, size_t length,
                        struct doctor_vacm *vacm)
{
	const struct mib_root mib = {.name = name, .length = length};
	const struct vacm_groupEntry *entry;

	*vacm = (struct doctor_vacm){0};
	vacm_scanGroupInit();
	while ((entry = vacm_scanGroupNext())) {
		const char *view = view_of(entry->securityModel, text_of(entry->securityName));

		if (view && *view && strcmp(view, "none") != 0)
			count(vacm, &mib, view);
	}
	for (unsigned i = 0; i < conf->word_count && !vacm->community; i++) {
		if (may_read(&mib, conf->words[i]))
			vacm->community = conf->words[i];
	}
}

/* Whether a line of a view is for the MIB or for something in it; arcs that its mask leaves out are any. */
static bool is_within(const struct vacm_viewEntry *entry, const struct mib_root *mib)
{
	/* its first element is the length */
	if (entry->viewSubtreeLen - 1 < mib->length)
		return false;
	for (size_t i = 0; i < mib->length; i++) {
		bool counts = i / 8 >= entry->viewMaskLen || entry->viewMask[i / 8] & 0x80 >> i % 8;

		if (counts && entry->viewSubtree[i + 1] != mib->name[i])
			return false;
	}
	return true;
}

const oid *doctor_vacm_exclusion(const char *view, const oid *name, size_t length, unsigned line,
                                 size_t *arcs)
{
	const struct mib_root mib = {.name = name, .length = length};
	const struct vacm_viewEntry *entry;

	vacm_scanViewInit();
	while ((entry = vacm_scanViewNext())) {
		if (entry->viewType != SNMP_VIEW_EXCLUDED || strcmp(text_of(entry->viewName), view) != 0 ||
		    !is_within(entry, &mib) || line-- > 0)
			continue;
		*arcs = entry->viewSubtreeLen - 1;
		return entry->viewSubtree + 1;
	}
	return NULL;
}
