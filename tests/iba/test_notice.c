// SPDX-License-Identifier: BSD-2-Clause
/* Received notices: what is wanted, and each component of each trap (IBA 13.4.8.2, 14.2.5.1). Reserved bytes
 * of the samples are not zero on purpose. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sma/iba/notice.h"
#include "tests/unit.h"

enum { PARTS = 9, AT_TRAP = 4, AT_COUNT = 8, AT_DETAILS = 10 };

struct part_value {
	enum notice_part part;
	uint64_t value;
};

struct sample {
	unsigned trap;
	const char *header;   /* octets as hexadecimal text */
	const char *details;  /* likewise, what is missing is zero */
	const char *reported; /* the bits of the details that make a difference */
	struct part_value parts[PARTS];
	unsigned count; /* of parts */
	bool has_gids;
	uint8_t gid1[16], gid2[16];
	uint8_t path[30]; /* of 256 */
};

static const struct sample samples[] = {
	{
		.trap = 128,
		.header = "81 000002 0080 0003 0000",
		.details = "0011",
		.reported = "ffff",
		.parts = {{NOTICE_LIDADDR, 17}},
		.count = 1,
	},
	{
		.trap = 129,
		.header = "81 000002 0081 0003 0000",
		.details = "aaaa 0022 c8",
		.reported = "0000 ffff ff",
		.parts = {{NOTICE_LIDADDR, 34}, {NOTICE_PORTNO, 200}},
		.count = 2,
	},
	{
		.trap = 130,
		.header = "81 000001 0082 0003 0000",
		.details = "aaaa bfff 01 ee",
		.reported = "0000 ffff ff",
		.parts = {{NOTICE_LIDADDR, 0xBFFF}, {NOTICE_PORTNO, 1}},
		.count = 2,
	},
	{
		.trap = 131,
		.header = "81 000002 0083 0003 0000",
		.details = "aaaa 1234 fe ee",
		.reported = "0000 ffff ff",
		.parts = {{NOTICE_LIDADDR, 0x1234}, {NOTICE_PORTNO, 254}},
		.count = 2,
	},
	{
		.trap = 144,
		.header = "84 000001 0090 0003 0000",
		.details = "aaaa 0005 0000 0250c04a",
		.reported = "0000 ffff 0000 ffffffff",
		.parts = {{NOTICE_LIDADDR, 5},
                          {NOTICE_OTHERLOCALCHANGES, 0},
                          {NOTICE_CAPABILITYMASK, 0x0250C04A},
                          {NOTICE_CHANGEFLAGS, 0},
                          {NOTICE_CAPABILITYMASK2, 0}},
		.count = 5,
	},
	{
		/* without a mask it reports the other changes */
		.trap = 144,
		.header = "84 000003 0090 0003 0000",
		.details = "aaaa 0005 eeff 00000000 8009 eeee",
		.reported = "0000 ffff 0001 ffffffff ffff",
		.parts = {{NOTICE_LIDADDR, 5},
                          {NOTICE_OTHERLOCALCHANGES, 1},
                          {NOTICE_CAPABILITYMASK, 0},
                          {NOTICE_CHANGEFLAGS, 0x8009},
                          {NOTICE_CAPABILITYMASK2, 0xEEEE}},
		.count = 5,
	},
	{
		.trap = 145,
		.header = "84 000001 0091 0003 0000",
		.details = "aaaa 0005 0000 0008f10400410015",
		.reported = "0000 ffff 0000 ffffffffffffffff",
		.parts = {{NOTICE_LIDADDR, 5}, {NOTICE_SYSTEMIMAGEGUID, 0x0008F10400410015}},
		.count = 2,
	},
	{
		.trap = 256,
		.header = "82 000001 0100 0003 0000",
		.details = "0000 0007 ffff 81 ee 0015 ffffffff 1234567812345678 00 c4 05060708",
		.reported = "0000 ffff 0000 ff 00 ffff ffffffff ffffffffffffffff",
		.parts = {{NOTICE_LIDADDR, 7},
                          {NOTICE_DRSLID, 0xFFFF},
                          {NOTICE_METHOD, 0x81},
                          {NOTICE_ATTRIBUTEID, 0x15},
                          {NOTICE_ATTRIBUTEMODIFIER, 0xFFFFFFFF},
                          {NOTICE_KEY, 0x1234567812345678},
                          {NOTICE_DRNOTICE, 1},
                          {NOTICE_DRPATHTRUNCATED, 1},
                          {NOTICE_DRHOPCOUNT, 4}},
		.count = 9,
		.path = {5, 6, 7, 8},
	},
	{
		.trap = 257,
		.header = "82 000001 0101 0003 0000",
		.details = "0000 0001 0002 00008001 9a 010101 ab 020202"
			   "fe800000000000000002c90000000a01 fe800000000000000002c90000000b02",
		.reported = "0000 ffff ffff ffffffff f0 ffffff 00 ffffff"
			    "ffffffffffffffffffffffffffffffff ffffffffffffffffffffffffffffffff",
		.parts = {{NOTICE_LIDADDR, 1},
                          {NOTICE_LIDADDR2, 2},
                          {NOTICE_KEY, 0x8001},
                          {NOTICE_SL, 9},
                          {NOTICE_QP1, 0x010101},
                          {NOTICE_QP2, 0x020202}},
		.count = 6,
		.has_gids = true,
		.gid1 = {0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 0xC9, 0, 0, 0, 0x0A, 1},
		.gid2 = {0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 0xC9, 0, 0, 0, 0x0B, 2},
	},
	{
		.trap = 258,
		.header = "82 000001 0102 0003 0000",
		.details = "0000 0001 bfff 80010000 f0 ffffff 00 000001",
		.reported = "0000 ffff ffff ffffffff f0 ffffff 00 ffffff"
			    "ffffffffffffffffffffffffffffffff ffffffffffffffffffffffffffffffff",
		.parts = {{NOTICE_LIDADDR, 1},
                          {NOTICE_LIDADDR2, 0xBFFF},
                          {NOTICE_KEY, 0x80010000},
                          {NOTICE_SL, 15},
                          {NOTICE_QP1, 0xFFFFFF},
                          {NOTICE_QP2, 1}},
		.count = 6,
		.has_gids = true,
	},
	{
		.trap = 259,
		.header = "82 000002 0103 0003 0000",
		.details = "01ff 0021 0022 7fff 5e 000123 ee 456789"
			   "0102030405060708090a0b0c0d0e0f10 1112131415161718191a1b1c1d1e1f20"
			   "0023 24 eeeeee",
		.reported = "ffff ffff ffff ffff f0 ffffff 00 ffffff"
			    "ffffffffffffffffffffffffffffffff ffffffffffffffffffffffffffffffff"
			    "ffff ff",
		.parts = {{NOTICE_LIDADDR, 0x21},
                          {NOTICE_LIDADDR2, 0x22},
                          {NOTICE_KEY, 0x7FFF},
                          {NOTICE_SL, 5},
                          {NOTICE_QP1, 0x000123},
                          {NOTICE_QP2, 0x456789},
                          {NOTICE_SWLIDADDR, 0x23},
                          {NOTICE_PORTNO, 0x24},
                          {NOTICE_DATAVALID, 0x01FF}},
		.count = 9,
		.has_gids = true,
		.gid1 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
		.gid2 = {17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32},
	},
};

