/* SPDX-License-Identifier: BSD-2-Clause */
/* Who listens on the other end of a unix socket: anybody may where the folder of the socket lets them. */
#ifndef AGENT_AGENTX_CREDENTIALS_H
#define AGENT_AGENTX_CREDENTIALS_H

#include <stddef.h>
#include <sys/types.h>

#include "agent/agentx/address.h"

#define CREDENTIALS_NOBODY ((uid_t)-1)

/* Whether the peer of a connected socket may be the master agent. By TCP it always may. On a unix socket the
 * process that listens was, when it began to, root, this user, the owner of the socket's folder, or
 * `permitted` (CREDENTIALS_NOBODY: no one else). -EPERM, or another -errno when that cannot be told; `why`
 * says what is wrong and what permits it. */
int credentials_check(int fd, const struct address *address, uid_t permitted, char *why, size_t size);

#endif
