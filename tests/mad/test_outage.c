// SPDX-License-Identifier: BSD-2-Clause
/* A device that cannot be read for a while, or for good, and one that gives more than is taken: a node that
 * is read through QP0. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "sma/iba/smp.h"
#include "sma/log.h"
#include "sma/node/node.h"
#include "tests/fakes/fake_umad.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { LIMIT_MS = 5000, LOST_MS = 10000, START = 1000, CAPACITY = 512, SHOWN = 0x7E };

static struct sma_device one = {.name = "dev0", .port = 1};
static struct sma_device two = {.name = "dev0", .port = 2, .others = {1}, .other_count = 1};

struct fixture {
	struct fake_umad *umad;
	struct sma_node *node;
	uint64_t now;
};

static void begin(struct fixture *b, struct sma_device *device)
{
	const struct sma_devices devices = {device, 1};
	const struct sma_device *opened;
	struct sma_config config;
	char error[1024];

	logged_start(false);
	sma_config_init(&config);
	*b = (struct fixture){.umad = fake_umad_reset(), .now = START};
	CHECK_EQUAL(sma_node_open(&devices, &config, &b->node, &opened, error, sizeof(error)), 0);
	CHECK(opened == device);
	CHECK_EQUAL(b->umad->opened, 1 + device->other_count);
}

static void end(struct fixture *b)
{
	sma_node_close(b->node);
	CHECK_EQUAL(b->umad->opened, 0);
	logged_stop();
}

/* Whether the node wants to be called because of what its readers found. */
static bool wakes(const struct fixture *b, int timeout_ms)
{
	struct pollfd fd = {.fd = sma_node_fd(b->node), .events = POLLIN};

	return poll(&fd, 1, timeout_ms) == 1;
}

/* One round of a loop `ms` later, begun by the node. */
static uint64_t woken(struct fixture *b, unsigned ms)
{
	CHECK(wakes(b, LIMIT_MS));
	b->now += ms;
	return sma_node_process(b->node, b->now);
}

static uint64_t later(struct fixture *b, unsigned ms)
{
	b->now += ms;
	return sma_node_process(b->node, b->now);
}

static int read_state(struct fixture *b, uint64_t *state)
{
	const struct sma_key key = sma_key_port(b->node, 1);
	struct sma_reader reader = {.node = b->node, .now = b->now, .patience = SMA_FRESH, .budget = 1};

	return sma_read(&reader, &key, SMA_PortInfo_PortState, state);
}

/* The answer to the request that was sent last. */
static void answer(struct fixture *b)
{
	uint8_t mad[SMA_MAD_SIZE];

	memcpy(mad, b->umad->sent[b->umad->sent_count - 1].mad, sizeof(mad));
	mad[3] |= 0x80;
	mad[64 + 32] = 4; /* PortInfo.PortState */
	fake_umad_put(mad, sizeof(mad), sizeof(mad), 0, 0, 0xFFFF, 0);
}

static void test_recovery(void)
{
	uint64_t state = 0;
	struct fixture b;

	begin(&b, &one);
	fake_umad_break(EIO);
	CHECK_EQUAL(woken(&b, 0), START + LOST_MS);
	CHECK_EQUAL(
		logged_with(
			"sma: QP0 of port 1 cannot be read: Input/output error; trying again every second"),
		1);
	CHECK_EQUAL(later(&b, LOST_MS - 1), START + LOST_MS);
	CHECK_EQUAL(sma_node_lost(b.node), 0);
	CHECK(!wakes(&b, 0));
	fake_umad_break(0);
	CHECK_EQUAL(woken(&b, 0), UINT64_MAX);
	CHECK_EQUAL(logged_with("sma: QP0 of port 1 can be read again"), 1);
	later(&b, LOST_MS);
	CHECK_EQUAL(sma_node_lost(b.node), 0);
	/* it works */
	CHECK_EQUAL(read_state(&b, &state), -EAGAIN);
	later(&b, 0);
	answer(&b);
	woken(&b, 1);
	CHECK_EQUAL(read_state(&b, &state), 0);
	CHECK_EQUAL(state, 4);
	/* the next outage counts from its own beginning */
	fake_umad_break(ENODEV);
	CHECK_EQUAL(woken(&b, 0), b.now + LOST_MS);
	later(&b, LOST_MS - 1);
	CHECK_EQUAL(sma_node_lost(b.node), 0);
	end(&b);
}

