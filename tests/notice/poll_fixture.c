// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sma/clock.h"
#include "tests/logged.h"
#include "tests/notice/poll_fixture.h"
#include "tests/unit.h"

/* ---- the node ---- */

static void set(struct poll_fixture *b, unsigned own_port, enum sma_component component, unsigned port,
                uint64_t value)
{
	enum sma_attr attr = sma_component_attr(component);
	uint32_t modifier = attr == SMA_PortInfo ? port : 0;

	sma_component_set(fake_qp0_data(b->fixture.fake, own_port, sma_attr_id(attr), modifier), component,
	                  value);
}

void poll_fixture_set(struct poll_fixture *b, enum sma_component component, unsigned port, uint64_t value)
{
	set(b, fake_qp0_port(b->fixture.fake), component, port, value);
}

void poll_fixture_set_state(struct poll_fixture *b, unsigned port, unsigned state)
{
	poll_fixture_set(b, SMA_PortInfo_PortState, port, state);
}

void poll_fixture_set_mask(struct poll_fixture *b, uint32_t mask)
{
	poll_fixture_set(b, SMA_PortInfo_CapabilityMask, fake_qp0_port(b->fixture.fake), mask);
}

void poll_fixture_set_lid(struct poll_fixture *b, uint16_t lid)
{
	poll_fixture_set(b, SMA_PortInfo_LID, fake_qp0_port(b->fixture.fake), lid);
}

static void prepare(struct poll_fixture *b, unsigned port, unsigned type, unsigned ports)
{
	static const struct local_port local = {
		.known = true, .active = true, .lid = POLL_LID, .sm_lid = 1, .sm_sl = 5, .gid = {0xFE}};

	*b = (struct poll_fixture){.interval = POLL_INTERVAL_MS, .local = local};
	b->local.type = type;
	fixture_init(&b->fixture, NULL);
	set(b, port, SMA_NodeInfo_NodeType, 0, type);
	poll_fixture_set(b, SMA_NodeInfo_NumPorts, 0, ports);
	poll_fixture_set(b, SMA_NodeInfo_SystemImageGUID, 0, 0x0008F10400410010);
	poll_fixture_set_mask(b, POLL_MASK);
	poll_fixture_set_lid(b, POLL_LID);
	poll_fixture_set_state(b, port, SMA_PORT_ACTIVE);
}

void poll_fixture_prepare_switch(struct poll_fixture *b, unsigned ports)
{
	prepare(b, 0, SMA_NODE_SWITCH, ports);
	poll_fixture_set(b, SMA_SwitchInfo_PortStateChange, 0, 0);
	for (unsigned port = 1; port <= ports; port++)
		poll_fixture_set_state(b, port, SMA_PORT_ACTIVE);
}

void poll_fixture_prepare_ca(struct poll_fixture *b)
{
	prepare(b, POLL_CA_PORT, SMA_NODE_CA, 2);
	b->qp1_port = POLL_CA_PORT;
}

/* ---- the poll ---- */

static void hear(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                 const uint8_t issuer_gid[16], uint32_t tid)
{
	struct poll_fixture *b = arg;

	CHECK_EQUAL(source, SMA_NOTICE_POLL);
	CHECK_EQUAL(size, SMA_BLOCK_SIZE);
	CHECK_OCTETS(issuer_gid, b->local.gid, sizeof(b->local.gid));
	CHECK_EQUAL(tid, 0);
	CHECK_EQUAL(notice_judge(data, size), NOTICE_WANTED);
	if (CHECK(b->reported < POLL_NOTICES))
		memcpy(b->notices[b->reported++], data, SMA_BLOCK_SIZE);
}

void poll_fixture_open(struct poll_fixture *b, bool counters)
{
	const struct engine_config config = {.port = 1, .window = 16, .timeout_ms = 250, .tries = 2};

	logged_start(false);
	fixture_open(&b->fixture);
	b->engine = engine_open(&config);
	fake_transport_attach(&b->fake, b->engine);
	b->poll = change_poll_new(b->fixture.node, counters ? b->engine : NULL, b->qp1_port, b->interval,
	                          hear, b);
}

void poll_fixture_begin(struct poll_fixture *b)
{
	poll_fixture_open(b, false);
	poll_fixture_advance(b, 100);
	CHECK_EQUAL(b->reported, 0);
}

void poll_fixture_end(struct poll_fixture *b)
{
	change_poll_free(b->poll);
	engine_close(b->engine);
	fixture_close(&b->fixture);
	logged_stop();
}

static uint64_t run(void *arg, uint64_t now)
{
	struct poll_fixture *b = arg;

	b->rounds++;
	engine_process(b->engine, now);
	b->wake = change_poll_run(b->poll, &b->local, b->covered, now);
	b->wake = sma_earlier(b->wake, engine_process(b->engine, now));
	return b->wake;
}

void poll_fixture_round(struct poll_fixture *b)
{
	run(b, b->fixture.now);
	fixture_settle(&b->fixture);
}

void poll_fixture_advance(struct poll_fixture *b, uint64_t ms)
{
	fixture_run(&b->fixture, ms, run, b);
}

void poll_fixture_look(struct poll_fixture *b)
{
	poll_fixture_advance(b, b->interval);
}

/* ---- what is seen ---- */

unsigned poll_fixture_asked(struct poll_fixture *b, uint16_t attribute)
{
	return fake_qp0_count(b->fixture.fake, attribute);
}

const uint8_t *poll_fixture_last(const struct poll_fixture *b)
{
	static const uint8_t none[SMA_BLOCK_SIZE];

	return b->reported ? b->notices[b->reported - 1] : none;
}
