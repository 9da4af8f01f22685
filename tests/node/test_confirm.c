// SPDX-License-Identifier: BSD-2-Clause
/* Nodes elsewhere: what another one answers, that was put into the place of this one, is never taken for it.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "sma/node/node.h"
#include "tests/fakes/fake_transport.h"
#include "tests/unit.h"

enum {
	START = 1000 * 1000,
	PORTS = 8,
	NODE_INFO = 0x11,
	LIMIT = 2,
	SILENT = 0, /* nobody is there */
	THIS,
	OTHER,
};

#define GUID 0x0002c90300000000ULL

static struct {
	struct engine *engine;
	struct fake_transport fake;
	struct sma_node *node;
	uint64_t now;
	unsigned who;      /* is there */
	unsigned local;    /* port of it */
	unsigned until;    /* MADs, from which on it is the other one; 0: never */
	unsigned sent;     /* MADs */
	unsigned checks;   /* of them for NodeInfo */
	unsigned told;     /* blocks */
	uint64_t stranger; /* the last */
	unsigned strangers;
} t;

/* Every attribute of a node begins with its number. */
static void answer(const struct fake_sent *sent)
{
	struct mail mail = fake_transport_answer(sent, 0);
	struct mad_head head;
	uint8_t *data = mail.mad + SMP_AT_DATA;

	t.sent++;
	if (t.until && t.sent > t.until)
		t.who = OTHER;
	mad_read_head(sent->packet.mad, MAD_SIZE, &head);
	t.checks += head.attribute == NODE_INFO;
	if (t.who == SILENT)
		return;
	memset(data, 0, SMA_BLOCK_SIZE);
	data[0] = (uint8_t)t.who;
	if (head.attribute == NODE_INFO) {
		sma_component_set(data, SMA_NodeInfo_NodeGUID, GUID + t.who);
		sma_component_set(data, SMA_NodeInfo_LocalPortNum, t.local);
	}
	fake_transport_post(&t.fake, &mail);
}

static void note_block(void *arg, const struct sma_key *key)
{
	(void)arg;
	(void)key;
	t.told++;
}

static void note_stranger(void *arg, unsigned port, uint64_t guid)
{
	(void)arg;
	(void)port;
	t.strangers++;
	t.stranger = guid;
}

static struct engine_address routed(uint8_t hop)
{
	return (struct engine_address){.route = ENGINE_ROUTED, .hops = 1, .path = {0, hop}};
}

static void begin(unsigned port)
{
	const struct engine_address address = routed(3);
	struct engine_config of_engine;
	struct sma_config config;

	memset(&t, 0, sizeof(t));
	t.now = START;
	t.who = THIS;
	t.local = port;
	sma_config_init(&config);
	of_engine = sma_config_engine(&config);
	t.engine = engine_open(&of_engine);
	fake_transport_attach(&t.fake, t.engine);
	t.fake.on_send = answer;
	CHECK_EQUAL(sma_node_new(&config, port, &t.node), 0);
	CHECK_EQUAL(sma_node_attach_remote(t.node, port, t.engine, &address, GUID + THIS, LIMIT), 0);
	sma_node_listen(t.node, note_block, NULL);
	sma_node_on_stranger(t.node, note_stranger, NULL);
}

static void end(void)
{
	sma_node_close(t.node);
	engine_close(t.engine);
}

