// SPDX-License-Identifier: BSD-2-Clause
/* Who may read and write: M_Key, protection levels, violations, lease (IBA 14.2.4). */
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

#define KEY   0x0123456789ABCDEFULL
#define WRONG 0x0123456789ABCDEEULL

enum { LEASE = 15 /* seconds */ };

static const char nodes[] = "csfr";

static void protect(struct soft_fixture *fixture, unsigned port, uint64_t key, unsigned level)
{
	state_set(fixture->state, port, SMA_PortInfo_M_Key, key);
	state_set(fixture->state, port, SMA_PortInfo_M_KeyProtectBits, level);
	state_set(fixture->state, port, SMA_PortInfo_M_KeyLeasePeriod, LEASE);
}

static void open_protected(struct soft_fixture *fixture, char node, uint64_t key, unsigned level)
{
	soft_fixture_open(fixture, node);
	soft_fixture_activate(fixture);
	protect(fixture, soft_fixture_port(fixture), key, level);
}

static enum verdict send_with(struct soft_fixture *fixture, uint64_t key, uint8_t method, uint16_t attribute,
                              uint32_t modifier)
{
	uint8_t data[SMA_BLOCK_SIZE];

	/* what is there already may always be set */
	memcpy(data, fixture->state->port[soft_fixture_port(fixture)].info, sizeof(data));
	sma_component_set(data, SMA_PortInfo_PortState, 0);
	sma_component_set(data, SMA_PortInfo_PortPhysicalState, 0);
	sma_component_set(data, SMA_PortInfo_M_KeyViolations, 1);
	soft_fixture_request(fixture, method, attribute, modifier, data);
	wire_put64(fixture->request + AT_M_KEY, key);
	return soft_fixture_send(fixture);
}

static unsigned violations(const struct soft_fixture *fixture, unsigned port)
{
	return soft_fixture_get(fixture, port, SMA_PortInfo_M_KeyViolations);
}

static unsigned level_of(const struct soft_fixture *fixture)
{
	return soft_fixture_get(fixture, soft_fixture_port(fixture), SMA_PortInfo_M_KeyProtectBits);
}

/* ---- the decision table, all cells ---- */

enum outcome {
	SHOWN,  /* passes, and PortInfo shows the key */
	HIDDEN, /* passes, and PortInfo shows 0 for the key */
	FAILS,
};

enum { ANY_LEVEL = 4 };

/* The key of the port, that of the packet, the level, and what comes of Get, Set and TrapRepress. */
static const struct {
	uint64_t port;
	uint64_t packet;
	unsigned level;
	enum outcome get, set, repress;
} decisions[] = {
	{0, 0, ANY_LEVEL, SHOWN, SHOWN, SHOWN},     {0, WRONG, ANY_LEVEL, SHOWN, SHOWN, SHOWN},
	{KEY, KEY, ANY_LEVEL, SHOWN, SHOWN, SHOWN}, {KEY, WRONG, 0, SHOWN, FAILS, FAILS},
	{KEY, WRONG, 1, HIDDEN, FAILS, FAILS},      {KEY, WRONG, 2, FAILS, FAILS, FAILS},
	{KEY, WRONG, 3, FAILS, FAILS, FAILS},       {KEY, 0, 0, SHOWN, FAILS, FAILS},
	{KEY, 0, 1, HIDDEN, FAILS, FAILS},          {KEY, 0, 2, FAILS, FAILS, FAILS},
	{KEY, 0, 3, FAILS, FAILS, FAILS},
};

/* One cell for Get or Set. */
static void check_answer(struct soft_fixture *fixture, uint64_t packet, uint8_t method, enum outcome wanted)
{
	unsigned port = soft_fixture_port(fixture);
	uint64_t key = sma_component_get(fixture->state->port[port].info, SMA_PortInfo_M_Key);
	enum verdict verdict = send_with(fixture, packet, method, ATTR_PORT_INFO, 0);

	CHECK_EQUAL(verdict, wanted == FAILS ? VERDICT_DROP : VERDICT_ANSWER);
	CHECK_EQUAL(violations(fixture, port), wanted == FAILS);
	CHECK_EQUAL(fixture->responder.endpoints[0].lease_ends != 0, wanted == FAILS);
	CHECK_EQUAL(trap_sender_waiting(&fixture->responder.endpoints[0].traps), wanted == FAILS);
	if (wanted == FAILS)
		return;
	CHECK_EQUAL(wire_get16(fixture->response + AT_STATUS), 0);
	CHECK_EQUAL(sma_component_get(fixture->response + AT_DATA, SMA_PortInfo_M_Key),
	            wanted == HIDDEN ? 0 : key);
	CHECK_EQUAL(wire_get64(fixture->response + AT_M_KEY), packet);
}

