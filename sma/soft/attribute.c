// SPDX-License-Identifier: BSD-2-Clause
/* The attributes of the software SMA: where each stands in the state, and which may be set (IBA 14.2.5). */
#include <stddef.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/iba/iba.h"
#include "sma/soft/attribute.h"
#include "sma/soft/rules.h"
#include "sma/soft/table.h"

enum {
	CA = 1 << SMA_NODE_CA,
	SWITCH = 1 << SMA_NODE_SWITCH,
	ROUTER = 1 << SMA_NODE_ROUTER,
	ANY = CA | SWITCH | ROUTER,
	FIRST_VENDOR_ATTRIBUTE = 0xFF00,
	ATTR_PORT_INFO_EXTENDED = 0x33,
	EXTENDED_SPEEDS_FLAG = 0x80000000U, /* in the modifier of PortInfo: SMSupportExtendedSpeeds */
};

struct attribute {
	uint16_t id;
	unsigned nodes; /* types that have it */
	/* Find it by the modifier. 0 or the status. */
	uint16_t (*locate)(const struct sma_request *request, struct span *span);
	/* Beyond copying: NULL where that is all. */
	uint16_t (*get)(const struct sma_request *request, uint8_t *data);
	uint16_t (*set)(const struct sma_request *request, uint8_t *data);
	/* Whether it can be set at all; NULL: yes. */
	bool (*is_settable)(const struct sma_request *request);
	bool stores; /* `set` has stored what is to be stored; `data` is the answer only */
};

static uint16_t whole(const struct sma_request *request, struct span *span, uint8_t *bytes)
{
	*span = (struct span){bytes, SMA_BLOCK_SIZE};
	return request->modifier ? MAD_STATUS_INVALID : 0;
}

/* ---- the node ---- */

static uint16_t description_at(const struct sma_request *request, struct span *span)
{
	return whole(request, span, request->state->description);
}

static bool description_is_settable(const struct sma_request *request)
{
	return table_port_get(request, SMA_PortInfo_IsCapabilityMask2Supported) &&
	       table_port_get(request, SMA_PortInfo_IsSetNodeDescriptionSupported);
}

static bool never(const struct sma_request *request)
{
	(void)request;
	return false;
}

static uint16_t node_at(const struct sma_request *request, struct span *span)
{
	return whole(request, span, request->state->node_info);
}

static uint16_t node_get(const struct sma_request *request, uint8_t *data)
{
	sma_component_set(data, SMA_NodeInfo_PortGUID, state_port_guid(request->state, request->port));
	sma_component_set(data, SMA_NodeInfo_LocalPortNum, request->arrival->port);
	return 0;
}

static uint16_t switch_at(const struct sma_request *request, struct span *span)
{
	return whole(request, span, request->state->switch_info);
}

static uint16_t switch_set(const struct sma_request *request, uint8_t *data)
{
	uint16_t status = rules_set_switch(request, data);

	if (status == 0)
		memcpy(data, request->state->switch_info, SMA_BLOCK_SIZE);
	return status;
}

/* Where there is no top, its place is reserved. */
static uint16_t switch_get(const struct sma_request *request, uint8_t *data)
{
	if (!table_port_get(request, SMA_PortInfo_IsMulticastFDBTopSupported))
		sma_component_set(data, SMA_SwitchInfo_MulticastFDBTop, 0);
	return 0;
}

/* ---- ports ---- */

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

static uint16_t port_at(const struct sma_request *request, struct span *span)
{
	int port = attribute_port(request);

	if (port < 0)
		return MAD_STATUS_INVALID;
	*span = (struct span){request->state->port[port].info, SMA_BLOCK_SIZE};
	return 0;
}

/* The M_Key is hidden from who does not know it, at protection level 1 (IBA 14.2.4). */
static uint16_t port_get_info(const struct sma_request *request, uint8_t *data)
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

static uint16_t port_set(const struct sma_request *request, uint8_t *data)
{
	int port = attribute_port(request);
	bool reregister = sma_component_get(data, SMA_PortInfo_ClientReregister);
	uint16_t status = is_writable(request, port) ? rules_set_port(request, (unsigned)port, data) : 0;

	if (status)
		return status;
	memcpy(data, request->state->port[port].info, SMA_BLOCK_SIZE);
	/* the answer confirms the event, which leaves nothing to be read later */
	if (reregister && port == (int)request->port &&
	    table_port_get(request, SMA_PortInfo_IsClientReregistrationSupported))
		sma_component_set(data, SMA_PortInfo_ClientReregister, 1);
	return 0;
}

