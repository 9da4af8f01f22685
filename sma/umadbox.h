/* SPDX-License-Identifier: BSD-2-Clause */
/* The umad device of one port, whose MADs and state go to a mailbox. */
#ifndef SMA_UMADBOX_H
#define SMA_UMADBOX_H

#include "sma/mailbox.h"
#include "sma/umadport.h"

struct umadbox {
	struct umadport port;
	struct sma_mailbox *box; /* not owned */
};

/* Events of umadport_start, whose `arg` is a struct umadbox. */
void umadbox_received(void *arg, struct umad_buffer *buffer);
void umadbox_state(void *arg, int error);

#endif
