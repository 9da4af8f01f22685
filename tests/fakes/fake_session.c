// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/notify.h"
#include "tests/fakes/fake_session.h"
#include "tests/unit.h"

struct fake_session fake_session;

void fake_session_reset(void)
{
	memset(&fake_session, 0, sizeof(fake_session));
	fake_session.uptime = 1000000;
}

static bool is_ready(uint32_t *uptime)
{
	*uptime = fake_session.uptime;
	return fake_session.up;
}

void fake_session_end_notification(enum mib_outcome outcome)
{
	mib_notified *done = fake_session.done;

	CHECK(done != NULL);
	if (!done)
		return;
	fake_session.done = NULL;
	if (outcome == MIB_SENT && CHECK(fake_session.count < FAKE_SESSION_KEPT))
		fake_session.sent[fake_session.count++] = fake_session.way;
	fake_session.up = outcome != MIB_UNSENT;
	done(fake_session.arg, outcome);
}

static bool is_named(const netsnmp_variable_list *varbind, const oid *name, size_t length)
{
	return snmp_oid_compare(varbind->name, varbind->name_length, name, length) == 0;
}

/* Only this end may hold ibsmadNoticeTime.0. */
static void note_last(struct fake_session_sent *way, const netsnmp_variable_list *last)
{
	static const oid name[] = {IBSMAD_MIB_OID, 1, 3, 6, 0};

	way->dated = is_named(last, name, OID_LENGTH(name));
	if (way->dated && CHECK_EQUAL(last->val_len, FAKE_SESSION_DATE_SIZE))
		memcpy(way->date, last->val.string, FAKE_SESSION_DATE_SIZE);
}

/* sysUpTime.0, snmpTrapOID.0 and ibSmaNodeLid.0, which all test notices have there. */
static void note_varbinds(struct fake_session_sent *way, const netsnmp_variable_list *varbinds)
{
	static const oid uptime[] = {1, 3, 6, 1, 2, 1, 1, 3, 0};
	static const oid lid[] = {1, 3, 6, 1, 3, 117, 3, 1, 1, 14, 0};
	const netsnmp_variable_list *third = varbinds->next_variable->next_variable;

	CHECK(is_named(varbinds, uptime, OID_LENGTH(uptime)));
	way->uptime = (uint32_t)*varbinds->val.integer;
	CHECK(is_named(third, lid, OID_LENGTH(lid)));
	way->lid = (unsigned)*third->val.integer;
	while (varbinds->next_variable)
		varbinds = varbinds->next_variable;
	note_last(way, varbinds);
}

static int send_notification(const char *context, const struct variable_list *varbinds, mib_notified *done,
                             void *arg)
{
	fake_session.tried++;
	if (fake_session.refusal)
		return fake_session.refusal;
	CHECK(fake_session.up);
	CHECK(fake_session.done == NULL);
	fake_session.done = done;
	fake_session.arg = arg;
	note_varbinds(&fake_session.way, varbinds);
	snprintf(fake_session.way.context, sizeof(fake_session.way.context), "%s", context);
	if (fake_session.at_once)
		fake_session_end_notification(MIB_SENT);
	return 0;
}

const struct mib_sender fake_session_sender = {.is_ready = is_ready, .send = send_notification};
