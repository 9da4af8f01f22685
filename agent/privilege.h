/* SPDX-License-Identifier: BSD-2-Clause */
/* Giving up the rights of root once the device is open. */
#ifndef AGENT_PRIVILEGE_H
#define AGENT_PRIVILEGE_H

#include <stddef.h>
#include <sys/types.h>

/* Forbid this process new rights; before the first thread, which it holds for as well. -errno. */
int privilege_forbid_new(void);

/* The number of a user, given as a name or a number. -EINVAL: there is no such user. */
int privilege_user_id(const char *user, uid_t *uid);

/* Go on as `user` and `group`, names or numbers, with that user's supplementary groups; "" leaves
 * one as it is, but a user's own group goes with the user. Whatever happens to be held, no capability is kept
 * and none can come back. On failure -errno, and `error` says what failed and what mends it. */
int privilege_drop(const char *user, const char *group, char *error, size_t size);

#endif
