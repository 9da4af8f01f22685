// SPDX-License-Identifier: BSD-2-Clause
/* The attributes of a node as a whole. */
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/attribute_parts.h"
#include "sma/soft/rules.h"

static uint16_t whole(const struct sma_request *request, struct span *span, uint8_t *bytes)
{
	*span = (struct span){bytes, SMA_BLOCK_SIZE};
	return request->modifier ? MAD_STATUS_INVALID : 0;
}

uint16_t attribute_find_description(const struct sma_request *request, struct span *span)
{
	return whole(request, span, request->state->description);
}

bool attribute_may_set_description(const struct sma_request *request)
{
	return attribute_capability(request, SMA_PortInfo_IsCapabilityMask2Supported) &&
	       attribute_capability(request, SMA_PortInfo_IsSetNodeDescriptionSupported);
}

bool attribute_may_not_set(const struct sma_request *request)
{
	(void)request;
	return false;
}

uint16_t attribute_find_node(const struct sma_request *request, struct span *span)
{
	return whole(request, span, request->state->node_info);
}

uint16_t attribute_get_node(const struct sma_request *request, uint8_t *data)
{
	sma_component_set(data, SMA_NodeInfo_PortGUID, state_port_guid(request->state, request->port));
	sma_component_set(data, SMA_NodeInfo_LocalPortNum, request->arrival->port);
	return 0;
}

uint16_t attribute_find_switch(const struct sma_request *request, struct span *span)
{
	return whole(request, span, request->state->switch_info);
}

uint16_t attribute_set_switch(const struct sma_request *request, uint8_t *data)
{
	uint16_t status = rules_set_switch(request, data);

	if (status == 0)
		memcpy(data, request->state->switch_info, SMA_BLOCK_SIZE);
	return status;
}

/* Where there is no top, its place is reserved. */
uint16_t attribute_get_switch(const struct sma_request *request, uint8_t *data)
{
	if (!attribute_capability(request, SMA_PortInfo_IsMulticastFDBTopSupported))
		sma_component_set(data, SMA_SwitchInfo_MulticastFDBTop, 0);
	return 0;
}

uint16_t attribute_find_notice(const struct sma_request *request, struct span *span)
{
	(void)span;
	if (!attribute_capability(request, SMA_PortInfo_IsNoticeSupported))
		return MAD_STATUS_METHOD_ATTRIBUTE;
	return request->modifier ? MAD_STATUS_INVALID : 0;
}

uint16_t attribute_get_notice(const struct sma_request *request, uint8_t *data)
{
	notice_queue_head(&responder_endpoint(request->responder, request->port)->notices, data);
	return 0;
}

uint16_t attribute_set_notice(const struct sma_request *request, uint8_t *data)
{
	notice_queue_clear(&responder_endpoint(request->responder, request->port)->notices, data);
	return attribute_get_notice(request, data);
}

uint16_t attribute_find_diag(const struct sma_request *request, struct span *span)
{
	if (request->state->diag_count == 0)
		return MAD_STATUS_METHOD_ATTRIBUTE;
	for (unsigned i = 0; i < request->state->diag_count; i++) {
		if (request->state->diags[i].index == request->modifier) {
			*span = (struct span){request->state->diags[i].block, SMA_BLOCK_SIZE};
			return 0;
		}
	}
	return MAD_STATUS_INVALID;
}

uint16_t attribute_find_vendor(const struct sma_request *request, struct span *span)
{
	*span = (struct span){request->state->vendor, SMA_BLOCK_SIZE};
	return request->state->vendor_range ? 0 : MAD_STATUS_METHOD_ATTRIBUTE;
}
