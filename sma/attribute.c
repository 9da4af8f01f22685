// SPDX-License-Identifier: BSD-2-Clause
/* The attributes of the software SMA: where each stands in the store, and which may be set (IBA 14.2.5). */
#include <stddef.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/served.h"
#include "sma/wire.h"

enum {
	CA = 1 << SMA_NODE_CA,
	SWITCH = 1 << SMA_NODE_SWITCH,
	ROUTER = 1 << SMA_NODE_ROUTER,
	ANY = CA | SWITCH | ROUTER,
	FIRST_VENDOR_ATTRIBUTE = 0xFF00,
	ATTR_PORT_INFO_EXTENDED = 0x33,
	EXTENDED_SPEEDS_FLAG = 0x80000000U, /* in the modifier of PortInfo: SMSupportExtendedSpeeds */
	RANDOM_ENTRY_SIZE = 4,
};

/* Where an attribute stands. */
struct slot {
	uint8_t *bytes;
	size_t length; /* at most SMA_BLOCK_SIZE; what is beyond reads as zero and is not set */
};

struct attribute {
	uint16_t id;
	unsigned nodes; /* types that have it */
	/* Find it by the modifier. 0 or the status. */
	uint16_t (*locate)(const struct served *s, struct slot *slot);
	/* Beyond copying: NULL where that is all. */
	uint16_t (*get)(const struct served *s, uint8_t *data);
	uint16_t (*set)(const struct served *s, uint8_t *data);
	/* Whether it can be set at all; NULL: yes. */
	bool (*is_settable)(const struct served *s);
	bool stores; /* `set` has stored what is to be stored; `data` is the answer only */
};

static unsigned port_get(const struct served *s, enum sma_component component)
{
	return store_get(s->store, s->port, component);
}

static uint16_t block_at(struct slot *slot, uint8_t *table, size_t size, size_t offset)
{
	if (!table || offset >= size)
		return SMP_STATUS_INVALID;
	slot->bytes = table + offset;
	slot->length = size - offset < SMA_BLOCK_SIZE ? size - offset : SMA_BLOCK_SIZE;
	return 0;
}

static uint16_t whole(const struct served *s, struct slot *slot, uint8_t *bytes)
{
	*slot = (struct slot){bytes, SMA_BLOCK_SIZE};
	return s->modifier ? SMP_STATUS_INVALID : 0;
}

/* ---- the node ---- */

static uint16_t description_at(const struct served *s, struct slot *slot)
{
	return whole(s, slot, s->store->description);
}

static bool description_is_settable(const struct served *s)
{
	return port_get(s, SMA_PortInfo_IsCapabilityMask2Supported) &&
	       port_get(s, SMA_PortInfo_IsSetNodeDescriptionSupported);
}

static bool never(const struct served *s)
{
	(void)s;
	return false;
}

static uint16_t node_at(const struct served *s, struct slot *slot)
{
	return whole(s, slot, s->store->node_info);
}

static uint16_t node_get(const struct served *s, uint8_t *data)
{
	sma_component_set(data, SMA_NodeInfo_PortGUID, store_port_guid(s->store, s->port));
	sma_component_set(data, SMA_NodeInfo_LocalPortNum, s->arrived);
	return 0;
}

static uint16_t switch_at(const struct served *s, struct slot *slot)
{
	return whole(s, slot, s->store->switch_info);
}

static uint16_t switch_set(const struct served *s, uint8_t *data)
{
	uint16_t status = rules_set_switch(s, data);

	if (status == 0)
		memcpy(data, s->store->switch_info, SMA_BLOCK_SIZE);
	return status;
}

/* Where there is no top, its place is reserved. */
static uint16_t switch_get(const struct served *s, uint8_t *data)
{
	if (!port_get(s, SMA_PortInfo_IsMulticastFDBTopSupported))
		sma_component_set(data, SMA_SwitchInfo_MulticastFDBTop, 0);
	return 0;
}

/* ---- ports ---- */

int attribute_port(const struct served *s)
{
	uint32_t number = s->modifier & ~EXTENDED_SPEEDS_FLAG;

	if (number > s->store->ports)
		return -1;
	return number == 0 ? (int)s->port : (int)number;
}

