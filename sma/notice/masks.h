/* SPDX-License-Identifier: BSD-2-Clause */
/* The CapabilityMask of each node of the subnet, as its traps 144 reported it last. */
#ifndef NOTICE_MASKS_H
#define NOTICE_MASKS_H

#include <stdbool.h>
#include <stdint.h>

enum { MASKS_ISSUERS = UINT16_MAX + 1 };

/* All zero: nothing is known. Pages that are not written to cost nothing. */
struct masks {
	uint32_t mask[MASKS_ISSUERS];
};

/* Remember the mask that the node with the LID `issuer` has reported. Whether it is another than the one
 * before; the first is, unless it is 0. */
bool masks_learn(struct masks *masks, uint16_t issuer, uint32_t mask);

#endif
