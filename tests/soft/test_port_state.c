// SPDX-License-Identifier: BSD-2-Clause
/* The port state machine as Sets and links move it (IBA 14.2.5.6, PortState). */
#include <errno.h>
#include <string.h>

#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

enum { DOWN = 1, INITIALIZE, ARMED, ACTIVE };
enum { SLEEP = 1, POLLING, DISABLED, LINK_UP = 5 };
enum { INVALID = 0x1C };

/* A port of a CA, a router, a switch. */
static const struct {
	char node;
	unsigned port;
} ports[] = {{'c', 1}, {'r', 1}, {'s', 2}};

static void place(struct soft_fixture *fixture, unsigned port, unsigned state, unsigned physical, bool link)
{
	state_set(fixture->state, port, SMA_PortInfo_PortState, state);
	state_set(fixture->state, port, SMA_PortInfo_PortPhysicalState, physical);
	fixture->state->port[port].link = link;
}

static unsigned state_of(const struct soft_fixture *fixture, unsigned port)
{
	return soft_fixture_get(fixture, port, SMA_PortInfo_PortState);
}

static unsigned physical_of(const struct soft_fixture *fixture, unsigned port)
{
	return soft_fixture_get(fixture, port, SMA_PortInfo_PortPhysicalState);
}

static unsigned change_of(const struct soft_fixture *fixture)
{
	return soft_fixture_get(fixture, 0, SMA_SwitchInfo_PortStateChange);
}

/* Set PortState and PortPhysicalState, and write back the rest as it is. */
static unsigned command(struct soft_fixture *fixture, unsigned port, unsigned state, unsigned physical)
{
	uint8_t data[SMA_BLOCK_SIZE];

	memcpy(data, fixture->state->port[port].info, sizeof(data));
	sma_component_set(data, SMA_PortInfo_PortState, state);
	sma_component_set(data, SMA_PortInfo_PortPhysicalState, physical);
	return soft_fixture_ask(fixture, SET, ATTR_PORT_INFO, port, data);
}

/* ---- every From x Set ---- */

/* What a Set of PortState 0 to 5 makes of each state while the link is there; INVALID for the status. */
static const unsigned moves[][6] = {
	[DOWN] = {DOWN, DOWN, INVALID, INVALID, INVALID, INVALID},
	[INITIALIZE] = {INITIALIZE, INITIALIZE, INVALID, ARMED, INVALID, INVALID},
	[ARMED] = {ARMED, INITIALIZE, INVALID, ARMED, ACTIVE, INVALID},
	[ACTIVE] = {ACTIVE, INITIALIZE, INVALID, INVALID, ACTIVE, INVALID},
};

static void check_move(size_t p, unsigned from, unsigned set, bool link)
{
	unsigned wanted = moves[from][set < 5 ? set : 5];
	unsigned port = ports[p].port;
	struct soft_fixture fixture;
	unsigned status;

	soft_fixture_open(&fixture, ports[p].node);
	place(&fixture, port, from, from == DOWN ? SLEEP : LINK_UP, link);
	status = command(&fixture, port, set, 0);
	unit_case("node %c, link %d, from %u, set %u", ports[p].node, link, from, set);
	CHECK_EQUAL(status, wanted == INVALID ? INVALID : 0);
	if (wanted == INVALID)
		wanted = from;
	else if (wanted == INITIALIZE && !link && set == DOWN)
		wanted = DOWN;
	CHECK_EQUAL(state_of(&fixture, port), wanted);
	if (status == 0)
		CHECK_EQUAL(sma_component_get(fixture.response + AT_DATA, SMA_PortInfo_PortState), wanted);
	CHECK_EQUAL(physical_of(&fixture, port), wanted != DOWN ? LINK_UP : from == DOWN ? SLEEP : POLLING);
	CHECK_EQUAL(change_of(&fixture), 0);
	CHECK(!trap_sender_waiting(&fixture.responder.endpoints[0].traps));
	soft_fixture_close(&fixture);
}

