// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>
#include <string.h>

#include <infiniband/umad_types.h>

#include "sma/iba/header.h"
#include "sma/iba/wire.h"

#define AT(member) offsetof(struct umad_hdr, member)

void mad_begin(uint8_t mad[SMA_MAD_SIZE], uint8_t class, uint8_t class_version, uint8_t method,
               uint16_t attribute, uint64_t tid)
{
	memset(mad, 0, SMA_MAD_SIZE);
	mad[AT(base_version)] = UMAD_BASE_VERSION;
	mad[AT(mgmt_class)] = class;
	mad[AT(class_version)] = class_version;
	mad[AT(method)] = method;
	wire_put64(mad + AT(tid), tid);
	wire_put16(mad + AT(attr_id), attribute);
}
