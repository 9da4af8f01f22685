// SPDX-License-Identifier: BSD-2-Clause
/* Commands of the console: show. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/soft/console/command_parts.h"

enum {
	MAX_SHOWN_DECIMAL = 9, /* what is larger is shown in hexadecimal too */
	NOTICE_NUMBER = 4,     /* where a Notice has its trap number */
	LFT_DISCARD = 0xFF,
};

/* ---- show ---- */

static void print_value(struct console *c, const char *name, uint64_t value)
{
	if (value > MAX_SHOWN_DECIMAL)
		console_print(c, "%s %" PRIu64 " (0x%" PRIx64 ")\n", name, value, value);
	else
		console_print(c, "%s %" PRIu64 "\n", name, value);
}

static void print_components(struct console *c, enum sma_attr attr, const uint8_t *block)
{
	for (unsigned i = 0; i < SMA_COMPONENT_COUNT; i++) {
		if (sma_component_attr(i) == attr && i != SMA_PortInfo_M_Key)
			print_value(c, sma_component_name(i), sma_component_get(block, i));
	}
}

/* The description may be anything that an SM has set. */
static void print_description(struct console *c)
{
	char text[SMA_BLOCK_SIZE + 1] = "";

	memcpy(text, c->state->description, SMA_BLOCK_SIZE);
	sma_make_printable(text);
	console_print(c, "NodeDescription \"%s\"\n", text);
}

static void print_port(struct console *c, unsigned port)
{
	static const char *const states[] = {"NoStateChange", "Down", "Initialize", "Armed", "Active"};
	static const char *const cables[] = {"", ", cable out", ", cable in"};
	unsigned state = state_get(c->state, port, SMA_PortInfo_PortState);
	char lid[sizeof(", LID 65535")] = "";

	if (state_is_end_port(c->state, port))
		snprintf(lid, sizeof(lid), ", LID %hu",
		         (unsigned short)state_get(c->state, port, SMA_PortInfo_LID));
	console_print(c, "port %u: %s%s%s\n", port,
	              state < COUNT(states) ? states[state] : "in a reserved state", lid,
	              cables[port == 0 ? 0 : 1 + c->state->port[port].link]);
}

static int show_all(struct console *c)
{
	static const char *const types[] = {
		[SMA_NODE_CA] = "CA", [SMA_NODE_SWITCH] = "switch", [SMA_NODE_ROUTER] = "router"};

	console_print(c, "%s, ports: %u\n", types[c->state->type], c->state->ports);
	print_description(c);
	for (unsigned p = console_first_port(c); p <= c->state->ports; p++)
		print_port(c, p);
	return 0;
}

static int show_node(struct console *c)
{
	print_description(c);
	print_components(c, SMA_NodeInfo, c->state->node_info);
	return 0;
}

static int show_switch(struct console *c)
{
	print_components(c, SMA_SwitchInfo, c->state->switch_info);
	return 0;
}

static int show_port(struct console *c)
{
	unsigned port = (unsigned)console_number(c, 0);

	print_port(c, port);
	if (state_get(c->state, port, SMA_PortInfo_IsLedInfoSupported))
		console_print(c, "LED %s\n", c->state->port[port].led ? "on" : "off");
	print_components(c, SMA_PortInfo, c->state->port[port].info);
	return 0;
}

/* A table of entries, and what those that say nothing hold. */
struct table {
	const uint8_t *bytes;
	unsigned count;
	unsigned width; /* of an entry: 1 or 2 bytes */
	unsigned nothing;
};

static unsigned entry_at(const struct table *table, unsigned i)
{
	return table->width == 1 ? table->bytes[i] : wire_get16(table->bytes + 2UL * i);
}

/* What is printed of entries that hold the same: "5" or "5-9" for which they are, and their value. */
typedef void run_printer(struct console *c, const char *entries, unsigned value);

static void print_run(struct console *c, unsigned first, unsigned last, unsigned value, run_printer *printer)
{
	char entries[sizeof("65535-65535")];

	if (first == last)
		snprintf(entries, sizeof(entries), "%hu", (unsigned short)first);
	else
		snprintf(entries, sizeof(entries), "%hu-%hu", (unsigned short)first, (unsigned short)last);
	printer(c, entries, value);
}

static void print_table(struct console *c, const struct table *table, run_printer *printer)
{
	unsigned next;

	for (unsigned i = 0; i < table->count; i = next) {
		unsigned value = entry_at(table, i);

		for (next = i + 1; next < table->count && entry_at(table, next) == value;)
			next++;
		if (value != table->nothing)
			print_run(c, i, next - 1, value, printer);
	}
}

static void print_pkeys(struct console *c, const char *entries, unsigned key)
{
	console_print(c, "%s: 0x%04x\n", entries, key);
}

static int show_pkeys(struct console *c)
{
	unsigned port = (unsigned)console_number(c, 0);
	const struct state_port *from = &c->state->port[port];
	struct line *line = &c->statement.line;

	if (!from->pkeys)
		return line_fail(line, line->word[2], "expected a port with a P_Key table");
	print_table(c, &(struct table){from->pkeys, from->pkey_count, 2, 0}, print_pkeys);
	return 0;
}