/* Whether MADs wait to be taken. */
static bool is_waiting(void)
{
	struct pollfd fd = {.fd = engine_fd(t.engine), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

static uint64_t settle(void)
{
	uint64_t due;

	do
		due = engine_process(t.engine, t.now);
	while (due <= t.now || is_waiting());
	return due;
}

/* Rounds at each moment at which something is due. */
static void advance(uint64_t ms)
{
	const uint64_t until = t.now + ms;
	uint64_t due;

	while ((due = settle()) < until)
		t.now = due;
	t.now = until;
	settle();
}

/* The number of the node that PortInfo of a port is from, or -errno. */
static int read_port(unsigned port)
{
	const struct sma_key key = sma_key_port(sma_node_id(t.node), port);
	struct sma_reader reader = {.node = t.node, .now = t.now, .since = t.now, .budget = 1};
	const uint8_t *data;
	int rc = sma_read_block(&reader, &key, &data);

	return rc < 0 ? rc : data[0];
}

static void ask_all(void)
{
	for (unsigned port = 1; port <= PORTS; port++)
		CHECK_EQUAL(read_port(port), -EAGAIN);
}

/* ---- cases ---- */

/* Blocks that are asked for together share one NodeInfo, and are told of when they are certain. */
static void test_confirmed(void)
{
	begin(0);
	ask_all();
	advance(10);
	CHECK_EQUAL(t.sent, PORTS + 1);
	CHECK_EQUAL(t.checks, 1);
	CHECK_EQUAL(t.told, PORTS);
	for (unsigned port = 1; port <= PORTS; port++)
		CHECK_EQUAL(read_port(port), THIS);
	CHECK_EQUAL(t.strangers, 0);
	end();
}

/* NodeInfo needs no other one. */
static void test_node_info(void)
{
	struct sma_key key;
	struct sma_reader reader;
	const uint8_t *data;

	begin(0);
	key = sma_key_node(sma_node_id(t.node), SMA_NodeInfo);
	reader = (struct sma_reader){.node = t.node, .now = t.now, .since = t.now, .budget = 1};
	CHECK_EQUAL(sma_read_block(&reader, &key, &data), -EAGAIN);
	advance(10);
	CHECK_EQUAL(t.sent, 1);
	CHECK_EQUAL(sma_read_block(&reader, &key, &data), 0);
	CHECK_EQUAL(sma_node_state(t.node), SMA_ANSWERING);
	end();
}

/* Whenever the other node takes its place, nothing of it is read. */
static void test_swapped(void)
{
	for (unsigned until = 1; until <= PORTS + 1; until++) {
		begin(0);
		t.until = until;
		ask_all();
		advance(100);
		for (unsigned port = 1; port <= PORTS; port++)
			CHECK(read_port(port) != OTHER);
		CHECK_EQUAL(t.strangers, until <= PORTS ? 1 : 0);
		CHECK_EQUAL(t.stranger, until <= PORTS ? GUID + OTHER : 0);
		CHECK_EQUAL(t.told, PORTS);
		end();
	}
}

/* Where another one is, nothing is asked for a while; then the right one may be back. */
static void test_stranger(void)
{
	unsigned sent;

	begin(0);
	t.who = OTHER;
	CHECK_EQUAL(read_port(1), -EAGAIN);
	advance(10);
	CHECK_EQUAL(t.strangers, 1);
	sent = t.sent;
	CHECK_EQUAL(read_port(1), -ETIMEDOUT);
	advance(4000);
	CHECK_EQUAL(read_port(1), -ETIMEDOUT);
	CHECK_EQUAL(t.sent, sent);
	t.who = THIS;
	advance(1000);
	CHECK_EQUAL(read_port(1), -EAGAIN);
	advance(10);
	CHECK_EQUAL(read_port(1), THIS);
	end();
}

/* Of a channel adapter the answer has to come from the port that was asked. */
static void test_local_port(void)
{
	begin(2);
	CHECK_EQUAL(read_port(2), -EAGAIN);
	advance(10);
	CHECK_EQUAL(read_port(2), THIS);
	end();
	begin(2);
	t.local = 1;
	CHECK_EQUAL(read_port(2), -EAGAIN);
	advance(10);
	CHECK_EQUAL(t.strangers, 1);
	CHECK_EQUAL(read_port(2), -ETIMEDOUT);
	end();
}

/* An answer from the old address does not count at the new one. */
static void test_moved(void)
{
	const struct engine_address elsewhere = routed(4);

	begin(0);
	t.who = OTHER;
	CHECK_EQUAL(read_port(1), -EAGAIN);
	engine_process(t.engine, t.now); /* sent, and answered by the other one */
	sma_node_move(t.node, 0, &elsewhere);
	t.who = THIS;
	advance(10);
	CHECK(read_port(1) != OTHER);
	advance(1000);
	CHECK_EQUAL(read_port(1), THIS);
	CHECK_EQUAL(peer_address(sma_node_peer(t.node, 0))->path[1], 4);
	CHECK_EQUAL(t.strangers, 0);
	end();
}

static void test_detached(void)
{
	begin(0);
	ask_all();
	advance(10);
	sma_node_detach(t.node, 0);
	CHECK(!sma_node_reaches(t.node, 0));
	CHECK_EQUAL(read_port(1), -ENOENT);
	CHECK_EQUAL(sma_dm_turn(t.node), 0);
	CHECK_EQUAL(sma_node_state(t.node), SMA_UNKNOWN);
	sma_node_detach(t.node, 0);
	end();
}

/* Requests that are on their way end with the endpoint. */
static void test_detached_busy(void)
{
	begin(0);
	t.who = SILENT;
	ask_all();
	engine_process(t.engine, t.now);
	sma_node_detach(t.node, 0);
	advance(2000);
	CHECK_EQUAL(t.told, 0);
	end();
}

/* One that answers nothing is asked less and less, and no answer is waited for in vain. */
static void test_silent(void)
{
	begin(0);
	t.who = SILENT;
	CHECK_EQUAL(read_port(1), -EAGAIN);
	advance(5000);
	CHECK_EQUAL(sma_node_state(t.node), SMA_SILENT);
	CHECK_EQUAL(t.told, 1);
	end();
}

static const struct unit_test tests[] = {
	{"what is confirmed", test_confirmed},
	{"NodeInfo confirms itself", test_node_info},
	{"a node that is swapped for another one at any time", test_swapped},
	{"a stranger", test_stranger},
	{"the port that answers", test_local_port},
	{"another address", test_moved},
	{"detached", test_detached},
	{"detached with requests on their way", test_detached_busy},
	{"a silent node", test_silent},
};

int main(void)
{
	return UNIT_MAIN("node: confirmation", tests);
}
