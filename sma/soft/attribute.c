// SPDX-License-Identifier: BSD-2-Clause
/* Which attributes a software SMA has, and how they are read and set (IBA 14.2.5). */
#include <stddef.h>
#include <string.h>

#include <infiniband/umad_sm.h>

#include "sma/iba/iba.h"
#include "sma/soft/attribute.h"
#include "sma/soft/attribute_parts.h"

enum {
	CA = 1 << SMA_NODE_CA,
	SWITCH = 1 << SMA_NODE_SWITCH,
	ROUTER = 1 << SMA_NODE_ROUTER,
	ANY = CA | SWITCH | ROUTER,
	FIRST_VENDOR_ATTRIBUTE = 0xFF00,
};

struct attribute {
	uint16_t id;
	unsigned nodes; /* types that have it */
	attribute_find *find;
	attribute_data *get, *set;  /* beyond copying; NULL where that is all */
	attribute_may *is_settable; /* whether it can be set at all; NULL: yes */
	bool stores;                /* `set` has stored what is to be stored; `data` is the answer only */
};

static const struct attribute attributes[] = {
	{.id = UMAD_ATTR_NOTICE,
         .nodes = ANY,
         .find = attribute_find_notice,
         .get = attribute_get_notice,
         .set = attribute_set_notice},
	{.id = UMAD_SM_ATTR_NODE_DESC,
         .nodes = ANY,
         .find = attribute_find_description,
         .is_settable = attribute_may_set_description},
	{.id = UMAD_SM_ATTR_NODE_INFO,
         .nodes = ANY,
         .find = attribute_find_node,
         .get = attribute_get_node,
         .is_settable = attribute_may_not_set},
	{.id = UMAD_SM_ATTR_SWITCH_INFO,
         .nodes = SWITCH,
         .find = attribute_find_switch,
         .get = attribute_get_switch,
         .set = attribute_set_switch,
         .stores = true},
	{.id = UMAD_SM_ATTR_GUID_INFO,
         .nodes = ANY,
         .find = attribute_find_guids,
         .set = attribute_set_guids},
	{.id = UMAD_SM_ATTR_PORT_INFO,
         .nodes = ANY,
         .find = attribute_find_port,
         .get = attribute_get_port,
         .set = attribute_set_port,
         .stores = true},
	{.id = UMAD_SM_ATTR_PKEY_TABLE, .nodes = ANY, .find = attribute_find_pkeys},
	{.id = UMAD_SM_ATTR_SLVL_TABLE, .nodes = ANY, .find = attribute_find_sl2vl},
	{.id = UMAD_SM_ATTR_VL_ARB_TABLE,
         .nodes = ANY,
         .find = attribute_find_vlarb,
         .set = attribute_set_vlarb},
	{.id = UMAD_SM_ATTR_LINEAR_FT, .nodes = SWITCH, .find = attribute_find_linear},
	{.id = UMAD_SM_ATTR_RANDOM_FT,
         .nodes = SWITCH,
         .find = attribute_find_random,
         .set = attribute_set_random},
	{.id = UMAD_SM_ATTR_MCAST_FT, .nodes = SWITCH, .find = attribute_find_multicast},
	{.id = UMAD_SM_ATTR_VENDOR_DIAG,
         .nodes = ANY,
         .find = attribute_find_diag,
         .is_settable = attribute_may_not_set},
	{.id = UMAD_SM_ATTR_LED_INFO, .nodes = ANY, .find = attribute_find_led, .set = attribute_set_led},
	{.id = ATTR_PORT_INFO_EXTENDED,
         .nodes = ANY,
         .find = attribute_find_extended,
         .set = attribute_set_extended,
         .stores = true},
};

static const struct attribute vendor_attribute = {.nodes = ANY, .find = attribute_find_vendor};

static const struct attribute *find_attribute(uint16_t id, unsigned type)
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
	const struct attribute *a = find_attribute(request->attribute, request->state->type);
	bool is_set = request->method == MAD_SET;
	struct span span = {0};
	uint16_t status;

	if (!a || (is_set && a->is_settable && !a->is_settable(request)))
		return MAD_STATUS_METHOD_ATTRIBUTE;
	status = a->find(request, &span);
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
