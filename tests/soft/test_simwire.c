// SPDX-License-Identifier: BSD-2-Clause
/* Attaching to the simulator wire, and being the SM on it. */
#include <errno.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/wire/simwire.h"
#include "tests/soft/wire_client.h"
#include "tests/unit.h"

enum { LONGEST_NAME = 92, BLOCK = 64 };

/* ---- opening ---- */

static int open_name(struct wire_bed *bed, const char *name, char *error, size_t size)
{
	struct simwire *wire = NULL;
	int rc = simwire_open(name, &bed->responder, &wire, error, size);

	simwire_close(wire);
	return rc;
}

static void test_open(void)
{
	char name[LONGEST_NAME + 2];
	char error[256];
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK_EQUAL(open_name(&bed, bed.name, error, sizeof(error)), -EADDRINUSE);
	CHECK(strstr(error, bed.name) && strstr(error, "in use"));
	CHECK_EQUAL(open_name(&bed, "", error, sizeof(error)), -EINVAL);
	CHECK_TEXT(error, "the wire name is empty");
	memset(name, 'n', sizeof(name));
	name[LONGEST_NAME + 1] = '\0';
	CHECK_EQUAL(open_name(&bed, name, error, sizeof(error)), -ENAMETOOLONG);
	CHECK(strstr(error, "longer than 92 characters"));
	wire_bed_close(&bed);
}

/* Clients of a name that leaves just room for the longest of its sockets. */
static void test_longest_name(void)
{
	char error[256];
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	simwire_close(bed.wire);
	memset(bed.name + strlen(bed.name), 'n', sizeof(bed.name) - 1 - strlen(bed.name));
	bed.name[sizeof(bed.name) - 1] = '\0';
	CHECK_EQUAL(simwire_open(bed.name, &bed.responder, &bed.wire, error, sizeof(error)), 0);
	CHECK(wire_attach(&client, &bed, NULL, false));
	wire_detach(&client);
	wire_bed_close(&bed);
}

static void test_close_nothing(void)
{
	simwire_close(NULL);
}

/* ---- attaching ---- */

static const struct attach_case {
	unsigned type;
	const char *node;
	int port; /* -1: refused */
	const char *named;
} attach_cases[] = {
	{SMA_NODE_CA, NULL, 1, "node one"},
	{SMA_NODE_CA, "node one", 1, "node one"},
	{SMA_NODE_CA, "node one:1", 1, "node one:1"},
	{SMA_NODE_CA, "node one:2", 2, "node one:2"},
	{SMA_NODE_CA, ":2", 2, ":2"},
	{SMA_NODE_CA, "node one:0", -1, NULL},
	{SMA_NODE_CA, "node one:3", -1, NULL},
	{SMA_NODE_CA, "node one:", -1, NULL},
	{SMA_NODE_CA, "node one:+1", -1, NULL},
	{SMA_NODE_CA, "node one: 1", -1, NULL},
	{SMA_NODE_CA, "node one:1x", -1, NULL},
	{SMA_NODE_CA, "node one:4294967297", -1, NULL},
	{SMA_NODE_CA, "node on", -1, NULL},
	{SMA_NODE_CA, "node one ", -1, NULL},
	{SMA_NODE_CA, "node on:1", -1, NULL},
	{SMA_NODE_ROUTER, NULL, 1, "node one"},
	{SMA_NODE_ROUTER, "node one:2", 2, "node one:2"},
	{SMA_NODE_SWITCH, NULL, 0, "node one"},
	{SMA_NODE_SWITCH, "node one", 0, "node one"},
	{SMA_NODE_SWITCH, "node one:0", 0, "node one:0"},
	{SMA_NODE_SWITCH, "node one:1", -1, NULL},
};

/* The LIDs of the test's node say which port it is. */
static int port_of(struct wire_client *client)
{
	uint8_t data[BLOCK] = {0};
	uint16_t lid;

	CHECK_EQUAL(wire_control(client, WIRE_GET_NODEINFO, data, sizeof(data)), WIRE_GET_NODEINFO);
	CHECK_EQUAL(wire_get64(data + 20), 0x1000 + data[36]);
	memset(data, 0, sizeof(data));
	CHECK_EQUAL(wire_control(client, WIRE_GET_PORT, data, sizeof(data)), WIRE_GET_PORT);
	memcpy(&lid, data, sizeof(lid));
	return lid == 32 ? 2 : client->bed->state->type == SMA_NODE_SWITCH ? 0 : 1;
}

