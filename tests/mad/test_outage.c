// SPDX-License-Identifier: BSD-2-Clause
/* A device that cannot be read for a while, or for good, and one that gives more than is taken. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "sma/log.h"
#include "sma/mad/mad.h"
#include "tests/fakes/fake_umad.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { LIMIT_MS = 5000, LOST_MS = 10000, START = 1000, PORT_INFO = 0x15, PORT_STATE = 32, ACTIVE = 4 };

static struct sma_device one = {.name = "dev0", .port = 1};
static struct sma_device two = {.name = "dev0", .port = 2, .others = {1}, .other_count = 1};

struct fixture {
	struct fake_umad *umad;
	struct mad_ports *ports;
	struct engine *engine; /* of the first */
	uint64_t now;
};

static void begin(struct fixture *b, struct sma_device *device)
{
	const struct engine_config config = {.window = 16, .timeout_ms = 250, .tries = 2};
	const struct sma_devices devices = {device, 1};
	char error[1024];

	logged_start(false);
	*b = (struct fixture){.umad = fake_umad_reset(), .now = START};
	CHECK_EQUAL(mad_ports_open(&devices, &config, &b->ports, error, sizeof(error)), 0);
	CHECK_TEXT(b->ports->device->name, device->name);
	CHECK_EQUAL(b->umad->opened, 1 + device->other_count);
	b->engine = b->ports->list[0].engine;
}

static void end(struct fixture *b)
{
	mad_ports_close(b->ports);
	CHECK_EQUAL(b->umad->opened, 0);
	logged_stop();
}

/* Whether the ports want to be processed because of what their readers found. */
static bool wakes(const struct fixture *b, int timeout_ms)
{
	struct pollfd fd = {.fd = b->ports->fd, .events = POLLIN};

	return poll(&fd, 1, timeout_ms) == 1;
}

/* One round of a loop `ms` later, begun by the ports. */
static uint64_t woken(struct fixture *b, unsigned ms)
{
	CHECK(wakes(b, LIMIT_MS));
	b->now += ms;
	return mad_ports_process(b->ports, b->now);
}

static uint64_t later(struct fixture *b, unsigned ms)
{
	b->now += ms;
	return mad_ports_process(b->ports, b->now);
}

static void take_state(void *arg, const struct engine_result *result)
{
	unsigned *state = arg;

	if (CHECK_EQUAL(result->error, 0) && CHECK_EQUAL(result->status, 0))
		*state = result->data[PORT_STATE];
}

/* Ask the port for its state, and answer. */
static void check_works(struct fixture *b)
{
	const struct engine_address self = {.route = ENGINE_SELF};
	struct peer *peer = peer_open(b->engine, MAD_CLASS_SM, &self, 1);
	unsigned state = 0;
	const struct engine_request request = {
		.method = MAD_GET, .attribute = PORT_INFO, .done = take_state, .arg = &state};
	uint8_t mad[MAD_SIZE];

	CHECK_EQUAL(peer_submit(peer, &request, b->now, NULL), 0);
	later(b, 0);
	memcpy(mad, b->umad->sent[b->umad->sent_count - 1].mad, sizeof(mad));
	mad[3] |= MAD_RESPONSE;
	mad[64 + PORT_STATE] = ACTIVE;
	fake_umad_put(mad, sizeof(mad), sizeof(mad), 0, 0, 0xFFFF, 0);
	woken(b, 1);
	CHECK_EQUAL(state, ACTIVE);
	peer_close(peer);
}

