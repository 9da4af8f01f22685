// SPDX-License-Identifier: BSD-2-Clause
/* What SubnSet may do to PortInfo and SwitchInfo, component by component (IBA 14.2.5.4, 14.2.5.6). */
#include "sma/soft/rules.h"
#include "sma/soft/link.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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
	const uint8_t *block; /* what it changes */
	const uint8_t *data;
};

enum ruling { RULING_STORE, RULING_KEEP, RULING_REJECT };

/* Judge a new value, which may be replaced by what is to be stored. */
typedef enum ruling judge(const struct set *set, uint64_t *value);

/* A component that a Set may change; those that have no rule, or not for this kind of port, are ignored. So
 * are those whose `need`, another component, is 0 there; a `need` of 0, which stands in NodeInfo, is none. */
struct rule {
	enum sma_component component;
	unsigned kinds;
	judge *judge; /* NULL: any value is stored */
	enum sma_component need;
};

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

/* PortState and PortPhysicalState are commands (link.h). */
static const struct rule port_rules[] = {
	{SMA_PortInfo_M_Key, END_PORT, NULL, 0},
	{SMA_PortInfo_GidPrefix, END_PORT, NULL, 0},
	{SMA_PortInfo_LID, END_PORT, unicast, 0},
	{SMA_PortInfo_MasterSMLID, END_PORT, unicast, 0},
	{SMA_PortInfo_M_KeyLeasePeriod, END_PORT, NULL, 0},
	{SMA_PortInfo_LinkWidthEnabled, LINK_PORT, width, 0},
	{SMA_PortInfo_LinkDownDefaultState, LINK_PORT, down_default, 0},
	{SMA_PortInfo_M_KeyProtectBits, END_PORT, NULL, 0},
	{SMA_PortInfo_LMC, END_PORT, lmc, 0},
	{SMA_PortInfo_LinkSpeedEnabled, LINK_PORT, speed, 0},
	{SMA_PortInfo_NeighborMTU, LINK_PORT, mtu, 0},
	{SMA_PortInfo_MasterSMSL, END_PORT, NULL, 0},
	{SMA_PortInfo_VLHighLimit, LINK_PORT, NULL, 0},
	{SMA_PortInfo_InitTypeReply, END_PORT, NULL, 0},
	{SMA_PortInfo_VLStallCount, SWITCH_PORT, NULL, 0},
	{SMA_PortInfo_HOQLife, SWITCH_PORT | ROUTER_PORT, NULL, 0},
	{SMA_PortInfo_OperationalVLs, LINK_PORT, lanes, 0},
	{SMA_PortInfo_PartitionEnforcementInbound, SWITCH_PORT, NULL, SMA_SwitchInfo_InboundEnforcementCap},
	{SMA_PortInfo_PartitionEnforcementOutbound, SWITCH_PORT, NULL, SMA_SwitchInfo_OutboundEnforcementCap},
	{SMA_PortInfo_FilterRawPacketInbound, SWITCH_PORT, NULL, SMA_SwitchInfo_FilterRawPacketInboundCap},
	{SMA_PortInfo_FilterRawPacketOutbound, SWITCH_PORT, NULL, SMA_SwitchInfo_FilterRawPacketOutboundCap},
	{SMA_PortInfo_M_KeyViolations, END_PORT, clear, 0},
	{SMA_PortInfo_P_KeyViolations, END_PORT | SWITCH_PORT, clear, 0},
	{SMA_PortInfo_Q_KeyViolations, END_PORT, clear, 0},
	{SMA_PortInfo_MulticastPKeyTrapSuppressionEnabled, END_PORT, NULL,
         SMA_PortInfo_IsMcastPkeyTrapSuppressionSupported},
	{SMA_PortInfo_SubnetTimeOut, END_PORT, NULL, 0},
	{SMA_PortInfo_LocalPhyErrors, LINK_PORT, NULL, 0},
	{SMA_PortInfo_OverrunErrors, LINK_PORT, NULL, 0},
	{SMA_PortInfo_LinkSpeedExtEnabled, LINK_PORT, extended_speed, 0},
};