static void check_attach(const struct attach_case *c)
{
	struct wire_client client;
	struct wire_bed bed;

	unit_case("type %u, \"%s\"", c->type, c->node ? c->node : "(none)");
	wire_bed_open(&bed, c->type);
	if (!CHECK_EQUAL(wire_attach(&client, &bed, c->node, false), c->port >= 0) || c->port < 0) {
		wire_die(&client);
	} else {
		CHECK_TEXT(client.node, c->named);
		CHECK_EQUAL(client.slot, 0);
		CHECK_EQUAL(port_of(&client), c->port);
		wire_detach(&client);
	}
	CHECK_EQUAL(wire_bed_counters(&bed).refused, c->port < 0);
	wire_bed_close(&bed);
}

static void test_attach(void)
{
	for (size_t i = 0; i < UNIT_COUNT(attach_cases); i++)
		check_attach(&attach_cases[i]);
}

/* A name that is longer than a client can say, and one that holds a colon. */
static void test_odd_descriptions(void)
{
	static const char *const descriptions[] = {
		"a description of more than thirty-two characters",
		"exactly thirty-two characters 32",
		"colon:2",
	};
	struct wire_client client;
	struct wire_bed bed;

	for (size_t i = 0; i < UNIT_COUNT(descriptions); i++) {
		unit_case("%s", descriptions[i]);
		wire_bed_open(&bed, SMA_NODE_CA);
		memset(bed.state->description, 0, BLOCK);
		memcpy(bed.state->description, descriptions[i], strlen(descriptions[i]));
		CHECK(wire_attach(&client, &bed, descriptions[i], false));
		CHECK_EQUAL(port_of(&client), 1);
		CHECK_EQUAL(strncmp(client.node, descriptions[i], sizeof(client.node) - 1), 0);
		wire_detach(&client);
		CHECK(!wire_attach(&client, &bed, "colon", false));
		wire_die(&client);
		wire_bed_close(&bed);
	}
}

/* ---- slots ---- */

static void attach_all(struct wire_bed *bed, struct wire_client clients[SIMWIRE_CLIENTS])
{
	for (unsigned i = 0; i < SIMWIRE_CLIENTS; i++) {
		CHECK(wire_attach(&clients[i], bed, NULL, false));
		CHECK_EQUAL(clients[i].slot, i);
	}
}

static void test_slots(void)
{
	struct wire_client clients[SIMWIRE_CLIENTS];
	struct wire_client late;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	attach_all(&bed, clients);
	CHECK(!wire_attach(&late, &bed, NULL, false));
	wire_detach(&clients[3]);
	CHECK(wire_connect(&late, NULL, false));
	CHECK_EQUAL(late.slot, 3);
	wire_detach(&late);
	for (unsigned i = 0; i < SIMWIRE_CLIENTS; i++) {
		if (i != 3)
			wire_detach(&clients[i]);
	}
	wire_bed_close(&bed);
}

/* The slots of killed clients are free again, and nobody else's. */
static void test_killed(void)
{
	struct wire_client clients[SIMWIRE_CLIENTS];
	struct wire_client late;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	attach_all(&bed, clients);
	wire_die(&clients[7]);
	wire_die(&clients[2]);
	CHECK(wire_attach(&late, &bed, NULL, false));
	CHECK_EQUAL(late.slot, 2);
	CHECK_EQUAL(port_of(&clients[1]), 1);
	CHECK_EQUAL(port_of(&clients[9]), 1);
	clients[7].slot = 7;
	wire_client_open(&clients[7], &bed);
	CHECK(wire_connect(&clients[7], NULL, false));
	CHECK_EQUAL(clients[7].slot, 7);
	wire_bed_close(&bed);
	for (unsigned i = 0; i < SIMWIRE_CLIENTS; i++)
		wire_die(i == 2 ? &late : &clients[i]);
}

/* The process that had the number of a new one must be dead, though a socket of its name exists. */
static void test_number_again(void)
{
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed, NULL, true));
	wire_die(&client);
	wire_client_reopen(&client);
	CHECK(wire_connect(&client, NULL, true));
	CHECK_EQUAL(client.slot, 0);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 1);
	wire_detach(&client);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	wire_bed_close(&bed);
}

