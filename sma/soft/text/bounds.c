// SPDX-License-Identifier: BSD-2-Clause
/* What arguments may be, where that depends on the node. */
#include <limits.h>

#include "sma/soft/dm/unit.h"
#include "sma/soft/text/bounds.h"

enum { MULTICAST_TOP_NONE = SMA_FIRST_MLID - 1 /* MulticastFDBTop while no multicast LID is in use */ };

static struct bounds entries(uint64_t first, uint64_t count)
{
	return count ? (struct bounds){first, first + count - 1} : (struct bounds){1, 0};
}

struct bounds bounds_end_ports(const struct statement *statement)
{
	return state_is_switch(statement->state) ? (struct bounds){0, 0}
	                                         : (struct bounds){1, statement->state->ports};
}

struct bounds bounds_data_ports(const struct statement *statement)
{
	return (struct bounds){1, statement->state->ports};
}

struct bounds bounds_ports(const struct statement *statement)
{
	return (struct bounds){state_is_switch(statement->state) ? 0 : 1, statement->state->ports};
}

/* A port of a CA or router has one mapping, whatever comes in. */
struct bounds bounds_input_ports(const struct statement *statement)
{
	return (struct bounds){0, state_is_switch(statement->state) ? statement->state->ports : 0};
}

struct bounds bounds_guids(const struct statement *statement)
{
	/* the first is the port's own */
	return entries(
		1,
		state_get(statement->state, (unsigned)statement->value[0].first, SMA_PortInfo_GUIDCap) - 1);
}

/* The least of what `count_of` gives for the ports named first on the line. */
static unsigned least_of_ports(const struct statement *statement,
                               unsigned (*count_of)(const struct statement *statement, unsigned port))
{
	unsigned least = UINT_MAX;

	for (unsigned p = 0; p <= statement->state->ports; p++) {
		unsigned count = statement->value[0].ports[p] ? count_of(statement, p) : least;

		least = count < least ? count : least;
	}
	return least;
}

static unsigned pkeys_of(const struct statement *statement, unsigned port)
{
	return statement->state->port[port].pkey_count;
}

struct bounds bounds_pkeys(const struct statement *statement)
{
	return entries(0, least_of_ports(statement, pkeys_of));
}

static unsigned arbitration_of(const struct statement *statement, unsigned port)
{
	return state_get(statement->state, port,
	                 statement->value[1].first ? SMA_PortInfo_VLArbitrationHighCap
	                                           : SMA_PortInfo_VLArbitrationLowCap);
}

struct bounds bounds_arbitration(const struct statement *statement)
{
	return entries(0, least_of_ports(statement, arbitration_of));
}

struct bounds bounds_lids(const struct statement *statement)
{
	return entries(0, state_get(statement->state, 0, SMA_SwitchInfo_LinearFDBCap));
}

struct bounds bounds_randoms(const struct statement *statement)
{
	return entries(0, state_get(statement->state, 0, SMA_SwitchInfo_RandomFDBCap));
}

struct bounds bounds_mlids(const struct statement *statement)
{
	return entries(SMA_FIRST_MLID, state_get(statement->state, 0, SMA_SwitchInfo_MulticastFDBCap));
}

struct bounds bounds_slots(const struct statement *statement)
{
	return entries(1, unit_slots(statement->state->unit));
}

/* ---- components ---- */

/* Components with values that IBA reserves within their width. */
static const struct {
	enum sma_component component;
	struct bounds bounds;
} narrow[] = {
	{SMA_NodeInfo_BaseVersion, {1, UINT8_MAX}},
	{SMA_NodeInfo_ClassVersion, {1, UINT8_MAX}},
	{SMA_PortInfo_LID, {0, MAD_LAST_LID}},
	{SMA_PortInfo_MasterSMLID, {0, MAD_LAST_LID}},
	{SMA_PortInfo_PortState, {1, 4}},
	{SMA_PortInfo_PortPhysicalState, {1, 7}},
	{SMA_PortInfo_LinkDownDefaultState, {1, 2}},
	{SMA_PortInfo_NeighborMTU, {1, 5}},
	{SMA_PortInfo_MTUCap, {1, 5}},
	{SMA_PortInfo_VLArbitrationHighCap, {0, 64}},
	{SMA_PortInfo_VLArbitrationLowCap, {0, 64}},
};

