// SPDX-License-Identifier: BSD-2-Clause
/* What the transport of a port asks of libibumad, and what it makes of what it gives. */
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "sma/mad/umadtransport.h"
#include "tests/fakes/fake_umad.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { PORT = 1, LIMIT_MS = 5000, TRAP = 1 << 5, REPORT = 1 << 6 };
enum { SMA_METHODS = 1 << 1 | 1 << 2 | 1 << 7 };
enum { AGENT_SM, AGENT_DIRECTED, AGENT_PERF, AGENT_NEXT }; /* in the order of registration */

static const uint8_t get_node[] = {1, 0x81, 1, 1};
static const uint8_t set_inform[] = {1, 3, 2, 2};
static const uint8_t get_counters[] = {1, 4, 1, 1};
static const uint8_t repress[] = {1, 1, 1, 7};
static const uint8_t vendor[] = {1, 9, 1, 1};

struct fixture {
	struct fake_umad *umad;
	struct mailbox *box;
	struct transport *transport;
	char error[256];
};

static void prepare(struct fixture *b)
{
	*b = (struct fixture){.umad = fake_umad_reset(), .box = mailbox_new()};
	logged_start(false);
}

static int open_qp0(struct fixture *b, enum umad_role role)
{
	return umadtransport_open("dev0", PORT, role, b->box, &b->transport, b->error, sizeof(b->error));
}

static int open_qp1(struct fixture *b, const char *device)
{
	return umadtransport_open_qp1(b->transport, device, PORT, b->error, sizeof(b->error));
}

/* QP0 and QP1 of one device. */
static void begin(struct fixture *b)
{
	prepare(b);
	CHECK_EQUAL(open_qp0(b, UMAD_MANAGER), 0);
	CHECK_EQUAL(open_qp1(b, "dev0"), 0);
	CHECK_EQUAL(b->umad->opened, 1);
}

static void end(struct fixture *b)
{
	if (b->transport)
		b->transport->ops->close(b->transport);
	CHECK_EQUAL(b->umad->opened, 0);
	mailbox_free(b->box);
	logged_stop();
}

/* The next mail that a reader thread brings. */
static bool next(struct fixture *b, struct mail *mail)
{
	struct pollfd fd = {.fd = mailbox_fd(b->box), .events = POLLIN};

	while (!mailbox_take(b->box, mail)) {
		if (poll(&fd, 1, LIMIT_MS) != 1)
			return CHECK(!"mail");
	}
	return true;
}

static int post(struct fixture *b, const uint8_t head[4], unsigned timeout_ms)
{
	struct packet packet = {.lid = 0x1234, .sl = 9};

	memcpy(packet.mad, head, 4);
	packet.mad[255] = 0x5A;
	return b->transport->ops->send(b->transport, &packet, timeout_ms);
}

static int listen_to(struct fixture *b, uint8_t class, uint8_t method, bool on)
{
	return b->transport->ops->listen(b->transport, class, method, on);
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

/* A class has one agent, with these methods. */
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

/* ---- agents ---- */

/* Others may have the Reports until they are wanted here. */
static void test_agents(void)
{
	struct fixture b;

	begin(&b);
	CHECK_EQUAL(b.umad->agent_count, AGENT_NEXT);
	check_agent(&b.umad->agents[AGENT_SM], 0x01, 1, 0, 0);
	check_agent(&b.umad->agents[AGENT_DIRECTED], 0x81, 1, 0, 0);
	check_agent(&b.umad->agents[AGENT_PERF], 0x04, 1, 0, 0);
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQUAL(post(&b, set_inform, 2000), 0);
		CHECK_EQUAL(post(&b, get_counters, 0), 0);
	}
	CHECK_EQUAL(b.umad->agent_count, AGENT_NEXT + 1);
	check_agent(&b.umad->agents[AGENT_NEXT], 0x03, 2, 1, 0);
	end(&b);
}

