/* SPDX-License-Identifier: BSD-2-Clause */
/* Dropping the privileges of root once the device is open. */
#ifndef AGENT_PRIVILEGE_H
#define AGENT_PRIVILEGE_H

#include <stddef.h>
#include <sys/types.h>

/* Prevent this process from gaining privileges; before the first thread, so that it applies to all. -errno.
 */
int privilege_forbid_new(void);

/* The number of a user, given as a name or a number. -EINVAL: there is no such user. */
int privilege_user_id(const char *user, uid_t *uid);

/* Become `user` and `group`, names or numbers, with that user's supplementary groups. "" leaves one as it is,
 * but the group of a user comes with the user. No capability is kept, whoever gave it, and none can be
 * regained. On failure -errno, and `error` says what failed and what fixes it. */
int privilege_drop(const char *user, const char *group, char *error, size_t size);

#endif
