// SPDX-License-Identifier: BSD-2-Clause
/* Whether managers on this host can show names instead of numbers: Net-SNMP itself searches for the modules.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/configfile.h"
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

static int read_file(void *arg, const char *folder, const char *file)
{
	(void)arg;
	(void)folder;
	if (access(file, R_OK) == 0)
		read_config_with_type(file, READER);
	return 0;
}

void check_names_prepare(void)
{
	netsnmp_get_mib_directory(); /* the default, for "mibdirs" to change */
	register_config_handler(READER, "mibdirs", take_folders, NULL, NULL);
	register_config_handler(READER, "mibs", take_modules, NULL, NULL);
	configfile_each("snmp", read_file, NULL);
}

/* Load the module as a manager would. What the parser has to say about it is reported below, in one line. */
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
	(void)d;
	if (load())
		return report_say(FINDING_OK, MODULE " is found; query with the option -m " MODULE "%s",
		                  is_loaded_anyway ? " or without" : "");
	report_fix("/etc/snmp/snmp.conf: mibdirs +" IBSMAD_DATADIR "/snmp/mibs:" IBSMAD_DATADIR
	           "/ibsmad/mibs");
	report_fix("/etc/snmp/snmp.conf: mibs " MODULE);
	if (which_module(MODULE) < 0)
		return report_say(FINDING_WARN, MODULE " is not in %s: numbers work, names do not",
		                  netsnmp_get_mib_directory());
	return report_say(FINDING_WARN,
	                  "module %s, which " MODULE " needs, is not in %s: numbers work, names do not",
	                  missing_import(), netsnmp_get_mib_directory());
}
