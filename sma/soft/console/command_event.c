// SPDX-License-Identifier: BSD-2-Clause
/* Commands of the console: what hardware would do by itself. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sma/iba/iba.h"
#include "sma/soft/console/command_parts.h"

enum {
	MAX_QP = 0xFFFFFF,
	MAX_SL = SMA_SL_COUNT - 1,
};

/* ---- events ---- */

static int run_link(struct console *c)
{
	unsigned port;
	bool up;
	int rc = console_port(c, console_data_ports(c), &port);

	if (rc == 0)
		rc = console_choice(c, c->args[1], "up", "down", &up);
	return rc == 0 ? link_set(c->responder, port, up) : rc;
}

static int run_threshold(struct console *c)
{
	unsigned port;
	int rc = console_port(c, console_data_ports(c), &port);

	return rc == 0 ? event_traps_threshold(c->responder, port, c->command->trap) : rc;
}

static int run_description(struct console *c)
{
	if (strlen(c->args[0]) > SMA_BLOCK_SIZE)
		return console_fail(c, -EINVAL, "the text has %zu bytes: expected at most %d",
		                    strlen(c->args[0]), SMA_BLOCK_SIZE);
	return event_traps_description(c->responder, c->args[0]);
}

static int run_system_guid(struct console *c)
{
	uint64_t guid;
	int rc = console_number(c, "GUID", c->args[0], (struct bounds){0, UINT64_MAX}, &guid);

	return rc == 0 ? event_traps_system_guid(c->responder, guid) : rc;
}

static const char *capability_name(const void *context, unsigned i)
{
	const char *name = sma_component_name(i);

	(void)context;
	return sma_component_attr(i) == SMA_PortInfo && strncmp(name, "Is", 2) == 0 ? name : NULL;
}

static int capability(struct console *c, const char *word, enum sma_component *bit)
{
	unsigned distance;

	for (unsigned i = 0; i < SMA_COMPONENT_COUNT; i++) {
		const char *name = capability_name(NULL, i);

		*bit = i;
		if (name && strcasecmp(name, word) == 0)
			return 0;
	}
	return console_fail(c, -EINVAL, "%.40s: expected a capability as IBA names it; the nearest is %s",
	                    word,
	                    nodefile_nearest(word, capability_name, NULL, SMA_COMPONENT_COUNT, &distance));
}

static int run_capability(struct console *c)
{
	enum sma_component bit = SMA_PortInfo_CapabilityMask;
	unsigned port;
	bool on;
	int rc = console_port(c, console_end_ports(c), &port);

	if (rc == 0)
		rc = capability(c, c->args[1], &bit);
	if (rc == 0)
		rc = console_choice(c, c->args[2], "on", "off", &on);
	return rc == 0 ? event_traps_capability(c->responder, port, bit, on) : rc;
}

static int run_diag(struct console *c)
{
	uint64_t code;
	unsigned port;
	int rc = console_port(c, console_end_ports(c), &port);

	if (rc == 0)
		rc = console_number(c, "code", c->args[1], (struct bounds){0, UINT16_MAX}, &code);
	if (rc == 0)
		state_set(c->state, port, SMA_PortInfo_DiagCode, code);
	return rc;
}

static int run_led(struct console *c)
{
	unsigned port;
	bool on = false;
	int rc = console_port(c, console_end_ports(c), &port);
	uint8_t led;

	if (rc == 0)
		rc = console_choice(c, c->args[1], "on", "off", &on);
	if (rc < 0)
		return rc;
	if (!state_get(c->state, port, SMA_PortInfo_IsLedInfoSupported))
		return console_fail(c, -ENOTSUP,
		                    "port %u has no LED: expected one with IsLedInfoSupported on", port);
	led = on ? SOFT_LED_ON : 0;
	state_put(c->state, 1 << SMA_LedInfo, &c->state->port[port].led, &led, sizeof(led));
	return 0;
}

/* ---- bad keys ---- */

