// SPDX-License-Identifier: BSD-2-Clause
/* ibSmaPortInfoTable: each column for every raw value of its component, and the speeds. */
#include <stdio.h>

#include <infiniband/umad_sm.h>

#include "tests/logged.h"
#include "tests/mib/cases.h"
#include "tests/unit.h"

enum { PORT = UMAD_SM_ATTR_PORT_INFO, MAX_PAIRS = 10, PORT_AGE_MS = 5000 };

/* A column, where its component stands, and what its raw values are called. Without names it is a number. */
struct column {
	const char *object;
	unsigned byte, shift, width;
	unsigned other;
	struct {
		unsigned raw, name;
	} names[MAX_PAIRS];
};

static const struct column columns[] = {
	{"ibSmaPortLinkWidthEnabled",
         29,
         0,
         8,
         10,
         {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {8, 5}, {9, 6}, {10, 7}, {11, 8}, {255, 9}}},
	{"ibSmaPortLinkWidthSupported", 30, 0, 8, 4, {{1, 1}, {3, 2}, {11, 3}}},
	{"ibSmaPortLinkWidthActive", 31, 0, 8, 4, {{1, 1}, {2, 2}, {8, 3}}},
	{"ibSmaPortLinkState", 32, 0, 4, 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}},
	{"ibSmaPortPhysState", 33, 4, 4, 8, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}},
	{"ibSmaPortLinkDownDefaultState", 33, 0, 4, 4, {{0, 1}, {1, 2}, {2, 3}}},
	{"ibSmaPortLidMaskCount", 34, 0, 3, 0, {{0}}},
	{"ibSmaPortNeighborMtu", 36, 4, 4, 6, {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}},
	{"ibSmaPortVirtLaneSupport", 37, 4, 4, 6, {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}},
	{"ibSmaPortVlHighPriorityLimit", 38, 0, 8, 0, {{0}}},
	{"ibSmaPortMtuCapacity", 41, 0, 4, 6, {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}},
	{"ibSmaPortVlStallCount", 42, 5, 3, 0, {{0}}},
	{"ibSmaPortHeadOfQueueLife", 42, 0, 5, 0, {{0}}},
	{"ibSmaPortOperationalVls", 43, 4, 4, 6, {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}},
	{"ibSmaPortPartEnforceInbound", 43, 3, 1, 2, {{1, 1}}},
	{"ibSmaPortPartEnforceOutbound", 43, 2, 1, 2, {{1, 1}}},
	{"ibSmaPortFilterRawPktInbound", 43, 1, 1, 2, {{1, 1}}},
	{"ibSmaPortFilterRawPktOutbound", 43, 0, 1, 2, {{1, 1}}},
	{"ibSmaPortLocalPhysErrorThreshold", 53, 4, 4, 0, {{0}}},
	{"ibSmaPortOverrunErrorThreshold", 53, 0, 4, 0, {{0}}},
};

static unsigned name_of(const struct column *c, unsigned raw)
{
	if (c->other == 0)
		return raw;
	for (unsigned i = 0; i < MAX_PAIRS && c->names[i].name; i++) {
		if (c->names[i].raw == raw)
			return c->names[i].name;
	}
	return c->other;
}

/* One raw value in a byte whose other bits are all `rest`. */
static void check_raw(struct fixture *b, const struct column *c, unsigned raw, unsigned rest)
{
	unsigned mask = ((1U << c->width) - 1) << c->shift;
	uint8_t *block = fake_qp0_data(b->fake, 1, PORT, 2);
	char instance[64];
	char wanted[16];

	block[c->byte] = (uint8_t)((rest & ~mask) | raw << c->shift);
	fixture_advance(b, PORT_AGE_MS);
	snprintf(instance, sizeof(instance), "%s.2", c->object);
	snprintf(wanted, sizeof(wanted), "%u", name_of(c, raw));
	unit_case("%s, raw value %u", c->object, raw);
	check_instance(b, instance, wanted);
}

static void test_columns(void)
{
	struct fixture b;

	fixture_init(&b, "ca");
	fixture_open(&b);
	for (size_t i = 0; i < UNIT_COUNT(columns); i++) {
		for (unsigned raw = 0; raw < 1U << columns[i].width; raw++)
			check_raw(&b, &columns[i], raw, raw % 2 ? 0 : 0xFF);
	}
	fixture_close(&b);
}

/* Speeds of port 2 and extended ones; capability 14 of the management port says whether those count. */
struct speed {
	const char *speeds; /* bytes 32, 35, 62 and 63 of PortInfo */
	bool has_extended;
	unsigned supported, active, enabled;
};

