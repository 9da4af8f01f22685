/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line. */
#ifndef AGENT_OPTIONS_H
#define AGENT_OPTIONS_H

#include <stdbool.h>

#include "agent/config.h"

struct options {
	const char *ca;     /* NULL: not given, likewise below */
	const char *agentx; /* address of the master agent */
	const char *config;
	const char *software; /* node file of the software SMA */
	const char *wire;     /* how it is reached from outside: "qp0", or a simulator's socket name */
	long port;            /* -1: not given, likewise below */
	long timeout_ms;
	long retries;
	bool console; /* commands of the software SMA on standard input */
	bool foreground;
	bool check;   /* see agent/doctor/doctor.h */
	bool logging; /* a log destination was given */
	bool done;    /* -h or -V, which has been printed */
};

/* Parse the arguments; log and debug options are passed to Net-SNMP at once. -EINVAL: a mistake, which was
 * reported on standard error. The strings are those of argv. */
int options_parse(int argc, char **argv, struct options *options);

/* Override what the configuration file says. */
void options_apply(const struct options *options, struct agent_config *config);

#endif
