/* SPDX-License-Identifier: BSD-2-Clause */
/* A node on a fake SMA, in virtual time. */
#ifndef TESTS_NODE_NODE_FIXTURE_H
#define TESTS_NODE_NODE_FIXTURE_H

#include "tests/fakes/fake_qp0.h"

struct fixture {
	struct fake_qp0 *fake;
	struct sma_node *node;
	struct sma_config config;
	uint64_t now;
	uint64_t wake; /* when the engines want to be called */
	bool expose_keys;
	bool trusted; /* the SMA hides no key from the node; set before fixture_open */
};

enum { BENCH_START = 1000000 /* the time it begins at */ };

/* Prepare a fake from tests/data/NAME.blocks, an empty one for NULL, and the default configuration; both may
 * be changed until fixture_open. */
void fixture_init(struct fixture *fixture, const char *name);

/* Make the node. With an empty fake, its management port is the lowest port that was set. */
void fixture_open(struct fixture *fixture);

/* Give node and engines `config`, as it is now. */
void fixture_configure(struct fixture *fixture);

/* Close node and fake; a check that the transports are closed. */
void fixture_close(struct fixture *fixture);

/* Deliver and process what is due now, until nothing is. The number of MADs that came. */
unsigned fixture_settle(struct fixture *fixture);

/* Let time pass, stopping at each moment at which something is due. */
void fixture_advance(struct fixture *fixture, uint64_t ms);

/* Do what is due now; if no MAD came, go on to the next moment at which something is due, at most by `ms`. */
void fixture_step(struct fixture *fixture, uint64_t ms);

/* A round of a loop; returns when the next is due. */
typedef uint64_t fixture_round(void *arg, uint64_t now);

/* Let time pass with a round at each moment at which something is due, and more while MADs come. What is due
 * at its end is left for the next. */
void fixture_run(struct fixture *fixture, uint64_t ms, fixture_round *round, void *arg);

/* A reader of the node, asked and reading at the present time. */
struct sma_reader fixture_reader(const struct fixture *fixture, enum sma_patience patience, unsigned budget);

/* Read a block as patiently as possible, waiting in steps: the result when it no longer is -EAGAIN. */
int fixture_read(struct fixture *fixture, const struct sma_key *key, const uint8_t **block);

#endif
