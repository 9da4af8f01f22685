// SPDX-License-Identifier: BSD-2-Clause
/* The proof: an SNMP request, through snmpd, for an object of the MIB. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/clock.h"
#include "agent/doctor_parts.h"

#define PROBE DOCTOR_MIB ".1.1.2.0" /* ibSmaNodeBaseVersion.0 */

static const oid probe[] = {1, 3, 6, 1, 3, 117, 3, 1, 1, 2, 0};

/* The request is sent once; doctor_wait ends the waiting. */
static const long forever = LONG_MAX / 4;

struct asking {
	bool answered;
	long error;    /* error-status */
	unsigned type; /* of the value, or an exception */
	long value;
};

static int take_answer(int operation, netsnmp_session *session, int request, netsnmp_pdu *pdu, void *arg)
{
	struct asking *asking = arg;

	(void)session;
	(void)request;
	if (operation != NETSNMP_CALLBACK_OP_RECEIVED_MESSAGE || pdu->command != SNMP_MSG_RESPONSE)
		return 1;
	asking->answered = true;
	asking->error = pdu->errstat;
	asking->type = pdu->variables ? pdu->variables->type : SNMP_NOSUCHOBJECT;
	if (asking->type == ASN_INTEGER)
		asking->value = *pdu->variables->val.integer;
	return 1;
}

static bool is_answered(const void *arg)
{
	const struct asking *asking = arg;

	return asking->answered;
}

static int send_get(netsnmp_session *session)
{
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GET);

	if (!pdu)
		return -ENOMEM;
	if (snmp_add_null_var(pdu, probe, OID_LENGTH(probe)) && snmp_send(session, pdu))
		return 0;
	snmp_free_pdu(pdu);
	return -EIO;
}

/* -EIO when there is no session, or the request cannot be sent. */
static int ask(const char *address, const char *community, struct asking *asking)
{
	netsnmp_session wanted;
	netsnmp_session *session;
	int rc;

	snmp_sess_init(&wanted);
	wanted.version = SNMP_VERSION_2c;
	wanted.peername = (char *)address;
	wanted.community = (u_char *)community;
	wanted.community_len = strlen(community);
	wanted.retries = 0;
	wanted.timeout = forever;
	wanted.callback = take_answer;
	wanted.callback_magic = asking;
	session = snmp_open(&wanted);
	if (!session)
		return -EIO;
	rc = send_get(session);
	if (rc == 0)
		doctor_wait(is_answered, asking);
	snmp_close(session);
	return rc;
}

/* While no daemon runs, it is this process that snmpd asks. */
static int serve(struct doctor *d)
{
	const struct mib_config view = {.context = "", .window = d->config->sma.window, .clock = clock_ms};
	int rc;

	if (!d->agentx.registered)
		return 0;
	rc = mib_open(d->node, &view, &d->mib);
	if (rc == 0)
		doctor_follow_mib(d);
	return rc;
}

static enum finding judge(struct doctor *d, const struct asking *asking, const char *address)
{
	if (!asking->answered) {
		doctor_mend(d, "systemctl restart snmpd    (it reads %s when it starts)", d->conf.file);
		doctor_mend(d, "%s: agentaddress udp:127.0.0.1:161", d->conf.file);
		return doctor_say(d, FINDING_FAIL, "no answer from %s to the community of %s", address,
		                  d->conf.file);
	}
	if (asking->error == SNMP_ERR_NOERROR && asking->type == ASN_INTEGER)
		return doctor_say(d, FINDING_OK, "%s answers: " PROBE " = %ld", address, asking->value);
	if (asking->error == SNMP_ERR_NOERROR && asking->type == SNMP_NOSUCHINSTANCE) {
		doctor_mend(d, "look into the log of the ibsmad that runs: its SMA is not answering");
		return doctor_say(d, FINDING_FAIL, "%s answers, but has no value of " PROBE, address);
	}
	doctor_mend(d, "systemctl restart snmpd    (it reads %s when it starts)", d->conf.file);
	if (asking->error != SNMP_ERR_NOERROR)
		return doctor_say(d, FINDING_FAIL, "%s refuses " PROBE ": %s", address,
		                  snmp_errstring((int)asking->error));
	return doctor_say(d, FINDING_FAIL, "%s hides " PROBE ": noSuchObject, so its view is not that of %s",
	                  address, d->conf.file);
}

enum finding doctor_check_snmp(struct doctor *d)
{
	char address[DOCTOR_CONF_TEXT + 32];
	struct asking asking = {0};
	int rc;

	if (!d->community)
		return doctor_say(d, FINDING_SKIP, "no community is known with which this host may read it");
	if (!doctor_conf_address(&d->conf, address, sizeof(address)))
		return doctor_say(d, FINDING_SKIP, "snmpd has no address of UDP over IPv4: %s",
		                  d->conf.addresses);
	rc = serve(d);
	if (rc == 0)
		rc = ask(address, d->community, &asking);
	if (rc < 0)
		return doctor_say(d, FINDING_FAIL, "%s cannot be asked: %s", address, strerror(-rc));
	return judge(d, &asking, address);
}
