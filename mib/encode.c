// SPDX-License-Identifier: BSD-2-Clause
#include "mib/encode.h"

const void *encode_value(const struct mib_object *object, const struct mib_value *value,
                         union encode_room *room, size_t *size)
{
	if (object->type == ASN_OCTET_STR) {
		*size = value->length;
		return value->octets;
	}
	if (object->type == ASN_COUNTER64) {
		room->counter64 = (struct counter64){.high = (u_long)(value->number >> 32),
		                                     .low = (u_long)(value->number & UINT32_MAX)};
		*size = sizeof(room->counter64);
		return &room->counter64;
	}
	room->number = (long)value->number;
	*size = sizeof(room->number);
	return &room->number;
}
