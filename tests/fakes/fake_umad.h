/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libibumad's device functions in memory: a program that is linked with them uses no other. What is put in is
 * received by the readers of its ports; what is registered and sent is recorded. umad_recv waits for a tenth
 * of the time it is told, nanosleep(2) for a moment.
 */
#ifndef TESTS_FAKES_FAKE_UMAD_H
#define TESTS_FAKES_FAKE_UMAD_H

#include <stdbool.h>

#include <infiniband/umad.h>

#include "sma/iba/mad.h"

enum { FAKE_UMAD_AGENTS = 16, FAKE_UMAD_KEPT = 16, FAKE_UMAD_PORTS = 4 };

/* An agent by its number; `used` until it is unregistered. */
struct fake_umad_agent {
	bool used;
	int class;
	int class_version;
	int rmpp_version;
	uint64_t methods;
};

struct fake_umad_sent {
	unsigned port; /* of those opened since the start: 0, the first, .. */
	int agent;
	int length;
	int timeout_ms;
	int retries;
	struct ib_mad_addr addr;
	uint8_t mad[MAD_SIZE];
};

struct fake_umad {
	unsigned opened; /* descriptors that are open */
	unsigned target; /* which of those opened since the start a MAD is put into: 0, the first, .. */
	unsigned agent_count;
	struct fake_umad_agent agents[FAKE_UMAD_AGENTS];
	int refused_class;   /* registering it fails with `refusal`; 0: none */
	bool refused_always; /* also for answers only, else for requests */
	int refusal;
	unsigned sent_count;
	struct fake_umad_sent sent[FAKE_UMAD_KEPT];
	unsigned failed;        /* calls of umad_recv, by fake_umad_break */
	unsigned slept_ms;      /* that nanosleep(2) was told to wait */
	unsigned brief;         /* calls of umad_recv that wait for less than 100 ms */
	unsigned late_response; /* the brief call in which a response arrives; 0: none does */
};

/* Start anew. What is inside may be read and changed while no other thread uses it. */
struct fake_umad *fake_umad_reset(void);

/* Have a MAD of `size` bytes received, filled with `byte` behind the `head_size` bytes of `head`; wait while
 * too many are not received yet. */
void fake_umad_put(const void *head, size_t head_size, size_t size, uint8_t byte, int status, uint16_t slid,
                   uint8_t sl);

/* Wait until all that was put in is received, and the reader asks for more. False: not in time. */
bool fake_umad_wait_taken(void);

/* Let reading the target fail with an errno from now on; 0: no longer. */
void fake_umad_break(int error);

/* Wait until nanosleep(2) was told to wait so long, all calls together. False: not in time. */
bool fake_umad_wait_slept(unsigned ms);

#endif
