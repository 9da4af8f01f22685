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
#include "agent/agentx/setup.h"

int setup_serve(struct setup *setup, const oid *name, size_t length)
{
	if (setup->served_count == SETUP_MAX_SERVED || length > MAX_OID_LEN)
		return -ENOSPC;
	memcpy(setup->served[setup->served_count].name, name, length * sizeof(oid));
	setup->served[setup->served_count++].length = length;
	return 0;
}

void setup_restart(struct setup *setup)
{
	setup->kind = SETUP_OPEN;
	setup->index = 0;
}

/* ---- requests: false when there is none with this index ---- */

static bool open_request(const struct setup *setup, netsnmp_pdu **pdu)
{
	if (setup->index > 0)
		return false;
	*pdu = pdu_open(agentlib_timeout(), AGENT_NAME);
	return true;
}

static bool register_request(const struct setup *setup, netsnmp_pdu **pdu)
{
	if (setup->index >= setup->served_count)
		return false;
	*pdu = pdu_register(setup->served[setup->index].name, setup->served[setup->index].length,
	                    setup->gives_way ? SETUP_LOWEST_PRIORITY : SETUP_PRIORITY);
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

static bool announce_request(const struct setup *setup, netsnmp_pdu **pdu)
{
	struct capability wanted = {.to_skip = setup->index};

	netsnmp_sysORTable_foreach(find_capability, &wanted);
	*pdu = wanted.pdu;
	return wanted.found;
}

bool setup_request(struct setup *setup, netsnmp_pdu **pdu)
{
	static bool (*const requests[])(const struct setup *setup, netsnmp_pdu **pdu) = {
		[SETUP_OPEN] = open_request,
		[SETUP_REGISTER] = register_request,
		[SETUP_ANNOUNCE] = announce_request,
	};

	for (; setup->kind < SETUP_DONE; setup->kind++, setup->index = 0) {
		if (requests[setup->kind](setup, pdu))
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

static void print_refusal(const struct setup *setup, long error, char *why, size_t size)
{
	static const char *const verbs[] = {
		[SETUP_OPEN] = "open a session",
		[SETUP_REGISTER] = "register ",
		[SETUP_ANNOUNCE] = "take an entry of sysORTable",
	};
	char name[128] = "";

	if (setup->kind == SETUP_REGISTER)
		print_oid(name, sizeof(name), setup->served[setup->index].name,
		          setup->served[setup->index].length);
	snprintf(why, size, "it refuses to %s%s: %s (%ld)%s", verbs[setup->kind], name,
	         protocol_error_name(error), error,
	         error == AGENTX_DUPLICATE_REGISTRATION
	                 ? "; another agent serves it there already, perhaps another ibsmad"
	                 : "");
}

bool setup_respond(struct setup *setup, netsnmp_session *session, const netsnmp_pdu *pdu, char *why,
                   size_t size)
{
	bool goes_on = pdu->errstat == AGENTX_NO_ERROR || setup->kind == SETUP_ANNOUNCE;

	why[0] = '\0';
	if (pdu->errstat != AGENTX_NO_ERROR)
		print_refusal(setup, pdu->errstat, why, size);
	else if (setup->kind == SETUP_OPEN)
		session->sessid = pdu->sessid;
	setup->index++;
	return goes_on;
}
