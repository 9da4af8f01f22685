// SPDX-License-Identifier: BSD-2-Clause
/*
 * What is read of a node: its description, PortInfo of its ports, and then what is behind those that are up.
 * Little of it is submitted at a time, so that a fabric of any size costs no more memory than its nodes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/clock.h"
#include "sma/fabric/fabric_parts.h"

enum {
	FAILURES_MOST = 8, /* in a row, after which the rest is left as it was */
	PAUSE_MS = 5 * 1000,
};

/* One request. */
struct reading {
	struct graph_node *node;
	bool is_description;
	unsigned port;
};

/* ---- what is wanted ---- */

static void list(struct graph_node *node)
{
	bool has_work = node->wanted || node->to_look;

	if (has_work && !node->has_work)
		TAILQ_INSERT_TAIL(&node->fabric->work, node, work);
	if (!has_work && node->has_work)
		TAILQ_REMOVE(&node->fabric->work, node, work);
	node->has_work = has_work;
}

static bool has_flag(const struct graph_node *node, unsigned port, uint8_t flag)
{
	return node->public.ports[port].own.flags & flag;
}

static void want_port(struct graph_node *node, unsigned port)
{
	node->wanted += !has_flag(node, port, PORT_WANTED);
	node->public.ports[port].own.flags |= PORT_WANTED;
}

static void want_description(struct graph_node *node)
{
	node->wanted += !node->wants_description;
	node->wants_description = true;
}

static void want_look(struct graph_node *node, unsigned port)
{
	node->to_look += !has_flag(node, port, PORT_LOOK);
	node->public.ports[port].own.flags |= PORT_LOOK;
}

void read_port(struct graph_node *node, unsigned port)
{
	want_port(node, port);
	list(node);
}

/* Of a channel adapter those ports that are reached. */
void read_node(struct graph_node *node, bool is_prompt)
{
	const bool is_switch = node->public.type == SMA_NODE_SWITCH;

	if (node->fabric->is_sweeping)
		node->swept = node->fabric->sweep;
	node->is_prompt = is_prompt;
	node->failures = 0;
	want_description(node);
	for (unsigned port = 0; port <= graph_last_port(node); port++) {
		if (is_switch || (port && node->public.ports[port].mad_peer))
			want_port(node, port);
	}
	list(node);
}

void read_stop(struct graph_node *node)
{
	for (unsigned port = 0; port <= graph_last_port(node); port++)
		node->public.ports[port].own.flags &= (uint8_t) ~(PORT_WANTED | PORT_LOOK);
	node->wants_description = false;
	node->wanted = 0;
	node->to_look = 0;
	list(node);
}

/* ---- what has come ---- */

static void follow_link(struct graph_node *node, unsigned port)
{
	const struct fabric_port *to = &node->public.ports[port];

	if (!port || !graph_passes_on(node))
		return;
	if (to->phys_state != SMA_PHYSICAL_LINK_UP) {
		look_end_port(node, port);
		graph_disconnect(node, port);
	} else if (!to->peer || to->own.confirmed != node->fabric->round) {
		want_look(node, port);
	}
}

static unsigned number(const uint8_t *info, enum sma_component component)
{
	return (unsigned)sma_component_get(info, component);
}

/* The LID of a switch is that of port 0; what its other ports have in its place is none. */
static void take_port_info(struct graph_node *node, unsigned port, const uint8_t *info)
{
	struct fabric_port *to = &node->public.ports[port];
	const struct fabric_port before = *to;

	to->state = (uint8_t)number(info, SMA_PortInfo_PortState);
	to->phys_state = (uint8_t)number(info, SMA_PortInfo_PortPhysicalState);
	if (graph_entry(node, port) == port) {
		to->has_dm = number(info, SMA_PortInfo_IsDeviceManagementSupported);
		to->sm_lid = (uint16_t)number(info, SMA_PortInfo_MasterSMLID);
		graph_set_lid(node, port, (uint16_t)number(info, SMA_PortInfo_LID),
		              (uint8_t)number(info, SMA_PortInfo_LMC));
	}
	if (to->lid != before.lid || to->has_dm != before.has_dm || to->sm_lid != before.sm_lid)
		graph_tell(node);
	follow_link(node, port);
}

static void take_description(struct graph_node *node, const uint8_t *data)
{
	char text[sizeof(node->public.description)] = "";

	memcpy(text, data, sizeof(text) - 1);
	memset(text + strlen(text), 0, sizeof(text) - strlen(text));
	if (memcmp(text, node->public.description, sizeof(text)) == 0)
		return;
	memcpy(node->public.description, text, sizeof(text));
	graph_tell(node);
}

