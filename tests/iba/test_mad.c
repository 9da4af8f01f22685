// SPDX-License-Identifier: BSD-2-Clause
/* MADs byte by byte (IBA 13.4.3, 14.2.1). */
#include <errno.h>
#include <string.h>

#include "sma/iba/mad.h"
#include "sma/iba/wire.h"
#include "tests/unit.h"

static void test_build(void)
{
	const struct mad_head head = {.class = MAD_CLASS_SM_DIRECTED,
	                              .method = MAD_GET,
	                              .tid = 0xCAFEF00D,
	                              .attribute = 0x16,
	                              .modifier = 0x00110001};
	uint8_t mad[MAD_SIZE];
	uint8_t wanted[MAD_SIZE] = {
		0x01, 0x81, 0x01, 0x01,                         /* versions, class, Get */
		0x00, 0x00, 0x00, 0x00,                         /* status, no hops */
		0x00, 0x00, 0x00, 0x00, 0xCA, 0xFE, 0xF0, 0x0D, /* transaction */
		0x00, 0x16, 0x00, 0x00, 0x00, 0x11, 0x00, 0x01, /* attribute, modifier */
		0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, /* M_Key */
		0xFF, 0xFF, 0xFF, 0xFF,                         /* DrSLID, DrDLID */
	};

	memset(mad, 0xEE, sizeof(mad));
	mad_build(mad, &head);
	mad_set_key(mad, 0x123456789ABCDEF0);
	mad_set_route(mad, NULL, 0);
	CHECK_OCTETS(mad, wanted, sizeof(wanted));
}

/* Bytes 1 .. hops of the path are output ports. */
static void test_route(void)
{
	const struct mad_head head = {.class = MAD_CLASS_SM_DIRECTED, .method = MAD_SET};
	uint8_t path[MAD_PATH_SIZE];
	uint8_t mad[MAD_SIZE];
	static const uint8_t zeros[MAD_SIZE];

	for (unsigned i = 0; i < MAD_PATH_SIZE; i++)
		path[i] = (uint8_t)(0xA0 + i);
	for (uint8_t hops = 1; hops <= MAD_MAX_HOPS; hops++) {
		unit_case("%u hops", hops);
		mad_build(mad, &head);
		mad_set_route(mad, path, hops);
		CHECK_EQUAL(mad[6], 0); /* hop pointer */
		CHECK_EQUAL(mad[7], hops);
		CHECK_EQUAL(wire_get32(mad + 32), 0xFFFFFFFF);
		CHECK_EQUAL(mad[128], 0);
		CHECK_OCTETS(mad + 129, path + 1, hops);
		CHECK_OCTETS(mad + 129 + hops, zeros, MAD_SIZE - 129 - hops);
	}
}

struct parse_case {
	const char *name;
	unsigned at;
	uint8_t byte;
	int rc;
};

/* A response to a directed-route request, with one byte changed. */
static const struct parse_case parse_cases[] = {
	{"as it is", 255, 0, 0},       {"base version 0", 0, 0, -EPROTO},  {"base version 2", 0, 2, -EPROTO},
	{"LID routed", 1, 0x01, 0},    {"performance", 1, 0x04, 0},        {"device management", 1, 0x06, 0},
	{"another SA", 1, 3, -EPROTO}, {"class version 2", 2, 2, -EPROTO}, {"vendor's class", 1, 9, -EPROTO},
};

static void make_response(uint8_t mad[MAD_SIZE])
{
	const struct mad_head head = {.class = MAD_CLASS_SM_DIRECTED,
	                              .method = MAD_GET,
	                              .response = true,
	                              .status = 0x801C,
	                              .tid = 0x01020304,
	                              .attribute = 0x15,
	                              .modifier = 0x80000002};

	mad_build(mad, &head);
}

