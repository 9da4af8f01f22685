// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include "agent/agent.h"
#include "agent/config.h"

/* Net-SNMP's handlers get no argument of ours. */
static struct agent_config *target;
static unsigned mistakes;

static void mistake(const char *token, const char *line, const char *expected)
{
	mistakes++;
	netsnmp_config_error("%s %s: expected %s", token, line, expected);
}

int config_number(const char *text, long low, long high, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(text, &end, 10);
	if (errno || end == text || *end || *number < low || *number > high)
		return -EINVAL;
	return 0;
}

static void parse_number(const char *token, const char *line, long low, long high, unsigned *number)
{
	char expected[64];
	long value;

	if (config_number(line, low, high, &value) < 0) {
		snprintf(expected, sizeof(expected), "a whole number from %ld to %ld", low, high);
		mistake(token, line, expected);
		return;
	}
	*number = (unsigned)value;
}

static void parse_ca(const char *token, char *line)
{
	if (!*line || strlen(line) >= sizeof(target->ca))
		mistake(token, line, "the name of a device, as ibstat -l lists it");
	else
		snprintf(target->ca, sizeof(target->ca), "%s", line);
}

static void parse_port(const char *token, char *line)
{
	unsigned port = 0;
	unsigned before = mistakes;

	parse_number(token, line, 0, SMA_MAX_PORTS, &port);
	if (mistakes == before)
		target->port = (int)port;
}

static void parse_timeout(const char *token, char *line)
{
	parse_number(token, line, 1, CONFIG_TIMEOUT_MAX, &target->sma.timeout_ms);
}

static void parse_retries(const char *token, char *line)
{
	parse_number(token, line, 0, CONFIG_RETRIES_MAX, &target->sma.retries);
}

static void parse_window(const char *token, char *line)
{
	parse_number(token, line, 1, CONFIG_WINDOW_MAX, &target->sma.window);
}

static void parse_cache_time(const char *token, char *line)
{
	char expected[160];
	char group[16];
	unsigned seconds = 0;
	unsigned before = mistakes;
	char *rest = copy_nword(line, group, sizeof(group));

	parse_number(token, rest ? rest : "", 0, CONFIG_AGE_MAX, &seconds);
	if (mistakes == before && sma_config_set_age(&target->sma, group, seconds * 1000) < 0) {
		snprintf(expected, sizeof(expected), "a group, one of: %s", sma_config_groups());
		mistake(token, line, expected);
	}
}

static void parse_expose_keys(const char *token, char *line)
{
	if (strcasecmp(line, "yes") == 0)
		target->expose_keys = true;
	else if (strcasecmp(line, "no") == 0)
		target->expose_keys = false;
	else
		mistake(token, line, "yes or no");
}

/* The line is not repeated: keys stand in no log. */
static void parse_m_key(const char *token, char *line)
{
	uint64_t key;
	char *end;

	errno = 0;
	key = strtoull(line, &end, 16);
	/* strtoull takes a sign, too */
	if (errno || !isxdigit((unsigned char)line[0]) || *end)
		mistake(token, "...", "up to 16 hexadecimal digits");
	else
		target->sma.m_key = key;
}

static const struct {
	const char *token;
	void (*parse)(const char *token, char *line);
	const char *help;
} tokens[] = {
	{"ca", parse_ca, "NAME"},
	{"port", parse_port, "NUMBER"},
	{"smpTimeout", parse_timeout, "MILLISECONDS"},
	{"smpRetries", parse_retries, "NUMBER"},
	{"smpWindow", parse_window, "NUMBER"},
	{"cacheTime", parse_cache_time, "GROUP SECONDS"},
	{"exposeKeys", parse_expose_keys, "yes|no"},
	{"mKey", parse_m_key, "HEXADECIMAL"},
};

void config_init(struct agent_config *config)
{
	*config = (struct agent_config){.port = -1};
	sma_config_init(&config->sma);
	target = config;
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++)
		register_config_handler(AGENT_NAME, tokens[i].token, tokens[i].parse, NULL, tokens[i].help);
}

static void read_in(const char *folder)
{
	static const char *const names[] = {AGENT_NAME ".conf", AGENT_NAME ".local.conf"};
	char file[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(file, sizeof(file), "%s/%s", folder, names[i]);
		if (access(file, R_OK) == 0)
			read_config_with_type(file, AGENT_NAME);
	}
}

/* Net-SNMP's search path (snmp_config(5)), for files of ours alone: read_config_files would complain about
 * tokens of snmp.conf that nobody has registered yet. */
static void read_on_path(void)
{
	const char *from_environment = netsnmp_getenv("SNMPCONFPATH");
	char *path = strdup(from_environment ? from_environment : get_configuration_directory());
	char *state = NULL;

	for (char *folder = path ? strtok_r(path, ENV_SEPARATOR, &state) : NULL; folder;
	     folder = strtok_r(NULL, ENV_SEPARATOR, &state))
		read_in(folder);
	free(path);
}

int config_read(const char *file)
{
	struct stat status;

	mistakes = 0;
	if (!file)
		read_on_path();
	else if (stat(file, &status) < 0 || access(file, R_OK) < 0)
		return -errno;
	else if (S_ISDIR(status.st_mode))
		return -EISDIR;
	else
		read_config_with_type(file, AGENT_NAME);
	return mistakes ? -EINVAL : 0;
}
