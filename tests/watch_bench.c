// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sma/node.h"
#include "sma/trap.h"
#include "tests/unit.h"
#include "tests/watch_bench.h"

const uint8_t own_gid[16] = {0xFE, 0x80, [15] = 1};

void watch_bench_init(struct watch_bench *bench)
{
	struct facts facts = {.known = true, .active = true, .lid = OWN_LID, .sm_lid = 1};

	memcpy(facts.gid, own_gid, sizeof(own_gid));
	*bench = (struct watch_bench){.sources = fake_sources_reset()};
	bench->sources->facts = facts;
	bench->sources->facts_as_of = UINT64_MAX;
	sma_watch_config_init(&bench->config);
}

/* PortInfo as the SMA has it. */
static void fill_port_info(const struct watch_bench *bench)
{
	struct sma_key key = sma_key_port(bench->node, 1);
	uint8_t block[SMA_BLOCK_SIZE] = {0};

	sma_component_set(block, SMA_PortInfo_CapabilityMask, OWN_MASK);
	fake_qp0_set(bench->sma, 1, sma_attr_id(SMA_PortInfo), key.modifier, block, sizeof(block));
}

void watch_bench_open(struct watch_bench *bench)
{
	static const struct sma_device device = {
		.name = "mlx5_0", .port = 1, .gsi = {{"mlx5_0", 1}}, .gsi_count = 1};
	struct sma_config reading;

	sma_config_init(&reading);
	bench->sma = fake_qp0_new();
	CHECK_EQUAL(sma_node_new(&reading, 1, &bench->node), 0);
	sma_node_attach(bench->node, 1, fake_qp0_open(bench->sma, 1, sma_node_mailbox(bench->node)));
	fill_port_info(bench);
	CHECK_EQUAL(sma_watch_open(bench->node, &device, NULL, &bench->config, watch_bench_take, bench,
	                           &bench->watch),
	            0);
	watch_bench_run(bench, 900);
	watch_bench_run(bench, 1000);
}

void watch_bench_close(struct watch_bench *bench)
{
	sma_watch_close(bench->watch);
	sma_node_close(bench->node);
	fake_qp0_free(bench->sma);
	CHECK_EQUAL(bench->sources->open, 0);
}

uint64_t watch_bench_run(struct watch_bench *bench, uint64_t now)
{
	uint64_t due = sma_watch_process(bench->watch, now);

	fake_qp0_deliver(bench->sma, now);
	sma_node_process(bench->node, now);
	return due;
}

void watch_bench_take(void *arg, const struct sma_notice *notice)
{
	struct watch_bench *bench = arg;

	bench->last = *notice;
	bench->given++;
}

static void find(struct watch_bench *bench, enum sma_notice_source source, const uint8_t *notice,
                 const uint8_t *gid, uint32_t tid)
{
	bench->sources->inform.found(bench->sources->inform.arg, source, notice, SMA_BLOCK_SIZE, gid, tid);
	sma_watch_count(bench->watch, &bench->counters);
}

void watch_bench_find(struct watch_bench *bench, enum sma_notice_source source, const uint8_t *notice,
                      const uint8_t *gid)
{
	find(bench, source, notice, gid, 0);
}

void watch_bench_find_trap(struct watch_bench *bench, enum sma_notice_source source, unsigned trap,
                           uint16_t issuer, const uint8_t *gid)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	notice_build(notice, trap, trap == SMA_TRAP_LINK_STATE ? SMA_NODE_SWITCH : SMA_NODE_CA, issuer);
	find(bench, source, notice, gid, 0);
}

void watch_bench_report(struct watch_bench *bench, uint32_t tid)
{
	uint8_t notice[SMA_BLOCK_SIZE];

	notice_build(notice, SMA_TRAP_LINK_STATE, SMA_NODE_SWITCH, OWN_LID);
	find(bench, SMA_NOTICE_SA, notice, own_gid, tid);
}

void watch_bench_report_twice(struct watch_bench *bench)
{
	watch_bench_report(bench, 1);
	watch_bench_report(bench, 2);
	CHECK_EQUAL(bench->given, 1);
}
