// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/doctor/ask.h"
#include "agent/doctor/checks.h"
#include "agent/loop.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* A request is sent once; CHECKS_WAIT_MS limits the wait for an answer. */
static const long forever = LONG_MAX / 4;

struct name {
	size_t length;
	oid name[20];
};

#define NAME(...)                                                                                            \
	{                                                                                                    \
		sizeof((oid[]){__VA_ARGS__}) / sizeof(oid),                                                  \
		{                                                                                            \
			__VA_ARGS__                                                                          \
		}                                                                                            \
	}
#define SMA(...) NAME(CHECKS_SMA_MIB, 1, __VA_ARGS__)

static const struct name probe = SMA(1, 2, 0);

/* Objects without an instance show what is in a view: ibsmad answers them with noSuchInstance at once,
 * whatever its SMA does, and snmpd answers those that the view hides with noSuchObject. */
static const struct name survey[] = {
	NAME(1, 3, 6, 1, 2, 1, 1, 2, 0), /* sysObjectID.0 */
	NAME(IBSMAD_MIB_OID, 1, 1, 1),
	SMA(1, 2),
	SMA(2, 1),
	SMA(3, 1, 1, 3),
	SMA(4, 2),
	SMA(5, 1, 1, 6),
	SMA(6, 1, 1, 3),
	SMA(7, 1, 1, 4),
	SMA(8, 1, 1, 3),
	SMA(8, 2, 1, 3),
	SMA(9, 1, 1, 2),
	SMA(10, 1, 1, 2),
	SMA(11, 1, 1, 2),
	SMA(12, 1, 1, 1, 2),
	SMA(13, 1, 1, 2),
	SMA(14, 1, 1, 2),
};

enum { SYSTEM, DAEMON };

/* ---- answers ---- */

static void take_value(struct answers *answers, const netsnmp_pdu *pdu)
{
	const netsnmp_variable_list *varbind = pdu->variables;

	answers->has_value = true;
	answers->error = pdu->errstat;
	answers->type = varbind ? varbind->type : SNMP_NOSUCHOBJECT;
	if (varbind && varbind->type == ASN_INTEGER)
		answers->value = *varbind->val.integer;
}

static void take_survey(struct answers *answers, const netsnmp_pdu *pdu)
{
	unsigned index = 0;

	answers->is_surveyed = true;
	for (const netsnmp_variable_list *varbind = pdu->variables; varbind;
	     varbind = varbind->next_variable, index++) {
		bool shown = pdu->errstat == SNMP_ERR_NOERROR && varbind->type != SNMP_NOSUCHOBJECT;

		if (index == SYSTEM)
			answers->shows_system = shown;
		else if (index == DAEMON)
			answers->shows_daemon = shown;
		else if (shown)
			answers->groups_shown++;
		else
			answers->groups_hidden++;
	}
}

static int take_answer(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg)
{
	struct answers *answers = arg;
	const netsnmp_variable_list *first;

	(void)session;
	(void)request;
	if (operation != NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE || pdu->command != SNMP_MSG_RESPONSE)
		return 1;
	first = pdu->variables;
	answers->answered = true;
	if (first && netsnmp_oid_equals(first->name, first->name_length, probe.name, probe.length) == 0)
		take_value(answers, pdu);
	else
		take_survey(answers, pdu);
	return 1;
}

/* ---- requests ---- */

static int send_get(netsnmp_session *session, const struct name *names, size_t count)
{
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GET);

	if (!pdu)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		snmp_add_null_var(pdu, names[i].name, names[i].length);
	if (snmp_send(session, pdu))
		return 0;
	snmp_free_pdu(pdu);
	return -EIO;
}

static netsnmp_session *open_session(const char *address, struct answers *answers)
{
	netsnmp_session wanted;

	snmp_sess_init(&wanted);
	wanted.version = SNMP_VERSION_2c;
	wanted.peername = (char *)address;
	wanted.community = (u_char *)answers->community->name;
	wanted.community_len = strlen(answers->community->name);
	wanted.retries = 0;
	wanted.timeout = forever;
	wanted.callback = take_answer;
	wanted.callback_magic = answers;
	return snmp_open(&wanted);
}

struct asking {
	const struct answers *answers;
	size_t count;
};

static bool is_answered(const void *arg)
{
	const struct asking *asking = arg;

	for (size_t i = 0; i < asking->count; i++) {
		if (!asking->answers[i].has_value || !asking->answers[i].is_surveyed)
			return false;
	}
	return true;
}

int ask_communities(const char *address, struct answers *answers, size_t count)
{
	const struct asking asking = {answers, count};
	netsnmp_session **sessions = calloc(count, sizeof(netsnmp_session *));
	int rc = sessions ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		sessions[i] = open_session(address, &answers[i]);
		rc = sessions[i] ? send_get(sessions[i], &probe, 1) : -EIO;
		if (rc == 0)
			rc = send_get(sessions[i], survey, COUNT(survey));
	}
	if (rc == 0)
		loop_wait(is_answered, &asking, CHECKS_WAIT_MS);
	for (size_t i = 0; sessions && i < count; i++) {
		if (sessions[i])
			snmp_close(sessions[i]);
	}
	free((void *)sessions);
	return rc;
}
