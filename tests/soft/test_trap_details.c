// SPDX-License-Identifier: BSD-2-Clause
/* What each trap holds, and what is counted with it (IBA 14.2.5.1). */
#include <errno.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

static void open_active(struct soft_fixture *fixture, char node)
{
	soft_fixture_open(fixture, node);
	soft_fixture_activate(fixture);
}

/* ---- the layout of each trap ---- */

#define GIDS                                                                                                 \
	0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   \
		0, 0, 2
#define QPS 0x11, 0x12, 0x13, 0, 0x21, 0x22, 0x23
#define BAD_KEY                                                                                              \
	{                                                                                                    \
		0, 0, 1, 2, 3, 4, 0x80, 0x01, 0x80, 0x02, 0xA0, QPS, GIDS                                    \
	}
#define BAD_PKEY                                                                                             \
	{                                                                                                    \
		0, 0xFF, 1, 2, 3, 4, 0x80, 0x02, 0xA0, QPS, GIDS, 0, 7, 4                                    \
	} /* of port 4 */
#define GUID                                                                                                 \
	{                                                                                                    \
		0, 0, 0, 7, 0, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88                             \
	}

/* The port is the one it happens at; the details are those of LID 7. */
static const struct {
	char node;
	unsigned trap, port;
	int rc;
	uint8_t type;
	uint8_t details[DETAILS_SIZE];
} layouts[] = {
	{'s', 128, 3, 0, 1, {0, 7}},
	{'c', 129, 1, 0, 1, {0, 0, 0, 7, 1}},
	{'r', 129, 1, 0, 1, {0, 0, 0, 7, 1}},
	{'s', 129, 20, 0, 1, {0, 0, 0, 7, 20}},
	{'c', 130, 1, 0, 1, {0, 0, 0, 7, 1}},
	{'s', 130, 2, 0, 1, {0, 0, 0, 7, 2}},
	{'s', 131, 2, 0, 1, {0, 0, 0, 7, 2}},
	{'c', 145, 1, 0, 4, GUID},
	{'s', 145, 0, 0, 4, GUID},
	{'c', 257, 1, 0, 2, BAD_KEY},
	{'s', 257, 0, 0, 2, BAD_KEY},
	{'r', 258, 1, 0, 2, BAD_KEY},
	{'s', 259, 4, 0, 2, BAD_PKEY},
	/* what cannot happen */
	{'c', 131, 1, -ENOTSUP, 0, {0}},
	{'r', 131, 1, -ENOTSUP, 0, {0}},
	{'c', 259, 1, -ENOTSUP, 0, {0}},
	{'s', 259, 0, -ERANGE, 0, {0}},
	{'s', 259, 21, -ERANGE, 0, {0}},
	{'s', 257, 4, -ERANGE, 0, {0}},
	{'c', 258, 3, -ERANGE, 0, {0}},
	{'c', 129, 0, -ERANGE, 0, {0}},
	{'s', 129, 21, -ERANGE, 0, {0}},
	{'c', 260, 1, -EINVAL, 0, {0}},
	{'s', 144, 1, -ERANGE, 0, {0}},
};

static void check_trap(const struct soft_fixture *fixture, const struct sent *sent, size_t i)
{
	const uint8_t *mad = sent->mad;

	CHECK_EQUAL(wire_get32(mad), 0x01010105);
	CHECK_EQUAL(wire_get32(mad + AT_STATUS), 0);
	CHECK_EQUAL(wire_get32(mad + AT_ATTRIBUTE), ATTR_NOTICE << 16);
	CHECK_EQUAL(wire_get32(mad + AT_MODIFIER), 0);
	CHECK_EQUAL(wire_get64(mad + AT_M_KEY), 0);
	CHECK_EQUAL(mad[AT_DATA], 0x80 | layouts[i].type);
	CHECK_EQUAL(wire_get32(mad + AT_DATA) & 0xFFFFFF, fixture->state->type);
	CHECK_EQUAL(wire_get16(mad + AT_NUMBER), layouts[i].trap);
	CHECK_EQUAL(wire_get16(mad + AT_ISSUER), 7);
	CHECK_EQUAL(wire_get16(mad + AT_COUNT), 0);
	CHECK_OCTETS(mad + AT_DETAILS, layouts[i].details, DETAILS_SIZE);
	CHECK_EQUAL(sent->port, soft_fixture_port(fixture));
	CHECK_EQUAL(sent->dlid, 5);
	CHECK_EQUAL(sent->sl, 3);
}

