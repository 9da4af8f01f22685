// SPDX-License-Identifier: BSD-2-Clause
/* What happens to a node by itself, and the traps that tell of it. */
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/iba/iba.h"
#include "sma/soft/served.h"

enum {
	STATE_DOWN = 1,
	STATE_INITIALIZE = 2,
	STATE_ACTIVE = 4,
	PHYS_DISABLED = 3,
	PHYS_LINK_UP = 5,
	MAX_VIOLATIONS = 0xFFFF,
	CHANGED_DESCRIPTION = 0x0001, /* ChangeFlags of trap 144 */
	CHANGED_CAPABILITY_MASK2 = 0x0020,
	CAPABILITY_MASK2_AT = 60, /* in PortInfo */
	MAX_KEPT_HOPS = 30,       /* hops that trap 256 has room for */
	DR_NOTICE = 0x80,
	DR_PATH_TRUNCATED = 0x40,
};

/* Where the details of the traps have their components (IBA 14.2.5.1). */
enum {
	AT_LID_128 = 0,
	AT_LID = 2,
	AT_PORT = 4,
	AT_OTHER_CHANGES = 5,
	AT_CAPABILITY_MASK = 6,
	AT_CHANGE_FLAGS = 10,
	AT_CAPABILITY_MASK2 = 12,
	AT_SYSTEM_GUID = 6,
	AT_256_DR_SLID = 4,
	AT_256_METHOD = 6,
	AT_256_ATTRIBUTE = 8,
	AT_256_MODIFIER = 10,
	AT_256_M_KEY = 14,
	AT_256_DR = 23,
	AT_256_PATH = 24,
};

struct agent *event_agent(struct responder *responder, unsigned port)
{
	return &responder->agents[store_is_switch(responder->store) ? 0 : port - 1];
}

/* The end port that speaks for a port. */
static unsigned speaker(const struct responder *responder, unsigned port)
{
	return store_is_switch(responder->store) ? 0 : port;
}

static uint16_t lid_of(const struct responder *responder, unsigned port)
{
	return (uint16_t)store_get(responder->store, speaker(responder, port), SMA_PortInfo_LID);
}

/* Begin a Notice about a port; gives its details. */
static uint8_t *begin(const struct responder *responder, unsigned port, unsigned trap, uint8_t *notice)
{
	notice_build(notice, trap, responder->store->type, lid_of(responder, port));
	return notice + NOTICE_DETAILS;
}

static bool may_trap(const struct responder *responder, unsigned port)
{
	const struct sma_store *store = responder->store;

	return store_get(store, port, SMA_PortInfo_IsTrapSupported) &&
	       store_get(store, port, SMA_PortInfo_PortState) == STATE_ACTIVE &&
	       store_get(store, port, SMA_PortInfo_MasterSMLID) != 0;
}

static void raise_notice(struct responder *responder, unsigned port, const uint8_t *notice)
{
	unsigned by = speaker(responder, port);
	struct agent *agent = event_agent(responder, by);

	if (responder->raised)
		responder->raised(responder->raised_arg, notice);
	if (store_get(responder->store, by, SMA_PortInfo_IsNoticeSupported))
		notice_queue_add(&agent->traps.queue, notice);
	if (may_trap(responder, by))
		traps_add(&agent->traps, notice);
}

/* ---- links ---- */

static void note_port_state(struct responder *responder, unsigned port, bool by_sm)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	if (store_is_end_port(responder->store, port) &&
	    store_get(responder->store, port, SMA_PortInfo_PortState) != STATE_ACTIVE)
		traps_clear(&event_agent(responder, port)->traps);
	if (by_sm || !store_is_switch(responder->store))
		return;
	store_set(responder->store, 0, SMA_SwitchInfo_PortStateChange, 1);
	wire_put16(begin(responder, port, SMA_TRAP_LINK_STATE, notice) + AT_LID_128, lid_of(responder, port));
	raise_notice(responder, port, notice);
}

static void set_state(struct responder *responder, unsigned port, unsigned state, unsigned physical,
                      bool by_sm)
{
	bool changed = store_get(responder->store, port, SMA_PortInfo_PortState) != state;

	store_set(responder->store, port, SMA_PortInfo_PortState, state);
	store_set(responder->store, port, SMA_PortInfo_PortPhysicalState, physical);
	if (changed)
		note_port_state(responder, port, by_sm);
}

void event_down(struct responder *responder, unsigned port, unsigned physical_state, bool by_sm)
{
	set_state(responder, port, STATE_DOWN, physical_state, by_sm);
}

void event_retrain(struct responder *responder, unsigned port, bool by_sm)
{
	if (port == 0) /* nothing but the switch itself is behind it */
		set_state(responder, port, STATE_INITIALIZE, 0, by_sm);
	else if (responder->store->port[port].link)
		set_state(responder, port, STATE_INITIALIZE, PHYS_LINK_UP, by_sm);
	else
		event_down(responder, port,
		           store_get(responder->store, port, SMA_PortInfo_LinkDownDefaultState), by_sm);
}

