// SPDX-License-Identifier: BSD-2-Clause
/* What happens to a node by itself, and the traps that report it. */
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/sma_request.h"

enum {
	MAX_VIOLATIONS = 0xFFFF,
	CHANGED_DESCRIPTION = 0x0001, /* ChangeFlags of trap 144 */
	CHANGED_CAPABILITY_MASK2 = 0x0020,
};

struct endpoint *responder_endpoint(struct responder *responder, unsigned port)
{
	return &responder->endpoints[state_is_switch(responder->state) ? 0 : port - 1];
}

/* The end port that speaks for a port. */
static unsigned speaker(const struct responder *responder, unsigned port)
{
	return state_is_switch(responder->state) ? 0 : port;
}

static uint16_t lid_of(const struct responder *responder, unsigned port)
{
	return (uint16_t)state_get(responder->state, speaker(responder, port), SMA_PortInfo_LID);
}

/* Begin a Notice about a port, whose LIDADDR is the issuer's. */
static void begin(const struct responder *responder, unsigned port, unsigned trap,
                  uint8_t notice[SMA_BLOCK_SIZE])
{
	uint16_t lid = lid_of(responder, port);

	notice_build(notice, trap, responder->state->type, lid);
	notice_set(notice, NOTICE_LIDADDR, lid);
}

static bool may_trap(const struct responder *responder, unsigned port)
{
	const struct soft_state *state = responder->state;

	return state_get(state, port, SMA_PortInfo_IsTrapSupported) &&
	       state_get(state, port, SMA_PortInfo_PortState) == SMA_PORT_ACTIVE &&
	       state_get(state, port, SMA_PortInfo_MasterSMLID) != 0;
}

static void raise_notice(struct responder *responder, unsigned port, const uint8_t *notice)
{
	unsigned by = speaker(responder, port);
	struct endpoint *endpoint = responder_endpoint(responder, by);

	if (responder->raised)
		responder->raised(responder->raised_arg, notice);
	if (state_get(responder->state, by, SMA_PortInfo_IsNoticeSupported))
		notice_queue_add(&endpoint->notices, notice);
	if (may_trap(responder, by))
		trap_sender_add(&endpoint->traps, notice);
}

/* ---- links ---- */

static void note_port_state(struct responder *responder, unsigned port, bool by_sm)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	if (state_is_end_port(responder->state, port) &&
	    state_get(responder->state, port, SMA_PortInfo_PortState) != SMA_PORT_ACTIVE)
		trap_sender_clear(&responder_endpoint(responder, port)->traps);
	if (by_sm || !state_is_switch(responder->state))
		return;
	state_set(responder->state, 0, SMA_SwitchInfo_PortStateChange, 1);
	begin(responder, port, SMA_TRAP_LINK_STATE, notice);
	raise_notice(responder, port, notice);
}

static void set_state(struct responder *responder, unsigned port, unsigned state, unsigned physical,
                      bool by_sm)
{
	bool changed = state_get(responder->state, port, SMA_PortInfo_PortState) != state;

	state_set(responder->state, port, SMA_PortInfo_PortState, state);
	state_set(responder->state, port, SMA_PortInfo_PortPhysicalState, physical);
	if (changed)
		note_port_state(responder, port, by_sm);
}

void link_down(struct responder *responder, unsigned port, unsigned physical_state, bool by_sm)
{
	set_state(responder, port, SMA_PORT_DOWN, physical_state, by_sm);
}

void link_retrain(struct responder *responder, unsigned port, bool by_sm)
{
	if (port == 0) /* nothing but the switch itself is behind it */
		set_state(responder, port, SMA_PORT_INITIALIZE, 0, by_sm);
	else if (responder->state->port[port].link)
		set_state(responder, port, SMA_PORT_INITIALIZE, SMA_PHYSICAL_LINK_UP, by_sm);
	else
		link_down(responder, port,
		          state_get(responder->state, port, SMA_PortInfo_LinkDownDefaultState), by_sm);
}

static bool is_data_port(const struct responder *responder, unsigned port)
{
	return port >= 1 && port <= responder->state->ports;
}

int link_set(struct responder *responder, unsigned port, bool up)
{
	if (!is_data_port(responder, port))
		return -ERANGE;
	if (responder->state->port[port].link == up)
		return 0;
	responder->state->port[port].link = up;
	if (state_get(responder->state, port, SMA_PortInfo_PortPhysicalState) != SMA_PHYSICAL_DISABLED)
		link_retrain(responder, port, false);
	return 0;
}

