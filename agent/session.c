// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/agent/agent_callbacks.h>

#include "agent/agent.h"
#include "agent/session.h"
#include "sma/sma.h"

enum { PING_SECONDS = 5 }; /* also the time between attempts to connect */

static bool connected;

static const char *address(void)
{
	const char *configured = netsnmp_ds_get_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET);

	return configured ? configured : NETSNMP_AGENTX_SOCKET;
}

static int note_connected(int major, int minor, void *server, void *client)
{
	(void)major;
	(void)server;
	(void)client;
	connected = minor == SNMPD_CALLBACK_INDEX_START;
	return 0;
}

void session_init(void)
{
	netsnmp_ds_set_string(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_APPTYPE, AGENT_NAME);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_ALARM_DONT_USE_SIG, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_NO_CONNECTION_WARNINGS, 1);
	setenv("MIBS", "", 1); /* an agent needs no MIB texts, and systems without them would fill the log */
	netsnmp_enable_subagent();
	init_agent(AGENT_NAME);
	netsnmp_ds_set_int(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_AGENTX_PING_INTERVAL, PING_SECONDS);
	snmp_register_callback(SNMP_CALLBACK_APPLICATION, SNMPD_CALLBACK_INDEX_START, note_connected, NULL);
	snmp_register_callback(SNMP_CALLBACK_APPLICATION, SNMPD_CALLBACK_INDEX_STOP, note_connected, NULL);
}

void session_set_address(const char *chosen_address)
{
	netsnmp_ds_set_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET, chosen_address);
}

/* Net-SNMP does not say why it could not connect: try once for the reason. */
static void explain(void)
{
	netsnmp_transport *transport;
	const char *reason;

	errno = 0;
	transport = netsnmp_transport_open_client("agentx", address());
	reason = errno ? strerror(errno) : "no such address";
	if (transport) {
		transport->f_close(transport);
		netsnmp_transport_free(transport);
		reason = "it does not answer";
	}
	sma_log(SMA_LOG_WARNING, "agent",
	        "no connection to snmpd at %s: %s; is it running, with \"master agentx\", and may ibsmad use "
	        "the "
	        "socket? Trying again every %d s",
	        address(), reason,
	        netsnmp_ds_get_int(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_AGENTX_PING_INTERVAL));
}

void session_start(void)
{
	/* the configuration has been read already, before the device was opened */
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
	init_snmp(AGENT_NAME);
	if (!connected)
		explain();
}

void session_stop(void)
{
	snmp_shutdown(AGENT_NAME);
	shutdown_agent();
}