/* One cell for TrapRepress: the trap that it names is there, and goes if it passes. */
static void check_repress(struct soft_fixture *fixture, uint64_t packet, enum outcome wanted)
{
	struct sent trap;

	soft_fixture_raise(fixture, 145, 1);
	CHECK_EQUAL(soft_fixture_next(fixture, fixture->arrival.now, &trap), 145);
	soft_fixture_request(fixture, TRAP_REPRESS, ATTR_NOTICE, 0, trap.mad + AT_DATA);
	memcpy(fixture->request + AT_TID, trap.mad + AT_TID, 8);
	wire_put64(fixture->request + AT_M_KEY, packet);
	CHECK_EQUAL(soft_fixture_send(fixture), VERDICT_DROP);
	CHECK_EQUAL(fixture->responder.counters.represses, wanted != FAILS);
	CHECK_EQUAL(violations(fixture, soft_fixture_port(fixture)), wanted == FAILS);
	CHECK_EQUAL(fixture->responder.endpoints[0].traps.lists[4].count, wanted == FAILS);
	CHECK_EQUAL(fixture->responder.endpoints[0].traps.lists[2].count, wanted == FAILS);
}

static void check_cell(char node, size_t i, unsigned level, uint8_t method)
{
	struct soft_fixture fixture;

	open_protected(&fixture, node, decisions[i].port, level);
	unit_case("node %c, key %zu, level %u, method %u", node, i, level, method);
	if (method == TRAP_REPRESS)
		check_repress(&fixture, decisions[i].packet, decisions[i].repress);
	else
		check_answer(&fixture, decisions[i].packet, method,
		             method == GET ? decisions[i].get : decisions[i].set);
	soft_fixture_close(&fixture);
}

static void test_decisions(void)
{
	static const uint8_t methods[] = {GET, SET, TRAP_REPRESS};

	for (const char *node = nodes; *node; node++) {
		for (size_t i = 0; i < UNIT_COUNT(decisions); i++) {
			for (unsigned level = 0; level < 4; level++) {
				if (decisions[i].level != ANY_LEVEL && decisions[i].level != level)
					continue;
				for (size_t m = 0; m < UNIT_COUNT(methods); m++)
					check_cell(*node, i, level, methods[m]);
			}
		}
	}
}

/* The check comes before the attribute is looked at, and only for the three methods. */
static void test_order(void)
{
	static const struct {
		uint8_t method;
		uint16_t attribute;
		uint32_t modifier;
		unsigned wanted; /* status, ASK_DROPPED */
	} cases[] = {
		{GET, 0x0001, 0, ASK_DROPPED},
		{SET, ATTR_NODE_INFO, 0, ASK_DROPPED},
		{GET, ATTR_PORT_INFO, 99, ASK_DROPPED},
		{TRAP_REPRESS, ATTR_NODE_INFO, 0, ASK_DROPPED},
		{GET, ATTR_SM_INFO, 0, ASK_DROPPED},
		{0x03, ATTR_NODE_INFO, 0, 0x08},
		{0x10, 0x0001, 0, 0x08},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct soft_fixture fixture;

		open_protected(&fixture, 'c', KEY, 2);
		unit_case("case %zu", i);
		CHECK_EQUAL(soft_fixture_ask(&fixture, cases[i].method, cases[i].attribute, cases[i].modifier,
		                             NULL),
		            cases[i].wanted);
		CHECK_EQUAL(violations(&fixture, 1), cases[i].wanted == ASK_DROPPED);
		soft_fixture_close(&fixture);
	}
}

/* ---- a Set that changes the key ---- */

