// SPDX-License-Identifier: BSD-2-Clause
/* Traps on QP0: when they are listened to, and how they are answered. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sma/log.h"
#include "sma/notice/trap_receiver.h"
#include "tests/fakes/fake_transport.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { PORT = 1 };

struct fixture {
	struct engine *engine;
	struct fake_transport fake;
	struct sma_node *node;
	struct trap_receiver *receiver;
	struct local_port local;
	unsigned found;
	enum sma_notice_source source;
	size_t size;
	const uint8_t *gid;
	uint32_t tid;
	uint8_t data[SMA_BLOCK_SIZE];
};

static const struct local_port master = {.known = true, .active = true, .lid = 4, .sm_lid = 4};

static void note(void *arg, enum sma_notice_source source, const uint8_t *data, size_t size,
                 const uint8_t *issuer_gid, uint32_t tid)
{
	struct fixture *b = arg;

	b->found++;
	b->source = source;
	b->size = size;
	b->gid = issuer_gid;
	b->tid = tid;
	memcpy(b->data, data, SMA_BLOCK_SIZE);
}

static void begin(struct fixture *b)
{
	const struct engine_config engine = {.port = PORT, .window = 16, .timeout_ms = 250, .tries = 2};
	struct sma_config config;

	sma_config_init(&config);
	config.m_key = 0x1122334455667788;
	*b = (struct fixture){.local = master};
	logged_start(false);
	CHECK_EQUAL(sma_node_new(&config, PORT, &b->node), 0);
	b->engine = engine_open(&engine);
	fake_transport_attach(&b->fake, b->engine);
	b->receiver = trap_receiver_new(b->engine, b->node, note, b);
}

static void end(struct fixture *b)
{
	trap_receiver_free(b->receiver);
	engine_close(b->engine);
	sma_node_close(b->node);
	logged_stop();
}

static bool is_listening(const struct fixture *b)
{
	return b->fake.class == MAD_CLASS_SM && b->fake.method == MAD_TRAP;
}

/* Trap 128 of the switch with LID 2. */
static struct mail trap(void)
{
	static const uint8_t header[24] = {0x01, 0x01, 0x01, 0x05, [8] = 0x00, 0x00, 0x00,
	                                   0x31, 0x89, 0xAB, 0xCD, 0xEF,       0x00, 0x02};
	static const uint8_t notice[12] = {0x81, 0x00, 0x00, 0x02, 0x00, 0x80,
	                                   0x00, 0x02, 0x00, 0x00, 0x00, 0x02};
	struct mail mail = {.kind = MAIL_MAD, .slid = 2, .sl = 0, .size = 256};

	memcpy(mail.mad, header, sizeof(header));
	memcpy(mail.mad + 64, notice, sizeof(notice));
	mail.mad[127] = 0x5A;
	return mail;
}

static void arrive(struct fixture *b, const struct mail *mail)
{
	fake_transport_post(&b->fake, mail);
	engine_process(b->engine, 1000);
}

/* ---- listening ---- */

struct place {
	const char *name;
	struct local_port local;
	bool listens;
};

static const struct place places[] = {
	{"nothing read yet", {.known = false, .active = true, .lid = 4, .sm_lid = 4}, false},
	{"no LID, no SM", {.known = true, .active = true}, false},
	{"SM elsewhere", {.known = true, .active = true, .lid = 4, .sm_lid = 1}, false},
	{"no SM", {.known = true, .active = true, .lid = 4}, false},
	{"SM here", {.known = true, .active = true, .lid = 4, .sm_lid = 4}, true},
};

static void test_places(void)
{
	for (size_t i = 0; i < UNIT_COUNT(places); i++) {
		struct fixture b;

		unit_case("%s", places[i].name);
		begin(&b);
		CHECK(!trap_receiver_is_active(b.receiver));
		for (unsigned n = 0; n < 10; n++)
			trap_receiver_update(b.receiver, &places[i].local);
		CHECK_EQUAL(b.fake.listened, places[i].listens ? 1 : 0);
		CHECK_EQUAL(is_listening(&b), places[i].listens);
		CHECK_EQUAL(trap_receiver_is_active(b.receiver), places[i].listens);
		CHECK_EQUAL(logged_level(SMA_LOG_NOTICE), places[i].listens ? 1 : 0);
		end(&b);
		CHECK(!is_listening(&b));
	}
}

static void test_moves(void)
{
	struct fixture b;

	begin(&b);
	trap_receiver_update(b.receiver, &b.local);
	b.local.lid = b.local.sm_lid = 6; /* the SM goes with the LID */
	trap_receiver_update(b.receiver, &b.local);
	CHECK_EQUAL(b.fake.listened, 1);
	CHECK(trap_receiver_is_active(b.receiver));
	b.local.sm_lid = 1;
	trap_receiver_update(b.receiver, &b.local);
	CHECK_EQUAL(b.fake.stopped, 1);
	CHECK(!trap_receiver_is_active(b.receiver));
	b.local.sm_lid = 6;
	trap_receiver_update(b.receiver, &b.local);
	CHECK_EQUAL(b.fake.listened, 2);
	CHECK(trap_receiver_is_active(b.receiver));
	end(&b);
	CHECK_EQUAL(b.fake.stopped, 2);
}