static bool is_data_port(const struct responder *responder, unsigned port)
{
	return port >= 1 && port <= responder->store->ports;
}

int responder_link(struct responder *responder, unsigned port, bool up)
{
	if (!is_data_port(responder, port))
		return -ERANGE;
	if (responder->store->port[port].link == up)
		return 0;
	responder->store->port[port].link = up;
	if (store_get(responder->store, port, SMA_PortInfo_PortPhysicalState) != PHYS_DISABLED)
		event_retrain(responder, port, false);
	return 0;
}

/* ---- the other events ---- */

int responder_threshold(struct responder *responder, unsigned port, unsigned trap)
{
	uint8_t notice[SMA_BLOCK_SIZE];
	uint8_t *details;

	if (!is_data_port(responder, port))
		return -ERANGE;
	if (trap < SMA_TRAP_LINK_INTEGRITY || trap > SMA_TRAP_FLOW_CONTROL)
		return -EINVAL;
	if (trap == SMA_TRAP_FLOW_CONTROL && !store_is_switch(responder->store))
		return -ENOTSUP;
	details = begin(responder, port, trap, notice);
	wire_put16(details + AT_LID, lid_of(responder, port));
	details[AT_PORT] = (uint8_t)port;
	raise_notice(responder, port, notice);
	return 0;
}

static void count_violation(struct responder *responder, unsigned port, enum sma_component counter)
{
	unsigned count = store_get(responder->store, port, counter);

	if (count < MAX_VIOLATIONS)
		store_set(responder->store, port, counter, count + 1);
}

static void put24(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 16);
	p[1] = (uint8_t)(value >> 8);
	p[2] = (uint8_t)value;
}

/* Traps 257 and 258. */
static void describe_bad_key(uint8_t *details, const struct bad_key *key)
{
	wire_put16(details + 2, key->lid1);
	wire_put16(details + 4, key->lid2);
	wire_put32(details + 6, key->key);
	details[10] = (uint8_t)(key->sl << 4);
	put24(details + 11, key->qp1);
	put24(details + 15, key->qp2);
	memcpy(details + 18, key->gid1, sizeof(key->gid1));
	memcpy(details + 34, key->gid2, sizeof(key->gid2));
}

/* Trap 259: all components are valid. */
static void describe_bad_key_at_switch(uint8_t *details, const struct bad_key *key, uint16_t lid,
                                       unsigned port)
{
	enum { ALL_VALID = 0x00FF };

	wire_put16(details, ALL_VALID);
	wire_put16(details + 2, key->lid1);
	wire_put16(details + 4, key->lid2);
	wire_put16(details + 6, (uint16_t)key->key);
	details[8] = (uint8_t)(key->sl << 4);
	put24(details + 9, key->qp1);
	put24(details + 13, key->qp2);
	memcpy(details + 16, key->gid1, sizeof(key->gid1));
	memcpy(details + 32, key->gid2, sizeof(key->gid2));
	wire_put16(details + 48, lid);
	details[50] = (uint8_t)port;
}

/* Whether bad P_Keys at data ports are told. */
static bool has_bad_key_trap(const struct responder *responder)
{
	return store_is_switch(responder->store) &&
	       store_get(responder->store, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported);
}

int responder_bad_key(struct responder *responder, unsigned port, unsigned trap, const struct bad_key *key)
{
	bool at_switch = trap == SMA_TRAP_BAD_P_KEY_SWITCH;
	uint8_t notice[SMA_BLOCK_SIZE];
	uint8_t *details;

	if (trap < SMA_TRAP_BAD_P_KEY || trap > SMA_TRAP_BAD_P_KEY_SWITCH)
		return -EINVAL;
	if (at_switch && !has_bad_key_trap(responder))
		return -ENOTSUP;
	if (at_switch ? !is_data_port(responder, port) : !store_is_end_port(responder->store, port))
		return -ERANGE;
	count_violation(responder, port,
	                trap == SMA_TRAP_BAD_Q_KEY ? SMA_PortInfo_Q_KeyViolations
	                                           : SMA_PortInfo_P_KeyViolations);
	details = begin(responder, port, trap, notice);
	if (at_switch)
		describe_bad_key_at_switch(details, key, lid_of(responder, port), port);
	else
		describe_bad_key(details, key);
	raise_notice(responder, port, notice);
	return 0;
}

static const uint8_t *mask2_of(const struct responder *responder, unsigned port)
{
	return responder->store->port[port].info + CAPABILITY_MASK2_AT;
}

static void raise_144(struct responder *responder, unsigned port, uint32_t mask, uint16_t flags)
{
	uint8_t notice[SMA_BLOCK_SIZE];
	uint8_t *details = begin(responder, port, SMA_TRAP_CAPABILITY, notice);

	wire_put16(details + AT_LID, lid_of(responder, port));
	details[AT_OTHER_CHANGES] = flags != 0;
	wire_put32(details + AT_CAPABILITY_MASK, mask);
	wire_put16(details + AT_CHANGE_FLAGS, flags);
	if (flags & CHANGED_CAPABILITY_MASK2)
		memcpy(details + AT_CAPABILITY_MASK2, mask2_of(responder, port), sizeof(uint16_t));
	raise_notice(responder, port, notice);
}

