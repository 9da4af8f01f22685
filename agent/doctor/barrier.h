/* SPDX-License-Identifier: BSD-2-Clause */
/* What keeps a user from a socket: the modes of its folders, or its own. The kernel is asked. */
#ifndef AGENT_DOCTOR_BARRIER_H
#define AGENT_DOCTOR_BARRIER_H

#include <stddef.h>

/* The first folder of a path, or the socket itself, that is closed to `user`, who is looked for in a process
 * of its own and only by root; NULL: the user of this process. It has a name of at least `from`
 * characters, 1... Its length within `path`, which is at most 255 characters long; 0: there is none that can
 * be seen. */
size_t barrier_find(const char *user, const char *path, size_t from);

#endif
