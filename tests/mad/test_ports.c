// SPDX-License-Identifier: BSD-2-Clause
/* Which ports of which device are open, each with an engine of its own. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sma/mad/ports.h"
#include "tests/fakes/fake_umad.h"
#include "tests/logged.h"
#include "tests/unit.h"

static const struct engine_config config = {.window = 4, .timeout_ms = 100, .tries = 1};

struct fixture {
	struct fake_umad *umad;
	struct mad_ports *ports;
	char error[512];
};

static int begin(struct fixture *b, struct sma_device *list, unsigned count)
{
	const struct sma_devices devices = {list, count};

	logged_start(false);
	return mad_ports_open(&devices, &config, &b->ports, b->error, sizeof(b->error));
}

static void end(struct fixture *b)
{
	mad_ports_close(b->ports);
	CHECK_EQUAL(b->umad->opened, 0);
	logged_stop();
}

/* The chosen port comes first, and each has its own descriptor. */
static void test_ports(void)
{
	struct sma_device device = {.name = "dev0", .port = 2, .others = {1, 3}, .other_count = 2};
	static const unsigned numbers[] = {2, 1, 3};
	struct fixture b = {.umad = fake_umad_reset()};

	CHECK_EQUAL(begin(&b, &device, 1), 0);
	CHECK_TEXT(b.error, "");
	CHECK_TEXT(b.ports->device->name, "dev0");
	CHECK(!b.ports->list[0].has_qp1);
	CHECK_EQUAL(b.umad->opened, 3);
	CHECK_EQUAL(b.ports->count, 3);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQUAL(b.ports->list[i].number, numbers[i]);
		CHECK(b.ports->list[i].engine && b.ports->list[i].transport);
		CHECK(!b.ports->list[i].trusted);
	}
	CHECK(b.ports->list[0].engine != b.ports->list[1].engine);
	end(&b);
}

/* A further port that cannot be opened is left out. */
static void test_missing(void)
{
	struct sma_device device = {
		.name = "dev0", .port = 1, .others = {2, 3, 4, 5, 6}, .other_count = FAKE_UMAD_PORTS + 1};
	struct fixture b = {.umad = fake_umad_reset()};

	CHECK_EQUAL(begin(&b, &device, 1), 0);
	CHECK_EQUAL(b.ports->count, FAKE_UMAD_PORTS);
	CHECK_EQUAL(logged_with("tables of that port are not shown"), 2);
	CHECK_EQUAL(logged_with("(dev0 port 5)"), 1);
	end(&b);
}

/* A device that refuses a class is passed over, and the last one's reason stands. */
static void test_refused(void)
{
	struct sma_device list[] = {{.name = "dev0", .port = 1}, {.name = "dev1", .port = 1}};
	struct fixture b = {.umad = fake_umad_reset()};

	b.umad->refused_class = 0x81;
	b.umad->refused_always = true;
	b.umad->refusal = EBUSY;
	CHECK_EQUAL(begin(&b, list, 2), -EPROTONOSUPPORT);
	CHECK(!b.ports);
	CHECK_EQUAL(logged_with("cannot use QP0 of dev0 port 1: class 0x81 is refused"), 1);
	CHECK_EQUAL(logged_with("trying dev1 port 1 in its place"), 1);
	CHECK(strstr(b.error, "cannot use QP0 of dev1 port 1: class 0x81 is refused"));
	end(&b);
}

/* QP1 is looked for where it may be, until it is found. */
static void test_qp1(void)
{
	struct sma_device device = {
		.name = "dev0", .port = 1, .gsi = {{"dev1", 1}, {"dev0", 1}}, .gsi_count = 2};
	struct fixture b = {.umad = fake_umad_reset()};

	CHECK_EQUAL(begin(&b, &device, 1), 0);
	b.umad->refused_class = 0x04;
	b.umad->refused_always = true;
	b.umad->refusal = EPROTONOSUPPORT;
	CHECK_EQUAL(mad_ports_open_qp1(b.ports, 0, b.error, sizeof(b.error)), -EPROTONOSUPPORT);
	CHECK(strstr(b.error, "cannot use QP1 of dev0 port 1: class 0x04 is refused"));
	CHECK(!b.ports->list[0].has_qp1);
	CHECK_EQUAL(b.umad->opened, 1);
	b.umad->refused_class = 0;
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQUAL(mad_ports_open_qp1(b.ports, 0, b.error, sizeof(b.error)), 0);
		CHECK(b.ports->list[0].has_qp1);
		CHECK_TEXT(b.ports->list[0].gsi.name, "dev1");
		CHECK_EQUAL(b.umad->opened, 2);
	}
	end(&b);
}

static const struct unit_test tests[] = {
	{"all ports of a device", test_ports},
	{"a port that cannot be opened", test_missing},
	{"devices that refuse a class", test_refused},
	{"QP1 is where it is", test_qp1},
};

int main(void)
{
	return UNIT_MAIN("ports", tests);
}
