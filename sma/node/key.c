// SPDX-License-Identifier: BSD-2-Clause
/* Which block holds an entry, and whose SMA has it. */
#include "sma/node/key.h"

enum {
	HALF_LOW = 1, /* VLArbitration modifier: first half of the low priority list */
	HALF_HIGH = 3,
};

static bool is_switch(const struct sma_id *id)
{
	return id->port == 0;
}

/* The SMA that answers for a port: a switch has one for all ports, a CA or router one for each. */
static uint8_t endpoint(const struct sma_id *id, unsigned port)
{
	return (uint8_t)(is_switch(id) || port == 0 ? id->port : port);
}

struct sma_key sma_key_node(const struct sma_id *id, enum sma_attr attr)
{
	return (struct sma_key){.attr = attr, .port = endpoint(id, 0)};
}

struct sma_key sma_key_port(const struct sma_id *id, unsigned port)
{
	return (struct sma_key){
		.attr = SMA_PortInfo, .port = endpoint(id, 0), .modifier = port ? port : id->port};
}

struct sma_key sma_key_guid(const struct sma_id *id, unsigned port, unsigned entry)
{
	return (struct sma_key){
		.attr = SMA_GUIDInfo, .port = endpoint(id, port), .modifier = entry / SMA_GUIDS_PER_BLOCK};
}

struct sma_key sma_key_pkey(const struct sma_id *id, unsigned port, unsigned entry)
{
	unsigned selector = is_switch(id) ? port : 0;

	return (struct sma_key){.attr = SMA_P_KeyTable,
	                        .port = endpoint(id, port),
	                        .modifier = selector << 16 | entry / SMA_PKEYS_PER_BLOCK};
}

struct sma_key sma_key_sl2vl(const struct sma_id *id, unsigned out, unsigned in)
{
	return (struct sma_key){.attr = SMA_SLtoVLMappingTable,
	                        .port = endpoint(id, out),
	                        .modifier = is_switch(id) ? in << 8 | out : 0};
}

struct sma_key sma_key_vlarb(const struct sma_id *id, unsigned port, bool high, unsigned entry)
{
	unsigned half = (high ? HALF_HIGH : HALF_LOW) + entry / SMA_VLARB_PER_BLOCK;

	return (struct sma_key){.attr = SMA_VLArbitration,
	                        .port = endpoint(id, port),
	                        .modifier = half << 16 | (is_switch(id) ? port : 0)};
}

struct sma_key sma_key_lft(const struct sma_id *id, unsigned lid)
{
	return (struct sma_key){.attr = SMA_LinearForwardingTable,
	                        .port = endpoint(id, 0),
	                        .modifier = lid / SMA_LIDS_PER_BLOCK};
}

struct sma_key sma_key_rft(const struct sma_id *id, unsigned entry)
{
	return (struct sma_key){.attr = SMA_RandomForwardingTable,
	                        .port = endpoint(id, 0),
	                        .modifier = entry / SMA_RANDOM_PER_BLOCK};
}

struct sma_key sma_key_mft(const struct sma_id *id, unsigned mlid, unsigned position)
{
	return (struct sma_key){.attr = SMA_MulticastForwardingTable,
	                        .port = endpoint(id, 0),
	                        .modifier = position << 28 | (mlid - SMA_FIRST_MLID) / SMA_MLIDS_PER_BLOCK};
}

struct sma_key sma_key_sm_info(const struct sma_id *id, unsigned port)
{
	return (struct sma_key){.attr = SMA_SMInfo, .port = endpoint(id, port)};
}

struct sma_key sma_key_diag(const struct sma_id *id, unsigned port, unsigned index)
{
	return (struct sma_key){.attr = SMA_VendorDiag, .port = endpoint(id, port), .modifier = index};
}

struct sma_key sma_key_led(const struct sma_id *id, unsigned port)
{
	return (struct sma_key){.attr = SMA_LedInfo, .port = endpoint(id, port)};
}