static void test_sma(void)
{
	struct fixture b;

	prepare(&b);
	CHECK_EQUAL(open_qp0(&b, UMAD_SMA), 0);
	check_agent(&b.umad->agents[0], 0x01, 1, 0, SMA_METHODS);
	check_agent(&b.umad->agents[1], 0x81, 1, 0, SMA_METHODS);
	check_only(b.umad, 0x03, 0);
	check_only(b.umad, 0x04, 0);
	check_only(b.umad, 0x06, 0);
	CHECK_EQUAL(listen_to(&b, 0x01, 1, true), 0);
	CHECK_EQUAL(b.umad->agent_count, 5);
	end(&b);
}

/* A class that is not known, and those of a QP1 that was not opened. */
static void test_no_agent(void)
{
	struct fixture b;

	prepare(&b);
	CHECK_EQUAL(open_qp0(&b, UMAD_MANAGER), 0);
	CHECK_EQUAL(post(&b, get_counters, 0), -EPROTONOSUPPORT);
	CHECK_EQUAL(listen_to(&b, 0x03, 6, true), -EPROTONOSUPPORT);
	CHECK_EQUAL(post(&b, vendor, 0), -EPROTONOSUPPORT);
	CHECK_EQUAL(b.umad->sent_count, 0);
	CHECK_EQUAL(b.umad->agent_count, 2);
	end(&b);
}

static void test_listen(void)
{
	struct fixture b;

	begin(&b);
	CHECK_EQUAL(listen_to(&b, 0x01, 5, true), 0);
	check_only(b.umad, 0x01, TRAP);
	check_only(b.umad, 0x81, 0);
	CHECK_EQUAL(listen_to(&b, 0x01, 5, true), 0);
	CHECK_EQUAL(b.umad->agent_count, AGENT_NEXT + 1);
	CHECK_EQUAL(listen_to(&b, 0x01, 7, true), 0);
	check_only(b.umad, 0x01, TRAP | 1 << 7);
	CHECK_EQUAL(listen_to(&b, 0x01, 7, false), 0);
	CHECK_EQUAL(listen_to(&b, 0x01, 5, false), 0);
	check_only(b.umad, 0x01, 0);
	CHECK_EQUAL(listen_to(&b, 0x01, 5, false), 0);
	CHECK_EQUAL(b.umad->agent_count, AGENT_NEXT + 4);
	CHECK_EQUAL(listen_to(&b, 0x03, 6, true), 0);
	check_agent(&b.umad->agents[AGENT_NEXT + 4], 0x03, 2, 1, REPORT);
	CHECK_EQUAL(post(&b, set_inform, 2000), 0);
	CHECK_EQUAL(b.umad->sent[0].agent, AGENT_NEXT + 4);
	end(&b);
}

/* Another program has the requests of a class: answers come all the same, and it is tried again. */
static void test_held(void)
{
	static const int refusals[] = {EINVAL, EPERM, EBUSY};

	for (size_t i = 0; i < UNIT_COUNT(refusals); i++) {
		char line[128];
		struct fixture b;

		begin(&b);
		b.umad->refused_class = 0x03;
		b.umad->refusal = refusals[i];
		CHECK_EQUAL(listen_to(&b, 0x03, 6, true), -EBUSY);
		CHECK_EQUAL(listen_to(&b, 0x03, 6, true), -EBUSY);
		snprintf(line, sizeof(line), "class 0x03 is refused on QP1 of port 1: %s",
		         strerror(refusals[i]));
		CHECK_EQUAL(logged_with(line), 1);
		check_only(b.umad, 0x03, 0);
		CHECK_EQUAL(post(&b, set_inform, 100), 0);
		CHECK(b.umad->agents[b.umad->sent[0].agent].used);
		b.umad->refused_class = 0;
		CHECK_EQUAL(listen_to(&b, 0x03, 6, true), 0);
		check_only(b.umad, 0x03, REPORT);
		end(&b);
	}
}