static void put_octets(uint8_t *octets, const char *text)
{
	int read;

	while (sscanf(text, "%2hhx%n", octets, &read) == 1) {
		text += read;
		octets++;
	}
}

static void make(const struct sample *sample, uint8_t data[SMA_BLOCK_SIZE])
{
	memset(data, 0, SMA_BLOCK_SIZE);
	put_octets(data, sample->header);
	put_octets(data + AT_DETAILS, sample->details);
}

/* Whether a bit of a notice makes a difference: those of trap number and issuer do. */
static bool is_reported(const struct sample *sample, unsigned bit)
{
	uint8_t reported[SMA_BLOCK_SIZE] = {0};

	memset(reported + AT_TRAP, 0xFF, AT_COUNT - AT_TRAP);
	put_octets(reported + AT_DETAILS, sample->reported);
	return reported[bit / 8] >> bit % 8 & 1;
}

/* ---- components ---- */

static const uint64_t *wanted_value(const struct sample *sample, enum notice_part part)
{
	for (unsigned i = 0; i < sample->count; i++) {
		if (sample->parts[i].part == part)
			return &sample->parts[i].value;
	}
	return NULL;
}

static void check_value(const struct sample *sample, const uint8_t *data, enum notice_part part)
{
	const uint64_t *wanted = wanted_value(sample, part);
	uint64_t value = 0xDEAD;

	CHECK_EQUAL(notice_get(data, part, &value), wanted ? 0 : -ENOENT);
	CHECK_EQUAL(value, wanted ? *wanted : 0xDEAD);
}

