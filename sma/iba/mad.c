// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sa.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/iba/mad.h"
#include "sma/iba/wire.h"

enum {
	GMP_DATA_AT = 64, /* of the classes with a reserved field behind the header */
	GMP_DATA_SIZE = MAD_SIZE - GMP_DATA_AT,
};

/* What the agents of subnet administration and of performance management are asked for is asked for again by
 * whoever needs it: they are not probed. */
static const struct mad_class classes[] = {
	{MAD_CLASS_SM,
         1,
         0,
         SMP_AT_M_KEY,
         SMP_AT_DATA,
         UMAD_LEN_SMP_DATA,
         {UMAD_SM_ATTR_NODE_INFO, UMAD_SM_ATTR_PORT_INFO},
         "SMA"},
	{MAD_CLASS_SM_DIRECTED,
         1,
         0,
         SMP_AT_M_KEY,
         SMP_AT_DATA,
         UMAD_LEN_SMP_DATA,
         {UMAD_SM_ATTR_NODE_INFO, UMAD_SM_ATTR_PORT_INFO},
         "SMA"},
	{MAD_CLASS_SA,
         UMAD_SA_CLASS_VERSION,
         1,
         offsetof(struct umad_sa_packet, sm_key),
         offsetof(struct umad_sa_packet, data),
         UMAD_LEN_SA_DATA,
         {0, 0},
         "SA"},
	{MAD_CLASS_PERF, 1, 1, 0, GMP_DATA_AT, GMP_DATA_SIZE, {0, 0}, "PMA"},
	{MAD_CLASS_DEVICE,
         1,
         1,
         0,
         GMP_DATA_AT,
         GMP_DATA_SIZE,
         {UMAD_ATTR_CLASS_PORT_INFO, UMAD_ATTR_CLASS_PORT_INFO},
         "device management agent"},
};

const struct mad_class *mad_class_find(uint8_t id)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (classes[i].id == id)
			return &classes[i];
	}
	return NULL;
}

int mad_read_head(const uint8_t *mad, size_t size, struct mad_head *head)
{
	const struct mad_class *class = size < MAD_HEADER_SIZE ? NULL : mad_class_find(mad[MAD_AT_CLASS]);
	uint16_t status;

	if (!class || mad[MAD_AT_BASE_VERSION] != MAD_BASE_VERSION ||
	    mad[MAD_AT_CLASS_VERSION] != class->version)
		return -EPROTO;
	status = wire_get16(mad + MAD_AT_STATUS);
	*head = (struct mad_head){
		.class = class->id,
		.method = mad[MAD_AT_METHOD] & ~MAD_RESPONSE,
		.response = mad[MAD_AT_METHOD] & MAD_RESPONSE,
		.status = class->id == MAD_CLASS_SM_DIRECTED ? status & ~SMP_DIRECTION : status,
		.tid = wire_get64(mad + MAD_AT_TID),
		.attribute = wire_get16(mad + MAD_AT_ATTRIBUTE),
		.modifier = wire_get32(mad + MAD_AT_MODIFIER),
	};
	return 0;
}

void mad_build(uint8_t mad[MAD_SIZE], const struct mad_head *head)
{
	memset(mad, 0, MAD_SIZE);
	mad[MAD_AT_BASE_VERSION] = MAD_BASE_VERSION;
	mad[MAD_AT_CLASS] = head->class;
	mad[MAD_AT_CLASS_VERSION] = mad_class_find(head->class)->version;
	mad[MAD_AT_METHOD] = head->method | (head->response ? MAD_RESPONSE : 0);
	wire_put16(mad + MAD_AT_STATUS, head->status);
	wire_put64(mad + MAD_AT_TID, head->tid);
	wire_put16(mad + MAD_AT_ATTRIBUTE, head->attribute);
	wire_put32(mad + MAD_AT_MODIFIER, head->modifier);
}

void mad_set_method(uint8_t mad[MAD_SIZE], uint8_t method)
{
	mad[MAD_AT_METHOD] = method;
	wire_put16(mad + MAD_AT_STATUS, 0);
}

void mad_set_key(uint8_t mad[MAD_SIZE], uint64_t key)
{
	const struct mad_class *class = mad_class_find(mad[MAD_AT_CLASS]);

	if (class->key_at)
		wire_put64(mad + class->key_at, key);
}

void mad_set_route(uint8_t mad[MAD_SIZE], const uint8_t path[MAD_PATH_SIZE], uint8_t hops)
{
	mad[SMP_AT_HOP_COUNT] = hops;
	wire_put16(mad + SMP_AT_DR_SLID, MAD_PERMISSIVE_LID);
	wire_put16(mad + SMP_AT_DR_DLID, MAD_PERMISSIVE_LID);
	if (hops)
		memcpy(mad + SMP_AT_INITIAL_PATH + 1, path + 1, hops);
}

const char *mad_status_text(uint16_t status)
{
	static const struct {
		uint16_t status;
		const char *text;
	} texts[] = {
		{0x00, "ok"},
		{MAD_STATUS_BUSY, "busy"},
		{MAD_STATUS_REDIRECT, "redirection required"},
		{MAD_STATUS_VERSION, "version not supported"},
		{MAD_STATUS_METHOD, "method not supported"},
		{MAD_STATUS_METHOD_ATTRIBUTE, "attribute not supported"},
		{MAD_STATUS_INVALID, "invalid value in a component or the modifier"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].status == status)
			return texts[i].text;
	}
	return "unknown status";
}