static void test_layouts(void)
{
	for (size_t i = 0; i < UNIT_COUNT(layouts); i++) {
		struct soft_fixture fixture;
		struct sent sent;

		open_active(&fixture, layouts[i].node);
		unit_case("node %c, trap %u, port %u", layouts[i].node, layouts[i].trap, layouts[i].port);
		CHECK_EQUAL(soft_fixture_raise(&fixture, layouts[i].trap, layouts[i].port), layouts[i].rc);
		CHECK_EQUAL(soft_fixture_next(&fixture, 1000, &sent), layouts[i].rc ? 0 : layouts[i].trap);
		if (layouts[i].rc == 0)
			check_trap(&fixture, &sent, i);
		soft_fixture_close(&fixture);
	}
}

/* Trap 144: a new CapabilityMask, or another local change. */
static void test_local_changes(void)
{
	struct soft_fixture fixture;
	struct sent sent;
	const uint8_t *details = sent.mad + AT_DETAILS;
	uint32_t mask;

	open_active(&fixture, 'c');
	mask = soft_fixture_get(&fixture, 1, SMA_PortInfo_CapabilityMask);
	CHECK_EQUAL(soft_fixture_raise(&fixture, 144, 1), 0);
	CHECK_EQUAL(soft_fixture_next(&fixture, 1000, &sent), 144);
	CHECK_EQUAL(wire_get16(details + 2), 7);
	CHECK_EQUAL(details[5], 0);
	CHECK_EQUAL(wire_get32(details + 6), mask | 2);
	CHECK_EQUAL(wire_get16(details + 10), 0);
	soft_fixture_repress(&fixture, &sent, AT_TID, 0);
	CHECK_EQUAL(soft_fixture_raise(&fixture, 144, 1), 0); /* nothing changes */
	CHECK_EQUAL(soft_fixture_next(&fixture, 9000, &sent), 0);

	CHECK_EQUAL(event_traps_description(&fixture.responder, "old and longer"), 0);
	CHECK_EQUAL(event_traps_description(&fixture.responder, "new"), 0);
	CHECK_EQUAL(soft_fixture_next(&fixture, 9000, &sent), 144);
	CHECK_EQUAL(details[5], 1);
	CHECK_EQUAL(wire_get16(details + 10), 0x0001);
	CHECK_OCTETS(fixture.state->description, (const uint8_t[SMA_BLOCK_SIZE]){"new"}, SMA_BLOCK_SIZE);
	soft_fixture_close(&fixture);
}

static void test_description_limit(void)
{
	struct soft_fixture fixture;
	char text[SMA_BLOCK_SIZE + 2];

	soft_fixture_open(&fixture, 'c');
	memset(text, 'x', sizeof(text));
	text[SMA_BLOCK_SIZE + 1] = '\0';
	CHECK_EQUAL(event_traps_description(&fixture.responder, text), -ERANGE);
	text[SMA_BLOCK_SIZE] = '\0';
	CHECK_EQUAL(event_traps_description(&fixture.responder, text), 0);
	CHECK_OCTETS(fixture.state->description, text, SMA_BLOCK_SIZE);
	soft_fixture_close(&fixture);
}

/* Bad keys are counted up to the ceiling, whether or not a trap may be sent. */
static void test_violations(void)
{
	static const struct {
		char node;
		unsigned trap, port;
		enum sma_component counter;
	} cases[] = {
		{'c', 257, 2, SMA_PortInfo_P_KeyViolations},
		{'c', 258, 2, SMA_PortInfo_Q_KeyViolations},
		{'s', 257, 0, SMA_PortInfo_P_KeyViolations},
		{'s', 259, 3, SMA_PortInfo_P_KeyViolations},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct soft_fixture fixture;

		soft_fixture_open(&fixture, cases[i].node);
		unit_case("node %c, trap %u", cases[i].node, cases[i].trap);
		soft_fixture_raise(&fixture, cases[i].trap, cases[i].port);
		CHECK_EQUAL(soft_fixture_get(&fixture, cases[i].port, cases[i].counter), 1);
		state_set(fixture.state, cases[i].port, cases[i].counter, 0xFFFE);
		for (unsigned n = 0; n < 3; n++)
			soft_fixture_raise(&fixture, cases[i].trap, cases[i].port);
		CHECK_EQUAL(soft_fixture_get(&fixture, cases[i].port, cases[i].counter), 0xFFFF);
		soft_fixture_close(&fixture);
	}
}