/* ---- the other events ---- */

int event_traps_threshold(struct responder *responder, unsigned port, unsigned trap)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	if (!is_data_port(responder, port))
		return -ERANGE;
	if (trap < SMA_TRAP_LINK_INTEGRITY || trap > SMA_TRAP_FLOW_CONTROL)
		return -EINVAL;
	if (trap == SMA_TRAP_FLOW_CONTROL && !state_is_switch(responder->state))
		return -ENOTSUP;
	begin(responder, port, trap, notice);
	notice_set(notice, NOTICE_PORTNO, port);
	raise_notice(responder, port, notice);
	return 0;
}

static void count_violation(struct responder *responder, unsigned port, enum sma_component counter)
{
	unsigned count = state_get(responder->state, port, counter);

	if (count < MAX_VIOLATIONS)
		state_set(responder->state, port, counter, count + 1);
}

static void describe_bad_key(uint8_t notice[SMA_BLOCK_SIZE], const struct bad_key *key)
{
	notice_set(notice, NOTICE_LIDADDR, key->lid1);
	notice_set(notice, NOTICE_LIDADDR2, key->lid2);
	notice_set(notice, NOTICE_KEY, key->key);
	notice_set(notice, NOTICE_SL, key->sl);
	notice_set(notice, NOTICE_QP1, key->qp1);
	notice_set(notice, NOTICE_QP2, key->qp2);
	notice_set_octets(notice, NOTICE_GIDADDR1, key->gid1, sizeof(key->gid1));
	notice_set_octets(notice, NOTICE_GIDADDR2, key->gid2, sizeof(key->gid2));
}

/* What trap 259 has besides. */
static void describe_switch_port(const struct responder *responder, unsigned port,
                                 uint8_t notice[SMA_BLOCK_SIZE])
{
	enum { ALL_VALID = 0x00FF };

	notice_set(notice, NOTICE_DATAVALID, ALL_VALID);
	notice_set(notice, NOTICE_SWLIDADDR, lid_of(responder, port));
	notice_set(notice, NOTICE_PORTNO, port);
}

/* Whether bad P_Keys at data ports are told. */
static bool has_bad_key_trap(const struct responder *responder)
{
	return state_is_switch(responder->state) &&
	       state_get(responder->state, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported);
}

int event_traps_bad_key(struct responder *responder, unsigned port, unsigned trap, const struct bad_key *key)
{
	bool at_switch = trap == SMA_TRAP_BAD_P_KEY_SWITCH;
	uint8_t notice[SMA_BLOCK_SIZE];

	if (trap < SMA_TRAP_BAD_P_KEY || trap > SMA_TRAP_BAD_P_KEY_SWITCH)
		return -EINVAL;
	if (at_switch && !has_bad_key_trap(responder))
		return -ENOTSUP;
	if (at_switch ? !is_data_port(responder, port) : !state_is_end_port(responder->state, port))
		return -ERANGE;
	count_violation(responder, port,
	                trap == SMA_TRAP_BAD_Q_KEY ? SMA_PortInfo_Q_KeyViolations
	                                           : SMA_PortInfo_P_KeyViolations);
	begin(responder, port, trap, notice);
	describe_bad_key(notice, key);
	if (at_switch)
		describe_switch_port(responder, port, notice);
	raise_notice(responder, port, notice);
	return 0;
}

static void raise_144(struct responder *responder, unsigned port, uint16_t flags)
{
	const struct soft_state *state = responder->state;
	uint8_t notice[SMA_BLOCK_SIZE];

	begin(responder, port, SMA_TRAP_CAPABILITY, notice);
	notice_set(notice, NOTICE_OTHERLOCALCHANGES, flags != 0);
	notice_set(notice, NOTICE_CAPABILITYMASK, state_get(state, port, SMA_PortInfo_CapabilityMask));
	notice_set(notice, NOTICE_CHANGEFLAGS, flags);
	if (flags & CHANGED_CAPABILITY_MASK2)
		notice_set(notice, NOTICE_CAPABILITYMASK2,
		           state_get(state, port, SMA_PortInfo_CapabilityMask2));
	raise_notice(responder, port, notice);
}

static void for_each_endpoint(struct responder *responder,
                              void (*tell)(struct responder *responder, unsigned port))
{
	for (unsigned p = 0; p <= responder->state->ports; p++) {
		if (state_is_end_port(responder->state, p))
			tell(responder, p);
	}
}