static const uint8_t *wanted_octets(const struct sample *sample, enum notice_part part, size_t *size)
{
	*size = part == NOTICE_DRNOTICERETURNPATH ? sizeof(sample->path) : sizeof(sample->gid1);
	if (part == NOTICE_DRNOTICERETURNPATH)
		return sample->trap == 256 ? sample->path : NULL;
	if (sample->has_gids && part == NOTICE_GIDADDR1)
		return sample->gid1;
	return sample->has_gids && part == NOTICE_GIDADDR2 ? sample->gid2 : NULL;
}

static void check_octets(const struct sample *sample, const uint8_t *data, enum notice_part part)
{
	const uint8_t *octets = notice_octets(data, part);
	size_t size;
	const uint8_t *wanted = wanted_octets(sample, part, &size);

	if (!wanted)
		CHECK(octets == NULL);
	else if (CHECK(octets != NULL))
		CHECK_OCTETS(octets, wanted, size);
}

static void test_components(void)
{
	for (size_t i = 0; i < UNIT_COUNT(samples); i++) {
		uint8_t data[SMA_BLOCK_SIZE];

		make(&samples[i], data);
		unit_case("trap %u", samples[i].trap);
		CHECK_EQUAL(notice_trap(data), samples[i].trap);
		CHECK_EQUAL(notice_issuer(data), 3);
		for (enum notice_part part = 0; part < NOTICE_PART_COUNT; part++) {
			unit_case("trap %u, part %u", samples[i].trap, part);
			check_value(&samples[i], data, part);
			check_octets(&samples[i], data, part);
		}
	}
}

/* Write all components of a sample over what is in `data`. */
static void set_components(const struct sample *sample, uint8_t data[SMA_BLOCK_SIZE])
{
	for (enum notice_part part = 0; part < NOTICE_PART_COUNT; part++) {
		const uint64_t *value = wanted_value(sample, part);
		size_t size;
		const uint8_t *octets = wanted_octets(sample, part, &size);

		notice_set(data, part, value ? *value : UINT64_MAX);
		if (octets)
			notice_set_octets(data, part, octets, size);
	}
}

/* All that makes a difference comes of components, and no component writes anything else. */
static void test_set(void)
{
	for (size_t i = 0; i < UNIT_COUNT(samples); i++) {
		uint8_t data[SMA_BLOCK_SIZE], zeros[SMA_BLOCK_SIZE], ones[SMA_BLOCK_SIZE];

		make(&samples[i], data);
		memcpy(zeros, data, sizeof(zeros));
		memcpy(ones, data, sizeof(ones));
		memset(zeros + AT_DETAILS, 0, SMA_BLOCK_SIZE - AT_DETAILS);
		memset(ones + AT_DETAILS, 0xFF, SMA_BLOCK_SIZE - AT_DETAILS);
		set_components(&samples[i], zeros);
		set_components(&samples[i], ones);
		for (unsigned bit = 0; bit < 8 * SMA_BLOCK_SIZE; bit++) {
			unsigned wanted = data[bit / 8] >> bit % 8 & 1;
			unsigned zero = zeros[bit / 8] >> bit % 8 & 1;
			unsigned one = ones[bit / 8] >> bit % 8 & 1;

			unit_case("sample %zu, trap %u, byte %u, bit %u", i, samples[i].trap, bit / 8,
			          bit % 8);
			if (is_reported(&samples[i], bit) || zero == one)
				CHECK(zero == wanted && one == wanted);
			else
				CHECK(zero == 0 && one == 1);
		}
	}
}

/* Each component keeps to its own bits, whatever is written, and those are its width. */
static void test_set_alone(void)
{
	for (size_t i = 0; i < UNIT_COUNT(samples); i++) {
		for (enum notice_part part = 0; part < NOTICE_PART_COUNT; part++) {
			const uint64_t *wanted = wanted_value(&samples[i], part);
			uint8_t data[SMA_BLOCK_SIZE], before[SMA_BLOCK_SIZE];
			uint64_t value = 0;

			unit_case("sample %zu, trap %u, part %u", i, samples[i].trap, part);
			make(&samples[i], data);
			memcpy(before, data, sizeof(before));
			notice_set(data, part, UINT64_MAX);
			notice_set(data, part, wanted ? *wanted : 0);
			CHECK_OCTETS(data, before, SMA_BLOCK_SIZE);
			if (wanted && CHECK_EQUAL(notice_get(data, part, &value), 0))
				CHECK_EQUAL(value, *wanted);
		}
	}
}

