/* SPDX-License-Identifier: BSD-2-Clause */
/* Subnet administration: the attribute that subscribes to traps, and what a status means. */
#ifndef IBA_SA_H
#define IBA_SA_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SA_GID_SIZE = 16,
	SA_INFORM_INFO_SIZE = 36,
};

/* Build an InformInfo (IBA 13.4.8.3) that subscribes QP1 to all generic traps, or ends that: those of the
 * port with `gid`, of SA_GID_SIZE bytes, or with NULL those of all ports. */
void sa_build_inform_info(uint8_t info[SA_INFORM_INFO_SIZE], const uint8_t *gid, bool subscribe);

/* What the status of an answer means, in words (IBA 13.4.7, 15.4.1). */
const char *sa_status_text(uint16_t status);

#endif
