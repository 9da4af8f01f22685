/* SPDX-License-Identifier: BSD-2-Clause */
/* A poll of sma/notice/change_poll.h of a node on a fixture, and the notices that come of it. */
#ifndef TESTS_NOTICE_POLL_FIXTURE_H
#define TESTS_NOTICE_POLL_FIXTURE_H

#include "sma/notice/change_poll.h"
#include "tests/fakes/fake_transport.h"
#include "tests/node/node_fixture.h"

enum {
	POLL_INTERVAL_MS = 10000, /* unless the test sets another */
	POLL_NODE_AGE_MS = 60000, /* NodeInfo is read again then */
	POLL_LID = 3,
	POLL_MASK = 0x0250C048, /* CapabilityMask */
	POLL_CA_PORT = 2,
	POLL_NOTICES = 64,
};

struct poll_fixture {
	struct fixture fixture;
	struct engine *engine; /* for the counters */
	struct fake_transport fake;
	unsigned qp1_port; /* may be changed before it begins */
	unsigned interval; /* may be changed before it begins, the next two at any time */
	struct local_port local;
	bool covered; /* another source reports 128, 144 and 145 */
	struct change_poll *poll;
	uint64_t wake; /* when the poll wants to be called again */
	unsigned rounds;
	unsigned reported; /* notices that came of it; they are below */
	uint8_t notices[POLL_NOTICES][SMA_BLOCK_SIZE];
};

/* A switch, or port POLL_CA_PORT of a CA; all its ports are Active. */
void poll_fixture_prepare_switch(struct poll_fixture *b, unsigned ports);
void poll_fixture_prepare_ca(struct poll_fixture *b);

/* Set a component of the node; `port` counts for one of PortInfo. */
void poll_fixture_set(struct poll_fixture *b, enum sma_component component, unsigned port, uint64_t value);

/* Set the PortState of a port, and CapabilityMask and LID of the management port; the local port keeps
 * theirs. */
void poll_fixture_set_state(struct poll_fixture *b, unsigned port, unsigned state);
void poll_fixture_set_mask(struct poll_fixture *b, uint32_t mask);
void poll_fixture_set_lid(struct poll_fixture *b, uint16_t lid);

/* Begin, with a look at the counters if `counters`; log lines are caught. */
void poll_fixture_open(struct poll_fixture *b, bool counters);

/* Begin without counters, and take the values that are compared with. */
void poll_fixture_begin(struct poll_fixture *b);

void poll_fixture_end(struct poll_fixture *b);

/* A round of the loop. */
void poll_fixture_round(struct poll_fixture *b);

/* Let time pass, and for one more reading. */
void poll_fixture_advance(struct poll_fixture *b, uint64_t ms);
void poll_fixture_look(struct poll_fixture *b);

/* How many SMPs asked for an attribute, or FAKE_ANY. */
unsigned poll_fixture_asked(struct poll_fixture *b, uint16_t attribute);

/* The last notice; all zero if none came. */
const uint8_t *poll_fixture_last(const struct poll_fixture *b);

#endif
