// SPDX-License-Identifier: BSD-2-Clause
/* The frame around the attributes: which SMPs are taken, in which order they are checked, how the answer is
 * built. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/iba/iba.h"
#include "sma/soft/attribute.h"
#include "sma/soft/m_key.h"

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

struct endpoint *responder_endpoint(struct responder *responder, unsigned port)
{
	return &responder->endpoints[state_is_switch(responder->state) ? 0 : port - 1];
}

unsigned responder_port(const struct responder *responder, unsigned endpoint)
{
	return state_is_switch(responder->state) ? 0 : endpoint + 1;
}

/* ---- the frame ---- */

/* Whether a packet is a request for an SMA at all, at the end of its route. */
static bool is_well_formed(const struct sma_request *request)
{
	const uint8_t *mad = request->mad;
	unsigned pointer = mad[SMP_AT_HOP_POINTER];
	unsigned hops = mad[SMP_AT_HOP_COUNT];

	if (mad[MAD_AT_BASE_VERSION] != MAD_BASE_VERSION ||
	    (!request->directed && mad[MAD_AT_CLASS] != MAD_CLASS_SM))
		return false;
	if (request->method & MAD_RESPONSE || request->method == MAD_TRAP || request->method == MAD_REPORT)
		return false;
	if (!request->directed)
		return true;
	return !(wire_get16(mad + MAD_AT_STATUS) & SMP_DIRECTION) && hops <= MAD_MAX_HOPS &&
	       (request->arrival->any_hop_pointer || pointer == hops + 1);
}

static struct sma_request parse(struct responder *responder, const struct arrival *arrival,
                                const uint8_t *mad)
{
	return (struct sma_request){
		.responder = responder,
		.state = responder->state,
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

static enum verdict answer(const struct sma_request *request, uint16_t status, const uint8_t *data,
                           uint8_t *response)
{
	uint64_t *counter =
		status ? &request->responder->counters.refused : &request->responder->counters.answered;

	++*counter;
	memmove(response, request->mad, MAD_SIZE);
	response[MAD_AT_METHOD] = MAD_GET | MAD_RESPONSE;
	wire_put16(response + MAD_AT_STATUS, (uint16_t)(status | (request->directed ? SMP_DIRECTION : 0)));
	if (data)
		memcpy(response + SMP_AT_DATA, data, SMA_BLOCK_SIZE);
	return VERDICT_ANSWER;
}

static enum verdict repress(const struct sma_request *request)
{
	uint32_t tid = (uint32_t)wire_get64(request->mad + MAD_AT_TID);

	if (request->attribute == UMAD_ATTR_NOTICE && request->modifier == 0 &&
	    trap_sender_repress(&responder_endpoint(request->responder, request->port)->traps, tid))
		request->responder->counters.represses++;
	return VERDICT_DROP;
}

static bool is_sm_disabled(const struct sma_request *request)
{
	return state_get(request->state, request->port, SMA_PortInfo_IsSMdisabled);
}

/* SMInfo is the SM's to answer, and to protect, where there is one. */
static bool is_for_sm(const struct sma_request *request)
{
	return request->attribute == UMAD_SM_ATTR_SM_INFO && !is_sm_disabled(request) &&
	       state_get(request->state, request->port, SMA_PortInfo_IsSM);
}

/* Whether a Set may change what the node keeps across restarts. */
static bool may_be_kept(const struct sma_request *request)
{
	const struct soft_state *state = request->state;

	if (request->attribute == UMAD_SM_ATTR_PORT_INFO)
		return state_get(state, request->port, SMA_PortInfo_IsMKeyNVRAM);
	return request->attribute == UMAD_SM_ATTR_PKEY_TABLE &&
	       state_get(state, request->port, SMA_PortInfo_IsPKeyNVRAM);
}

static enum verdict serve(const struct sma_request *request, uint8_t *response)
{
	bool is_set = request->method == MAD_SET;
	uint8_t data[SMA_BLOCK_SIZE] = {0};
	uint16_t status;

	if (is_set)
		memcpy(data, request->mad + SMP_AT_DATA, sizeof(data));
	status = attribute_serve(request, data);
	answer(request, status, status ? NULL : data, response);
	return is_set && status == 0 && request->responder->held && may_be_kept(request) ? VERDICT_HOLD
	                                                                                 : VERDICT_ANSWER;
}

/* The order of the steps is that of IBA 14.2: version, M_Key, method, attribute. */
enum verdict responder_answer(struct responder *responder, const struct arrival *arrival,
                              const uint8_t mad[MAD_SIZE], uint8_t response[MAD_SIZE])
{
	struct sma_request request = parse(responder, arrival, mad);
	bool get_or_set = request.method == MAD_GET || request.method == MAD_SET;
	bool guarded = get_or_set || request.method == MAD_TRAP_REPRESS;

	m_key_end_leases(responder, arrival->now);
	if (!state_is_end_port(responder->state, request.port) || arrival->port > responder->state->ports ||
	    !is_well_formed(&request)) {
		responder->counters.malformed++;
		return VERDICT_DROP;
	}
	if (mad[MAD_AT_CLASS_VERSION] != mad_class_find(MAD_CLASS_SM)->version)
		return request.method == MAD_TRAP_REPRESS
		               ? VERDICT_DROP
		               : answer(&request, MAD_STATUS_VERSION, NULL, response);
	if (get_or_set && is_for_sm(&request))
		return VERDICT_TO_SM;
	if (guarded && !m_key_check(&request))
		return VERDICT_DROP;
	if (request.method == MAD_TRAP_REPRESS)
		return repress(&request);
	if (!get_or_set)
		return answer(&request, MAD_STATUS_METHOD, NULL, response);
	if (request.attribute == UMAD_SM_ATTR_SM_INFO && is_sm_disabled(&request))
		return VERDICT_DROP;
	request.knows_key = m_key_is_known(&request);
	return serve(&request, response);
}

/* ---- traps ---- */

static bool is_active(const struct responder *responder, unsigned port)
{
	return state_get(responder->state, port, SMA_PortInfo_PortState) == SMA_PORT_ACTIVE;
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

		*port = responder_port(responder, i);
		trap = is_active(responder, *port) ? trap_sender_next(&responder->endpoints[i].traps, now,
		                                                      state_trap_pace(state, *port))
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

		if (is_active(responder, responder_port(responder, i)) && trap_sender_waiting(traps) &&
		    traps->next_at < due)
			due = traps->next_at;
	}
	return due;
}
