// SPDX-License-Identifier: BSD-2-Clause
/* MADs to the SM client and from it, and clients that do not take theirs. */
#include <errno.h>
#include <string.h>

#include "sma/iba/wire.h"
#include "sma/soft/event_traps.h"
#include "sma/soft/loopback.h"
#include "sma/soft/wire/simwire.h"
#include "tests/soft/wire_client.h"
#include "tests/unit.h"

enum {
	QUEUE = 11,        /* datagrams that a socket holds at least */
	SHORT_ANSWER = 104 /* bytes of an answer of the SM */
};

/* Answer a request as an SM does. */
static struct wire_packet response_to(const struct wire_packet *request)
{
	struct wire_packet packet = wire_method(*request, GET_RESPONSE);

	packet.dlid = request->slid;
	packet.slid = request->dlid == WIRE_PERMISSIVE ? WIRE_PERMISSIVE : 0;
	packet.dqp = request->sqp;
	packet.sqp = request->dqp;
	return packet;
}

/* ---- to the SM and from it ---- */

static void check_to_sm(struct wire_client *asker, struct wire_client *sm, struct wire_packet request)
{
	struct wire_packet got;
	struct wire_packet response;

	CHECK(wire_send(asker, &request));
	wire_work(asker->bed);
	if (!CHECK(wire_receive(sm, &got)))
		return;
	CHECK_EQUAL(got.status, 0);
	CHECK_EQUAL(got.dlid, request.dlid);
	CHECK_EQUAL(got.slid, request.slid ? request.slid : WIRE_LID);
	CHECK_EQUAL(got.dqp, request.dqp);
	CHECK_EQUAL(wire_tid(&got), (uint64_t)asker->slot << 48 | 9);
	CHECK_OCTETS(got.mad + AT_ATTRIBUTE, request.mad + AT_ATTRIBUTE, MAD_SIZE - AT_ATTRIBUTE);
	response = response_to(&got);
	memset(response.mad + AT_DATA, 0x77, 64);
	response.length = SHORT_ANSWER;
	CHECK(wire_send(sm, &response));
	wire_work(sm->bed);
	if (!CHECK(wire_receive(asker, &got)))
		return;
	CHECK_EQUAL(got.mad[AT_METHOD], GET_RESPONSE);
	CHECK_EQUAL(got.dlid, response.dlid);
	CHECK_EQUAL(got.length, SHORT_ANSWER); /* records are counted by it */
	CHECK_OCTETS(got.mad, response.mad, SHORT_ANSWER);
}

static void test_sm(void)
{
	struct wire_packet sa = wire_class(wire_routed(PATH_RECORD, WIRE_LID + 1, 9), CLASS_SA);
	struct wire_client asker;
	struct wire_client sm;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&sm, &bed, NULL, true));
	CHECK(wire_attach(&asker, &bed, NULL, false));
	unit_case("SMInfo, directed route");
	check_to_sm(&asker, &sm, wire_directed(SM_INFO, 9));
	unit_case("SMInfo, by LID");
	check_to_sm(&asker, &sm, wire_routed(SM_INFO, WIRE_LID, 9));
	unit_case("SA");
	sa.dqp = sa.sqp = 1;
	check_to_sm(&asker, &sm, sa);
	unit_case("SA, asked by the SM client");
	check_to_sm(&sm, &sm, sa);
	CHECK_EQUAL(wire_bed_counters(&bed).forwarded, 8);
	CHECK_EQUAL(wire_bed_counters(&bed).answered, 0);
	wire_detach(&asker);
	wire_detach(&sm);
	wire_bed_close(&bed);
}