static void for_each_agent(struct responder *responder,
                           void (*tell)(struct responder *responder, unsigned port))
{
	for (unsigned p = 0; p <= responder->store->ports; p++) {
		if (store_is_end_port(responder->store, p))
			tell(responder, p);
	}
}

static void tell_description(struct responder *responder, unsigned port)
{
	uint32_t mask = store_get(responder->store, port, SMA_PortInfo_CapabilityMask);

	raise_144(responder, port, mask, CHANGED_DESCRIPTION);
}

int responder_describe(struct responder *responder, const char *description)
{
	struct sma_store *store = responder->store;
	char padded[SMA_BLOCK_SIZE] = {0};

	if (strlen(description) > sizeof(padded))
		return -ERANGE;
	memccpy(padded, description, '\0', sizeof(padded));
	store_put(store, 1 << SMA_NodeDescription, store->description, padded, sizeof(padded));
	for_each_agent(responder, tell_description);
	return 0;
}

static void tell_system_guid(struct responder *responder, unsigned port)
{
	uint8_t notice[SMA_BLOCK_SIZE];
	uint8_t *details = begin(responder, port, SMA_TRAP_SYSTEM_GUID, notice);

	wire_put16(details + AT_LID, lid_of(responder, port));
	wire_put64(details + AT_SYSTEM_GUID,
	           sma_component_get(responder->store->node_info, SMA_NodeInfo_SystemImageGUID));
	raise_notice(responder, port, notice);
}

int responder_set_system_guid(struct responder *responder, uint64_t guid)
{
	store_set(responder->store, 0, SMA_NodeInfo_SystemImageGUID, guid);
	for_each_agent(responder, tell_system_guid);
	return 0;
}

int responder_set_capability(struct responder *responder, unsigned port, enum sma_component bit, bool on)
{
	uint32_t before;
	uint32_t mask;

	if (!store_is_end_port(responder->store, port))
		return -ERANGE;
	if (store_get(responder->store, port, bit) == on)
		return 0;
	before = store_get(responder->store, port, SMA_PortInfo_CapabilityMask);
	store_set(responder->store, port, bit, on);
	responder->store->changed |= SMA_ALL_ATTRS; /* which of them the node has, capabilities say */
	mask = store_get(responder->store, port, SMA_PortInfo_CapabilityMask);
	raise_144(responder, port, mask, mask == before ? CHANGED_CAPABILITY_MASK2 : 0);
	return 0;
}

/* ---- M_Key violations (IBA 14.2.4) ---- */

#define AT_SMP(member) offsetof(struct umad_smp, member)

static void describe_route(uint8_t *details, const uint8_t *mad)
{
	unsigned hops = mad[AT_SMP(hop_cnt)];
	unsigned kept = hops < MAX_KEPT_HOPS ? hops : MAX_KEPT_HOPS;

	wire_put16(details + AT_256_DR_SLID, wire_get16(mad + AT_SMP(dr_slid)));
	details[AT_256_DR] = (uint8_t)(DR_NOTICE | (hops > MAX_KEPT_HOPS ? DR_PATH_TRUNCATED : 0) | kept);
	/* entry 0 of a path is never used */
	memcpy(details + AT_256_PATH, mad + AT_SMP(return_path) + 1, kept);
}

static void raise_256(struct responder *responder, unsigned port, const struct arrival *arrival,
                      const uint8_t *mad)
{
	uint8_t notice[SMA_BLOCK_SIZE];
	uint8_t *details = begin(responder, port, SMA_TRAP_BAD_M_KEY, notice);

	wire_put16(details + AT_LID, arrival->slid);
	details[AT_256_METHOD] = mad[AT_SMP(method)];
	memcpy(details + AT_256_ATTRIBUTE, mad + AT_SMP(attr_id), 2);
	memcpy(details + AT_256_MODIFIER, mad + AT_SMP(attr_mod), 4);
	memcpy(details + AT_256_M_KEY, mad + AT_SMP(mkey), 8);
	if (mad[AT_SMP(mgmt_class)] == UMAD_CLASS_SUBN_DIRECTED_ROUTE)
		describe_route(details, mad);
	raise_notice(responder, port, notice);
}

void event_bad_m_key(struct responder *responder, unsigned port, const struct arrival *arrival,
                     const uint8_t mad[SMA_MAD_SIZE])
{
	struct agent *agent = event_agent(responder, port);
	uint64_t lease_ms = 1000ULL * store_get(responder->store, port, SMA_PortInfo_M_KeyLeasePeriod);

	responder->counters.bad_m_key++;
	count_violation(responder, port, SMA_PortInfo_M_KeyViolations);
	if (agent->lease_ends == 0 && lease_ms)
		agent->lease_ends = arrival->now + lease_ms;
	raise_256(responder, port, arrival, mad);
}
