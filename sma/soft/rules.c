// SPDX-License-Identifier: BSD-2-Clause
/* What SubnSet may do to PortInfo and SwitchInfo, component by component (IBA 14.2.5.4, 14.2.5.6). */
#include "sma/soft/rules.h"
#include "sma/soft/link.h"

/* Kinds of ports. */
enum {
	CA_PORT = 1,
	ROUTER_PORT = 2,
	SWITCH_PORT0 = 4,
	SWITCH_PORT = 8, /* external */
	END_PORT = CA_PORT | ROUTER_PORT | SWITCH_PORT0,
	LINK_PORT = CA_PORT | ROUTER_PORT | SWITCH_PORT,
};

enum {
	WIDTH_SUPPORTED = 255, /* LinkWidthEnabled: what is supported */
	SPEED_SUPPORTED = 15,
	SPEED_EXT_DISABLED = 30,
	SPEED_EXT_SUPPORTED = 31,
	DOWN_DEFAULT_POLLING = 2,
	EXTENDED_SPEEDS_FLAG = 0x80000000U,
	MULTICAST_TOP_NONE = SMA_FIRST_MLID - 1,
};

/* One Set of one port. */
struct set {
	const struct sma_request *request;
	struct soft_state *state;
	unsigned port;
	unsigned kind;
	const uint8_t *data;
};

enum ruling { RULING_STORE, RULING_KEEP, RULING_REJECT };

/* Judge a new value, which may be replaced by what is to be stored. */
typedef enum ruling judge(const struct set *set, uint64_t *value);

static unsigned stored(const struct set *set, enum sma_component component)
{
	return state_get(set->state, set->port, component);
}

static enum ruling keep_zero(uint64_t value)
{
	return value == 0 ? RULING_KEEP : RULING_STORE;
}

static enum ruling unicast(const struct set *set, uint64_t *value)
{
	(void)set;
	return *value >= 1 && *value <= MAD_LAST_LID ? RULING_STORE : RULING_REJECT;
}

/* Base port 0 of a switch has one LID. */
static enum ruling lmc(const struct set *set, uint64_t *value)
{
	bool is_base = set->kind == SWITCH_PORT0 && !state_get(set->state, 0, SMA_SwitchInfo_EnhancedPort0);

	return is_base && *value ? RULING_REJECT : RULING_STORE;
}

static enum ruling of_supported(uint64_t *value, uint64_t all, unsigned supported)
{
	if (*value == all)
		*value = supported;
	return *value & ~(uint64_t)supported ? RULING_REJECT : keep_zero(*value);
}

static enum ruling width(const struct set *set, uint64_t *value)
{
	return of_supported(value, WIDTH_SUPPORTED, stored(set, SMA_PortInfo_LinkWidthSupported));
}

static enum ruling speed(const struct set *set, uint64_t *value)
{
	return of_supported(value, SPEED_SUPPORTED, stored(set, SMA_PortInfo_LinkSpeedSupported));
}

/* The SM says in the modifier whether it knows extended speeds at all. */
static enum ruling extended_speed(const struct set *set, uint64_t *value)
{
	unsigned management = set->request->port;

	if (!(set->request->modifier & EXTENDED_SPEEDS_FLAG) ||
	    !state_get(set->state, management, SMA_PortInfo_IsExtendedSpeedsSupported))
		return RULING_KEEP;
	if (*value == SPEED_EXT_DISABLED)
		return RULING_STORE;
	return of_supported(value, SPEED_EXT_SUPPORTED, stored(set, SMA_PortInfo_LinkSpeedExtSupported));
}

static enum ruling down_default(const struct set *set, uint64_t *value)
{
	(void)set;
	return *value > DOWN_DEFAULT_POLLING ? RULING_REJECT : keep_zero(*value);
}

static enum ruling mtu(const struct set *set, uint64_t *value)
{
	return *value == 0 || *value > stored(set, SMA_PortInfo_MTUCap) ? RULING_REJECT : RULING_STORE;
}

static enum ruling lanes(const struct set *set, uint64_t *value)
{
	return *value > stored(set, SMA_PortInfo_VLCap) ? RULING_REJECT : keep_zero(*value);
}

/* Counters only go back to zero. */
static enum ruling clear(const struct set *set, uint64_t *value)
{
	(void)set;
	return *value == 0 ? RULING_STORE : RULING_KEEP;
}

