/* SPDX-License-Identifier: BSD-2-Clause */
/* The communities of snmpd's configuration: who may use one, and which lines have no effect. */
#ifndef AGENT_DOCTOR_COMMUNITY_H
#define AGENT_DOCTOR_COMMUNITY_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

enum {
	COMMUNITY_SOURCE_SIZE = 128,
	COMMUNITY_VIEW_SIZE = 40,
	COMMUNITY_FILE_SIZE = 224,
	COMMUNITY_PLACE_SIZE = 256
};

struct community {
	char name[COMMUNITY_MAX_LEN];       /* a secret: never shown */
	char source[COMMUNITY_SOURCE_SIZE]; /* from where it may be used */
	char view[COMMUNITY_VIEW_SIZE];     /* "": none is named on the line */
	char place[COMMUNITY_PLACE_SIZE];   /* of the line: file and number */
	bool is_v6;                         /* for IPv6 only */
	bool can_ask;                       /* by SNMPv2c over IPv4, in the default context */
	bool is_denial;                     /* refuses the source */
};

/* Parse the rest of a line that starts with `token` (snmpd.conf(5), ACCESS CONTROL). False: no community is
 * on it. `place` is left to the caller. */
bool community_parse(const char *token, const char *line, struct community *community);

/* Whether `source` contains each address of `other`. A source is "default", a name, or an IPv4 address with
 * or without a mask. */
bool community_source_covers(const char *source, const char *other);

/* Of an array of lines in their order, the one before line `index` that snmpd finds first for whatever comes
 * with its community from its source. NULL: there is none, so that the line has an effect. */
const struct community *community_shadow(const struct community *lines, size_t index);

#endif
