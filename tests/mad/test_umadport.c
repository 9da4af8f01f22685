// SPDX-License-Identifier: BSD-2-Clause
/* What QP0 and QP1 ask of libibumad, and what they make of what it gives. */
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "sma/mad/sma_mailbox.h"
#include "sma/mad/umad.h"
#include "sma/mad/umadqp1.h"
#include "tests/fakes/fake_umad.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { PORT = 1, LIMIT_MS = 5000, TRAP = 1 << 5, REPORT = 1 << 6, HEADER = 24 };

static const uint8_t set_inform[] = {1, 3, 2, 2};
static const uint8_t get_counters[] = {1, 4, 1, 1};
static const uint8_t repress[] = {1, 1, 1, 7};

struct fixture {
	struct fake_umad *umad;
	struct sma_mailbox *box;
	struct sma_qp0 *qp0;
	struct sma_qp1 *qp1;
};

static void begin(struct fixture *b, bool qp1)
{
	char error[256];

	*b = (struct fixture){.umad = fake_umad_reset(), .box = sma_mailbox_new()};
	if (qp1)
		CHECK_EQUAL(umad_qp1_open("dev0", PORT, b->box, &b->qp1, error, sizeof(error)), 0);
	else
		CHECK_EQUAL(umad_qp0_open("dev0", PORT, b->box, &b->qp0, error, sizeof(error)), 0);
}

static void end(struct fixture *b)
{
	if (b->qp0)
		b->qp0->ops->close(b->qp0);
	if (b->qp1)
		b->qp1->ops->close(b->qp1);
	CHECK_EQUAL(b->umad->opened, 0);
	sma_mailbox_free(b->box);
}

/* The next mail that the reader thread brings. */
static bool next(struct fixture *b, struct sma_mail *mail)
{
	struct pollfd fd = {.fd = sma_mailbox_fd(b->box), .events = POLLIN};

	while (!sma_mailbox_take(b->box, mail)) {
		if (poll(&fd, 1, LIMIT_MS) != 1)
			return CHECK(!"mail");
	}
	return true;
}

static void check_agent(const struct fake_umad_agent *agent, int class, int version, int rmpp,
                        uint64_t methods)
{
	CHECK(agent->used);
	CHECK_EQUAL(agent->class, class);
	CHECK_EQUAL(agent->class_version, version);
	CHECK_EQUAL(agent->rmpp_version, rmpp);
	CHECK_EQUAL(agent->methods, methods);
}

static int send_qp1(struct fixture *b, const uint8_t head[4], unsigned timeout_ms)
{
	uint8_t mad[SMA_MAD_SIZE] = {0};

	memcpy(mad, head, 4);
	mad[255] = 0x5A;
	return b->qp1->ops->send(b->qp1, mad, 0x1234, 9, timeout_ms);
}

/* ---- QP1 ---- */

static void test_qp1_agents(void)
{
	struct fixture b;

	begin(&b, true);
	CHECK_EQUAL(b.qp1->port, PORT);
	CHECK_EQUAL(b.umad->agent_count, 1); /* others may have the Reports until they are wanted here */
	CHECK_EQUAL(send_qp1(&b, set_inform, 2000), 0);
	CHECK_EQUAL(send_qp1(&b, get_counters, 0), 0);
	CHECK_EQUAL(send_qp1(&b, set_inform, 2000), 0);
	CHECK_EQUAL(b.umad->agent_count, 2);
	check_agent(&b.umad->agents[0], 0x04, 1, 0, 0);
	check_agent(&b.umad->agents[1], 0x03, 2, 1, REPORT);
	end(&b);
}

static void check_sent(const struct fake_umad_sent *sent, int agent, const uint8_t head[4], int timeout_ms)
{
	CHECK_EQUAL(sent->agent, agent);
	CHECK_EQUAL(sent->length, 256);
	CHECK_EQUAL(sent->timeout_ms, timeout_ms);
	CHECK_EQUAL(sent->retries, 0);
	CHECK_EQUAL(be16toh(sent->addr.lid), 0x1234);
	CHECK_EQUAL(be32toh(sent->addr.qpn), 1);
	CHECK_EQUAL(be32toh(sent->addr.qkey), 0x80010000);
	CHECK_EQUAL(sent->addr.sl, 9);
	CHECK_EQUAL(sent->addr.pkey_index, 0);
	CHECK_EQUAL(sent->addr.grh_present, 0);
	CHECK_OCTETS(sent->mad, head, 4);
	CHECK_EQUAL(sent->mad[255], 0x5A);
}