/* What a packet with a bad key is described by. */
enum trait {
	TRAIT_PORT,
	TRAIT_KEY,
	TRAIT_LID1,
	TRAIT_LID2,
	TRAIT_SL,
	TRAIT_QP1,
	TRAIT_QP2,
	TRAIT_NUMBERS, /* those before are numbers */
	TRAIT_GID1 = TRAIT_NUMBERS,
	TRAIT_GID2,
	TRAIT_COUNT
};

static const struct {
	const char *name;
	uint64_t high;
	unsigned preset; /* of those that do not depend on the port */
} traits[TRAIT_COUNT] = {
	[TRAIT_PORT] = {"port", 0, 0},          [TRAIT_KEY] = {"key", UINT32_MAX, 1},
	[TRAIT_LID1] = {"lid1", UINT16_MAX, 0}, [TRAIT_LID2] = {"lid2", UINT16_MAX, 0},
	[TRAIT_SL] = {"sl", MAX_SL, 0},         [TRAIT_QP1] = {"qp1", MAX_QP, 1},
	[TRAIT_QP2] = {"qp2", MAX_QP, 1},       [TRAIT_GID1] = {"gid1", 0, 0},
	[TRAIT_GID2] = {"gid2", 0, 0},
};

struct bad_packet {
	bool given[TRAIT_COUNT];
	uint64_t numbers[TRAIT_NUMBERS];
	uint8_t gids[TRAIT_COUNT - TRAIT_NUMBERS][16];
};

/* Where bad P_Keys are found: a switch checks them at its data ports too. */
static struct bounds trait_bounds(const struct console *c, enum trait trait)
{
	bool is_p_key = c->command->trap == SMA_TRAP_BAD_P_KEY;

	if (trait == TRAIT_PORT)
		return is_p_key ? console_all_ports(c) : console_end_ports(c);
	return (struct bounds){0, trait == TRAIT_KEY && is_p_key ? UINT16_MAX : traits[trait].high};
}

static int read_trait(struct console *c, struct bad_packet *packet, enum trait trait, const char *value)
{
	if (packet->given[trait])
		return console_fail(c, -EINVAL, "%s: expected once only", traits[trait].name);
	packet->given[trait] = true;
	if (trait < TRAIT_NUMBERS)
		return console_number(c, traits[trait].name, value, trait_bounds(c, trait),
		                      &packet->numbers[trait]);
	if (inet_pton(AF_INET6, value, packet->gids[trait - TRAIT_NUMBERS]) != 1)
		return console_fail(c, -EINVAL, "%s %.40s: expected a GID such as fe80::1",
		                    traits[trait].name, value);
	return 0;
}

static int read_word(struct console *c, struct bad_packet *packet, const char *word)
{
	size_t length = strcspn(word, "=");

	for (unsigned i = 0; i < TRAIT_COUNT && word[length]; i++) {
		if (strlen(traits[i].name) == length && strncasecmp(traits[i].name, word, length) == 0)
			return read_trait(c, packet, i, word + length + 1);
	}
	return console_fail(
		c, -EINVAL,
		"%.40s: expected KEY=VALUE, where KEY is port, key, lid1, lid2, sl, qp1, qp2, gid1 or "
		"gid2",
		word);
}

static void preset_numbers(struct console *c, struct bad_packet *packet)
{
	uint64_t *numbers = packet->numbers;

	for (unsigned i = 0; i < TRAIT_NUMBERS; i++) {
		if (!packet->given[i])
			numbers[i] = traits[i].preset;
	}
	if (!packet->given[TRAIT_PORT])
		numbers[TRAIT_PORT] = console_first_port(c);
}

/* The addresses of the end port that finds the packet. */
static void preset_addresses(struct console *c, struct bad_packet *packet)
{
	unsigned port = state_is_switch(c->state) ? 0 : (unsigned)packet->numbers[TRAIT_PORT];

	for (unsigned i = 0; i < 2; i++) {
		if (!packet->given[TRAIT_LID1 + i])
			packet->numbers[TRAIT_LID1 + i] = state_get(c->state, port, SMA_PortInfo_LID);
		if (packet->given[TRAIT_GID1 + i])
			continue;
		wire_put64(packet->gids[i],
		           sma_component_get(c->state->port[port].info, SMA_PortInfo_GidPrefix));
		wire_put64(packet->gids[i] + 8, state_port_guid(c->state, port));
	}
}

