// SPDX-License-Identifier: BSD-2-Clause
/* SMPs byte by byte (IBA 13.4.2, 14.2.1). */
#include <errno.h>
#include <string.h>

#include "sma/iba/smp.h"
#include "sma/iba/wire.h"
#include "tests/unit.h"

static void test_build(void)
{
	uint8_t mad[SMA_MAD_SIZE];
	uint8_t wanted[SMA_MAD_SIZE] = {
		0x01, 0x81, 0x01, 0x01,                         /* versions, class, Get */
		0x00, 0x00, 0x00, 0x00,                         /* status, no hops */
		0x00, 0x00, 0x00, 0x00, 0xCA, 0xFE, 0xF0, 0x0D, /* transaction */
		0x00, 0x16, 0x00, 0x00, 0x00, 0x11, 0x00, 0x01, /* attribute, modifier */
		0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, /* M_Key */
		0xFF, 0xFF, 0xFF, 0xFF,                         /* DrSLID, DrDLID */
	};

	memset(mad, 0xEE, sizeof(mad));
	smp_build_get(mad, 0x16, 0x00110001, 0xCAFEF00D, 0x123456789ABCDEF0);
	CHECK(memcmp(mad, wanted, sizeof(mad)) == 0);
	CHECK_OCTETS(mad, wanted, 40);
}

struct parse_case {
	const char *name;
	unsigned at;
	uint8_t byte;
	int rc;
};

/* A response to a directed-route request, with one byte changed. */
static const struct parse_case parse_cases[] = {
	{"as it is", 255, 0, 0},
	{"base version 0", 0, 0, -EPROTO},
	{"base version 2", 0, 2, -EPROTO},
	{"LID routed", 1, 0x01, 0},
	{"subnet administration", 1, 0x03, -EPROTO},
	{"performance", 1, 0x04, -EPROTO},
	{"class version 2", 2, 2, 0},
};

static void make_response(uint8_t mad[SMA_MAD_SIZE])
{
	smp_build_get(mad, 0x15, 0x80000002, 0x01020304, 0);
	mad[3] = 0x81;
	mad[4] = 0x80;
	mad[5] = 0x1C;
	mad[64] = 0xAB;
}

static void test_parse(void)
{
	for (size_t i = 0; i < UNIT_COUNT(parse_cases); i++) {
		const struct parse_case *c = &parse_cases[i];
		uint8_t mad[SMA_MAD_SIZE];
		struct smp smp;

		make_response(mad);
		mad[c->at] = c->byte;
		unit_case("%s", c->name);
		CHECK_EQUAL(smp_parse(mad, &smp), c->rc);
		if (c->rc < 0)
			continue;
		CHECK_EQUAL(smp.method, 1);
		CHECK(smp.response);
		CHECK_EQUAL(smp.tid, 0x01020304);
		CHECK_EQUAL(smp.attribute, 0x15);
		CHECK_EQUAL(smp.modifier, 0x80000002);
		CHECK_EQUAL(smp.data[0], 0xAB);
		CHECK_EQUAL(smp.data - mad, 64);
	}
}

/* Bit 15 of the status is the direction on a directed route only. */
static void test_status(void)
{
	uint8_t mad[SMA_MAD_SIZE];
	struct smp smp;

	make_response(mad);
	CHECK_EQUAL(smp_parse(mad, &smp), 0);
	CHECK_EQUAL(smp.status, 0x1C);
	mad[1] = 0x01;
	CHECK_EQUAL(smp_parse(mad, &smp), 0);
	CHECK_EQUAL(smp.status, 0x801C);
}

static void test_methods(void)
{
	static const struct {
		uint8_t byte;
		uint8_t method;
		bool response;
	} methods[] = {
		{0x01, 1, false}, {0x81, 1, true}, {0x05, 5, false}, {0x07, 7, false}, {0x02, 2, false}};

	for (size_t i = 0; i < UNIT_COUNT(methods); i++) {
		uint8_t mad[SMA_MAD_SIZE];
		struct smp smp;

		make_response(mad);
		mad[3] = methods[i].byte;
		unit_case("method byte 0x%02x", methods[i].byte);
		CHECK_EQUAL(smp_parse(mad, &smp), 0);
		CHECK_EQUAL(smp.method, methods[i].method);
		CHECK_EQUAL(smp.response, methods[i].response);
	}
}

/* The upper half of a transaction is not ours: the kernel puts the agent there. */
static void test_transaction(void)
{
	uint8_t mad[SMA_MAD_SIZE];
	struct smp smp;

	make_response(mad);
	memset(mad + 8, 0x77, 4);
	CHECK_EQUAL(smp_parse(mad, &smp), 0);
	CHECK_EQUAL(smp.tid, 0x01020304);
}

static void test_status_text(void)
{
	static const uint16_t statuses[] = {0x00, 0x01, 0x04, 0x08, 0x0C, 0x1C, 0x02, 0x1234};

	for (size_t i = 0; i < UNIT_COUNT(statuses); i++) {
		for (size_t j = 0; j < i && j < 6; j++) {
			unit_case("0x%x and 0x%x", statuses[i], statuses[j]);
			CHECK(strcmp(smp_status_text(statuses[i]), smp_status_text(statuses[j])) != 0);
		}
	}
	CHECK_TEXT(smp_status_text(0x1234), smp_status_text(0x02));
	CHECK_TEXT(smp_status_text(0x01), "busy");
}

static void test_wire(void)
{
	uint8_t octets[9] = {0};
	const uint8_t wanted[9] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};

	/* at odd places, as entries of a block may be */
	wire_put64(octets + 1, 0x0102030405060708);
	CHECK_OCTETS(octets, wanted, sizeof(wanted));
	CHECK_EQUAL(wire_get64(octets + 1), 0x0102030405060708);
	CHECK_EQUAL(wire_get32(octets + 3), 0x03040506);
	CHECK_EQUAL(wire_get16(octets + 5), 0x0506);
	wire_put32(octets + 1, 0xFFFEFDFC);
	wire_put16(octets + 5, 0x8001);
	CHECK_EQUAL(wire_get64(octets + 1), 0xFFFEFDFC80010708);
}

static const struct unit_test tests[] = {
	{"a zero-hop SubnGet", test_build},
	{"what is an SMP", test_parse},
	{"status and direction", test_status},
	{"method and response bit", test_methods},
	{"the sender's half of a transaction", test_transaction},
	{"each status has a text", test_status_text},
	{"big-endian integers", test_wire},
};

int main(void)
{
	return UNIT_MAIN("smp", tests);
}