static enum ruling where_switch_can(const struct set *set, enum sma_component capability)
{
	return state_get(set->state, 0, capability) ? RULING_STORE : RULING_KEEP;
}

static enum ruling enforce_in(const struct set *set, uint64_t *value)
{
	(void)value;
	return where_switch_can(set, SMA_SwitchInfo_InboundEnforcementCap);
}

static enum ruling enforce_out(const struct set *set, uint64_t *value)
{
	(void)value;
	return where_switch_can(set, SMA_SwitchInfo_OutboundEnforcementCap);
}

static enum ruling filter_in(const struct set *set, uint64_t *value)
{
	(void)value;
	return where_switch_can(set, SMA_SwitchInfo_FilterRawPacketInboundCap);
}

static enum ruling filter_out(const struct set *set, uint64_t *value)
{
	(void)value;
	return where_switch_can(set, SMA_SwitchInfo_FilterRawPacketOutboundCap);
}

static enum ruling suppress(const struct set *set, uint64_t *value)
{
	(void)value;
	return stored(set, SMA_PortInfo_IsMcastPkeyTrapSuppressionSupported) ? RULING_STORE : RULING_KEEP;
}

/* Components that a Set may change; those that are not here, or not for this kind of port, are ignored.
 * PortState and PortPhysicalState are commands (link.h). */
static const struct {
	enum sma_component component;
	unsigned kinds;
	judge *judge; /* NULL: any value is stored */
} port_rules[] = {
	{SMA_PortInfo_M_Key, END_PORT, NULL},
	{SMA_PortInfo_GidPrefix, END_PORT, NULL},
	{SMA_PortInfo_LID, END_PORT, unicast},
	{SMA_PortInfo_MasterSMLID, END_PORT, unicast},
	{SMA_PortInfo_M_KeyLeasePeriod, END_PORT, NULL},
	{SMA_PortInfo_LinkWidthEnabled, LINK_PORT, width},
	{SMA_PortInfo_LinkDownDefaultState, LINK_PORT, down_default},
	{SMA_PortInfo_M_KeyProtectBits, END_PORT, NULL},
	{SMA_PortInfo_LMC, END_PORT, lmc},
	{SMA_PortInfo_LinkSpeedEnabled, LINK_PORT, speed},
	{SMA_PortInfo_NeighborMTU, LINK_PORT, mtu},
	{SMA_PortInfo_MasterSMSL, END_PORT, NULL},
	{SMA_PortInfo_VLHighLimit, LINK_PORT, NULL},
	{SMA_PortInfo_InitTypeReply, END_PORT, NULL},
	{SMA_PortInfo_VLStallCount, SWITCH_PORT, NULL},
	{SMA_PortInfo_HOQLife, SWITCH_PORT | ROUTER_PORT, NULL},
	{SMA_PortInfo_OperationalVLs, LINK_PORT, lanes},
	{SMA_PortInfo_PartitionEnforcementInbound, SWITCH_PORT, enforce_in},
	{SMA_PortInfo_PartitionEnforcementOutbound, SWITCH_PORT, enforce_out},
	{SMA_PortInfo_FilterRawPacketInbound, SWITCH_PORT, filter_in},
	{SMA_PortInfo_FilterRawPacketOutbound, SWITCH_PORT, filter_out},
	{SMA_PortInfo_M_KeyViolations, END_PORT, clear},
	{SMA_PortInfo_P_KeyViolations, END_PORT | SWITCH_PORT, clear},
	{SMA_PortInfo_Q_KeyViolations, END_PORT, clear},
	{SMA_PortInfo_MulticastPKeyTrapSuppressionEnabled, END_PORT, suppress},
	{SMA_PortInfo_SubnetTimeOut, END_PORT, NULL},
	{SMA_PortInfo_LocalPhyErrors, LINK_PORT, NULL},
	{SMA_PortInfo_OverrunErrors, LINK_PORT, NULL},
	{SMA_PortInfo_LinkSpeedExtEnabled, LINK_PORT, extended_speed},
};

enum { PORT_RULES = sizeof(port_rules) / sizeof(port_rules[0]) };

/* A value that is there already is never wrong: tools write back what they have read. */
static enum ruling judge_component(const struct set *set, unsigned rule, uint64_t *value)
{
	enum sma_component component = port_rules[rule].component;

