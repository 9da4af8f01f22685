// SPDX-License-Identifier: BSD-2-Clause
/* The attributes of ports, without their tables. */
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/iba/iba.h"
#include "sma/soft/attribute.h"
#include "sma/soft/attribute_parts.h"
#include "sma/soft/rules.h"

enum { EXTENDED_SPEEDS_FLAG = 0x80000000U /* in the modifier of PortInfo: SMSupportExtendedSpeeds */ };

int attribute_port(const struct sma_request *request)
{
	uint32_t number = request->modifier & ~EXTENDED_SPEEDS_FLAG;

	if (number > request->state->ports)
		return -1;
	return number == 0 ? (int)request->port : (int)number;
}

unsigned attribute_subject(const struct sma_request *request)
{
	int port = attribute_port(request);

	if (request->attribute != UMAD_SM_ATTR_PORT_INFO && request->attribute != ATTR_PORT_INFO_EXTENDED)
		return request->port;
	return port >= 0 && state_is_end_port(request->state, (unsigned)port) ? (unsigned)port
	                                                                      : request->port;
}

uint16_t attribute_find_port(const struct sma_request *request, struct span *span)
{
	int port = attribute_port(request);

	if (port < 0)
		return MAD_STATUS_INVALID;
	*span = (struct span){request->state->port[port].info, SMA_BLOCK_SIZE};
	return 0;
}

/* The M_Key is hidden from who does not know it, at protection level 1 (IBA 14.2.4). */
uint16_t attribute_get_port(const struct sma_request *request, uint8_t *data)
{
	sma_component_set(data, SMA_PortInfo_LocalPortNum, request->arrival->port);
	if (!request->knows_key && sma_component_get(data, SMA_PortInfo_M_KeyProtectBits) == 1)
		sma_component_set(data, SMA_PortInfo_M_Key, 0);
	return 0;
}

/* Other ports of a CA or router are read-only here: a Set of them is answered as a Get. */
static bool is_writable(const struct sma_request *request, int port)
{
	return state_is_switch(request->state) || port == (int)request->port;
}

uint16_t attribute_set_port(const struct sma_request *request, uint8_t *data)
{
	int port = attribute_port(request);
	bool reregister = sma_component_get(data, SMA_PortInfo_ClientReregister);
	uint16_t status = is_writable(request, port) ? rules_set_port(request, (unsigned)port, data) : 0;

	if (status)
		return status;
	memcpy(data, request->state->port[port].info, SMA_BLOCK_SIZE);
	/* the answer confirms the event, which leaves nothing to be read later */
	if (reregister && port == (int)request->port &&
	    attribute_capability(request, SMA_PortInfo_IsClientReregistrationSupported))
		sma_component_set(data, SMA_PortInfo_ClientReregister, 1);
	return 0;
}

uint16_t attribute_find_extended(const struct sma_request *request, struct span *span)
{
	int port = attribute_port(request);

	if (!attribute_capability(request, SMA_PortInfo_IsCapabilityMask2Supported) ||
	    !attribute_capability(request, SMA_PortInfo_IsPortInfoExtendedSupported))
		return MAD_STATUS_METHOD_ATTRIBUTE;
	if (port < 0)
		return MAD_STATUS_INVALID;
	*span = (struct span){request->state->port[port].extended, SMA_BLOCK_SIZE};
	return 0;
}

/* Pairs of half-words: what is supported, and behind it what is enabled of that. */
static uint16_t enable(uint8_t *stored, const uint8_t *data)
{
	static const unsigned pairs[] = {6, 10, 14, 18}; /* FDR, EDR, HDR, NDR */

	for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (wire_get16(data + pairs[i] + 2) & ~wire_get16(stored + pairs[i]))
			return MAD_STATUS_INVALID;
	}
	for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		memcpy(stored + pairs[i] + 2, data + pairs[i] + 2, 2);
	return 0;
}

uint16_t attribute_set_extended(const struct sma_request *request, uint8_t *data)
{
	int port = attribute_port(request);
	uint8_t *stored = request->state->port[port].extended;
	uint16_t status = is_writable(request, port) ? enable(stored, data) : 0;

	if (status == 0)
		memcpy(data, stored, SMA_BLOCK_SIZE);
	return status;
}

uint16_t attribute_find_led(const struct sma_request *request, struct span *span)
{
	if (!attribute_capability(request, SMA_PortInfo_IsLedInfoSupported))
		return MAD_STATUS_METHOD_ATTRIBUTE;
	*span = (struct span){&request->state->port[request->port].led, 1};
	return request->modifier ? MAD_STATUS_INVALID : 0;
}

uint16_t attribute_set_led(const struct sma_request *request, uint8_t *data)
{
	(void)request;
	memset(data + 1, 0, SMA_BLOCK_SIZE - 1);
	data[0] &= SOFT_LED_ON;
	return 0;
}
