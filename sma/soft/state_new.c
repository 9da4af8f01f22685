// SPDX-License-Identifier: BSD-2-Clause
/* The power-up state of a node. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/state.h"

enum {
	MAX_VLCAP = 5,
	LID_NONE = 0xFF,            /* egress port of a LID that is discarded */
	FULL_DEFAULT_PKEY = 0xFFFF, /* power-up contents of P_Key 0 (IBA 10.9.2) */
	DOWN_DEFAULT_POLLING = 2,
	WIDTH_1X_4X = 3,
	WIDTH_4X = 2,
	SPEED_SDR_DDR_QDR = 7,
	SPEED_SDR = 1,
	MTU_4096 = 5,
	MTU_2048 = 4,
	ARBITRATION_ENTRIES = 8,
	SUBNET_TIMEOUT = 18, /* 1.07 s: the pace of traps */
	RESPONSE_TIME = 16,  /* 0.27 s */
	HOQ_LIFE_INFINITE = 20,
	MULTICAST_TOP_NONE = SMA_FIRST_MLID - 1,
};

static bool is_valid(const struct state_shape *shape)
{
	return shape->type >= SMA_NODE_CA && shape->type <= SMA_NODE_ROUTER && shape->ports >= 1 &&
	       shape->ports <= SMA_MAX_PORTS && shape->guid_cap <= UINT8_MAX && shape->pkey_cap >= 1 &&
	       shape->pkey_cap <= UINT16_MAX && shape->enforce_cap <= UINT16_MAX &&
	       shape->linear_cap <= SOFT_MAX_LIDS && shape->random_cap <= SOFT_MAX_LIDS &&
	       shape->multicast_cap <= SOFT_MAX_MLIDS && shape->vls >= 1 && shape->vls <= MAX_VLCAP;
}

/* A table of `count` entries, of which there may be none. */
static bool new_table(uint8_t **table, size_t count, size_t size)
{
	if (count)
		*table = calloc(count, size);
	return count == 0 || *table;
}

static unsigned pkeys_of(const struct soft_state *state, const struct state_shape *shape, unsigned port)
{
	return state_is_end_port(state, port) ? shape->pkey_cap : shape->enforce_cap;
}

static unsigned mappings_of(const struct soft_state *state, const struct state_shape *shape)
{
	if (shape->vls == 1)
		return 0;
	return state_is_switch(state) ? state->ports + 1 : 1;
}

static bool new_port(struct soft_state *state, const struct state_shape *shape, unsigned number)
{
	struct state_port *port = &state->port[number];
	bool is_end = state_is_end_port(state, number);

	port->pkey_count = pkeys_of(state, shape, number);
	port->sl2vl_count = mappings_of(state, shape);
	if (!new_table(&port->guids, is_end ? shape->guid_cap : 0, sizeof(uint64_t)) ||
	    !new_table(&port->pkeys, port->pkey_count, sizeof(uint16_t)) ||
	    !new_table(&port->sl2vl, port->sl2vl_count, SOFT_SL2VL_SIZE))
		return false;
	if (port->pkeys && is_end)
		wire_put16(port->pkeys, FULL_DEFAULT_PKEY);
	return true;
}

static bool new_forwarding(struct soft_state *state, const struct state_shape *shape)
{
	if (!state_is_switch(state))
		return true;
	state->positions = (state->ports + SMA_PORTS_PER_POSITION) / SMA_PORTS_PER_POSITION;
	if (!new_table(&state->linear, shape->linear_cap, 1) ||
	    !new_table(&state->random, shape->random_cap, 4) ||
	    !new_table(&state->multicast, (size_t)shape->multicast_cap * state->positions, sizeof(uint16_t)))
		return false;
	if (state->linear)
		memset(state->linear, LID_NONE, shape->linear_cap);
	return true;
}

struct preset {
	enum sma_component component;
	unsigned value;
};

static void apply(struct soft_state *state, unsigned port, const struct preset *presets, size_t count)
{
	for (size_t i = 0; i < count; i++)
		state_set(state, port, presets[i].component, presets[i].value);
}

#define APPLY(state, port, presets) apply(state, port, presets, sizeof(presets) / sizeof((presets)[0]))

/* What every port with a link has; a router and a switch's data ports limit how long a packet waits. */
static void preset_link(struct soft_state *state, const struct state_shape *shape, unsigned port)
{
	const struct preset presets[] = {
		{SMA_PortInfo_LinkWidthEnabled, WIDTH_1X_4X},
		{SMA_PortInfo_LinkWidthSupported, WIDTH_1X_4X},
		{SMA_PortInfo_LinkWidthActive, WIDTH_4X},
		{SMA_PortInfo_LinkSpeedSupported, SPEED_SDR_DDR_QDR},
		{SMA_PortInfo_LinkSpeedEnabled, SPEED_SDR_DDR_QDR},
		{SMA_PortInfo_LinkSpeedActive, SPEED_SDR},
		{SMA_PortInfo_PortState, SMA_PORT_DOWN},
		{SMA_PortInfo_PortPhysicalState, SMA_PHYSICAL_POLLING},
		{SMA_PortInfo_LinkDownDefaultState, DOWN_DEFAULT_POLLING},
		{SMA_PortInfo_NeighborMTU, MTU_4096},
		{SMA_PortInfo_MTUCap, MTU_4096},
		{SMA_PortInfo_VLCap, shape->vls},
		{SMA_PortInfo_OperationalVLs, shape->vls},
		{SMA_PortInfo_VLArbitrationHighCap, shape->vls > 1 ? ARBITRATION_ENTRIES : 0},
		{SMA_PortInfo_VLArbitrationLowCap, shape->vls > 1 ? ARBITRATION_ENTRIES : 0},
		{SMA_PortInfo_HOQLife, state->type == SMA_NODE_CA ? 0 : HOQ_LIFE_INFINITE},
	};

	APPLY(state, port, presets);
}

