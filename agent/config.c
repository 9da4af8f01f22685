// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
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
#include "agent/peer.h"
#include "agent/privilege.h"

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

static long parse_number(const char *token, const char *line, long low, long high)
{
	char expected[64];
	long value;

	if (config_number(line, low, high, &value) == 0)
		return value;
	snprintf(expected, sizeof(expected), "a whole number from %ld to %ld", low, high);
	mistake(token, line, expected);
	return -1;
}

/* Tokens with one number, and where it goes, times a factor. */
static const struct number {
	const char *token;
	size_t offset; /* of an unsigned in struct agent_config */
	long low, high;
	unsigned factor;
	const char *help;
} numbers[] = {
	{"smpTimeout", offsetof(struct agent_config, sma.timeout_ms), 1, CONFIG_TIMEOUT_MAX, 1,
         "MILLISECONDS"},
	{"smpRetries", offsetof(struct agent_config, sma.retries), 0, CONFIG_RETRIES_MAX, 1, "NUMBER"},
	{"smpWindow", offsetof(struct agent_config, sma.window), 1, CONFIG_WINDOW_MAX, 1, "NUMBER"},
	{"notifyPoll", offsetof(struct agent_config, watch.poll_ms), 0, CONFIG_AGE_MAX, 1000, "SECONDS"},
	{"notifyRefresh", offsetof(struct agent_config, watch.refresh_ms), 1, CONFIG_AGE_MAX, 1000,
         "SECONDS"},
	{"notifyRepeat", offsetof(struct agent_config, watch.repeat_ms), 0, CONFIG_AGE_MAX, 1000, "SECONDS"},
	{"notifyRate", offsetof(struct agent_config, notify.rate), 1, CONFIG_RATE_MAX, 1, "PER-SECOND"},
	{"notifyBurst", offsetof(struct agent_config, notify.burst), 1, CONFIG_RATE_MAX, 1, "NUMBER"},
	{"notifyPace", offsetof(struct agent_config, notify.pace), 1, CONFIG_RATE_MAX, 1, "PER-SECOND"},
	{"notifyQueue", offsetof(struct agent_config, notify.queue), 1, CONFIG_QUEUE_MAX, 1, "NUMBER"},
};

static void take_number(const char *token, char *line)
{
	const struct number *row = numbers;
	long value;

	while (strcasecmp(row->token, token) != 0)
		row++;
	value = parse_number(token, line, row->low, row->high);
	if (value >= 0)
		*(unsigned *)((char *)target + row->offset) = (unsigned)value * row->factor;
}

/* Tokens that are on or off, and where that goes. */
static const struct truth {
	const char *token;
	size_t offset; /* of a bool in struct agent_config */
} truths[] = {
	{"exposeKeys", offsetof(struct agent_config, expose_keys)},
	{"notifySubscribe", offsetof(struct agent_config, watch.subscribe)},
	{"notifyTrapAgent", offsetof(struct agent_config, watch.take_traps)},
};

static void take_truth(const char *token, char *line)
{
	const struct truth *row = truths;
	bool yes = strcasecmp(line, "yes") == 0;

	while (strcasecmp(row->token, token) != 0)
		row++;
	if (yes || strcasecmp(line, "no") == 0)
		*(bool *)((char *)target + row->offset) = yes;
	else
		mistake(token, line, "yes or no");
}

/* Tokens with a name. */
static const struct name {
	const char *token;
	size_t offset; /* of a char [CONFIG_NAME_SIZE] in struct agent_config */
	const char *expected;
} names[] = {
	{"ca", offsetof(struct agent_config, ca), "the name of a device, as ibstat -l lists it"},
	{"agentUser", offsetof(struct agent_config, user), "a user's name or number"},
	{"agentGroup", offsetof(struct agent_config, group), "a group's name or number"},
};

static void take_name(const char *token, char *line)
{
	const struct name *row = names;

	while (strcasecmp(row->token, token) != 0)
		row++;
	if (!*line || strlen(line) >= CONFIG_NAME_SIZE)
		mistake(token, line, row->expected);
	else
		snprintf((char *)target + row->offset, CONFIG_NAME_SIZE, "%s", line);
}

static void take_port(const char *token, char *line)
{
	long port = parse_number(token, line, 0, SMA_MAX_PORTS);

	if (port >= 0)
		target->port = (int)port;
}

static void take_cache_time(const char *token, char *line)
{
	char expected[160];
	char group[16];
	char *rest = copy_nword(line, group, sizeof(group));
	long seconds = parse_number(token, rest ? rest : "", 0, CONFIG_AGE_MAX);

	if (seconds >= 0 && sma_config_set_age(&target->sma, group, (unsigned)seconds * 1000) < 0) {
		snprintf(expected, sizeof(expected), "a group, one of: %s", sma_config_groups());
		mistake(token, line, expected);
	}
}

