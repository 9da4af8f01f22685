// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/soft/wire/message.h"

#define CONTROL_MAGIC 0xDEADBEEFU

/* As the C structures of the client library lie in memory. */
struct control_message {
	uint32_t magic;
	uint32_t client;
	uint32_t type;
	uint32_t length;
	uint8_t data[CONTROL_DATA_SIZE];
};

struct datagram_message {
	uint32_t dlid; /* the network's 16 bits as a number of the host */
	uint32_t slid;
	uint32_t dqp; /* from here on in network order */
	uint32_t sqp;
	uint32_t status;
	uint32_t padding;
	uint64_t length;
	uint8_t mad[MAD_SIZE];
};

_Static_assert(sizeof(struct control_message) == CONTROL_SIZE, "layout of the client library");
_Static_assert(sizeof(struct datagram_message) == DATAGRAM_SIZE, "layout of the client library");
_Static_assert(sizeof(struct control_connect) <= CONTROL_DATA_SIZE, "layout of the client library");
_Static_assert(offsetof(struct control_vendor, firmware) == 16, "layout of the client library");

int message_decode_control(const uint8_t *message, size_t size, struct control *control)
{
	struct control_message in;

	if (size != sizeof(in))
		return -EPROTO;
	memcpy(&in, message, sizeof(in));
	if (in.magic != CONTROL_MAGIC)
		return -EPROTO;
	*control = (struct control){.client = in.client, .type = in.type, .length = in.length};
	memcpy(control->data, in.data, sizeof(control->data));
	return 0;
}

void message_encode_control(const struct control *control, uint8_t message[CONTROL_SIZE])
{
	struct control_message out = {
		.magic = CONTROL_MAGIC,
		.client = control->client,
		.type = control->type,
		.length = control->length,
	};

	memcpy(out.data, control->data, sizeof(out.data));
	memcpy(message, &out, sizeof(out));
}

int message_decode_datagram(const uint8_t *message, size_t size, struct datagram *datagram)
{
	struct datagram_message in;
	uint64_t length;

	if (size != sizeof(in))
		return -EPROTO;
	memcpy(&in, message, sizeof(in));
	length = be64toh(in.length);
	if (length > sizeof(datagram->mad))
		return -EPROTO;
	*datagram = (struct datagram){
		.dlid = be16toh((uint16_t)in.dlid),
		.slid = be16toh((uint16_t)in.slid),
		.dqp = be32toh(in.dqp),
		.sqp = be32toh(in.sqp),
		.status = be32toh(in.status),
		.size = (uint32_t)length,
	};
	memcpy(datagram->mad, in.mad, length);
	return 0;
}

void message_encode_datagram(const struct datagram *datagram, uint8_t message[DATAGRAM_SIZE])
{
	struct datagram_message out = {
		.dlid = htobe16(datagram->dlid),
		.slid = htobe16(datagram->slid),
		.dqp = htobe32(datagram->dqp),
		.sqp = htobe32(datagram->sqp),
		.status = htobe32(datagram->status),
		.length = htobe64(datagram->size),
	};

	memcpy(out.mad, datagram->mad, sizeof(out.mad));
	memcpy(message, &out, sizeof(out));
}