/* Responses that lead nowhere vanish: nobody waits for an answer to them. */
static void test_stray_responses(void)
{
	struct wire_packet packet = wire_method(wire_routed(SM_INFO, WIRE_LID, 9), GET_RESPONSE);
	struct wire_client other;
	struct wire_client sm;
	struct wire_packet got;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&sm, &bed, NULL, true));
	CHECK(wire_attach(&other, &bed, ":2", false));
	for (uint64_t slot = 1; slot < 0x10000; slot = slot * 2 + 1) {
		unit_case("slot %u", (unsigned)slot);
		wire_put64(packet.mad + AT_TID, slot << 48);
		CHECK(!wire_exchange(&sm, &packet, &got));
	}
	unit_case("elsewhere");
	wire_put64(packet.mad + AT_TID, 0);
	packet.dlid = 99;
	CHECK(!wire_exchange(&sm, &packet, &got));
	unit_case("a class that the asker has not registered for");
	packet.dlid = WIRE_LID;
	packet = wire_class(packet, CLASS_PERFORMANCE);
	CHECK(!wire_exchange(&sm, &packet, &got));
	CHECK(!wire_receive(&other, &got));
	CHECK_EQUAL(wire_bed_counters(&bed).undelivered, 18);
	wire_detach(&other);
	wire_detach(&sm);
	wire_bed_close(&bed);
}

struct answer {
	unsigned count;
	unsigned port;
	uint8_t mad[MAD_SIZE];
};

static void take_answer(void *arg, unsigned port, const uint8_t mad[MAD_SIZE])
{
	struct answer *answer = arg;

	answer->count++;
	answer->port = port;
	memcpy(answer->mad, mad, MAD_SIZE);
}

/* This process asks the SM, as the MIB does, with a TransactionID of its own choice. */
static void test_inside(void)
{
	struct answer answer = {0};
	struct wire_packet request = wire_directed(SM_INFO, 0x99);
	struct wire_packet response;
	struct wire_client other;
	struct wire_client sm;
	struct wire_packet got;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	simwire_on_answer(bed.wire, take_answer, &answer);
	CHECK_EQUAL(simwire_ask_sm(bed.wire, 1, request.mad), -ENODEV);
	CHECK(wire_attach(&sm, &bed, NULL, true));
	CHECK(wire_attach(&other, &bed, NULL, false));
	CHECK_EQUAL(simwire_ask_sm(bed.wire, 2, request.mad), -ENODEV);
	CHECK_EQUAL(simwire_ask_sm(bed.wire, 1, request.mad), 0);
	CHECK(wire_receive(&sm, &got));
	CHECK_EQUAL(got.dlid, WIRE_PERMISSIVE);
	response = response_to(&got);
	unit_case("another client pretends to be the SM");
	CHECK(!wire_exchange(&other, &response, &got));
	CHECK_EQUAL(answer.count, 0);
	unit_case("the SM");
	CHECK(!wire_exchange(&sm, &response, &got));
	CHECK_EQUAL(answer.count, 1);
	CHECK_EQUAL(answer.port, 1);
	CHECK_EQUAL((uint32_t)wire_get64(answer.mad + AT_TID), 0x99);
	CHECK_EQUAL(wire_bed_counters(&bed).undelivered, 1);
	wire_detach(&other);
	wire_detach(&sm);
	wire_bed_close(&bed);
}

/* The same through the node's loopback, at the port that was asked. */
static void test_loopback(void)
{
	struct mailbox *boxes[] = {mailbox_new(), mailbox_new()};
	struct transport *ends[2];
	struct loopback loopback = {0};
	struct packet packet = {.lid = WIRE_PERMISSIVE};
	struct wire_packet response;
	struct wire_client sm;
	struct wire_packet got;
	struct wire_bed bed;
	struct mail mail;

	wire_bed_open(&bed, SMA_NODE_CA);
	loopback = (struct loopback){.responder = &bed.responder, .sim = &bed.wire, .now = &bed.now};
	simwire_on_answer(bed.wire, loopback_answered, &loopback);
	for (unsigned i = 0; i < 2; i++)
		CHECK_EQUAL(loopback_open(&loopback, 1 + i, boxes[i], &ends[i]), 0);
	memcpy(packet.mad, wire_directed(SM_INFO, 0x99).mad, sizeof(packet.mad));
	CHECK(wire_attach(&sm, &bed, ":2", true));
	ends[1]->ops->send(ends[1], &packet, 250);
	CHECK(wire_receive(&sm, &got));
	response = response_to(&got);
	CHECK(!wire_exchange(&sm, &response, &got));
	if (CHECK(mailbox_take(boxes[1], &mail))) {
		CHECK_EQUAL(mail.status, 0);
		CHECK_EQUAL(mail.mad[AT_METHOD], GET_RESPONSE);
		CHECK_EQUAL((uint32_t)wire_get64(mail.mad + AT_TID), 0x99);
	}
	CHECK(!mailbox_take(boxes[0], &mail));
	unit_case("no longer there");
	wire_detach(&sm);
	state_set(bed.state, 2, SMA_PortInfo_IsSM, 1);
	ends[1]->ops->send(ends[1], &packet, 250);
	if (CHECK(mailbox_take(boxes[1], &mail)))
		CHECK_EQUAL(mail.status, ETIMEDOUT);
	for (unsigned i = 0; i < 2; i++) {
		ends[i]->ops->close(ends[i]);
		mailbox_free(boxes[i]);
	}
	wire_bed_close(&bed);
}