static int raise_bad_key(struct console *c, const struct bad_packet *packet)
{
	const uint64_t *numbers = packet->numbers;
	unsigned port = (unsigned)numbers[TRAIT_PORT];
	bool at_switch = !state_is_end_port(c->state, port);
	struct bad_key key = {
		.key = (uint32_t)numbers[TRAIT_KEY],
		.lid1 = (uint16_t)numbers[TRAIT_LID1],
		.lid2 = (uint16_t)numbers[TRAIT_LID2],
		.sl = (uint8_t)numbers[TRAIT_SL],
		.qp1 = (uint32_t)numbers[TRAIT_QP1],
		.qp2 = (uint32_t)numbers[TRAIT_QP2],
	};
	int rc;

	memcpy(key.gid1, packet->gids[0], sizeof(key.gid1));
	memcpy(key.gid2, packet->gids[1], sizeof(key.gid2));
	rc = event_traps_bad_key(c->responder, port, at_switch ? SMA_TRAP_BAD_P_KEY_SWITCH : c->command->trap,
	                         &key);
	if (rc == -ENOTSUP)
		return console_fail(c, rc,
		                    "port %u raises no trap 259: expected a switch with "
		                    "IsPKeySwitchExternalPortTrapSupported on",
		                    port);
	return rc;
}

static int run_bad_key(struct console *c)
{
	struct bad_packet packet = {0};
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < c->arg_count; i++)
		rc = read_word(c, &packet, c->args[i]);
	if (rc < 0)
		return rc;
	preset_numbers(c, &packet);
	preset_addresses(c, &packet);
	return raise_bad_key(c, &packet);
}

/* ---- the table ---- */

const struct command console_commands[] = {
	{"link", "link PORT up|down", "a cable comes or goes", run_link, 2, 2, 0, false},
	{"integrity", "integrity PORT", "too many local link errors: trap 129", run_threshold, 1, 1,
         SMA_TRAP_LINK_INTEGRITY, false},
	{"overrun", "overrun PORT", "too many buffer overruns: trap 130", run_threshold, 1, 1,
         SMA_TRAP_BUFFER_OVERRUN, false},
	{"flowcontrol", "flowcontrol PORT", "no flow control updates: trap 131", run_threshold, 1, 1,
         SMA_TRAP_FLOW_CONTROL, true},
	{"badpkey", "badpkey [KEY=VALUE ...]",
         "a packet with a wrong P_Key: trap 257 or 259; KEY is port, key, lid1, lid2, sl, qp1, qp2, gid1 or "
         "gid2",
         run_bad_key, 0, TRAIT_COUNT, SMA_TRAP_BAD_P_KEY, false},
	{"badqkey", "badqkey [KEY=VALUE ...]", "a packet with a wrong Q_Key: trap 258; as badpkey",
         run_bad_key, 0, TRAIT_COUNT, SMA_TRAP_BAD_Q_KEY, false},
	{"description", "description \"TEXT\"", "a new NodeDescription: trap 144", run_description, 1, 1, 0,
         false},
	{"systemguid", "systemguid GUID", "a new SystemImageGUID: trap 145", run_system_guid, 1, 1, 0, false},
	{"capability", "capability PORT NAME on|off", "a bit of CapabilityMask: trap 144", run_capability, 3,
         3, 0, false},
	{"diag", "diag PORT CODE", "a new DiagCode", run_diag, 2, 2, 0, false},
	{"led", "led PORT on|off", "the LED of a port", run_led, 2, 2, 0, false},
	{"show", "show", "node and ports", console_show, 0, 2, 0, false},
	{"help", "help", "this list", console_help, 0, 0, 0, false},
};

const size_t console_command_count = COUNT(console_commands);