static void test_read(void)
{
	for (size_t i = 0; i < UNIT_COUNT(parse_cases); i++) {
		const struct parse_case *c = &parse_cases[i];
		uint8_t mad[MAD_SIZE];
		struct mad_head head;

		make_response(mad);
		mad[c->at] = c->byte;
		unit_case("%s", c->name);
		CHECK_EQUAL(mad_read_head(mad, MAD_SIZE, &head), c->rc);
		CHECK_EQUAL(mad_read_head(mad, MAD_HEADER_SIZE, &head), c->rc);
		CHECK_EQUAL(mad_read_head(mad, MAD_HEADER_SIZE - 1, &head), -EPROTO);
		if (c->rc < 0)
			continue;
		CHECK_EQUAL(head.class, mad[1]);
		CHECK_EQUAL(head.method, 1);
		CHECK(head.response);
		CHECK_EQUAL(head.tid, 0x01020304);
		CHECK_EQUAL(head.attribute, 0x15);
		CHECK_EQUAL(head.modifier, 0x80000002);
	}
}

/* Where each class has its attribute and its key (IBA 14.2.1, 15.2.1, 16.1.1, 16.3.1). */
static void test_classes(void)
{
	static const struct {
		uint8_t id, version, qp, key_at, data_at, data_size;
	} classes[] = {{0x01, 1, 0, 24, 64, 64},
	               {0x81, 1, 0, 24, 64, 64},
	               {0x03, 2, 1, 36, 56, 200},
	               {0x04, 1, 1, 0, 64, 192},
	               {0x06, 1, 1, 0, 64, 192}};

	for (size_t i = 0; i < UNIT_COUNT(classes); i++) {
		const struct mad_class *class = mad_class_find(classes[i].id);

		unit_case("class 0x%02x", classes[i].id);
		if (!CHECK(class != NULL))
			continue;
		CHECK_EQUAL(class->version, classes[i].version);
		CHECK_EQUAL(class->qp, classes[i].qp);
		CHECK_EQUAL(class->key_at, classes[i].key_at);
		CHECK_EQUAL(class->data_at, classes[i].data_at);
		CHECK_EQUAL(class->data_size, classes[i].data_size);
	}
	CHECK(mad_class_find(0x02) == NULL);
}

/* Bit 15 of the status is the direction on a directed route only. */
static void test_status(void)
{
	uint8_t mad[MAD_SIZE];
	struct mad_head head;

	make_response(mad);
	CHECK_EQUAL(mad_read_head(mad, MAD_SIZE, &head), 0);
	CHECK_EQUAL(head.status, 0x1C);
	mad[1] = 0x01;
	CHECK_EQUAL(mad_read_head(mad, MAD_SIZE, &head), 0);
	CHECK_EQUAL(head.status, 0x801C);
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
		uint8_t mad[MAD_SIZE];
		struct mad_head head;

		make_response(mad);
		mad[3] = methods[i].byte;
		unit_case("method byte 0x%02x", methods[i].byte);
		CHECK_EQUAL(mad_read_head(mad, MAD_SIZE, &head), 0);
		CHECK_EQUAL(head.method, methods[i].method);
		CHECK_EQUAL(head.response, methods[i].response);
	}
}

static void test_status_text(void)
{
	static const uint16_t statuses[] = {0x00, 0x01, 0x02, 0x04, 0x08, 0x0C, 0x1C, 0x03, 0x1234};

	for (size_t i = 0; i < UNIT_COUNT(statuses); i++) {
		for (size_t j = 0; j < i && j < 7; j++) {
			unit_case("0x%x and 0x%x", statuses[i], statuses[j]);
			CHECK(strcmp(mad_status_text(statuses[i]), mad_status_text(statuses[j])) != 0);
		}
	}
	CHECK_TEXT(mad_status_text(0x1234), mad_status_text(0x03));
	CHECK_TEXT(mad_status_text(0x01), "busy");
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
	{"a request", test_build},
	{"a directed route", test_route},
	{"reading a header", test_read},
	{"classes", test_classes},
	{"status", test_status},
	{"methods", test_methods},
	{"status texts", test_status_text},
	{"integers at odd places", test_wire},
};

int main(void)
{
	return UNIT_MAIN("mad", tests);
}
