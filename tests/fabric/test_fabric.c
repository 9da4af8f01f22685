// SPDX-License-Identifier: BSD-2-Clause
/* Sweeps of a fabric, and what becomes of its nodes and links from one to the next. */
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "sma/fabric/fabric.h"
#include "tests/fakes/fake_fabric.h"
#include "tests/unit.h"

enum { START = 1000 * 1000, SWEEP_MS = 60 * 1000, SECOND = 1000, GUID = 0x1000, EVENTS = 4096 };

static struct {
	struct engine *engine;
	struct engine_config config;
	struct fake_fabric fake;
	struct fabric *fabric;
	uint64_t now;
	unsigned count;
	struct {
		enum fabric_event event;
		uint64_t guid;
	} events[EVENTS];
	unsigned busiest; /* the most SMPs at once */
} t;

static void hear(void *arg, enum fabric_event event, struct fabric_node *node)
{
	(void)arg;
	if (t.count < EVENTS) {
		t.events[t.count].event = event;
		t.events[t.count++].guid = node->guid;
	}
}

static unsigned count_events(enum fabric_event event, uint64_t guid)
{
	unsigned count = 0;

	for (unsigned i = 0; i < t.count; i++)
		count += t.events[i].event == event && (!guid || t.events[i].guid == guid);
	return count;
}

static void begin(unsigned background)
{
	const struct fabric_config config = {.sweep_ms = SWEEP_MS};

	memset(&t, 0, sizeof(t));
	t.now = START;
	t.config = (struct engine_config){
		.port = 1, .window = 16, .timeout_ms = 100, .tries = 2, .background = background};
	t.engine = engine_open(&t.config);
	fake_fabric_open(&t.fake, t.engine);
	CHECK_EQUAL(fabric_open(t.engine, &config, &t.fabric), 0);
	fabric_listen(t.fabric, hear, NULL);
}

static void end(void)
{
	fabric_close(t.fabric);
	engine_close(t.engine);
	fake_fabric_close(&t.fake);
}

/* ---- time ---- */