/* ---- traps ---- */

static bool next_trap(struct wire_bed *bed)
{
	uint8_t mad[MAD_SIZE];
	unsigned port;
	unsigned sl;
	uint16_t dlid;

	if (!responder_next_trap(&bed->responder, bed->now, mad, &port, &dlid, &sl))
		return false;
	simwire_trap(bed->wire, port, mad, dlid);
	return true;
}

/* A Trap of the SMA is repeated until the SM represses it. */
static void test_trap(void)
{
	struct wire_packet repress;
	struct wire_client sm;
	struct wire_packet got;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_SWITCH);
	CHECK(wire_attach(&sm, &bed, NULL, false));
	CHECK_EQUAL(event_traps_threshold(&bed.responder, 3, SMA_TRAP_LINK_INTEGRITY), 0);
	CHECK(next_trap(&bed));
	CHECK(!wire_receive(&sm, &got));
	CHECK_EQUAL(wire_bed_counters(&bed).undelivered, 1);
	CHECK_EQUAL(wire_control(&sm, WIRE_SET_ISSM, (int[]){1}, sizeof(int)), WIRE_SET_ISSM);
	bed.now += 10000;
	CHECK(next_trap(&bed));
	CHECK(wire_receive(&sm, &got));
	CHECK_EQUAL(got.mad[AT_METHOD], TRAP);
	CHECK_EQUAL(got.slid, WIRE_LID);
	CHECK_EQUAL(got.dlid, WIRE_LID);
	CHECK_EQUAL(wire_get16(got.mad + AT_DATA + 4), SMA_TRAP_LINK_INTEGRITY);
	/* the client library writes its agent number into the TransactionID of a TrapRepress */
	repress = wire_method(response_to(&got), TRAP_REPRESS);
	wire_put64(repress.mad + AT_TID, wire_tid(&got) | UINT64_C(3) << 32);
	CHECK(!wire_exchange(&sm, &repress, &got));
	CHECK_EQUAL(bed.responder.counters.represses, 1);
	wire_detach(&sm);
	wire_bed_close(&bed);
}

/* Traps for an SM elsewhere, and of a port that has none. */
static void test_trap_elsewhere(void)
{
	const uint8_t mad[MAD_SIZE] = {1, CLASS_ROUTED, 1, TRAP};
	struct wire_client sm;
	struct wire_packet got;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&sm, &bed, NULL, true));
	simwire_trap(bed.wire, 1, mad, 99);
	simwire_trap(bed.wire, 1, mad, 0);
	simwire_trap(bed.wire, 2, mad, 32);
	CHECK(!wire_receive(&sm, &got));
	CHECK_EQUAL(wire_bed_counters(&bed).undelivered, 3);
	simwire_trap(bed.wire, 1, mad, WIRE_LID + 3);
	CHECK(wire_receive(&sm, &got));
	wire_detach(&sm);
	wire_bed_close(&bed);
}

/* A client may make up a Trap, and gets no answer to it. */
static void test_made_up_trap(void)
{
	struct wire_packet packet = wire_method(wire_routed(NOTICE, WIRE_LID, 9), TRAP);
	struct wire_client client;
	struct wire_client sm;
	struct wire_packet got;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&sm, &bed, NULL, true));
	CHECK(wire_attach(&client, &bed, NULL, false));
	CHECK(!wire_exchange(&client, &packet, &got));
	CHECK(wire_receive(&sm, &got));
	CHECK_EQUAL(got.mad[AT_METHOD], TRAP);
	CHECK_EQUAL(got.slid, WIRE_LID);
	wire_detach(&client);
	wire_detach(&sm);
	wire_bed_close(&bed);
}

/* ---- clients that do not read, or are gone ---- */

