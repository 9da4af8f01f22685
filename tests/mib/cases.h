/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of the mapping: bytes of a crafted node are changed, and one instance is asked for. */
#ifndef TESTS_MIB_CASES_H
#define TESTS_MIB_CASES_H

#include "mib/descriptor.h"
#include "tests/node/node_fixture.h"

/* Bytes that are put into a block at an offset, as hexadecimal digits, or a status for it: "=1c". */
struct patch {
	uint16_t attribute;
	uint32_t modifier;
	unsigned offset;
	const char *bytes; /* NULL: no patch */
};

struct map_case {
	const char *name;
	const char *node; /* tests/data/NAME.blocks */
	struct patch patches[3];
	const char *object; /* and its index behind a dot */
	const char *wanted; /* a number; "x" and octets as hexadecimal digits; or "absent" */
};

/* The object with that name; NULL. */
const struct mib_object *find_object(const char *name);

/* Patch a block of the SMA of a port. */
void apply_patch(struct fixture *fixture, unsigned port, const struct patch *patch);

/* Check that GET of an instance, `object` as above, gives what is wanted. */
bool check_instance(struct fixture *fixture, const char *object, const char *wanted);

/* Check each case on a node of its own. Patches are of the management port's SMA. */
void check_cases(const struct map_case *cases, size_t count);

#endif
