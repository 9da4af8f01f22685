// SPDX-License-Identifier: BSD-2-Clause
/* What a Set makes of each component of PortInfo and SwitchInfo: the status, the answer, and the state
 * afterwards. The cases stand in tests/data/components.table. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/soft/soft_fixture.h"
#include "tests/table.h"
#include "tests/unit.h"

enum { INVALID = 0x1C, MAX_LINES = 256 };

static const char kinds[] = "cr0exsf";

struct line {
	const char *kinds;
	enum sma_component component;
	uint64_t value;
	char outcome;             /* = . ! or # for another number */
	uint64_t stored;          /* in the last case */
	const char *const *words; /* what the case is prepared with */
	unsigned word_count;
};

static struct line lines[MAX_LINES];
static unsigned line_count;

/* ---- the table ---- */

enum { FIXED_WORDS = 4 };

static bool take(const struct table_line *t)
{
	struct line *line = &lines[line_count];

	if (line_count == MAX_LINES)
		return false;
	line->words = t->words + FIXED_WORDS;
	line->word_count = t->count - FIXED_WORDS;
	line->kinds = t->words[0];
	line->component = soft_fixture_component(t->words[1]);
	line->value = strtoull(t->words[2], NULL, 0);
	line->outcome = strchr("=.!", t->words[3][0]) ? t->words[3][0] : '#';
	line->stored = strtoull(t->words[3], NULL, 0);
	line_count++;
	return line->component != SMA_COMPONENT_COUNT;
}

/* ---- a Set of one component ---- */

struct set {
	struct soft_fixture fixture;
	uint16_t attribute;
	unsigned port; /* that is set */
	uint32_t modifier;
	uint8_t data[SMA_BLOCK_SIZE];
};

/* The table's kinds, as nodes and ports. */
static void open_kind(struct set *set, char kind)
{
	bool is_switch_info = kind == 's' || kind == 'f';

	soft_fixture_open(&set->fixture, strchr("0ex", kind) ? 's' : kind);
	soft_fixture_activate(&set->fixture);
	state_set(set->fixture.state, 0, SMA_SwitchInfo_EnhancedPort0, kind == 'e');
	set->attribute = is_switch_info ? ATTR_SWITCH_INFO : ATTR_PORT_INFO;
	set->port = kind == 'x' ? 3 : soft_fixture_port(&set->fixture);
	set->modifier = is_switch_info ? 0 : set->port;
}

static void prepare(struct set *set, const struct line *line)
{
	for (unsigned i = 0; i < line->word_count; i++) {
		if (strcmp(line->words[i], "extended=1") == 0)
			set->modifier |= 0x80000000;
		else
			CHECK(soft_fixture_prepare(&set->fixture, line->words[i]));
	}
}

/* Read the attribute, and change nothing of it yet. */
static void read_back(struct set *set)
{
	CHECK_EQUAL(soft_fixture_ask(&set->fixture, GET, set->attribute, set->modifier, NULL), 0);
	memcpy(set->data, set->fixture.response + AT_DATA, SMA_BLOCK_SIZE);
	if (set->attribute == ATTR_PORT_INFO) {
		sma_component_set(set->data, SMA_PortInfo_PortState, 0);
		sma_component_set(set->data, SMA_PortInfo_PortPhysicalState, 0);
	} else {
		sma_component_set(set->data, SMA_SwitchInfo_PortStateChange, 0);
		sma_component_set(set->data, SMA_SwitchInfo_MulticastFDBTop,
		                  soft_fixture_get(&set->fixture, 0, SMA_SwitchInfo_MulticastFDBTop));
	}
}

static unsigned send(struct set *set)
{
	return soft_fixture_ask(&set->fixture, SET, set->attribute, set->modifier, set->data);
}

/* Nothing at all is stored when one component is invalid. */
static void check_rejected(struct set *set)
{
	static const enum sma_component others[] = {
		SMA_PortInfo_M_Key,      SMA_PortInfo_SubnetTimeOut,  SMA_PortInfo_VLHighLimit,
		SMA_PortInfo_HOQLife,    SMA_PortInfo_OverrunErrors,  SMA_PortInfo_M_KeyProtectBits,
		SMA_PortInfo_MasterSMSL, SMA_PortInfo_LocalPhyErrors,
	};
	size_t size;
	uint8_t *before = soft_fixture_snapshot(&set->fixture, &size);

	if (set->attribute == ATTR_SWITCH_INFO)
		sma_component_set(set->data, SMA_SwitchInfo_DefaultPort, 9);
	for (size_t i = 0; set->attribute == ATTR_PORT_INFO && i < UNIT_COUNT(others); i++)
		sma_component_set(set->data, others[i], 2);
	CHECK_EQUAL(send(set), INVALID);
	CHECK_OCTETS(set->fixture.response + AT_DATA, set->data, SMA_BLOCK_SIZE);
	CHECK(soft_fixture_is_same(&set->fixture, before, size));
}

