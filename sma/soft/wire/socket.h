/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagram sockets with names as libumad2sim makes them. */
#ifndef SOFT_WIRE_SOCKET_H
#define SOFT_WIRE_SOCKET_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { SOCKET_PATH_SIZE = sizeof(((struct sockaddr_un *)0)->sun_path) };

struct address {
	struct sockaddr_un name;
	socklen_t size;
};

/* The abstract name `base`:`tail`. */
struct address socket_address(const char *base, const char *tail);

/* A non-blocking socket of that name, which learns who sends to it; or -errno. */
int socket_bind(const char *base, const char *tail);

/* Whether anybody has an address. */
bool socket_is_bound(const struct address *address);

/* Who sent a datagram. */
struct sender {
	struct address address;
	uid_t user; /* by the kernel's word; SMA_NOBODY: it has none to say */
};

/* Receive a datagram. Its true size, which may be more than `size`; or -errno. */
ssize_t socket_receive(int fd, void *bytes, size_t size, struct sender *sender);

#endif