static void test_new_key(void)
{
	struct soft_fixture fixture;
	uint8_t data[SMA_BLOCK_SIZE];

	open_protected(&fixture, 'c', KEY, 1);
	memcpy(data, fixture.state->port[1].info, sizeof(data));
	sma_component_set(data, SMA_PortInfo_PortState, 0);
	sma_component_set(data, SMA_PortInfo_PortPhysicalState, 0);
	sma_component_set(data, SMA_PortInfo_M_Key, WRONG);
	soft_fixture_request(&fixture, SET, ATTR_PORT_INFO, 0, data);
	wire_put64(fixture.request + AT_M_KEY, KEY);
	CHECK_EQUAL(soft_fixture_send(&fixture), VERDICT_ANSWER);
	CHECK_EQUAL(wire_get64(fixture.response + AT_M_KEY), KEY);
	CHECK_EQUAL(sma_component_get(fixture.response + AT_DATA, SMA_PortInfo_M_Key), WRONG);
	CHECK_EQUAL(send_with(&fixture, KEY, SET, ATTR_PORT_INFO, 0), VERDICT_DROP);
	CHECK_EQUAL(send_with(&fixture, WRONG, SET, ATTR_PORT_INFO, 0), VERDICT_ANSWER);
	soft_fixture_close(&fixture);
}

/* ---- violations ---- */

static void test_ceiling(void)
{
	struct soft_fixture fixture;

	open_protected(&fixture, 's', KEY, 2);
	state_set(fixture.state, 0, SMA_PortInfo_M_KeyViolations, 0xFFFE);
	for (unsigned i = 0; i < 3; i++)
		send_with(&fixture, WRONG, GET, ATTR_NODE_INFO, 0);
	CHECK_EQUAL(violations(&fixture, 0), 0xFFFF);
	CHECK_EQUAL(fixture.responder.counters.bad_m_key, 3);
	CHECK_EQUAL(fixture.responder.counters.answered, 0);
	soft_fixture_close(&fixture);
}

/* ---- the lease timer ---- */

struct step {
	uint64_t at; /* milliseconds after the start */
	uint64_t key;
	uint8_t method;
	unsigned level; /* that is then in force */
};

enum { MAX_STEPS = 6 };

#define BAD(at, level)                                                                                       \
	{                                                                                                    \
		at, WRONG, GET, level                                                                        \
	}
#define GOOD(at, level)                                                                                      \
	{                                                                                                    \
		at, KEY, GET, level                                                                          \
	}

/* A Get or Set with a wrong or the right key, and the level that is then in force. */
static const struct {
	const char *name;
	unsigned period;
	unsigned start_level;
	struct step steps[MAX_STEPS];
} leases[] = {
	{"runs out", LEASE, 2, {BAD(0, 2), BAD(14999, 2), BAD(15000, 0)}},
	{"is not restarted by a failure", LEASE, 2, {BAD(0, 2), BAD(10000, 2), BAD(15000, 0)}},
	{"is stopped by Get", LEASE, 2, {BAD(0, 2), GOOD(14999, 2), BAD(15000, 2), GOOD(29999, 2)}},
	{"is stopped by Set", LEASE, 3, {BAD(0, 3), {1, KEY, SET, 3}, GOOD(16000, 3)}},
	{"is stopped by TrapRepress", LEASE, 3, {BAD(0, 3), {1, KEY, TRAP_REPRESS, 3}, GOOD(16000, 3)}},
	{"is left by a Get that may read", LEASE, 1, {{0, WRONG, SET, 1}, BAD(1, 1), BAD(15000, 0)}},
	{"starts again", LEASE, 2, {BAD(0, 2), GOOD(1000, 2), BAD(2000, 2), BAD(16999, 2), BAD(17000, 0)}},
	{"never ends with period 0", 0, 2, {BAD(0, 2), BAD(UINT32_MAX, 2)}},
	{"does not start by itself", LEASE, 2, {GOOD(0, 2), GOOD(20000, 2)}},
	{"of the longest period", 0xFFFF, 2, {BAD(0, 2), BAD(65534999, 2), BAD(65535000, 0)}},
};

