/* SPDX-License-Identifier: BSD-2-Clause */
/* A poll of sma/poll.h of a node on a bench, and the notices that come of it. */
#ifndef TESTS_POLL_BENCH_H
#define TESTS_POLL_BENCH_H

#include "sma/poll.h"
#include "tests/bench.h"
#include "tests/fake_qp1.h"

enum {
	POLL_INTERVAL_MS = 10000, /* unless the test sets another */
	POLL_NODE_AGE_MS = 60000, /* NodeInfo is read again then */
	POLL_LID = 3,
	POLL_MASK = 0x0250C048, /* CapabilityMask */
	POLL_CA_PORT = 2,
	POLL_NOTICES = 64,
};

struct poll_bench {
	struct bench bench;
	struct fake_qp1 qp1;
	unsigned interval; /* may be changed before it begins, the next two at any time */
	struct facts facts;
	bool covered; /* another source tells of 128, 144 and 145 */
	struct poll *poll;
	uint64_t wake; /* when the poll wants to be called again */
	unsigned rounds;
	unsigned told; /* notices that came of it; they are below */
	uint8_t notices[POLL_NOTICES][SMA_BLOCK_SIZE];
};

/* A switch, or port POLL_CA_PORT of a CA; all its ports are Active. */
void poll_bench_prepare_switch(struct poll_bench *b, unsigned ports);
void poll_bench_prepare_ca(struct poll_bench *b);

/* Set a component of the node; `port` counts for one of PortInfo. */
void poll_bench_set(struct poll_bench *b, enum sma_component component, unsigned port, uint64_t value);

/* Set the PortState of a port, and CapabilityMask and LID of the management port; the facts keep theirs. */
void poll_bench_set_state(struct poll_bench *b, unsigned port, unsigned state);
void poll_bench_set_mask(struct poll_bench *b, uint32_t mask);
void poll_bench_set_lid(struct poll_bench *b, uint16_t lid);

/* Begin, with a look at the counters if `counters`; log lines are caught. */
void poll_bench_open(struct poll_bench *b, bool counters);

/* Begin without counters, and take the values that are compared with. */
void poll_bench_begin(struct poll_bench *b);

void poll_bench_end(struct poll_bench *b);

/* A round of the loop. */
void poll_bench_round(struct poll_bench *b);

/* Let time pass, and for one more reading. */
void poll_bench_advance(struct poll_bench *b, uint64_t ms);
void poll_bench_look(struct poll_bench *b);

/* How many SMPs asked for an attribute, or FAKE_ANY. */
unsigned poll_bench_asked(struct poll_bench *b, uint16_t attribute);

/* The last notice; all zero if none came. */
const uint8_t *poll_bench_last(const struct poll_bench *b);

#endif
