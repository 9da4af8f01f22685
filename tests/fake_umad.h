/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libibumad's device functions in memory, for one device: a program that is linked with them uses no other.
 * What is put in is received by the readers of the device; what is registered and sent is recorded.
 */
#ifndef TESTS_FAKE_UMAD_H
#define TESTS_FAKE_UMAD_H

#include <infiniband/umad.h>

#include "sma/smp.h"

enum { FAKE_UMAD_AGENTS = 16, FAKE_UMAD_KEPT = 16 };

/* An agent by its number; `used` until it is unregistered. */
struct fake_umad_agent {
	bool used;
	int class;
	int class_version;
	int rmpp_version;
	uint64_t methods;
};

struct fake_umad_sent {
	int agent;
	int length;
	int timeout_ms;
	int retries;
	struct ib_mad_addr addr;
	uint8_t mad[SMA_MAD_SIZE];
};

struct fake_umad {
	unsigned opened; /* descriptors that are open */
	unsigned agent_count;
	struct fake_umad_agent agents[FAKE_UMAD_AGENTS];
	int refused_class; /* registering it for requests fails with `refusal`; 0: none */
	int refusal;
	unsigned sent_count;
	struct fake_umad_sent sent[FAKE_UMAD_KEPT];
};

/* Start anew. What is inside may be read and changed while no other thread uses it. */
struct fake_umad *fake_umad_reset(void);

/* Have a MAD of `size` bytes received, filled with `byte` behind the `head_size` bytes of `head`. */
void fake_umad_put(const void *head, size_t head_size, size_t size, uint8_t byte, int status, uint16_t slid,
                   uint8_t sl);

#endif
