// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agentx/credentials.h"

static bool owns_directory(uid_t user, const struct sockaddr_un *socket)
{
	char path[sizeof(socket->sun_path)];
	struct stat directory;

	memcpy(path, socket->sun_path, sizeof(path)); /* which dirname changes */
	return stat(dirname(path), &directory) == 0 && directory.st_uid == user;
}

int credentials_check(int fd, const struct address *address, uid_t permitted, char *why, size_t size)
{
	struct ucred peer;
	socklen_t length = sizeof(peer);

	why[0] = '\0';
	if (address->family != AF_UNIX)
		return 0;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) {
		int error = errno;

		snprintf(why, size, "the user who listens there cannot be found out: %s", strerror(error));
		return -error;
	}
	if (peer.uid == 0 || peer.uid == geteuid() || peer.uid == permitted ||
	    owns_directory(peer.uid, &address->path))
		return 0;
	snprintf(why, size,
	         "user %u listens there, who is not root, not ibsmad's user (%u), and does not own the "
	         "directory; if snmpd runs as that user: \"agentXPeer %u\" in ibsmad.conf",
	         peer.uid, geteuid(), peer.uid);
	return -EPERM;
}