static void test_qp1_send(void)
{
	static const uint8_t other_class[4] = {1, 6, 1, 1};
	struct fixture b;

	begin(&b, true);
	CHECK_EQUAL(send_qp1(&b, set_inform, 2000), 0);
	CHECK_EQUAL(send_qp1(&b, get_counters, 0), 0);
	CHECK_EQUAL(send_qp1(&b, other_class, 0), -EPROTONOSUPPORT);
	CHECK_EQUAL(b.umad->sent_count, 2);
	check_sent(&b.umad->sent[0], 1, set_inform, 2000);
	check_sent(&b.umad->sent[1], 0, get_counters, 0);
	end(&b);
}

static void test_qp1_receive(void)
{
	uint8_t wanted[SMA_MAD_SIZE] = {0};
	struct sma_mail mail;
	struct fixture b;

	begin(&b, true);
	fake_umad_put(set_inform, 4, 256, 0x5A, 0, 0xBFFF, 7);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.kind, SMA_MAIL_MAD);
		CHECK_EQUAL(mail.port, PORT);
		CHECK_EQUAL(mail.status, 0);
		CHECK_EQUAL(mail.slid, 0xBFFF);
		CHECK_EQUAL(mail.sl, 7);
		CHECK_EQUAL(mail.size, 256);
		CHECK_EQUAL(mail.mad[255], 0x5A);
	}
	memset(wanted, 0xA5, 92);
	memcpy(wanted, set_inform, 4);
	fake_umad_put(set_inform, 4, 92, 0xA5, 0, 1, 0);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.size, 92);
		CHECK(memcmp(mail.mad, wanted, SMA_MAD_SIZE) == 0);
	}
	fake_umad_put(set_inform, 4, HEADER - 1, 0x11, 0, 1, 0); /* is dropped */
	fake_umad_put(set_inform, 4, HEADER, 0x22, 0, 1, 0);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.size, HEADER);
		CHECK_EQUAL(mail.mad[8], 0x22);
	}
	fake_umad_put(set_inform, 4, 0, 0, ETIMEDOUT, 1, 0);
	if (next(&b, &mail))
		CHECK_EQUAL(mail.status, ETIMEDOUT);
	end(&b);
}

/* A message that RMPP put together does not stop those behind it. */
static void test_qp1_long(void)
{
	struct sma_mail mail;
	struct fixture b;

	begin(&b, true);
	fake_umad_put(set_inform, 4, 4000, 0x11, 0, 1, 0);
	fake_umad_put(set_inform, 4, 257, 0x22, 0, 1, 0);
	fake_umad_put(set_inform, 4, 256, 0x33, 0, 1, 0);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.kind, SMA_MAIL_MAD);
		CHECK_EQUAL(mail.mad[8], 0x33);
	}
	end(&b);
}

/* A simulator's library crashes when an answer comes for a closed device. */
static void test_last_answers(void)
{
	struct sma_mail mail;
	struct fixture b;

	begin(&b, true);
	b.umad->late_response = 3;
	CHECK_EQUAL(send_qp1(&b, set_inform, 0), 0);
	b.qp1->ops->close(b.qp1);
	b.qp1 = NULL;
	CHECK_EQUAL(b.umad->brief, 3);
	if (CHECK(sma_mailbox_take(b.box, &mail)))
		CHECK_EQUAL(mail.mad[3], 0x81);
	end(&b);
}