/* A class that is not to be had at all when it is first sent. */
static void test_refused_always(void)
{
	struct fixture b;

	begin(&b);
	b.umad->refused_class = 0x03;
	b.umad->refused_always = true;
	b.umad->refusal = ENOMEM;
	CHECK_EQUAL(post(&b, set_inform, 100), -ENOMEM);
	CHECK_EQUAL(post(&b, set_inform, 100), -ENOMEM);
	CHECK_EQUAL(logged_with("class 0x03 is refused on QP1 of port 1: Cannot allocate memory"), 1);
	CHECK_EQUAL(b.umad->sent_count, 0);
	b.umad->refused_class = 0;
	CHECK_EQUAL(post(&b, set_inform, 100), 0);
	end(&b);
}

/* ---- opening ---- */

static void test_refused_at_start(void)
{
	static const struct {
		enum umad_role role;
		int class;
		int refusal;
		const char *error;
	} cases[] = {
		{UMAD_MANAGER, 0x01, EINVAL,
	         "cannot use QP0 of dev0 port 1: class 0x01 is refused: Invalid "
	         "argument; is another program the SMA of this port? End it, or: "
	         "modprobe -r ib_umad && modprobe ib_umad"},
		{UMAD_MANAGER, 0x81, EPERM,
	         "cannot use QP0 of dev0 port 1: class 0x81 is refused: Operation not "
	         "permitted; does a security module forbid it? (SELinux: "
	         "infiniband_endport, manage_subnet)"},
		{UMAD_MANAGER, 0x01, EPROTONOSUPPORT,
	         "cannot use QP0 of dev0 port 1: class 0x01 is refused: Protocol not supported; the device "
	         "has "
	         "no QP0; on an XDR adapter another one has it, which this makes: rdma dev add smi1 type SMI "
	         "parent DEVICE"},
		{UMAD_SMA, 0x81, EINVAL,
	         "cannot be the SMA of dev0 port 1: class 0x81 is refused: Invalid "
	         "argument; another SMA or SM holds its QP0: stop the subnet manager "
	         "there, or choose a device that has no SMA in its driver or firmware"},
		{UMAD_SMA, 0x01, EPROTONOSUPPORT,
	         "cannot be the SMA of dev0 port 1: class 0x01 is refused: Protocol not supported; has the "
	         "device an InfiniBand port with a QP0 for software?"},
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct fixture b;

		unit_case("case %zu", i);
		prepare(&b);
		b.umad->refused_class = cases[i].class;
		b.umad->refused_always = true;
		b.umad->refusal = cases[i].refusal;
		CHECK_EQUAL(open_qp0(&b, cases[i].role), -EPROTONOSUPPORT);
		CHECK_TEXT(b.error, cases[i].error);
		end(&b);
	}
	unit_case(NULL);
}

/* QP0 and QP1 on two devices: each class goes to its own, and only QP0 says whether the port works. */
static void test_apart(void)
{
	struct mail mail;
	struct fixture b;

	prepare(&b);
	CHECK_EQUAL(open_qp0(&b, UMAD_MANAGER), 0);
	CHECK_EQUAL(open_qp1(&b, "dev1"), 0);
	CHECK_EQUAL(b.umad->opened, 2);
	CHECK_EQUAL(post(&b, get_node, 100), 0);
	CHECK_EQUAL(post(&b, get_counters, 100), 0);
	CHECK(b.umad->sent[1].port == b.umad->sent[0].port + 1);
	b.umad->target = 1;
	fake_umad_put(get_counters, 4, 256, 0x33, ETIMEDOUT, 1, 0);
	if (next(&b, &mail))
		CHECK_EQUAL(mail.mad[8], 0x33);
	fake_umad_break(EIO);
	CHECK(fake_umad_wait_slept(1)); /* its reader has seen it */
	b.umad->target = 0;
	fake_umad_break(ENODEV);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.kind, MAIL_BROKEN);
		CHECK_EQUAL(mail.status, ENODEV);
	}
	fake_umad_break(0);
	if (next(&b, &mail))
		CHECK_EQUAL(mail.kind, MAIL_RESTORED);
	CHECK(!mailbox_take(b.box, &mail));
	end(&b);
}

