// SPDX-License-Identifier: BSD-2-Clause
/* What nodes cost: little while they hold nothing, and about their blocks then. */
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <string.h>

#include "sma/node/node.h"
#include "tests/unit.h"

enum {
	NODES = 1000,
	PORTS = 36,
	NODE_MOST = 2 * 1024,
	ALL_MOST = 16 * 1024 * 1024,
	BLOCKS_LEAST = NODES * PORTS * SMA_BLOCK_SIZE,
};

/* A transport that answers each Get. */
struct echo {
	struct transport transport;
	struct mailbox *box;
};

static int echo_send(struct transport *transport, const struct packet *packet, unsigned timeout_ms)
{
	const struct echo *echo = (struct echo *)transport;
	struct mail mail = {.kind = MAIL_MAD, .slid = MAD_PERMISSIVE_LID, .size = MAD_SIZE};

	(void)timeout_ms;
	memcpy(mail.mad, packet->mad, MAD_SIZE);
	mad_set_method(mail.mad, MAD_GET | MAD_RESPONSE);
	mailbox_put(echo->box, &mail);
	return 0;
}

static void echo_close(struct transport *transport)
{
	(void)transport;
}

static const struct transport_ops echo_ops = {.send = echo_send, .close = echo_close};

static struct engine *engine;
static struct echo echo = {{&echo_ops}, NULL};
static struct sma_node *nodes[NODES];
static struct sma_config config;

static void begin(void)
{
	struct engine_config of_engine;

	sma_config_init(&config);
	of_engine = sma_config_engine(&config);
	engine = engine_open(&of_engine);
	echo.box = engine_mailbox(engine);
	engine_attach(engine, &echo.transport);
}

static void open_nodes(unsigned first)
{
	for (unsigned i = first; i < NODES; i++) {
		CHECK_EQUAL(sma_node_new(&config, 0, &nodes[i]), 0);
		CHECK_EQUAL(sma_node_attach(nodes[i], 0, engine, false), 0);
	}
}

/* Whether MADs wait to be taken. */
static bool is_waiting(void)
{
	struct pollfd fd = {.fd = engine_fd(engine), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

/* Read PortInfo of all ports of a node. */
static void fill(struct sma_node *node)
{
	for (unsigned port = 1; port <= PORTS; port++) {
		const struct sma_key key = sma_key_port(sma_node_id(node), port);
		struct sma_reader reader = {.node = node, .now = 1, .since = 1, .budget = 1};
		const uint8_t *data;

		CHECK_EQUAL(sma_read_block(&reader, &key, &data), -EAGAIN);
	}
	do
		engine_process(engine, 1);
	while (is_waiting());
}

static void check_filled(struct sma_node *node)
{
	struct sma_condition condition;

	sma_node_condition(node, &condition);
	CHECK_EQUAL(condition.attrs[SMA_PortInfo].good, PORTS);
}

static void end(void)
{
	for (unsigned i = 0; i < NODES; i++)
		sma_node_close(nodes[i]);
	engine_close(engine);
}

/* Bytes in use; 0 where the allocator does not know. */
static size_t in_use(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void test_empty(void)
{
	size_t before;

	begin();
	before = in_use();
	open_nodes(0);
	CHECK((in_use() - before) / NODES <= NODE_MOST);
	end();
}

static void test_many(void)
{
	size_t before;
	size_t grown;

	begin();
	CHECK_EQUAL(sma_node_new(&config, 0, &nodes[0]), 0);
	CHECK_EQUAL(sma_node_attach(nodes[0], 0, engine, false), 0);
	fill(nodes[0]);
	before = in_use();
	open_nodes(1);
	for (unsigned i = 1; i < NODES; i++)
		fill(nodes[i]);
	grown = in_use() - before;
	CHECK(grown <= ALL_MOST);
	CHECK(!before || grown > BLOCKS_LEAST / 2);
	for (unsigned i = 0; i < NODES; i++)
		check_filled(nodes[i]);
	end();
}

static const struct unit_test tests[] = {
	{"a node that holds nothing", test_empty},
	{"1,000 nodes of 36 ports", test_many},
};

int main(void)
{
	return UNIT_MAIN("size of nodes", tests);
}