static void test_unknown_trap(void)
{
	uint8_t data[SMA_BLOCK_SIZE];

	memset(data, 0xFF, sizeof(data));
	CHECK_EQUAL(notice_trap(data), 0xFFFF);
	CHECK_EQUAL(notice_issuer(data), 0xFFFF);
	for (enum notice_part part = 0; part < NOTICE_PART_COUNT; part++) {
		uint64_t value;

		unit_case("part %u", part);
		CHECK_EQUAL(notice_get(data, part, &value), -ENOENT);
		CHECK(notice_octets(data, part) == NULL);
		notice_set(data, part, 0);
		notice_set_octets(data, part, (const uint8_t[30]){0}, 30);
	}
	for (unsigned b = 0; b < SMA_BLOCK_SIZE; b++)
		CHECK_EQUAL(data[b], 0xFF);
}

/* ---- the verdict ---- */

static void test_wanted(void)
{
	for (size_t i = 0; i < UNIT_COUNT(samples); i++) {
		uint8_t data[SMA_BLOCK_SIZE];

		make(&samples[i], data);
		unit_case("trap %u", samples[i].trap);
		CHECK_EQUAL(notice_judge(data, SMA_BLOCK_SIZE), NOTICE_WANTED);
		CHECK_EQUAL(notice_judge(data, SMA_BLOCK_SIZE + 16), NOTICE_WANTED); /* with an IssuerGID */
	}
}

/* In a buffer of just their size. */
static void test_sizes(void)
{
	for (size_t size = 1; size < SMA_BLOCK_SIZE; size++) {
		uint8_t data[SMA_BLOCK_SIZE];
		uint8_t *cut = malloc(size);

		make(&samples[0], data);
		memcpy(cut, data, size);
		unit_case("%zu bytes", size);
		CHECK_EQUAL(notice_judge(cut, size), NOTICE_MALFORMED);
		free(cut);
	}
	CHECK_EQUAL(notice_judge(NULL, 0), NOTICE_MALFORMED);
}

static enum notice_verdict judge_header(uint8_t first, uint32_t producer, unsigned trap)
{
	const uint8_t data[SMA_BLOCK_SIZE] = {
		first,
		producer >> 16,
		(uint8_t)(producer >> 8),
		(uint8_t)producer,
		trap >> 8,
		(uint8_t)trap,
		0,
		3,
	};

	return notice_judge(data, sizeof(data));
}

/* Types and producers other than IBA's for the trap are accepted, as long as an SMA can have them. */
static void test_types(void)
{
	for (unsigned type = 0; type < 0x80; type++) {
		for (size_t i = 0; i < UNIT_COUNT(samples); i++) {
			unit_case("type %u of trap %u", type, samples[i].trap);
			CHECK_EQUAL(judge_header((uint8_t)(0x80 | type), 2, samples[i].trap),
			            type <= 4 ? NOTICE_WANTED : NOTICE_MALFORMED);
		}
	}
}

static void test_producers(void)
{
	static const struct {
		uint32_t producer;
		enum notice_verdict verdict;
	} cases[] = {
		{0, NOTICE_MALFORMED},        {1, NOTICE_WANTED},           {2, NOTICE_WANTED},
		{3, NOTICE_WANTED},           {4, NOTICE_MALFORMED},        {0xFF, NOTICE_MALFORMED},
		{0x000101, NOTICE_MALFORMED}, {0x010001, NOTICE_MALFORMED}, {0xFFFFFF, NOTICE_MALFORMED},
	};

	for (size_t c = 0; c < UNIT_COUNT(cases); c++) {
		for (size_t i = 0; i < UNIT_COUNT(samples); i++) {
			unit_case("producer %u of trap %u", cases[c].producer, samples[i].trap);
			CHECK_EQUAL(judge_header(0x81, cases[c].producer, samples[i].trap), cases[c].verdict);
		}
	}
}

