/* SPDX-License-Identifier: BSD-2-Clause */
/* Who listens on a unix socket: anybody can who may write to its folder. */
#ifndef AGENT_AGENTX_CREDENTIALS_H
#define AGENT_AGENTX_CREDENTIALS_H

#include <stddef.h>
#include <sys/types.h>

#include "agent/agentx/address.h"

/* Whether the peer of a connected socket may be the master agent. By TCP it always may. On a unix socket the
 * process that listens must have been, when it called listen(2), root, this user, the owner of the socket's
 * folder, or `permitted` ((uid_t)-1: no one else). -EPERM, or another -errno when its user cannot be found
 * out; `why` says what is wrong and what permits it. */
int credentials_check(int fd, const struct address *address, uid_t permitted, char *why, size_t size);

#endif