/* What came to its end is not waited for, and a trap has no answer. */
static void test_no_last_answers(void)
{
	static const uint8_t response[] = {1, 3, 2, 0x81};
	static const uint8_t trap[] = {1, 3, 2, 5};
	struct sma_mail mail;
	struct fixture b;

	begin(&b, true);
	CHECK_EQUAL(send_qp1(&b, set_inform, 100), 0);
	CHECK_EQUAL(send_qp1(&b, get_counters, 100), 0);
	CHECK_EQUAL(send_qp1(&b, trap, 100), 0);
	fake_umad_put(response, 4, 256, 0, 0, 1, 0);
	fake_umad_put(get_counters, 4, 256, 0, ETIMEDOUT, 1, 0);
	next(&b, &mail);
	next(&b, &mail);
	end(&b);
	CHECK_EQUAL(b.umad->brief, 0);
}

static void test_missing_last_answer(void)
{
	struct fixture b;

	begin(&b, true);
	CHECK_EQUAL(send_qp1(&b, set_inform, 100), 0);
	end(&b);
	CHECK_EQUAL(b.umad->brief, 25);
}

/* Another program has the Reports: the counters can be read, and the SA is tried again. */
static void test_qp1_held(void)
{
	static const int refusals[] = {EINVAL, EPERM, EBUSY};

	for (size_t i = 0; i < UNIT_COUNT(refusals); i++) {
		char line[128];
		char error[256];
		struct fixture b = {.umad = fake_umad_reset(), .box = sma_mailbox_new()};

		logged_start(false);
		b.umad->refused_class = 0x03;
		b.umad->refusal = refusals[i];
		CHECK_EQUAL(umad_qp1_open("dev0", PORT, b.box, &b.qp1, error, sizeof(error)), 0);
		CHECK_EQUAL(send_qp1(&b, get_counters, 100), 0);
		CHECK_EQUAL(send_qp1(&b, set_inform, 100), -EBUSY);
		CHECK_EQUAL(send_qp1(&b, set_inform, 100), -EBUSY);
		CHECK_EQUAL(b.umad->sent_count, 1);
		snprintf(line, sizeof(line), "class 0x03 is refused on QP1 of port 1: %s",
		         strerror(refusals[i]));
		CHECK_EQUAL(logged_with(line), 1);
		b.umad->refused_class = 0;
		CHECK_EQUAL(send_qp1(&b, set_inform, 100), 0);
		check_agent(&b.umad->agents[1], 0x03, 2, 1, REPORT);
		CHECK_EQUAL(b.umad->sent[1].agent, 1);
		end(&b);
		logged_stop();
	}
}

/* A device without QP1. */
static void test_qp1_missing(void)
{
	char error[256];
	struct fixture b = {.umad = fake_umad_reset(), .box = sma_mailbox_new()};

	b.umad->refused_class = 0x04;
	b.umad->refused_always = true;
	b.umad->refusal = EPROTONOSUPPORT;
	CHECK_EQUAL(umad_qp1_open("dev0", PORT, b.box, &b.qp1, error, sizeof(error)), -EPROTONOSUPPORT);
	CHECK_TEXT(error,
	           "cannot use QP1 of dev0 port 1: class 0x04 is refused: Protocol not supported; the device "
	           "has no QP1");
	end(&b);
}

static void test_qp1_fails(void)
{
	struct fixture b;

	begin(&b, true);
	b.umad->refused_class = 0x03;
	b.umad->refusal = ENOMEM;
	logged_start(false);
	CHECK_EQUAL(send_qp1(&b, set_inform, 100), -ENOMEM);
	logged_stop();
	CHECK_EQUAL(b.umad->sent_count, 0);
	end(&b);
}

/* ---- QP0 ---- */

static void test_qp0_agents(void)
{
	struct fixture b;

	begin(&b, false);
	CHECK_EQUAL(b.umad->agent_count, 2);
	check_agent(&b.umad->agents[0], 0x01, 1, 0, 0);
	check_agent(&b.umad->agents[1], 0x81, 1, 0, 0);
	end(&b);
}

/* Agents of a class that are in use: there is one, and its methods are these. */
static void check_only(const struct fake_umad *umad, int class, uint64_t methods)
{
	unsigned used = 0;

	for (unsigned i = 0; i < umad->agent_count; i++) {
		if (umad->agents[i].used && umad->agents[i].class == class) {
			used++;
			CHECK_EQUAL(umad->agents[i].methods, methods);
		}
	}
	CHECK_EQUAL(used, 1);
}