static bool is_known(unsigned trap)
{
	if (trap == 514)
		return true;
	return (trap >= 128 && trap <= 131) || trap == 144 || trap == 145 || (trap >= 256 && trap <= 259);
}

static void test_traps(void)
{
	for (unsigned trap = 0; trap <= 0xFFFF; trap++) {
		unit_case("trap %u", trap);
		CHECK_EQUAL(judge_header(0x81, 2, trap), is_known(trap) ? NOTICE_WANTED : NOTICE_OTHER);
	}
	for (unsigned trap = 64; trap <= 69; trap++)
		CHECK_EQUAL(judge_header(0x83, 4, trap), NOTICE_OTHER);
}

/* The one of device management comes from a manager of that class. */
static void test_ready(void)
{
	static const uint8_t data[SMA_BLOCK_SIZE] = {
		0x84, 0,    0,    4,    0x02, 0x02, 0x00, 0x07, 0x80, 0x01, 0xFF,
		0xFF, 0x12, 0x34, 0x81, 0x00, 0x00, 0x00, 0x01, 0x02, 0xFF, 0xFF,
	};
	uint8_t built[SMA_BLOCK_SIZE];
	uint8_t essence[SMA_BLOCK_SIZE];
	uint64_t value;

	CHECK_EQUAL(notice_judge(data, sizeof(data)), NOTICE_WANTED);
	for (uint32_t producer = 0; producer <= 0xFF; producer++)
		CHECK_EQUAL(judge_header(0x84, producer, 514),
		            producer >= 1 && producer <= 4 ? NOTICE_WANTED : NOTICE_MALFORMED);
	CHECK_EQUAL(judge_header(0x85, 4, 514), NOTICE_MALFORMED);
	CHECK_EQUAL(notice_get(data, NOTICE_LIDADDR, &value), 0);
	CHECK_EQUAL(value, 0x1234);
	CHECK_EQUAL(notice_get(data, NOTICE_STATUS, &value), 0);
	CHECK_EQUAL(value, 0x8100);
	CHECK_EQUAL(notice_get(data, NOTICE_DEVICE, &value), 0);
	CHECK_EQUAL(value, 0x0102);
	CHECK_EQUAL(notice_get(data, NOTICE_PORTNO, &value), -ENOENT);
	notice_essence(data, essence);
	CHECK_EQUAL(essence[10], 0);
	CHECK_EQUAL(essence[19], 2);
	CHECK_EQUAL(essence[20], 0);
	notice_build(built, 514, 4, 7);
	CHECK_OCTETS(built, data, 8);
}

static void test_vendor(void)
{
	CHECK_EQUAL(judge_header(0x01, 2, 128), NOTICE_VENDOR);
	CHECK_EQUAL(judge_header(0x01, 0x0002C9, 0x1234), NOTICE_VENDOR);
	CHECK_EQUAL(judge_header(0x7F, 0, 0), NOTICE_VENDOR); /* an empty Notice queue */
	CHECK_EQUAL(judge_header(0xFF, 0, 0), NOTICE_OTHER);
}

/* ---- the same ---- */

static void test_same(void)
{
	for (size_t i = 0; i < UNIT_COUNT(samples); i++) {
		uint8_t data[SMA_BLOCK_SIZE], other[SMA_BLOCK_SIZE];

		make(&samples[i], data);
		CHECK(notice_is_same(data, data));
		for (unsigned bit = 0; bit < 8 * SMA_BLOCK_SIZE; bit++) {
			memcpy(other, data, sizeof(other));
			other[bit / 8] ^= (uint8_t)(1U << bit % 8);
			unit_case("sample %zu, trap %u, byte %u, bit %u", i, samples[i].trap, bit / 8,
			          bit % 8);
			CHECK_EQUAL(notice_is_same(data, other), !is_reported(&samples[i], bit));
			CHECK_EQUAL(notice_is_same(other, data), !is_reported(&samples[i], bit));
		}
	}
}

static void test_essence(void)
{
	for (size_t i = 0; i < UNIT_COUNT(samples); i++) {
		uint8_t data[SMA_BLOCK_SIZE], essence[SMA_BLOCK_SIZE];

		make(&samples[i], data);
		memset(essence, 0xEE, sizeof(essence));
		notice_essence(data, essence);
		for (unsigned bit = 0; bit < 8 * SMA_BLOCK_SIZE; bit++) {
			bool is_set = is_reported(&samples[i], bit) && data[bit / 8] >> bit % 8 & 1;

			unit_case("trap %u, byte %u, bit %u", samples[i].trap, bit / 8, bit % 8);
			CHECK_EQUAL(essence[bit / 8] >> bit % 8 & 1, is_set);
		}
	}
}

