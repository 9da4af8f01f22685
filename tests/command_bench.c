// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "tests/command_bench.h"

enum { SM_LID = 1 };

static void settle_port(struct sma_store *store, unsigned port, unsigned lid)
{
	store_set(store, port, SMA_PortInfo_LID, lid);
	store_set(store, port, SMA_PortInfo_MasterSMLID, SM_LID);
	store_set(store, port, SMA_PortInfo_PortState, STATE_ACTIVE);
	store_set(store, port, SMA_PortInfo_M_Key, M_KEY);
}

void command_bench_open(struct command_bench *bench, unsigned type)
{
	struct store_shape shape = {.type = type,
	                            .ports = type == SWITCH ? SWITCH_PORTS : CA_PORTS,
	                            .guid_cap = 8,
	                            .pkey_cap = 32,
	                            .enforce_cap = 4,
	                            .linear_cap = 64,
	                            .vls = 4};

	if (store_new(&shape, &bench->store) < 0 || responder_init(&bench->responder, bench->store) < 0)
		abort();
	store_set_guid(bench->store, 0x1000);
	for (unsigned p = 0; p <= shape.ports; p++) {
		bench->store->port[p].link = p > 0;
		if (p)
			store_set(bench->store, p, SMA_PortInfo_PortState, STATE_ACTIVE);
		if (store_is_end_port(bench->store, p))
			settle_port(bench->store, p, type == SWITCH ? LID : LID + p - 1);
	}
	store_set(bench->store, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 0);
	memcpy(bench->store->description, "node", 4);
}

void command_bench_close(struct command_bench *bench)
{
	responder_finish(&bench->responder);
	store_free(bench->store);
}

int command_bench_run(struct command_bench *bench, const char *line)
{
	return command_run(&bench->responder, line, strlen(line), bench->reply, sizeof(bench->reply));
}
