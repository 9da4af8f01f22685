// SPDX-License-Identifier: BSD-2-Clause
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/fakes/fake_master.h"
#include "tests/unit.h"

enum { BACKLOG = 5, BIG_ENDIAN_FLAG = 0x10, RESPONSE_SIZE = 8 };

/* ---- integers, in the order that a flag of the header tells ---- */

static uint32_t get32(const uint8_t *octets, uint8_t flags)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < 4; i++)
		value = value << 8 | octets[flags & BIG_ENDIAN_FLAG ? i : 3 - i];
	return value;
}

static unsigned get16(const uint8_t *octets, uint8_t flags)
{
	return flags & BIG_ENDIAN_FLAG ? octets[0] << 8 | octets[1] : octets[1] << 8 | octets[0];
}

static void put32(uint8_t *octets, uint32_t value)
{
	value = htonl(value);
	memcpy(octets, &value, sizeof(value));
}

/* ---- coming and going ---- */

static int listen_unix(const char *path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	snprintf(name.sun_path, sizeof(name.sun_path), "%s", path);
	unlink(path);
	CHECK(bind(fd, (const struct sockaddr *)&name, sizeof(name)) == 0);
	return fd;
}

static int listen_tcp(struct master *master)
{
	struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(name);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	CHECK(bind(fd, (const struct sockaddr *)&name, sizeof(name)) == 0);
	CHECK(getsockname(fd, (struct sockaddr *)&name, &size) == 0);
	snprintf(master->address, sizeof(master->address), "tcp:127.0.0.1:%u", ntohs(name.sin_port));
	return fd;
}

void master_return(struct master *master)
{
	master->listener = listen_unix(master->address);
	CHECK(listen(master->listener, BACKLOG) == 0);
}

void master_open(struct master *master, bool tcp)
{
	char folder[UNIT_FOLDER_SIZE];

	memset(master, 0, sizeof(*master));
	master->peer = -1;
	if (tcp) {
		master->listener = listen_tcp(master);
		CHECK(listen(master->listener, BACKLOG) == 0);
		return;
	}
	CHECK(unit_folder(folder));
	snprintf(master->address, sizeof(master->address), "%s/master", folder);
	master_return(master);
}

void master_leave(struct master *master)
{
	master_hang_up(master);
	if (master->listener >= 0)
		close(master->listener);
	master->listener = -1;
	if (master->address[0] == '/')
		unlink(master->address);
}

void master_close(struct master *master)
{
	char *slash = strrchr(master->address, '/');

	master_leave(master);
	if (!slash)
		return;
	*slash = '\0';
	rmdir(master->address);
}

bool master_accept(struct master *master)
{
	int fd = master->listener < 0 ? -1 : accept4(master->listener, NULL, NULL, SOCK_NONBLOCK);

	if (fd < 0)
		return false;
	master_hang_up(master);
	master->peer = fd;
	master->accepted++;
	return true;
}

void master_hang_up(struct master *master)
{
	if (master->peer >= 0)
		close(master->peer);
	master->peer = -1;
	master->in_length = 0;
}

bool master_is_left(const struct master *master)
{
	char octet;

	return master->in_length == 0 && recv(master->peer, &octet, 1, MSG_PEEK) == 0;
}

/* ---- PDUs ---- */

static bool parse(struct master *master, struct master_pdu *pdu)
{
	const uint8_t *in = master->in;
	size_t length;

	if (master->in_length < MASTER_HEADER)
		return false;
	pdu->type = in[1];
	pdu->flags = in[2];
	pdu->session = get32(in + 4, pdu->flags);
	pdu->transaction = get32(in + 8, pdu->flags);
	pdu->packet = get32(in + 12, pdu->flags);
	pdu->length = get32(in + 16, pdu->flags);
	length = MASTER_HEADER + pdu->length;
	if (!CHECK(in[0] == 1 && pdu->length <= MASTER_PAYLOAD_MAX) || master->in_length < length)
		return false;
	memcpy(pdu->payload, in + MASTER_HEADER, pdu->length);
	master->in_length -= length;
	memmove(master->in, in + length, master->in_length);
	return true;
}

bool master_take(struct master *master, struct master_pdu *pdu)
{
	ssize_t got;

	if (master->peer < 0)
		return false;
	got = recv(master->peer, master->in + master->in_length, sizeof(master->in) - master->in_length, 0);
	if (got > 0)
		master->in_length += (size_t)got;
	return parse(master, pdu);
}

void master_send(struct master *master, const void *octets, size_t length)
{
	CHECK_EQUAL(send(master->peer, octets, length, MSG_NOSIGNAL), length);
}

size_t master_build(uint8_t *octets, const struct master_pdu *pdu)
{
	octets[0] = 1;
	octets[1] = pdu->type;
	octets[2] = pdu->flags | BIG_ENDIAN_FLAG;
	octets[3] = 0;
	put32(octets + 4, pdu->session);
	put32(octets + 8, pdu->transaction);
	put32(octets + 12, pdu->packet);
	put32(octets + 16, (uint32_t)pdu->length);
	memcpy(octets + MASTER_HEADER, pdu->payload, pdu->length);
	return MASTER_HEADER + pdu->length;
}

size_t master_build_response(uint8_t *octets, const struct master_pdu *pdu, uint32_t uptime, uint16_t error)
{
	struct master_pdu response = {.type = MASTER_RESPONSE,
	                              .session = MASTER_SESSION,
	                              .transaction = pdu->transaction,
	                              .packet = pdu->packet,
	                              .length = RESPONSE_SIZE};

	put32(response.payload, uptime);
	response.payload[4] = (uint8_t)(error >> 8);
	response.payload[5] = (uint8_t)error;
	return master_build(octets, &response);
}

void master_respond(struct master *master, const struct master_pdu *pdu, uint32_t uptime, uint16_t error)
{
	uint8_t octets[MASTER_HEADER + RESPONSE_SIZE];
	size_t length = master_build_response(octets, pdu, uptime, error);

	master_send(master, octets, length);
}

void master_send_pdu(struct master *master, const struct master_pdu *pdu)
{
	uint8_t octets[MASTER_HEADER + MASTER_PAYLOAD_MAX] = {0};

	master_send(master, octets, master_build(octets, pdu));
}

unsigned master_error(const struct master_pdu *response)
{
	return get16(response->payload + 4, response->flags);
}

unsigned master_index(const struct master_pdu *response)
{
	return get16(response->payload + 6, response->flags);
}
