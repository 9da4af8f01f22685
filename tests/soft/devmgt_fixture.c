// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "tests/soft/devmgt_fixture.h"
#include "tests/unit.h"

static void take_notice(void *arg, const uint8_t *notice)
{
	struct devmgt_fixture *fixture = arg;

	fixture->raised++;
	memcpy(fixture->notice, notice, sizeof(fixture->notice));
}

void devmgt_fixture_open(struct devmgt_fixture *fixture, char node, unsigned slots)
{
	memset(fixture, 0, sizeof(*fixture));
	soft_fixture_open(&fixture->node, node);
	soft_fixture_activate(&fixture->node);
	fixture->unit = unit_new(slots);
	if (!fixture->unit || devmgt_init(&fixture->devmgt, fixture->node.state, fixture->unit) < 0)
		abort();
	fixture->devmgt.raised = take_notice;
	fixture->devmgt.raised_arg = fixture;
}

void devmgt_fixture_close(struct devmgt_fixture *fixture)
{
	devmgt_finish(&fixture->devmgt);
	unit_free(fixture->unit);
	soft_fixture_close(&fixture->node);
}

struct ioc *devmgt_fixture_add(struct devmgt_fixture *fixture, unsigned slot)
{
	CHECK_EQUAL(unit_add(fixture->unit, slot, 0x0002C90000000000 + slot), 0);
	return unit_ioc(fixture->unit, slot);
}

void devmgt_fixture_request(struct devmgt_fixture *fixture, uint8_t method, uint16_t attribute,
                            uint32_t modifier, const uint8_t *data)
{
	uint8_t *mad = fixture->node.request;

	soft_fixture_request(&fixture->node, method, attribute, modifier, NULL);
	mad[AT_CLASS] = 0x06;
	memset(mad + AT_DATA, 0, DM_DATA_SIZE);
	if (data)
		memcpy(mad + AT_DATA, data, DM_DATA_SIZE);
}

enum verdict devmgt_fixture_send(struct devmgt_fixture *fixture)
{
	return devmgt_answer(&fixture->devmgt, &fixture->node.arrival, fixture->node.request,
	                     fixture->node.response);
}

unsigned devmgt_fixture_ask(struct devmgt_fixture *fixture, uint8_t method, uint16_t attribute,
                            uint32_t modifier, const uint8_t *data)
{
	devmgt_fixture_request(fixture, method, attribute, modifier, data);
	if (devmgt_fixture_send(fixture) == VERDICT_DROP)
		return ASK_DROPPED;
	return wire_get16(fixture->node.response + AT_STATUS);
}

unsigned devmgt_fixture_get(struct devmgt_fixture *fixture, uint16_t attribute, uint32_t modifier)
{
	return devmgt_fixture_ask(fixture, GET, attribute, modifier, NULL);
}

unsigned devmgt_fixture_set(struct devmgt_fixture *fixture, uint16_t attribute, uint32_t modifier,
                            uint32_t value)
{
	uint8_t data[DM_DATA_SIZE] = {0};

	wire_put32(data, value);
	return devmgt_fixture_ask(fixture, SET, attribute, modifier, data);
}

const uint8_t *devmgt_fixture_data(const struct devmgt_fixture *fixture)
{
	return fixture->node.response + AT_DATA;
}

void devmgt_fixture_send_traps(struct devmgt_fixture *fixture, uint16_t lid)
{
	uint8_t data[DM_DATA_SIZE] = {0};

	wire_put16(data + 60, lid);
	CHECK_EQUAL(devmgt_fixture_ask(fixture, SET, DEV_CLASS_PORT_INFO, 0, data), 0);
}

void devmgt_fixture_repress(struct devmgt_fixture *fixture, const struct devmgt_trap *trap)
{
	memcpy(fixture->node.request, trap->mad, MAD_SIZE);
	fixture->node.request[AT_METHOD] = TRAP_REPRESS;
	CHECK_EQUAL(devmgt_fixture_send(fixture), VERDICT_DROP);
}
