/* SPDX-License-Identifier: BSD-2-Clause */
/* The umad device of one port, whose MADs and state go to a mailbox. */
#ifndef MAD_UMADBOX_H
#define MAD_UMADBOX_H

#include "sma/mad/sma_mailbox.h"
#include "sma/mad/umadport.h"

struct umadbox {
	struct umadport port;
	struct sma_mailbox *box; /* not owned */
};

/* Events of umadport_start, whose `arg` is a struct umadbox. */
void umadbox_received(void *arg, struct umad_buffer *buffer);
void umadbox_state(void *arg, int error);

#endif