/* Whoever sends without reading is slowed down and loses nothing. */
static void test_slow_client(void)
{
	enum { COUNT = 200 };
	struct wire_client client;
	struct wire_packet got;
	struct wire_bed bed;
	uint32_t sent = 0;
	uint32_t received = 0;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed, NULL, false));
	while (received < COUNT) {
		struct wire_packet packet = wire_directed(NODE_INFO, sent);

		if (sent < COUNT && wire_send(&client, &packet)) {
			sent++;
			continue;
		}
		wire_work(&bed);
		if (!CHECK(wire_receive(&client, &got)))
			break;
		CHECK_EQUAL((uint32_t)wire_tid(&got), received);
		received++;
	}
	CHECK_EQUAL(wire_bed_counters(&bed).dropped, 0);
	CHECK_EQUAL(wire_bed_counters(&bed).answered, COUNT);
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* An SM that does not read costs the askers an answer each, and nobody else anything. */
static void test_slow_sm(void)
{
	enum { COUNT = 600 };
	struct wire_packet packet = wire_routed(SM_INFO, WIRE_LID, 9);
	struct wire_client asker;
	struct wire_client sm;
	struct wire_packet got;
	struct wire_bed bed;
	unsigned refused = 0;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&sm, &bed, NULL, true));
	CHECK(wire_attach(&asker, &bed, NULL, false));
	for (unsigned i = 0; i < COUNT; i++)
		refused += wire_exchange(&asker, &packet, &got) && got.status == WIRE_TIMED_OUT;
	CHECK(refused > 0 && refused <= COUNT - QUEUE + 1);
	CHECK_EQUAL(wire_bed_counters(&bed).dropped, refused);
	CHECK_EQUAL(wire_bed_counters(&bed).forwarded, COUNT - refused);
	packet = wire_directed(NODE_INFO, 1);
	CHECK(wire_exchange(&asker, &packet, &got));
	CHECK_EQUAL(got.status, 0);
	wire_detach(&asker);
	wire_detach(&sm);
	wire_bed_close(&bed);
}

/* The end of an SM is noticed when it is to get something. */
static void test_dead_sm(void)
{
	struct wire_packet packet = wire_class(wire_routed(PATH_RECORD, WIRE_LID, 9), CLASS_SA);
	struct wire_client asker;
	struct wire_client sm;
	struct wire_packet got;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&sm, &bed, NULL, true));
	CHECK(wire_attach(&asker, &bed, NULL, false));
	wire_die(&sm);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 1);
	CHECK(wire_exchange(&asker, &packet, &got));
	CHECK_EQUAL(got.status, WIRE_TIMED_OUT);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	CHECK_EQUAL(wire_bed_counters(&bed).dropped, 0);
	wire_detach(&asker);
	wire_bed_close(&bed);
}

/* A client that dies with requests and an answer on their way. */
static void test_dead_asker(void)
{
	struct wire_packet packet = wire_directed(NODE_INFO, 1);
	struct wire_client client;
	struct wire_client next;
	struct wire_packet got;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed, NULL, true));
	for (unsigned rounds = 0; rounds < 3; rounds++) {
		while (wire_send(&client, &packet)) {
		}
		wire_work(&bed);
	}
	wire_die(&client);
	wire_work(&bed);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	CHECK(wire_attach(&next, &bed, NULL, false));
	CHECK_EQUAL(next.slot, 0);
	CHECK(!wire_receive(&next, &got));
	CHECK(wire_exchange(&next, &packet, &got));
	wire_detach(&next);
	wire_bed_close(&bed);
}

static const struct unit_test tests[] = {
	{"requests to the SM and SA", test_sm},
	{"this process asks the SM", test_inside},
	{"this process asks the SM through the loopback", test_loopback},
	{"responses to nobody", test_stray_responses},
	{"a trap and its end", test_trap},
	{"traps for an SM that is not there", test_trap_elsewhere},
	{"a trap that a client makes up", test_made_up_trap},
	{"a client that is slow to read", test_slow_client},
	{"an SM that does not read", test_slow_sm},
	{"an SM that was killed", test_dead_sm},
	{"a client that is killed", test_dead_asker},
};

int main(void)
{
	return UNIT_MAIN("simwire SM", tests);
}
