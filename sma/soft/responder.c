// SPDX-License-Identifier: BSD-2-Clause
/* The frame around the attributes: which SMPs are taken, whose M_Key is checked, how the answer is built. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/iba/iba.h"
#include "sma/soft/sma_request.h"

enum {
	LEVEL_READABLE = 1, /* highest protection level at which everybody may read */
	ATTR_PORT_INFO_EXTENDED = 0x33,
};

/* A packet that is being judged. */
struct packet {
	struct responder *responder;
	const struct arrival *arrival;
	const uint8_t *mad;
	unsigned port; /* of the SMA */
	uint8_t method;
	uint16_t attribute;
	uint32_t modifier;
	uint64_t m_key;
	bool directed;
};

/* ---- start and end ---- */

int responder_init(struct responder *responder, struct soft_state *state)
{
	unsigned count = state_is_switch(state) ? 1 : state->ports;

	*responder = (struct responder){.state = state, .endpoint_count = count};
	responder->endpoints = calloc(count, sizeof(*responder->endpoints));
	return responder->endpoints ? 0 : -ENOMEM;
}

void responder_finish(struct responder *responder)
{
	free(responder->endpoints);
	responder->endpoints = NULL;
}

/* The port whose SMA an agent is. */
static unsigned port_of(const struct responder *responder, unsigned endpoint)
{
	return state_is_switch(responder->state) ? 0 : endpoint + 1;
}

/* ---- M_Key (IBA 14.2.4) ---- */

/* When the lease runs out, protection ends; the key stays. */
static void check_leases(struct responder *responder, uint64_t now)
{
	for (unsigned i = 0; i < responder->endpoint_count; i++) {
		struct endpoint *endpoint = &responder->endpoints[i];

		if (endpoint->lease_ends == 0 || now < endpoint->lease_ends)
			continue;
		endpoint->lease_ends = 0;
		state_set(responder->state, port_of(responder, i), SMA_PortInfo_M_KeyProtectBits, 0);
	}
}

static bool key_matches(const struct packet *p, unsigned port)
{
	uint64_t key = sma_component_get(p->responder->state->port[port].info, SMA_PortInfo_M_Key);

	return key == 0 || key == p->m_key;
}

/* Check the key of a packet against a port, and note the outcome. */
static bool check_key(const struct packet *p, unsigned port)
{
	struct responder *r = p->responder;

	if (p->arrival->trusted)
		return true;
	if (key_matches(p, port)) {
		responder_endpoint(r, port)->lease_ends = 0;
		return true;
	}
	if (p->method == MAD_GET &&
	    state_get(r->state, port, SMA_PortInfo_M_KeyProtectBits) <= LEVEL_READABLE)
		return true;
	event_traps_bad_m_key(r, port, p->arrival, p->mad);
	return false;
}

static struct sma_request request_of(const struct packet *p)
{
	return (struct sma_request){
		.responder = p->responder,
		.state = p->responder->state,
		.arrived = p->arrival->port,
		.port = p->port,
		.modifier = p->modifier,
	};
}

/* The end port that a packet is about: another one than that of the SMA, if it names one. */
static unsigned subject(const struct packet *p)
{
	const struct sma_request request = request_of(p);
	int port = attribute_port(&request);

	if (p->attribute != UMAD_SM_ATTR_PORT_INFO && p->attribute != ATTR_PORT_INFO_EXTENDED)
		return p->port;
	return port >= 0 && state_is_end_port(p->responder->state, (unsigned)port) ? (unsigned)port : p->port;
}

/* What is said of another port of a CA or router is protected by that port's key as well. */
static bool check_keys(const struct packet *p)
{
	unsigned about = subject(p);
	bool good = check_key(p, p->port);

	if (about != p->port)
		good = check_key(p, about) && good;
	return good;
}

/* ---- the frame ---- */

