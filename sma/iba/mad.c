// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include <infiniband/umad_sa.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/iba/mad.h"
#include "sma/iba/wire.h"

#define AT(member)     offsetof(struct umad_hdr, member)
#define SMP_AT(member) offsetof(struct umad_smp, member)
#define SA_AT(member)  offsetof(struct umad_sa_packet, member)

enum {
	GMP_DATA_AT = 64, /* of the classes with a reserved field behind the header */
	GMP_DATA_SIZE = MAD_SIZE - GMP_DATA_AT,
	DIRECTION = 0x8000, /* the D bit, at the place of the status */
};

/* What the agents of subnet administration and of performance management are asked for is asked for again by
 * whoever needs it: they are not probed. */
static const struct mad_class classes[] = {
	{MAD_CLASS_SM,
         1,
         0,
         SMP_AT(mkey),
         SMP_AT(data),
         UMAD_LEN_SMP_DATA,
         {UMAD_SM_ATTR_NODE_INFO, UMAD_SM_ATTR_PORT_INFO},
         "SMA"},
	{MAD_CLASS_SM_DIRECTED,
         1,
         0,
         SMP_AT(mkey),
         SMP_AT(data),
         UMAD_LEN_SMP_DATA,
         {UMAD_SM_ATTR_NODE_INFO, UMAD_SM_ATTR_PORT_INFO},
         "SMA"},
	{MAD_CLASS_SA, UMAD_SA_CLASS_VERSION, 1, SA_AT(sm_key), SA_AT(data), UMAD_LEN_SA_DATA, {0, 0}, "SA"},
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
	const struct mad_class *class = size < MAD_HEADER_SIZE ? NULL : mad_class_find(mad[AT(mgmt_class)]);
	uint16_t status;

	if (!class || mad[AT(base_version)] != UMAD_BASE_VERSION || mad[AT(class_version)] != class->version)
		return -EPROTO;
	status = wire_get16(mad + AT(status));
	*head = (struct mad_head){
		.class = class->id,
		.method = mad[AT(method)] & ~MAD_RESPONSE,
		.response = mad[AT(method)] & MAD_RESPONSE,
		.status = class->id == MAD_CLASS_SM_DIRECTED ? status & ~DIRECTION : status,
		.tid = wire_get64(mad + AT(tid)),
		.attribute = wire_get16(mad + AT(attr_id)),
		.modifier = wire_get32(mad + AT(attr_mod)),
	};
	return 0;
}

void mad_build(uint8_t mad[MAD_SIZE], const struct mad_head *head)
{
	memset(mad, 0, MAD_SIZE);
	mad[AT(base_version)] = UMAD_BASE_VERSION;
	mad[AT(mgmt_class)] = head->class;
	mad[AT(class_version)] = mad_class_find(head->class)->version;
	mad[AT(method)] = head->method | (head->response ? MAD_RESPONSE : 0);
	wire_put16(mad + AT(status), head->status);
	wire_put64(mad + AT(tid), head->tid);
	wire_put16(mad + AT(attr_id), head->attribute);
	wire_put32(mad + AT(attr_mod), head->modifier);
}

void mad_set_tid(uint8_t mad[MAD_SIZE], uint64_t tid)
{
	wire_put64(mad + AT(tid), tid);
}

void mad_set_method(uint8_t mad[MAD_SIZE], uint8_t method)
{
	mad[AT(method)] = method;
	wire_put16(mad + AT(status), 0);
}

void mad_set_key(uint8_t mad[MAD_SIZE], uint64_t key)
{
	const struct mad_class *class = mad_class_find(mad[AT(mgmt_class)]);

	if (class->key_at)
		wire_put64(mad + class->key_at, key);
}

void mad_set_route(uint8_t mad[MAD_SIZE], const uint8_t path[MAD_PATH_SIZE], uint8_t hops)
{
	mad[SMP_AT(hop_cnt)] = hops;
	wire_put16(mad + SMP_AT(dr_slid), MAD_PERMISSIVE_LID);
	wire_put16(mad + SMP_AT(dr_dlid), MAD_PERMISSIVE_LID);
	if (hops)
		memcpy(mad + SMP_AT(initial_path) + 1, path + 1, hops);
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
