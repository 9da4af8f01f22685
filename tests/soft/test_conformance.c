// SPDX-License-Identifier: BSD-2-Clause
/* Each attribute, method, node type and kind of modifier: the status, the data, and the state afterwards. The
 * cases stand in tests/data/attributes.table. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "tests/soft/soft_fixture.h"
#include "tests/table.h"
#include "tests/unit.h"

enum { NOT_SUPPORTED = 0x0C, MAX_LINES = 256 };

struct line {
	const char *nodes;
	uint16_t attribute;
	uint32_t modifier;
	unsigned get, set;
	unsigned first, end; /* bytes that a Set stores; none: 0, 0 */
	uint8_t mask[4];
	const char *const *words; /* what the case is prepared with */
	unsigned word_count;
};

static struct line lines[MAX_LINES];
static unsigned line_count;
static bool is_known[0x10000];

/* ---- the table ---- */

enum { FIXED_WORDS = 7 };

static bool take(const struct table_line *t)
{
	struct line *line = &lines[line_count];

	if (line_count == MAX_LINES)
		return false;
	line->words = t->words + FIXED_WORDS;
	line->word_count = t->count - FIXED_WORDS;
	line->nodes = t->words[0];
	line->attribute = (uint16_t)strtoul(t->words[1], NULL, 16);
	line->modifier = (uint32_t)strtoul(t->words[2], NULL, 16);
	line->get = (unsigned)strtoul(t->words[3], NULL, 16);
	line->set = (unsigned)strtoul(t->words[4], NULL, 16);
	wire_put32(line->mask, (uint32_t)strtoul(t->words[6], NULL, 16));
	if (strcmp(t->words[5], "-") != 0 && sscanf(t->words[5], "%u-%u", &line->first, &line->end) != 2)
		return false;
	is_known[line->attribute] = true;
	line_count++;
	return true;
}

/* ---- a case ---- */

static void open_case(struct soft_fixture *fixture, const struct line *line, char node)
{
	soft_fixture_open(fixture, node);
	for (unsigned i = 0; i < line->word_count; i++)
		CHECK(soft_fixture_prepare(fixture, line->words[i]));
}

/* All of a request but method, status and data comes back. */
static void check_frame(const struct soft_fixture *fixture, unsigned status)
{
	uint8_t wanted[MAD_SIZE];

	memcpy(wanted, fixture->request, sizeof(wanted));
	wanted[AT_METHOD] = GET_RESPONSE;
	wire_put16(wanted + AT_STATUS, (uint16_t)status);
	memcpy(wanted + AT_DATA, fixture->response + AT_DATA, SMA_BLOCK_SIZE);
	CHECK(memcmp(fixture->response, wanted, sizeof(wanted)) == 0);
}

/* A request that is refused comes back with its data, and changes nothing. */
static void check_refused(struct soft_fixture *fixture, const struct line *line, uint8_t method,
                          unsigned status)
{
	uint8_t data[SMA_BLOCK_SIZE];
	size_t size;
	uint8_t *before = soft_fixture_snapshot(fixture, &size);

	memset(data, 0x5A, sizeof(data));
	CHECK_EQUAL(soft_fixture_ask(fixture, method, line->attribute, line->modifier, data), status);
	check_frame(fixture, status);
	CHECK_OCTETS(fixture->response + AT_DATA, data, SMA_BLOCK_SIZE);
	CHECK(soft_fixture_is_same(fixture, before, size));
	CHECK_EQUAL(fixture->responder.counters.refused, 1);
}

/* SubnGet changes nothing, and what the request has for data does not matter. */
static void check_get(struct soft_fixture *fixture, const struct line *line, uint8_t got[SMA_BLOCK_SIZE])
{
	uint8_t data[SMA_BLOCK_SIZE];
	size_t size;
	uint8_t *before = soft_fixture_snapshot(fixture, &size);

	memset(data, 0xA5, sizeof(data));
	CHECK_EQUAL(soft_fixture_ask(fixture, GET, line->attribute, line->modifier, NULL), 0);
	check_frame(fixture, 0);
	memcpy(got, fixture->response + AT_DATA, SMA_BLOCK_SIZE);
	CHECK_EQUAL(soft_fixture_ask(fixture, GET, line->attribute, line->modifier, data), 0);
	CHECK_OCTETS(fixture->response + AT_DATA, got, SMA_BLOCK_SIZE);
	CHECK(soft_fixture_is_same(fixture, before, size));
}

/* What a Set of `data` leaves: bytes before the range stay, those behind it are zero. */
static void expect(const struct line *line, const uint8_t *old, const uint8_t *data,
                   uint8_t wanted[SMA_BLOCK_SIZE])
{
	memset(wanted, 0, SMA_BLOCK_SIZE);
	memcpy(wanted, old, line->first);
	for (unsigned i = line->first; i < line->end; i++)
		wanted[i] = data[i] & line->mask[i % 4];
}

