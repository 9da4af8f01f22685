// SPDX-License-Identifier: BSD-2-Clause
/* The software SMA on QP0 of a device: what it registers and answers, and what becomes of it when the device
 * fails, is held by another program, or gives more than is taken. */
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/wire/umadwire.h"
#include "tests/fakes/fake_umad.h"
#include "tests/logged.h"
#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

enum { LIMIT_MS = 5000, LOST_MS = 10000, START = 1000, CAPACITY = 512, ASKER = 0x1234, SL = 5 };
enum { REQUESTS = 1 << GET | 1 << SET | 1 << TRAP_REPRESS };

static const struct sma_device one = {.name = "dev0", .port = 1};
static const struct sma_device both = {.name = "dev0", .port = 2, .others = {1}, .other_count = 1};

struct fixture {
	struct fake_umad *umad;
	struct soft_fixture soft;
	struct umadwire *wire;
	char error[512];
};

static int begin(struct fixture *b, const struct sma_device *device, char node)
{
	soft_fixture_open(&b->soft, node);
	b->wire = NULL;
	return umadwire_open(device, &b->soft.responder, &b->wire, b->error, sizeof(b->error));
}

static void start(struct fixture *b, const struct sma_device *device)
{
	logged_start(false);
	b->umad = fake_umad_reset();
	CHECK_EQUAL(begin(b, device, 'c'), 0);
	CHECK_EQUAL(b->umad->opened, 1 + device->other_count);
}

static void end(struct fixture *b)
{
	umadwire_close(b->wire);
	soft_fixture_close(&b->soft);
	CHECK_EQUAL(b->umad->opened, 0);
	logged_stop();
}

static bool wakes(const struct fixture *b, int timeout_ms)
{
	struct pollfd fd = {.fd = umadwire_fd(b->wire), .events = POLLIN};

	return poll(&fd, 1, timeout_ms) == 1;
}

static uint64_t woken(struct fixture *b, uint64_t now)
{
	CHECK(wakes(b, LIMIT_MS));
	return umadwire_process(b->wire, now);
}

static void put(const struct fixture *b)
{
	fake_umad_put(b->soft.request, MAD_SIZE, MAD_SIZE, 0, 0, ASKER, SL);
}

static void put_get(struct fixture *b)
{
	soft_fixture_request(&b->soft, GET, ATTR_NODE_INFO, 0, NULL);
	put(b);
}

static const struct fake_umad_sent *last_sent(const struct fixture *b)
{
	return &b->umad->sent[(b->umad->sent_count - 1) % FAKE_UMAD_KEPT];
}

/* ---- service ---- */

static void test_agents(void)
{
	struct fixture b;

	start(&b, &one);
	CHECK(b.umad->agent_count >= 2);
	CHECK_EQUAL(b.umad->agents[0].class, CLASS_LID);
	CHECK_EQUAL(b.umad->agents[0].methods, REQUESTS);
	CHECK_EQUAL(b.umad->agents[1].class, CLASS_DIRECTED);
	CHECK_EQUAL(b.umad->agents[1].methods, REQUESTS);
	end(&b);
}

static void check_answer(const struct fixture *b, int agent, uint16_t lid)
{
	const struct fake_umad_sent *sent = last_sent(b);

	CHECK_EQUAL(sent->agent, agent);
	CHECK_EQUAL(sent->length, MAD_SIZE);
	CHECK_EQUAL(sent->timeout_ms, 0);
	CHECK_EQUAL(be16toh(sent->addr.lid), lid);
	CHECK_EQUAL(sent->addr.qpn, 0);
	CHECK_EQUAL(sent->addr.sl, SL);
	CHECK_EQUAL(sent->mad[AT_METHOD], GET_RESPONSE);
	CHECK_OCTETS(sent->mad + AT_TID, b->soft.request + AT_TID, 8);
	CHECK_EQUAL(sent->mad[AT_DATA + 2], SMA_NODE_CA);
}

