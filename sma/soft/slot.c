// SPDX-License-Identifier: BSD-2-Clause
/* The tables of the software SMA: GUIDs, P_Keys, lanes, forwarding (IBA 14.2.5.5, .7 to .12). */
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/slot.h"

enum { RANDOM_ENTRY_SIZE = 4 };

unsigned slot_port_get(const struct served *s, enum sma_component component)
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

/* ---- tables of ports ---- */

uint16_t slot_guids_at(const struct served *s, struct slot *slot)
{
	return block_at(slot, s->store->port[s->port].guids,
	                slot_port_get(s, SMA_PortInfo_GUIDCap) * sizeof(uint64_t),
	                (size_t)s->modifier * SMA_BLOCK_SIZE);
}

/* GUID 0 is the port's own and stays. */
uint16_t slot_guids_set(const struct served *s, uint8_t *data)
{
	if (s->modifier == 0)
		memcpy(data, s->store->port[s->port].guids, sizeof(uint64_t));
	return 0;
}

uint16_t slot_pkeys_at(const struct served *s, struct slot *slot)
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

uint16_t slot_sl2vl_at(const struct served *s, struct slot *slot)
{
	bool is_switch = store_is_switch(s->store);
	unsigned out = is_switch ? s->modifier & 0xFF : s->port;
	unsigned in = is_switch ? s->modifier >> 8 : 0;

	if (!slot_port_get(s, SMA_PortInfo_IsSLMappingSupported))
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

uint16_t slot_vlarb_at(const struct served *s, struct slot *slot)
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
uint16_t slot_vlarb_set(const struct served *s, uint8_t *data)
{
	(void)s;
	for (unsigned i = 0; i < SMA_BLOCK_SIZE; i += 2)
		data[i] &= 0x0F;
	return 0;
}

/* ---- forwarding ---- */

uint16_t slot_linear_at(const struct served *s, struct slot *slot)
{
	if (!s->store->linear)
		return SMP_STATUS_METHOD_ATTRIBUTE;
	return block_at(slot, s->store->linear, store_get(s->store, 0, SMA_SwitchInfo_LinearFDBCap),
	                (size_t)s->modifier * SMA_BLOCK_SIZE);
}

uint16_t slot_random_at(const struct served *s, struct slot *slot)
{
	if (!s->store->random)
		return SMP_STATUS_METHOD_ATTRIBUTE;
	return block_at(slot, s->store->random,
	                (size_t)store_get(s->store, 0, SMA_SwitchInfo_RandomFDBCap) * RANDOM_ENTRY_SIZE,
	                (size_t)s->modifier * SMA_BLOCK_SIZE);
}

/* The lower half of the byte with the LMC is reserved. */
uint16_t slot_random_set(const struct served *s, uint8_t *data)
{
	(void)s;
	for (unsigned i = 2; i < SMA_BLOCK_SIZE; i += RANDOM_ENTRY_SIZE)
		data[i] &= 0xF0;
	return 0;
}

uint16_t slot_multicast_at(const struct served *s, struct slot *slot)
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
