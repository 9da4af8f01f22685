// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#include "sma/iba/header.h"
#include "sma/iba/wire.h"

enum {
	CLASS_VERSION = 1,
	METHOD_RESPONSE = 0x80, /* the R bit */
	STATUS_DIRECTION = 0x8000,
	PERMISSIVE_LID = 0xFFFF,
};

#define AT(member) offsetof(struct umad_smp, member)

void smp_build_get(uint8_t mad[SMA_MAD_SIZE], uint16_t attribute, uint32_t modifier, uint32_t tid,
                   uint64_t m_key)
{
	mad_begin(mad, UMAD_CLASS_SUBN_DIRECTED_ROUTE, CLASS_VERSION, UMAD_METHOD_GET, attribute, tid);
	wire_put32(mad + AT(attr_mod), modifier);
	wire_put64(mad + AT(mkey), m_key);
	wire_put16(mad + AT(dr_slid), PERMISSIVE_LID);
	wire_put16(mad + AT(dr_dlid), PERMISSIVE_LID);
}

int smp_parse(const uint8_t mad[SMA_MAD_SIZE], struct smp *smp)
{
	uint8_t class = mad[AT(mgmt_class)];
	uint16_t status = wire_get16(mad + AT(status));

	if (mad[AT(base_version)] != UMAD_BASE_VERSION)
		return -EPROTO;
	if (class != UMAD_CLASS_SUBN_DIRECTED_ROUTE && class != UMAD_CLASS_SUBN_LID_ROUTED)
		return -EPROTO;
	*smp = (struct smp){
		.method = mad[AT(method)] & ~METHOD_RESPONSE,
		.response = mad[AT(method)] & METHOD_RESPONSE,
		.status = class == UMAD_CLASS_SUBN_DIRECTED_ROUTE ? status & ~STATUS_DIRECTION : status,
		.tid = (uint32_t)wire_get64(mad + AT(tid)),
		.attribute = wire_get16(mad + AT(attr_id)),
		.modifier = wire_get32(mad + AT(attr_mod)),
		.data = mad + AT(data),
	};
	return 0;
}

const char *smp_status_text(uint16_t status)
{
	static const struct {
		uint16_t status;
		const char *text;
	} texts[] = {
		{0x00, "ok"},
		{SMP_STATUS_BUSY, "busy"},
		{0x04, "version not supported"},
		{SMP_STATUS_METHOD, "method not supported"},
		{SMP_STATUS_METHOD_ATTRIBUTE, "attribute not supported"},
		{SMP_STATUS_INVALID, "invalid value in a component or the modifier"},
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].status == status)
			return texts[i].text;
	}
	return "unknown status";
}
