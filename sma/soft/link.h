/* SPDX-License-Identifier: BSD-2-Clause */
/* The links of a node: PortState and PortPhysicalState, as cables and the SM change them (IBA 14.2.5.6). */
#ifndef SOFT_LINK_H
#define SOFT_LINK_H

#include "sma/soft/responder.h"

/* A cable comes or goes at a data port; trap 128 of a switch. -ERANGE: there is no such port. */
int link_set(struct responder *responder, unsigned port, bool up);

/* What a Set of PortInfo commands in its PortState and PortPhysicalState: whether it is valid, and to obey a
 * valid one. A port without states takes any, and ignores it. */
bool link_is_valid_command(const struct soft_state *state, unsigned port, const uint8_t info[SMA_BLOCK_SIZE]);
void link_obey(struct responder *responder, unsigned port, const uint8_t info[SMA_BLOCK_SIZE]);

#endif