static void test_answers(void)
{
	struct fixture b;

	start(&b, &one);
	put_get(&b);
	CHECK_EQUAL(woken(&b, START), UINT64_MAX);
	CHECK_EQUAL(b.umad->sent_count, 1);
	check_answer(&b, 0, ASKER);
	soft_fixture_request(&b.soft, GET, ATTR_NODE_INFO, 0, NULL);
	soft_fixture_direct(&b.soft, 1);
	put(&b);
	woken(&b, START);
	CHECK_EQUAL(b.umad->sent_count, 2);
	check_answer(&b, 1, ASKER);
	/* not for an SMA */
	soft_fixture_request(&b.soft, GET_RESPONSE, ATTR_NODE_INFO, 0, NULL);
	put(&b);
	woken(&b, START);
	CHECK_EQUAL(b.umad->sent_count, 2);
	end(&b);
}

/* Sets of what is kept: their answers leave when the disk has it, each to who asked. */
static void test_kept(void)
{
	static struct held held;
	struct fixture b;

	start(&b, &one);
	held = (struct held){0};
	b.soft.responder.held = &held;
	state_set(b.soft.state, 1, SMA_PortInfo_IsPKeyNVRAM, 1);
	soft_fixture_request(&b.soft, SET, 0x16, 0, NULL);
	put(&b);
	woken(&b, START);
	CHECK_EQUAL(b.umad->sent_count, 0);
	put_get(&b); /* continues */
	woken(&b, START);
	CHECK_EQUAL(b.umad->sent_count, 1);
	check_answer(&b, 0, ASKER);
	soft_fixture_request(&b.soft, SET, 0x16, 0, NULL);
	soft_fixture_direct(&b.soft, 1);
	fake_umad_put(b.soft.request, MAD_SIZE, MAD_SIZE, 0, 0, ASKER + 1, SL);
	woken(&b, START);
	CHECK_EQUAL(b.umad->sent_count, 1);
	held_seal(&held, 1);
	held_release(&held, 1);
	CHECK_EQUAL(b.umad->sent_count, 3);
	CHECK_EQUAL(be16toh(b.umad->sent[1].addr.lid), ASKER);
	CHECK_EQUAL(b.umad->sent[1].agent, 0);
	CHECK_EQUAL(b.umad->sent[1].mad[AT_METHOD], GET_RESPONSE);
	CHECK_EQUAL(b.umad->sent[1].addr.sl, SL);
	CHECK_EQUAL(be16toh(last_sent(&b)->addr.lid), ASKER + 1);
	CHECK_EQUAL(last_sent(&b)->agent, 1);
	CHECK_OCTETS(last_sent(&b)->mad + AT_TID, b.soft.request + AT_TID, 8);
	end(&b);
}

/* A trap that nobody repressed comes back. */
static void test_trap(void)
{
	uint8_t mad[MAD_SIZE] = {1, CLASS_LID, 1, 5};
	struct fixture b;

	start(&b, &both);
	umadwire_trap(b.wire, 1, mad, 0xBFFF, 3);
	CHECK_EQUAL(b.umad->sent_count, 1);
	CHECK_EQUAL(be16toh(last_sent(&b)->addr.lid), 0xBFFF);
	CHECK_EQUAL(last_sent(&b)->addr.sl, 3);
	CHECK_EQUAL(last_sent(&b)->timeout_ms, 1000);
	CHECK_EQUAL(b.umad->agents[last_sent(&b)->agent].class, CLASS_LID);
	umadwire_trap(b.wire, 3, mad, 1, 0);
	CHECK_EQUAL(b.umad->sent_count, 1);
	/* nothing that comes back is a request */
	fake_umad_put(mad, 4, MAD_SIZE, 0, ETIMEDOUT, 0xBFFF, 3);
	mad[AT_METHOD] = GET;
	mad[AT_ATTRIBUTE + 1] = ATTR_NODE_INFO;
	fake_umad_put(mad, sizeof(mad), MAD_SIZE, 0, ETIMEDOUT, 0xBFFF, 3);
	woken(&b, START);
	CHECK(fake_umad_wait_taken());
	umadwire_process(b.wire, START);
	CHECK_EQUAL(b.umad->sent_count, 1);
	end(&b);
}

/* ---- opening ---- */

