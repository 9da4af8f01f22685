// SPDX-License-Identifier: BSD-2-Clause
/* What the tokens of node files do to the state. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/file/nodefile_parts.h"

enum {
	RANDOM_SIZE = 4, /* bytes of an entry */
	RANDOM_VALID = 0x80,
};

/* Move to the first port from `*port` on that argument `i` names; false: there is none. */
static bool find_port(const struct nodefile *file, unsigned i, unsigned *port)
{
	while (*port <= file->state->ports && !file->statement.value[i].ports[*port])
		++*port;
	return *port <= file->state->ports;
}

/* ---- sizes ---- */

int nodefile_set_size(struct nodefile *file)
{
	unsigned *line = &file->size_line[file->token->what];

	if (*line)
		return line_fail(&file->statement.line, NULL, "expected once only, and it stands in line %u",
		                 *line);
	*line = file->statement.line.number;
	file->size[file->token->what] = nodefile_number(file, 0);
	return 0;
}

/* NodeType counts from 1. */
int nodefile_set_type(struct nodefile *file)
{
	file->statement.value[0].first++;
	return nodefile_set_size(file);
}

/* ---- the node ---- */

int nodefile_set_node(struct nodefile *file)
{
	state_set(file->state, 0, (enum sma_component)file->token->what, nodefile_number(file, 0));
	return 0;
}

int nodefile_set_node_component(struct nodefile *file)
{
	state_set(file->state, 0, (enum sma_component)nodefile_number(file, 0), nodefile_number(file, 1));
	return 0;
}

int nodefile_set_description(struct nodefile *file)
{
	uint8_t *description = file->state->description;

	memset(description, 0, SMA_BLOCK_SIZE);
	memcpy(description, file->statement.value[0].text, file->statement.value[0].size);
	return 0;
}

int nodefile_set_vendor_range(struct nodefile *file)
{
	file->state->vendor_range = nodefile_number(file, 0);
	return 0;
}

static struct state_diag *diag_at(struct soft_state *state, uint16_t index)
{
	struct state_diag *diags;

	for (unsigned i = 0; i < state->diag_count; i++) {
		if (state->diags[i].index == index)
			return &state->diags[i];
	}
	diags = reallocarray(state->diags, state->diag_count + 1, sizeof(*diags));
	if (!diags)
		return NULL;
	state->diags = diags;
	return &diags[state->diag_count++];
}