static void test_loss(void)
{
	struct fixture b;

	begin(&b, &one);
	fake_umad_break(ENODEV);
	woken(&b, 0);
	later(&b, LOST_MS - 1);
	CHECK_EQUAL(sma_node_lost(b.node), 0);
	CHECK_EQUAL(later(&b, 1), UINT64_MAX);
	CHECK_EQUAL(sma_node_lost(b.node), ENODEV);
	CHECK_EQUAL(logged_level(SMA_LOG_ERROR), 1);
	end(&b);
}

/* A device that fails at once is not tried without a pause, and told of once. */
static void test_pause(void)
{
	struct fixture b;

	begin(&b, &one);
	fake_umad_break(EIO);
	woken(&b, 0);
	CHECK(fake_umad_wait_slept(3000));
	fake_umad_break(0);
	woken(&b, 0);
	CHECK_EQUAL(logged_with("cannot be read"), 1);
	end(&b);
	CHECK_EQUAL(b.umad->slept_ms, b.umad->failed * 1000);
}

/* The node is that of the port that was chosen: it goes on without the others, and does not without it. */
static void test_other_port(void)
{
	struct fixture b;

	begin(&b, &two);
	b.umad->target = 1; /* port 1 is opened after port 2 */
	fake_umad_break(EIO);
	CHECK_EQUAL(woken(&b, 0), UINT64_MAX);
	CHECK_EQUAL(logged_with("QP0 of port 1 cannot be read"), 1);
	later(&b, LOST_MS);
	CHECK_EQUAL(sma_node_lost(b.node), 0);
	b.umad->target = 0;
	fake_umad_break(EIO);
	CHECK_EQUAL(woken(&b, 0), b.now + LOST_MS);
	b.umad->target = 1;
	fake_umad_break(0);
	CHECK_EQUAL(woken(&b, 0), b.now + LOST_MS);
	later(&b, LOST_MS);
	CHECK_EQUAL(sma_node_lost(b.node), EIO);
	end(&b);
}

/* More than is taken: what is too much is dropped and told of, and the news that the device is gone is not.
 */
static void test_flood(void)
{
	static const uint8_t get[] = {1, 0x81, 1, 0x81};
	struct sma_counters counters;
	struct fixture b;

	begin(&b, &one);
	for (unsigned i = 0; i < CAPACITY + 7; i++)
		fake_umad_put(get, sizeof(get), SMA_MAD_SIZE, 0, 0, 0xFFFF, 0);
	CHECK(fake_umad_wait_taken());
	fake_umad_break(EIO);
	CHECK(fake_umad_wait_slept(1));
	CHECK_EQUAL(woken(&b, 0), START + LOST_MS);
	CHECK_EQUAL(logged_with("sma: 8 received MADs were dropped: they came faster than they were read"),
	            1);
	sma_node_counters(b.node, &counters);
	CHECK_EQUAL(counters.strange, CAPACITY - 1);
	CHECK(!wakes(&b, 0));
	later(&b, 1);
	CHECK_EQUAL(logged_with("dropped"), 1);
	end(&b);
}

static const struct unit_test tests[] = {
	{"a device that can be read again goes on", test_recovery},
	{"a device that cannot be read for 10 s is lost", test_loss},
	{"a device that fails is tried once a second", test_pause},
	{"only the port of the node counts", test_other_port},
	{"MADs are dropped and counted, a change of the device is not", test_flood},
};

int main(void)
{
	return UNIT_MAIN("outage", tests);
}
