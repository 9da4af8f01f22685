// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "agent/agentx/agentx.h"
#include "agent/config_message.h"
#include "agent/config_token.h"
#include "agent/privilege.h"

struct token {
	const char *name;
	const char *usage; /* what follows it in ibsmad.conf(5) */
	/* Set `field`. Returns what was expected instead of the value; NULL: it is right. */
	const char *(*take)(const struct token *token, const char *value, void *field);
	size_t offset;        /* of the field in struct agent_config */
	long low, high;       /* of a number */
	unsigned factor;      /* between a number and the field */
	const char *expected; /* of a name */
};

/* ---- values ---- */

int config_token_number(const char *text, long low, long high, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(text, &end, 10);
	if (errno || end == text || *end || *number < low || *number > high)
		return -EINVAL;
	return 0;
}

/* strtoull accepts a sign, too. */
int config_token_hex(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 16);
	return errno || !isxdigit((unsigned char)text[0]) || *end ? -EINVAL : 0;
}

/* Numbers go into an unsigned, or an int that is negative until it is set. */
static const char *take_number(const struct token *token, const char *value, void *field)
{
	static char expected[64];
	long number;

	if (config_token_number(value, token->low, token->high, &number) == 0) {
		*(unsigned *)field = (unsigned)number * token->factor;
		return NULL;
	}
	snprintf(expected, sizeof(expected), "a whole number from %ld to %ld", token->low, token->high);
	return expected;
}

static const char *take_truth(const struct token *token, const char *value, void *field)
{
	bool yes = strcasecmp(value, "yes") == 0;

	(void)token;
	if (!yes && strcasecmp(value, "no") != 0)
		return "yes or no";
	*(bool *)field = yes;
	return NULL;
}

/* A field of CONFIG_NAME_SIZE characters. */
static const char *take_name(const struct token *token, const char *value, void *field)
{
	if (!*value || strlen(value) >= CONFIG_NAME_SIZE)
		return token->expected;
	snprintf(field, CONFIG_NAME_SIZE, "%s", value);
	return NULL;
}

/* A field of CONFIG_ADDRESS_SIZE characters. */
static const char *take_address(const struct token *token, const char *value, void *field)
{
	char text[CONFIG_ADDRESS_SIZE] = "";
	struct address address;

	(void)token;
	if (*value == '"')
		copy_nword_const(value, text, sizeof(text));
	else if (strlen(value) < sizeof(text))
		memcpy(text, value, strlen(value) + 1);
	if (address_parse(text, &address) < 0)
		return CONFIG_ADDRESS_EXPECTED;
	memcpy(field, text, sizeof(text));
	return NULL;
}

static const char *take_cache_time(const struct token *token, const char *value, void *field)
{
	static char expected[160];
	char group[16];
	const char *rest = copy_nword_const(value, group, sizeof(group));
	unsigned seconds = 0;
	const char *wrong = take_number(token, rest ? rest : "", &seconds);

	if (wrong || sma_config_set_age(field, group, seconds * 1000) == 0)
		return wrong;
	snprintf(expected, sizeof(expected), "a group, one of: %s", sma_config_groups());
	return expected;
}

static const char *take_scope(const struct token *token, const char *value, void *field)
{
	struct sources_config *sources = field;
	bool subnet = strcasecmp(value, "subnet") == 0;
	bool off = strcasecmp(value, "off") == 0;

	(void)token;
	if (!subnet && !off && strcasecmp(value, "own") != 0)
		return "own, subnet or off";
	sources->subnet = subnet;
	sources->off = off;
	return NULL;
}

static const char *take_key(const struct token *token, const char *value, void *field)
{
	uint64_t key;

	(void)token;
	if (config_token_hex(value, &key) < 0)
		return "up to 16 hexadecimal digits";
	*(uint64_t *)field = key;
	return NULL;
}

/* A field of CONFIG_ADDRESS_SIZE characters. */
static const char *take_file(const struct token *token, const char *value, void *field)
{
	char name[CONFIG_ADDRESS_SIZE] = "";

	if (strlen(value) < sizeof(name))
		copy_nword_const(value, name, sizeof(name));
	if (!name[0])
		return token->expected;
	memcpy(field, name, sizeof(name));
	return NULL;
}

static const char *take_view(const struct token *token, const char *value, void *field)
{
	(void)token;
	return view_config_take_view(*(struct view_config **)field, value);
}

static const char *take_views(const struct token *token, const char *value, void *field)
{
	(void)token;
	return view_config_take_views(*(struct view_config **)field, value);
}

static const char *take_user(const struct token *token, const char *value, void *field)
{
	uid_t user;

	if (privilege_user_id(value, &user) < 0)
		return token->expected;
	*(uid_t *)field = user;
	return NULL;
}

/* ---- tokens ---- */

