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
#include "agent/agentx/protocol.h"
#include "agent/agentx/setup.h"
#include "agent/agentx/warning.h"

/* ---- requests; false: the step has none with this index. NULL: out of memory ---- */

static bool open_request(struct setup *setup, netsnmp_pdu **pdu)
{
	if (setup->index > 0)
		return false;
	*pdu = pdu_open(agentlib_timeout(), AGENT_NAME);
	return true;
}

static bool register_request(struct setup *setup, netsnmp_pdu **pdu)
{
	setup->subtree = registrar_next_default();
	if (!setup->subtree)
		return false;
	*pdu = registrar_pdu(setup->subtree);
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

static bool announce_request(struct setup *setup, netsnmp_pdu **pdu)
{
	struct capability wanted = {.to_skip = setup->index};

	netsnmp_sysORTable_foreach(find_capability, &wanted);
	*pdu = wanted.pdu;
	return wanted.found;
}

/* The request to send now. */
static bool next_request(struct setup *setup, netsnmp_pdu **pdu)
{
	static bool (*const requests[])(struct setup * setup, netsnmp_pdu * *pdu) = {
		[SETUP_OPEN] = open_request,
		[SETUP_REGISTER] = register_request,
		[SETUP_ANNOUNCE] = announce_request,
	};

	for (; setup->step < SETUP_DONE; setup->step++, setup->index = 0) {
		if (requests[setup->step](setup, pdu))
			return true;
	}
	return false;
}

/* ---- refusals ---- */

static void print_refusal(const struct setup *setup, long error, char *why, size_t size)
{
	static const char *const verbs[] = {
		[SETUP_OPEN] = "open a session",
		[SETUP_REGISTER] = "register ",
		[SETUP_ANNOUNCE] = "take an entry of sysORTable",
	};
	char name[128] = "";

	if (setup->step == SETUP_REGISTER)
		registrar_print(setup->subtree, name, sizeof(name));
	snprintf(why, size, "it refuses to %s%s: %s (%ld)%s", verbs[setup->step], name,
	         protocol_error_name(error), error,
	         error == AGENTX_DUPLICATE_REGISTRATION
	                 ? "; another agent serves it there already, perhaps another ibsmad"
	                 : "");
}

static void take_refusal(struct setup *setup, long error)
{
	char why[sizeof(setup->link->fault)];

	print_refusal(setup, error, why, sizeof(why));
	if (setup->step == SETUP_ANNOUNCE) { /* sysORTable is no reason to serve nothing */
		warning_once("agent", "snmpd at %s: %s", agentlib_address(), why);
		return;
	}
	setup->is_served = error == AGENTX_DUPLICATE_REGISTRATION;
	link_fail(setup->link, "%s", why);
}

/* ---- the exchange ---- */

static int take_response(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg);

static void send_next(struct setup *setup)
{
	netsnmp_pdu *pdu;

	if (next_request(setup, &pdu))
		link_ask(setup->link, pdu, take_response, setup);
	else
		setup->done();
}

static int take_response(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg)
{
	struct setup *setup = arg;

	(void)request;
	if (!link_is_answer(setup->link, operation, pdu))
		return 1;
	if (pdu->errstat != AGENTX_NO_ERROR)
		take_refusal(setup, pdu->errstat);
	else if (setup->step == SETUP_OPEN)
		session->sessid = pdu->sessid;
	if (setup->step == SETUP_REGISTER)
		registrar_note(setup->subtree, pdu->errstat == AGENTX_NO_ERROR);
	setup->index++;
	if (!setup->link->fault[0])
		send_next(setup);
	return 1;
}

void setup_start(struct setup *setup, struct link *link, void (*done)(void))
{
	setup->link = link;
	setup->done = done;
	setup->step = SETUP_OPEN;
	setup->index = 0;
	setup->is_served = false;
	registrar_restart();
	send_next(setup);
}
