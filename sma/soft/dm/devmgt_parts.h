/* SPDX-License-Identifier: BSD-2-Clause */
/* What devmgt.c and devmgt_attribute.c share. */
#ifndef SOFT_DM_DEVMGT_PARTS_H
#define SOFT_DM_DEVMGT_PARTS_H

#include "sma/soft/dm/devmgt.h"

enum { DEVMGT_DATA_AT = 64 /* of the attribute in a MAD */ };

/* A Get or Set. */
struct devmgt_request {
	struct devmgt *devmgt;
	struct devmgt_endpoint *endpoint; /* of the port that it came in on */
	unsigned port;
	uint64_t now;
	uint16_t attribute;
	uint32_t modifier;
	bool is_set;
};

/* Carry it out. `data` holds the attribute of a Set, zeros for a Get, and takes that of the answer. 0 or the
 * MAD status. */
uint16_t devmgt_serve(const struct devmgt_request *request, uint8_t data[DM_DATA_SIZE]);

/* Put the GID of a port behind the details of a Notice that it issues. */
void devmgt_add_gid(const struct devmgt *devmgt, unsigned port, uint8_t notice[DEVMGT_NOTICE_SIZE]);

#endif
