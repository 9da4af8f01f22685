// SPDX-License-Identifier: BSD-2-Clause
/* Commands of the console: what hardware would do by itself. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "sma/iba/iba.h"
#include "sma/soft/console/command_parts.h"
#include "sma/soft/event_traps.h"
#include "sma/soft/link.h"

enum {
	MAX_QP = 0xFFFFFF,
	MAX_SL = SMA_SL_COUNT - 1,
};

/* ---- events ---- */

static int run_link(struct console *c)
{
	return link_set(c->responder, (unsigned)console_number(c, 0), console_number(c, 1));
}

static int run_threshold(struct console *c)
{
	return event_traps_threshold(c->responder, (unsigned)console_number(c, 0), c->command->trap);
}

static int run_description(struct console *c)
{
	return event_traps_description(c->responder, c->statement.value[0].text);
}

static int run_system_guid(struct console *c)
{
	return event_traps_system_guid(c->responder, console_number(c, 0));
}

static int run_capability(struct console *c)
{
	return event_traps_capability(c->responder, (unsigned)console_number(c, 0),
	                              (enum sma_component)console_number(c, 1), console_number(c, 2));
}

static int run_diag(struct console *c)
{
	state_set(c->state, (unsigned)console_number(c, 0), SMA_PortInfo_DiagCode, console_number(c, 1));
	return 0;
}

