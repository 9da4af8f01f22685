// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/agentx/protocol.h"
#include "agent/agentx/transport.h"

struct backlog {
	u_char *bytes;
	size_t length;
};

static bool would_block(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/* How much of it was sent; to a peer that has gone, all of it: what it sent before is still to be read. */
static size_t send_some(int fd, const u_char *bytes, size_t length)
{
	ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);

	if (sent >= 0)
		return (size_t)sent;
	return would_block(errno) ? 0 : length;
}

static int keep(struct backlog *backlog, const u_char *bytes, size_t length)
{
	u_char *more;

	if (length == 0)
		return 0;
	if (length > TRANSPORT_BACKLOG_MAX - backlog->length)
		return -ENOBUFS;
	more = realloc(backlog->bytes, backlog->length + length);
	if (!more)
		return -ENOMEM;
	memcpy(more + backlog->length, bytes, length);
	backlog->bytes = more;
	backlog->length += length;
	return 0;
}

bool transport_flush(netsnmp_transport *transport)
{
	struct backlog *backlog = transport->data;
	size_t sent;

	if (backlog->length == 0)
		return false;
	sent = send_some(transport->sock, backlog->bytes, backlog->length);
	backlog->length -= sent;
	memmove(backlog->bytes, backlog->bytes + sent, backlog->length);
	return backlog->length != 0;
}

/* ---- what Net-SNMP calls ---- */

static int receive(netsnmp_transport *transport, void *buffer, int size, void **opaque, int *opaque_length)
{
	ssize_t got = recv(transport->sock, buffer, (size_t)size, 0);

	(void)opaque;
	(void)opaque_length;
	if (got >= 0 || !would_block(errno))
		return (int)got;
	transport->flags |= NETSNMP_TRANSPORT_FLAG_EMPTY_PKT;
	return 0;
}

static int transmit(netsnmp_transport *transport, const void *bytes, int length, void **opaque,
                    int *opaque_length)
{
	struct backlog *backlog = transport->data;
	size_t sent = 0;

	(void)opaque;
	(void)opaque_length;
	if (transport->sock < 0)
		return -1;
	if (!transport_flush(transport))
		sent = send_some(transport->sock, bytes, (size_t)length);
	if (keep(backlog, (const u_char *)bytes + sent, (size_t)length - sent) == 0)
		return length;
	/* a part of it may have been sent, so that nothing can follow */
	shutdown(transport->sock, SHUT_RDWR);
	return -1;
}

static int end(netsnmp_transport *transport)
{
	struct backlog *backlog = transport->data;

	if (transport->sock >= 0)
		close(transport->sock);
	transport->sock = -1;
	free(backlog->bytes);
	*backlog = (struct backlog){0};
	return 0;
}

netsnmp_transport *transport_new(int fd)
{
	netsnmp_transport *transport = calloc(1, sizeof(*transport));
	struct backlog *backlog = calloc(1, sizeof(*backlog));

	if (!transport || !backlog) {
		free(transport);
		free(backlog);
		close(fd);
		return NULL;
	}
	transport->sock = fd;
	transport->flags = NETSNMP_TRANSPORT_FLAG_STREAM;
	transport->msgMaxSize = AGENTX_PACKET_MAX;
	transport->data = backlog;
	transport->data_length = sizeof(*backlog);
	transport->f_recv = receive;
	transport->f_send = transmit;
	transport->f_close = end;
	return transport;
}
