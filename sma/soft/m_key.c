// SPDX-License-Identifier: BSD-2-Clause
#include "sma/soft/m_key.h"
#include "sma/iba/iba.h"
#include "sma/soft/attribute.h"
#include "sma/soft/event_traps.h"

enum { LEVEL_READABLE = 1 /* highest protection level at which everybody may read */ };

void m_key_end_leases(struct responder *responder, uint64_t now)
{
	for (unsigned i = 0; i < responder->endpoint_count; i++) {
		struct endpoint *endpoint = &responder->endpoints[i];

		if (endpoint->lease_ends == 0 || now < endpoint->lease_ends)
			continue;
		endpoint->lease_ends = 0;
		state_set(responder->state, responder_port(responder, i), SMA_PortInfo_M_KeyProtectBits, 0);
	}
}

static bool matches(const struct sma_request *request, unsigned port)
{
	uint64_t key = sma_component_get(request->state->port[port].info, SMA_PortInfo_M_Key);

	return key == 0 || key == request->m_key;
}

static void note_violation(const struct sma_request *request, unsigned port)
{
	struct endpoint *endpoint = responder_endpoint(request->responder, port);
	uint64_t lease_ms = 1000ULL * state_get(request->state, port, SMA_PortInfo_M_KeyLeasePeriod);

	request->responder->counters.bad_m_key++;
	state_count_violation(request->state, port, SMA_PortInfo_M_KeyViolations);
	if (endpoint->lease_ends == 0 && lease_ms)
		endpoint->lease_ends = request->arrival->now + lease_ms;
	event_traps_bad_m_key(request->responder, port, request->arrival, request->mad);
}

static bool check(const struct sma_request *request, unsigned port)
{
	if (matches(request, port)) {
		responder_endpoint(request->responder, port)->lease_ends = 0;
		return true;
	}
	if (request->method == MAD_GET &&
	    state_get(request->state, port, SMA_PortInfo_M_KeyProtectBits) <= LEVEL_READABLE)
		return true;
	note_violation(request, port);
	return false;
}

/* What is said of another port of a CA or router is protected by that port's key as well. */
bool m_key_check(const struct sma_request *request)
{
	unsigned about = attribute_subject(request);
	bool good;

	if (request->arrival->trusted)
		return true;
	good = check(request, request->port);
	if (about != request->port)
		good = check(request, about) && good;
	return good;
}

bool m_key_is_known(const struct sma_request *request)
{
	return request->arrival->trusted || matches(request, attribute_subject(request));
}
