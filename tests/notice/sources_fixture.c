// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "tests/notice/sources_fixture.h"
#include "tests/unit.h"

const uint8_t own_gid[16] = {0xFE, 0x80, [15] = 1};

void sources_fixture_init(struct sources_fixture *fixture)
{
	struct local_port local = {.known = true, .active = true, .lid = OWN_LID, .sm_lid = 1};

	memcpy(local.gid, own_gid, sizeof(own_gid));
	*fixture = (struct sources_fixture){.fake = fake_sources_reset()};
	fixture->fake->local = local;
	fixture->fake->as_of = UINT64_MAX;
	sources_config_init(&fixture->config);
}

/* PortInfo as the SMA has it. */
static void fill_port_info(const struct sources_fixture *fixture)
{
	struct sma_key key = sma_key_port(sma_node_id(fixture->node), 1);
	uint8_t block[SMA_BLOCK_SIZE] = {0};

	sma_component_set(block, SMA_PortInfo_CapabilityMask, OWN_MASK);
	fake_qp0_set(fixture->sma, 1, sma_attr_id(SMA_PortInfo), key.modifier, block, sizeof(block));
}

void sources_fixture_open(struct sources_fixture *fixture)
{
	static const struct sma_device device = {
		.name = "mlx5_0", .port = 1, .gsi = {{"mlx5_0", 1}}, .gsi_count = 1};
	struct sma_config reading;

	sma_config_init(&reading);
	fixture->sma = fake_qp0_new();
	CHECK_EQUAL(sma_node_new(&reading, 1, &fixture->node), 0);
	fill_port_info(fixture);
	fixture->ports = fake_qp0_open(fixture->sma, &reading);
	fixture->ports->device = malloc(sizeof(device));
	*fixture->ports->device = device;
	fixture->ports->list[0].gsi = device.gsi[0];
	CHECK_EQUAL(sma_node_attach(fixture->node, 1, fixture->ports->list[0].engine, false), 0);
	CHECK_EQUAL(sources_open(fixture->node, fixture->ports, 0, &fixture->config, sources_fixture_take,
	                         fixture, &fixture->sources),
	            0);
	sources_fixture_run(fixture, 900);
	sources_fixture_run(fixture, 1000);
}

void sources_fixture_close(struct sources_fixture *fixture)
{
	sources_close(fixture->sources);
	sma_node_close(fixture->node);
	fake_qp0_close(fixture->sma);
	fake_qp0_free(fixture->sma);
	CHECK_EQUAL(fixture->fake->open, 0);
}

uint64_t sources_fixture_run(struct sources_fixture *fixture, uint64_t now)
{
	uint64_t due = sources_process(fixture->sources, now);

	fake_qp0_process(fixture->sma, now);
	fake_qp0_deliver(fixture->sma, now);
	fake_qp0_process(fixture->sma, now);
	return due;
}

void sources_fixture_take(void *arg, const struct sma_notice *notice)
{
	struct sources_fixture *fixture = arg;

	fixture->last = *notice;
	fixture->given++;
}

static void find(struct sources_fixture *fixture, enum sma_notice_source source, const uint8_t *notice,
                 const uint8_t *gid, uint32_t tid)
{
	fixture->fake->inform.found(fixture->fake->inform.arg, source, notice, SMA_BLOCK_SIZE, gid, tid);
	sources_count(fixture->sources, &fixture->counters);
}

void sources_fixture_find(struct sources_fixture *fixture, enum sma_notice_source source,
                          const uint8_t *notice, const uint8_t *gid)
{
	find(fixture, source, notice, gid, 0);
}

void sources_fixture_find_trap(struct sources_fixture *fixture, enum sma_notice_source source, unsigned trap,
                               uint16_t issuer, const uint8_t *gid)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	notice_build(notice, trap, trap == SMA_TRAP_LINK_STATE ? SMA_NODE_SWITCH : SMA_NODE_CA, issuer);
	find(fixture, source, notice, gid, 0);
}

void sources_fixture_report(struct sources_fixture *fixture, uint32_t tid)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	find(fixture, SMA_NOTICE_SA, notice, own_gid, tid);
}

void sources_fixture_report_twice(struct sources_fixture *fixture)
{
	sources_fixture_report(fixture, 1);
	sources_fixture_report(fixture, 2);
	CHECK_EQUAL(fixture->given, 1);
}
