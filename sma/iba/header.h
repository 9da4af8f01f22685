/* SPDX-License-Identifier: BSD-2-Clause */
/* What all management datagrams begin with (IBA 13.4.3). */
#ifndef IBA_HEADER_H
#define IBA_HEADER_H

#include "sma/iba/smp.h"

/* Begin a MAD: zeros but for the base version and these; the method and attribute are of its class. */
void mad_begin(uint8_t mad[SMA_MAD_SIZE], uint8_t class, uint8_t class_version, uint8_t method,
               uint16_t attribute, uint64_t tid);

#endif