static void run_lease(size_t i, char node)
{
	struct soft_fixture fixture;
	unsigned port;

	open_protected(&fixture, node, KEY, leases[i].start_level);
	port = soft_fixture_port(&fixture);
	state_set(fixture.state, port, SMA_PortInfo_M_KeyLeasePeriod, leases[i].period);
	for (size_t s = 0; s < MAX_STEPS && leases[i].steps[s].method; s++) {
		const struct step *step = &leases[i].steps[s];

		unit_case("node %c: a lease %s, step %zu", node, leases[i].name, s);
		fixture.arrival.now = 1000 + step->at;
		send_with(&fixture, step->key, step->method,
		          step->method == TRAP_REPRESS ? ATTR_NOTICE : ATTR_PORT_INFO, 0);
		CHECK_EQUAL(level_of(&fixture), step->level);
	}
	CHECK_EQUAL(sma_component_get(fixture.state->port[port].info, SMA_PortInfo_M_Key), KEY);
	soft_fixture_close(&fixture);
}

static void test_lease(void)
{
	for (size_t i = 0; i < UNIT_COUNT(leases); i++) {
		for (const char *node = nodes; *node; node++)
			run_lease(i, *node);
	}
}

/* What the node reads of itself shows the end of the lease as well. */
static void test_lease_read_inside(void)
{
	struct soft_fixture fixture;

	open_protected(&fixture, 'c', KEY, 2);
	send_with(&fixture, WRONG, GET, ATTR_PORT_INFO, 0);
	fixture.arrival.trusted = true;
	fixture.arrival.now += 14999;
	CHECK_EQUAL(send_with(&fixture, 0, GET, ATTR_PORT_INFO, 0), VERDICT_ANSWER);
	CHECK_EQUAL(sma_component_get(fixture.response + AT_DATA, SMA_PortInfo_M_KeyProtectBits), 2);
	fixture.arrival.now++;
	send_with(&fixture, 0, GET, ATTR_PORT_INFO, 0);
	CHECK_EQUAL(sma_component_get(fixture.response + AT_DATA, SMA_PortInfo_M_KeyProtectBits), 0);
	soft_fixture_close(&fixture);
}

/* ---- arrivals from inside the node ---- */

static void test_trusted(void)
{
	struct soft_fixture fixture;

	open_protected(&fixture, 'c', KEY, 3);
	send_with(&fixture, WRONG, GET, ATTR_PORT_INFO, 0);
	fixture.arrival.trusted = true;
	CHECK_EQUAL(send_with(&fixture, 0, GET, ATTR_PORT_INFO, 0), VERDICT_ANSWER);
	CHECK_EQUAL(sma_component_get(fixture.response + AT_DATA, SMA_PortInfo_M_Key), KEY);
	state_set(fixture.state, 1, SMA_PortInfo_M_KeyProtectBits, 1);
	send_with(&fixture, 0, GET, ATTR_PORT_INFO, 0);
	CHECK_EQUAL(sma_component_get(fixture.response + AT_DATA, SMA_PortInfo_M_Key), KEY);
	CHECK_EQUAL(send_with(&fixture, 0, SET, ATTR_PORT_INFO, 0), VERDICT_ANSWER);
	CHECK_EQUAL(send_with(&fixture, KEY, GET, ATTR_PORT_INFO, 0), VERDICT_ANSWER);
	CHECK_EQUAL(violations(&fixture, 1), 1);
	CHECK(fixture.responder.endpoints[0].lease_ends != 0);
	soft_fixture_close(&fixture);
}

/* ---- another port of a CA or router ---- */

/* Port 1 is asked about port 2; each has a key, or none, and a level. */
static const struct {
	uint64_t key1, key2;
	unsigned level1, level2;
	uint64_t packet;
	uint8_t method;
	enum outcome wanted;
	unsigned violations1, violations2;
} others[] = {
	{0, 0, 0, 0, 0, GET, SHOWN, 0, 0},
	{KEY, KEY, 3, 3, KEY, GET, SHOWN, 0, 0},
	{KEY, KEY, 3, 3, KEY, SET, SHOWN, 0, 0},
	{0, KEY, 0, 0, 0, GET, SHOWN, 0, 0},
	{0, KEY, 0, 1, 0, GET, HIDDEN, 0, 0},
	{0, KEY, 0, 1, KEY, GET, SHOWN, 0, 0},
	{WRONG, KEY, 1, 1, WRONG, GET, HIDDEN, 0, 0},
	{WRONG, KEY, 1, 1, KEY, GET, SHOWN, 0, 0},
	{0, KEY, 0, 2, 0, GET, FAILS, 0, 1},
	{0, KEY, 0, 0, 0, SET, FAILS, 0, 1},
	{KEY, 0, 2, 0, 0, GET, FAILS, 1, 0},
	{KEY, 0, 0, 0, 0, SET, FAILS, 1, 0},
	{KEY, KEY, 2, 2, WRONG, GET, FAILS, 1, 1},
	{KEY, KEY, 0, 2, WRONG, GET, FAILS, 0, 1},
	{KEY, KEY, 2, 0, WRONG, GET, FAILS, 1, 0},
};