static void print_lids(struct console *c, const char *lids, unsigned port)
{
	if (port > c->state->ports)
		console_print(c, "LID %s: discarded\n", lids);
	else
		console_print(c, "LID %s: port %u\n", lids, port);
}

/* Beyond the top no entry is used. */
static unsigned used_lids(const struct console *c)
{
	unsigned top = state_get(c->state, 0, SMA_SwitchInfo_LinearFDBTop);
	unsigned capacity = state_get(c->state, 0, SMA_SwitchInfo_LinearFDBCap);

	return top < capacity ? top + 1 : capacity;
}

static int show_lft(struct console *c)
{
	unsigned lid = (unsigned)console_number(c, 0);

	if (c->statement.value_count)
		print_run(c, lid, lid, c->state->linear[lid], print_lids);
	else
		print_table(c, &(struct table){c->state->linear, used_lids(c), 1, LFT_DISCARD}, print_lids);
	return 0;
}

static unsigned trap_number(const uint8_t *notice)
{
	return wire_get16(notice + NOTICE_NUMBER);
}

/* Details stay out, for those of trap 256 hold a key. */
static void print_traps(struct console *c, unsigned port, const struct endpoint *endpoint)
{
	const struct trap_sender *traps = &endpoint->traps;
	const struct notice_queue *queue = &endpoint->notices;

	for (unsigned type = 0; type < NOTICE_TYPES; type++) {
		for (unsigned i = 0; i < traps->lists[type].count; i++)
			console_print(c, "port %u: trap %u, TID 0x%" PRIx32 "\n", port,
			              trap_number(traps->lists[type].traps[i].notice),
			              traps->lists[type].traps[i].tid);
	}
	for (unsigned i = 0; i < queue->count; i++)
		console_print(c, "port %u: Notice %u\n", port,
		              trap_number(queue->notices[(queue->first + i) % NOTICE_QUEUE]));
	console_print(c, "port %u: traps dropped %" PRIu64 "\n", port, traps->dropped);
}

static int show_traps(struct console *c)
{
	for (unsigned i = 0; i < c->responder->endpoint_count; i++)
		print_traps(c, console_first_port(c) + i, &c->responder->endpoints[i]);
	return 0;
}

static void print_violations(struct console *c, unsigned port)
{
	console_print(c, "port %u: M_KeyViolations %u, P_KeyViolations %u, Q_KeyViolations %u\n", port,
	              state_get(c->state, port, SMA_PortInfo_M_KeyViolations),
	              state_get(c->state, port, SMA_PortInfo_P_KeyViolations),
	              state_get(c->state, port, SMA_PortInfo_Q_KeyViolations));
}

static int show_counters(struct console *c)
{
	const struct responder_counters *counters = &c->responder->counters;
	const struct wire_counters *wire = &c->responder->wire;

	print_value(c, "answered", counters->answered);
	print_value(c, "refused", counters->refused);
	print_value(c, "malformed", counters->malformed);
	print_value(c, "bad M_Keys", counters->bad_m_key);
	print_value(c, "TrapRepress", counters->represses);
	print_value(c, "wire answered", wire->answered);
	print_value(c, "wire unanswered", wire->unanswered);
	print_value(c, "wire forwarded", wire->forwarded);
	print_value(c, "wire undelivered", wire->undelivered);
	print_value(c, "wire dropped", wire->dropped);
	print_value(c, "wire malformed", wire->malformed);
	print_value(c, "wire refused", wire->refused);
	for (unsigned p = console_first_port(c); p <= c->state->ports; p++)
		print_violations(c, p);
	return 0;
}

const struct command console_subjects[] = {
	{{"node", "", NEED_NOTHING, {{0}}}, "NodeDescription and NodeInfo", show_node, 0},
	{{"switch", "", NEED_SWITCH, {{0}}}, "SwitchInfo", show_switch, 0},
	{{"port", "PORT", NEED_NOTHING, {PORT}}, "PortInfo, without the M_Key", show_port, 0},
	{{"pkeys", "PORT", NEED_NOTHING, {PORT}}, "P_KeyTable, without entries that are 0", show_pkeys, 0},
	{{"lft", "[LID]", NEED_LINEAR, {{ARG_NUMBER, "a LID", 0, 0, bounds_lids, NULL, true}}},
         "LinearForwardingTable up to its top",
         show_lft,
         0},
	{{"traps", "", NEED_NOTHING, {{0}}},
         "what waits for TrapRepress, and the Notice queue",
         show_traps,
         0},
	{{"unit", "", NEED_UNIT, {{0}}}, "the I/O unit, its controllers and services", console_show_unit, 0},
	{{"counters", "", NEED_NOTHING, {{0}}},
         "SMPs, datagrams of the wire, violations of keys",
         show_counters,
         0},
};

const unsigned console_subject_count = COUNT(console_subjects);

int console_show(struct console *c)
{
	if (c->statement.line.count == 1)
		return show_all(c);
	return console_dispatch(c, 1, "subject", console_subjects, console_subject_count);
}
