// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/store.h"

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

bool store_is_switch(const struct sma_store *store)
{
	return store->type == SMA_NODE_SWITCH;
}

bool store_is_end_port(const struct sma_store *store, unsigned port)
{
	return store_is_switch(store) ? port == 0 : port >= 1 && port <= store->ports;
}

static uint8_t *block_of(struct sma_store *store, unsigned port, enum sma_component component)
{
	switch (sma_component_attr(component)) {
	case SMA_NodeInfo:
		return store->node_info;
	case SMA_SwitchInfo:
		return store->switch_info;
	default:
		return store->port[port].info;
	}
}

unsigned store_get(const struct sma_store *store, unsigned port, enum sma_component component)
{
	return (unsigned)sma_component_get(block_of((struct sma_store *)store, port, component), component);
}

void store_set(struct sma_store *store, unsigned port, enum sma_component component, uint64_t value)
{
	uint8_t *block = block_of(store, port, component);
	uint64_t before = sma_component_get(block, component);

	sma_component_set(block, component, value);
	if (sma_component_get(block, component) != before)
		store->changed |= 1U << sma_component_attr(component);
}

void store_put(struct sma_store *store, unsigned attrs, void *to, const void *from, size_t size)
{
	if (memcmp(to, from, size) == 0)
		return;
	memcpy(to, from, size);
	store->changed |= attrs;
}

void store_set_port_guid(struct sma_store *store, unsigned port, uint64_t guid)
{
	wire_put64(store->port[port].port_guid, guid);
	if (store->port[port].guids)
		wire_put64(store->port[port].guids, guid);
}

uint64_t store_port_guid(const struct sma_store *store, unsigned port)
{
	return wire_get64(store->port[store_is_switch(store) ? 0 : port].port_guid);
}

void store_set_guid(struct sma_store *store, uint64_t node_guid)
{
	store_set(store, 0, SMA_NodeInfo_NodeGUID, node_guid);
	for (unsigned p = 0; p <= store->ports; p++) {
		if (store_is_end_port(store, p))
			store_set_port_guid(store, p, node_guid + p);
	}
}

/* ---- a new store ---- */

static bool is_valid(const struct store_shape *shape)
{
	return shape->type >= SMA_NODE_CA && shape->type <= SMA_NODE_ROUTER && shape->ports >= 1 &&
	       shape->ports <= SMA_MAX_PORTS && shape->guid_cap <= UINT8_MAX && shape->pkey_cap >= 1 &&
	       shape->pkey_cap <= UINT16_MAX && shape->enforce_cap <= UINT16_MAX &&
	       shape->linear_cap <= STORE_MAX_LIDS && shape->random_cap <= STORE_MAX_LIDS &&
	       shape->multicast_cap <= STORE_MAX_MLIDS && shape->vls >= 1 && shape->vls <= MAX_VLCAP;
}

/* A table of `count` entries, of which there may be none. */
static bool new_table(uint8_t **table, size_t count, size_t size)
{
	if (count)
		*table = calloc(count, size);
	return count == 0 || *table;
}

static unsigned pkeys_of(const struct sma_store *store, const struct store_shape *shape, unsigned port)
{
	return store_is_end_port(store, port) ? shape->pkey_cap : shape->enforce_cap;
}

static unsigned mappings_of(const struct sma_store *store, const struct store_shape *shape)
{
	if (shape->vls == 1)
		return 0;
	return store_is_switch(store) ? store->ports + 1 : 1;
}

static bool new_port(struct sma_store *store, const struct store_shape *shape, unsigned number)
{
	struct store_port *port = &store->port[number];
	bool is_end = store_is_end_port(store, number);

	port->pkey_count = pkeys_of(store, shape, number);
	port->sl2vl_count = mappings_of(store, shape);
	if (!new_table(&port->guids, is_end ? shape->guid_cap : 0, sizeof(uint64_t)) ||
	    !new_table(&port->pkeys, port->pkey_count, sizeof(uint16_t)) ||
	    !new_table(&port->sl2vl, port->sl2vl_count, STORE_SL2VL_SIZE))
		return false;
	if (port->pkeys && is_end)
		wire_put16(port->pkeys, FULL_DEFAULT_PKEY);
	return true;
}

