/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The configuration of snmpd, read by Net-SNMP's own parser: the communities and the address with which snmpd
 * can be asked, and whatever else the checks need. Who may read what is not worked out here: snmpd is asked.
 */
#ifndef AGENT_DOCTOR_SNMPD_CONF_H
#define AGENT_DOCTOR_SNMPD_CONF_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "agent/doctor/community.h"

/* The view that the installed file defines for snmpd. */
#define SNMPD_CONF_VIEW "ibsma"

enum { SNMPD_CONF_COMMUNITIES = 32, SNMPD_CONF_TEXT = 512 };

struct snmpd_conf {
	char file[PATH_MAX];             /* the first one that was read; "": none */
	char closed[PATH_MAX];           /* one that may not be read; "": none */
	int reason;                      /* the errno of that */
	char complaint[SNMPD_CONF_TEXT]; /* the first of Net-SNMP's own, with its place; "": none */
	bool is_master;                  /* "master agentx" */
	char socket[SNMPD_CONF_TEXT];    /* agentXSocket, "" if not set */
	char perms[SNMPD_CONF_TEXT];     /* agentXPerms, the last one; "" if not set */
	char addresses[SNMPD_CONF_TEXT]; /* agentaddress, "" if not set */
	struct community communities[SNMPD_CONF_COMMUNITIES];
	size_t community_count;
	unsigned users;                      /* lines that let users of SNMPv3 read */
	char view_file[COMMUNITY_FILE_SIZE]; /* where SNMPD_CONF_VIEW is; "": nowhere */
	unsigned sinks;                      /* receivers of notifications */
	char stray_sink[SNMPD_CONF_TEXT];    /* the first line of a sink with too much on it; "": none */
	char stray_view[SNMPD_CONF_TEXT];    /* the first line of a view with a comment behind it; "": none */
};

/* Read snmpd.conf and snmpd.local.conf in the folders where snmpd looks for them (snmp_config(5)); `conf`
 * begins with zeros. After agentlib_start, once in a process, with warnings about unknown tokens off. */
void snmpd_conf_read(struct snmpd_conf *conf);

/* The address at which snmpd can be asked over UDP and IPv4, as snmp_open takes it. False: there is none. */
bool snmpd_conf_address(const struct snmpd_conf *conf, char *address, size_t size);

#endif