static void check_stored(struct soft_fixture *fixture, const struct line *line, const uint8_t *old,
                         const uint8_t *data)
{
	uint8_t wanted[SMA_BLOCK_SIZE];
	uint8_t got[SMA_BLOCK_SIZE];

	expect(line, old, data, wanted);
	CHECK_EQUAL(soft_fixture_ask(fixture, SET, line->attribute, line->modifier, data), 0);
	check_frame(fixture, 0);
	CHECK_OCTETS(fixture->response + AT_DATA, wanted, SMA_BLOCK_SIZE);
	check_get(fixture, line, got);
	CHECK_OCTETS(got, wanted, SMA_BLOCK_SIZE);
}

/* A table: a Set is stored, in its place alone, which shows when the old contents are put back. */
static void check_table(struct soft_fixture *fixture, const struct line *line, const uint8_t *old)
{
	uint8_t data[SMA_BLOCK_SIZE];
	size_t size;
	uint8_t *before = soft_fixture_snapshot(fixture, &size);

	for (unsigned i = 0; i < SMA_BLOCK_SIZE; i++)
		data[i] = (uint8_t)rand();
	check_stored(fixture, line, old, data);
	memset(data, 0xFF, sizeof(data));
	check_stored(fixture, line, old, data);
	check_stored(fixture, line, old, old);
	CHECK(soft_fixture_is_same(fixture, before, size));
}

/* An attribute of components: what was read may be written back, and changes nothing. */
static void check_write_back(struct soft_fixture *fixture, const struct line *line, const uint8_t *old)
{
	uint8_t data[SMA_BLOCK_SIZE];
	size_t size;
	uint8_t *before = soft_fixture_snapshot(fixture, &size);

	memcpy(data, old, sizeof(data));
	if (line->attribute == ATTR_PORT_INFO) {
		sma_component_set(data, SMA_PortInfo_PortState, 0);
		sma_component_set(data, SMA_PortInfo_PortPhysicalState, 0);
	}
	CHECK_EQUAL(soft_fixture_ask(fixture, SET, line->attribute, line->modifier, data), 0);
	check_frame(fixture, 0);
	CHECK_OCTETS(fixture->response + AT_DATA, old, SMA_BLOCK_SIZE);
	CHECK(soft_fixture_is_same(fixture, before, size));
}

static void run_get(const struct line *line, char node)
{
	struct soft_fixture fixture;
	uint8_t old[SMA_BLOCK_SIZE];

	open_case(&fixture, line, node);
	if (line->get)
		check_refused(&fixture, line, GET, line->get);
	else
		check_get(&fixture, line, old);
	soft_fixture_close(&fixture);
}

static void run_set(const struct line *line, char node)
{
	struct soft_fixture fixture;
	uint8_t old[SMA_BLOCK_SIZE];

	open_case(&fixture, line, node);
	if (line->set) {
		check_refused(&fixture, line, SET, line->set);
	} else {
		check_get(&fixture, line, old);
		if (line->end)
			check_table(&fixture, line, old);
		else
			check_write_back(&fixture, line, old);
	}
	soft_fixture_close(&fixture);
}

static void for_all(void (*run)(const struct line *line, char node))
{
	for (unsigned i = 0; i < line_count; i++) {
		for (const char *node = lines[i].nodes; *node; node++) {
			unit_case("node %c, attribute %04x, modifier %" PRIx32 "%s%s", *node,
			          lines[i].attribute, lines[i].modifier, lines[i].word_count ? ", " : "",
			          lines[i].word_count ? lines[i].words[0] : "");
			run(&lines[i], *node);
		}
	}
}

static void test_get(void)
{
	for_all(run_get);
}

static void test_set(void)
{
	for_all(run_set);
}

/* ---- what the table does not say ---- */

static void test_unknown(void)
{
	static const char nodes[] = "csfr";

	for (const char *node = nodes; *node; node++) {
		struct soft_fixture fixture;

		soft_fixture_open(&fixture, *node);
		for (unsigned id = 0; id < UNIT_COUNT(is_known); id += id == 0x0FFF ? 0xEF01 : 1) {
			if (is_known[id])
				continue;
			unit_case("node %c, attribute %04x", *node, id);
			CHECK_EQUAL(soft_fixture_ask(&fixture, GET, (uint16_t)id, 0, NULL), NOT_SUPPORTED);
			CHECK_EQUAL(soft_fixture_ask(&fixture, SET, (uint16_t)id, 0, NULL), NOT_SUPPORTED);
		}
		soft_fixture_close(&fixture);
	}
}

/* Each node type has a line with modifier 0 or 1 for each attribute that has lines at all. */
static void test_complete(void)
{
	static const char nodes[] = "csfr";

	for (unsigned id = 0; id < UNIT_COUNT(is_known); id++) {
		for (const char *node = nodes; is_known[id] && *node; node++) {
			unsigned found = 0;

			for (unsigned i = 0; i < line_count; i++)
				found += lines[i].attribute == id && strchr(lines[i].nodes, *node) != NULL;
			unit_case("node %c, attribute %04x", *node, id);
			CHECK(found != 0);
		}
	}
}

static const struct unit_test tests[] = {
	{"SubnGet of each attribute", test_get},
	{"SubnSet of each attribute", test_set},
	{"attributes that are not known", test_unknown},
	{"no node type is left out", test_complete},
};

int main(void)
{
	table_read("tests/data/attributes.table", FIXED_WORDS, take);
	return UNIT_MAIN("conformance", tests);
}