#define NUMBER(name, usage, field, low, high, factor)                                                        \
	{                                                                                                    \
		name, usage, take_number, offsetof(struct agent_config, field), low, high, factor, NULL      \
	}
#define VALUE(name, usage, field, take, expected)                                                            \
	{                                                                                                    \
		name, usage, take, offsetof(struct agent_config, field), 0, CONFIG_AGE_MAX, 1, expected      \
	}

static const struct token tokens[] = {
	VALUE("ca", "NAME", ca, take_name, "the name of a device, as ibstat -l lists it"),
	NUMBER("port", "NUMBER", port, 0, SMA_MAX_PORTS, 1),
	NUMBER("smpTimeout", "MILLISECONDS", sma.timeout_ms, 1, CONFIG_TIMEOUT_MAX, 1),
	NUMBER("smpRetries", "NUMBER", sma.retries, 0, CONFIG_RETRIES_MAX, 1),
	NUMBER("smpWindow", "NUMBER", sma.window, 1, CONFIG_WINDOW_MAX, 1),
	VALUE("cacheTime", "GROUP SECONDS", sma, take_cache_time, NULL),
	NUMBER("backgroundRate", "PER-SECOND", sma.background, 1, CONFIG_BACKGROUND_MAX, 1),
	VALUE("view", "include|exclude GLOB", views, take_view, NULL),
	VALUE("view", "NAME guid|lid|path PLACE [via DEVICE:PORT]", views, take_view, NULL),
	VALUE("views", "discover off|switches|cas|all [via DEVICE:PORT]", views, take_views, NULL),
	NUMBER("viewSweep", "SECONDS", sweep_ms, 0, CONFIG_AGE_MAX, 1000),
	VALUE("nodeNameMap", "FILE", name_map, take_file, "the name of a file"),
	VALUE("mKeyFile", "FILE", key_file, take_file, "the name of a file"),
	VALUE("exposeKeys", "yes|no", expose_keys, take_truth, NULL),
	VALUE("mKey", "HEXADECIMAL", sma.m_key, take_key, NULL),
	VALUE("agentUser", "NAME", user, take_name, "a user's name or number"),
	VALUE("agentGroup", "NAME", group, take_name, "a group's name or number"),
	VALUE("wireUser", "USER", wire_user, take_user, "a user's name or number"),
	VALUE("notify", "own|subnet|off", sources, take_scope, NULL),
	VALUE("notifySubscribe", "yes|no", sources.subscribe, take_truth, NULL),
	NUMBER("notifyRefresh", "SECONDS", sources.refresh_ms, 1, CONFIG_AGE_MAX, 1000),
	VALUE("notifyTrapAgent", "yes|no", sources.take_traps, take_truth, NULL),
	NUMBER("notifyPoll", "SECONDS", sources.poll_ms, 0, CONFIG_AGE_MAX, 1000),
	NUMBER("notifyRepeat", "SECONDS", sources.repeat_ms, 0, CONFIG_AGE_MAX, 1000),
	NUMBER("notifyRate", "PER-SECOND", notify.rate, 1, CONFIG_RATE_MAX, 1),
	NUMBER("notifyBurst", "NUMBER", notify.burst, 1, CONFIG_RATE_MAX, 1),
	NUMBER("notifyPace", "PER-SECOND", notify.pace, 1, CONFIG_RATE_MAX, 1),
	NUMBER("notifyQueue", "NUMBER", notify.queue, 1, CONFIG_QUEUE_MAX, 1),
	VALUE("agentXSocket", "ADDRESS", agentx, take_address, NULL),
	NUMBER("agentXPingInterval", "SECONDS", agentx_ping, 1, CONFIG_AGE_MAX, 1),
	NUMBER("agentXTimeout", "SECONDS", agentx_timeout, 0, CONFIG_AGENTX_TIMEOUT_MAX, 1),
	VALUE("agentXPeer", "USER", agentx_peer, take_user, "a user's name or number"),
};

static const struct token *find(const char *name)
{
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		if (strcasecmp(tokens[i].name, name) == 0)
			return &tokens[i];
	}
	return NULL;
}

int config_token_take(const struct configfile_line *line, struct agent_config *config)
{
	const struct token *token = find(line->token);
	const char *expected;

	if (!token)
		return -ENOENT;
	expected = token->take(token, line->value, (char *)config + token->offset);
	if (!expected)
		return 0;
	/* no part of a key is logged */
	config_message_value(line, token->take == take_key ? "..." : line->value, expected);
	return -EINVAL;
}

unsigned config_token_prefix(const char *word)
{
	char name[32];
	size_t length = 0;

	while (isalpha((unsigned char)word[length]))
		length++;
	if (length >= sizeof(name))
		return 0;
	memcpy(name, word, length);
	name[length] = '\0';
	return find(name) ? (unsigned)length : 0;
}
