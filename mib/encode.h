/* SPDX-License-Identifier: BSD-2-Clause */
/* Values of the MIB as Net-SNMP takes them. */
#ifndef MIB_ENCODE_H
#define MIB_ENCODE_H

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include "mib/map.h"

/* Room for a number of any type. */
union encode_room {
	long number;
	struct counter64 counter64;
};

/* The data of a value for its object's type, within `value` or `room`; `*size` is their size. */
const void *encode_value(const struct mib_object *object, const struct mib_value *value,
                         union encode_room *room, size_t *size);

#endif