/* Without QP1 the port goes on; it is found when there is one. */
static void check_no_qp1(const char *device, unsigned opened)
{
	struct fixture b;

	prepare(&b);
	CHECK_EQUAL(open_qp0(&b, UMAD_MANAGER), 0);
	b.umad->refused_class = 0x04;
	b.umad->refused_always = true;
	b.umad->refusal = EPROTONOSUPPORT;
	CHECK_EQUAL(open_qp1(&b, device), -EPROTONOSUPPORT);
	CHECK(strstr(b.error,
	             "port 1: class 0x04 is refused: Protocol not supported; the device has no QP1"));
	CHECK(strstr(b.error, device));
	CHECK_EQUAL(b.umad->opened, 1);
	CHECK_EQUAL(post(&b, get_node, 100), 0);
	CHECK_EQUAL(post(&b, get_counters, 100), -EPROTONOSUPPORT);
	b.umad->refused_class = 0;
	CHECK_EQUAL(open_qp1(&b, device), 0);
	CHECK_EQUAL(b.umad->opened, opened);
	CHECK_EQUAL(post(&b, get_counters, 0), 0);
	end(&b);
}

static void test_no_qp1(void)
{
	check_no_qp1("dev0", 1);
	check_no_qp1("dev1", 2);
}

/* ---- sending ---- */

static void check_sent(const struct fake_umad_sent *sent, int agent, const uint8_t head[4], unsigned qp,
                       int timeout_ms)
{
	CHECK_EQUAL(sent->agent, agent);
	CHECK_EQUAL(sent->length, 256);
	CHECK_EQUAL(sent->timeout_ms, timeout_ms);
	CHECK_EQUAL(sent->retries, 0);
	CHECK_EQUAL(be16toh(sent->addr.lid), 0x1234);
	CHECK_EQUAL(be32toh(sent->addr.qpn), qp);
	CHECK_EQUAL(be32toh(sent->addr.qkey), qp ? 0x80010000 : 0);
	CHECK_EQUAL(sent->addr.sl, 9);
	CHECK_EQUAL(sent->addr.pkey_index, 0);
	CHECK_EQUAL(sent->addr.grh_present, 0);
	CHECK_OCTETS(sent->mad, head, 4);
	CHECK_EQUAL(sent->mad[255], 0x5A);
}

static void test_send(void)
{
	struct fixture b;

	begin(&b);
	CHECK_EQUAL(post(&b, set_inform, 2000), 0);
	CHECK_EQUAL(post(&b, get_counters, 0), 0);
	CHECK_EQUAL(post(&b, get_node, 250), 0);
	CHECK_EQUAL(post(&b, repress, 0), 0);
	CHECK_EQUAL(b.umad->sent_count, 4);
	check_sent(&b.umad->sent[0], AGENT_NEXT, set_inform, 1, 2000);
	check_sent(&b.umad->sent[1], AGENT_PERF, get_counters, 1, 0);
	check_sent(&b.umad->sent[2], AGENT_DIRECTED, get_node, 0, 250);
	check_sent(&b.umad->sent[3], AGENT_SM, repress, 0, 0);
	end(&b);
}

/* ---- receiving ---- */

static void test_receive(void)
{
	uint8_t wanted[MAD_SIZE] = {0};
	struct mail mail;
	struct fixture b;

	begin(&b);
	fake_umad_put(set_inform, 4, 256, 0x5A, 0, 0xBFFF, 7);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.kind, MAIL_MAD);
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
		CHECK(memcmp(mail.mad, wanted, MAD_SIZE) == 0);
	}
	fake_umad_put(set_inform, 4, 0, 0, ETIMEDOUT, 1, 0);
	if (next(&b, &mail))
		CHECK_EQUAL(mail.status, ETIMEDOUT);
	end(&b);
}