static void test_moves(void)
{
	for (size_t p = 0; p < UNIT_COUNT(ports); p++) {
		for (unsigned from = DOWN; from <= ACTIVE; from++) {
			for (unsigned set = 0; set < 16; set++)
				check_move(p, from, set, true);
		}
		/* a Set of Down finds the link gone */
		for (unsigned from = INITIALIZE; from <= ACTIVE; from++)
			check_move(p, from, DOWN, false);
	}
}

/* ---- PortPhysicalState ---- */

/* The command, and what it makes of a port with and without a link, from any state. */
static const struct {
	unsigned physical;
	bool valid;
	unsigned state_linked, physical_linked;
	unsigned state_unlinked, physical_unlinked;
} commands[] = {
	{SLEEP, true, DOWN, SLEEP, DOWN, SLEEP},
	{POLLING, true, INITIALIZE, LINK_UP, DOWN, POLLING},
	{DISABLED, true, DOWN, DISABLED, DOWN, DISABLED},
	{4, false, 0, 0, 0, 0},
	{5, false, 0, 0, 0, 0},
	{6, false, 0, 0, 0, 0},
	{7, false, 0, 0, 0, 0},
	{8, false, 0, 0, 0, 0},
	{15, false, 0, 0, 0, 0},
};

static void check_command(size_t p, size_t c, unsigned from, unsigned set, bool link)
{
	unsigned port = ports[p].port;
	struct soft_fixture fixture;
	unsigned before = from == DOWN ? DISABLED : LINK_UP;
	bool valid = commands[c].valid && set <= DOWN;

	soft_fixture_open(&fixture, ports[p].node);
	place(&fixture, port, from, before, link);
	unit_case("node %c, link %d, from %u, set state %u, physical %u", ports[p].node, link, from, set,
	          commands[c].physical);
	CHECK_EQUAL(command(&fixture, port, set, commands[c].physical), valid ? 0 : INVALID);
	if (!valid) {
		CHECK_EQUAL(state_of(&fixture, port), from);
		CHECK_EQUAL(physical_of(&fixture, port), before);
	} else {
		CHECK_EQUAL(state_of(&fixture, port),
		            link ? commands[c].state_linked : commands[c].state_unlinked);
		CHECK_EQUAL(physical_of(&fixture, port),
		            link ? commands[c].physical_linked : commands[c].physical_unlinked);
	}
	CHECK_EQUAL(change_of(&fixture), 0);
	soft_fixture_close(&fixture);
}

static void test_physical(void)
{
	for (size_t p = 0; p < UNIT_COUNT(ports); p++) {
		for (size_t c = 0; c < UNIT_COUNT(commands); c++) {
			for (unsigned from = DOWN; from <= ACTIVE; from++) {
				for (unsigned set = 0; set <= 5; set++)
					check_command(p, c, from, set, true);
			}
			check_command(p, c, DOWN, 0, false);
			check_command(p, c, DOWN, DOWN, false);
		}
	}
}

/* Down without a physical command leaves a port that is down as it is. */
static void test_stays_disabled(void)
{
	struct soft_fixture fixture;

	soft_fixture_open(&fixture, 's');
	place(&fixture, 2, ACTIVE, LINK_UP, true);
	CHECK_EQUAL(command(&fixture, 2, DOWN, DISABLED), 0);
	CHECK_EQUAL(command(&fixture, 2, DOWN, 0), 0);
	CHECK_EQUAL(physical_of(&fixture, 2), DISABLED);
	CHECK_EQUAL(command(&fixture, 2, 0, POLLING), 0);
	CHECK_EQUAL(state_of(&fixture, 2), INITIALIZE);
	CHECK_EQUAL(physical_of(&fixture, 2), LINK_UP);
	soft_fixture_close(&fixture);
}

/* ---- links ---- */

