// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "sma/facts.h"
#include "sma/wire.h"

enum {
	GIVE_UP_MS = 5 * 1000, /* a reading that takes longer is given up */
	BLOCKS = 2,            /* PortInfo and NodeInfo */
	STATE_NONE = 0,        /* what a base port 0 answers, as it has no PortState */
	STATE_ACTIVE = 4,
	PREFIX_SIZE = 8, /* of a GID */
};

struct facts_reader {
	struct sma_node *node;
	unsigned interval_ms;
	struct facts facts;
	bool reading;
	bool hurry;     /* a reading has to begin */
	uint64_t since; /* the reading's begin */
	uint64_t next;  /* when the next one begins */
};

struct facts_reader *facts_new(struct sma_node *node, unsigned interval_ms)
{
	struct facts_reader *reader = calloc(1, sizeof(*reader));

	if (reader)
		*reader = (struct facts_reader){.node = node, .interval_ms = interval_ms};
	return reader;
}

void facts_free(struct facts_reader *reader)
{
	free(reader);
}

static unsigned get(const uint8_t *block, enum sma_component component)
{
	return (unsigned)sma_component_get(block, component);
}

/* A port without LID says 0, a virtual function also 0xFFFF. */
static uint16_t get_lid(const uint8_t *block, enum sma_component component)
{
	unsigned lid = get(block, component);

	return lid <= SMA_LAST_UNICAST_LID ? (uint16_t)lid : 0;
}

static bool is_active(const struct sma_node *node, const uint8_t *port_info)
{
	unsigned state = get(port_info, SMA_PortInfo_PortState);

	return state == STATE_ACTIVE || (state == STATE_NONE && sma_is_switch(node));
}

static void take(struct facts_reader *reader, const uint8_t *port_info, const uint8_t *node_info)
{
	struct facts *facts = &reader->facts;

	*facts = (struct facts){
		.known = true,
		.active = is_active(reader->node, port_info),
		.lid = get_lid(port_info, SMA_PortInfo_LID),
		.lmc = get(port_info, SMA_PortInfo_LMC),
		.sm_lid = get_lid(port_info, SMA_PortInfo_MasterSMLID),
		.sm_sl = get(port_info, SMA_PortInfo_MasterSMSL),
		.type = get(node_info, SMA_NodeInfo_NodeType),
	};
	wire_put64(facts->gid, sma_component_get(port_info, SMA_PortInfo_GidPrefix));
	wire_put64(facts->gid + PREFIX_SIZE, sma_component_get(node_info, SMA_NodeInfo_PortGUID));
}

/* False: a block has to be waited for. */
static bool read_blocks(struct facts_reader *reader, uint64_t now)
{
	struct sma_key port_key = sma_key_port(reader->node, 0);
	struct sma_key node_key = sma_key_node(reader->node, SMA_NodeInfo);
	struct sma_reader blocks = {.node = reader->node,
	                            .now = now,
	                            .since = reader->since,
	                            .anew = true,
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
		take(reader, port_info, node_info);
	return !blocks.missed;
}

static void begin(struct facts_reader *reader, uint64_t now)
{
	reader->reading = true;
	reader->hurry = false;
	reader->since = now;
}

static void end(struct facts_reader *reader, uint64_t now)
{
	reader->reading = false;
	reader->next = reader->hurry ? now : now + reader->interval_ms;
}

uint64_t facts_run(struct facts_reader *reader, uint64_t now)
{
	if (!reader->reading && now < reader->next)
		return reader->next;
	if (!reader->reading)
		begin(reader, now);
	if (!read_blocks(reader, now) && now < reader->since + GIVE_UP_MS)
		return reader->since + GIVE_UP_MS;
	end(reader, now);
	return reader->next;
}

void facts_hurry(struct facts_reader *reader)
{
	reader->hurry = true;
	reader->next = 0;
}

const struct facts *facts_get(const struct facts_reader *reader)
{
	return &reader->facts;
}

bool facts_is_own_lid(const struct facts *facts, uint16_t lid)
{
	return facts->lid && lid >= facts->lid && lid - facts->lid < 1 << facts->lmc;
}