/* Without the capability bit a switch does not report bad P_Keys at its ports. */
static void test_259_needs_capability(void)
{
	struct soft_fixture fixture;
	struct sent sent;

	open_active(&fixture, 's');
	state_set(fixture.state, 0, SMA_PortInfo_IsPKeySwitchExternalPortTrapSupported, 0);
	CHECK_EQUAL(soft_fixture_raise(&fixture, 259, 3), -ENOTSUP);
	CHECK(!soft_fixture_next(&fixture, 1000, &sent));
	soft_fixture_close(&fixture);
}

/* ---- trap 256 ---- */

#define KEY   0x0123456789ABCDEFULL
#define WRONG 0x0123456789ABCDEEULL

static void open_protected(struct soft_fixture *fixture, char node)
{
	open_active(fixture, node);
	state_set(fixture->state, soft_fixture_port(fixture), SMA_PortInfo_M_Key, KEY);
}

static const uint8_t *violate(struct soft_fixture *fixture, unsigned hops, struct sent *trap)
{
	soft_fixture_request(fixture, SET, ATTR_PORT_INFO, 0x80000001, NULL);
	wire_put64(fixture->request + AT_M_KEY, WRONG);
	if (hops) {
		soft_fixture_direct(fixture, hops);
		wire_put16(fixture->request + AT_DR_SLID, 0x0A0B);
		for (unsigned i = 0; i < 64; i++)
			fixture->request[AT_RETURN_PATH + i] = (uint8_t)(0x80 + i);
	}
	CHECK_EQUAL(soft_fixture_send(fixture), VERDICT_DROP);
	CHECK_EQUAL(soft_fixture_next(fixture, fixture->arrival.now, trap), 256);
	return trap->mad + AT_DETAILS;
}

/* Bytes 4 to 21 of the details are of the offending packet; LIDADDR is its source. */
static void test_trap_lid_routed(void)
{
	static const uint8_t wanted[DETAILS_SIZE] = {0, 0, 0, 9, 0,    0,    SET,  0,    0,    0x15, 0x80,
	                                             0, 0, 1, 1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEE};
	struct soft_fixture fixture;
	struct sent trap;

	open_protected(&fixture, 'c');
	CHECK_OCTETS(violate(&fixture, 0, &trap), wanted, sizeof(wanted));
	CHECK_EQUAL(trap.mad[AT_DATA], 0x82);
	CHECK_EQUAL(wire_get16(trap.mad + AT_ISSUER), 7);
	CHECK_EQUAL(wire_get64(trap.mad + AT_M_KEY), 0);
	soft_fixture_close(&fixture);
}

/* Thirty hops of the return path fit in; entry 0 is never used. */
static void test_trap_directed(void)
{
	static const struct {
		unsigned hops;
		uint8_t flags;
	} routes[] = {{1, 0x80 | 1}, {29, 0x80 | 29}, {30, 0x80 | 30}, {31, 0xC0 | 30}, {63, 0xC0 | 30}};

	for (size_t i = 0; i < UNIT_COUNT(routes); i++) {
		struct soft_fixture fixture;
		struct sent trap;
		const uint8_t *details;

		open_protected(&fixture, 's');
		unit_case("%u hops", routes[i].hops);
		details = violate(&fixture, routes[i].hops, &trap);
		CHECK_EQUAL(wire_get16(details + 2), PERMISSIVE);
		CHECK_EQUAL(wire_get16(details + 4), 0x0A0B);
		CHECK_EQUAL(details[23], routes[i].flags);
		for (unsigned h = 0; h < 30; h++)
			CHECK_EQUAL(details[24 + h], h < routes[i].hops ? 0x81 + h : 0);
		soft_fixture_close(&fixture);
	}
}

static const struct unit_test tests[] = {
	{"layout of each trap", test_layouts},
	{"local changes", test_local_changes},
	{"length of a description", test_description_limit},
	{"bad keys are counted", test_violations},
	{"trap 259 needs its capability", test_259_needs_capability},
	{"trap 256 about a LID-routed packet", test_trap_lid_routed},
	{"trap 256 about a directed-route packet", test_trap_directed},
};

int main(void)
{
	return UNIT_MAIN("trap_details", tests);
}