/* ---- the header ---- */

static void test_header(void)
{
	static const uint8_t empty[SMA_BLOCK_SIZE] = {0x7F};
	uint8_t data[SMA_BLOCK_SIZE];

	notice_build(data, 256, 2, 0x1234);
	CHECK_OCTETS(data, ((const uint8_t[]){0x82, 0, 0, 2, 1, 0, 0x12, 0x34, 0, 0}), AT_DETAILS);
	CHECK_EQUAL(notice_type(data), 2);
	CHECK(!notice_toggle(data));
	notice_set_queued(data, true, 0x0102);
	CHECK_OCTETS(data + AT_COUNT, ((const uint8_t[]){0x81, 0x02}), 2);
	CHECK(notice_toggle(data));
	notice_set_queued(data, false, 0x7FFF);
	CHECK_OCTETS(data + AT_COUNT, ((const uint8_t[]){0x7F, 0xFF}), 2);
	CHECK(!notice_toggle(data));
	notice_build_empty(data);
	CHECK_OCTETS(data, empty, SMA_BLOCK_SIZE);
}

/* ---- names and consequences ---- */

static void test_names(void)
{
	CHECK_TEXT(notice_name(128), "link state");
	CHECK_TEXT(notice_name(129), "link integrity");
	CHECK_TEXT(notice_name(130), "buffer overrun");
	CHECK_TEXT(notice_name(131), "flow control");
	CHECK_TEXT(notice_name(144), "capability mask");
	CHECK_TEXT(notice_name(145), "system image GUID");
	CHECK_TEXT(notice_name(256), "bad M_Key");
	CHECK_TEXT(notice_name(257), "bad P_Key");
	CHECK_TEXT(notice_name(258), "bad Q_Key");
	CHECK_TEXT(notice_name(259), "bad P_Key at a switch port");
	CHECK_TEXT(notice_name(514), "ready to test");
	CHECK_TEXT(notice_name(64), "other");
	CHECK_TEXT(notice_name(70000), "other");
}

static void test_changes(void)
{
	unsigned port = 1U << SMA_PortInfo;

	CHECK_EQUAL(notice_changes(128), port | 1U << SMA_SwitchInfo); /* PortState, PortStateChange */
	CHECK_EQUAL(notice_changes(129), 0);
	CHECK_EQUAL(notice_changes(130), 0);
	CHECK_EQUAL(notice_changes(131), port);
	CHECK_EQUAL(notice_changes(144), port | 1U << SMA_NodeDescription | 1U << SMA_SMInfo);
	CHECK_EQUAL(notice_changes(145), 1U << SMA_NodeInfo);
	for (unsigned trap = 256; trap <= 259; trap++)
		CHECK_EQUAL(notice_changes(trap), port); /* violation counters */
	CHECK_EQUAL(notice_changes(514), 1U << SMA_DM_PrepareToTest | 1U << SMA_DM_DiagCode);
	CHECK_EQUAL(notice_changes(0), 0);
}

static void test_states(void)
{
	unsigned states = 0;

	for (unsigned trap = 0; trap <= 260; trap++) {
		unit_case("trap %u", trap);
		CHECK_EQUAL(notice_is_state(trap), trap == 128 || trap == 144 || trap == 145);
		states += notice_is_state(trap);
	}
	CHECK_EQUAL(states, SMA_TRAP_STATES);
	unit_case(NULL);
}

static const struct unit_test tests[] = {
	{"components", test_components},
	{"writing all components", test_set},
	{"writing one component", test_set_alone},
	{"no component of another trap", test_unknown_trap},
	{"wanted", test_wanted},
	{"too short", test_sizes},
	{"types", test_types},
	{"producers", test_producers},
	{"trap numbers", test_traps},
	{"the trap of device management", test_ready},
	{"not generic", test_vendor},
	{"what makes a difference", test_same},
	{"essence", test_essence},
	{"header", test_header},
	{"names", test_names},
	{"states", test_states},
	{"what a trap changes", test_changes},
};

int main(void)
{
	return UNIT_MAIN("notice", tests);
}