/* Components that follow from something else. */
static const struct {
	enum sma_component component;
	const char *setter;
} settled[] = {
	{SMA_NodeInfo_NodeType, "nodeType"},
	{SMA_NodeInfo_NumPorts, "ports"},
	{SMA_NodeInfo_NodeGUID, "nodeGuid"},
	{SMA_NodeInfo_PortGUID, "portGuid"},
	{SMA_NodeInfo_PartitionCap, "partitionCap"},
	{SMA_NodeInfo_LocalPortNum, "the port that is asked"},
	{SMA_SwitchInfo_LinearFDBCap, "linearFDBCap"},
	{SMA_SwitchInfo_RandomFDBCap, "randomFDBCap"},
	{SMA_SwitchInfo_MulticastFDBCap, "multicastFDBCap"},
	{SMA_SwitchInfo_PartitionEnforcementCap, "partitionEnforcementCap"},
	{SMA_PortInfo_LocalPortNum, "the port that is asked"},
	{SMA_PortInfo_GUIDCap, "guidCap"},
	{SMA_PortInfo_VLCap, "vlCap"},
	{SMA_PortInfo_IsDeviceManagementSupported, "iouSlots"},
};

const char *bounds_setter(enum sma_component component)
{
	for (size_t i = 0; i < sizeof(settled) / sizeof(settled[0]); i++) {
		if (settled[i].component == component)
			return settled[i].setter;
	}
	return NULL;
}

/* All values that fit: what is left of ones alone. */
static struct bounds width_of(enum sma_component component)
{
	uint8_t block[SMA_BLOCK_SIZE] = {0};

	sma_component_set(block, component, UINT64_MAX);
	return (struct bounds){0, sma_component_get(block, component)};
}

struct bounds bounds_component(const struct statement *statement)
{
	enum sma_component component = (enum sma_component)statement->value[statement->value_count - 1].first;

	if (component == SMA_SwitchInfo_LinearFDBTop)
		return bounds_lids(statement);
	if (component == SMA_SwitchInfo_MulticastFDBTop)
		return (struct bounds){
			MULTICAST_TOP_NONE,
			MULTICAST_TOP_NONE + state_get(statement->state, 0, SMA_SwitchInfo_MulticastFDBCap)};
	if (component == SMA_PortInfo_OperationalVLs)
		return (struct bounds){1, state_get(statement->state, 1, SMA_PortInfo_VLCap)};
	for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++) {
		if (narrow[i].component == component)
			return narrow[i].bounds;
	}
	return width_of(component);
}

/* ---- needs ---- */

static bool is_there(const struct soft_state *state, enum need need)
{
	switch (need) {
	case NEED_SWITCH:
		return state_is_switch(state);
	case NEED_LINEAR:
		return state->linear;
	case NEED_RANDOM:
		return state->random;
	case NEED_MULTICAST:
		return state->multicast;
	case NEED_VLS:
		return state->port[1].sl2vl_count;
	case NEED_UNIT:
		return state->unit;
	default:
		return true;
	}
}

const char *bounds_lack(const struct soft_state *state, enum need need)
{
	static const char *const texts[] = {
		[NEED_SWITCH] = "nodeType switch",
		[NEED_LINEAR] = "linearFDBCap on a switch",
		[NEED_RANDOM] = "randomFDBCap on a switch",
		[NEED_MULTICAST] = "multicastFDBCap on a switch",
		[NEED_VLS] = "vlCap, 2 to 5",
		[NEED_UNIT] = "iouSlots",
	};

	return is_there(state, need) ? NULL : texts[need];
}