/* ---- SwitchInfo ---- */

static enum ruling linear_top(const struct set *set, uint64_t *value)
{
	return *value < stored(set, SMA_SwitchInfo_LinearFDBCap) ? RULING_STORE : RULING_REJECT;
}

/* 0 is no MLID: opensm writes it while there are no groups. */
static enum ruling multicast_top(const struct set *set, uint64_t *value)
{
	unsigned last = MULTICAST_TOP_NONE + stored(set, SMA_SwitchInfo_MulticastFDBCap);

	return *value == 0 || (*value >= MULTICAST_TOP_NONE && *value <= last) ? RULING_STORE : RULING_REJECT;
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

static const struct rule switch_rules[] = {
	{SMA_SwitchInfo_LinearFDBTop, SWITCH_PORT0, linear_top, SMA_SwitchInfo_LinearFDBCap},
	{SMA_SwitchInfo_DefaultPort, SWITCH_PORT0, NULL, 0},
	{SMA_SwitchInfo_DefaultMulticastPrimaryPort, SWITCH_PORT0, NULL, 0},
	{SMA_SwitchInfo_DefaultMulticastNotPrimaryPort, SWITCH_PORT0, NULL, 0},
	{SMA_SwitchInfo_LifeTimeValue, SWITCH_PORT0, NULL, 0},
	{SMA_SwitchInfo_PortStateChange, SWITCH_PORT0, clear_by_one, 0},
	{SMA_SwitchInfo_MulticastFDBTop, SWITCH_PORT0, multicast_top,
         SMA_PortInfo_IsMulticastFDBTopSupported},
};

/* ---- Sets ---- */

/* A value that is there already is never wrong: tools write back what they have read. */
static enum ruling judge_component(const struct set *set, const struct rule *rule, uint64_t *value)
{
	*value = sma_component_get(set->data, rule->component);
	if (!(rule->kinds & set->kind) || (rule->need && !stored(set, rule->need)))
		return RULING_KEEP;
	if (rule->judge != clear_by_one && *value == sma_component_get(set->block, rule->component))
		return RULING_KEEP;
	return rule->judge ? rule->judge(set, value) : RULING_STORE;
}

static bool is_valid(const struct set *set, const struct rule *rules, size_t count)
{
	uint64_t value;

	for (size_t i = 0; i < count; i++) {
		if (judge_component(set, &rules[i], &value) == RULING_REJECT)
			return false;
	}
	return true;
}

static void apply(const struct set *set, const struct rule *rules, size_t count)
{
	uint64_t value;

	for (size_t i = 0; i < count; i++) {
		if (judge_component(set, &rules[i], &value) == RULING_STORE)
			state_set(set->state, set->port, rules[i].component, value);
	}
}

static unsigned kind_of(const struct soft_state *state, unsigned port)
{
	if (state_is_switch(state))
		return port ? SWITCH_PORT : SWITCH_PORT0;
	return state->type == SMA_NODE_ROUTER ? ROUTER_PORT : CA_PORT;
}

uint16_t rules_set_port(const struct sma_request *request, unsigned port, const uint8_t data[SMA_BLOCK_SIZE])
{
	struct soft_state *state = request->state;
	const struct set set = {request, state, port, kind_of(state, port), state->port[port].info, data};

	if (!link_is_valid_command(state, port, data) || !is_valid(&set, port_rules, COUNT(port_rules)))
		return MAD_STATUS_INVALID;
	apply(&set, port_rules, COUNT(port_rules));
	link_obey(request->responder, port, data);
	return 0;
}

uint16_t rules_set_switch(const struct sma_request *request, const uint8_t data[SMA_BLOCK_SIZE])
{
	struct soft_state *state = request->state;
	const struct set set = {request, state, 0, SWITCH_PORT0, state->switch_info, data};

	if (!is_valid(&set, switch_rules, COUNT(switch_rules)))
		return MAD_STATUS_INVALID;
	apply(&set, switch_rules, COUNT(switch_rules));
	return 0;
}
