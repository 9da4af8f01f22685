// SPDX-License-Identifier: BSD-2-Clause
/* Traps of device management on QP1: when they are listened to, and how they are answered. */
#include <errno.h>
#include <string.h>

#include "sma/iba/iba.h"
#include "sma/log.h"
#include "sma/notice/ready_receiver.h"
#include "tests/fakes/fake_transport.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { PORT = 1, SLID = 2, SLOT = 3 };

static struct {
	struct engine *engine;
	struct fake_transport fake;
	struct ready_receiver *receiver;
	unsigned found;
	size_t size;
	uint32_t tid;
	uint8_t data[SMA_BLOCK_SIZE];
	uint8_t gid[16];
} t;

static void note(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                 const uint8_t *issuer_gid, uint32_t tid)
{
	CHECK(arg == &t);
	CHECK_EQUAL(source, SMA_NOTICE_TRAP);
	t.found++;
	t.size = size;
	t.tid = tid;
	memcpy(t.data, data, sizeof(t.data));
	memcpy(t.gid, issuer_gid, sizeof(t.gid));
}

static void begin_with(int refusal)
{
	const struct engine_config engine = {.port = PORT, .window = 16, .timeout_ms = 250, .tries = 2};

	memset(&t, 0, sizeof(t));
	logged_start(false);
	t.engine = engine_open(&engine);
	fake_transport_attach(&t.fake, t.engine);
	t.fake.refusal = refusal;
	t.receiver = ready_receiver_new(t.engine, note, &t);
	CHECK(t.receiver != NULL);
}

static void end(void)
{
	ready_receiver_free(t.receiver);
	engine_close(t.engine);
	logged_stop();
}

static struct mail trap(void)
{
	static const uint8_t header[24] = {0x01, 0x06, 0x01, 0x05, [8] = 0x00, 0x00, 0x00,
	                                   0x31, 0x89, 0xAB, 0xCD, 0xEF,       0x00, 0x02};
	struct mail mail = {.kind = MAIL_MAD, .slid = SLID, .sl = 5, .size = MAD_SIZE};

	memcpy(mail.mad, header, sizeof(header));
	dm_notice_ready(mail.mad + 64, SLID, SLOT, 0x8000);
	memset(mail.mad + 128, 0x47, 16);
	return mail;
}

static void arrive(const struct mail *mail)
{
	fake_transport_post(&t.fake, mail);
	engine_process(t.engine, 1000);
}

static void test_listens(void)
{
	begin_with(0);
	CHECK_EQUAL(t.fake.class, 0x06);
	CHECK_EQUAL(t.fake.method, 0x05);
	CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), 0);
	end();
	CHECK_EQUAL(t.fake.stopped, 1);
	ready_receiver_free(NULL);
}

static void test_refused(void)
{
	static const struct {
		int rc;
		unsigned lines;
	} cases[] = {{-EBUSY, 1}, {-EPROTONOSUPPORT, 1}, {-ENOTSUP, 0}};

	for (unsigned i = 0; i < UNIT_COUNT(cases); i++) {
		begin_with(cases[i].rc);
		CHECK_EQUAL(logged_with("no Traps of device management"), cases[i].lines);
		CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
		end();
		CHECK_EQUAL(t.fake.stopped, 0);
	}
}

/* TrapRepress is the Trap itself with another method. */
static void test_trap(void)
{
	struct mail mail = trap();
	uint8_t wanted[MAD_SIZE];

	begin_with(0);
	memcpy(wanted, mail.mad, MAD_SIZE);
	wanted[3] = 0x07;
	arrive(&mail);
	CHECK_EQUAL(t.fake.count, 1);
	CHECK_OCTETS(fake_transport_last(&t.fake)->packet.mad, wanted, 64);
	CHECK_OCTETS(fake_transport_last(&t.fake)->packet.mad + 64, wanted + 64, MAD_SIZE - 64);
	CHECK_EQUAL(fake_transport_last(&t.fake)->packet.lid, SLID);
	CHECK_EQUAL(fake_transport_last(&t.fake)->packet.sl, 5);
	CHECK_EQUAL(fake_transport_last(&t.fake)->timeout_ms, 0);
	CHECK_EQUAL(t.found, 1);
	CHECK_EQUAL(t.size, SMA_BLOCK_SIZE);
	CHECK_EQUAL(t.tid, 0x89ABCDEF);
	CHECK_OCTETS(t.data, mail.mad + 64, SMA_BLOCK_SIZE);
	CHECK_OCTETS(t.gid, mail.mad + 128, sizeof(t.gid));

	t.fake.result = -EIO; /* the Trap is passed on even so */
	arrive(&mail);
	CHECK_EQUAL(t.found, 2);
	end();
}

static void test_no_notice(void)
{
	struct mail mail = trap();

	begin_with(0);
	mail.mad[17] = 0x10;
	arrive(&mail);
	mail = trap();
	mail.mad[3] = 0x06; /* Report */
	arrive(&mail);
	CHECK_EQUAL(t.found, 0);
	CHECK_EQUAL(t.fake.count, 0);
	end();
}

static const struct unit_test tests[] = {
	{"it listens", test_listens},
	{"refused", test_refused},
	{"a Trap", test_trap},
	{"no Notice", test_no_notice},
};

int main(void)
{
	return UNIT_MAIN("ready_receiver", tests);
}
