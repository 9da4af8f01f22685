// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/agent/agent_sysORTable.h>
#include <net-snmp/agent/sysORTable.h>

#include "agent/agent.h"
#include "agent/agentx/agentlib.h"
#include "agent/agentx/pdu.h"
#include "agent/agentx/steps.h"

int steps_serve(struct steps *steps, const oid *name, size_t length)
{
	if (steps->served_count == STEPS_MAX_SERVED || length > MAX_OID_LEN)
		return -ENOSPC;
	memcpy(steps->served[steps->served_count].name, name, length * sizeof(oid));
	steps->served[steps->served_count++].length = length;
	return 0;
}

void steps_restart(struct steps *steps)
{
	steps->kind = STEPS_OPEN;
	steps->index = 0;
}

/* ---- requests: false when there is none with this index ---- */

static bool open_request(const struct steps *steps, netsnmp_pdu **pdu)
{
	if (steps->index > 0)
		return false;
	*pdu = pdu_open(agentlib_timeout(), AGENT_NAME);
	return true;
}

static bool register_request(const struct steps *steps, netsnmp_pdu **pdu)
{
	if (steps->index >= steps->served_count)
		return false;
	*pdu = pdu_register(steps->served[steps->index].name, steps->served[steps->index].length,
	                    steps->gives_way ? STEPS_LOWEST_PRIORITY : STEPS_PRIORITY);
	return true;
}

struct capability {
	unsigned to_skip;
	bool found;
	netsnmp_pdu *pdu;
};

static void find_capability(const struct sysORTable *row, void *arg)
{
	struct capability *wanted = arg;

	if (wanted->found || wanted->to_skip-- > 0)
		return;
	wanted->found = true;
	wanted->pdu = pdu_add_capability(row->OR_oid, row->OR_oidlen, row->OR_descr);
}

static bool announce_request(const struct steps *steps, netsnmp_pdu **pdu)
{
	struct capability wanted = {.to_skip = steps->index};

	netsnmp_sysORTable_foreach(find_capability, &wanted);
	*pdu = wanted.pdu;
	return wanted.found;
}

bool steps_request(struct steps *steps, netsnmp_pdu **pdu)
{
	static bool (*const requests[])(const struct steps *steps, netsnmp_pdu **pdu) = {
		[STEPS_OPEN] = open_request,
		[STEPS_REGISTER] = register_request,
		[STEPS_ANNOUNCE] = announce_request,
	};

	for (; steps->kind < STEPS_DONE; steps->kind++, steps->index = 0) {
		if (requests[steps->kind](steps, pdu))
			return true;
	}
	return false;
}

/* ---- responses ---- */

static void print_oid(char *text, size_t size, const oid *name, size_t length)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < length && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%lu", i ? "." : "", name[i]);
}

static void print_refusal(const struct steps *steps, long error, char *why, size_t size)
{
	static const char *const verbs[] = {
		[STEPS_OPEN] = "open a session",
		[STEPS_REGISTER] = "register ",
		[STEPS_ANNOUNCE] = "take an entry of sysORTable",
	};
	char name[128] = "";

	if (steps->kind == STEPS_REGISTER)
		print_oid(name, sizeof(name), steps->served[steps->index].name,
		          steps->served[steps->index].length);
	snprintf(why, size, "it refuses to %s%s: %s (%ld)%s", verbs[steps->kind], name,
	         protocol_error_name(error), error,
	         error == AGENTX_DUPLICATE_REGISTRATION
	                 ? "; another agent serves it there already, perhaps another ibsmad"
	                 : "");
}

bool steps_respond(struct steps *steps, netsnmp_session *session, const netsnmp_pdu *pdu, char *why,
                   size_t size)
{
	bool goes_on = pdu->errstat == AGENTX_NO_ERROR || steps->kind == STEPS_ANNOUNCE;

	why[0] = '\0';
	if (pdu->errstat != AGENTX_NO_ERROR)
		print_refusal(steps, pdu->errstat, why, size);
	else if (steps->kind == STEPS_OPEN)
		session->sessid = pdu->sessid;
	steps->index++;
	return goes_on;
}