static bool is_waiting(void)
{
	struct pollfd fd = {.fd = engine_fd(t.engine), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

static uint64_t settle(void)
{
	uint64_t due;
	uint64_t again;

	do {
		due = engine_process(t.engine, t.now);
		again = fabric_run(t.fabric, t.now);
		due = again < due ? again : due;
		again = engine_begin(t.engine);
		due = again < due ? again : due;
	} while (due <= t.now || is_waiting());
	return due;
}

static void advance(uint64_t ms)
{
	const uint64_t until = t.now + ms;
	uint64_t due;

	while ((due = settle()) < until)
		t.now = due;
	t.now = until;
	settle();
}

static struct fabric_progress progress(void)
{
	struct fabric_progress now;

	fabric_progress(t.fabric, &now);
	return now;
}

/* Whether a sweep ends within some time. */
static bool sweep_ends(uint64_t ms)
{
	const uint64_t sweeps = progress().sweeps;
	const uint64_t until = t.now + ms;

	while (progress().sweeps == sweeps && t.now < until)
		advance(SECOND);
	return progress().sweeps > sweeps;
}

/* ---- fabrics ---- */

/* Switches 1 and 2 with two links between them; hosts 0 (this one), 3 and 4 at switch 1, 5 at 2, and 6 at
 * both.
 */
static void build(void)
{
	static const unsigned types[] = {SMA_NODE_CA, SMA_NODE_SWITCH, SMA_NODE_SWITCH, SMA_NODE_CA,
	                                 SMA_NODE_CA, SMA_NODE_ROUTER, SMA_NODE_CA};
	static const unsigned links[][4] = {{0, 1, 1, 1}, {3, 1, 1, 2}, {4, 1, 1, 3}, {5, 1, 2, 1},
	                                    {1, 7, 2, 7}, {1, 8, 2, 8}, {6, 1, 1, 4}, {6, 2, 2, 4}};

	for (size_t i = 0; i < UNIT_COUNT(types); i++)
		fake_fabric_add(&t.fake, types[i], types[i] == SMA_NODE_SWITCH ? 8 : 2);
	for (size_t i = 0; i < UNIT_COUNT(links); i++)
		fake_fabric_link(&t.fake, (int)links[i][0], links[i][1], (int)links[i][2], links[i][3]);
}

/* `count` switches in a row, each with `hosts` hosts, behind host 0. */
static void build_row(unsigned count, unsigned hosts)
{
	int last = fake_fabric_add(&t.fake, SMA_NODE_CA, 1);

	for (unsigned i = 0; i < count; i++) {
		int node = fake_fabric_add(&t.fake, SMA_NODE_SWITCH, FAKE_FABRIC_PORTS);

		fake_fabric_link(&t.fake, last, i ? 2 : 1, node, 1);
		for (unsigned host = 0; host < hosts; host++)
			fake_fabric_link(&t.fake, fake_fabric_add(&t.fake, SMA_NODE_CA, 1), 1, node,
			                 3 + host);
		last = node;
	}
}

/* What the graph says is behind a port: the number of the node, or -1. */
static int behind(unsigned node, unsigned port)
{
	const struct fabric_node *from = fabric_find(t.fabric, GUID + node);
	const struct fabric_node *to = from ? from->ports[port].peer : NULL;

	return to ? (int)(to->guid - GUID) : -1;
}

/* Nodes, links and routes are those of the fake. */
static void check_all(void)
{
	for (unsigned i = 0; i < t.fake.count; i++) {
		const struct fake_node *fake = &t.fake.nodes[i];
		const struct fabric_node *node = fabric_find(t.fabric, fake->guid);

		if (!CHECK(node && node->reachable))
			continue;
		CHECK_EQUAL(node->type, fake->type);
		CHECK_EQUAL(node->port_count, fake->ports);
		CHECK(strcmp(node->description, fake->description) == 0);
		for (unsigned port = 1; port <= fake->ports; port++) {
			CHECK_EQUAL(behind(i, port), fake->links[port].node);
			if (fake->links[port].node >= 0)
				CHECK_EQUAL(node->ports[port].peer_port, fake->links[port].port);
		}
	}
}

/* ---- cases ---- */

static void test_sweep(void)
{
	const struct engine_address *route;

	begin(0);
	build();
	advance(10);
	check_all();
	CHECK_EQUAL(count_events(FABRIC_FOUND, 0), 7);
	CHECK_EQUAL(count_events(FABRIC_LOST, 0), 0);
	CHECK_EQUAL(progress().nodes, 7);
	CHECK_EQUAL(progress().links, 8);
	CHECK_EQUAL(progress().sweeps, 1);
	CHECK_EQUAL(progress().silent, 0);
	CHECK(!progress().running);
	CHECK_EQUAL(fabric_root(t.fabric)->guid, GUID);
	route = fabric_route(fabric_find(t.fabric, GUID + 5), 1);
	CHECK_EQUAL(route->hops, 3);
	CHECK_EQUAL(route->path[1], 1);
	CHECK(route->path[2] == 7 || route->path[2] == 8);
	CHECK_EQUAL(route->path[3], 1);
	CHECK(fabric_route(fabric_find(t.fabric, GUID + 6), 1));
	CHECK(fabric_route(fabric_find(t.fabric, GUID + 6), 2));
	CHECK(!fabric_route(fabric_find(t.fabric, GUID + 3), 2));
	end();
}

static void test_find(void)
{
	begin(0);
	build();
	advance(10);
	CHECK_EQUAL(fabric_find_lid(t.fabric, 2)->guid, GUID + 1);
	CHECK_EQUAL(fabric_find_lid(t.fabric, 2000 + 4 * 6 + 2)->guid, GUID + 6);
	CHECK(!fabric_find_lid(t.fabric, 0));
	CHECK(!fabric_find_lid(t.fabric, 1900));
	CHECK(!fabric_find_lid(t.fabric, 0xffff));
	CHECK_EQUAL(fabric_find_port(t.fabric, GUID + 6 + (2 << 16))->guid, GUID + 6);
	CHECK(!fabric_find_port(t.fabric, 1));
	CHECK(!fabric_find(t.fabric, 1));
	t.fake.nodes[1].lids[0] = 99;
	fabric_refresh(t.fabric, fabric_find(t.fabric, GUID + 1));
	advance(10);
	CHECK_EQUAL(fabric_find_lid(t.fabric, 99)->guid, GUID + 1);
	CHECK(!fabric_find_lid(t.fabric, 2));
	CHECK_EQUAL(count_events(FABRIC_CHANGED, GUID + 1), 1);
	end();
}

/* With a third of all SMPs lost each node and link is found all the same. */
static void test_loss(void)
{
	begin(0);
	build_row(6, 12);
	t.fake.lost_percent = 30;
	CHECK(sweep_ends(30 * SECOND));
	check_all();
	advance(300 * SECOND);
	check_all();
	CHECK_EQUAL(count_events(FABRIC_LOST, 0), 0);
	end();
}

/* Each node once, and inner links from one side only: a switch costs its ports and two more. */
static void test_cost(void)
{
	begin(0);
	build_row(4, 10);
	advance(10);
	check_all();
	CHECK(t.fake.sent <= 4 * (FAKE_FABRIC_PORTS + 3) + 41 * 3 + 4);
	end();
}

/* A link that is down, of which its switch tells: the other link is used, and the last one takes the node
 * along.
 */
static void test_links_go(void)
{
	begin(0);
	build();
	advance(10);
	fake_fabric_unlink(&t.fake, 1, 7);
	fabric_refresh(t.fabric, fabric_find(t.fabric, GUID + 1));
	advance(10);
	check_all();
	CHECK_EQUAL(fabric_route(fabric_find(t.fabric, GUID + 5), 1)->path[2], 8);
	CHECK_EQUAL(count_events(FABRIC_LOST, 0), 0);
	fake_fabric_unlink(&t.fake, 1, 8);
	fabric_refresh(t.fabric, fabric_find(t.fabric, GUID + 1));
	advance(10);
	CHECK_EQUAL(count_events(FABRIC_LOST, 0), 2);
	CHECK_EQUAL(count_events(FABRIC_LOST, GUID + 2), 1);
	CHECK_EQUAL(count_events(FABRIC_LOST, GUID + 5), 1);
	CHECK(!fabric_find(t.fabric, GUID + 5)->reachable);
	CHECK(!fabric_route(fabric_find(t.fabric, GUID + 5), 1));
	CHECK(!fabric_route(fabric_find(t.fabric, GUID + 6), 2));
	fake_fabric_link(&t.fake, 1, 5, 2, 5);
	fabric_refresh(t.fabric, fabric_find(t.fabric, GUID + 1));
	advance(10);
	check_all();
	CHECK_EQUAL(count_events(FABRIC_FOUND, GUID + 5), 2);
	CHECK_EQUAL(fabric_route(fabric_find(t.fabric, GUID + 5), 1)->path[2], 5);
	end();
}

/* Nobody tells: the next sweep sees it. */
static void test_next_sweep(void)
{
	unsigned before;

	begin(50);
	build();
	advance(10);
	before = t.count;
	fake_fabric_unlink(&t.fake, 3, 1);
	fake_fabric_link(&t.fake, 1, 6, fake_fabric_add(&t.fake, SMA_NODE_CA, 1), 1);
	snprintf(t.fake.nodes[4].description, sizeof(t.fake.nodes[4].description), "renamed");
	CHECK(sweep_ends(SWEEP_MS + 20 * SECOND));
	CHECK_EQUAL(count_events(FABRIC_LOST, GUID + 3), 1);
	CHECK_EQUAL(count_events(FABRIC_FOUND, GUID + 7), 1);
	CHECK_EQUAL(count_events(FABRIC_CHANGED, GUID + 4), 1);
	CHECK(strcmp(fabric_find(t.fabric, GUID + 4)->description, "renamed") == 0);
	CHECK_EQUAL(t.count, before + 3);
	end();
}

/* The first sweep is as fast as the window allows, later ones keep within the rate for the background. */
static void test_rate(void)
{
	unsigned long before;

	begin(50);
	build_row(3, 10);
	advance(10);
	CHECK_EQUAL(progress().sweeps, 1);
	advance(SWEEP_MS);
	CHECK_EQUAL(progress().sweeps, 1);
	before = t.fake.sent;
	advance(SECOND);
	CHECK(t.fake.sent - before <= 51);
	CHECK(t.fake.sent - before >= 30);
	end();
}

/* A node whose link is up, and that answers nothing any more, is lost after three looks; it comes back by
 * itself when it answers again. */
static void test_silent(void)
{
	begin(50);
	build();
	advance(10);
	t.fake.nodes[2].is_dead = true;
	CHECK(sweep_ends(SWEEP_MS + 60 * SECOND));
	CHECK_EQUAL(count_events(FABRIC_LOST, GUID + 2), 1);
	CHECK_EQUAL(count_events(FABRIC_LOST, GUID + 5), 1);
	CHECK_EQUAL(count_events(FABRIC_LOST, 0), 2);
	CHECK(progress().silent >= 1);
	t.fake.nodes[2].is_dead = false;
	advance(20 * SECOND);
	CHECK_EQUAL(count_events(FABRIC_FOUND, GUID + 2), 2);
	CHECK_EQUAL(count_events(FABRIC_FOUND, GUID + 5), 2);
	end();
}

/* Two nodes change places: each is where it is, and neither is taken for the other one. */
static void test_swapped(void)
{
	begin(0);
	build();
	advance(10);
	fake_fabric_link(&t.fake, 3, 1, 1, 3);
	fake_fabric_link(&t.fake, 4, 1, 1, 2);
	fabric_refresh(t.fabric, fabric_find(t.fabric, GUID + 1));
	advance(10);
	check_all();
	CHECK_EQUAL(fabric_route(fabric_find(t.fabric, GUID + 3), 1)->path[2], 3);
	CHECK_EQUAL(fabric_route(fabric_find(t.fabric, GUID + 4), 1)->path[2], 2);
	end();
}

/* Odd fabrics end all the same: a cable from a switch to itself, two nodes with one GUID, nodes without ports
 * or GUID, and a row longer than a route may be. */
static void test_odd(void)
{
	begin(0);
	build();
	fake_fabric_link(&t.fake, 2, 5, 2, 6);
	fake_fabric_link(&t.fake, 1, 5, fake_fabric_add(&t.fake, SMA_NODE_CA, 1), 1);
	fake_fabric_link(&t.fake, 1, 6, fake_fabric_add(&t.fake, SMA_NODE_CA, 1), 1);
	t.fake.nodes[7].guid = GUID + 3;
	t.fake.nodes[8].guid = 0;
	CHECK(sweep_ends(60 * SECOND));
	CHECK_EQUAL(progress().nodes, 7);
	CHECK_EQUAL(behind(2, 5), 2);
	advance(10 * 60 * SECOND);
	CHECK_EQUAL(count_events(FABRIC_LOST, 0), 0);
	end();
	begin(0);
	build_row(70, 0);
	CHECK(sweep_ends(60 * SECOND));
	CHECK_EQUAL(progress().nodes, MAD_MAX_HOPS + 1);
	end();
}

static void test_drop(void)
{
	struct fabric_node *node;

	begin(0);
	build();
	advance(10);
	node = fabric_find(t.fabric, GUID + 3);
	fabric_drop(node);
	CHECK(fabric_find(t.fabric, GUID + 3) == node);
	fake_fabric_unlink(&t.fake, 3, 1);
	fabric_refresh(t.fabric, fabric_find(t.fabric, GUID + 1));
	advance(10);
	fabric_drop(node);
	CHECK(!fabric_find(t.fabric, GUID + 3));
	CHECK(!fabric_find_lid(t.fabric, 2000 + 4 * 3 + 1));
	end();
}

/* Closed at any time. */
static void test_close(void)
{
	for (unsigned rounds = 0; rounds < 12; rounds++) {
		begin(0);
		build();
		for (unsigned i = 0; i < rounds; i++) {
			engine_process(t.engine, t.now);
			fabric_run(t.fabric, t.now);
		}
		end();
	}
}

/* A root that is a switch: this host is one. */
static void test_switch(void)
{
	begin(0);
	t.fake.local_port = 0;
	fake_fabric_add(&t.fake, SMA_NODE_SWITCH, 8);
	fake_fabric_link(&t.fake, 0, 3, fake_fabric_add(&t.fake, SMA_NODE_CA, 1), 1);
	fake_fabric_link(&t.fake, 0, 4, fake_fabric_add(&t.fake, SMA_NODE_SWITCH, 8), 8);
	advance(10);
	check_all();
	CHECK_EQUAL(fabric_route(fabric_root(t.fabric), 0)->hops, 0);
	CHECK_EQUAL(progress().sweeps, 1);
	end();
}

static const struct unit_test tests[] = {
	{"a sweep", test_sweep},
	{"nodes by LID and port GUID", test_find},
	{"lost SMPs", test_loss},
	{"what a sweep costs", test_cost},
	{"links that go down", test_links_go},
	{"the next sweep", test_next_sweep},
	{"the rate of later sweeps", test_rate},
	{"a node that falls silent", test_silent},
	{"nodes that change places", test_swapped},
	{"odd fabrics", test_odd},
	{"a node that is dropped", test_drop},
	{"closed at any time", test_close},
	{"behind a switch", test_switch},
};

int main(void)
{
	return UNIT_MAIN("fabric", tests);
}