static const struct {
	unsigned from, physical;
	bool link; /* before */
	bool up;   /* the event */
	unsigned down_default;
	unsigned state, becomes;
	bool changes;
} links[] = {
	{DOWN, POLLING, false, true, POLLING, INITIALIZE, LINK_UP, true},
	{DOWN, SLEEP, false, true, POLLING, INITIALIZE, LINK_UP, true},
	{DOWN, DISABLED, false, true, POLLING, DOWN, DISABLED, false},
	{DOWN, POLLING, false, false, POLLING, DOWN, POLLING, false},
	{INITIALIZE, LINK_UP, true, false, POLLING, DOWN, POLLING, true},
	{ARMED, LINK_UP, true, false, POLLING, DOWN, POLLING, true},
	{ACTIVE, LINK_UP, true, false, POLLING, DOWN, POLLING, true},
	{ACTIVE, LINK_UP, true, false, SLEEP, DOWN, SLEEP, true},
	{DOWN, DISABLED, true, false, POLLING, DOWN, DISABLED, false},
	{INITIALIZE, LINK_UP, true, true, POLLING, INITIALIZE, LINK_UP, false},
	{ACTIVE, LINK_UP, true, true, POLLING, ACTIVE, LINK_UP, false},
	{DOWN, SLEEP, true, true, POLLING, DOWN, SLEEP, false},
	{DOWN, SLEEP, true, false, POLLING, DOWN, POLLING, false},
};

static void check_link(size_t p, size_t l)
{
	unsigned port = ports[p].port;
	struct soft_fixture fixture;
	bool is_switch = ports[p].node == 's';

	soft_fixture_open(&fixture, ports[p].node);
	if (is_switch)
		soft_fixture_activate(&fixture);
	place(&fixture, port, links[l].from, links[l].physical, links[l].link);
	state_set(fixture.state, port, SMA_PortInfo_LinkDownDefaultState, links[l].down_default);
	CHECK_EQUAL(link_set(&fixture.responder, port, links[l].up), 0);
	unit_case("node %c, case %zu", ports[p].node, l);
	CHECK_EQUAL(state_of(&fixture, port), links[l].state);
	CHECK_EQUAL(physical_of(&fixture, port), links[l].becomes);
	CHECK_EQUAL(fixture.state->port[port].link, links[l].up);
	CHECK_EQUAL(change_of(&fixture), is_switch && links[l].changes);
	CHECK_EQUAL(trap_sender_waiting(&fixture.responder.endpoints[0].traps),
	            is_switch && links[l].changes);
	soft_fixture_close(&fixture);
}

static void test_links(void)
{
	for (size_t p = 0; p < UNIT_COUNT(ports); p++) {
		for (size_t l = 0; l < UNIT_COUNT(links); l++)
			check_link(p, l);
	}
}

static void test_no_such_port(void)
{
	struct soft_fixture fixture;

	soft_fixture_open(&fixture, 's');
	CHECK_EQUAL(link_set(&fixture.responder, 0, true), -ERANGE);
	CHECK_EQUAL(link_set(&fixture.responder, FIXTURE_SWITCH_PORTS + 1, true), -ERANGE);
	CHECK_EQUAL(change_of(&fixture), 0);
	soft_fixture_close(&fixture);
}

/* ---- PortStateChange ---- */

/* Set SwitchInfo with that PortStateChange. */
static void set_change(struct soft_fixture *fixture, unsigned value)
{
	uint8_t data[SMA_BLOCK_SIZE];

	memcpy(data, fixture->state->switch_info, sizeof(data));
	sma_component_set(data, SMA_SwitchInfo_PortStateChange, value);
	CHECK_EQUAL(soft_fixture_ask(fixture, SET, ATTR_SWITCH_INFO, 0, data), 0);
	CHECK_EQUAL(sma_component_get(fixture->response + AT_DATA, SMA_SwitchInfo_PortStateChange),
	            change_of(fixture));
}