static void test_qp0_listen(void)
{
	struct fixture b;

	begin(&b, false);
	CHECK_EQUAL(b.qp0->ops->listen(b.qp0, true), 0);
	check_only(b.umad, 0x01, TRAP);
	check_only(b.umad, 0x81, 0);
	CHECK_EQUAL(b.qp0->ops->listen(b.qp0, true), 0);
	CHECK_EQUAL(b.umad->agent_count, 3);
	CHECK_EQUAL(b.qp0->ops->listen(b.qp0, false), 0);
	check_only(b.umad, 0x01, 0);
	CHECK_EQUAL(b.qp0->ops->listen(b.qp0, false), 0);
	CHECK_EQUAL(b.umad->agent_count, 4);
	end(&b);
}

static void test_qp0_refused(void)
{
	uint8_t mad[SMA_MAD_SIZE] = {0};
	struct fixture b;

	begin(&b, false);
	b.umad->refused_class = 0x01;
	b.umad->refusal = EINVAL;
	CHECK_EQUAL(b.qp0->ops->listen(b.qp0, true), -EINVAL);
	check_only(b.umad, 0x01, 0);
	CHECK_EQUAL(b.qp0->ops->respond(b.qp0, mad, 1, 0), 0);
	CHECK(b.umad->agents[b.umad->sent[0].agent].used);
	b.umad->refused_class = 0;
	CHECK_EQUAL(b.qp0->ops->listen(b.qp0, true), 0);
	check_only(b.umad, 0x01, TRAP);
	end(&b);
}

static void test_qp0_respond(void)
{
	const struct fake_umad_sent *sent;
	uint8_t mad[SMA_MAD_SIZE] = {0};
	struct fixture b;

	begin(&b, false);
	memcpy(mad, repress, 4);
	mad[127] = 0x5A;
	CHECK_EQUAL(b.qp0->ops->listen(b.qp0, true), 0);
	CHECK_EQUAL(b.qp0->ops->respond(b.qp0, mad, 0x1234, 5), 0);
	sent = &b.umad->sent[0];
	CHECK_EQUAL(b.umad->agents[sent->agent].class, 0x01);
	CHECK(b.umad->agents[sent->agent].used);
	CHECK_EQUAL(sent->length, 256);
	CHECK_EQUAL(sent->timeout_ms, 0);
	CHECK_EQUAL(be16toh(sent->addr.lid), 0x1234);
	CHECK_EQUAL(sent->addr.qpn, 0);
	CHECK_EQUAL(sent->addr.qkey, 0);
	CHECK_EQUAL(sent->addr.sl, 5);
	CHECK(memcmp(sent->mad, mad, SMA_MAD_SIZE) == 0);
	end(&b);
}

static void test_qp0_receive(void)
{
	struct sma_mail mail;
	struct fixture b;

	begin(&b, false);
	fake_umad_put(repress, 4, 255, 0x11, 0, 2, 0); /* no SMP is shorter than a MAD */
	fake_umad_put(repress, 4, 256, 0x22, 0, 0x0203, 4);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.mad[8], 0x22);
		CHECK_EQUAL(mail.slid, 0x0203);
		CHECK_EQUAL(mail.sl, 4);
		CHECK_EQUAL(mail.size, 256);
	}
	end(&b);
}

static const struct unit_test tests[] = {
	{"QP1: agents", test_qp1_agents},
	{"QP1: sending by class", test_qp1_send},
	{"QP1: whole and short MADs", test_qp1_receive},
	{"QP1: a message of several MADs", test_qp1_long},
	{"closing waits for answers that are on their way", test_last_answers},
	{"closing waits for nothing else", test_no_last_answers},
	{"closing does not wait for ever", test_missing_last_answer},
	{"QP1: another program has the Reports", test_qp1_held},
	{"QP1: the device has none", test_qp1_missing},
	{"QP1: cannot be used", test_qp1_fails},
	{"QP0: agents", test_qp0_agents},
	{"QP0: listening to Traps", test_qp0_listen},
	{"QP0: Traps refused", test_qp0_refused},
	{"QP0: TrapRepress", test_qp0_respond},
	{"QP0: whole MADs only", test_qp0_receive},
};

int main(void)
{
	return UNIT_MAIN("umadport", tests);
}
