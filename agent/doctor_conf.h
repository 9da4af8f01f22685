/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What snmpd's configuration says, read by Net-SNMP's own parser: who may read what goes into the library's
 * tables of VACM (RFC 3415), the rest here.
 */
#ifndef AGENT_DOCTOR_CONF_H
#define AGENT_DOCTOR_CONF_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { DOCTOR_CONF_WORDS = 64, DOCTOR_CONF_TEXT = 512 };

struct doctor_conf {
	char file[PATH_MAX];              /* the first one that was read; "": none */
	char closed[PATH_MAX];            /* one that may not be read; "": none */
	int reason;                       /* the errno of that */
	bool is_master;                   /* "master agentx" */
	char socket[DOCTOR_CONF_TEXT];    /* agentXSocket, "" if not set */
	char addresses[DOCTOR_CONF_TEXT]; /* agentaddress, "" if not set */
	char *words[DOCTOR_CONF_WORDS];   /* what may be a community */
	unsigned word_count;
	unsigned sinks;                    /* receivers of notifications */
	char stray_sink[DOCTOR_CONF_TEXT]; /* the first line of a sink with too much on it; "": none */
	char stray_view[DOCTOR_CONF_TEXT]; /* the first line of a view with a comment behind it; "": none */
};

/* Read snmpd.conf and snmpd.local.conf in the folders where snmpd looks for them (snmp_config(5)); `conf`
 * begins with zeros. After agentlib_start, once in a process, with warnings about unknown tokens off. */
void doctor_conf_read(struct doctor_conf *conf);

void doctor_conf_free(struct doctor_conf *conf);

/* The address at which snmpd can be asked over UDP and IPv4, as snmp_open takes it. False: there is none. */
bool doctor_conf_address(const struct doctor_conf *conf, char *address, size_t size);

#endif
