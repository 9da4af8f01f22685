// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "agent/agentx/pdu.h"

static const oid null_oid[1]; /* of length 0 */

/* A PDU with one varbind of an OID and a text. */
static netsnmp_pdu *with_text(enum agentx_type type, const oid *name, size_t length, const char *text)
{
	netsnmp_pdu *pdu = snmp_pdu_create(type);

	if (pdu && !snmp_pdu_add_variable(pdu, name, length, ASN_OCTET_STR, text, strlen(text))) {
		snmp_free_pdu(pdu);
		return NULL;
	}
	return pdu;
}

netsnmp_pdu *pdu_open(unsigned timeout, const char *description)
{
	netsnmp_pdu *pdu = with_text(AGENTX_OPEN, null_oid, 0, description);

	if (pdu)
		pdu->time = timeout;
	return pdu;
}

netsnmp_pdu *pdu_close(enum agentx_reason reason)
{
	netsnmp_pdu *pdu = snmp_pdu_create(AGENTX_CLOSE);

	if (pdu)
		pdu->errstat = reason;
	return pdu;
}

/* Put it into a context (RFC 2741 6.1.1), which the library has in place of a community. False: out of
 * memory. */
static bool set_context(netsnmp_pdu *pdu, const char *context)
{
	if (!context || !context[0])
		return true;
	pdu->community = (unsigned char *)strdup(context);
	pdu->community_len = strlen(context);
	pdu->flags |= AGENTX_FLAG_CONTEXT;
	return pdu->community;
}

static netsnmp_pdu *with_subtree(enum agentx_type type, const char *context, const oid *name, size_t length,
                                 unsigned char priority)
{
	netsnmp_pdu *pdu = snmp_pdu_create(type);

	if (pdu && (!snmp_add_null_var(pdu, name, length) || !set_context(pdu, context))) {
		snmp_free_pdu(pdu);
		return NULL;
	}
	if (pdu)
		pdu->priority = priority;
	return pdu;
}

netsnmp_pdu *pdu_register(const char *context, const oid *name, size_t length, unsigned char priority)
{
	return with_subtree(AGENTX_REGISTER, context, name, length, priority);
}

netsnmp_pdu *pdu_unregister(const char *context, const oid *name, size_t length, unsigned char priority)
{
	return with_subtree(AGENTX_UNREGISTER, context, name, length, priority);
}

netsnmp_pdu *pdu_add_capability(const oid *name, size_t length, const char *description)
{
	return with_text(AGENTX_ADD_AGENT_CAPS, name, length, description);
}

netsnmp_pdu *pdu_notify(const char *context, const netsnmp_variable_list *varbinds)
{
	netsnmp_pdu *pdu = snmp_pdu_create(AGENTX_NOTIFY);

	if (!pdu)
		return NULL;
	/* the library only reads what it copies */
	pdu->variables = snmp_clone_varbind((netsnmp_variable_list *)varbinds);
	if (pdu->variables && set_context(pdu, context))
		return pdu;
	snmp_free_pdu(pdu);
	return NULL;
}

netsnmp_pdu *pdu_ping(void)
{
	return snmp_pdu_create(AGENTX_PING);
}
