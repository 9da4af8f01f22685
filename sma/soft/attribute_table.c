// SPDX-License-Identifier: BSD-2-Clause
/* The tables of the software SMA: GUIDs, P_Keys, lanes, forwarding (IBA 14.2.5.5, .7 to .12). */
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/attribute_parts.h"

enum { RANDOM_ENTRY_SIZE = 4 };

unsigned attribute_capability(const struct sma_request *request, enum sma_component component)
{
	return state_get(request->state, request->port, component);
}

static uint16_t block_at(struct span *span, uint8_t *table, size_t size, size_t offset)
{
	if (!table || offset >= size)
		return MAD_STATUS_INVALID;
	span->bytes = table + offset;
	span->length = size - offset < SMA_BLOCK_SIZE ? size - offset : SMA_BLOCK_SIZE;
	return 0;
}

/* ---- tables of ports ---- */

uint16_t attribute_find_guids(const struct sma_request *request, struct span *span)
{
	return block_at(span, request->state->port[request->port].guids,
	                attribute_capability(request, SMA_PortInfo_GUIDCap) * sizeof(uint64_t),
	                (size_t)request->modifier * SMA_BLOCK_SIZE);
}

/* GUID 0 is the port's own and stays. */
uint16_t attribute_set_guids(const struct sma_request *request, uint8_t *data)
{
	if (request->modifier == 0)
		memcpy(data, request->state->port[request->port].guids, sizeof(uint64_t));
	return 0;
}

uint16_t attribute_find_pkeys(const struct sma_request *request, struct span *span)
{
	unsigned port = state_is_switch(request->state) ? request->modifier >> 16 : request->port;

	if (port > request->state->ports)
		return MAD_STATUS_INVALID;
	return block_at(span, request->state->port[port].pkeys,
	                request->state->port[port].pkey_count * sizeof(uint16_t),
	                (size_t)(request->modifier & 0xFFFF) * SMA_BLOCK_SIZE);
}

/* Whether a switch has this port as an output: port 0 only where it is an enhanced one. */
static bool is_output(const struct sma_request *request, unsigned port)
{
	return port <= request->state->ports &&
	       (port || state_get(request->state, 0, SMA_SwitchInfo_EnhancedPort0));
}

uint16_t attribute_find_sl2vl(const struct sma_request *request, struct span *span)
{
	bool is_switch = state_is_switch(request->state);
	unsigned out = is_switch ? request->modifier & 0xFF : request->port;
	unsigned in = is_switch ? request->modifier >> 8 : 0;

	if (!attribute_capability(request, SMA_PortInfo_IsSLMappingSupported))
		return MAD_STATUS_METHOD_ATTRIBUTE;
	if (is_switch && !is_output(request, out))
		return MAD_STATUS_INVALID;
	if (in >= request->state->port[out].sl2vl_count)
		return MAD_STATUS_INVALID;
	*span = (struct span){request->state->port[out].sl2vl + (size_t)in * SOFT_SL2VL_SIZE,
	                      SOFT_SL2VL_SIZE};
	return 0;
}

static unsigned arbitration_entries(const struct sma_request *request, unsigned port, unsigned half)
{
	return state_get(request->state, port,
	                 half > 2 ? SMA_PortInfo_VLArbitrationHighCap : SMA_PortInfo_VLArbitrationLowCap);
}

uint16_t attribute_find_vlarb(const struct sma_request *request, struct span *span)
{
	bool is_switch = state_is_switch(request->state);
	unsigned port = is_switch ? request->modifier & 0xFFFF : request->port;
	unsigned half = request->modifier >> 16;
	unsigned skipped = half % 2 ? 0 : SMA_VLARB_PER_BLOCK;

	if (is_switch && !is_output(request, port))
		return MAD_STATUS_INVALID;
	if (state_get(request->state, port, SMA_PortInfo_VLCap) <= 1)
		return MAD_STATUS_METHOD_ATTRIBUTE;
	if (half < 1 || half > SOFT_VLARB_HALVES)
		return MAD_STATUS_INVALID;
	return block_at(span, request->state->port[port].vlarb[half - 1],
	                arbitration_entries(request, port, half) > skipped ? SMA_BLOCK_SIZE : 0, 0);
}

/* The upper half of the byte with the VL is reserved. */
uint16_t attribute_set_vlarb(const struct sma_request *request, uint8_t *data)
{
	(void)request;
	for (unsigned i = 0; i < SMA_BLOCK_SIZE; i += 2)
		data[i] &= 0x0F;
	return 0;
}

/* ---- forwarding ---- */

uint16_t attribute_find_linear(const struct sma_request *request, struct span *span)
{
	if (!request->state->linear)
		return MAD_STATUS_METHOD_ATTRIBUTE;
	return block_at(span, request->state->linear,
	                state_get(request->state, 0, SMA_SwitchInfo_LinearFDBCap),
	                (size_t)request->modifier * SMA_BLOCK_SIZE);
}

uint16_t attribute_find_random(const struct sma_request *request, struct span *span)
{
	if (!request->state->random)
		return MAD_STATUS_METHOD_ATTRIBUTE;
	return block_at(span, request->state->random,
	                (size_t)state_get(request->state, 0, SMA_SwitchInfo_RandomFDBCap) * RANDOM_ENTRY_SIZE,
	                (size_t)request->modifier * SMA_BLOCK_SIZE);
}

/* The lower half of the byte with the LMC is reserved. */
uint16_t attribute_set_random(const struct sma_request *request, uint8_t *data)
{
	(void)request;
	for (unsigned i = 2; i < SMA_BLOCK_SIZE; i += RANDOM_ENTRY_SIZE)
		data[i] &= 0xF0;
	return 0;
}

uint16_t attribute_find_multicast(const struct sma_request *request, struct span *span)
{
	size_t size = state_get(request->state, 0, SMA_SwitchInfo_MulticastFDBCap) * sizeof(uint16_t);
	unsigned position = request->modifier >> 28;

	if (!request->state->multicast)
		return MAD_STATUS_METHOD_ATTRIBUTE;
	if (position >= request->state->positions)
		return MAD_STATUS_INVALID;
	return block_at(span, request->state->multicast + position * size, size,
	                (size_t)(request->modifier & 0x0FFFFFFF) * SMA_BLOCK_SIZE);
}
