// SPDX-License-Identifier: BSD-2-Clause
/* A node, and what befalls it one after the other: SMPs at its ports, links that fail, bad keys. The first
 * byte of the input chooses the node; each step begins with its kind, a port, and the time since the last
 * step. */
#include <stdlib.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/event_traps.h"
#include "sma/soft/link.h"
#include "sma/soft/responder.h"
#include "tests/fuzz/fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { METHOD_GET_RESPONSE = 0x81, TRAP_REPRESS = 7 };

/* Kinds of steps: the upper bits of one that is no SMP choose the event. */
enum {
	STEP_EVENT = 0x01,
	STEP_MENDED = 0x02,   /* the header is made right */
	STEP_SHORT = 0x04,    /* method, AttributeID, modifier and data only */
	STEP_DIRECTED = 0x08, /* with the two above */
	STEP_KEY = 0x10,      /* with the M_Key of the port */
	STEP_TRUSTED = 0x20,
	STEP_ANY_HOP = 0x40,
	STEP_IN_PLACE = 0x80, /* the answer goes where the request was */
};

struct fuzz {
	struct soft_state *state;
	struct responder responder;
	uint64_t now;
	uint64_t next_at[SMA_MAX_PORTS + 1]; /* each port sends no trap before */
	uint8_t node_info[SMA_BLOCK_SIZE];
	uint8_t switch_info[SMA_BLOCK_SIZE];
	uint8_t *infos; /* PortInfo of all ports at the start */
};

/* ---- the node ---- */

static const struct state_shape shapes[] = {
	{.type = SMA_NODE_CA, .ports = 2, .guid_cap = 12, .pkey_cap = 40, .vls = 4},
	{.type = SMA_NODE_SWITCH,
         .ports = 20,
         .guid_cap = 1,
         .pkey_cap = 33,
         .enforce_cap = 7,
         .linear_cap = 100,
         .multicast_cap = 40,
         .vls = 5},
	{.type = SMA_NODE_SWITCH, .ports = 3, .pkey_cap = 1, .random_cap = 20, .vls = 1},
	{.type = SMA_NODE_ROUTER, .ports = 3, .guid_cap = 255, .pkey_cap = 64, .vls = 2},
};

static void add_options(struct soft_state *state)
{
	static const enum sma_component options[] = {
		SMA_PortInfo_IsLedInfoSupported,
		SMA_PortInfo_IsCapabilityMask2Supported,
		SMA_PortInfo_IsSetNodeDescriptionSupported,
		SMA_PortInfo_IsPortInfoExtendedSupported,
		SMA_PortInfo_IsExtendedSpeedsSupported,
		SMA_PortInfo_IsMulticastFDBTopSupported,
		SMA_PortInfo_IsMcastPkeyTrapSuppressionSupported,
	};

	state->vendor_range = true;
	for (unsigned port = 0; port <= state->ports; port++) {
		for (size_t i = 0; state_is_end_port(state, port) && i < sizeof(options) / sizeof(options[0]);
		     i++)
			state_set(state, port, options[i], 1);
		if (port)
			state_set(state, port, SMA_PortInfo_LinkSpeedExtSupported, 3);
	}
}

static void activate(struct soft_state *state)
{
	for (unsigned port = 0; port <= state->ports; port++) {
		if (!state_is_end_port(state, port))
			continue;
		state->port[port].link = true;
		state_set(state, port, SMA_PortInfo_PortState, 4);
		state_set(state, port, SMA_PortInfo_LID, port + 1);
		state_set(state, port, SMA_PortInfo_MasterSMLID, 9);
	}
}

static void remember(struct fuzz *f)
{
	f->infos = malloc(((size_t)f->state->ports + 1) * SMA_BLOCK_SIZE);
	expect(f->infos != NULL);
	for (unsigned port = 0; port <= f->state->ports; port++)
		memcpy(f->infos + (size_t)port * SMA_BLOCK_SIZE, f->state->port[port].info, SMA_BLOCK_SIZE);
	memcpy(f->node_info, f->state->node_info, SMA_BLOCK_SIZE);
	memcpy(f->switch_info, f->state->switch_info, SMA_BLOCK_SIZE);
}

static void begin(struct fuzz *f, uint8_t choice)
{
	memset(f, 0, sizeof(*f));
	expect(state_new(&shapes[choice & 3], &f->state) == 0);
	state_set_guid(f->state, 0x1000);
	if (choice & 4)
		add_options(f->state);
	if (choice & 8)
		activate(f->state);
	if (choice & 16)
		state_set(f->state, 0, SMA_SwitchInfo_EnhancedPort0, 1);
	if (choice & 32)
		state_set(f->state, state_is_switch(f->state) ? 0 : 1, SMA_PortInfo_IsSM, 1);
	expect(responder_init(&f->responder, f->state) == 0);
	remember(f);
}