	*value = sma_component_get(set->data, component);
	if (!(port_rules[rule].kinds & set->kind) ||
	    *value == sma_component_get(set->state->port[set->port].info, component))
		return RULING_KEEP;
	return port_rules[rule].judge ? port_rules[rule].judge(set, value) : RULING_STORE;
}

/* ---- PortInfo ---- */

static unsigned kind_of(const struct soft_state *state, unsigned port)
{
	if (state_is_switch(state))
		return port ? SWITCH_PORT : SWITCH_PORT0;
	return state->type == SMA_NODE_ROUTER ? ROUTER_PORT : CA_PORT;
}

uint16_t rules_set_port(const struct sma_request *request, unsigned port, const uint8_t data[SMA_BLOCK_SIZE])
{
	const struct set set = {request, request->state, port, kind_of(request->state, port), data};
	uint64_t value;

	if (!link_is_valid_command(request->state, port, data))
		return MAD_STATUS_INVALID;
	for (unsigned i = 0; i < PORT_RULES; i++) {
		if (judge_component(&set, i, &value) == RULING_REJECT)
			return MAD_STATUS_INVALID;
	}
	for (unsigned i = 0; i < PORT_RULES; i++) {
		if (judge_component(&set, i, &value) == RULING_STORE)
			state_set(request->state, port, port_rules[i].component, value);
	}
	link_obey(request->responder, port, data);
	return 0;
}

/* ---- SwitchInfo ---- */

static enum ruling linear_top(const struct set *set, uint64_t *value)
{
	unsigned cap = state_get(set->state, 0, SMA_SwitchInfo_LinearFDBCap);

	if (cap == 0) /* a random table has no top */
		return RULING_KEEP;
	return *value < cap ? RULING_STORE : RULING_REJECT;
}

/* 0 is no MLID: opensm writes it while there are no groups. */
static enum ruling multicast_top(const struct set *set, uint64_t *value)
{
	unsigned cap = state_get(set->state, 0, SMA_SwitchInfo_MulticastFDBCap);

	if (!state_get(set->state, 0, SMA_PortInfo_IsMulticastFDBTopSupported))
		return RULING_KEEP;
	if (*value == 0)
		return RULING_STORE;
	return *value >= MULTICAST_TOP_NONE && *value <= MULTICAST_TOP_NONE + cap ? RULING_STORE
	                                                                          : RULING_REJECT;
}

/* Writing 1 clears the bit. */
static enum ruling clear_by_one(const struct set *set, uint64_t *value)
{
	(void)set;
	if (*value == 0)
		return RULING_KEEP;
	*value = 0;
	return RULING_STORE;
}

static const struct {
	enum sma_component component;
	judge *judge;
} switch_rules[] = {
	{SMA_SwitchInfo_LinearFDBTop, linear_top},
	{SMA_SwitchInfo_DefaultPort, NULL},
	{SMA_SwitchInfo_DefaultMulticastPrimaryPort, NULL},
	{SMA_SwitchInfo_DefaultMulticastNotPrimaryPort, NULL},
	{SMA_SwitchInfo_LifeTimeValue, NULL},
	{SMA_SwitchInfo_PortStateChange, clear_by_one},
	{SMA_SwitchInfo_MulticastFDBTop, multicast_top},
};

enum { SWITCH_RULES = sizeof(switch_rules) / sizeof(switch_rules[0]) };

static enum ruling judge_switch(const struct set *set, unsigned rule, uint64_t *value)
{
	enum sma_component component = switch_rules[rule].component;

	*value = sma_component_get(set->data, component);
	if (component != SMA_SwitchInfo_PortStateChange &&
	    *value == sma_component_get(set->state->switch_info, component))
		return RULING_KEEP;
	return switch_rules[rule].judge ? switch_rules[rule].judge(set, value) : RULING_STORE;
}

uint16_t rules_set_switch(const struct sma_request *request, const uint8_t data[SMA_BLOCK_SIZE])
{
	const struct set set = {request, request->state, 0, SWITCH_PORT0, data};
	uint64_t value;

	for (unsigned i = 0; i < SWITCH_RULES; i++) {
		if (judge_switch(&set, i, &value) == RULING_REJECT)
			return MAD_STATUS_INVALID;
	}
	for (unsigned i = 0; i < SWITCH_RULES; i++) {
		if (judge_switch(&set, i, &value) == RULING_STORE)
			state_set(request->state, 0, switch_rules[i].component, value);
	}
	return 0;
}
