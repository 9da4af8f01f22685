/* SPDX-License-Identifier: BSD-2-Clause */
/* What a generated module says about its MIB: data only, in the order of the OIDs. */
#ifndef MIB_DESCRIPTOR_H
#define MIB_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>

enum {
	MIB_MAX_LEVELS = 3,    /* index objects of one row */
	MIB_MAX_SUBIDS = 6,    /* sub-identifiers of an object below the base of its module */
	MIB_MAX_VARBINDS = 10, /* objects of a notification's OBJECTS clause */
};

struct mib_map;   /* hand-written: where an object's value comes from (mib/map.h) */
struct mib_space; /* hand-written: which rows a table has (mib/map.h) */
struct mib_trap;  /* hand-written: the trap that a notification reports (mib/map.h) */

/* A conceptual table. */
struct mib_table {
	const char *name;
	unsigned levels; /* index objects of a row, 1..MIB_MAX_LEVELS */
	const struct mib_space *space;
};

/* An object that has values: a scalar or a column. */
struct mib_object {
	const char *name;
	uint32_t subid[MIB_MAX_SUBIDS]; /* its OID below the base of its module */
	uint8_t length;                 /* sub-identifiers used */
	uint8_t type;                   /* ASN.1 tag as Net-SNMP spells it: ASN_INTEGER, ASN_OCTET_STR, ... */
	uint64_t low;                   /* smallest value, or smallest size of an octet string */
	uint64_t high;                  /* largest value or size */
	const struct mib_table *table;  /* NULL: a scalar, instance .0 */
	const struct mib_map *map;
};

/* A NOTIFICATION-TYPE. */
struct mib_notification_type {
	const char *name;
	uint32_t subid[MIB_MAX_SUBIDS]; /* its OID below the base of its module */
	uint8_t length;                 /* sub-identifiers used */
	uint8_t count;                  /* objects of its OBJECTS clause */
	const struct mib_object *objects[MIB_MAX_VARBINDS];
	const struct mib_trap *trap;
};

/* A MIB module: what can be read below its base. */
struct mib_module {
	const char *name;         /* of the base */
	const unsigned long *oid; /* its OID */
	size_t length;            /* of that */
	const struct mib_object *objects;
	size_t count;
};

#endif