static void preset_end_port(struct soft_state *state, const struct state_shape *shape, unsigned port)
{
	const struct preset presets[] = {
		{SMA_PortInfo_IsNoticeSupported, 1},
		{SMA_PortInfo_IsTrapSupported, 1},
		{SMA_PortInfo_IsSLMappingSupported, shape->vls > 1},
		{SMA_PortInfo_IsSystemImageGUIDSupported, 1},
		{SMA_PortInfo_IsDRNoticeSupported, 1},
		{SMA_PortInfo_IsCapabilityMaskNoticeSupported, 1},
		{SMA_PortInfo_IsClientReregistrationSupported, 1},
		{SMA_PortInfo_GUIDCap, shape->guid_cap},
		{SMA_PortInfo_SubnetTimeOut, SUBNET_TIMEOUT},
		{SMA_PortInfo_RespTimeValue, RESPONSE_TIME},
	};

	APPLY(state, port, presets);
	sma_component_set(state->port[port].info, SMA_PortInfo_GidPrefix, 0xFE80000000000000ULL);
}

/* Base port 0 has no link; it reads as active. */
static void preset_port0(struct soft_state *state, const struct state_shape *shape)
{
	const struct preset presets[] = {
		{SMA_PortInfo_PortState, SMA_PORT_ACTIVE}, {SMA_PortInfo_NeighborMTU, MTU_2048},
		{SMA_PortInfo_MTUCap, MTU_2048},           {SMA_PortInfo_VLCap, shape->vls},
		{SMA_PortInfo_OperationalVLs, shape->vls},
	};

	APPLY(state, 0, presets);
}

static void preset_switch(struct soft_state *state, const struct state_shape *shape)
{
	const struct preset presets[] = {
		{SMA_SwitchInfo_LinearFDBCap, shape->linear_cap},
		{SMA_SwitchInfo_RandomFDBCap, shape->random_cap},
		{SMA_SwitchInfo_MulticastFDBCap, shape->multicast_cap},
		{SMA_SwitchInfo_PartitionEnforcementCap, shape->enforce_cap},
		{SMA_SwitchInfo_InboundEnforcementCap, shape->enforce_cap > 0},
		{SMA_SwitchInfo_OutboundEnforcementCap, shape->enforce_cap > 0},
		{SMA_SwitchInfo_MulticastFDBTop, MULTICAST_TOP_NONE},
		{SMA_SwitchInfo_LIDsPerPort, shape->random_cap ? 1 : 0},
	};

	APPLY(state, 0, presets);
	state_set(state, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, shape->enforce_cap > 0);
	preset_port0(state, shape);
}

static void preset_node(struct soft_state *state, const struct state_shape *shape)
{
	const struct preset presets[] = {
		{SMA_NodeInfo_BaseVersion, 1},
		{SMA_NodeInfo_ClassVersion, 1},
		{SMA_NodeInfo_NodeType, shape->type},
		{SMA_NodeInfo_NumPorts, shape->ports},
		{SMA_NodeInfo_PartitionCap, shape->pkey_cap},
	};

	APPLY(state, 0, presets);
	for (unsigned p = state_is_switch(state) ? 0 : 1; p <= state->ports; p++) {
		if (p)
			preset_link(state, shape, p);
		if (state_is_end_port(state, p))
			preset_end_port(state, shape, p);
	}
	if (state_is_switch(state))
		preset_switch(state, shape);
}

static bool new_tables(struct soft_state *state, const struct state_shape *shape)
{
	state->port = calloc(shape->ports + 1, sizeof(*state->port));
	if (!state->port || !new_forwarding(state, shape))
		return false;
	for (unsigned p = state_is_switch(state) ? 0 : 1; p <= shape->ports; p++) {
		if (!new_port(state, shape, p))
			return false;
	}
	return true;
}

int state_new(const struct state_shape *shape, struct soft_state **state_out)
{
	struct soft_state *state;

	if (!is_valid(shape))
		return -EINVAL;
	state = calloc(1, sizeof(*state));
	if (!state)
		return -ENOMEM;
	state->type = shape->type;
	state->ports = shape->ports;
	if (!new_tables(state, shape)) {
		state_free(state);
		return -ENOMEM;
	}
	preset_node(state, shape);
	*state_out = state;
	return 0;
}
