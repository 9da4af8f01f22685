// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/event_traps.h"

enum {
	CHANGED_DESCRIPTION = 0x0001, /* ChangeFlags of trap 144 */
	CHANGED_CAPABILITY_MASK2 = 0x0020,
};

/* The end port whose SMA reports what concerns a port. */
static unsigned reporter(const struct responder *responder, unsigned port)
{
	return state_is_switch(responder->state) ? 0 : port;
}

static uint16_t lid_of(const struct responder *responder, unsigned port)
{
	return (uint16_t)state_get(responder->state, reporter(responder, port), SMA_PortInfo_LID);
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
	unsigned by = reporter(responder, port);
	struct endpoint *endpoint = responder_endpoint(responder, by);

	if (responder->raised)
		responder->raised(responder->raised_arg, notice);
	if (state_get(responder->state, by, SMA_PortInfo_IsNoticeSupported))
		notice_queue_add(&endpoint->notices, notice);
	if (may_trap(responder, by))
		trap_sender_add(&endpoint->traps, notice);
}

void event_traps_link_state(struct responder *responder, unsigned port)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	begin(responder, port, SMA_TRAP_LINK_STATE, notice);
	raise_notice(responder, port, notice);
}

int event_traps_threshold(struct responder *responder, unsigned port, unsigned trap)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	if (!state_is_data_port(responder->state, port))
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

/* Whether bad P_Keys at data ports are reported. */
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
	if (at_switch ? !state_is_data_port(responder->state, port)
	              : !state_is_end_port(responder->state, port))
		return -ERANGE;
	state_count_violation(responder->state, port,
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
                              void (*raise)(struct responder *responder, unsigned port))
{
	for (unsigned p = 0; p <= responder->state->ports; p++) {
		if (state_is_end_port(responder->state, p))
			raise(responder, p);
	}
}

static void raise_description(struct responder *responder, unsigned port)
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
	for_each_endpoint(responder, raise_description);
	return 0;
}

static void raise_system_guid(struct responder *responder, unsigned port)
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
	for_each_endpoint(responder, raise_system_guid);
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

void event_traps_bad_m_key(struct responder *responder, unsigned port, const struct arrival *arrival,
                           const uint8_t mad[MAD_SIZE])
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
