/* SPDX-License-Identifier: BSD-2-Clause */
/* The agents of the software node for this process itself, which is shown all keys. */
#ifndef SOFT_LOOPBACK_H
#define SOFT_LOOPBACK_H

#include <sys/queue.h>

#include "sma/mad/mad.h"
#include "sma/soft/responder.h"
#include "sma/soft/wire/simwire.h"

/* What is not owned has to outlive the transports. */
struct loopback {
	struct responder *responder;
	struct simwire *const
		*sim; /* whose SM client answers what the SMA leaves to it; to NULL: nobody does */
	const uint64_t *now;
	SLIST_HEAD(, loopback_end) ends;
};

/* Open an end port, for its SMA and for device management; the answers go to `box`, which must outlive the
 * transport. What leads elsewhere and what is not answered come back at once. Nothing can be listened to.
 * -ENODEV: the port has no SMA of its own; -ENOMEM. */
int loopback_open(struct loopback *loopback, unsigned port, struct mailbox *box,
                  struct transport **transport);

/* Open the SMAs of all end ports, the one of port `first` first. 0, or -errno and why in `error`. */
int loopback_open_ports(struct loopback *loopback, unsigned first, const struct engine_config *config,
                        struct mad_ports **ports, char *error, size_t size);

/* The SM client of a port has answered: a simwire_answered, whose `arg` is the loopback. */
void loopback_answered(void *arg, unsigned port, const uint8_t mad[MAD_SIZE]);

#endif
