/* SPDX-License-Identifier: BSD-2-Clause */
/* A software SMA as an SM leaves it, and its console. */
#ifndef TESTS_SOFT_COMMAND_FIXTURE_H
#define TESTS_SOFT_COMMAND_FIXTURE_H

#include "sma/soft/console/command.h"

#define M_KEY 0x1122334455667788ULL /* of each end port */

enum { CA = SMA_NODE_CA, SWITCH = SMA_NODE_SWITCH, ROUTER = SMA_NODE_ROUTER };

enum {
	CA_PORTS = 2, /* of a router too */
	SWITCH_PORTS = 4,
	LID = 5, /* of the first end port, the next ones counting up */
	STATE_INITIALIZE = 2,
	STATE_ACTIVE = 4,
};

struct command_fixture {
	struct soft_state *state;
	struct responder responder;
	char reply[SMA_SOFT_REPLY_SIZE]; /* to the line that was run last */
};

/* A node of a type: all ports active, all cables in, a linear table of 64 LIDs on a switch. */
void command_fixture_open(struct command_fixture *fixture, unsigned type);
void command_fixture_close(struct command_fixture *fixture);

/* Carry out a line: the result of command_run. */
int command_fixture_run(struct command_fixture *fixture, const char *line);

#endif
