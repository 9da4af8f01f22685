// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sma/node/node_parts.h"
#include "sma/soft/trap.h"
#include "tests/notice/watch_fixture.h"
#include "tests/unit.h"

const uint8_t own_gid[16] = {0xFE, 0x80, [15] = 1};

void watch_fixture_init(struct watch_fixture *fixture)
{
	struct facts facts = {.known = true, .active = true, .lid = OWN_LID, .sm_lid = 1};

	memcpy(facts.gid, own_gid, sizeof(own_gid));
	*fixture = (struct watch_fixture){.sources = fake_sources_reset()};
	fixture->sources->facts = facts;
	fixture->sources->facts_as_of = UINT64_MAX;
	sma_watch_config_init(&fixture->config);
}

/* PortInfo as the SMA has it. */
static void fill_port_info(const struct watch_fixture *fixture)
{
	struct sma_key key = sma_key_port(fixture->node, 1);
	uint8_t block[SMA_BLOCK_SIZE] = {0};

	sma_component_set(block, SMA_PortInfo_CapabilityMask, OWN_MASK);
	fake_qp0_set(fixture->sma, 1, sma_attr_id(SMA_PortInfo), key.modifier, block, sizeof(block));
}

void watch_fixture_open(struct watch_fixture *fixture)
{
	static const struct sma_device device = {
		.name = "mlx5_0", .port = 1, .gsi = {{"mlx5_0", 1}}, .gsi_count = 1};
	struct sma_config reading;

	sma_config_init(&reading);
	fixture->sma = fake_qp0_new();
	CHECK_EQUAL(sma_node_new(&reading, 1, &fixture->node), 0);
	sma_node_attach(fixture->node, 1, fake_qp0_open(fixture->sma, 1, sma_node_mailbox(fixture->node)));
	fill_port_info(fixture);
	CHECK_EQUAL(sma_watch_open(fixture->node, &device, &fixture->config, watch_fixture_take, fixture,
	                           &fixture->watch),
	            0);
	watch_fixture_run(fixture, 900);
	watch_fixture_run(fixture, 1000);
}

void watch_fixture_close(struct watch_fixture *fixture)
{
	sma_watch_close(fixture->watch);
	sma_node_close(fixture->node);
	fake_qp0_free(fixture->sma);
	CHECK_EQUAL(fixture->sources->open, 0);
}

uint64_t watch_fixture_run(struct watch_fixture *fixture, uint64_t now)
{
	uint64_t due = sma_watch_process(fixture->watch, now);

	fake_qp0_deliver(fixture->sma, now);
	sma_node_process(fixture->node, now);
	return due;
}

void watch_fixture_take(void *arg, const struct sma_notice *notice)
{
	struct watch_fixture *fixture = arg;

	fixture->last = *notice;
	fixture->given++;
}

static void find(struct watch_fixture *fixture, enum sma_notice_source source, const uint8_t *notice,
                 const uint8_t *gid, uint32_t tid)
{
	fixture->sources->inform.found(fixture->sources->inform.arg, source, notice, SMA_BLOCK_SIZE, gid,
	                               tid);
	sma_watch_count(fixture->watch, &fixture->counters);
}

void watch_fixture_find(struct watch_fixture *fixture, enum sma_notice_source source, const uint8_t *notice,
                        const uint8_t *gid)
{
	find(fixture, source, notice, gid, 0);
}

void watch_fixture_find_trap(struct watch_fixture *fixture, enum sma_notice_source source, unsigned trap,
                             uint16_t issuer, const uint8_t *gid)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	notice_build(notice, trap, trap == SMA_TRAP_LINK_STATE ? SMA_NODE_SWITCH : SMA_NODE_CA, issuer);
	find(fixture, source, notice, gid, 0);
}

void watch_fixture_report(struct watch_fixture *fixture, uint32_t tid)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	find(fixture, SMA_NOTICE_SA, notice, own_gid, tid);
}

void watch_fixture_report_twice(struct watch_fixture *fixture)
{
	watch_fixture_report(fixture, 1);
	watch_fixture_report(fixture, 2);
	CHECK_EQUAL(fixture->given, 1);
}