/* The answer is what a Get gives next, but for the event that ClientReregister is. */
static void check_answer(struct set *set)
{
	uint8_t answer[SMA_BLOCK_SIZE];

	memcpy(answer, set->fixture.response + AT_DATA, sizeof(answer));
	CHECK_EQUAL(soft_fixture_ask(&set->fixture, GET, set->attribute, set->modifier, NULL), 0);
	if (set->attribute == ATTR_PORT_INFO)
		sma_component_set(answer, SMA_PortInfo_ClientReregister, 0);
	CHECK_OCTETS(set->fixture.response + AT_DATA, answer, SMA_BLOCK_SIZE);
}

static uint64_t stored_value(const struct set *set, enum sma_component component)
{
	const struct soft_state *state = set->fixture.state;

	return sma_component_get(set->attribute == ATTR_SWITCH_INFO ? state->switch_info
	                                                            : state->port[set->port].info,
	                         component);
}

/* The component has the wanted value afterwards, and no other byte of the state has changed. */
static void check_stored(struct set *set, enum sma_component component, uint64_t wanted)
{
	uint64_t old = stored_value(set, component);
	size_t size;
	uint8_t *before = soft_fixture_snapshot(&set->fixture, &size);

	CHECK_EQUAL(send(set), 0);
	CHECK_EQUAL(stored_value(set, component), wanted);
	check_answer(set);
	state_set(set->fixture.state, set->port, component, old);
	CHECK(soft_fixture_is_same(&set->fixture, before, size));
}

static void run(const struct line *line, char kind)
{
	struct set set;
	uint64_t old;

	open_kind(&set, kind);
	prepare(&set, line);
	read_back(&set);
	old = stored_value(&set, line->component);
	sma_component_set(set.data, line->component, line->value);
	if (line->outcome == '!')
		check_rejected(&set);
	else
		check_stored(&set, line->component,
		             line->outcome == '='   ? line->value
		             : line->outcome == '.' ? old
		                                    : line->stored);
	soft_fixture_close(&set.fixture);
}

static void test_components(void)
{
	for (unsigned i = 0; i < line_count; i++) {
		for (const char *kind = lines[i].kinds; *kind; kind++) {
			unit_case("kind %c, %s %" PRIx64 ", %s", *kind,
			          sma_component_name(lines[i].component), lines[i].value,
			          lines[i].word_count ? lines[i].words[0] : "not prepared");
			run(&lines[i], *kind);
		}
	}
}

/* ---- the components that are not in the table ---- */

static bool is_listed(enum sma_component component, char kind)
{
	for (unsigned i = 0; i < line_count; i++) {
		if (lines[i].component == component && strchr(lines[i].kinds, kind))
			return true;
	}
	return false;
}

/* Commands have a test of their own; the bits of InitTypeReply are listed as a whole. */
static bool is_elsewhere(enum sma_component component)
{
	return component == SMA_PortInfo_PortState || component == SMA_PortInfo_PortPhysicalState ||
	       (component >= SMA_PortInfo_InitTypeReplyNoLoad &&
	        component <= SMA_PortInfo_InitTypeReplyPreservePresence);
}

static void check_ignored(enum sma_component component, char kind)
{
	static const uint64_t values[] = {0, 1, 0x55, UINT64_MAX};

	for (size_t i = 0; i < UNIT_COUNT(values); i++) {
		struct set set;

		open_kind(&set, kind);
		read_back(&set);
		unit_case("kind %c, %s, value %zu", kind, sma_component_name(component), i);
		sma_component_set(set.data, component, values[i]);
		check_stored(&set, component, stored_value(&set, component));
		soft_fixture_close(&set.fixture);
	}
}

static void test_ignored(void)
{
	for (const char *kind = kinds; *kind; kind++) {
		enum sma_attr attr = strchr("sf", *kind) ? SMA_SwitchInfo : SMA_PortInfo;

		for (unsigned i = 0; i < SMA_COMPONENT_COUNT; i++) {
			enum sma_component component = (enum sma_component)i;

			if (sma_component_attr(component) == attr && !is_listed(component, *kind) &&
			    !is_elsewhere(component))
				check_ignored(component, *kind);
		}
	}
}