static void tell_description(struct responder *responder, unsigned port)
{
	raise_144(responder, port, CHANGED_DESCRIPTION);
}

int event_traps_description(struct responder *responder, const char *description)
{
	struct soft_state *state = responder->state;
	char padded[SMA_BLOCK_SIZE] = {0};

	if (strlen(description) > sizeof(padded))
		return -ERANGE;
	memccpy(padded, description, '\0', sizeof(padded));
	state_put(state, 1 << SMA_NodeDescription, state->description, padded, sizeof(padded));
	for_each_endpoint(responder, tell_description);
	return 0;
}

static void tell_system_guid(struct responder *responder, unsigned port)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	begin(responder, port, SMA_TRAP_SYSTEM_GUID, notice);
	notice_set(notice, NOTICE_SYSTEMIMAGEGUID,
	           sma_component_get(responder->state->node_info, SMA_NodeInfo_SystemImageGUID));
	raise_notice(responder, port, notice);
}

int event_traps_system_guid(struct responder *responder, uint64_t guid)
{
	state_set(responder->state, 0, SMA_NodeInfo_SystemImageGUID, guid);
	for_each_endpoint(responder, tell_system_guid);
	return 0;
}

int event_traps_capability(struct responder *responder, unsigned port, enum sma_component bit, bool on)
{
	uint32_t before;

	if (!state_is_end_port(responder->state, port))
		return -ERANGE;
	if (state_get(responder->state, port, bit) == on)
		return 0;
	before = state_get(responder->state, port, SMA_PortInfo_CapabilityMask);
	state_set(responder->state, port, bit, on);
	responder->state->changed |= SMA_ALL_ATTRS; /* which of them the node has, capabilities say */
	raise_144(responder, port,
	          state_get(responder->state, port, SMA_PortInfo_CapabilityMask) == before
	                  ? CHANGED_CAPABILITY_MASK2
	                  : 0);
	return 0;
}

/* ---- M_Key violations (IBA 14.2.4) ---- */

static void describe_route(uint8_t notice[SMA_BLOCK_SIZE], const uint8_t *mad)
{
	unsigned hops = mad[SMP_AT_HOP_COUNT];
	unsigned kept = hops < NOTICE_PATH_SIZE ? hops : NOTICE_PATH_SIZE;

	notice_set(notice, NOTICE_DRSLID, wire_get16(mad + SMP_AT_DR_SLID));
	notice_set(notice, NOTICE_DRNOTICE, 1);
	notice_set(notice, NOTICE_DRPATHTRUNCATED, kept < hops);
	notice_set(notice, NOTICE_DRHOPCOUNT, kept);
	/* entry 0 of a path is never used */
	notice_set_octets(notice, NOTICE_DRNOTICERETURNPATH, mad + SMP_AT_RETURN_PATH + 1, kept);
}

static void raise_256(struct responder *responder, unsigned port, const struct arrival *arrival,
                      const uint8_t *mad)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	begin(responder, port, SMA_TRAP_BAD_M_KEY, notice);
	notice_set(notice, NOTICE_LIDADDR, arrival->slid);
	notice_set(notice, NOTICE_METHOD, mad[MAD_AT_METHOD]);
	notice_set(notice, NOTICE_ATTRIBUTEID, wire_get16(mad + MAD_AT_ATTRIBUTE));
	notice_set(notice, NOTICE_ATTRIBUTEMODIFIER, wire_get32(mad + MAD_AT_MODIFIER));
	notice_set(notice, NOTICE_KEY, wire_get64(mad + SMP_AT_M_KEY));
	if (mad[MAD_AT_CLASS] == MAD_CLASS_SM_DIRECTED)
		describe_route(notice, mad);
	raise_notice(responder, port, notice);
}

void event_traps_bad_m_key(struct responder *responder, unsigned port, const struct arrival *arrival,
                           const uint8_t mad[MAD_SIZE])
{
	struct endpoint *endpoint = responder_endpoint(responder, port);
	uint64_t lease_ms = 1000ULL * state_get(responder->state, port, SMA_PortInfo_M_KeyLeasePeriod);

	responder->counters.bad_m_key++;
	count_violation(responder, port, SMA_PortInfo_M_KeyViolations);
	if (endpoint->lease_ends == 0 && lease_ms)
		endpoint->lease_ends = arrival->now + lease_ms;
	raise_256(responder, port, arrival, mad);
}