/* Whether a packet is a request for an SMA at all, at the end of its route. */
static bool is_well_formed(const struct packet *p)
{
	const uint8_t *mad = p->mad;
	unsigned pointer = mad[SMP_AT_HOP_POINTER];
	unsigned hops = mad[SMP_AT_HOP_COUNT];

	if (mad[MAD_AT_BASE_VERSION] != MAD_BASE_VERSION ||
	    (!p->directed && mad[MAD_AT_CLASS] != MAD_CLASS_SM))
		return false;
	if (p->method & MAD_RESPONSE || p->method == MAD_TRAP || p->method == MAD_REPORT)
		return false;
	if (!p->directed)
		return true;
	return !(wire_get16(mad + MAD_AT_STATUS) & SMP_DIRECTION) && hops <= MAD_MAX_HOPS &&
	       (p->arrival->any_hop_pointer || pointer == hops + 1);
}

static struct packet parse(struct responder *responder, const struct arrival *arrival, const uint8_t *mad)
{
	return (struct packet){
		.responder = responder,
		.arrival = arrival,
		.mad = mad,
		.port = state_is_switch(responder->state) ? 0 : arrival->port,
		.method = mad[MAD_AT_METHOD],
		.attribute = wire_get16(mad + MAD_AT_ATTRIBUTE),
		.modifier = wire_get32(mad + MAD_AT_MODIFIER),
		.m_key = wire_get64(mad + SMP_AT_M_KEY),
		.directed = mad[MAD_AT_CLASS] == MAD_CLASS_SM_DIRECTED,
	};
}

static enum verdict answer(const struct packet *p, uint16_t status, const uint8_t *data, uint8_t *response)
{
	uint64_t *counter = status ? &p->responder->counters.refused : &p->responder->counters.answered;

	++*counter;
	memmove(response, p->mad, MAD_SIZE);
	response[MAD_AT_METHOD] = MAD_GET | MAD_RESPONSE;
	wire_put16(response + MAD_AT_STATUS, (uint16_t)(status | (p->directed ? SMP_DIRECTION : 0)));
	if (data)
		memcpy(response + SMP_AT_DATA, data, SMA_BLOCK_SIZE);
	return VERDICT_ANSWER;
}

static enum verdict repress(const struct packet *p)
{
	uint32_t tid = (uint32_t)wire_get64(p->mad + MAD_AT_TID);

	if (p->attribute == UMAD_ATTR_NOTICE && p->modifier == 0 &&
	    trap_sender_repress(&responder_endpoint(p->responder, p->port)->traps, tid))
		p->responder->counters.represses++;
	return VERDICT_DROP;
}

static bool is_sm_disabled(const struct packet *p)
{
	return state_get(p->responder->state, p->port, SMA_PortInfo_IsSMdisabled);
}

/* SMInfo is the SM's to answer, and to protect, where there is one. */
static bool is_for_sm(const struct packet *p)
{
	return p->attribute == UMAD_SM_ATTR_SM_INFO && !is_sm_disabled(p) &&
	       state_get(p->responder->state, p->port, SMA_PortInfo_IsSM);
}

/* Whether a Set may change what the node keeps across restarts. */
static bool may_be_kept(const struct packet *p)
{
	const struct soft_state *state = p->responder->state;

	if (p->attribute == UMAD_SM_ATTR_PORT_INFO)
		return state_get(state, p->port, SMA_PortInfo_IsMKeyNVRAM);
	return p->attribute == UMAD_SM_ATTR_PKEY_TABLE && state_get(state, p->port, SMA_PortInfo_IsPKeyNVRAM);
}

static enum verdict serve(const struct packet *p, uint8_t *response)
{
	struct sma_request request = request_of(p);
	uint8_t data[SMA_BLOCK_SIZE];
	uint16_t status;
	bool holds;

	request.key_matches = p->arrival->trusted || key_matches(p, subject(p));
	if (p->method == MAD_SET)
		memcpy(data, p->mad + SMP_AT_DATA, sizeof(data));
	else
		memset(data, 0, sizeof(data));
	status = attribute_serve(&request, p->attribute, p->method == MAD_SET, data);
	holds = status == 0 && p->method == MAD_SET && p->responder->held && may_be_kept(p);
	answer(p, status, status ? NULL : data, response);
	return holds ? VERDICT_HOLD : VERDICT_ANSWER;
}

