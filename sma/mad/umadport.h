/* SPDX-License-Identifier: BSD-2-Clause */
/* The umad device of one port: opening it, registering, and the thread that reads it. */
#ifndef MAD_UMADPORT_H
#define MAD_UMADPORT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/umad.h>

#include "sma/iba/iba.h"

/* A MAD with what umad keeps in front of it. */
struct umad_buffer {
	union {
		struct ib_user_mad header;
		uint8_t bytes[sizeof(struct ib_user_mad) + MAD_SIZE];
	};
	unsigned size; /* bytes of the MAD that were received; the rest is 0 */
};

/* Called from the reader thread. */
struct umadport_events {
	/* A MAD was received, with its header at least. With an umad_status it is a request that came back
	 * unanswered, and may be shorter. */
	void (*received)(void *arg, struct umad_buffer *buffer);
	/* The device cannot be read: `error` is the errno; or 0: it can again. */
	void (*state)(void *arg, int error);
};

struct umadport {
	int fd;
	unsigned number;
	bool reading;
	atomic_bool stop;
	atomic_int awaited; /* answers, at most */
	pthread_t reader;
	const struct umadport_events *events;
	void *arg;
};

/* Open the device of a port. On failure -errno, and `error` says which file failed and how to fix it.
 * -EOVERFLOW: libibumad has no room for the device. */
int umadport_open(struct umadport *port, const char *device, unsigned number, char *error, size_t size);

/* What an agent is for. */
struct umadport_agent {
	uint8_t class;
	uint8_t class_version;
	uint8_t rmpp_version; /* 0: the kernel leaves RMPP alone */
	uint64_t methods;     /* requests with these methods are received, as bits; else answers only */
};

/* Register an agent. Its number, or -errno. */
int umadport_register(struct umadport *port, const struct umadport_agent *agent);

void umadport_unregister(struct umadport *port, int number);

/* Start the reader thread. `events` and `arg` must outlive it. */
int umadport_start(struct umadport *port, const struct umadport_events *events, void *arg);

/* Send an addressed MAD. When `timeout_ms` is not 0 it comes back unless an answer does so earlier. 0 or
 * -errno. */
int umadport_send(struct umadport *port, int agent, struct umad_buffer *buffer, unsigned timeout_ms);

/* Stop the reader, which still passes on the answers that come within a quarter of a second, and close the
 * device: no event comes afterwards. */
void umadport_close(struct umadport *port);

#endif