static void finish(struct fuzz *f)
{
	free(f->infos);
	responder_finish(&f->responder);
	state_free(f->state);
}

/* ---- SMPs ---- */

static void mend(const struct fuzz *f, uint8_t *mad, uint8_t step, unsigned port)
{
	bool directed = step & STEP_SHORT ? step & STEP_DIRECTED : mad[1] & 0x80;

	mad[0] = 1;
	mad[1] = directed ? 0x81 : 0x01;
	mad[2] = 1;
	wire_put16(mad + 4, 0);
	if (directed) {
		mad[7] &= 0x3F;
		mad[6] = (uint8_t)(mad[7] + 1);
	}
	if (step & STEP_KEY && port <= f->state->ports)
		memcpy(mad + 24, f->state->port[state_is_switch(f->state) ? 0 : port].info, 8);
}

static void take_mad(const struct fuzz *f, struct input *input, uint8_t step, unsigned port, uint8_t *mad)
{
	memset(mad, 0, MAD_SIZE);
	if (step & STEP_SHORT) {
		take(input, mad + 3, 1);
		take(input, mad + 16, 2);
		take(input, mad + 20, 4);
		take(input, mad + 64, SMA_BLOCK_SIZE);
	} else {
		take(input, mad, MAD_SIZE);
	}
	if (step & (STEP_SHORT | STEP_MENDED))
		mend(f, mad, step, port);
}

/* An answer is the request but for method, status and data. */
static void check_answer(const uint8_t *request, const uint8_t *answer)
{
	uint8_t wanted[MAD_SIZE];
	uint16_t status = wire_get16(answer + 4);

	memcpy(wanted, request, sizeof(wanted));
	wanted[3] = METHOD_GET_RESPONSE;
	memcpy(wanted + 4, answer + 4, 2);
	memcpy(wanted + 64, answer + 64, SMA_BLOCK_SIZE);
	expect(memcmp(answer, wanted, sizeof(wanted)) == 0);
	expect(!(request[3] & 0x80) && request[3] != TRAP_REPRESS);
	expect((status >> 15 & 1) == request[1] >> 7);
	status &= 0x7FFF;
	expect(status == 0 || status == 0x04 || status == 0x08 || status == 0x0C || status == 0x1C);
	expect(status == 0 || memcmp(answer + 64, request + 64, SMA_BLOCK_SIZE) == 0);
}

static void run_smp(struct fuzz *f, struct input *input, uint8_t step, unsigned port)
{
	const struct arrival arrival = {
		.port = port,
		.slid = (uint16_t)(port + 1),
		.now = f->now,
		.trusted = step & STEP_TRUSTED,
		.any_hop_pointer = step & STEP_ANY_HOP,
	};
	uint8_t request[MAD_SIZE];
	uint8_t sent[MAD_SIZE];
	uint8_t elsewhere[MAD_SIZE];
	uint8_t *answer = step & STEP_IN_PLACE ? sent : elsewhere;
	enum verdict verdict;

	take_mad(f, input, step, port, request);
	memcpy(sent, request, sizeof(sent));
	verdict = responder_answer(&f->responder, &arrival, sent, answer);
	if (verdict == VERDICT_ANSWER)
		check_answer(request, answer);
	else
		expect(memcmp(request, sent, sizeof(sent)) == 0);
	if (verdict == VERDICT_TO_SM)
		expect(wire_get16(request + 16) == 0x20);
}

/* ---- events ---- */

static void run_event(struct fuzz *f, struct input *input, uint8_t step, unsigned port)
{
	struct bad_key key;
	char text[SMA_BLOCK_SIZE + 2] = "";

	switch (step >> 1 & 7) {
	case 0:
		link_set(&f->responder, port, step & 0x80);
		break;
	case 1:
		event_traps_threshold(&f->responder, port, 128 + (step >> 4));
		break;
	case 2:
		take(input, text, sizeof(text) - 1);
		event_traps_description(&f->responder, text);
		break;
	case 3:
		event_traps_system_guid(&f->responder, take16(input));
		break;
	default:
		take(input, &key, sizeof(key));
		event_traps_bad_key(&f->responder, port, 256 + (step >> 4), &key);
	}
}

/* ---- what always holds ---- */