int nodefile_set_diag(struct nodefile *file)
{
	const struct value *data = &file->statement.value[2];
	struct state_diag *diag = diag_at(file->state, (uint16_t)nodefile_number(file, 0));

	if (!diag) {
		line_fail(&file->statement.line, NULL, "%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	*diag = (struct state_diag){.index = (uint16_t)nodefile_number(file, 0)};
	sma_component_set(diag->block, SMA_VendorDiag_NextIndex, nodefile_number(file, 1));
	memcpy(diag->block + SMA_BLOCK_SIZE - SMA_DIAG_DATA_SIZE, data->bytes, data->size);
	return 0;
}

/* ---- ports ---- */

/* NeighborMTU is MTUCap at power-up. */
int nodefile_set_port_component(struct nodefile *file)
{
	enum sma_component component = (enum sma_component)nodefile_number(file, 1);

	for (unsigned port = 0; find_port(file, 0, &port); port++) {
		state_set(file->state, port, component, nodefile_number(file, 2));
		if (component == SMA_PortInfo_MTUCap)
			state_set(file->state, port, SMA_PortInfo_NeighborMTU, nodefile_number(file, 2));
	}
	return 0;
}

int nodefile_set_port_guid(struct nodefile *file)
{
	state_set_port_guid(file->state, (unsigned)nodefile_number(file, 0), nodefile_number(file, 1));
	return 0;
}

int nodefile_set_link(struct nodefile *file)
{
	bool up = nodefile_number(file, 1);

	for (unsigned port = 0; find_port(file, 0, &port); port++) {
		file->state->port[port].link = up;
		state_set(file->state, port, SMA_PortInfo_PortState,
		          up ? SMA_PORT_INITIALIZE : SMA_PORT_DOWN);
		state_set(file->state, port, SMA_PortInfo_PortPhysicalState,
		          up ? SMA_PHYSICAL_LINK_UP : SMA_PHYSICAL_POLLING);
	}
	return 0;
}

int nodefile_set_m_key(struct nodefile *file)
{
	for (unsigned port = 0; find_port(file, 0, &port); port++) {
		state_set(file->state, port, SMA_PortInfo_M_Key, nodefile_number(file, 1));
		state_set(file->state, port, SMA_PortInfo_M_KeyProtectBits, nodefile_number(file, 2));
		state_set(file->state, port, SMA_PortInfo_M_KeyLeasePeriod, nodefile_number(file, 3));
	}
	return 0;
}

int nodefile_set_lid(struct nodefile *file)
{
	unsigned port = (unsigned)nodefile_number(file, 0);

	state_set(file->state, port, SMA_PortInfo_LID, nodefile_number(file, 1));
	if (file->statement.value_count > 2)
		state_set(file->state, port, SMA_PortInfo_MasterSMLID, nodefile_number(file, 2));
	return 0;
}

int nodefile_set_gid_prefix(struct nodefile *file)
{
	for (unsigned port = 0; find_port(file, 0, &port); port++)
		state_set(file->state, port, SMA_PortInfo_GidPrefix, nodefile_number(file, 1));
	return 0;
}

int nodefile_set_led(struct nodefile *file)
{
	for (unsigned port = 0; find_port(file, 0, &port); port++)
		file->state->port[port].led = nodefile_number(file, 1) ? SOFT_LED_ON : 0;
	return 0;
}

int nodefile_set_extended(struct nodefile *file)
{
	for (unsigned port = 0; find_port(file, 0, &port); port++)
		memcpy(file->state->port[port].extended, file->statement.value[1].bytes, SMA_BLOCK_SIZE);
	return 0;
}

/* ---- tables of ports ---- */

/* Two entries with the same GUID would be of no use: a range counts up. */
int nodefile_set_guid(struct nodefile *file)
{
	const struct value *range = &file->statement.value[1];
	uint8_t *guids = file->state->port[nodefile_number(file, 0)].guids;

	for (uint64_t i = range->first; i <= range->last; i++)
		wire_put64(guids + i * 8, nodefile_number(file, 2) + (i - range->first));
	return 0;
}

int nodefile_set_pkey(struct nodefile *file)
{
	const struct value *range = &file->statement.value[1];

	for (unsigned port = 0; find_port(file, 0, &port); port++) {
		for (uint64_t i = range->first; i <= range->last; i++)
			wire_put16(file->state->port[port].pkeys + i * 2, (uint16_t)nodefile_number(file, 2));
	}
	return 0;
}

int nodefile_set_sl2vl(struct nodefile *file)
{
	const uint8_t *vls = file->statement.value[2].bytes;
	uint8_t mapping[SOFT_SL2VL_SIZE];

	for (size_t i = 0; i < SOFT_SL2VL_SIZE; i++)
		mapping[i] = (uint8_t)(vls[2 * i] << 4 | vls[2 * i + 1]);
	for (unsigned out = 0; find_port(file, 0, &out); out++) {
		for (unsigned in = 0; find_port(file, 1, &in); in++)
			memcpy(file->state->port[out].sl2vl + (size_t)in * sizeof(mapping), mapping,
			       sizeof(mapping));
	}
	return 0;
}

static void put_arbitration(uint8_t *pair, uint64_t vl, uint64_t weight)
{
	pair[0] = (uint8_t)vl;
	pair[1] = (uint8_t)weight;
}

int nodefile_set_arbitration(struct nodefile *file)
{
	const struct value *range = &file->statement.value[2];
	unsigned half = nodefile_number(file, 1) ? SOFT_VLARB_HALVES / 2 : 0;

	for (unsigned port = 0; find_port(file, 0, &port); port++) {
		for (uint64_t i = range->first; i <= range->last; i++)
			put_arbitration(file->state->port[port].vlarb[half + i / SMA_VLARB_PER_BLOCK] +
			                        i % SMA_VLARB_PER_BLOCK * 2,
			                nodefile_number(file, 3), nodefile_number(file, 4));
	}
	return 0;
}

/* ---- forwarding ---- */

/* An entry beyond the top would not be used, so entries raise it. */
static void raise_top(struct soft_state *state, enum sma_component top, uint64_t last)
{
	if (state_get(state, 0, top) < last)
		state_set(state, 0, top, last);
}

int nodefile_set_linear(struct nodefile *file)
{
	const struct value *lids = &file->statement.value[0];

	memset(file->state->linear + lids->first, (int)nodefile_number(file, 1),
	       lids->last - lids->first + 1);
	if (nodefile_number(file, 1) != PORT_NONE)
		raise_top(file->state, SMA_SwitchInfo_LinearFDBTop, lids->last);
	return 0;
}

int nodefile_set_random(struct nodefile *file)
{
	uint8_t *entry = file->state->random + nodefile_number(file, 0) * RANDOM_SIZE;
	bool invalid = nodefile_number(file, 4);

	wire_put16(entry, (uint16_t)nodefile_number(file, 1));
	entry[2] = (uint8_t)((invalid ? 0 : RANDOM_VALID) | nodefile_number(file, 2) << 4);
	entry[3] = (uint8_t)nodefile_number(file, 3);
	return 0;
}

static bool set_masks(struct nodefile *file, uint64_t entry)
{
	struct soft_state *state = file->state;
	size_t count = state_get(state, 0, SMA_SwitchInfo_MulticastFDBCap);
	bool any = false;

	for (size_t position = 0; position < state->positions; position++) {
		unsigned first = (unsigned)position * SMA_PORTS_PER_POSITION;
		uint16_t mask = 0;

		for (unsigned i = 0; i < SMA_PORTS_PER_POSITION && first + i <= state->ports; i++)
			mask |= (uint16_t)(file->statement.value[1].ports[first + i] << i);
		wire_put16(state->multicast + (position * count + entry) * 2, mask);
		any = any || mask;
	}
	return any;
}

int nodefile_set_multicast(struct nodefile *file)
{
	const struct value *mlids = &file->statement.value[0];
	bool any = false;

	for (uint64_t mlid = mlids->first; mlid <= mlids->last; mlid++)
		any = set_masks(file, mlid - SMA_FIRST_MLID);
	if (any)
		raise_top(file->state, SMA_SwitchInfo_MulticastFDBTop, mlids->last);
	return 0;
}
