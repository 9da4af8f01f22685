/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagram sockets with names as libumad2sim makes them. */
#ifndef SMA_SIMWIRE_SOCKET_H
#define SMA_SIMWIRE_SOCKET_H

#include <sys/socket.h>
#include <sys/un.h>

enum { SOCKET_PATH_SIZE = sizeof(((struct sockaddr_un *)0)->sun_path) };

struct address {
	struct sockaddr_un name;
	socklen_t size;
};

/* The abstract name `base`:`tail`. */
struct address socket_address(const char *base, const char *tail);

/* A non-blocking socket of that name, or -errno. */
int socket_bind(const char *base, const char *tail);

#endif
