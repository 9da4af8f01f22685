// SPDX-License-Identifier: BSD-2-Clause
/* Entries of the table attributes, which libibmad has no fields for. */
#include "sma/iba/component.h"
#include "sma/iba/wire.h"

uint64_t sma_guid_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i)
{
	return wire_get64(block + 8UL * i);
}

uint16_t sma_pkey_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i)
{
	return wire_get16(block + 2UL * i);
}

unsigned sma_sl2vl_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned sl)
{
	return sl % 2 ? block[sl / 2] & 0xF : block[sl / 2] >> 4;
}

uint16_t sma_multicast_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i)
{
	return wire_get16(block + 2UL * i);
}

const uint8_t *sma_diag_data(const uint8_t block[SMA_BLOCK_SIZE])
{
	return block + 2;
}

struct sma_vlarb_entry sma_vlarb_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i)
{
	const uint8_t *p = block + 2UL * i;

	return (struct sma_vlarb_entry){.vl = p[0] & 0xF, .weight = p[1]};
}

struct sma_random_entry sma_random_entry(const uint8_t block[SMA_BLOCK_SIZE], unsigned i)
{
	const uint8_t *p = block + 4UL * i;

	return (struct sma_random_entry){
		.lid = wire_get16(p), .valid = p[2] >> 7, .lmc = p[2] >> 4 & 7, .port = p[3]};
}