/* One change of the port, and whether it listens then. */
static void change(struct fixture *b, uint16_t lid, uint16_t sm_lid, bool listens)
{
	b->local.lid = lid;
	b->local.sm_lid = sm_lid;
	unit_case("LID %u, SM at LID %u", lid, sm_lid);
	trap_receiver_update(b->receiver, &b->local);
	CHECK_EQUAL(trap_receiver_is_active(b->receiver), listens);
	CHECK_EQUAL(is_listening(b), listens);
	unit_case(NULL);
}

/* The port gets another LID, and the SM keeps its own. */
static void test_own_lid_alone(void)
{
	struct fixture b;

	begin(&b);
	change(&b, 4, 4, true);
	change(&b, 6, 4, false);
	change(&b, 7, 4, false);
	change(&b, 4, 4, true);
	change(&b, 0, 4, false);
	change(&b, 0, 0, false);
	CHECK_EQUAL(b.fake.listened, 2);
	CHECK_EQUAL(b.fake.stopped, 2);
	CHECK_EQUAL(logged_with("taking the Traps that are sent to LID 4"), 2);
	CHECK_EQUAL(logged_with("no longer taking Traps: the master SM is elsewhere"), 2);
	end(&b);
}

/* The mastership goes, comes here, and goes again; Traps are taken in between only. */
static void test_mastership(void)
{
	static const struct {
		uint16_t sm_lid;
		bool listens;
	} steps[] = {{9, false}, {4, true}, {9, false}, {8, false}, {4, true}, {0, false}};
	struct fixture b;
	unsigned taken = 0;

	begin(&b);
	for (size_t i = 0; i < UNIT_COUNT(steps); i++) {
		struct mail mail = trap();

		change(&b, 4, steps[i].sm_lid, steps[i].listens);
		arrive(&b, &mail);
		taken += steps[i].listens;
		CHECK_EQUAL(b.found, taken);
		CHECK_EQUAL(b.fake.count, taken);
	}
	end(&b);
}

/* Where another program holds them they are tried for again when the port has changed, were it the state. */
static void test_tried_again(void)
{
	struct fixture b;

	begin(&b);
	b.fake.refusal = -EBUSY;
	change(&b, 4, 4, false);
	change(&b, 4, 4, false);
	CHECK_EQUAL(b.fake.listened, 1);
	b.local.active = false;
	change(&b, 4, 4, false);
	CHECK_EQUAL(b.fake.listened, 2);
	b.local.known = false;
	change(&b, 4, 4, false);
	CHECK_EQUAL(b.fake.listened, 2);
	b.fake.refusal = 0;
	b.local.known = true;
	change(&b, 4, 4, true);
	b.local.known = false;
	change(&b, 4, 4, false);
	end(&b);
}

static void check_refused(int rc, const char *line)
{
	struct fixture b;

	begin(&b);
	b.fake.refusal = rc;
	for (unsigned n = 0; n < 100; n++) {
		b.local.sm_sl = n; /* says nothing new */
		trap_receiver_update(b.receiver, &b.local);
	}
	CHECK_EQUAL(b.fake.listened, 1);
	CHECK(!trap_receiver_is_active(b.receiver));
	CHECK_EQUAL(logged_with(line), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	b.local.sm_lid = 1;
	trap_receiver_update(b.receiver, &b.local);
	CHECK_EQUAL(b.fake.listened, 1);
	CHECK_EQUAL(b.fake.stopped, 0);
	b.fake.refusal = 0;
	b.local.sm_lid = b.local.lid;
	trap_receiver_update(b.receiver, &b.local);
	CHECK_EQUAL(b.fake.listened, 2);
	CHECK(trap_receiver_is_active(b.receiver));
	end(&b);
}

static void test_refused(void)
{
	check_refused(-EPERM,
	              "class 0x01 is refused: Operation not permitted, as another program holds them, "
	              "probably the subnet manager opensm");
	check_refused(-EINVAL, "opensm");
	check_refused(-EBUSY, "opensm");
	check_refused(-ENODEV, "class 0x01 is refused: No such device; the other sources");
}

/* A transport that has no Traps, as that of the software SMA. */
static void test_deaf(void)
{
	struct mail mail = trap();
	struct fixture b;

	begin(&b);
	b.fake.refusal = -ENOTSUP;
	trap_receiver_update(b.receiver, &b.local);
	CHECK(!trap_receiver_is_active(b.receiver));
	arrive(&b, &mail);
	CHECK_EQUAL(b.found, 0);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 0);
	end(&b);
	trap_receiver_free(NULL);
}

/* ---- a Trap ---- */

