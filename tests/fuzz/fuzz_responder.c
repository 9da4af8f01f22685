// SPDX-License-Identifier: BSD-2-Clause
/* A node, and what befalls it one after the other: SMPs at its ports, links that fail, bad keys. The first
 * byte of the input chooses the node; each step begins with its kind, a port, and the time since the last
 * step. */
#include <stdlib.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/responder.h"

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

struct input {
	const uint8_t *at, *end;
};

struct fuzz {
	struct sma_store *store;
	struct responder responder;
	uint64_t now;
	uint64_t next_at[SMA_MAX_PORTS + 1]; /* each port sends no trap before */
	uint8_t node_info[SMA_BLOCK_SIZE];
	uint8_t switch_info[SMA_BLOCK_SIZE];
	uint8_t *infos; /* PortInfo of all ports at the start */
};

static void expect(bool condition)
{
	if (!condition)
		abort();
}

/* What is missing at the end of the input reads as zero. */
static void take(struct input *input, void *bytes, size_t size)
{
	size_t left = (size_t)(input->end - input->at);
	size_t taken = size < left ? size : left;

	memset(bytes, 0, size);
	memcpy(bytes, input->at, taken);
	input->at += taken;
}

static uint8_t take8(struct input *input)
{
	uint8_t byte;

	take(input, &byte, 1);
	return byte;
}

static unsigned take16(struct input *input)
{
	uint8_t bytes[2];

	take(input, bytes, sizeof(bytes));
	return wire_get16(bytes);
}

/* ---- the node ---- */

static const struct store_shape shapes[] = {
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

static void add_options(struct sma_store *store)
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

	store->vendor_range = true;
	for (unsigned port = 0; port <= store->ports; port++) {
		for (size_t i = 0; store_is_end_port(store, port) && i < sizeof(options) / sizeof(options[0]);
		     i++)
			store_set(store, port, options[i], 1);
		if (port)
			store_set(store, port, SMA_PortInfo_LinkSpeedExtSupported, 3);
	}
}

static void activate(struct sma_store *store)
{
	for (unsigned port = 0; port <= store->ports; port++) {
		if (!store_is_end_port(store, port))
			continue;
		store->port[port].link = true;
		store_set(store, port, SMA_PortInfo_PortState, 4);
		store_set(store, port, SMA_PortInfo_LID, port + 1);
		store_set(store, port, SMA_PortInfo_MasterSMLID, 9);
	}
}

static void remember(struct fuzz *f)
{
	f->infos = malloc(((size_t)f->store->ports + 1) * SMA_BLOCK_SIZE);
	expect(f->infos != NULL);
	for (unsigned port = 0; port <= f->store->ports; port++)
		memcpy(f->infos + (size_t)port * SMA_BLOCK_SIZE, f->store->port[port].info, SMA_BLOCK_SIZE);
	memcpy(f->node_info, f->store->node_info, SMA_BLOCK_SIZE);
	memcpy(f->switch_info, f->store->switch_info, SMA_BLOCK_SIZE);
}

static void begin(struct fuzz *f, uint8_t choice)
{
	memset(f, 0, sizeof(*f));
	expect(store_new(&shapes[choice & 3], &f->store) == 0);
	store_set_guid(f->store, 0x1000);
	if (choice & 4)
		add_options(f->store);
	if (choice & 8)
		activate(f->store);
	if (choice & 16)
		store_set(f->store, 0, SMA_SwitchInfo_EnhancedPort0, 1);
	if (choice & 32)
		store_set(f->store, store_is_switch(f->store) ? 0 : 1, SMA_PortInfo_IsSM, 1);
	expect(responder_init(&f->responder, f->store) == 0);
	remember(f);
}

static void finish(struct fuzz *f)
{
	free(f->infos);
	responder_finish(&f->responder);
	store_free(f->store);
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
	if (step & STEP_KEY && port <= f->store->ports)
		memcpy(mad + 24, f->store->port[store_is_switch(f->store) ? 0 : port].info, 8);
}