static void test_held(void)
{
	static const int refusals[] = {EINVAL, EPERM, EBUSY};

	for (size_t i = 0; i < UNIT_COUNT(refusals); i++) {
		char wanted[128];
		struct fixture b = {.umad = fake_umad_reset()};

		unit_case("%s", strerror(refusals[i]));
		b.umad->refused_class = CLASS_DIRECTED;
		b.umad->refusal = refusals[i];
		CHECK_EQUAL(begin(&b, &one, 'c'), -EPROTONOSUPPORT);
		snprintf(wanted, sizeof(wanted),
		         "cannot be the SMA of dev0 port 1: class 0x81 is refused: %s",
		         strerror(refusals[i]));
		CHECK(strstr(b.error, wanted));
		CHECK(strstr(b.error, "another SMA or SM holds its QP0"));
		end(&b);
	}
	unit_case(NULL);
}

/* The second port is refused: the first is closed as well. */
static void test_no_such_port(void)
{
	struct fixture b = {.umad = fake_umad_reset()};

	CHECK_EQUAL(begin(&b, &both, 's'), -ERANGE);
	CHECK(strstr(b.error, "dev0 has a port 2; the node of the node file has no SMA there"));
	end(&b);
}

/* ---- a device that fails ---- */

static void test_recovery(void)
{
	struct fixture b;

	start(&b, &one);
	fake_umad_break(EIO);
	CHECK_EQUAL(woken(&b, START), START + LOST_MS);
	CHECK_EQUAL(
		logged_with("QP0 of port 1 cannot be read: Input/output error; trying again every second"),
		1);
	CHECK_EQUAL(umadwire_process(b.wire, START + LOST_MS - 1), START + LOST_MS);
	CHECK_EQUAL(umadwire_lost(b.wire), 0);
	fake_umad_break(0);
	CHECK_EQUAL(woken(&b, START + LOST_MS - 1), UINT64_MAX);
	CHECK_EQUAL(logged_with("QP0 of port 1 can be read again"), 1);
	umadwire_process(b.wire, START + 2 * LOST_MS);
	CHECK_EQUAL(umadwire_lost(b.wire), 0);
	put_get(&b);
	woken(&b, START + 2 * LOST_MS);
	CHECK_EQUAL(b.umad->sent_count, 1);
	end(&b);
}

/* Each port has an SMA of its own: the news of one does not hide that another is gone. */
static void test_loss(void)
{
	struct fixture b;

	start(&b, &both);
	b.umad->target = 1;
	fake_umad_break(ENODEV);
	CHECK_EQUAL(woken(&b, START), START + LOST_MS);
	b.umad->target = 0;
	fake_umad_break(EIO);
	CHECK_EQUAL(woken(&b, START + 1), START + LOST_MS);
	fake_umad_break(0);
	CHECK_EQUAL(woken(&b, START + 2), START + LOST_MS);
	CHECK_EQUAL(umadwire_process(b.wire, START + LOST_MS - 1), START + LOST_MS);
	CHECK_EQUAL(umadwire_lost(b.wire), 0);
	CHECK_EQUAL(umadwire_process(b.wire, START + LOST_MS), UINT64_MAX);
	CHECK_EQUAL(umadwire_lost(b.wire), ENODEV);
	end(&b);
}

/* More requests than are taken: what is too much is dropped and logged, the rest is answered. */
static void test_flood(void)
{
	struct fixture b;

	start(&b, &one);
	for (unsigned i = 0; i < CAPACITY + 7; i++)
		put_get(&b);
	CHECK(fake_umad_wait_taken());
	woken(&b, START);
	CHECK_EQUAL(logged_with("7 received MADs were dropped: they came faster than they were read"), 1);
	CHECK_EQUAL(b.umad->sent_count, CAPACITY);
	put_get(&b);
	CHECK(fake_umad_wait_taken());
	woken(&b, START);
	CHECK_EQUAL(b.umad->sent_count, CAPACITY + 1);
	CHECK_EQUAL(logged_with("dropped"), 1);
	end(&b);
}

static const struct unit_test tests[] = {
	{"both classes are registered with all methods of an SMA", test_agents},
	{"an answer goes to where the request came from", test_answers},
	{"Sets that wait for the disk", test_kept},
	{"a trap leaves through its port", test_trap},
	{"another program holds QP0", test_held},
	{"a device with a port that the node does not have", test_no_such_port},
	{"a device that can be read again continues", test_recovery},
	{"a port that cannot be read for 10 s is lost", test_loss},
	{"requests are dropped and counted", test_flood},
};

int main(void)
{
	return UNIT_MAIN("umadwire", tests);
}
