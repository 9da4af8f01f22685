// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "tests/soft/command_fixture.h"

enum { SM_LID = 1 };

static void settle_port(struct soft_state *state, unsigned port, unsigned lid)
{
	state_set(state, port, SMA_PortInfo_LID, lid);
	state_set(state, port, SMA_PortInfo_MasterSMLID, SM_LID);
	state_set(state, port, SMA_PortInfo_PortState, STATE_ACTIVE);
	state_set(state, port, SMA_PortInfo_M_Key, M_KEY);
}

void command_fixture_open(struct command_fixture *fixture, unsigned type)
{
	struct state_shape shape = {.type = type,
	                            .ports = type == SWITCH ? SWITCH_PORTS : CA_PORTS,
	                            .guid_cap = 8,
	                            .pkey_cap = 32,
	                            .enforce_cap = 4,
	                            .linear_cap = 64,
	                            .vls = 4};

	if (state_new(&shape, &fixture->state) < 0 || responder_init(&fixture->responder, fixture->state) < 0)
		abort();
	state_set_guid(fixture->state, 0x1000);
	for (unsigned p = 0; p <= shape.ports; p++) {
		fixture->state->port[p].link = p > 0;
		if (p)
			state_set(fixture->state, p, SMA_PortInfo_PortState, STATE_ACTIVE);
		if (state_is_end_port(fixture->state, p))
			settle_port(fixture->state, p, type == SWITCH ? LID : LID + p - 1);
	}
	state_set(fixture->state, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 0);
	memcpy(fixture->state->description, "node", 4);
}

void command_fixture_close(struct command_fixture *fixture)
{
	responder_finish(&fixture->responder);
	state_free(fixture->state);
}

int command_fixture_run(struct command_fixture *fixture, const char *line)
{
	return command_run(&fixture->responder, line, strlen(line), fixture->reply, sizeof(fixture->reply));
}
