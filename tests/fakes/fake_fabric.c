// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fakes/fake_fabric.h"

enum { NODE_DESCRIPTION = 0x10, NODE_INFO = 0x11, PORT_INFO = 0x15, POLLING = 2, LINK_UP = 5 };

/* ---- nodes ---- */

int fake_fabric_add(struct fake_fabric *fabric, unsigned type, unsigned ports)
{
	struct fake_node *node = &fabric->nodes[fabric->count];

	node->guid = 0x1000 + fabric->count;
	node->type = type;
	node->ports = ports;
	snprintf(node->description, sizeof(node->description), "node %u", fabric->count);
	for (unsigned i = 0; i <= ports; i++) {
		node->links[i].node = -1;
		node->lids[i] = (uint16_t)(type == SMA_NODE_SWITCH ? fabric->count + 1
		                                                   : 2000 + 4 * fabric->count + i);
	}
	return (int)fabric->count++;
}

void fake_fabric_unlink(struct fake_fabric *fabric, int node, unsigned port)
{
	struct fake_link *link = &fabric->nodes[node].links[port];

	if (link->node < 0)
		return;
	fabric->nodes[link->node].links[link->port].node = -1;
	link->node = -1;
}

void fake_fabric_link(struct fake_fabric *fabric, int a, unsigned a_port, int b, unsigned b_port)
{
	fake_fabric_unlink(fabric, a, a_port);
	fake_fabric_unlink(fabric, b, b_port);
	fabric->nodes[a].links[a_port] = (struct fake_link){b, b_port};
	fabric->nodes[b].links[b_port] = (struct fake_link){a, a_port};
}

/* ---- what they answer ---- */

static void describe_node(const struct fake_node *node, unsigned port, uint8_t *data)
{
	const bool is_switch = node->type == SMA_NODE_SWITCH;

	sma_component_set(data, SMA_NodeInfo_NodeType, node->type);
	sma_component_set(data, SMA_NodeInfo_NumPorts, node->ports);
	sma_component_set(data, SMA_NodeInfo_NodeGUID, node->guid);
	sma_component_set(data, SMA_NodeInfo_SystemImageGUID, node->guid);
	sma_component_set(data, SMA_NodeInfo_PortGUID, node->guid + (is_switch ? 0 : port << 16));
	sma_component_set(data, SMA_NodeInfo_LocalPortNum, port);
}

static void describe_port(const struct fake_node *node, unsigned port, uint8_t *data)
{
	const bool is_up = node->links[port].node >= 0;

	sma_component_set(data, SMA_PortInfo_PortState, is_up ? SMA_PORT_ACTIVE : SMA_PORT_DOWN);
	sma_component_set(data, SMA_PortInfo_PortPhysicalState, is_up ? LINK_UP : POLLING);
	if (node->type != SMA_NODE_SWITCH || port == 0)
		sma_component_set(data, SMA_PortInfo_LID, node->lids[port]);
	sma_component_set(data, SMA_PortInfo_MasterSMLID, 1);
}

static bool describe(const struct fake_node *node, unsigned entry, const struct mad_head *head, uint8_t *data)
{
	memset(data, 0, SMA_BLOCK_SIZE);
	switch (head->attribute) {
	case NODE_INFO:
		describe_node(node, entry, data);
		return true;
	case NODE_DESCRIPTION:
		memcpy(data, node->description, sizeof(node->description));
		return true;
	case PORT_INFO:
		describe_port(node, head->modifier <= node->ports ? head->modifier : 0, data);
		return true;
	default:
		return false;
	}
}

/* ---- the way ---- */

/* The node at the end of a route, and the port by which it is entered. NULL: there is none. */
static struct fake_node *follow(const struct fake_fabric *fabric, const uint8_t *mad, unsigned *entry)
{
	const unsigned hops = mad[SMP_AT_HOP_COUNT];
	struct fake_node *node = &fabric->nodes[0];

	*entry = fabric->local_port;
	for (unsigned i = 1; i <= hops; i++) {
		unsigned port = mad[SMP_AT_INITIAL_PATH + i];
		const struct fake_link *link = &node->links[port];

		if ((i > 1 && node->type != SMA_NODE_SWITCH) || port == 0 || port > node->ports ||
		    link->node < 0)
			return NULL;
		node = &fabric->nodes[link->node];
		*entry = link->port;
	}
	return node;
}

static struct fake_node *find_lid(const struct fake_fabric *fabric, uint16_t lid, unsigned *entry)
{
	for (unsigned i = 0; i < fabric->count; i++) {
		for (*entry = 0; *entry <= fabric->nodes[i].ports; ++*entry) {
			if (fabric->nodes[i].lids[*entry] == lid)
				return &fabric->nodes[i];
		}
	}
	return NULL;
}

static bool is_lost(struct fake_fabric *fabric)
{
	return (unsigned)rand_r(&fabric->seed) % 100 < fabric->lost_percent;
}

static struct fake_fabric *current;

static void answer(const struct fake_sent *sent)
{
	struct fake_fabric *fabric = current;
	struct mail mail = fake_transport_answer(sent, 0);
	struct mad_head head;
	struct fake_node *node;
	unsigned entry;

	fabric->sent++;
	mad_read_head(sent->packet.mad, MAD_SIZE, &head);
	node = head.class == MAD_CLASS_SM_DIRECTED ? follow(fabric, sent->packet.mad, &entry)
	                                           : find_lid(fabric, sent->packet.lid, &entry);
	if (!node || node->is_dead || is_lost(fabric))
		return;
	node->asked++;
	if (describe(node, entry, &head, mail.mad + SMP_AT_DATA))
		fake_transport_post(&fabric->base, &mail);
}

/* ---- life ---- */

void fake_fabric_open(struct fake_fabric *fabric, struct engine *engine)
{
	*fabric = (struct fake_fabric){.seed = 1, .local_port = 1};
	fabric->nodes = calloc(FAKE_FABRIC_NODES, sizeof(*fabric->nodes));
	fake_transport_attach(&fabric->base, engine);
	fabric->base.on_send = answer;
	current = fabric;
}

void fake_fabric_close(struct fake_fabric *fabric)
{
	free(fabric->nodes);
	current = NULL;
}
