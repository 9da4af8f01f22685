// SPDX-License-Identifier: BSD-2-Clause
#include <endian.h>
#include <string.h>

#include "sma/mad/umadbox.h"

void umadbox_received(void *arg, struct umad_buffer *buffer)
{
	const struct umadbox *u = arg;
	const ib_mad_addr_t *source = umad_get_mad_addr(buffer);
	struct sma_mail mail = {
		.kind = SMA_MAIL_MAD,
		.port = (uint8_t)u->port.number,
		.status = umad_status(buffer),
		.slid = be16toh(source->lid),
		.sl = source->sl,
		.size = (uint16_t)buffer->size,
	};

	memcpy(mail.mad, umad_get_mad(buffer), SMA_MAD_SIZE);
	sma_mailbox_put(u->box, &mail);
}

void umadbox_state(void *arg, int error)
{
	const struct umadbox *u = arg;

	sma_mailbox_post_state(u->box, (uint8_t)u->port.number, error ? SMA_MAIL_BROKEN : SMA_MAIL_MENDED,
	                       error);
}
