/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the software SMA keeps across restarts, which IBA calls NVRAM: of each end port with
 * IsMKeyNVRAM the M_Key, M_KeyProtectBits and M_KeyLeasePeriod, of each with IsPKeyNVRAM the P_Key table.
 *
 * They stand in a file as lines of a node file, mKey and pKey; a last line nodeGuid says of which node, and
 * that the file is whole. It holds secrets: mode 0600. It is replaced as a whole and by rename(2), so that at
 * any moment it holds what one write put there.
 */
#ifndef SOFT_FILE_NVRAM_H
#define SOFT_FILE_NVRAM_H

#include "sma/soft/file/writer.h"
#include "sma/soft/state.h"

enum { NVRAM_ERROR_SIZE = 1024 };

/* Texts are numbered in the order in which they are to be kept. */
struct nvram {
	char *path; /* owned */
	struct writer *writer;
	uint64_t hash;     /* of the text that was to be kept last */
	uint64_t version;  /* its number */
	uint64_t settled;  /* up to this one all are on the disk, or could not be written */
	int error;         /* 0, or the -errno with which the write that ended last has failed */
	uint64_t retry_at; /* when to write what is kept anyhow: after a failure; else UINT64_MAX */
};

/* Nothing is read or written. -ENOMEM or another -errno: there is nothing to be finished. */
int nvram_init(struct nvram *nvram, const char *path);

/* Wait until all is on the disk or could not be written, which is logged. nvram_process must not follow. */
void nvram_stop(struct nvram *nvram);

/* Stop, and free. */
void nvram_finish(struct nvram *nvram);

/* A descriptor that is readable while nvram_process has something to do. */
int nvram_fd(const struct nvram *nvram);

/* Put what the file holds into a state that has just been read from its node file; once, before
 * nvram_process. A file that is not there is no error. What the file holds and the node no longer keeps (a
 * port whose capability bit is gone, P_Keys beyond its table) is passed over. A file as the first release
 * wrote them is replaced by the first nvram_process.
 *
 * On failure the state is unchanged and `error`, of `size` bytes (at least NVRAM_ERROR_SIZE), is a sentence
 * without M_Keys. -EBADMSG: the file is damaged or of another node; it was renamed to PATH.damaged, and the
 * caller may start with the state as it is. Any other: it is no regular file, or cannot be read or renamed,
 * and nvram_process would replace it, so the caller should not start. */
int nvram_restore(struct nvram *nvram, struct soft_state *state, char *error, size_t size);

/* Begin to write what the state keeps if it is not what was to be kept last, and note what has been written;
 * never waits. `changed`: the state may keep something else than at the last call. A failure is logged, and
 * tried again some seconds later. Returns when to be called again, UINT64_MAX for never. */
uint64_t nvram_process(struct nvram *nvram, const struct soft_state *state, bool changed, uint64_t now);

#endif