static void take_mad(const struct fuzz *f, struct input *input, uint8_t step, unsigned port, uint8_t *mad)
{
	memset(mad, 0, SMA_MAD_SIZE);
	if (step & STEP_SHORT) {
		take(input, mad + 3, 1);
		take(input, mad + 16, 2);
		take(input, mad + 20, 4);
		take(input, mad + 64, SMA_BLOCK_SIZE);
	} else {
		take(input, mad, SMA_MAD_SIZE);
	}
	if (step & (STEP_SHORT | STEP_MENDED))
		mend(f, mad, step, port);
}

/* An answer is the request but for method, status and data. */
static void check_answer(const uint8_t *request, const uint8_t *answer)
{
	uint8_t wanted[SMA_MAD_SIZE];
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
	uint8_t request[SMA_MAD_SIZE];
	uint8_t sent[SMA_MAD_SIZE];
	uint8_t elsewhere[SMA_MAD_SIZE];
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
		responder_link(&f->responder, port, step & 0x80);
		break;
	case 1:
		responder_threshold(&f->responder, port, 128 + (step >> 4));
		break;
	case 2:
		take(input, text, sizeof(text) - 1);
		responder_describe(&f->responder, text);
		break;
	case 3:
		responder_set_system_guid(&f->responder, take16(input));
		break;
	default:
		take(input, &key, sizeof(key));
		responder_bad_key(&f->responder, port, 256 + (step >> 4), &key);
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
	const uint8_t *is = f->store->port[port].info;
	unsigned state = store_get(f->store, port, SMA_PortInfo_PortState);

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		expect(sma_component_get(is, fixed[i]) == sma_component_get(was, fixed[i]));
	expect(state >= 1 && state <= 4);
	expect(store_get(f->store, port, SMA_PortInfo_LID) <= SMA_LAST_UNICAST_LID);
	expect(store_get(f->store, port, SMA_PortInfo_MasterSMLID) <= SMA_LAST_UNICAST_LID);
	expect(store_get(f->store, port, SMA_PortInfo_NeighborMTU) <=
	       store_get(f->store, port, SMA_PortInfo_MTUCap));
	expect(store_get(f->store, port, SMA_PortInfo_OperationalVLs) <=
	       store_get(f->store, port, SMA_PortInfo_VLCap));
	expect((store_get(f->store, port, SMA_PortInfo_LinkWidthEnabled) &
	        ~store_get(f->store, port, SMA_PortInfo_LinkWidthSupported)) == 0);
	if (!store_is_end_port(f->store, port))
		expect(sma_component_get(is, SMA_PortInfo_M_Key) == 0);
	if (f->store->port[port].guids)
		expect(memcmp(f->store->port[port].guids, f->store->port[port].port_guid, 8) == 0);
}

/* NodeInfo stays, but for SystemImageGUID; of SwitchInfo the capacities. */
static void check_node(const struct fuzz *f)
{
	const struct sma_store *store = f->store;

	expect(memcmp(store->node_info, f->node_info, 4) == 0);
	expect(memcmp(store->node_info + 12, f->node_info + 12, SMA_BLOCK_SIZE - 12) == 0);
	expect(memcmp(store->switch_info, f->switch_info, 6) == 0);
	expect(memcmp(store->switch_info + 12, f->switch_info + 12, 6) == 0);
	expect(memcmp(store->switch_info + 20, f->switch_info + 20, SMA_BLOCK_SIZE - 20) == 0);
	if (store->linear)
		expect(store_get(store, 0, SMA_SwitchInfo_LinearFDBTop) <
		       store_get(store, 0, SMA_SwitchInfo_LinearFDBCap));
	for (unsigned port = store_is_switch(store) ? 0 : 1; port <= store->ports; port++)
		check_port(f, port);
}

/* Traps leave through ports that are Active, at their pace. */
static void check_traps(struct fuzz *f)
{
	uint8_t mad[SMA_MAD_SIZE];
	unsigned port;
	uint16_t dlid;
	unsigned sl;

	while (responder_next_trap(&f->responder, f->now, mad, &port, &dlid, &sl)) {
		unsigned timeout = store_get(f->store, port, SMA_PortInfo_SubnetTimeOut);

		expect(store_is_end_port(f->store, port));
		expect(store_get(f->store, port, SMA_PortInfo_PortState) == 4);
		expect(dlid == store_get(f->store, port, SMA_PortInfo_MasterSMLID) && dlid && sl <= 15);
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
