// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "sma/clock.h"
#include "tests/node/node_fixture.h"
#include "tests/unit.h"

enum { MAX_WAIT_MS = 10000, PLENTY = 1000, MAX_ROUNDS = 1000000 };

void fixture_init(struct fixture *fixture, const char *name)
{
	char path[128];

	*fixture = (struct fixture){.fake = fake_qp0_new(), .now = BENCH_START, .wake = UINT64_MAX};
	sma_config_init(&fixture->config);
	if (!name)
		return;
	snprintf(path, sizeof(path), "tests/data/%s.blocks", name);
	if (fake_qp0_load(fixture->fake, unit_source(path)) < 0)
		exit(EXIT_FAILURE);
}

void fixture_open(struct fixture *fixture)
{
	if (sma_node_new(&fixture->config, fake_qp0_port(fixture->fake), &fixture->node) < 0)
		exit(EXIT_FAILURE);
	fake_qp0_attach(fixture->fake, fixture->node, &fixture->config, fixture->trusted);
	fixture_settle(fixture);
}

void fixture_configure(struct fixture *fixture)
{
	sma_node_configure(fixture->node, &fixture->config);
	fake_qp0_configure(fixture->fake, &fixture->config);
}

void fixture_close(struct fixture *fixture)
{
	sma_node_close(fixture->node);
	fake_qp0_close(fixture->fake);
	CHECK_EQUAL(fake_qp0_open_count(fixture->fake), 0);
	fake_qp0_free(fixture->fake);
	*fixture = (struct fixture){0};
}

unsigned fixture_settle(struct fixture *fixture)
{
	unsigned count = 0;

	do {
		count += fake_qp0_deliver(fixture->fake, fixture->now);
		fixture->wake = fake_qp0_process(fixture->fake, fixture->now);
	} while (fake_qp0_due(fixture->fake) <= fixture->now || fixture->wake <= fixture->now);
	return count;
}

void fixture_step(struct fixture *fixture, uint64_t ms)
{
	uint64_t end = fixture->now + ms;

	if (fixture_settle(fixture) > 0)
		return;
	fixture->now = sma_earlier(end, sma_earlier(fixture->wake, fake_qp0_due(fixture->fake)));
	fixture_settle(fixture);
}

void fixture_advance(struct fixture *fixture, uint64_t ms)
{
	uint64_t end = fixture->now + ms;

	while (fixture->now < end)
		fixture_step(fixture, end - fixture->now);
	fixture_settle(fixture);
}

void fixture_run(struct fixture *fixture, uint64_t ms, fixture_round *round, void *arg)
{
	uint64_t end = fixture->now + ms;
	unsigned rounds = 0;
	unsigned count;
	uint64_t next;

	do {
		count = fixture_settle(fixture);
		next = round(arg, fixture->now);
		count += fixture_settle(fixture);
		next = sma_earlier(next, sma_earlier(fixture->wake, fake_qp0_due(fixture->fake)));
		if (count == 0 && next > fixture->now)
			fixture->now = sma_earlier(next, end);
	} while ((count > 0 || fixture->now < end) && CHECK(++rounds < MAX_ROUNDS));
}

struct sma_reader fixture_reader(const struct fixture *fixture, enum sma_patience patience, unsigned budget)
{
	return (struct sma_reader){.node = fixture->node,
	                           .now = fixture->now,
	                           .since = fixture->now,
	                           .patience = patience,
	                           .budget = budget};
}

int fixture_read(struct fixture *fixture, const struct sma_key *key, const uint8_t **block)
{
	uint64_t since = fixture->now;
	uint64_t end = since + MAX_WAIT_MS;
	int rc;

	do {
		struct sma_reader reader = fixture_reader(fixture, SMA_FRESH, PLENTY);

		reader.since = since;
		rc = sma_read_block(&reader, key, block);
		if (rc == -EAGAIN)
			fixture_step(fixture, end - fixture->now);
	} while (rc == -EAGAIN && fixture->now < end);
	return rc;
}
