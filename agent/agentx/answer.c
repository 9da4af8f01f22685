// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <stddef.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/answer.h"
#include "agent/agentx/protocol.h"
#include "agent/agentx/undeclared.h"

/* What is done with a request. */
static const struct rule {
	int command;
	bool is_served; /* by the library, which keeps nothing of such a request once it is answered */
	long error;     /* else; 0: there is no answer */
} rules[] = {
	{AGENTX_GET, true, 0},
	{AGENTX_GET_NEXT, true, 0},
	{AGENTX_GET_BULK, true, 0},
	{AGENTX_TEST_SET, false, SNMP_ERR_NOTWRITABLE},
	{AGENTX_COMMIT_SET, false, SNMP_ERR_COMMITFAILED},
	{AGENTX_UNDO_SET, false, SNMP_ERR_UNDOFAILED},
	{AGENTX_CLEANUP_SET, false, 0},
};

static const struct rule *find_rule(int command)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (rules[i].command == command)
			return &rules[i];
	}
	return NULL;
}

/* `index`: of the varbind that caused the error, from 1; 0: none did. */
static void refuse(netsnmp_session *session, const netsnmp_pdu *pdu, long error, long index)
{
	netsnmp_pdu *response = snmp_pdu_create(AGENTX_RESPONSE);

	if (!response)
		return;
	response->version = session->version;
	response->flags |= pdu->flags & AGENTX_FLAG_NETWORK_BYTE_ORDER;
	response->sessid = pdu->sessid;
	response->transid = pdu->transid;
	response->reqid = pdu->reqid;
	response->errstat = error;
	response->errindex = index;
	if (!snmp_send(session, response))
		snmp_free_pdu(response);
}

void answer_request(netsnmp_session *session, int request, netsnmp_pdu *pdu, long serial)
{
	const struct rule *rule = find_rule(pdu->command);
	bool is_open = pdu->sessid == session->sessid;

	pdu->sessid = serial;
	if (!rule)
		return;
	if (rule->is_served && is_open)
		handle_agentx_packet(NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE, session, request, pdu, NULL);
	else if (!is_open)
		refuse(session, pdu, AGENTX_NOT_OPEN, 0);
	else if (rule->error)
		refuse(session, pdu, rule->error, 1);
}