static const struct speed speeds[] = {
	{"10110000", true, 1, 1, 2},                               /* SDR alone */
	{"1011001e", true, 1, 1, 2},                               /* SDR, extended speeds disabled */
	{"10110001", true, 1, 1, 4},                               /* one enabled */
	{"1011001f", true, 1, 1, 4},  {"10110100", true, 2, 1, 2}, /* one supported */
	{"10111000", true, 1, 2, 2},                               /* one active */
	{"1011111f", false, 1, 1, 2},                              /* but the node has none */
	{"70170000", true, 2, 1, 4},  {"70470000", true, 2, 2, 4},
	{"10000000", true, 1, 2, 1},                               /* SpeedActive 0, and no change */
	{"70004f00", true, 2, 2, 1},  {"f0ff0000", true, 2, 2, 3}, /* enabled: what is supported */
	{"f0ff001f", true, 2, 2, 3},  {"10100000", false, 1, 1, 1},
	{"20220000", false, 2, 2, 4},
};

static void set_speeds(struct fixture *b, const struct speed *s)
{
	static const unsigned offsets[] = {32, 35, 62, 63};
	uint8_t *management = fake_qp0_data(b->fake, 1, PORT, 1);

	for (size_t i = 0; i < UNIT_COUNT(offsets); i++) {
		const char byte[] = {s->speeds[2 * i], s->speeds[2 * i + 1], '\0'};

		apply_patch(b, 1, &(struct patch){PORT, 2, offsets[i], byte});
	}
	management[22] = (uint8_t)((management[22] & ~0x40) | (s->has_extended ? 0x40 : 0));
}

static void check_column(struct fixture *b, const char *instance, unsigned wanted)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", wanted);
	check_instance(b, instance, text);
}

static void test_speeds(void)
{
	struct fixture b;

	fixture_init(&b, "ca");
	fixture_open(&b);
	for (size_t i = 0; i < UNIT_COUNT(speeds); i++) {
		set_speeds(&b, &speeds[i]);
		fixture_advance(&b, PORT_AGE_MS);
		unit_case("speeds %s", speeds[i].speeds);
		check_column(&b, "ibSmaPortLinkSpeedSupported.2", speeds[i].supported);
		check_column(&b, "ibSmaPortLinkSpeedActive.2", speeds[i].active);
		check_column(&b, "ibSmaPortLinkSpeedEnabled.2", speeds[i].enabled);
	}
	fixture_close(&b);
}

/* `w=16 s=7 e=4` on a link of a switch. */
static const struct map_case report_46[] = {
	{"2x and HDR", "sw40", {{0}}, "ibSmaPortLinkWidthEnabled.3", "10"},
	{"2x and HDR", "sw40", {{0}}, "ibSmaPortLinkWidthActive.3", "4"},
	{"2x and HDR", "sw40", {{0}}, "ibSmaPortLinkSpeedSupported.3", "2"},
	{"2x and HDR", "sw40", {{0}}, "ibSmaPortLinkSpeedActive.3", "2"},
	{"2x and HDR", "sw40", {{0}}, "ibSmaPortLinkSpeedEnabled.3", "4"},
	{"SpeedActive 0", "sw40", {{0}}, "ibSmaPortLinkSpeedActive.4", "2"},
	{"SpeedActive 0, not extended", "sw40", {{0}}, "ibSmaPortLinkSpeedActive.5", "2"},
};

static const struct map_case rows[] = {
	{"capacity 64", "ca", {{PORT, 2, 39, "40"}}, "ibSmaPortVlArbHighCapacity.2", "64"},
	{"capacity 65", "ca", {{PORT, 2, 39, "41"}}, "ibSmaPortVlArbHighCapacity.2", "64"},
	{"capacity 255", "ca", {{PORT, 2, 40, "ff"}}, "ibSmaPortVlArbLowCapacity.2", "64"},
	{"LMC of a CA", "ca", {{0}}, "ibSmaPortLidMaskCount.1", "3"},
	{"an external port has no LMC", "sw8", {{PORT, 4, 34, "07"}}, "ibSmaPortLidMaskCount.4", "0"},
	{"port 0", "sw8", {{0}}, "ibSmaPortLinkState.0", "absent"},
	{"no data port", "sw8", {{0}}, "ibSmaPortLinkState.255", "absent"},
	{"behind the last port", "sw40", {{0}}, "ibSmaPortLinkState.41", "absent"},
	{"4294967295", "sw40", {{0}}, "ibSmaPortLinkState.4294967295", "absent"},
	{"too long", "sw40", {{0}}, "ibSmaPortLinkState.1.1", "absent"},
	{"no index", "sw40", {{0}}, "ibSmaPortLinkState", "absent"},
	{"a port that cannot be read", "sw40", {{0}}, "ibSmaPortLinkState.33", "absent"},
	{"the port behind it", "sw40", {{0}}, "ibSmaPortLinkState.34", "5"},
	{"a port of the CA that cannot be asked itself", "ca", {{0}}, "ibSmaPortLinkState.3", "2"},
};

static void test_cases(void)
{
	check_cases(report_46, UNIT_COUNT(report_46));
	check_cases(rows, UNIT_COUNT(rows));
}

static const struct unit_test tests[] = {
	{"each column for each raw value", test_columns},
	{"speeds", test_speeds},
	{"odd ports and indexes", test_cases},
};

int main(void)
{
	return UNIT_MAIN("map_port", tests);
}