static void want_again(const struct reading *reading, int error)
{
	struct graph_node *node = reading->node;

	if (++node->failures > FAILURES_MOST) {
		read_stop(node);
		return;
	}
	if (error == -EHOSTDOWN)
		node->pause_until = node->fabric->now + PAUSE_MS;
	if (reading->is_description)
		want_description(node);
	else
		want_port(node, reading->port);
}

static void take_answer(void *arg, const struct engine_result *result)
{
	struct reading *reading = arg;
	struct graph_node *node = reading->node;

	node->reading--;
	node->fabric->in_flight--;
	node->fabric->now = engine_now(node->fabric->engine);
	if (result->error == 0) {
		node->failures = 0;
		node->public.seen = node->fabric->now;
	}
	if (result->error && result->error != -ECANCELED)
		want_again(reading, result->error);
	else if (result->error == 0 && result->status == 0 && reading->is_description)
		take_description(node, result->data);
	else if (result->error == 0 && result->status == 0)
		take_port_info(node, reading->port, result->data);
	list(node);
	free(reading);
}

/* ---- asking ---- */

/* Through a port that is reached. */
static struct peer *peer_of(const struct graph_node *node, const struct reading *reading)
{
	struct peer *peer = reading->is_description
	                            ? NULL
	                            : node->public.ports[graph_entry(node, reading->port)].mad_peer;

	for (unsigned i = 0; !peer && i <= graph_last_port(node); i++)
		peer = node->public.ports[i].mad_peer;
	return peer;
}

static void submit(struct graph_node *node, const struct reading *what)
{
	struct fabric *fabric = node->fabric;
	struct reading *reading = malloc(sizeof(*reading));
	const struct engine_request request = {
		.method = MAD_GET,
		.attribute = sma_attr_id(what->is_description ? SMA_NodeDescription : SMA_PortInfo),
		.modifier = what->port,
		.timeout_ms = fabric->config.timeout_ms,
		.tries = fabric->config.tries,
		.priority = node->is_prompt ? ENGINE_PROMPT : ENGINE_BACKGROUND,
		.insists = true,
		.done = take_answer,
		.arg = reading};
	struct peer *peer = peer_of(node, what);
	int rc = reading && peer ? 0 : -ENOMEM;

	if (rc == 0)
		*reading = *what;
	if (rc == 0)
		rc = peer_submit(peer, &request, fabric->now, NULL);
	if (rc < 0) {
		free(reading);
		want_again(what, -EHOSTDOWN);
		return;
	}
	node->reading++;
	fabric->in_flight++;
	fabric->progress.smps++;
}

/* The next port with a flag, from the cursor on. There is one. */
static unsigned next_port(struct graph_node *node, uint8_t flag)
{
	do
		node->cursor = node->cursor < graph_last_port(node) ? node->cursor + 1 : 0;
	while (!has_flag(node, node->cursor, flag));
	return node->cursor;
}

static void read_next(struct graph_node *node)
{
	struct reading reading = {.node = node, .is_description = node->wants_description};

	node->wanted--;
	if (reading.is_description) {
		node->wants_description = false;
	} else {
		reading.port = next_port(node, PORT_WANTED);
		node->public.ports[reading.port].own.flags &= (uint8_t)~PORT_WANTED;
	}
	submit(node, &reading);
}

static void look_next(struct graph_node *node)
{
	unsigned port = next_port(node, PORT_LOOK);
	const struct fabric_port *to = &node->public.ports[port];

	node->to_look--;
	node->public.ports[port].own.flags &= (uint8_t)~PORT_LOOK;
	/* the other end may have been looked at from meanwhile */
	if (!to->peer || to->own.confirmed != node->fabric->round)
		look_begin(node->fabric, node, port);
}

/* Looks need nothing of the node itself. What is submitted to one that falls silent fails all at once. */
static bool may_go_on(const struct graph_node *node)
{
	return node->to_look || (node->reading < NODE_SMPS && node->pause_until <= node->fabric->now);
}

/* The nodes take turns, one request each. */
static void turn(struct graph_node *node)
{
	TAILQ_REMOVE(&node->fabric->work, node, work);
	TAILQ_INSERT_TAIL(&node->fabric->work, node, work);
}

uint64_t read_run(struct fabric *fabric)
{
	uint64_t due = UINT64_MAX;
	struct graph_node *node;
	unsigned idle = 0;

	while ((node = TAILQ_FIRST(&fabric->work)) && fabric->in_flight < FABRIC_SMPS &&
	       idle < fabric->count) {
		turn(node);
		if (!may_go_on(node)) {
			if (node->pause_until > fabric->now)
				due = sma_earlier(due, node->pause_until);
			idle++;
			continue;
		}
		idle = 0;
		if (node->to_look)
			look_next(node);
		else
			read_next(node);
		list(node);
	}
	return due;
}