static uint16_t port_at(const struct served *s, struct slot *slot)
{
	int port = attribute_port(s);

	if (port < 0)
		return SMP_STATUS_INVALID;
	*slot = (struct slot){s->store->port[port].info, SMA_BLOCK_SIZE};
	return 0;
}

/* The M_Key is hidden from who does not know it, at protection level 1 (IBA 14.2.4). */
static uint16_t port_get_info(const struct served *s, uint8_t *data)
{
	sma_component_set(data, SMA_PortInfo_LocalPortNum, s->arrived);
	if (!s->key_matches && sma_component_get(data, SMA_PortInfo_M_KeyProtectBits) == 1)
		sma_component_set(data, SMA_PortInfo_M_Key, 0);
	return 0;
}

/* Other ports of a CA or router are read-only here: a Set of them is answered as a Get. */
static bool is_writable(const struct served *s, int port)
{
	return store_is_switch(s->store) || port == (int)s->port;
}

static uint16_t port_set(const struct served *s, uint8_t *data)
{
	int port = attribute_port(s);
	bool reregister = sma_component_get(data, SMA_PortInfo_ClientReregister);
	uint16_t status = is_writable(s, port) ? rules_set_port(s, (unsigned)port, data) : 0;

	if (status)
		return status;
	memcpy(data, s->store->port[port].info, SMA_BLOCK_SIZE);
	/* the answer confirms the event, which leaves nothing to be read later */
	if (reregister && port == (int)s->port && port_get(s, SMA_PortInfo_IsClientReregistrationSupported))
		sma_component_set(data, SMA_PortInfo_ClientReregister, 1);
	return 0;
}

static uint16_t extended_at(const struct served *s, struct slot *slot)
{
	int port = attribute_port(s);

	if (!port_get(s, SMA_PortInfo_IsCapabilityMask2Supported) ||
	    !port_get(s, SMA_PortInfo_IsPortInfoExtendedSupported))
		return SMP_STATUS_METHOD_ATTRIBUTE;
	if (port < 0)
		return SMP_STATUS_INVALID;
	*slot = (struct slot){s->store->port[port].extended, SMA_BLOCK_SIZE};
	return 0;
}

/* Pairs of half-words: what is supported, and behind it what is enabled of that. */
static uint16_t enable(uint8_t *stored, const uint8_t *data)
{
	static const unsigned pairs[] = {6, 10, 14, 18}; /* FDR, EDR, HDR, NDR */

	for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (wire_get16(data + pairs[i] + 2) & ~wire_get16(stored + pairs[i]))
			return SMP_STATUS_INVALID;
	}
	for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		memcpy(stored + pairs[i] + 2, data + pairs[i] + 2, 2);
	return 0;
}

static uint16_t extended_set(const struct served *s, uint8_t *data)
{
	int port = attribute_port(s);
	uint8_t *stored = s->store->port[port].extended;
	uint16_t status = is_writable(s, port) ? enable(stored, data) : 0;

	if (status == 0)
		memcpy(data, stored, SMA_BLOCK_SIZE);
	return status;
}

/* ---- tables of ports ---- */

static uint16_t guids_at(const struct served *s, struct slot *slot)
{
	return block_at(slot, s->store->port[s->port].guids,
	                port_get(s, SMA_PortInfo_GUIDCap) * sizeof(uint64_t),
	                (size_t)s->modifier * SMA_BLOCK_SIZE);
}

/* GUID 0 is the port's own and stays. */
static uint16_t guids_set(const struct served *s, uint8_t *data)
{
	if (s->modifier == 0)
		memcpy(data, s->store->port[s->port].guids, sizeof(uint64_t));
	return 0;
}

static uint16_t pkeys_at(const struct served *s, struct slot *slot)
{
	unsigned port = store_is_switch(s->store) ? s->modifier >> 16 : s->port;

	if (port > s->store->ports)
		return SMP_STATUS_INVALID;
	return block_at(slot, s->store->port[port].pkeys, s->store->port[port].pkey_count * sizeof(uint16_t),
	                (size_t)(s->modifier & 0xFFFF) * SMA_BLOCK_SIZE);
}

/* Whether a switch has this port as an output: port 0 only where it is an enhanced one. */
static bool is_output(const struct served *s, unsigned port)
{
	return port <= s->store->ports && (port || store_get(s->store, 0, SMA_SwitchInfo_EnhancedPort0));
}