static void test_trap(void)
{
	struct mail mail = trap();
	uint8_t wanted[MAD_SIZE] = {
		0x01, 0x01, 0x01, 0x07, /* base version, class, class version, TrapRepress */
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x31, 0x89, 0xAB, 0xCD, 0xEF, /* TransactionID */
		0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* Notice, modifier 0, and no M_Key */
	};
	struct fixture b;

	begin(&b);
	trap_receiver_update(b.receiver, &b.local);
	mail.sl = 5;
	mail.mad[5] = 0x1C; /* status, modifier and M_Key of the sender do not come back */
	mail.mad[23] = 0x77;
	mail.mad[31] = 0x99;
	memcpy(wanted + 64, mail.mad + 64, 64);
	arrive(&b, &mail);
	CHECK_EQUAL(b.fake.count, 1);
	CHECK_OCTETS(fake_transport_last(&b.fake)->packet.mad, wanted, MAD_SIZE);
	CHECK_OCTETS(fake_transport_last(&b.fake)->packet.mad + 64, wanted + 64, MAD_SIZE - 64);
	CHECK_EQUAL(fake_transport_last(&b.fake)->packet.lid, 2);
	CHECK_EQUAL(fake_transport_last(&b.fake)->packet.sl, 5);
	CHECK_EQUAL(fake_transport_last(&b.fake)->timeout_ms, 0);
	CHECK_EQUAL(b.found, 1);
	CHECK_EQUAL(b.source, SMA_NOTICE_TRAP);
	CHECK_EQUAL(b.size, 64);
	CHECK(!b.gid);
	CHECK_EQUAL(b.tid, 0x89ABCDEF);
	CHECK_OCTETS(b.data, mail.mad + 64, 64);

	b.fake.result = -EIO; /* the Trap is passed on even so */
	arrive(&b, &mail);
	CHECK_EQUAL(b.found, 2);
	end(&b);
}

/* The M_Key of this node goes to this node, and to no other that sends a Trap. */
static void test_m_key(void)
{
	static const struct {
		uint16_t slid;
		uint8_t key[8];
	} sources[] = {
		{4, {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}},
		{5, {0}},
		{0, {0}},
		{0xFFFF, {0}},
	};
	struct fixture b;

	begin(&b);
	trap_receiver_update(b.receiver, &b.local);
	for (size_t i = 0; i < UNIT_COUNT(sources); i++) {
		struct mail mail = trap();

		unit_case("LID %u", sources[i].slid);
		mail.slid = sources[i].slid;
		arrive(&b, &mail);
		CHECK_EQUAL(b.fake.count, i + 1);
		CHECK_EQUAL(fake_transport_last(&b.fake)->packet.lid, sources[i].slid);
		CHECK_OCTETS(fake_transport_last(&b.fake)->packet.mad + 24, sources[i].key,
		             sizeof(sources[i].key));
	}
	unit_case(NULL);
	end(&b);
}

struct patch {
	const char *name;
	unsigned at;
	uint8_t value;
};

static const struct patch others[] = {
	{"base version", 0, 2},       {"directed route", 1, 0x81},
	{"class version", 2, 2},      {"Get", 3, 0x01},
	{"TrapRepress", 3, 0x07},     {"Trap with the R bit", 3, 0x85},
	{"another attribute", 17, 3},
};

static void test_others(void)
{
	struct mail mail = trap();
	struct fixture b;

	begin(&b);
	arrive(&b, &mail); /* not listening yet */
	trap_receiver_update(b.receiver, &b.local);
	for (size_t i = 0; i < UNIT_COUNT(others); i++) {
		struct mail other = trap();

		unit_case("%s", others[i].name);
		other.mad[others[i].at] = others[i].value;
		arrive(&b, &other);
		CHECK_EQUAL(b.found, 0);
	}
	unit_case("one that came back");
	mail.status = ETIMEDOUT;
	arrive(&b, &mail);
	CHECK_EQUAL(b.found, 0);
	CHECK_EQUAL(b.fake.count, 0);
	unit_case("a Trap");
	mail.status = 0;
	arrive(&b, &mail);
	CHECK_EQUAL(b.found, 1);
	end(&b);
}

/* After its end nobody is given Traps. */
static void test_gone(void)
{
	struct mail mail = trap();
	struct fixture b;

	begin(&b);
	trap_receiver_update(b.receiver, &b.local);
	trap_receiver_free(b.receiver);
	b.receiver = NULL;
	arrive(&b, &mail);
	CHECK_EQUAL(b.found, 0);
	end(&b);
}

static const struct unit_test tests[] = {
	{"listens where the SM is", test_places},
	{"the SM moves", test_moves},
	{"the own LID alone", test_own_lid_alone},
	{"the mastership changes", test_mastership},
	{"tried again when the port has changed", test_tried_again},
	{"refused: said once, tried again after a change", test_refused},
	{"a transport without Traps", test_deaf},
	{"a Trap is repressed and passed on", test_trap},
	{"who gets the M_Key", test_m_key},
	{"what is no Trap", test_others},
	{"after its end", test_gone},
};

int main(void)
{
	return UNIT_MAIN("trap receiver", tests);
}
