// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench.h"
#include "tests/unit.h"

enum { MAX_WAIT_MS = 10000, PLENTY = 1000, MAX_ROUNDS = 1000000 };

void bench_init(struct bench *bench, const char *name)
{
	char path[128];

	*bench = (struct bench){.fake = fake_qp0_new(), .now = BENCH_START, .wake = UINT64_MAX};
	sma_config_init(&bench->config);
	if (!name)
		return;
	snprintf(path, sizeof(path), "tests/data/%s.blocks", name);
	if (fake_qp0_load(bench->fake, unit_source(path)) < 0)
		exit(EXIT_FAILURE);
}

void bench_open(struct bench *bench)
{
	if (sma_node_new(&bench->config, fake_qp0_port(bench->fake), &bench->node) < 0)
		exit(EXIT_FAILURE);
	fake_qp0_attach(bench->fake, bench->node);
	bench_settle(bench);
}

void bench_close(struct bench *bench)
{
	sma_node_close(bench->node);
	CHECK_EQUAL(fake_qp0_open_count(bench->fake), 0);
	fake_qp0_free(bench->fake);
	*bench = (struct bench){0};
}

unsigned bench_settle(struct bench *bench)
{
	unsigned count = 0;

	do {
		count += fake_qp0_deliver(bench->fake, bench->now);
		bench->wake = sma_node_process(bench->node, bench->now);
	} while (fake_qp0_due(bench->fake) <= bench->now || bench->wake <= bench->now);
	return count;
}

void bench_step(struct bench *bench, uint64_t ms)
{
	uint64_t end = bench->now + ms;

	if (bench_settle(bench) > 0)
		return;
	bench->now = sma_earlier(end, sma_earlier(bench->wake, fake_qp0_due(bench->fake)));
	bench_settle(bench);
}

void bench_advance(struct bench *bench, uint64_t ms)
{
	uint64_t end = bench->now + ms;

	while (bench->now < end)
		bench_step(bench, end - bench->now);
	bench_settle(bench);
}

void bench_run(struct bench *bench, uint64_t ms, bench_round *round, void *arg)
{
	uint64_t end = bench->now + ms;
	unsigned rounds = 0;
	unsigned count;
	uint64_t next;

	do {
		count = bench_settle(bench);
		next = round(arg, bench->now);
		count += bench_settle(bench);
		next = sma_earlier(next, sma_earlier(bench->wake, fake_qp0_due(bench->fake)));
		if (count == 0 && next > bench->now)
			bench->now = sma_earlier(next, end);
	} while ((count > 0 || bench->now < end) && CHECK(++rounds < MAX_ROUNDS));
}

struct sma_reader bench_reader(const struct bench *bench, enum sma_patience patience, unsigned budget)
{
	return (struct sma_reader){.node = bench->node,
	                           .now = bench->now,
	                           .since = bench->now,
	                           .patience = patience,
	                           .budget = budget};
}

int bench_read(struct bench *bench, const struct sma_key *key, const uint8_t **block)
{
	uint64_t since = bench->now;
	uint64_t end = since + MAX_WAIT_MS;
	int rc;

	do {
		struct sma_reader reader = bench_reader(bench, SMA_FRESH, PLENTY);

		reader.since = since;
		rc = sma_read_block(&reader, key, block);
		if (rc == -EAGAIN)
			bench_step(bench, end - bench->now);
	} while (rc == -EAGAIN && bench->now < end);
	return rc;
}