static void take_scope(const char *token, char *line)
{
	enum { SCOPE_OWN, SCOPE_SUBNET, SCOPE_OFF };
	static const char *const scopes[] = {
		[SCOPE_OWN] = "own", [SCOPE_SUBNET] = "subnet", [SCOPE_OFF] = "off"};

	for (unsigned i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++) {
		if (strcasecmp(line, scopes[i]) == 0) {
			target->watch.off = i == SCOPE_OFF;
			target->watch.subnet = i == SCOPE_SUBNET;
			return;
		}
	}
	mistake(token, line, "own, subnet or off");
}

/* The line is not repeated: keys stand in no log. */
static void take_m_key(const char *token, char *line)
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

static const struct user {
	const char *token;
	size_t offset; /* of a uid_t in struct agent_config */
} users[] = {
	{"agentXPeer", offsetof(struct agent_config, agentx_peer)},
	{"wireUser", offsetof(struct agent_config, wire_user)},
};

static void take_user(const char *token, char *line)
{
	const struct user *row = users;
	uid_t user;

	while (strcasecmp(row->token, token) != 0)
		row++;
	if (privilege_user_id(line, &user) < 0)
		mistake(token, line, "a user's name or number");
	else
		*(uid_t *)((char *)target + row->offset) = user;
}

static const struct {
	const char *token;
	void (*take)(const char *token, char *line);
	const char *help;
} others[] = {
	{"port", take_port, "NUMBER"},       {"cacheTime", take_cache_time, "GROUP SECONDS"},
	{"mKey", take_m_key, "HEXADECIMAL"}, {"notify", take_scope, "own|subnet|off"},
	{"agentXPeer", take_user, "USER"},   {"wireUser", take_user, "USER"},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void register_tokens(void)
{
	for (size_t i = 0; i < COUNT(numbers); i++)
		register_config_handler(AGENT_NAME, numbers[i].token, take_number, NULL, numbers[i].help);
	for (size_t i = 0; i < COUNT(truths); i++)
		register_config_handler(AGENT_NAME, truths[i].token, take_truth, NULL, "yes|no");
	for (size_t i = 0; i < COUNT(names); i++)
		register_config_handler(AGENT_NAME, names[i].token, take_name, NULL, "NAME");
	for (size_t i = 0; i < COUNT(others); i++)
		register_config_handler(AGENT_NAME, others[i].token, others[i].take, NULL, others[i].help);
}

static void set_defaults(struct agent_config *config)
{
	*config = (struct agent_config){.agentx_peer = PEER_NOBODY,
	                                .wire_user = SMA_NOBODY,
	                                .port = -1,
	                                .notify = {.rate = 100, .burst = 1000, .queue = 10000, .pace = 150}};
	sma_config_init(&config->sma);
	sma_watch_config_init(&config->watch);
}

void config_init(struct agent_config *config)
{
	set_defaults(config);
	target = config;
	register_tokens();
}

/* A file that is there but closed is a mistake: to go on without it would be to go on with defaults. A folder
 * that is closed, as the home of another user, is passed over. */
static void read_one(const char *folder, const char *file)
{
	if (access(file, R_OK) == 0) {
		read_config_with_type(file, AGENT_NAME);
	} else if (errno == EACCES && access(folder, X_OK) == 0) {
		mistakes++;
		sma_log(SMA_LOG_ERROR, "config",
		        "%s cannot be read: %s; let the user or group of " AGENT_NAME " read it", file,
		        strerror(EACCES));
	}
}

static void read_in(const char *folder)
{
	static const char *const files[] = {AGENT_NAME ".conf", AGENT_NAME ".local.conf"};
	char file[PATH_MAX];

	for (size_t i = 0; i < COUNT(files); i++) {
		snprintf(file, sizeof(file), "%s/%s", folder, files[i]);
		read_one(folder, file);
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

static int read_all(const char *file)
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

/* Net-SNMP's debug output would show each line, that of the M_Key as well. */
int config_read(const char *file)
{
	int debugging = snmp_get_do_debugging();
	int rc;

	snmp_set_do_debugging(0);
	rc = read_all(file);
	snmp_set_do_debugging(debugging);
	return rc;
}

/* The session stays with the master agent of the start, whatever a file says of it now. */
static int read_but_address(const char *file)
{
	const char *configured = netsnmp_ds_get_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET);
	char *address = configured ? strdup(configured) : NULL;
	int rc;

	if (configured && !address)
		return -ENOMEM;
	rc = config_read(file);
	netsnmp_ds_set_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET, address);
	free(address);
	return rc;
}

int config_read_again(const char *file)
{
	const struct agent_config old = *target;
	int rc;

	set_defaults(target);
	rc = read_but_address(file);
	if (rc < 0)
		*target = old;
	return rc;
}
