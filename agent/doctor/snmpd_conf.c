// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <syslog.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/configfile.h"
#include "agent/doctor/conf_line.h"
#include "agent/doctor/log_catch.h"
#include "agent/doctor/snmpd_conf.h"

#define SNMPD        "snmpd"
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Net-SNMP's handlers get no argument of ours. */
static struct snmpd_conf *target;

/* ---- the place of a line, which the library reveals only in its log ---- */

#define LINE_MARK ": line "

struct place {
	char file[COMMUNITY_FILE_SIZE];
	unsigned line;
};

static struct place *wanted_place;

static void take_log_line(int priority, const char *text)
{
	const char *mark = strstr(text, LINE_MARK);

	if (wanted_place && mark) {
		snprintf(wanted_place->file, sizeof(wanted_place->file), "%.*s", (int)(mark - text), text);
		wanted_place->line = (unsigned)strtoul(mark + strlen(LINE_MARK), NULL, 10);
	} else if (!target->complaint[0] && priority < LOG_INFO) {
		snprintf(target->complaint, sizeof(target->complaint), "%.*s", (int)strcspn(text, "\n"),
		         text);
	}
}

/* The place of the line that is being parsed. */
static struct place find_place(void)
{
	struct place place = {.file = SNMPD ".conf"};

	wanted_place = &place;
	config_pwarn("the place of a line");
	wanted_place = NULL;
	return place;
}

/* ---- lines ---- */

/* Words of a line may be secret: only its place, its token and what does not belong there are shown. */
static void note_stray(char *text, const char *token, const char *stray)
{
	struct place place;

	if (!stray || text[0])
		return;
	place = find_place();
	snprintf(text, SNMPD_CONF_TEXT, "%s line %u: %s ... %s", place.file, place.line, token, stray);
}

static void take_sink(const char *token, char *line)
{
	target->sinks++;
	note_stray(target->stray_sink, token, conf_line_behind_sink(line));
}

static void take_session(const char *token, char *line)
{
	(void)token;
	(void)line;
	target->sinks++;
}

static void take_view(const char *token, char *line)
{
	char name[COMMUNITY_VIEW_SIZE];

	note_stray(target->stray_view, token, conf_line_comment(line));
	copy_nword_const(line, name, sizeof(name));
	if (strcmp(name, SNMPD_CONF_VIEW) == 0)
		snprintf(target->view_file, sizeof(target->view_file), "%s", find_place().file);
}

static void take_community(const char *token, char *line)
{
	struct community *community = &target->communities[target->community_count];
	struct place place;

	if (target->community_count == SNMPD_CONF_COMMUNITIES || !community_parse(token, line, community))
		return;
	place = find_place();
	snprintf(community->place, sizeof(community->place), "%s line %u", place.file, place.line);
	target->community_count++;
}

static void take_user(const char *token, char *line)
{
	(void)token;
	(void)line;
	target->users++;
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

static void take_perms(const char *token, char *line)
{
	(void)token;
	snprintf(target->perms, sizeof(target->perms), "%s", line);
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
	{"rocommunity", take_community},
	{"rocommunity6", take_community},
	{"rwcommunity", take_community},
	{"rwcommunity6", take_community},
	{"authcommunity", take_community},
	{"com2sec", take_community},
	{"com2sec6", take_community},
	{"rouser", take_user},
	{"rwuser", take_user},
	{"authuser", take_user},
	{"master", take_master},
	{"agentXSocket", take_socket},
	{"agentXPerms", take_perms},
	{"agentaddress", take_addresses},
	{"view", take_view},
	{"trapsink", take_sink},
	{"trap2sink", take_sink},
	{"informsink", take_sink},
	{"trapsess", take_session},
};

/* ---- files ---- */

static int read_file(void *arg, const char *folder, const char *file)
{
	(void)arg;
	(void)folder;
	if (access(file, R_OK) == 0) {
		if (!target->file[0])
			snprintf(target->file, sizeof(target->file), "%s", file);
		read_config_with_type(file, SNMPD);
	} else if (errno != ENOENT && errno != ENOTDIR) {
		target->reason = errno;
		snprintf(target->closed, sizeof(target->closed), "%s", file);
	}
	return 0;
}

void snmpd_conf_read(struct snmpd_conf *conf)
{
	target = conf;
	for (size_t i = 0; i < COUNT(tokens); i++)
		register_config_handler(SNMPD, tokens[i].token, tokens[i].take, NULL, NULL);
	log_catch_start(take_log_line);
	configfile_each(SNMPD, read_file, NULL);
	log_catch_stop();
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

bool snmpd_conf_address(const struct snmpd_conf *conf, char *address, size_t size)
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