static void test_recovery(void)
{
	struct fixture b;

	begin(&b, &one);
	fake_umad_break(EIO);
	CHECK_EQUAL(woken(&b, 0), START + LOST_MS);
	CHECK_EQUAL(
		logged_with(
			"sma: QP0 of port 1 cannot be read: Input/output error; trying again every second"),
		1);
	CHECK_EQUAL(later(&b, LOST_MS - 1), START + LOST_MS);
	CHECK_EQUAL(engine_lost(b.engine), 0);
	CHECK(!wakes(&b, 0));
	fake_umad_break(0);
	CHECK_EQUAL(woken(&b, 0), UINT64_MAX);
	CHECK_EQUAL(logged_with("sma: QP0 of port 1 can be read again"), 1);
	later(&b, LOST_MS);
	CHECK_EQUAL(engine_lost(b.engine), 0);
	check_works(&b);
	/* the next outage counts from its own beginning */
	fake_umad_break(ENODEV);
	CHECK_EQUAL(woken(&b, 0), b.now + LOST_MS);
	later(&b, LOST_MS - 1);
	CHECK_EQUAL(engine_lost(b.engine), 0);
	end(&b);
}

static void test_loss(void)
{
	struct fixture b;

	begin(&b, &one);
	fake_umad_break(ENODEV);
	woken(&b, 0);
	later(&b, LOST_MS - 1);
	CHECK_EQUAL(engine_lost(b.engine), 0);
	CHECK_EQUAL(later(&b, 1), UINT64_MAX);
	CHECK_EQUAL(engine_lost(b.engine), ENODEV);
	CHECK_EQUAL(logged_level(SMA_LOG_ERROR), 1);
	end(&b);
}

/* A device that fails at once is not tried without a pause, and logged once. */
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

/* Each port has its own outage. */
static void test_other_port(void)
{
	struct fixture b;

	begin(&b, &two);
	b.umad->target = 1; /* port 1 is opened after port 2 */
	fake_umad_break(EIO);
	CHECK_EQUAL(woken(&b, 0), b.now + LOST_MS);
	CHECK_EQUAL(logged_with("QP0 of port 1 cannot be read"), 1);
	CHECK_EQUAL(later(&b, LOST_MS), UINT64_MAX);
	CHECK_EQUAL(engine_lost(b.engine), 0);
	CHECK_EQUAL(mad_ports_lost(b.ports), EIO);
	b.umad->target = 0;
	fake_umad_break(ENODEV);
	CHECK_EQUAL(woken(&b, 0), b.now + LOST_MS);
	b.umad->target = 1;
	fake_umad_break(0);
	CHECK_EQUAL(woken(&b, 0), b.now + LOST_MS);
	later(&b, LOST_MS);
	CHECK_EQUAL(engine_lost(b.engine), ENODEV);
	CHECK_EQUAL(mad_ports_lost(b.ports), ENODEV);
	end(&b);
}

/* More than is taken: what is too much is dropped and logged, and the change of the device is not.
 */
static void test_flood(void)
{
	static const uint8_t get[] = {1, 0x81, 1, 0x81};
	struct fixture b;

	begin(&b, &one);
	for (unsigned i = 0; i < MAILBOX_CAPACITY + 7; i++)
		fake_umad_put(get, sizeof(get), MAD_SIZE, 0, 0, 0xFFFF, 0);
	CHECK(fake_umad_wait_taken());
	fake_umad_break(EIO);
	CHECK(fake_umad_wait_slept(1));
	CHECK_EQUAL(woken(&b, 0), START + LOST_MS);
	CHECK_EQUAL(logged_with("sma: 8 received MADs were dropped: they came faster than they were read"),
	            1);
	CHECK_EQUAL(engine_strange(b.engine), MAILBOX_CAPACITY - 1);
	CHECK(!wakes(&b, 0));
	later(&b, 1);
	CHECK_EQUAL(logged_with("dropped"), 1);
	end(&b);
}

static const struct unit_test tests[] = {
	{"a device that can be read again goes on", test_recovery},
	{"a device that cannot be read for 10 s is lost", test_loss},
	{"a device that fails is tried once a second", test_pause},
	{"each port has an outage of its own", test_other_port},
	{"MADs are dropped and counted, a change of the device is not", test_flood},
};

int main(void)
{
	return UNIT_MAIN("outage", tests);
}
