// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "tests/soft/command_fixture.h"

enum { SM_LID = 1 };

static void settle_port(struct sma_store *store, unsigned port, unsigned lid)
{
	store_set(store, port, SMA_PortInfo_LID, lid);
	store_set(store, port, SMA_PortInfo_MasterSMLID, SM_LID);
	store_set(store, port, SMA_PortInfo_PortState, STATE_ACTIVE);
	store_set(store, port, SMA_PortInfo_M_Key, M_KEY);
}

void command_fixture_open(struct command_fixture *fixture, unsigned type)
{
	struct store_shape shape = {.type = type,
	                            .ports = type == SWITCH ? SWITCH_PORTS : CA_PORTS,
	                            .guid_cap = 8,
	                            .pkey_cap = 32,
	                            .enforce_cap = 4,
	                            .linear_cap = 64,
	                            .vls = 4};

	if (store_new(&shape, &fixture->store) < 0 || responder_init(&fixture->responder, fixture->store) < 0)
		abort();
	store_set_guid(fixture->store, 0x1000);
	for (unsigned p = 0; p <= shape.ports; p++) {
		fixture->store->port[p].link = p > 0;
		if (p)
			store_set(fixture->store, p, SMA_PortInfo_PortState, STATE_ACTIVE);
		if (store_is_end_port(fixture->store, p))
			settle_port(fixture->store, p, type == SWITCH ? LID : LID + p - 1);
	}
	store_set(fixture->store, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 0);
	memcpy(fixture->store->description, "node", 4);
}

void command_fixture_close(struct command_fixture *fixture)
{
	responder_finish(&fixture->responder);
	store_free(fixture->store);
}

int command_fixture_run(struct command_fixture *fixture, const char *line)
{
	return command_run(&fixture->responder, line, strlen(line), fixture->reply, sizeof(fixture->reply));
}