/* The order of the steps is that of IBA 14.2: version, M_Key, method, attribute. */
enum verdict responder_answer(struct responder *responder, const struct arrival *arrival,
                              const uint8_t request[MAD_SIZE], uint8_t response[MAD_SIZE])
{
	const struct packet p = parse(responder, arrival, request);
	bool get_or_set = p.method == MAD_GET || p.method == MAD_SET;
	bool guarded = get_or_set || p.method == MAD_TRAP_REPRESS;

	check_leases(responder, arrival->now);
	if (!state_is_end_port(responder->state, p.port) || arrival->port > responder->state->ports ||
	    !is_well_formed(&p)) {
		responder->counters.malformed++;
		return VERDICT_DROP;
	}
	if (request[MAD_AT_CLASS_VERSION] != mad_class_find(MAD_CLASS_SM)->version)
		return p.method == MAD_TRAP_REPRESS ? VERDICT_DROP
		                                    : answer(&p, MAD_STATUS_VERSION, NULL, response);
	if (get_or_set && is_for_sm(&p))
		return VERDICT_TO_SM;
	if (guarded && !check_keys(&p))
		return VERDICT_DROP;
	if (p.method == MAD_TRAP_REPRESS)
		return repress(&p);
	if (!get_or_set)
		return answer(&p, MAD_STATUS_METHOD, NULL, response);
	if (p.attribute == UMAD_SM_ATTR_SM_INFO && is_sm_disabled(&p))
		return VERDICT_DROP;
	return serve(&p, response);
}

/* ---- traps ---- */

static bool is_active(const struct responder *responder, unsigned port)
{
	return state_get(responder->state, port, SMA_PortInfo_PortState) == SMA_PORT_ACTIVE;
}

static uint64_t pace_ms(const struct responder *responder, unsigned port)
{
	unsigned exponent = state_get(responder->state, port, SMA_PortInfo_SubnetTimeOut);

	return (4096ULL << exponent) / 1000000 + 1; /* 4.096 us x 2^SubnetTimeOut */
}

static void build_trap(uint8_t mad[MAD_SIZE], const struct trap *trap)
{
	const struct mad_head head = {
		.class = MAD_CLASS_SM, .method = MAD_TRAP, .tid = trap->tid, .attribute = UMAD_ATTR_NOTICE};

	mad_build(mad, &head);
	memcpy(mad + SMP_AT_DATA, trap->notice, SMA_BLOCK_SIZE);
}

bool responder_next_trap(struct responder *responder, uint64_t now, uint8_t mad[MAD_SIZE], unsigned *port,
                         uint16_t *dlid, unsigned *sl)
{
	const struct soft_state *state = responder->state;

	for (unsigned i = 0; i < responder->endpoint_count; i++) {
		const struct trap *trap;

		*port = port_of(responder, i);
		trap = is_active(responder, *port) ? trap_sender_next(&responder->endpoints[i].traps, now,
		                                                      pace_ms(responder, *port))
		                                   : NULL;
		if (!trap)
			continue;
		build_trap(mad, trap);
		*dlid = (uint16_t)state_get(state, *port, SMA_PortInfo_MasterSMLID);
		*sl = state_get(state, *port, SMA_PortInfo_MasterSMSL);
		return true;
	}
	return false;
}

uint64_t responder_due(const struct responder *responder)
{
	uint64_t due = UINT64_MAX;

	for (unsigned i = 0; i < responder->endpoint_count; i++) {
		const struct trap_sender *traps = &responder->endpoints[i].traps;

		if (is_active(responder, port_of(responder, i)) && trap_sender_waiting(traps) &&
		    traps->next_at < due)
			due = traps->next_at;
	}
	return due;
}