/* Reserved bits are ignored, and read as zero. */
static void test_reserved(void)
{
	static const uint8_t reserved[SMA_BLOCK_SIZE] = {[34] = 0x38, [52] = 0xE0, [56] = 0xFF, [63] = 0xE0};

	for (const char *kind = kinds; *kind; kind++) {
		struct set set;
		size_t size;
		uint8_t *before;

		open_kind(&set, *kind);
		read_back(&set);
		before = soft_fixture_snapshot(&set.fixture, &size);
		for (unsigned i = 0; i < SMA_BLOCK_SIZE; i++)
			set.data[i] |= set.attribute == ATTR_PORT_INFO ? reserved[i] : i >= 20 ? 0xFF : 0;
		unit_case("kind %c", *kind);
		CHECK_EQUAL(send(&set), 0);
		CHECK(soft_fixture_is_same(&set.fixture, before, size));
		soft_fixture_close(&set.fixture);
	}
}

/* ---- single components ---- */

/* The answer confirms the event, if the port knows it; the next Get does not show it. */
static void test_client_reregister(void)
{
	static const struct {
		char kind;
		bool supported;
		bool confirmed;
	} cases[] = {{'c', true, true},
	             {'r', true, true},
	             {'0', true, true},
	             {'c', false, false},
	             {'x', true, false}};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct set set;

		open_kind(&set, cases[i].kind);
		state_set(set.fixture.state, soft_fixture_port(&set.fixture),
		          SMA_PortInfo_IsClientReregistrationSupported, cases[i].supported);
		read_back(&set);
		sma_component_set(set.data, SMA_PortInfo_ClientReregister, 1);
		unit_case("case %zu", i);
		CHECK_EQUAL(send(&set), 0);
		CHECK_EQUAL(sma_component_get(set.fixture.response + AT_DATA, SMA_PortInfo_ClientReregister),
		            cases[i].confirmed);
		check_answer(&set);
		soft_fixture_close(&set.fixture);
	}
}

/* Another port of a CA or router: the Set is answered as a Get, whatever it holds. */
static void test_other_port(void)
{
	static const char nodes[] = "cr";

	for (const char *node = nodes; *node; node++) {
		struct set set;
		uint8_t wanted[SMA_BLOCK_SIZE];
		size_t size;
		uint8_t *before;

		open_kind(&set, *node);
		set.modifier = 2;
		read_back(&set);
		memcpy(wanted, set.fixture.response + AT_DATA, sizeof(wanted));
		memset(set.data, 0xFF, sizeof(set.data));
		before = soft_fixture_snapshot(&set.fixture, &size);
		unit_case("node %c", *node);
		CHECK_EQUAL(send(&set), 0);
		CHECK_OCTETS(set.fixture.response + AT_DATA, wanted, SMA_BLOCK_SIZE);
		CHECK(soft_fixture_is_same(&set.fixture, before, size));
		soft_fixture_close(&set.fixture);
	}
}

/* The top is a reserved place where the capability is not announced. */
static void test_multicast_top_hidden(void)
{
	static const bool announced[] = {false, true};

	for (size_t i = 0; i < UNIT_COUNT(announced); i++) {
		struct soft_fixture fixture;
		const uint8_t *data = fixture.response + AT_DATA;
		unsigned wanted = announced[i] ? 0xBFFF : 0;

		soft_fixture_open(&fixture, 's');
		state_set(fixture.state, 0, SMA_PortInfo_IsMulticastFDBTopSupported, announced[i]);
		unit_case("announced %d", announced[i]);
		CHECK_EQUAL(soft_fixture_ask(&fixture, GET, ATTR_SWITCH_INFO, 0, NULL), 0);
		CHECK_EQUAL(sma_component_get(data, SMA_SwitchInfo_MulticastFDBTop), wanted);
		soft_fixture_close(&fixture);
	}
}

static const struct unit_test tests[] = {
	{"components of the table", test_components},
	{"all other components are ignored", test_ignored},
	{"reserved bits", test_reserved},
	{"ClientReregister", test_client_reregister},
	{"another port of a CA or router", test_other_port},
	{"MulticastFDBTop without its capability", test_multicast_top_hidden},
};

int main(void)
{
	table_read("tests/data/components.table", FIXED_WORDS, take);
	return UNIT_MAIN("set_rules", tests);
}