static uint16_t sl2vl_at(const struct served *s, struct slot *slot)
{
	bool is_switch = store_is_switch(s->store);
	unsigned out = is_switch ? s->modifier & 0xFF : s->port;
	unsigned in = is_switch ? s->modifier >> 8 : 0;

	if (!port_get(s, SMA_PortInfo_IsSLMappingSupported))
		return SMP_STATUS_METHOD_ATTRIBUTE;
	if (is_switch && !is_output(s, out))
		return SMP_STATUS_INVALID;
	if (in >= s->store->port[out].sl2vl_count)
		return SMP_STATUS_INVALID;
	*slot = (struct slot){s->store->port[out].sl2vl + (size_t)in * STORE_SL2VL_SIZE, STORE_SL2VL_SIZE};
	return 0;
}

static unsigned arbitration_entries(const struct served *s, unsigned port, unsigned half)
{
	return store_get(s->store, port,
	                 half > 2 ? SMA_PortInfo_VLArbitrationHighCap : SMA_PortInfo_VLArbitrationLowCap);
}

static uint16_t vlarb_at(const struct served *s, struct slot *slot)
{
	bool is_switch = store_is_switch(s->store);
	unsigned port = is_switch ? s->modifier & 0xFFFF : s->port;
	unsigned half = s->modifier >> 16;
	unsigned skipped = half % 2 ? 0 : SMA_VLARB_PER_BLOCK;

	if (is_switch && !is_output(s, port))
		return SMP_STATUS_INVALID;
	if (store_get(s->store, port, SMA_PortInfo_VLCap) <= 1)
		return SMP_STATUS_METHOD_ATTRIBUTE;
	if (half < 1 || half > STORE_VLARB_HALVES)
		return SMP_STATUS_INVALID;
	return block_at(slot, s->store->port[port].vlarb[half - 1],
	                arbitration_entries(s, port, half) > skipped ? SMA_BLOCK_SIZE : 0, 0);
}

/* The upper half of the byte with the VL is reserved. */
static uint16_t vlarb_set(const struct served *s, uint8_t *data)
{
	(void)s;
	for (unsigned i = 0; i < SMA_BLOCK_SIZE; i += 2)
		data[i] &= 0x0F;
	return 0;
}

/* ---- forwarding ---- */

static uint16_t linear_at(const struct served *s, struct slot *slot)
{
	if (!s->store->linear)
		return SMP_STATUS_METHOD_ATTRIBUTE;
	return block_at(slot, s->store->linear, store_get(s->store, 0, SMA_SwitchInfo_LinearFDBCap),
	                (size_t)s->modifier * SMA_BLOCK_SIZE);
}

static uint16_t random_at(const struct served *s, struct slot *slot)
{
	if (!s->store->random)
		return SMP_STATUS_METHOD_ATTRIBUTE;
	return block_at(slot, s->store->random,
	                (size_t)store_get(s->store, 0, SMA_SwitchInfo_RandomFDBCap) * RANDOM_ENTRY_SIZE,
	                (size_t)s->modifier * SMA_BLOCK_SIZE);
}

/* The lower half of the byte with the LMC is reserved. */
static uint16_t random_set(const struct served *s, uint8_t *data)
{
	(void)s;
	for (unsigned i = 2; i < SMA_BLOCK_SIZE; i += RANDOM_ENTRY_SIZE)
		data[i] &= 0xF0;
	return 0;
}

static uint16_t multicast_at(const struct served *s, struct slot *slot)
{
	size_t size = store_get(s->store, 0, SMA_SwitchInfo_MulticastFDBCap) * sizeof(uint16_t);
	unsigned position = s->modifier >> 28;

	if (!s->store->multicast)
		return SMP_STATUS_METHOD_ATTRIBUTE;
	if (position >= s->store->positions)
		return SMP_STATUS_INVALID;
	return block_at(slot, s->store->multicast + position * size, size,
	                (size_t)(s->modifier & 0x0FFFFFFF) * SMA_BLOCK_SIZE);
}

/* ---- the rest ---- */

static uint16_t notice_at(const struct served *s, struct slot *slot)
{
	(void)slot;
	if (!port_get(s, SMA_PortInfo_IsNoticeSupported))
		return SMP_STATUS_METHOD_ATTRIBUTE;
	return s->modifier ? SMP_STATUS_INVALID : 0;
}