static void run_other(size_t i, char node, uint16_t attribute)
{
	struct soft_fixture fixture;
	enum verdict verdict;

	soft_fixture_open(&fixture, node);
	state_set(fixture.state, 1, SMA_PortInfo_IsCapabilityMask2Supported, 1);
	state_set(fixture.state, 1, SMA_PortInfo_IsPortInfoExtendedSupported, 1);
	fixture.state->port[2].extended[0] = 0xA5;
	protect(&fixture, 1, others[i].key1, others[i].level1);
	protect(&fixture, 2, others[i].key2, others[i].level2);
	unit_case("node %c, attribute 0x%x, case %zu", node, attribute, i);
	verdict = send_with(&fixture, others[i].packet, others[i].method, attribute, 2);
	CHECK_EQUAL(verdict, others[i].wanted == FAILS ? VERDICT_DROP : VERDICT_ANSWER);
	CHECK_EQUAL(violations(&fixture, 1), others[i].violations1);
	CHECK_EQUAL(violations(&fixture, 2), others[i].violations2);
	if (verdict == VERDICT_ANSWER && attribute == ATTR_PORT_INFO)
		CHECK_EQUAL(sma_component_get(fixture.response + AT_DATA, SMA_PortInfo_M_Key),
		            others[i].wanted == HIDDEN ? 0 : others[i].key2);
	if (verdict == VERDICT_ANSWER && attribute == ATTR_PORT_INFO_EXTENDED)
		CHECK_EQUAL(fixture.response[AT_DATA], 0xA5);
	soft_fixture_close(&fixture);
}

static void test_other_port(void)
{
	for (size_t i = 0; i < UNIT_COUNT(others); i++) {
		run_other(i, 'c', ATTR_PORT_INFO);
		run_other(i, 'r', ATTR_PORT_INFO);
		run_other(i, 'c', ATTR_PORT_INFO_EXTENDED);
		run_other(i, 'r', ATTR_PORT_INFO_EXTENDED);
	}
}

/* Other attributes name no port in their modifier: the key of port 2 has no say. */
static void test_other_modifier(void)
{
	struct soft_fixture fixture;

	soft_fixture_open(&fixture, 'c');
	protect(&fixture, 2, KEY, 3);
	CHECK_EQUAL(send_with(&fixture, 0, GET, ATTR_GUID_INFO, 2), VERDICT_ANSWER);
	CHECK_EQUAL(violations(&fixture, 2), 0);
	soft_fixture_close(&fixture);
}

/* On a switch the key of port 0 protects all ports. */
static void test_switch_port(void)
{
	struct soft_fixture fixture;

	open_protected(&fixture, 's', KEY, 3);
	CHECK_EQUAL(send_with(&fixture, WRONG, GET, ATTR_PORT_INFO, 2), VERDICT_DROP);
	CHECK_EQUAL(send_with(&fixture, KEY, GET, ATTR_PORT_INFO, 2), VERDICT_ANSWER);
	CHECK_EQUAL(sma_component_get(fixture.response + AT_DATA, SMA_PortInfo_M_Key), 0);
	CHECK_EQUAL(violations(&fixture, 0), 1);
	CHECK_EQUAL(violations(&fixture, 2), 0);
	soft_fixture_close(&fixture);
}

static const struct unit_test tests[] = {
	{"decision table", test_decisions},
	{"the key comes before the attribute", test_order},
	{"a Set of the key is judged by the old one", test_new_key},
	{"violations stop at the ceiling", test_ceiling},
	{"lease timer", test_lease},
	{"lease timer, read from inside", test_lease_read_inside},
	{"arrivals from inside need no key", test_trusted},
	{"another port of a CA or router", test_other_port},
	{"a modifier that names no port", test_other_modifier},
	{"ports of a switch", test_switch_port},
};

int main(void)
{
	return UNIT_MAIN("m_key", tests);
}
