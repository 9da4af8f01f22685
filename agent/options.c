// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agent.h"
#include "agent/agentx/agentx.h"
#include "agent/config_token.h"
#include "agent/options.h"

static const char usage[] =
	"Usage: " AGENT_NAME " [OPTION]...\n"
	"Serve the InfiniBand SMA of this node as SMA-MIB, as an AgentX subagent of snmpd.\n"
	"\n"
	"  -C, --ca NAME         InfiniBand device (default: the first with an active port)\n"
	"  -P, --port N          its port; 0 for a switch (default: the first that is active)\n"
	"  -S, --software-sma FILE  be the node that FILE describes, see ibsmad-node(5)\n"
	"      --wire NAME       let simulator clients reach it: IBSIM_SOCKNAME=NAME; or\n"
	"      --wire qp0        let the fabric reach it, on QP0 of -C and -P\n"
	"      --console         read commands for it from standard input\n"
	"  -x, --agentx ADDRESS  AgentX address of snmpd: a socket path, tcp:HOST:PORT\n"
	"  -c, --config FILE     read FILE instead of ibsmad.conf on Net-SNMP's search path\n"
	"  -f, --foreground      stay in the foreground, log to standard error\n"
	"  -D, --debug TOKENS    debug output for TOKENS, separated by commas: smp, watch, notify, ALL, ...\n"
	"  -L LOGOPTS            where to log, as snmpcmd(1) describes it: -Le, -Lf FILE, -Ls d\n"
	"  -t, --timeout MS      how long one try of an SMP may take (default: 250)\n"
	"  -r, --retries N       further tries of an SMP (default: 1)\n"
	"      --check           check whether the MIB would be readable, print what is wrong and how to\n"
	"                        fix it, and exit\n"
	"  -V, --version         print the version\n"
	"  -h, --help            print this text\n";

enum { OPTION_WIRE = 256, OPTION_CONSOLE, OPTION_CHECK };

static const struct option long_options[] = {
	{"ca", required_argument, NULL, 'C'},
	{"port", required_argument, NULL, 'P'},
	{"agentx", required_argument, NULL, 'x'},
	{"config", required_argument, NULL, 'c'},
	{"foreground", no_argument, NULL, 'f'},
	{"debug", required_argument, NULL, 'D'},
	{"timeout", required_argument, NULL, 't'},
	{"retries", required_argument, NULL, 'r'},
	{"version", no_argument, NULL, 'V'},
	{"help", no_argument, NULL, 'h'},
	{"software-sma", required_argument, NULL, 'S'},
	{"wire", required_argument, NULL, OPTION_WIRE},
	{"console", no_argument, NULL, OPTION_CONSOLE},
	{"check", no_argument, NULL, OPTION_CHECK},
	{NULL, 0, NULL, 0},
};

static int __attribute__((format(printf, 1, 2))) complain(const char *format, ...)
{
	va_list args;

	fprintf(stderr, AGENT_NAME ": ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "; try " AGENT_NAME " --help\n");
	return -EINVAL;
}

static int take_number(const char *name, long low, long high, long *number)
{
	if (config_token_number(optarg, low, high, number) == 0)
		return 0;
	return complain("%s takes a whole number from %ld to %ld, not '%s'", name, low, high, optarg);
}

/* Net-SNMP does not say when it cannot write to a log file. */
static const char *unwritable_log(void)
{
	const netsnmp_log_handler *handler = get_logh_head();

	while (handler && !(handler->type == NETSNMP_LOGHANDLER_FILE && !handler->magic))
		handler = handler->next;
	return handler ? handler->token : NULL;
}

static int take_log(int argc, char **argv, struct options *o)
{
	const char *file;

	o->logging = true;
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_APPEND_LOGFILES, 1);
	snmp_log_syslogname(AGENT_NAME);
	errno = 0;
	if (snmp_log_options(optarg, argc, argv) < 0)
		return complain("-L%s is not a log option", optarg);
	file = unwritable_log();
	return file ? complain("cannot write the log to %s: %s", file, strerror(errno)) : 0;
}

static int check_address(const char *text)
{
	struct address address;

	if (strlen(text) < CONFIG_ADDRESS_SIZE && address_parse(text, &address) == 0)
		return 0;
	return complain("--agentx takes " CONFIG_ADDRESS_EXPECTED ", not '%s'", text);
}

static int take(int option, int argc, char **argv, struct options *o)
{
	switch (option) {
	case 'C':
		o->ca = optarg;
		return 0;
	case 'P':
		return take_number("--port", 0, SMA_MAX_PORTS, &o->port);
	case 'S':
		o->software = optarg;
		return 0;
	case OPTION_WIRE:
		o->wire = optarg;
		return 0;
	case OPTION_CONSOLE:
		o->console = true;
		return 0;
	case OPTION_CHECK:
		o->check = true;
		return 0;
	case 'x':
		o->agentx = optarg;
		return check_address(optarg);
	case 'c':
		o->config = optarg;
		return 0;
	case 'f':
		o->foreground = true;
		return 0;
	case 'D':
		debug_register_tokens(optarg);
		snmp_set_do_debugging(1);
		return 0;
	case 'L':
		return take_log(argc, argv, o);
	case 't':
		return take_number("--timeout", 1, CONFIG_TIMEOUT_MAX, &o->timeout_ms);
	case 'r':
		return take_number("--retries", 0, CONFIG_RETRIES_MAX, &o->retries);
	case 'V':
		o->done = true;
		printf(AGENT_NAME " " IBSMAD_VERSION " (Net-SNMP %s)\n", netsnmp_get_version());
		return 0;
	case 'h':
		o->done = true;
		fputs(usage, stdout);
		return 0;
	default: /* getopt has said what is wrong */
		fprintf(stderr, "Try " AGENT_NAME " --help\n");
		return -EINVAL;
	}
}

static int check(const struct options *o, int argc, char **argv)
{
	if (optind < argc)
		return complain("unexpected argument '%s'", argv[optind]);
	if (!o->software && (o->wire || o->console))
		return complain("--wire and --console require --software-sma");
	if (o->console && !o->foreground)
		return complain("--console requires --foreground");
	return 0;
}

int options_parse(int argc, char **argv, struct options *o)
{
	int option;
	int rc = 0;

	*o = (struct options){.port = -1, .timeout_ms = -1, .retries = -1};
	while (rc == 0 && !o->done &&
	       (option = getopt_long(argc, argv, "C:P:S:x:c:fD:L:t:r:Vh", long_options, NULL)) != -1)
		rc = take(option, argc, argv, o);
	return rc < 0 || o->done ? rc : check(o, argc, argv);
}

void options_apply(const struct options *o, struct agent_config *config)
{
	if (o->ca)
		snprintf(config->ca, sizeof(config->ca), "%s", o->ca);
	if (o->agentx)
		snprintf(config->agentx, sizeof(config->agentx), "%s", o->agentx);
	if (o->port >= 0)
		config->port = (int)o->port;
	if (o->timeout_ms >= 0)
		config->sma.timeout_ms = (unsigned)o->timeout_ms;
	if (o->retries >= 0)
		config->sma.retries = (unsigned)o->retries;
}