static int run_led(struct console *c)
{
	unsigned port = (unsigned)console_number(c, 0);
	uint8_t led = console_number(c, 1) ? SOFT_LED_ON : 0;
	struct line *line = &c->statement.line;

	if (!state_get(c->state, port, SMA_PortInfo_IsLedInfoSupported))
		return line_fail(line, line->word[1], "expected a port with IsLedInfoSupported on");
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

/* A switch checks P_Keys at its data ports too, and they have 16 bits. */
static struct arg trait_arg(const struct console *c, enum trait trait)
{
	bool is_p_key = c->command->trap == SMA_TRAP_BAD_P_KEY;
	struct arg arg = ARG_UP_TO(traits[trait].name, traits[trait].high);

	if (trait == TRAIT_PORT)
		arg.bounds = is_p_key ? bounds_ports : bounds_end_ports;
	else if (trait == TRAIT_KEY && is_p_key)
		arg.high = UINT16_MAX;
	return arg;
}

static int read_trait(struct console *c, struct bad_packet *packet, enum trait trait, const char *word)
{
	const struct arg arg = trait_arg(c, trait);
	struct value value;
	int rc;

	if (packet->given[trait])
		return line_fail(&c->statement.line, NULL, "expected %s once only", traits[trait].name);
	packet->given[trait] = true;
	if (trait >= TRAIT_NUMBERS) {
		if (inet_pton(AF_INET6, word, packet->gids[trait - TRAIT_NUMBERS]) == 1)
			return 0;
		return line_fail(&c->statement.line, word, "expected %s, a GID such as fe80::1",
		                 traits[trait].name);
	}
	rc = arg_read(&c->statement, &arg, word, &value);
	packet->numbers[trait] = value.first;
	return rc;
}

static int read_word(struct console *c, struct bad_packet *packet, const char *word)
{
	size_t length = strcspn(word, "=");

	for (unsigned i = 0; i < TRAIT_COUNT && word[length]; i++) {
		if (strlen(traits[i].name) == length && strncasecmp(traits[i].name, word, length) == 0)
			return read_trait(c, packet, i, word + length + 1);
	}
	return line_fail(
		&c->statement.line, word,
		"expected KEY=VALUE, where KEY is port, key, lid1, lid2, sl, qp1, qp2, gid1 or gid2");
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
		return line_fail(&c->statement.line, NULL,
		                 "port %u raises no trap 259: expected "
		                 "IsPKeySwitchExternalPortTrapSupported on",
		                 port);
	return rc;
}

static int run_bad_key(struct console *c)
{
	const struct line *line = &c->statement.line;
	struct bad_packet packet = {0};
	int rc = 0;

	for (unsigned i = 1; rc == 0 && i < line->count; i++)
		rc = read_word(c, &packet, line->word[i]);
	if (rc < 0)
		return rc;
	preset_numbers(c, &packet);
	preset_addresses(c, &packet);
	return raise_bad_key(c, &packet);
}

/* ---- the table ---- */

static const char *const remove_add[] = {"remove", "add", NULL};

const struct command console_commands[] = {
	{{"link", "PORT up|down", NEED_NOTHING, {DATA_PORT, ARG_OF("up or down", arg_down_up)}},
         "a cable comes or goes",
         run_link,
         0},
	{{"integrity", "PORT", NEED_NOTHING, {DATA_PORT}},
         "too many local link errors: trap 129",
         run_threshold,
         SMA_TRAP_LINK_INTEGRITY},
	{{"overrun", "PORT", NEED_NOTHING, {DATA_PORT}},
         "too many buffer overruns: trap 130",
         run_threshold,
         SMA_TRAP_BUFFER_OVERRUN},
	{{"flowcontrol", "PORT", NEED_SWITCH, {DATA_PORT}},
         "no flow control updates: trap 131",
         run_threshold,
         SMA_TRAP_FLOW_CONTROL},
	{{"badpkey", "[KEY=VALUE ...]", NEED_NOTHING, {{ARG_REST, "keys", 0, 0, NULL, NULL, true}}},
         "a packet with a wrong P_Key: trap 257 or 259; KEY is port, key, lid1, lid2, sl, qp1, qp2, gid1 or "
         "gid2",
         run_bad_key,
         SMA_TRAP_BAD_P_KEY},
	{{"badqkey", "[KEY=VALUE ...]", NEED_NOTHING, {{ARG_REST, "keys", 0, 0, NULL, NULL, true}}},
         "a packet with a wrong Q_Key: trap 258; as badpkey",
         run_bad_key,
         SMA_TRAP_BAD_Q_KEY},
	{{"description",
          "\"TEXT\"",
          NEED_NOTHING,
          {ARG(TEXT, "UTF-8 text, 0 to 64 bytes", 0, SMA_BLOCK_SIZE)}},
         "a new NodeDescription: trap 144",
         run_description,
         0},
	{{"systemguid", "GUID", NEED_NOTHING, {ARG_UP_TO("a GUID", UINT64_MAX)}},
         "a new SystemImageGUID: trap 145",
         run_system_guid,
         0},
	{{"capability",
          "PORT NAME on|off",
          NEED_NOTHING,
          {END_PORT, ARG(CAPABILITY, "a capability", 0, 0), ARG_OF("on or off", arg_off_on)}},
         "a bit of CapabilityMask: trap 144",
         run_capability,
         0},
	{{"diag", "PORT CODE", NEED_NOTHING, {END_PORT, ARG_UP_TO("a code", UINT16_MAX)}},
         "a new DiagCode",
         run_diag,
         0},
	{{"led", "PORT on|off", NEED_NOTHING, {END_PORT, ARG_OF("on or off", arg_off_on)}},
         "the LED of a port",
         run_led,
         0},
	{{"ioc",
          "SLOT add|remove [GUID]",
          NEED_UNIT,
          {SLOT,
           ARG_OF("add or remove", remove_add),
           {ARG_NUMBER, "a GUID", 1, UINT64_MAX, NULL, NULL, true}}},
         "a controller comes to the I/O unit or goes",
         console_ioc,
         0},
	{{"ready", "SLOT STATUS", NEED_UNIT, {SLOT, ARG_UP_TO("a status", UINT16_MAX)}},
         "a controller is ready for a test, or has failed: trap 514",
         console_ready,
         0},
	{{"show", "", NEED_NOTHING, {{ARG_REST, "subject", 0, 0, NULL, NULL, true}}},
         "node and ports",
         console_show,
         0},
	{{"help", "", NEED_NOTHING, {{0}}}, "this list", console_help, 0},
};

const unsigned console_command_count = COUNT(console_commands);