/* A client whose data socket does not exist is not let in, and good-bye twice is no error. */
static void test_half(void)
{
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	wire_client_open(&client, &bed);
	client.process++;
	CHECK(!wire_connect(&client, NULL, true));
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	client.process--;
	CHECK(wire_connect(&client, NULL, false));
	CHECK_EQUAL(wire_control(&client, WIRE_DISCONNECT, NULL, 0), WIRE_DISCONNECT);
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* ---- the SM ---- */

static int set_sm(struct wire_client *client, int on)
{
	return wire_control(client, WIRE_SET_ISSM, &on, sizeof(on));
}

static void test_set_sm(void)
{
	struct wire_client first;
	struct wire_client second;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&first, &bed, NULL, false));
	CHECK(wire_attach(&second, &bed, NULL, false));
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	CHECK_EQUAL(set_sm(&first, 1), WIRE_SET_ISSM);
	CHECK_EQUAL(set_sm(&first, 1), WIRE_SET_ISSM);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 1);
	CHECK_EQUAL(state_get(bed.state, 2, SMA_PortInfo_IsSM), 0);
	CHECK_EQUAL(set_sm(&second, 1), WIRE_ERROR);
	CHECK_EQUAL(set_sm(&second, 0), WIRE_SET_ISSM);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 1);
	CHECK_EQUAL(set_sm(&first, 0), WIRE_SET_ISSM);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	CHECK_EQUAL(set_sm(&second, 1), WIRE_SET_ISSM);
	wire_detach(&second);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	wire_detach(&first);
	wire_bed_close(&bed);
}

/* Each port of a CA has a subnet of its own, and so may have an SM. */
static void test_sm_of_each_port(void)
{
	struct wire_client first;
	struct wire_client second;
	struct wire_client third;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&first, &bed, ":1", true));
	CHECK(wire_attach(&second, &bed, ":2", true));
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 1);
	CHECK_EQUAL(state_get(bed.state, 2, SMA_PortInfo_IsSM), 1);
	CHECK(!wire_attach(&third, &bed, NULL, true));
	CHECK(wire_connect(&third, NULL, false));
	CHECK_EQUAL(third.slot, 2);
	wire_die(&first);
	wire_detach(&third);
	wire_client_open(&third, &bed);
	CHECK(wire_connect(&third, NULL, true));
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 1);
	simwire_close(bed.wire);
	bed.wire = NULL;
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	CHECK_EQUAL(state_get(bed.state, 2, SMA_PortInfo_IsSM), 0);
	wire_die(&second);
	wire_die(&third);
	wire_bed_close(&bed);
}

/* Trap 144 of an active port, in the responder's hands. */
static void test_sm_trap(void)
{
	struct wire_client client;
	uint8_t mad[MAD_SIZE];
	struct wire_bed bed;
	unsigned port;
	unsigned sl;
	uint16_t dlid;

	wire_bed_open(&bed, SMA_NODE_CA);
	state_set(bed.state, 1, SMA_PortInfo_PortState, 4);
	CHECK(wire_attach(&client, &bed, NULL, true));
	CHECK(responder_next_trap(&bed.responder, bed.now, mad, &port, &dlid, &sl));
	CHECK_EQUAL(port, 1);
	CHECK_EQUAL(dlid, 16);
	CHECK_EQUAL(wire_get16(mad + 68), SMA_TRAP_CAPABILITY);
	wire_detach(&client);
	wire_bed_close(&bed);
}

static const struct unit_test tests[] = {
	{"names of the wire", test_open},
	{"a long name", test_longest_name},
	{"NULL may be closed", test_close_nothing},
	{"the node and port that a client names", test_attach},
	{"odd descriptions", test_odd_descriptions},
	{"ten clients", test_slots},
	{"killed clients make room", test_killed},
	{"a process number comes back", test_number_again},
	{"a client without data socket", test_half},
	{"one client is the SM", test_set_sm},
	{"each port may have an SM", test_sm_of_each_port},
	{"a new SM raises trap 144", test_sm_trap},
};

int main(void)
{
	return UNIT_MAIN("simwire", tests);
}
