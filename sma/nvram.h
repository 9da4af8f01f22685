/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the software SMA keeps across restarts, where IBA speaks of NVRAM: of each end port with
 * IsMKeyNVRAM the M_Key, M_KeyProtectBits and M_KeyLeasePeriod, of each with IsPKeyNVRAM the P_Key table.
 *
 * They stand in a file of text that holds secrets: mode 0600. It is replaced as a whole and by rename(2), so
 * that at any moment it holds what one sync wrote. Its first line gives the version of the format, its second
 * the node, its last a checksum of all before.
 */
#ifndef SMA_NVRAM_H
#define SMA_NVRAM_H

#include "sma/store.h"

enum { NVRAM_ERROR_SIZE = 512 };

struct nvram {
	const char *path; /* not owned */
	uint64_t kept;    /* fingerprint of what the file holds, or of what the node began with */
	bool known;       /* whether `kept` is valid */
};

/* The path must outlive the nvram. Nothing is read or written. */
void nvram_init(struct nvram *nvram, const char *path);

/* Put what the file holds into a store that has just been read from its node file; once, before nvram_sync. A
 * file that is not there is no error. What the file holds and the node no longer keeps (a port whose
 * capability bit is gone, P_Keys beyond its table) is passed over.
 *
 * On failure the store is unchanged and `error`, of `size` bytes (at least NVRAM_ERROR_SIZE), is a sentence
 * without keys. -EBADMSG: the file is damaged or of another node; it was renamed to PATH.damaged, the node
 * goes on as its node file says, and so may the caller. Any other: the file cannot be read or renamed, and
 * nvram_sync would replace it, so the caller should not go on. */
int nvram_restore(struct nvram *nvram, struct sma_store *store, char *error, size_t size);

/* Write the file if what it keeps has changed since it was read or written last, which is cheap to find out.
 * On return the contents are on the disk. -errno: they are not, the file is as it was, and the next call
 * tries again. */
int nvram_sync(struct nvram *nvram, const struct sma_store *store);

#endif
