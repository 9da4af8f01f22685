/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the attributes of the software SMA stand in the state. */
#ifndef SOFT_TABLE_H
#define SOFT_TABLE_H

#include <stddef.h>

#include "sma/soft/sma_request.h"

/* Where an attribute stands. */
struct span {
	uint8_t *bytes;
	size_t length; /* at most SMA_BLOCK_SIZE; what is beyond reads as zero and is not set */
};

/* A component of PortInfo of the port whose SMA answers. */
unsigned table_port_get(const struct sma_request *request, enum sma_component component);

/* The tables: find the block that the modifier names. 0 or the MAD status. */
uint16_t table_find_guids(const struct sma_request *request, struct span *span);
uint16_t table_find_pkeys(const struct sma_request *request, struct span *span);
uint16_t table_find_sl2vl(const struct sma_request *request, struct span *span);
uint16_t table_find_vlarb(const struct sma_request *request, struct span *span);
uint16_t table_find_linear(const struct sma_request *request, struct span *span);
uint16_t table_find_random(const struct sma_request *request, struct span *span);
uint16_t table_find_multicast(const struct sma_request *request, struct span *span);

/* What a Set of them does to its data before they are stored. 0. */
uint16_t table_clean_guids(const struct sma_request *request, uint8_t *data);
uint16_t table_clean_vlarb(const struct sma_request *request, uint8_t *data);
uint16_t table_clean_random(const struct sma_request *request, uint8_t *data);

#endif
