// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include "agent/agent.h"
#include "agent/agentx/agentlib.h"
#include "agent/agentx/undeclared.h"

static unsigned ping_s = 5;
static unsigned timeout_s = 1;

void agentlib_init(void)
{
	netsnmp_ds_set_string(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_APPTYPE, AGENT_NAME);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_ALARM_DONT_USE_SIG, 1);
	setenv("MIBS", "", 1); /* an agent needs no MIB modules, and their absence would fill the log */
	netsnmp_enable_subagent();
	init_agent(AGENT_NAME);
	/* it would connect, and block */
	snmp_unregister_callback(SNMP_CALLBACK_LIBRARY, SNMP_CALLBACK_POST_READ_CONFIG, subagent_startup,
	                         NULL, 1);
	unregister_all_config_handlers(); /* "perl" runs code of a file, "logOption" writes where it says */
}

void agentlib_start(void)
{
	/* the configuration has been read already, before the device was opened */
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
	init_snmp(AGENT_NAME);
	unregister_all_config_handlers();
}

void agentlib_stop(void)
{
	snmp_close(agentx_callback_sess);
	agentx_callback_sess = NULL;
	/* once it has closed its log the library would write to standard error itself */
	snmp_set_do_debugging(0);
	snmp_shutdown(AGENT_NAME);
	shutdown_agent();
}

void agentlib_set_address(const char *address)
{
	netsnmp_ds_set_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET, address);
}

const char *agentlib_address(void)
{
	const char *configured = netsnmp_ds_get_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET);

	return configured ? configured : NETSNMP_AGENTX_SOCKET;
}

void agentlib_set_times(unsigned ping, unsigned timeout)
{
	ping_s = ping;
	timeout_s = timeout;
}

uint64_t agentlib_ping_ms(void)
{
	return 1000 * (uint64_t)ping_s;
}

unsigned agentlib_timeout(void)
{
	return timeout_s;
}