static const enum sma_component fixed[] = {
	SMA_PortInfo_CapabilityMask,
	SMA_PortInfo_DiagCode,
	SMA_PortInfo_LinkWidthSupported,
	SMA_PortInfo_LinkSpeedSupported,
	SMA_PortInfo_VLCap,
	SMA_PortInfo_MTUCap,
	SMA_PortInfo_VLArbitrationHighCap,
	SMA_PortInfo_VLArbitrationLowCap,
	SMA_PortInfo_GUIDCap,
	SMA_PortInfo_RespTimeValue,
	SMA_PortInfo_LinkSpeedExtSupported,
	SMA_PortInfo_IsSetNodeDescriptionSupported,
	SMA_PortInfo_ClientReregister,
	SMA_PortInfo_LocalPortNum,
};

static void check_port(const struct fuzz *f, unsigned port)
{
	const uint8_t *was = f->infos + (size_t)port * SMA_BLOCK_SIZE;
	const uint8_t *is = f->state->port[port].info;
	unsigned state = state_get(f->state, port, SMA_PortInfo_PortState);

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		expect(sma_component_get(is, fixed[i]) == sma_component_get(was, fixed[i]));
	expect(state >= 1 && state <= 4);
	expect(state_get(f->state, port, SMA_PortInfo_LID) <= MAD_LAST_LID);
	expect(state_get(f->state, port, SMA_PortInfo_MasterSMLID) <= MAD_LAST_LID);
	expect(state_get(f->state, port, SMA_PortInfo_NeighborMTU) <=
	       state_get(f->state, port, SMA_PortInfo_MTUCap));
	expect(state_get(f->state, port, SMA_PortInfo_OperationalVLs) <=
	       state_get(f->state, port, SMA_PortInfo_VLCap));
	expect((state_get(f->state, port, SMA_PortInfo_LinkWidthEnabled) &
	        ~state_get(f->state, port, SMA_PortInfo_LinkWidthSupported)) == 0);
	if (!state_is_end_port(f->state, port))
		expect(sma_component_get(is, SMA_PortInfo_M_Key) == 0);
	if (f->state->port[port].guids)
		expect(memcmp(f->state->port[port].guids, f->state->port[port].port_guid, 8) == 0);
}

/* NodeInfo stays, but for SystemImageGUID; of SwitchInfo the capacities. */
static void check_node(const struct fuzz *f)
{
	const struct soft_state *state = f->state;

	expect(memcmp(state->node_info, f->node_info, 4) == 0);
	expect(memcmp(state->node_info + 12, f->node_info + 12, SMA_BLOCK_SIZE - 12) == 0);
	expect(memcmp(state->switch_info, f->switch_info, 6) == 0);
	expect(memcmp(state->switch_info + 12, f->switch_info + 12, 6) == 0);
	expect(memcmp(state->switch_info + 20, f->switch_info + 20, SMA_BLOCK_SIZE - 20) == 0);
	if (state->linear)
		expect(state_get(state, 0, SMA_SwitchInfo_LinearFDBTop) <
		       state_get(state, 0, SMA_SwitchInfo_LinearFDBCap));
	for (unsigned port = state_is_switch(state) ? 0 : 1; port <= state->ports; port++)
		check_port(f, port);
}

/* Traps leave through ports that are Active, at their pace. */
static void check_traps(struct fuzz *f)
{
	uint8_t mad[MAD_SIZE];
	unsigned port;
	uint16_t dlid;
	unsigned sl;

	while (responder_next_trap(&f->responder, f->now, mad, &port, &dlid, &sl)) {
		unsigned timeout = state_get(f->state, port, SMA_PortInfo_SubnetTimeOut);

		expect(state_is_end_port(f->state, port));
		expect(state_get(f->state, port, SMA_PortInfo_PortState) == 4);
		expect(dlid == state_get(f->state, port, SMA_PortInfo_MasterSMLID) && dlid && sl <= 15);
		expect(wire_get32(mad) == 0x01010105 && wire_get16(mad + 16) == 2);
		expect(wire_get64(mad + 8) != 0 && wire_get64(mad + 24) == 0);
		expect(f->now >= f->next_at[port]);
		f->next_at[port] = f->now + (4096ULL << timeout) / 1000000 + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {data, data + size};
	struct fuzz f;

	begin(&f, take8(&input));
	while (input.at < input.end) {
		uint8_t step = take8(&input);
		unsigned port = take8(&input);

		f.now += take16(&input) * 4ULL;
		if (step & STEP_EVENT)
			run_event(&f, &input, step, port);
		else
			run_smp(&f, &input, step, port);
		check_node(&f);
		check_traps(&f);
	}
	finish(&f);
	return 0;
}
