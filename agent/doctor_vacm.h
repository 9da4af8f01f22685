/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who may read a MIB by the rules of snmpd's configuration, in the library's tables of VACM (RFC 3415); and
 * what fills them, which the agent library exports and no header of it declares.
 */
#ifndef AGENT_DOCTOR_VACM_H
#define AGENT_DOCTOR_VACM_H

#include <stdbool.h>
#include <stddef.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/doctor_conf.h"

enum { DOCTOR_VACM_NAME = 40 };

struct doctor_vacm {
	unsigned principals;         /* that may read something: users, and communities by version */
	unsigned readers;            /* that may read the whole MIB */
	unsigned partial;            /* that may read part of it */
	char view[DOCTOR_VACM_NAME]; /* of the first that may not; "": there is none */
	const char *community;       /* with which 127.0.0.1 may; NULL: none. Of `conf` */
};

/* Go through all principals, in the default context; `name` is the root of the MIB. */
void doctor_vacm_survey(const struct doctor_conf *conf, const oid *name, size_t length,
                        struct doctor_vacm *vacm);

/* Of those lines of a view that exclude the MIB or a part of it, from 0: the subtree, of `*arcs` arcs. NULL:
 * there is no such line. */
const oid *doctor_vacm_exclusion(const char *view, const oid *name, size_t length, unsigned line,
                                 size_t *arcs);

void init_vacm_config_tokens(void);
void init_vacm_snmpd_easy_tokens(void);
int vacm_standard_views(int major, int minor, void *server, void *client);
void vacm_parse_view(const char *token, char *line);
void vacm_parse_rocommunity(const char *token, char *line);
void vacm_parse_rwcommunity(const char *token, char *line);
void vacm_parse_authcommunity(const char *token, char *line);

#endif
