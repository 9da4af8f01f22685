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
 * with 16 entries in a line of P_Keys, and none for 16 that are zero. The checksum is over all lines before
 * it. A file is gone through twice, so that nothing of a damaged one reaches the store.
 */
#ifndef SMA_NVRAM_FILE_H
#define SMA_NVRAM_FILE_H

#include <inttypes.h>
#include <limits.h>

#include "sma/nvram.h"

#define NVRAM_FIRST_LINE        "ibsmad-nvram 1"
#define NVRAM_CHECKSUM          "checksum 0x%016" PRIx64 "\n"
#define NVRAM_FINGERPRINT_START 0xCBF29CE484222325ULL

enum {
	NVRAM_LINE_SIZE = 256, /* more than any line that is written */
	NVRAM_PKEYS_PER_LINE = 16,
	NVRAM_KEY_PARTS = 3,
};

/* The components that are kept with IsMKeyNVRAM. */
extern const enum sma_component nvram_key_parts[NVRAM_KEY_PARTS];

/* Whether a port keeps what a bit of its CapabilityMask stands for. */
bool nvram_keeps(const struct sma_store *store, unsigned port, enum sma_component bit);

uint64_t nvram_node_guid(const struct sma_store *store);

/* A number that tells contents apart: FNV-1a, begun with NVRAM_FINGERPRINT_START. */
uint64_t nvram_fingerprint(uint64_t so_far, const void *bytes, size_t size);
uint64_t nvram_fingerprint_of(const struct sma_store *store);

/* The file holds what the fingerprint stands for. */
void nvram_note_kept(struct nvram *nvram, uint64_t kept);

/* PATH with an ending. -ENAMETOOLONG. */
int nvram_path_with(const char *path, const char *ending, char result[PATH_MAX]);

#endif