static void test_change(void)
{
	struct soft_fixture fixture;

	soft_fixture_open(&fixture, 's');
	link_set(&fixture.responder, 3, true);
	CHECK_EQUAL(change_of(&fixture), 1);
	set_change(&fixture, 0);
	CHECK_EQUAL(change_of(&fixture), 1);
	set_change(&fixture, 1);
	CHECK_EQUAL(change_of(&fixture), 0);
	set_change(&fixture, 1);
	CHECK_EQUAL(change_of(&fixture), 0);
	link_set(&fixture.responder, 3, false);
	CHECK_EQUAL(change_of(&fixture), 1);
	soft_fixture_close(&fixture);
}

/* ---- port 0 ---- */

/* Base port 0 has no state: whatever is set, it reads as Active. */
static void test_base_port0(void)
{
	struct soft_fixture fixture;

	soft_fixture_open(&fixture, 's');
	for (unsigned state = 0; state < 16; state++) {
		unit_case("state %u", state);
		CHECK_EQUAL(command(&fixture, 0, state, state), 0);
		CHECK_EQUAL(state_of(&fixture, 0), ACTIVE);
		CHECK_EQUAL(physical_of(&fixture, 0), 0);
	}
	soft_fixture_close(&fixture);
}

/* Enhanced port 0 has the states of a CA port, but no link that could fail or be commanded. */
static void test_enhanced_port0(void)
{
	struct soft_fixture fixture;

	for (unsigned from = INITIALIZE; from <= ACTIVE; from++) {
		for (unsigned set = 0; set < 16; set++) {
			unsigned wanted = moves[from][set < 5 ? set : 5];

			soft_fixture_open(&fixture, 's');
			state_set(fixture.state, 0, SMA_SwitchInfo_EnhancedPort0, 1);
			state_set(fixture.state, 0, SMA_PortInfo_PortState, from);
			unit_case("from %u, set %u", from, set);
			CHECK_EQUAL(command(&fixture, 0, set, DISABLED), wanted == INVALID ? INVALID : 0);
			CHECK_EQUAL(state_of(&fixture, 0), wanted == INVALID ? from : wanted);
			CHECK_EQUAL(physical_of(&fixture, 0), 0);
			soft_fixture_close(&fixture);
		}
	}
}

/* ---- traps ---- */

/* Traps that wait are dropped when the port that sends them leaves Active. */
static void test_traps_dropped(void)
{
	static const char nodes[] = "crs";

	for (const char *node = nodes; *node; node++) {
		struct soft_fixture fixture;
		unsigned port;

		soft_fixture_open(&fixture, *node);
		soft_fixture_activate(&fixture);
		port = soft_fixture_port(&fixture);
		state_set(fixture.state, 0, SMA_SwitchInfo_EnhancedPort0, 1);
		fixture.state->port[port].link = true;
		event_traps_system_guid(&fixture.responder, 1);
		unit_case("node %c", *node);
		CHECK(trap_sender_waiting(&fixture.responder.endpoints[0].traps));
		CHECK_EQUAL(command(&fixture, port, DOWN, 0), 0);
		CHECK_EQUAL(state_of(&fixture, port), INITIALIZE);
		CHECK(!trap_sender_waiting(&fixture.responder.endpoints[0].traps));
		CHECK_EQUAL(responder_due(&fixture.responder), UINT64_MAX);
		soft_fixture_close(&fixture);
	}
}

static const struct unit_test tests[] = {
	{"every From x Set", test_moves},
	{"physical state commands", test_physical},
	{"Down alone does not enable a port", test_stays_disabled},
	{"links come and go", test_links},
	{"links of ports that are not there", test_no_such_port},
	{"PortStateChange is set and cleared", test_change},
	{"base port 0", test_base_port0},
	{"enhanced port 0", test_enhanced_port0},
	{"traps go with Active", test_traps_dropped},
};

int main(void)
{
	return UNIT_MAIN("port_state", tests);
}