static uint16_t notice_get(const struct served *s, uint8_t *data)
{
	notice_queue_head(&event_agent(s->responder, s->port)->traps.queue, data);
	return 0;
}

static uint16_t notice_set(const struct served *s, uint8_t *data)
{
	notice_queue_clear(&event_agent(s->responder, s->port)->traps.queue, data);
	return notice_get(s, data);
}

static uint16_t diag_at(const struct served *s, struct slot *slot)
{
	if (s->store->diag_count == 0)
		return SMP_STATUS_METHOD_ATTRIBUTE;
	for (unsigned i = 0; i < s->store->diag_count; i++) {
		if (s->store->diags[i].index == s->modifier) {
			*slot = (struct slot){s->store->diags[i].block, SMA_BLOCK_SIZE};
			return 0;
		}
	}
	return SMP_STATUS_INVALID;
}

static uint16_t led_at(const struct served *s, struct slot *slot)
{
	if (!port_get(s, SMA_PortInfo_IsLedInfoSupported))
		return SMP_STATUS_METHOD_ATTRIBUTE;
	*slot = (struct slot){&s->store->port[s->port].led, 1};
	return s->modifier ? SMP_STATUS_INVALID : 0;
}

static uint16_t led_set(const struct served *s, uint8_t *data)
{
	(void)s;
	memset(data + 1, 0, SMA_BLOCK_SIZE - 1);
	data[0] &= STORE_LED_ON;
	return 0;
}

static uint16_t vendor_at(const struct served *s, struct slot *slot)
{
	*slot = (struct slot){s->store->vendor, SMA_BLOCK_SIZE};
	return s->store->vendor_range ? 0 : SMP_STATUS_METHOD_ATTRIBUTE;
}

static const struct attribute attributes[] = {
	{.id = UMAD_ATTR_NOTICE, .nodes = ANY, .locate = notice_at, .get = notice_get, .set = notice_set},
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
	{.id = UMAD_SM_ATTR_GUID_INFO, .nodes = ANY, .locate = guids_at, .set = guids_set},
	{.id = UMAD_SM_ATTR_PORT_INFO,
         .nodes = ANY,
         .locate = port_at,
         .get = port_get_info,
         .set = port_set,
         .stores = true},
	{.id = UMAD_SM_ATTR_PKEY_TABLE, .nodes = ANY, .locate = pkeys_at},
	{.id = UMAD_SM_ATTR_SLVL_TABLE, .nodes = ANY, .locate = sl2vl_at},
	{.id = UMAD_SM_ATTR_VL_ARB_TABLE, .nodes = ANY, .locate = vlarb_at, .set = vlarb_set},
	{.id = UMAD_SM_ATTR_LINEAR_FT, .nodes = SWITCH, .locate = linear_at},
	{.id = UMAD_SM_ATTR_RANDOM_FT, .nodes = SWITCH, .locate = random_at, .set = random_set},
	{.id = UMAD_SM_ATTR_MCAST_FT, .nodes = SWITCH, .locate = multicast_at},
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

static uint16_t carry_out_set(const struct served *s, const struct attribute *a, const struct slot *slot,
                              uint8_t *data)
{
	uint16_t status = a->set ? a->set(s, data) : 0;

	if (status == 0 && slot->bytes && !a->stores)
		memcpy(slot->bytes, data, slot->length);
	return status;
}

uint16_t attribute_serve(const struct served *s, uint16_t id, bool is_set, uint8_t data[SMA_BLOCK_SIZE])
{
	const struct attribute *a = find(id, s->store->type);
	struct slot slot = {0};
	uint16_t status;

	if (!a || (is_set && a->is_settable && !a->is_settable(s)))
		return SMP_STATUS_METHOD_ATTRIBUTE;
	status = a->locate(s, &slot);
	if (status == 0 && is_set)
		status = carry_out_set(s, a, &slot, data);
	if (status)
		return status;
	if (!is_set && slot.bytes)
		memcpy(data, slot.bytes, slot.length);
	if (slot.bytes)
		memset(data + slot.length, 0, SMA_BLOCK_SIZE - slot.length);
	return a->get ? a->get(s, data) : 0;
}
