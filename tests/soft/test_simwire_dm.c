// SPDX-License-Identifier: BSD-2-Clause
/* Device management over the simulator wire: requests, and traps to who has asked for them. */
#include <string.h>

#include "sma/soft/dm/devmgt.h"
#include "sma/soft/wire/simwire.h"
#include "tests/soft/wire_client.h"
#include "tests/unit.h"

enum { CLASS_DEVICE = 0x06, SET = 0x02, CLASS_PORT_INFO = 0x01, IO_UNIT_INFO = 0x10, TRAP_LID_AT = 60 };

/* A wire of a node with an I/O unit of 16 slots. */
struct unit_bed {
	struct wire_bed wire;
	struct devmgt devmgt;
};

static void open_bed(struct unit_bed *bed, unsigned type)
{
	wire_bed_open(&bed->wire, type);
	state_set_unit(bed->wire.state, unit_new(16));
	CHECK_EQUAL(devmgt_init(&bed->devmgt, bed->wire.state, bed->wire.state->unit), 0);
	bed->wire.responder.devmgt = &bed->devmgt;
}

static void close_bed(struct unit_bed *bed)
{
	wire_bed_close(&bed->wire);
	devmgt_finish(&bed->devmgt);
}

static struct wire_packet request(uint16_t attribute, uint16_t dlid)
{
	struct wire_packet packet = wire_class(wire_routed(attribute, dlid, 9), CLASS_DEVICE);

	packet.dqp = packet.sqp = 1;
	return packet;
}

static void set_trap_lid(struct wire_client *client, uint16_t lid)
{
	struct wire_packet packet = wire_method(request(CLASS_PORT_INFO, WIRE_LID), SET);
	struct wire_packet got;

	wire_put16(packet.mad + AT_DATA + TRAP_LID_AT, lid);
	CHECK(wire_exchange(client, &packet, &got));
	CHECK_EQUAL(got.status, 0);
}

static void test_request(void)
{
	struct wire_packet packet = request(IO_UNIT_INFO, WIRE_LID + 1);
	struct wire_client client;
	struct wire_packet got;
	struct unit_bed bed;

	open_bed(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed.wire, NULL, false));
	CHECK(wire_exchange(&client, &packet, &got));
	CHECK_EQUAL(got.status, 0);
	CHECK_EQUAL(got.dlid, WIRE_LID);
	CHECK_EQUAL(got.slid, WIRE_LID + 1);
	CHECK_EQUAL(got.dqp, 1);
	CHECK_EQUAL(got.mad[AT_METHOD], GET_RESPONSE);
	CHECK_EQUAL(wire_get16(got.mad + AT_STATUS), 0);
	CHECK_EQUAL(wire_tid(&got), (uint64_t)client.slot << 48 | 9);
	CHECK_OCTETS(got.mad + AT_DATA, bed.wire.state->unit->info, UNIT_INFO_SIZE);
	CHECK_EQUAL(wire_bed_counters(&bed.wire).answered, 1);
	CHECK_EQUAL(bed.devmgt.counters.answered, 1);
	wire_detach(&client);
	close_bed(&bed);
}

/* What comes back as timed out: requests to elsewhere, and to a node without an I/O unit. */
static void test_no_answer(void)
{
	struct wire_packet packet = request(IO_UNIT_INFO, WIRE_LID + WIRE_LIDS);
	struct wire_client client;
	struct wire_packet got;
	struct unit_bed bed;

	open_bed(&bed, SMA_NODE_SWITCH);
	CHECK(wire_attach(&client, &bed.wire, NULL, false));
	CHECK(wire_exchange(&client, &packet, &got));
	CHECK_EQUAL(got.status, WIRE_TIMED_OUT);
	bed.wire.responder.devmgt = NULL;
	packet.dlid = WIRE_LID;
	CHECK(wire_exchange(&client, &packet, &got));
	CHECK_EQUAL(got.status, WIRE_TIMED_OUT);
	packet = wire_method(packet, TRAP_REPRESS);
	CHECK(!wire_exchange(&client, &packet, &got));
	CHECK_EQUAL(wire_bed_counters(&bed.wire).unanswered, 2);
	wire_detach(&client);
	close_bed(&bed);
}

/* ---- traps ---- */

static const uint8_t trap[MAD_SIZE] = {1, CLASS_DEVICE, 1, TRAP};

/* Not to the SM, nor to a client that may lack an agent for the class. */
static void test_trap(void)
{
	struct wire_client manager;
	struct wire_client next;
	struct wire_client sm;
	struct wire_packet got;
	struct unit_bed bed;

	open_bed(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&sm, &bed.wire, NULL, true));
	CHECK(wire_attach(&manager, &bed.wire, NULL, false));
	CHECK(wire_attach(&next, &bed.wire, NULL, false));
	simwire_dm_trap(bed.wire.wire, 1, trap, WIRE_LID);
	CHECK_EQUAL(wire_bed_counters(&bed.wire).undelivered, 1);
	set_trap_lid(&manager, WIRE_LID);
	simwire_dm_trap(bed.wire.wire, 1, trap, WIRE_LID);
	CHECK(wire_receive(&manager, &got));
	CHECK_OCTETS(got.mad, trap, sizeof(trap));
	CHECK_EQUAL(got.slid, WIRE_LID);
	CHECK_EQUAL(got.dlid, WIRE_LID);
	CHECK_EQUAL(got.dqp, 1);
	simwire_dm_trap(bed.wire.wire, 2, trap, 32);
	simwire_dm_trap(bed.wire.wire, 1, trap, 99);
	CHECK_EQUAL(wire_bed_counters(&bed.wire).undelivered, 3);
	set_trap_lid(&next, WIRE_LID);
	simwire_dm_trap(bed.wire.wire, 1, trap, WIRE_LID);
	CHECK(wire_receive(&next, &got));
	CHECK(!wire_receive(&manager, &got));
	CHECK(!wire_receive(&sm, &got));
	wire_detach(&next);
	simwire_dm_trap(bed.wire.wire, 1, trap, WIRE_LID);
	CHECK(!wire_receive(&manager, &got));
	CHECK_EQUAL(wire_bed_counters(&bed.wire).undelivered, 4);
	wire_detach(&manager);
	wire_detach(&sm);
	close_bed(&bed);
}

/* A Set that is refused makes nobody the manager. */
static void test_refused(void)
{
	struct wire_client client;
	struct unit_bed bed;

	open_bed(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&client, &bed.wire, NULL, false));
	set_trap_lid(&client, 0xC000);
	simwire_dm_trap(bed.wire.wire, 1, trap, WIRE_LID);
	CHECK_EQUAL(wire_bed_counters(&bed.wire).undelivered, 1);
	wire_detach(&client);
	close_bed(&bed);
}

static const struct unit_test tests[] = {
	{"a request by LID is answered", test_request},
	{"what is not answered comes back", test_no_answer},
	{"a trap goes to the client that has set where to", test_trap},
	{"a refused Set has no traps sent", test_refused},
};

int main(void)
{
	return UNIT_MAIN("simwire_dm", tests);
}