static uint16_t extended_at(const struct sma_request *request, struct span *span)
{
	int port = attribute_port(request);

	if (!table_port_get(request, SMA_PortInfo_IsCapabilityMask2Supported) ||
	    !table_port_get(request, SMA_PortInfo_IsPortInfoExtendedSupported))
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

static uint16_t extended_set(const struct sma_request *request, uint8_t *data)
{
	int port = attribute_port(request);
	uint8_t *stored = request->state->port[port].extended;
	uint16_t status = is_writable(request, port) ? enable(stored, data) : 0;

	if (status == 0)
		memcpy(data, stored, SMA_BLOCK_SIZE);
	return status;
}

/* ---- the rest ---- */

static uint16_t notice_at(const struct sma_request *request, struct span *span)
{
	(void)span;
	if (!table_port_get(request, SMA_PortInfo_IsNoticeSupported))
		return MAD_STATUS_METHOD_ATTRIBUTE;
	return request->modifier ? MAD_STATUS_INVALID : 0;
}

static uint16_t queue_get(const struct sma_request *request, uint8_t *data)
{
	notice_queue_head(&responder_endpoint(request->responder, request->port)->notices, data);
	return 0;
}

static uint16_t queue_set(const struct sma_request *request, uint8_t *data)
{
	notice_queue_clear(&responder_endpoint(request->responder, request->port)->notices, data);
	return queue_get(request, data);
}

static uint16_t diag_at(const struct sma_request *request, struct span *span)
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

static uint16_t led_at(const struct sma_request *request, struct span *span)
{
	if (!table_port_get(request, SMA_PortInfo_IsLedInfoSupported))
		return MAD_STATUS_METHOD_ATTRIBUTE;
	*span = (struct span){&request->state->port[request->port].led, 1};
	return request->modifier ? MAD_STATUS_INVALID : 0;
}

static uint16_t led_set(const struct sma_request *request, uint8_t *data)
{
	(void)request;
	memset(data + 1, 0, SMA_BLOCK_SIZE - 1);
	data[0] &= SOFT_LED_ON;
	return 0;
}

static uint16_t vendor_at(const struct sma_request *request, struct span *span)
{
	*span = (struct span){request->state->vendor, SMA_BLOCK_SIZE};
	return request->state->vendor_range ? 0 : MAD_STATUS_METHOD_ATTRIBUTE;
}

static const struct attribute attributes[] = {
	{.id = UMAD_ATTR_NOTICE, .nodes = ANY, .locate = notice_at, .get = queue_get, .set = queue_set},
	{.id = UMAD_SM_ATTR_NODE_DESC,
         .nodes = ANY,
         .locate = description_at,
         .is_settable = description_is_settable},
	{.id = UMAD_SM_ATTR_NODE_INFO,
         .nodes = ANY,
         .locate = node_at,
         .get = node_get,
         .is_settable = never},
	{.id = UMAD_SM_ATTR_SWITCH_INFO,
         .nodes = SWITCH,
         .locate = switch_at,
         .get = switch_get,
         .set = switch_set,
         .stores = true},
	{.id = UMAD_SM_ATTR_GUID_INFO, .nodes = ANY, .locate = table_find_guids, .set = table_clean_guids},
	{.id = UMAD_SM_ATTR_PORT_INFO,
         .nodes = ANY,
         .locate = port_at,
         .get = port_get_info,
         .set = port_set,
         .stores = true},
	{.id = UMAD_SM_ATTR_PKEY_TABLE, .nodes = ANY, .locate = table_find_pkeys},
	{.id = UMAD_SM_ATTR_SLVL_TABLE, .nodes = ANY, .locate = table_find_sl2vl},
	{.id = UMAD_SM_ATTR_VL_ARB_TABLE, .nodes = ANY, .locate = table_find_vlarb, .set = table_clean_vlarb},
	{.id = UMAD_SM_ATTR_LINEAR_FT, .nodes = SWITCH, .locate = table_find_linear},
	{.id = UMAD_SM_ATTR_RANDOM_FT,
         .nodes = SWITCH,
         .locate = table_find_random,
         .set = table_clean_random},
	{.id = UMAD_SM_ATTR_MCAST_FT, .nodes = SWITCH, .locate = table_find_multicast},
	{.id = UMAD_SM_ATTR_VENDOR_DIAG, .nodes = ANY, .locate = diag_at, .is_settable = never},
	{.id = UMAD_SM_ATTR_LED_INFO, .nodes = ANY, .locate = led_at, .set = led_set},
	{.id = ATTR_PORT_INFO_EXTENDED,
         .nodes = ANY,
         .locate = extended_at,
         .set = extended_set,
         .stores = true},
};

static const struct attribute vendor_attribute = {.nodes = ANY, .locate = vendor_at};

static const struct attribute *find(uint16_t id, unsigned type)
{
	if (id >= FIRST_VENDOR_ATTRIBUTE)
		return &vendor_attribute;
	for (unsigned i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		if (attributes[i].id == id)
			return attributes[i].nodes >> type & 1 ? &attributes[i] : NULL;
	}
	return NULL;
}

/* The bit of an attribute, by its id; 0: those of the state do not include it. */
static unsigned bit_of(uint16_t id)
{
	unsigned attr = 0;

	while (attr < SMA_ATTR_COUNT && sma_attr_id(attr) != id)
		attr++;
	return attr < SMA_ATTR_COUNT ? 1U << attr : 0;
}

static uint16_t carry_out_set(const struct sma_request *request, const struct attribute *a,
                              const struct span *span, uint8_t *data)
{
	uint16_t status = a->set ? a->set(request, data) : 0;

	if (status == 0 && span->bytes && !a->stores)
		state_put(request->state, bit_of(a->id), span->bytes, data, span->length);
	return status;
}

uint16_t attribute_serve(const struct sma_request *request, uint8_t data[SMA_BLOCK_SIZE])
{
	const struct attribute *a = find(request->attribute, request->state->type);
	bool is_set = request->method == MAD_SET;
	struct span span = {0};
	uint16_t status;

	if (!a || (is_set && a->is_settable && !a->is_settable(request)))
		return MAD_STATUS_METHOD_ATTRIBUTE;
	status = a->locate(request, &span);
	if (status == 0 && is_set)
		status = carry_out_set(request, a, &span, data);
	if (status)
		return status;
	if (!is_set && span.bytes)
		memcpy(data, span.bytes, span.length);
	if (span.bytes)
		memset(data + span.length, 0, SMA_BLOCK_SIZE - span.length);
	return a->get ? a->get(request, data) : 0;
}
