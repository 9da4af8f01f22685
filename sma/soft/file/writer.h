/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that has to reach the disk, replaced as a whole by a thread: the loop does not wait for the disk.
 */
#ifndef SOFT_FILE_WRITER_H
#define SOFT_FILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer;

/* How a write ended. */
struct written {
	uint64_t version; /* of the contents */
	int error;        /* 0: they are on the disk; -errno: they are not, and the file is as it was */
};

/* A writer for `path`. There is no thread before the first writer_put. NULL with errno when out of memory or
 * descriptors. */
struct writer *writer_new(const char *path);

/* Wait until all writing has ended. Nothing may be put any more. */
void writer_stop(struct writer *writer);

/* Stop, and free. NULL is allowed. */
void writer_free(struct writer *writer);

/* A descriptor that is readable while writer_take has something to return. */
int writer_fd(const struct writer *writer);

/* Let the file hold `size` bytes, allocated ones that are the writer's from now on, and be for its owner only
 * (mode 0600). A version that was put before and has not been begun yet is left out. -errno: there is no
 * thread to do it. */
int writer_put(struct writer *writer, uint64_t version, char *bytes, size_t size);

/* How the write that ended last has ended. False: none has since the last call. */
bool writer_take(struct writer *writer, struct written *written);

#endif
