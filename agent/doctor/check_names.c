// SPDX-License-Identifier: BSD-2-Clause
/* Whether managers on this host can show names instead of numbers: Net-SNMP itself looks for the modules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/doctor/checks.h"
#include "agent/doctor/log_catch.h"

#define MODULE "SMA-MIB"
#define OBJECT "ibSmaMIB"
#define READER "ibsmad-names" /* a name for the handlers below */

static const char *const imports[] = {"SNMPv2-SMI", "SNMPv2-TC", "SNMPv2-CONF", "IB-TC-MIB"};

static bool is_loaded_anyway; /* by "mibs" in snmp.conf */

static void take_folders(const char *token, char *line)
{
	(void)token;
	if (!netsnmp_getenv("MIBDIRS"))
		netsnmp_set_mib_directory(line);
}

static void take_modules(const char *token, char *line)
{
	(void)token;
	is_loaded_anyway = (is_loaded_anyway && (*line == '+' || *line == '-')) || strstr(line, MODULE) ||
	                   strcasecmp(line, "all") == 0;
}

static void read_in(const char *folder)
{
	static const char *const names[] = {"snmp.conf", "snmp.local.conf"};
	char file[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(file, sizeof(file), "%s/%s", folder, names[i]);
		if (access(file, R_OK) == 0)
			read_config_with_type(file, READER);
	}
}

void doctor_prepare_names(void)
{
	const char *from_environment = netsnmp_getenv("SNMPCONFPATH");
	char *path = strdup(from_environment ? from_environment : get_configuration_directory());
	char *state = NULL;

	netsnmp_get_mib_directory(); /* the default, for "mibdirs" to change */
	register_config_handler(READER, "mibdirs", take_folders, NULL, NULL);
	register_config_handler(READER, "mibs", take_modules, NULL, NULL);
	for (char *folder = path ? strtok_r(path, ENV_SEPARATOR, &state) : NULL; folder;
	     folder = strtok_r(NULL, ENV_SEPARATOR, &state))
		read_in(folder);
	free(path);
}

/* Load the module as a manager would. What the parser says of it is told below in a line. */
static bool load(void)
{
	oid name[MAX_OID_LEN];
	size_t length = MAX_OID_LEN;

	log_catch_start(NULL);
	netsnmp_read_module(MODULE);
	adopt_orphans();
	log_catch_stop();
	return get_module_node(OBJECT, MODULE, name, &length) != 0;
}

static const char *missing_import(void)
{
	for (size_t i = 0; i < sizeof(imports) / sizeof(imports[0]); i++) {
		if (which_module(imports[i]) < 0)
			return imports[i];
	}
	return "one of those it imports";
}

enum finding check_names(struct doctor *d)
{
	if (load())
		return doctor_say(d, FINDING_OK, MODULE " is found; ask with the option -m " MODULE "%s",
		                  is_loaded_anyway ? " or without" : "");
	doctor_mend(d, "/etc/snmp/snmp.conf: mibdirs +" IBSMAD_DATADIR "/snmp/mibs:" IBSMAD_DATADIR
	               "/ibsmad/mibs");
	doctor_mend(d, "/etc/snmp/snmp.conf: mibs " MODULE);
	if (which_module(MODULE) < 0)
		return doctor_say(d, FINDING_WARN, MODULE " is not in %s: numbers work, names do not",
		                  netsnmp_get_mib_directory());
	return doctor_say(d, FINDING_WARN,
	                  "module %s, which " MODULE " needs, is not in %s: numbers work, names do not",
	                  missing_import(), netsnmp_get_mib_directory());
}