static bool new_forwarding(struct sma_store *store, const struct store_shape *shape)
{
	if (!store_is_switch(store))
		return true;
	store->positions = (store->ports + SMA_PORTS_PER_POSITION) / SMA_PORTS_PER_POSITION;
	if (!new_table(&store->linear, shape->linear_cap, 1) ||
	    !new_table(&store->random, shape->random_cap, 4) ||
	    !new_table(&store->multicast, (size_t)shape->multicast_cap * store->positions, sizeof(uint16_t)))
		return false;
	if (store->linear)
		memset(store->linear, LID_NONE, shape->linear_cap);
	return true;
}

struct preset {
	enum sma_component component;
	unsigned value;
};

static void apply(struct sma_store *store, unsigned port, const struct preset *presets, size_t count)
{
	for (size_t i = 0; i < count; i++)
		store_set(store, port, presets[i].component, presets[i].value);
}

#define APPLY(store, port, presets) apply(store, port, presets, sizeof(presets) / sizeof((presets)[0]))

/* What every port with a link has; a router and a switch's data ports limit how long a packet waits. */
static void preset_link(struct sma_store *store, const struct store_shape *shape, unsigned port)
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
		{SMA_PortInfo_HOQLife, store->type == SMA_NODE_CA ? 0 : HOQ_LIFE_INFINITE},
	};

	APPLY(store, port, presets);
}

static void preset_end_port(struct sma_store *store, const struct store_shape *shape, unsigned port)
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

	APPLY(store, port, presets);
	sma_component_set(store->port[port].info, SMA_PortInfo_GidPrefix, 0xFE80000000000000ULL);
}

/* Base port 0 has no link; it reads as active. */
static void preset_port0(struct sma_store *store, const struct store_shape *shape)
{
	const struct preset presets[] = {
		{SMA_PortInfo_PortState, SMA_PORT_ACTIVE}, {SMA_PortInfo_NeighborMTU, MTU_2048},
		{SMA_PortInfo_MTUCap, MTU_2048},           {SMA_PortInfo_VLCap, shape->vls},
		{SMA_PortInfo_OperationalVLs, shape->vls},
	};

	APPLY(store, 0, presets);
}

static void preset_switch(struct sma_store *store, const struct store_shape *shape)
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

	APPLY(store, 0, presets);
	store_set(store, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, shape->enforce_cap > 0);
	preset_port0(store, shape);
}

static void preset_node(struct sma_store *store, const struct store_shape *shape)
{
	const struct preset presets[] = {
		{SMA_NodeInfo_BaseVersion, 1},
		{SMA_NodeInfo_ClassVersion, 1},
		{SMA_NodeInfo_NodeType, shape->type},
		{SMA_NodeInfo_NumPorts, shape->ports},
		{SMA_NodeInfo_PartitionCap, shape->pkey_cap},
	};

	APPLY(store, 0, presets);
	for (unsigned p = store_is_switch(store) ? 0 : 1; p <= store->ports; p++) {
		if (p)
			preset_link(store, shape, p);
		if (store_is_end_port(store, p))
			preset_end_port(store, shape, p);
	}
	if (store_is_switch(store))
		preset_switch(store, shape);
}

static bool new_tables(struct sma_store *store, const struct store_shape *shape)
{
	store->port = calloc(shape->ports + 1, sizeof(*store->port));
	if (!store->port || !new_forwarding(store, shape))
		return false;
	for (unsigned p = store_is_switch(store) ? 0 : 1; p <= shape->ports; p++) {
		if (!new_port(store, shape, p))
			return false;
	}
	return true;
}

int store_new(const struct store_shape *shape, struct sma_store **store_out)
{
	struct sma_store *store;

	if (!is_valid(shape))
		return -EINVAL;
	store = calloc(1, sizeof(*store));
	if (!store)
		return -ENOMEM;
	store->type = shape->type;
	store->ports = shape->ports;
	if (!new_tables(store, shape)) {
		store_free(store);
		return -ENOMEM;
	}
	preset_node(store, shape);
	*store_out = store;
	return 0;
}

static void free_port(struct store_port *port)
{
	free(port->guids);
	free(port->pkeys);
	free(port->sl2vl);
}

void store_free(struct sma_store *store)
{
	if (!store)
		return;
	for (unsigned p = 0; store->port && p <= store->ports; p++)
		free_port(&store->port[p]);
	free(store->port);
	free(store->linear);
	free(store->random);
	free(store->multicast);
	free(store->diags);
	free(store);
}
