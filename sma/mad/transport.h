/* SPDX-License-Identifier: BSD-2-Clause */
/* What carries the MADs of a local port: umad in the daemon, the software node, a fake in the tests. */
#ifndef MAD_TRANSPORT_H
#define MAD_TRANSPORT_H

#include "sma/iba/iba.h"

struct transport;

/* A MAD on its way out. Its QP follows from its class. */
struct packet {
	uint8_t mad[MAD_SIZE];
	uint16_t lid; /* where it goes; MAD_PERMISSIVE_LID with a directed route */
	uint8_t sl;
};

struct transport_ops {
	/* Send a MAD and return at once. With a timeout_ms of 0 no answer is expected; otherwise one arrives
	 * in the mailbox, or the same MAD with status ETIMEDOUT. 0 or -errno: -EBUSY when another program
	 * holds what has to be registered for it. */
	int (*send)(struct transport *transport, const struct packet *packet, unsigned timeout_ms);
	/* Receive MADs of a class with a method that nobody asked for, or no longer. 0 or -errno, as `send`.
	 * NULL where a transport has none. */
	int (*listen)(struct transport *transport, uint8_t class, uint8_t method, bool on);
	/* Stop, and free the transport; nothing is posted afterwards. */
	void (*close)(struct transport *transport);
};

struct transport {
	const struct transport_ops *ops;
};

#endif
