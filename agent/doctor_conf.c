// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/library/snmpUDPDomain.h>

#include "agent/agent.h"
#include "agent/doctor_conf.h"
#include "agent/doctor_line.h"
#include "agent/doctor_vacm.h"

#define SNMPD        "snmpd"
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Net-SNMP's handlers get no argument of ours. */
static struct doctor_conf *target;

/* ---- lines ---- */

/* Which word of a line is the community depends on its options; others are no communities of snmpd, and do no
 * harm. */
static void note_words(const char *line)
{
	char word[COMMUNITY_MAX_LEN];

	while (line && *line && target->word_count < DOCTOR_CONF_WORDS) {
		line = copy_nword_const(line, word, sizeof(word));
		target->words[target->word_count] = strdup(word);
		if (target->words[target->word_count])
			target->word_count++;
	}
}

/* Words of a line may be secret: it is named by its token, and what should not be there. */
static void note_stray(char *text, const char *token, const char *stray)
{
	if (!stray)
		return;
	if (!text[0])
		snprintf(text, DOCTOR_CONF_TEXT, "%s ... %s", token, stray);
	config_pwarn("too much on this line; a comment needs one of its own");
}

static void take_sink(const char *token, char *line)
{
	target->sinks++;
	note_stray(target->stray_sink, token, doctor_line_behind_sink(line));
}

static void take_session(const char *token, char *line)
{
	(void)token;
	(void)line;
	target->sinks++;
}

static void take_view(const char *token, char *line)
{
	note_stray(target->stray_view, token, doctor_line_comment(line));
	vacm_parse_view(token, line);
}

static void take_community(const char *token, char *line)
{
	static const struct {
		const char *token;
		void (*parse)(const char *token, char *line);
	} parsers[] = {
		{"rocommunity", vacm_parse_rocommunity},
		{"rwcommunity", vacm_parse_rwcommunity},
		{"authcommunity", vacm_parse_authcommunity},
		{"com2sec", netsnmp_udp_parse_security},
	};

	note_words(line);
	for (size_t i = 0; i < COUNT(parsers); i++) {
		if (strcasecmp(parsers[i].token, token) == 0)
			parsers[i].parse(token, line);
	}
}

static void take_master(const char *token, char *line)
{
	(void)token;
	target->is_master = target->is_master || strcasestr(line, "agentx") || strcasecmp(line, "all") == 0 ||
	                    strcasecmp(line, "yes") == 0 || strcasecmp(line, "on") == 0;
}

static void take_socket(const char *token, char *line)
{
	(void)token;
	snprintf(target->socket, sizeof(target->socket), "%s", line);
}

static void take_addresses(const char *token, char *line)
{
	size_t used = strlen(target->addresses);

	(void)token;
	snprintf(target->addresses + used, sizeof(target->addresses) - used, "%s%s", used ? "," : "", line);
}

static const struct {
	const char *token;
	void (*take)(const char *token, char *line);
} tokens[] = {
	{"rocommunity", take_community},   {"rwcommunity", take_community},
	{"authcommunity", take_community}, {"com2sec", take_community},
	{"master", take_master},           {"agentXSocket", take_socket},
	{"agentaddress", take_addresses},  {"view", take_view},
	{"trapsink", take_sink},           {"trap2sink", take_sink},
	{"informsink", take_sink},         {"trapsess", take_session},
};

/* The library registers its tokens for the application that this is. */
static void register_tokens(void)
{
	netsnmp_ds_set_string(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_APPTYPE, SNMPD);
	init_vacm_config_tokens();
	init_vacm_snmpd_easy_tokens();
	netsnmp_ds_set_string(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_APPTYPE, AGENT_NAME);
	for (size_t i = 0; i < COUNT(tokens); i++)
		register_config_handler(SNMPD, tokens[i].token, tokens[i].take, NULL, NULL);
	vacm_standard_views(0, 0, NULL, NULL);
}

/* ---- files ---- */

static void read_file(const char *file)
{
	if (access(file, R_OK) < 0) {
		if (errno != ENOENT && errno != ENOTDIR) {
			target->reason = errno;
			snprintf(target->closed, sizeof(target->closed), "%s", file);
		}
		return;
	}
	if (!target->file[0])
		snprintf(target->file, sizeof(target->file), "%s", file);
	read_config_with_type(file, SNMPD);
}

static void read_in(const char *folder)
{
	static const char *const names[] = {SNMPD ".conf", SNMPD ".local.conf"};
	char file[PATH_MAX];

	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(file, sizeof(file), "%s/%s", folder, names[i]);
		read_file(file);
	}
}

void doctor_conf_read(struct doctor_conf *conf)
{
	const char *from_environment = netsnmp_getenv("SNMPCONFPATH");
	char *path = strdup(from_environment ? from_environment : get_configuration_directory());
	char *state = NULL;

	target = conf;
	register_tokens();
	for (char *folder = path ? strtok_r(path, ENV_SEPARATOR, &state) : NULL; folder;
	     folder = strtok_r(NULL, ENV_SEPARATOR, &state))
		read_in(folder);
	free(path);
}

void doctor_conf_free(struct doctor_conf *conf)
{
	for (unsigned i = 0; i < conf->word_count; i++)
		free(conf->words[i]);
	conf->word_count = 0;
}

/* ---- addresses ---- */

/* What may follow "udp:", or stand alone: a port, a host, both. */
static const char *as_udp(const char *address)
{
	static const char *const others[] = {
		"udp6:", "udpv6:", "udpipv6:", "tcp",   "unix:", "local:",   "ssh:",
		"tls",   "dtls",   "alias:",   "ipv6:", "ipx:",  "aal5pvc:", "callback:"};

	for (size_t i = 0; i < COUNT(others); i++) {
		if (strncasecmp(address, others[i], strlen(others[i])) == 0)
			return NULL;
	}
	if (strncasecmp(address, "udp:", strlen("udp:")) == 0)
		address += strlen("udp:");
	return *address && !strpbrk(address, "[/") ? address : NULL;
}

bool doctor_conf_address(const struct doctor_conf *conf, char *address, size_t size)
{
	char list[sizeof(conf->addresses)];
	char *state = NULL;

	snprintf(list, sizeof(list), "%s", conf->addresses[0] ? conf->addresses : "udp:161");
	for (char *one = strtok_r(list, ", \t", &state); one; one = strtok_r(NULL, ", \t", &state)) {
		const char *host = as_udp(one);

		if (!host)
			continue;
		/* a port alone is that of all of this machine's addresses */
		snprintf(address, size, "udp:%s%s",
		         strspn(host, "0123456789") == strlen(host) ? "127.0.0.1:" : "", host);
		return true;
	}
	return false;
}
