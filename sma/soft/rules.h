/* SPDX-License-Identifier: BSD-2-Clause */
/* What SubnSet may do to PortInfo and SwitchInfo, component by component (IBA 14.2.5.4, 14.2.5.6). */
#ifndef SOFT_RULES_H
#define SOFT_RULES_H

#include "sma/soft/sma_request.h"

/* Check all components of PortInfo, then apply them; nothing is applied when one is invalid. 0 or
 * MAD_STATUS_INVALID. */
uint16_t rules_set_port(const struct sma_request *request, unsigned port, const uint8_t data[SMA_BLOCK_SIZE]);

/* Likewise SwitchInfo. */
uint16_t rules_set_switch(const struct sma_request *request, const uint8_t data[SMA_BLOCK_SIZE]);

#endif
