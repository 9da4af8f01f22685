// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

static struct state_shape shape_of(char node)
{
	bool is_switch = node == 's' || node == 'f';

	return (struct state_shape){
		.type = node == 'c' ? SMA_NODE_CA
	                : is_switch ? SMA_NODE_SWITCH
	                            : SMA_NODE_ROUTER,
		.ports = is_switch ? FIXTURE_SWITCH_PORTS : FIXTURE_CA_PORTS,
		.guid_cap = FIXTURE_GUIDS,
		.pkey_cap = FIXTURE_PKEYS,
		.enforce_cap = is_switch ? FIXTURE_PKEYS : 0,
		.linear_cap = node == 's' ? FIXTURE_LIDS : 0,
		.random_cap = node == 'f' ? FIXTURE_RANDOM : 0,
		.multicast_cap = is_switch ? FIXTURE_MLIDS : 0,
		.vls = 4,
	};
}

void soft_fixture_open(struct soft_fixture *fixture, char node)
{
	const struct state_shape shape = shape_of(node);

	memset(fixture, 0, sizeof(*fixture));
	if (state_new(&shape, &fixture->state) < 0 || responder_init(&fixture->responder, fixture->state) < 0)
		abort();
	state_set_guid(fixture->state, 0x1000);
	fixture->arrival = (struct arrival){.port = 1, .slid = 9, .now = 1000};
}

void soft_fixture_close(struct soft_fixture *fixture)
{
	responder_finish(&fixture->responder);
	state_free(fixture->state);
}

unsigned soft_fixture_port(const struct soft_fixture *fixture)
{
	return state_is_switch(fixture->state) ? 0 : 1;
}

void soft_fixture_activate(struct soft_fixture *fixture)
{
	unsigned port = soft_fixture_port(fixture);

	state_set(fixture->state, port, SMA_PortInfo_PortState, 4);
	state_set(fixture->state, port, SMA_PortInfo_LID, 7);
	state_set(fixture->state, port, SMA_PortInfo_MasterSMLID, 5);
	state_set(fixture->state, port, SMA_PortInfo_MasterSMSL, 3);
}

void soft_fixture_request(struct soft_fixture *fixture, uint8_t method, uint16_t attribute, uint32_t modifier,
                          const uint8_t *data)
{
	uint8_t *mad = fixture->request;

	for (unsigned i = 0; i < MAD_SIZE; i++)
		mad[i] = (uint8_t)rand();
	mad[0] = 1;
	mad[AT_CLASS] = CLASS_LID;
	mad[AT_CLASS_VERSION] = 1;
	mad[AT_METHOD] = method;
	wire_put16(mad + AT_STATUS, 0);
	wire_put16(mad + AT_ATTRIBUTE, attribute);
	wire_put32(mad + AT_MODIFIER, modifier);
	wire_put64(mad + AT_M_KEY, 0);
	memset(mad + AT_DATA, 0, SMA_BLOCK_SIZE);
	if (data)
		memcpy(mad + AT_DATA, data, SMA_BLOCK_SIZE);
}

void soft_fixture_direct(struct soft_fixture *fixture, unsigned hops)
{
	uint8_t *mad = fixture->request;

	fixture->arrival.slid = PERMISSIVE;
	mad[AT_CLASS] = CLASS_DIRECTED;
	mad[AT_HOP_POINTER] = (uint8_t)(hops + 1);
	mad[AT_HOP_COUNT] = (uint8_t)hops;
	wire_put16(mad + AT_DR_SLID, PERMISSIVE);
	wire_put16(mad + AT_DR_DLID, PERMISSIVE);
}

enum verdict soft_fixture_send(struct soft_fixture *fixture)
{
	memset(fixture->response, 0xEE, sizeof(fixture->response));
	return responder_answer(&fixture->responder, &fixture->arrival, fixture->request, fixture->response);
}

unsigned soft_fixture_ask(struct soft_fixture *fixture, uint8_t method, uint16_t attribute, uint32_t modifier,
                          const uint8_t *data)
{
	soft_fixture_request(fixture, method, attribute, modifier, data);
	switch (soft_fixture_send(fixture)) {
	case VERDICT_DROP:
		return ASK_DROPPED;
	case VERDICT_TO_SM:
		return ASK_TO_SM;
	default:
		return wire_get16(fixture->response + AT_STATUS) & 0x7FFF;
	}
}

/* ---- preparing ---- */

enum sma_component soft_fixture_component(const char *name)
{
	unsigned i = 0;

	while (i < SMA_COMPONENT_COUNT && strcmp(sma_component_name((enum sma_component)i), name) != 0)
		i++;
	return (enum sma_component)i;
}

static void add_diags(struct soft_state *state)
{
	state->diags = calloc(2, sizeof(*state->diags));
	if (!state->diags)
		abort();
	state->diag_count = 2;
	state->diags[1].index = 5;
	for (unsigned i = 0; i < SMA_BLOCK_SIZE; i++) {
		state->diags[0].block[i] = (uint8_t)i;
		state->diags[1].block[i] = (uint8_t)(0x80 + i);
	}
}

static void set_everywhere(struct soft_state *state, enum sma_component component, uint64_t value)
{
	for (unsigned port = 0; port <= state->ports; port++)
		state_set(state, port, component, value);
}

