// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "sma/iba/iba.h"
#include "sma/notice/local_port.h"

enum {
	GIVE_UP_MS = 5 * 1000, /* a reading that takes longer is given up */
	BLOCKS = 2,            /* PortInfo and NodeInfo */
	PREFIX_SIZE = 8,       /* of a GID */
	WANT_MS = 1000,        /* from one reading to the next, where one is wanted */
	FORMER_MS = 30 * 1000,
	FORMER_KEPT = 8,
};

/* LIDs that the port had. */
struct former {
	uint16_t lid; /* 0: none */
	unsigned lmc;
	uint64_t until; /* they are its own */
};

struct local_port_reader {
	struct sma_node *node;
	unsigned interval_ms;
	struct local_port local;
	struct former former[FORMER_KEPT]; /* a ring */
	unsigned last_former;
	bool reading;
	bool hurry;     /* a reading has to begin at once */
	bool wanted;    /* likewise, soon */
	uint64_t since; /* the begin of the reading, or of the last one */
	uint64_t next;  /* when the next one begins */
	bool ended;     /* a reading has */
	uint64_t as_of; /* its begin */
};

struct local_port_reader *local_port_new(struct sma_node *node, unsigned interval_ms)
{
	struct local_port_reader *reader = calloc(1, sizeof(*reader));

	if (reader)
		*reader = (struct local_port_reader){.node = node, .interval_ms = interval_ms};
	return reader;
}

void local_port_free(struct local_port_reader *reader)
{
	free(reader);
}

static unsigned get(const uint8_t *block, enum sma_component component)
{
	return (unsigned)sma_component_get(block, component);
}

uint16_t local_port_lid(uint64_t value)
{
	return value <= MAD_LAST_LID ? (uint16_t)value : 0;
}

static uint16_t get_lid(const uint8_t *block, enum sma_component component)
{
	return local_port_lid(sma_component_get(block, component));
}

static bool is_active(const struct sma_node *node, const uint8_t *port_info)
{
	unsigned state = get(port_info, SMA_PortInfo_PortState);

	return state == SMA_PORT_ACTIVE || (state == SMA_PORT_NO_CHANGE && sma_is_switch(node));
}

/* Traps that the port sent until now are under way with the LIDs that it had. */
static void keep_former(struct local_port_reader *reader, const struct local_port *before, uint64_t now)
{
	const struct local_port *local = &reader->local;

	if (local->lid == before->lid && local->lmc == before->lmc)
		return;
	reader->last_former = (reader->last_former + 1) % FORMER_KEPT;
	reader->former[reader->last_former] =
		(struct former){.lid = before->lid, .lmc = before->lmc, .until = now + FORMER_MS};
}

static void take(struct local_port_reader *reader, const uint8_t *port_info, const uint8_t *node_info,
                 uint64_t now)
{
	struct local_port *local = &reader->local;
	const struct local_port before = *local;

	*local = (struct local_port){
		.known = true,
		.active = is_active(reader->node, port_info),
		.lid = get_lid(port_info, SMA_PortInfo_LID),
		.lmc = get(port_info, SMA_PortInfo_LMC),
		.sm_lid = get_lid(port_info, SMA_PortInfo_MasterSMLID),
		.sm_sl = get(port_info, SMA_PortInfo_MasterSMSL),
		.type = get(node_info, SMA_NodeInfo_NodeType),
	};
	wire_put64(local->gid, sma_component_get(port_info, SMA_PortInfo_GidPrefix));
	wire_put64(local->gid + PREFIX_SIZE, sma_component_get(node_info, SMA_NodeInfo_PortGUID));
	keep_former(reader, &before, now);
}

/* False: a block has to be waited for. */
static bool read_blocks(struct local_port_reader *reader, uint64_t now)
{
	struct sma_key port_key = sma_key_port(sma_node_id(reader->node), 0);
	struct sma_key node_key = sma_key_node(sma_node_id(reader->node), SMA_NodeInfo);
	struct sma_reader blocks = {.node = reader->node,
	                            .now = now,
	                            .since = reader->since,
	                            .force_refresh = true,
	                            .unsolicited = true,
	                            .patience = SMA_FRESH,
	                            .budget = BLOCKS};
	const uint8_t *port_info;
	const uint8_t *node_info;
	int port_rc = sma_read_block(&blocks, &port_key, &port_info);
	int node_rc;

	/* nothing that is taken of it changes while the node runs */
	blocks.patience = SMA_STALE;
	node_rc = sma_read_block(&blocks, &node_key, &node_info);
	if (port_rc == 0 && node_rc == 0)
		take(reader, port_info, node_info, now);
	return !blocks.missed;
}

static void begin(struct local_port_reader *reader, uint64_t now)
{
	reader->reading = true;
	reader->hurry = false;
	reader->wanted = false;
	reader->since = now;
}

static void end(struct local_port_reader *reader, uint64_t now)
{
	reader->reading = false;
	reader->next = reader->hurry ? now : now + reader->interval_ms;
	reader->ended = true;
	reader->as_of = reader->since;
}

static uint64_t next_begin(const struct local_port_reader *reader)
{
	uint64_t wanted = reader->wanted ? reader->since + WANT_MS : UINT64_MAX;

	return wanted < reader->next ? wanted : reader->next;
}

uint64_t local_port_run(struct local_port_reader *reader, uint64_t now)
{
	if (!reader->reading && now < next_begin(reader))
		return next_begin(reader);
	if (!reader->reading)
		begin(reader, now);
	if (!read_blocks(reader, now) && now < reader->since + GIVE_UP_MS)
		return reader->since + GIVE_UP_MS;
	end(reader, now);
	return next_begin(reader);
}

void local_port_refresh_now(struct local_port_reader *reader)
{
	reader->hurry = true;
	reader->next = 0;
}

const struct local_port *local_port_get(const struct local_port_reader *reader)
{
	return &reader->local;
}

void local_port_refresh_soon(struct local_port_reader *reader, uint64_t when)
{
	if (!local_port_is_current(reader, when) && !(reader->reading && reader->since >= when))
		reader->wanted = true;
}

bool local_port_is_current(const struct local_port_reader *reader, uint64_t when)
{
	return reader->ended && reader->as_of >= when;
}

static bool is_within(uint16_t lid, uint16_t base, unsigned lmc)
{
	return base && lid >= base && lid - base < 1 << lmc;
}

bool local_port_has_lid(const struct local_port_reader *reader, uint16_t lid, uint64_t now)
{
	if (is_within(lid, reader->local.lid, reader->local.lmc))
		return true;
	for (unsigned i = 0; i < FORMER_KEPT; i++) {
		const struct former *former = &reader->former[i];

		if (now < former->until && is_within(lid, former->lid, former->lmc))
			return true;
	}
	return false;
}
