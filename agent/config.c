// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agent.h"
#include "agent/agentx/agentx.h"
#include "agent/config.h"
#include "agent/config_message.h"
#include "agent/configfile.h"
#include "agent/privilege.h"

/* Tokens are handed a value alone. */
static struct agent_config *target;
static const struct configfile_line *current;
static unsigned mistakes;

static void mistake(const char *token, const char *value, const char *expected)
{
	mistakes++;
	config_message_value(current, token, value, expected);
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
	{"notifyPoll", offsetof(struct agent_config, sources.poll_ms), 0, CONFIG_AGE_MAX, 1000, "SECONDS"},
	{"notifyRefresh", offsetof(struct agent_config, sources.refresh_ms), 1, CONFIG_AGE_MAX, 1000,
         "SECONDS"},
	{"notifyRepeat", offsetof(struct agent_config, sources.repeat_ms), 0, CONFIG_AGE_MAX, 1000,
         "SECONDS"},
	{"notifyRate", offsetof(struct agent_config, notify.rate), 1, CONFIG_RATE_MAX, 1, "PER-SECOND"},
	{"notifyBurst", offsetof(struct agent_config, notify.burst), 1, CONFIG_RATE_MAX, 1, "NUMBER"},
	{"notifyPace", offsetof(struct agent_config, notify.pace), 1, CONFIG_RATE_MAX, 1, "PER-SECOND"},
	{"notifyQueue", offsetof(struct agent_config, notify.queue), 1, CONFIG_QUEUE_MAX, 1, "NUMBER"},
	{"agentXPingInterval", offsetof(struct agent_config, agentx_ping), 1, CONFIG_AGE_MAX, 1, "SECONDS"},
	{"agentXTimeout", offsetof(struct agent_config, agentx_timeout), 0, CONFIG_AGENTX_TIMEOUT_MAX, 1,
         "SECONDS"},
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
	{"notifySubscribe", offsetof(struct agent_config, sources.subscribe)},
	{"notifyTrapAgent", offsetof(struct agent_config, sources.take_traps)},
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

static void take_address(const char *token, char *line)
{
	char text[CONFIG_ADDRESS_SIZE] = "";
	struct address address;

	if (*line == '"')
		copy_nword(line, text, sizeof(text));
	else if (strlen(line) < sizeof(text))
		memcpy(text, line, strlen(line) + 1);
	if (address_parse(text, &address) < 0)
		mistake(token, line, CONFIG_ADDRESS_EXPECTED);
	else
		memcpy(target->agentx, text, sizeof(text));
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
			target->sources.off = i == SCOPE_OFF;
			target->sources.subnet = i == SCOPE_SUBNET;
			return;
		}
	}
	mistake(token, line, "own, subnet or off");
}

/* The value is not repeated: keys stand in no log. */
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
	{"agentXSocket", take_address, "ADDRESS"},
	{"port", take_port, "NUMBER"},
	{"cacheTime", take_cache_time, "GROUP SECONDS"},
	{"mKey", take_m_key, "HEXADECIMAL"},
	{"notify", take_scope, "own|subnet|off"},
	{"agentXPeer", take_user, "USER"},
	{"wireUser", take_user, "USER"},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define LETTERS      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

typedef void take_value(const char *token, char *value);

static take_value *find_token(const char *token)
{
	for (size_t i = 0; i < COUNT(numbers); i++) {
		if (strcasecmp(numbers[i].token, token) == 0)
			return take_number;
	}
	for (size_t i = 0; i < COUNT(truths); i++) {
		if (strcasecmp(truths[i].token, token) == 0)
			return take_truth;
	}
	for (size_t i = 0; i < COUNT(names); i++) {
		if (strcasecmp(names[i].token, token) == 0)
			return take_name;
	}
	for (size_t i = 0; i < COUNT(others); i++) {
		if (strcasecmp(others[i].token, token) == 0)
			return others[i].take;
	}
	return NULL;
}

/* The length of a token that goes over into its value, as in port=1; 0: the word begins with none. */
static unsigned without_blank(const char *word)
{
	char token[32];
	size_t length = strspn(word, LETTERS);

	if (length >= sizeof(token))
		return 0;
	memcpy(token, word, length);
	token[length] = '\0';
	return find_token(token) ? (unsigned)length : 0;
}

static void take_line(const struct configfile_line *line)
{
	take_value *take = find_token(line->token);
	unsigned length;

	current = line;
	if (take) {
		take(line->token, line->value);
		return;
	}
	length = without_blank(line->token);
	if (!length) {
		config_message_unknown(line);
		return;
	}
	mistakes++;
	config_message_blank(line, length);
}

static void set_defaults(struct agent_config *config)
{
	*config = (struct agent_config){.agentx_peer = SESSION_NOBODY,
	                                .wire_user = SMA_NOBODY,
	                                .port = -1,
	                                .agentx_ping = 5,
	                                .agentx_timeout = 1,
	                                .notify = {.rate = 100, .burst = 1000, .queue = 10000, .pace = 150}};
	sma_config_init(&config->sma);
	sources_config_init(&config->sources);
}

void config_init(struct agent_config *config)
{
	set_defaults(config);
	target = config;
}

int config_read(const char *file)
{
	int rc;

	mistakes = 0;
	rc = file ? configfile_read(file, take_line) : configfile_search(AGENT_NAME, take_line);
	return rc == 0 && mistakes ? -EINVAL : rc;
}

int config_read_again(const char *file)
{
	const struct agent_config old = *target;
	int rc;

	set_defaults(target);
	rc = config_read(file);
	if (rc < 0)
		*target = old;
	return rc;
}

const char *config_kept(const struct agent_config *start, const struct agent_config *now)
{
	const struct {
		const char *token;
		bool differs;
	} kept[] = {
		{"ca", strcmp(start->ca, now->ca) != 0},
		{"port", start->port != now->port},
		{"smpWindow", start->sma.window != now->sma.window},
		{"agentUser", strcmp(start->user, now->user) != 0},
		{"agentGroup", strcmp(start->group, now->group) != 0},
		{"agentXSocket", strcmp(start->agentx, now->agentx) != 0},
	};
	static char text[128];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < COUNT(kept); i++) {
		if (kept[i].differs)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? ", " : "",
			                         kept[i].token);
	}
	return text;
}
