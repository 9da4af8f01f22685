// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/dm/unit.h"
#include "sma/soft/state.h"

bool state_is_switch(const struct soft_state *state)
{
	return state->type == SMA_NODE_SWITCH;
}

bool state_is_end_port(const struct soft_state *state, unsigned port)
{
	return state_is_switch(state) ? port == 0 : port >= 1 && port <= state->ports;
}

bool state_is_data_port(const struct soft_state *state, unsigned port)
{
	return port >= 1 && port <= state->ports;
}

static uint8_t *block_of(struct soft_state *state, unsigned port, enum sma_component component)
{
	switch (sma_component_attr(component)) {
	case SMA_NodeInfo:
		return state->node_info;
	case SMA_SwitchInfo:
		return state->switch_info;
	default:
		return state->port[port].info;
	}
}

unsigned state_get(const struct soft_state *state, unsigned port, enum sma_component component)
{
	return (unsigned)sma_component_get(block_of((struct soft_state *)state, port, component), component);
}

void state_set(struct soft_state *state, unsigned port, enum sma_component component, uint64_t value)
{
	uint8_t *block = block_of(state, port, component);
	uint64_t before = sma_component_get(block, component);

	sma_component_set(block, component, value);
	if (sma_component_get(block, component) != before)
		state->changed |= 1U << sma_component_attr(component);
}

void state_count_violation(struct soft_state *state, unsigned port, enum sma_component counter)
{
	unsigned count = state_get(state, port, counter);

	if (count < UINT16_MAX)
		state_set(state, port, counter, count + 1);
}

void state_put(struct soft_state *state, unsigned attrs, void *to, const void *from, size_t size)
{
	if (memcmp(to, from, size) == 0)
		return;
	memcpy(to, from, size);
	state->changed |= attrs;
}

void state_set_port_guid(struct soft_state *state, unsigned port, uint64_t guid)
{
	wire_put64(state->port[port].port_guid, guid);
	if (state->port[port].guids)
		wire_put64(state->port[port].guids, guid);
}

uint64_t state_port_guid(const struct soft_state *state, unsigned port)
{
	return wire_get64(state->port[state_is_switch(state) ? 0 : port].port_guid);
}

uint64_t state_trap_pace(const struct soft_state *state, unsigned port)
{
	unsigned exponent = state_get(state, port, SMA_PortInfo_SubnetTimeOut);

	return (4096ULL << exponent) / 1000000 + 1; /* 4.096 us x 2^SubnetTimeOut */
}

void state_set_guid(struct soft_state *state, uint64_t node_guid)
{
	state_set(state, 0, SMA_NodeInfo_NodeGUID, node_guid);
	for (unsigned p = 0; p <= state->ports; p++) {
		if (state_is_end_port(state, p))
			state_set_port_guid(state, p, node_guid + p);
	}
}

void state_set_unit(struct soft_state *state, struct unit *unit)
{
	state->unit = unit;
	for (unsigned port = 0; port <= state->ports; port++) {
		if (state_is_end_port(state, port))
			state_set(state, port, SMA_PortInfo_IsDeviceManagementSupported, 1);
	}
}

static void free_port(struct state_port *port)
{
	free(port->guids);
	free(port->pkeys);
	free(port->sl2vl);
}

void state_free(struct soft_state *state)
{
	if (!state)
		return;
	for (unsigned p = 0; state->port && p <= state->ports; p++)
		free_port(&state->port[p]);
	free(state->port);
	free(state->linear);
	free(state->random);
	free(state->multicast);
	free(state->diags);
	unit_free(state->unit);
	free(state);
}
