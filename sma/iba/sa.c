// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include <infiniband/umad_sa.h>

#include "sma/iba/mad.h"
#include "sma/iba/sa.h"
#include "sma/iba/wire.h"

/* Components of InformInfo, as offsets, and their values. */
enum {
	AT_GID = 0,
	AT_LID_BEGIN = 16,
	AT_IS_GENERIC = 22,
	AT_SUBSCRIBE = 23,
	AT_TYPE = 24,
	AT_TRAP_NUMBER = 26,
	AT_QPN_TIME = 28, /* 24 bits QPN, 3 reserved, 5 RespTimeValue */
	AT_PRODUCER = 32, /* 8 bits reserved, 24 ProducerType */
	ANY = 0xFFFF,     /* LIDRangeBegin, Type and TrapNumber */
	ANY_PRODUCER = 0xFFFFFF,
	RESP_TIME = 18, /* 4.096 us * 2^18: one second */
	QP1 = 1,
};

void sa_build_inform_info(uint8_t info[SA_INFORM_INFO_SIZE], const uint8_t *gid, bool subscribe)
{
	memset(info, 0, SA_INFORM_INFO_SIZE);
	if (gid)
		memcpy(info + AT_GID, gid, SA_GID_SIZE);
	wire_put16(info + AT_LID_BEGIN, ANY);
	info[AT_IS_GENERIC] = 1;
	info[AT_SUBSCRIBE] = subscribe;
	wire_put16(info + AT_TYPE, ANY);
	wire_put16(info + AT_TRAP_NUMBER, ANY);
	wire_put32(info + AT_QPN_TIME, (subscribe ? 0 : QP1 << 8) | RESP_TIME);
	wire_put32(info + AT_PRODUCER, ANY_PRODUCER);
}

/* The upper byte is the class's own. */
const char *sa_status_text(uint16_t status)
{
	static const char *const texts[] = {
		[UMAD_SA_STATUS_NO_RESOURCES] = "no resources",
		[UMAD_SA_STATUS_REQ_INVALID] = "request invalid",
		[UMAD_SA_STATUS_NO_RECORDS] = "no records",
		[UMAD_SA_STATUS_TOO_MANY_RECORDS] = "too many records",
		[UMAD_SA_STATUS_INVALID_GID] = "invalid GID",
		[UMAD_SA_STATUS_INSUF_COMPS] = "insufficient components",
		[UMAD_SA_STATUS_REQ_DENIED] = "request denied",
		[UMAD_SA_STATUS_PRI_SUGGESTED] = "priority suggested",
	};
	unsigned own = status >> 8;

	if (own && own < sizeof(texts) / sizeof(texts[0]))
		return texts[own];
	return mad_status_text(status);
}
