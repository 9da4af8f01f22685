// SPDX-License-Identifier: BSD-2-Clause
/* The software node as this process itself reaches it. */
#include <errno.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/loopback.h"
#include "tests/soft/soft_fixture.h"
#include "tests/unit.h"

enum { PORT = 1, LID = 8, TIMEOUT_MS = 250, PROTECTED = 3, KEY = 0x5A };

static struct simwire *const no_client;
static const uint64_t now = 1000;

struct fixture {
	struct soft_fixture soft;
	struct loopback loopback;
	struct mailbox *box;
	struct transport *transport;
};

/* A CA whose port 1 has LIDs 8 to 11. */
static void begin(struct fixture *b)
{
	*b = (struct fixture){.box = mailbox_new()};
	soft_fixture_open(&b->soft, 'c');
	state_set(b->soft.state, PORT, SMA_PortInfo_LID, LID);
	state_set(b->soft.state, PORT, SMA_PortInfo_LMC, 2);
	b->loopback = (struct loopback){.responder = &b->soft.responder, .sim = &no_client, .now = &now};
	CHECK_EQUAL(loopback_open(&b->loopback, PORT, b->box, &b->transport), 0);
}

static void end(struct fixture *b)
{
	b->transport->ops->close(b->transport);
	CHECK(SLIST_EMPTY(&b->loopback.ends));
	soft_fixture_close(&b->soft);
	mailbox_free(b->box);
}

/* Send the fixture's request, and take what comes. False: nothing. */
static bool ask(struct fixture *b, uint16_t lid, unsigned timeout_ms, struct mail *mail)
{
	struct packet packet = {.lid = lid};

	memcpy(packet.mad, b->soft.request, MAD_SIZE);
	CHECK_EQUAL(b->transport->ops->send(b->transport, &packet, timeout_ms), 0);
	return mailbox_take(b->box, mail);
}

static void check_answer(const struct fixture *b, const struct mail *mail, uint16_t slid)
{
	CHECK_EQUAL(mail->kind, MAIL_MAD);
	CHECK_EQUAL(mail->status, 0);
	CHECK_EQUAL(mail->slid, slid);
	CHECK_EQUAL(mail->size, MAD_SIZE);
	CHECK_EQUAL(mail->mad[AT_METHOD], GET_RESPONSE);
	CHECK_OCTETS(mail->mad + AT_TID, b->soft.request + AT_TID, 8);
	CHECK_EQUAL(mail->mad[AT_DATA + 2], SMA_NODE_CA);
}

static void check_return(struct fixture *b, uint16_t lid)
{
	struct mail mail;

	if (CHECK(ask(b, lid, TIMEOUT_MS, &mail))) {
		CHECK_EQUAL(mail.status, ETIMEDOUT);
		CHECK_OCTETS(mail.mad, b->soft.request, MAD_SIZE);
	}
	CHECK(!ask(b, lid, 0, &mail));
}

/* By a directed route without hops, and by the port's own LIDs. */
static void test_answers(void)
{
	struct mail mail;
	struct fixture b;

	begin(&b);
	soft_fixture_request(&b.soft, GET, ATTR_NODE_INFO, 0, NULL);
	for (unsigned lid = LID; lid < LID + 4; lid++) {
		if (CHECK(ask(&b, (uint16_t)lid, TIMEOUT_MS, &mail)))
			check_answer(&b, &mail, (uint16_t)lid);
	}
	soft_fixture_direct(&b.soft, 0);
	b.soft.request[AT_HOP_POINTER] = 0;
	if (CHECK(ask(&b, PERMISSIVE, TIMEOUT_MS, &mail)))
		check_answer(&b, &mail, PERMISSIVE);
	end(&b);
}

/* To other LIDs, behind other ports, of other classes, and what an SMA does not answer. */
static void test_returns(void)
{
	struct fixture b;

	begin(&b);
	soft_fixture_request(&b.soft, GET, ATTR_NODE_INFO, 0, NULL);
	check_return(&b, LID - 1);
	check_return(&b, LID + 4);
	state_set(b.soft.state, PORT, SMA_PortInfo_LID, 0);
	check_return(&b, 0);
	soft_fixture_direct(&b.soft, 1);
	check_return(&b, PERMISSIVE);
	state_set(b.soft.state, PORT, SMA_PortInfo_LID, LID);
	soft_fixture_request(&b.soft, GET, ATTR_NODE_INFO, 0, NULL);
	b.soft.request[AT_CLASS] = 4;
	check_return(&b, LID);
	soft_fixture_request(&b.soft, GET_RESPONSE, ATTR_NODE_INFO, 0, NULL);
	check_return(&b, LID);
	end(&b);
}

/* Protection level 3: nobody reads the M_Key, nor anything else, without it. */
static void test_trusted(void)
{
	struct mail mail;
	struct fixture b;

	begin(&b);
	state_set(b.soft.state, PORT, SMA_PortInfo_M_KeyProtectBits, PROTECTED);
	b.soft.state->port[PORT].info[7] = KEY;
	soft_fixture_request(&b.soft, GET, ATTR_PORT_INFO, 0, NULL);
	CHECK_EQUAL(soft_fixture_send(&b.soft), VERDICT_DROP);
	if (CHECK(ask(&b, LID, TIMEOUT_MS, &mail)))
		CHECK_EQUAL(mail.mad[AT_DATA + 7], KEY);
	end(&b);
}

static void test_no_port(void)
{
	struct transport *transport;
	struct fixture b;

	begin(&b);
	CHECK_EQUAL(loopback_open(&b.loopback, 0, b.box, &transport), -ENODEV);
	CHECK_EQUAL(loopback_open(&b.loopback, FIXTURE_CA_PORTS + 1, b.box, &transport), -ENODEV);
	end(&b);
}

static const struct unit_test tests[] = {
	{"requests are answered", test_answers},
	{"what is not answered comes back", test_returns},
	{"no key is asked for, and all are shown", test_trusted},
	{"ports without an SMA of their own", test_no_port},
};

int main(void)
{
	return UNIT_MAIN("loopback", tests);
}