bool soft_fixture_prepare(struct soft_fixture *fixture, const char *word)
{
	size_t length = strcspn(word, "=");
	enum sma_component component;
	char name[64];

	if (length >= sizeof(name) || word[length] != '=')
		return false;
	memcpy(name, word, length);
	name[length] = '\0';
	component = soft_fixture_component(name);
	if (component != SMA_COMPONENT_COUNT)
		set_everywhere(fixture->state, component, strtoull(word + length + 1, NULL, 0));
	else if (strcmp(name, "diags") == 0)
		add_diags(fixture->state);
	else if (strcmp(name, "vendor") == 0)
		fixture->state->vendor_range = true;
	else
		return false;
	return true;
}

unsigned soft_fixture_get(const struct soft_fixture *fixture, unsigned port, enum sma_component component)
{
	return state_get(fixture->state, port, component);
}

/* ---- traps ---- */

const struct bad_key soft_fixture_bad_key = {
	.key = 0x80018002,
	.lid1 = 0x0102,
	.lid2 = 0x0304,
	.sl = 0xA,
	.qp1 = 0x111213,
	.qp2 = 0x212223,
	.gid1 = {0xFE, 0x80, [15] = 1},
	.gid2 = {0xFE, 0x80, [15] = 2},
};

int soft_fixture_raise(struct soft_fixture *fixture, unsigned trap, unsigned port)
{
	struct responder *r = &fixture->responder;

	switch (trap) {
	case 128:
		return link_set(r, port, !fixture->state->port[port].link);
	case 129:
	case 130:
	case 131:
		return event_traps_threshold(r, port, trap);
	case 144:
		return event_traps_capability(r, port, SMA_PortInfo_IsSM, true);
	case 145:
		return event_traps_system_guid(r, 0x1122334455667788);
	default:
		return event_traps_bad_key(r, port, trap, &soft_fixture_bad_key);
	}
}

unsigned soft_fixture_next(struct soft_fixture *fixture, uint64_t now, struct sent *sent)
{
	if (!responder_next_trap(&fixture->responder, now, sent->mad, &sent->port, &sent->dlid, &sent->sl))
		return 0;
	return wire_get16(sent->mad + AT_NUMBER);
}

void soft_fixture_repress(struct soft_fixture *fixture, const struct sent *sent, unsigned at, uint8_t change)
{
	soft_fixture_request(fixture, TRAP_REPRESS, ATTR_NOTICE, 0, sent->mad + AT_DATA);
	memcpy(fixture->request + AT_TID, sent->mad + AT_TID, 8);
	fixture->request[at] ^= change;
	CHECK_EQUAL(soft_fixture_send(fixture), VERDICT_DROP);
}

/* ---- snapshots ---- */

struct writer {
	uint8_t *bytes; /* NULL: only count */
	size_t size;
};

static void put(struct writer *w, const void *bytes, size_t size)
{
	if (w->bytes && size)
		memcpy(w->bytes + w->size, bytes, size);
	w->size += size;
}

static void put_port(struct writer *w, const struct state_port *port)
{
	put(w, port->info, sizeof(port->info));
	put(w, port->extended, sizeof(port->extended));
	put(w, port->port_guid, sizeof(port->port_guid));
	put(w, port->guids, port->guids ? FIXTURE_GUIDS * sizeof(uint64_t) : 0);
	put(w, port->pkeys, port->pkey_count * sizeof(uint16_t));
	put(w, port->sl2vl, (size_t)port->sl2vl_count * SOFT_SL2VL_SIZE);
	put(w, port->vlarb, sizeof(port->vlarb));
	put(w, &port->led, sizeof(port->led));
	put(w, &port->link, sizeof(port->link));
}

static void put_store(struct writer *w, const struct soft_state *state)
{
	put(w, state->description, sizeof(state->description));
	put(w, state->node_info, sizeof(state->node_info));
	put(w, state->switch_info, sizeof(state->switch_info));
	put(w, state->vendor, sizeof(state->vendor));
	put(w, state->linear, state->linear ? FIXTURE_LIDS : 0);
	put(w, state->random, state->random ? (size_t)FIXTURE_RANDOM * 4 : 0);
	put(w, state->multicast, (size_t)state->positions * FIXTURE_MLIDS * sizeof(uint16_t));
	put(w, state->diags, state->diag_count * sizeof(*state->diags));
	for (unsigned p = 0; p <= state->ports; p++)
		put_port(w, &state->port[p]);
}

uint8_t *soft_fixture_snapshot(const struct soft_fixture *fixture, size_t *size)
{
	struct writer w = {0};

	put_store(&w, fixture->state);
	w.bytes = calloc(1, w.size);
	if (!w.bytes)
		abort();
	w.size = 0;
	put_store(&w, fixture->state);
	*size = w.size;
	return w.bytes;
}

bool soft_fixture_is_same(const struct soft_fixture *fixture, uint8_t *snapshot, size_t size)
{
	size_t now_size;
	uint8_t *now = soft_fixture_snapshot(fixture, &now_size);
	bool same = now_size == size && memcmp(now, snapshot, size) == 0;

	free(now);
	free(snapshot);
	return same;
}
