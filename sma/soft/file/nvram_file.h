/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The NVRAM file:
 *
 *   ibsmad-nvram 1
 *   node 0x0002c90300001000
 *   m_key PORT M_KEY M_KEYPROTECTBITS M_KEYLEASEPERIOD
 *   p_key PORT FIRST-ENTRY P_KEY ...
 *   checksum 0x0123456789abcdef
 *
 * with up to 16 entries in a line of P_Keys, and none for 16 that are zero. The checksum is over all before
 * it.
 */
#ifndef SOFT_FILE_NVRAM_FILE_H
#define SOFT_FILE_NVRAM_FILE_H

#include <inttypes.h>

#include "sma/soft/file/nvram.h"

#define NVRAM_FIRST_LINE "ibsmad-nvram 1\n"
#define NVRAM_NODE       "node 0x%016" PRIx64 "\n"
#define NVRAM_CHECKSUM   "checksum 0x%016" PRIx64 "\n"

enum {
	NVRAM_CHECKSUM_SIZE = sizeof("checksum 0x0123456789abcdef\n") - 1,
	NVRAM_PKEYS_PER_LINE = 16,
	NVRAM_KEY_PARTS = 3,
};

/* The components that are kept with IsMKeyNVRAM. */
extern const enum sma_component nvram_key_parts[NVRAM_KEY_PARTS];

/* Whether a port keeps what a bit of its CapabilityMask stands for. */
bool nvram_keeps(const struct soft_state *state, unsigned port, enum sma_component bit);

uint64_t nvram_node_guid(const struct soft_state *state);

/* FNV-1a of 64 bits, which tells any two texts apart that differ in one byte. */
uint64_t nvram_checksum(const char *bytes, size_t size);

/* As nvram_restore: put what a file holds into a state. */
int nvram_read(const char *path, struct soft_state *state, char *error, size_t size);

#endif
