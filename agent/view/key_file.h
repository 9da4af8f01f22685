/* SPDX-License-Identifier: BSD-2-Clause */
/* M_Keys with which other nodes are read, in a file that nobody but the user of the daemon may read. */
#ifndef AGENT_VIEW_KEY_FILE_H
#define AGENT_VIEW_KEY_FILE_H

#include <stddef.h>
#include <stdint.h>

struct key_file;

/* Read a file of lines `GUID KEY` and `default KEY`, both hexadecimal; # begins a comment. 0, or -errno, and
 * what is wrong in `error`, without any key: it cannot be read; -EPERM: it is no regular file, belongs to
 * somebody else than root or this user, or others may read or write it; -EINVAL: a line is wrong; -ENOMEM. It
 * is the caller's to free. */
int key_file_load(const char *file, struct key_file **keys, char *error, size_t size);

/* Overwrite the keys, and free them. NULL is allowed. */
void key_file_free(struct key_file *keys);

/* The key of a node, of the default line where it has none (also for GUID 0), else 0. `keys` may be NULL. */
uint64_t key_file_find(const struct key_file *keys, uint64_t guid);

#endif