/* What is shorter than its kind of MAD is dropped. */
static void test_short(void)
{
	struct mail mail;
	struct fixture b;

	begin(&b);
	fake_umad_put(set_inform, 4, MAD_HEADER_SIZE - 1, 0x11, 0, 1, 0);
	fake_umad_put(set_inform, 4, MAD_HEADER_SIZE, 0x22, 0, 1, 0);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.size, MAD_HEADER_SIZE);
		CHECK_EQUAL(mail.mad[8], 0x22);
	}
	fake_umad_put(repress, 4, 255, 0x11, 0, 2, 0); /* no SMP is shorter than a MAD */
	fake_umad_put(get_node, 4, 255, 0x11, 0, 2, 0);
	fake_umad_put(repress, 4, 256, 0x33, 0, 0x0203, 4);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.mad[8], 0x33);
		CHECK_EQUAL(mail.slid, 0x0203);
		CHECK_EQUAL(mail.size, 256);
	}
	fake_umad_put(get_node, 4, 0, 0, ETIMEDOUT, 1, 0); /* came back */
	if (next(&b, &mail))
		CHECK_EQUAL(mail.status, ETIMEDOUT);
	end(&b);
}

/* A message that RMPP put together does not stop those behind it. */
static void test_long(void)
{
	struct mail mail;
	struct fixture b;

	begin(&b);
	fake_umad_put(set_inform, 4, 4000, 0x11, 0, 1, 0);
	fake_umad_put(set_inform, 4, 257, 0x22, 0, 1, 0);
	fake_umad_put(set_inform, 4, 256, 0x33, 0, 1, 0);
	if (next(&b, &mail)) {
		CHECK_EQUAL(mail.kind, MAIL_MAD);
		CHECK_EQUAL(mail.mad[8], 0x33);
	}
	end(&b);
}

/* ---- closing ---- */

/* A simulator's library crashes when an answer comes for a closed device. */
static void test_last_answers(void)
{
	struct mail mail;
	struct fixture b;

	begin(&b);
	b.umad->late_response = 3;
	CHECK_EQUAL(post(&b, set_inform, 0), 0);
	b.transport->ops->close(b.transport);
	b.transport = NULL;
	CHECK_EQUAL(b.umad->brief, 3);
	if (CHECK(mailbox_take(b.box, &mail)))
		CHECK_EQUAL(mail.mad[3], 0x81);
	end(&b);
}

/* What came to its end is not waited for, and a trap has no answer. */
static void test_no_last_answers(void)
{
	static const uint8_t response[] = {1, 3, 2, 0x81};
	static const uint8_t trap[] = {1, 1, 1, 5};
	struct mail mail;
	struct fixture b;

	begin(&b);
	CHECK_EQUAL(post(&b, set_inform, 100), 0);
	CHECK_EQUAL(post(&b, get_counters, 100), 0);
	CHECK_EQUAL(post(&b, trap, 100), 0);
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

	begin(&b);
	CHECK_EQUAL(post(&b, get_node, 100), 0);
	end(&b);
	CHECK_EQUAL(b.umad->brief, 25);
}

static const struct unit_test tests[] = {
	{"agents: for answers, of QP1 when they are needed", test_agents},
	{"agents: an SMA's have its methods", test_sma},
	{"agents: none for other classes, nor without QP1", test_no_agent},
	{"agents: one for each class, whatever is listened to", test_listen},
	{"agents: another program has the requests", test_held},
	{"agents: a class that is refused is tried again", test_refused_always},
	{"opening: a class of QP0 is refused", test_refused_at_start},
	{"opening: QP0 and QP1 on two devices", test_apart},
	{"opening: no QP1", test_no_qp1},
	{"sending: by class", test_send},
	{"receiving: whole and short MADs", test_receive},
	{"receiving: MADs that are too short", test_short},
	{"receiving: a message of several MADs", test_long},
	{"closing waits for answers that are on their way", test_last_answers},
	{"closing waits for nothing else", test_no_last_answers},
	{"closing does not wait for ever", test_missing_last_answer},
};

int main(void)
{
	return UNIT_MAIN("umadtransport", tests);
}
