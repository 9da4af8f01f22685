// SPDX-License-Identifier: BSD-2-Clause
/* Sets of what the software SMA keeps: they are answered when it is on the disk, and nothing else waits. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sma/iba/wire.h"
#include "sma/soft/held.h"
#include "sma/soft/soft.h"
#include "tests/fakes/slow_disk.h"
#include "tests/logged.h"
#include "tests/soft/wire_client.h"
#include "tests/unit.h"

enum { SET = 0x02, P_KEY_TABLE = 0x16, LFT = 0x19, LIMIT_MS = 60000, PATH_SIZE = UNIT_FOLDER_SIZE + 16 };

/* Port 0 keeps all that can be kept. */
static const char node_file[] = "nodeType switch\n"
				"ports 2\n"
				"nodeGuid 0x1000\n"
				"linearFDBCap 64\n"
				"partitionEnforcementCap 8\n"
				"capability 0 IsMKeyNVRAM on\n"
				"capability 0 IsPKeyNVRAM on\n"
				"link 1 up\n";

struct fixture {
	char folder[UNIT_FOLDER_SIZE];
	char path[PATH_SIZE];
	char nvram[PATH_SIZE];
	struct sma_soft *soft;
	struct wire_bed bed;
	struct wire_client client;
};

static void start_node(struct fixture *b)
{
	char error[1024];

	if (CHECK_EQUAL(sma_soft_open(b->path, &b->soft, error, sizeof(error)), 0))
		wire_bed_serve(&b->bed, b->soft);
	CHECK(wire_attach(&b->client, &b->bed, NULL, false));
}

static void begin(struct fixture *b)
{
	FILE *file;

	CHECK(unit_folder(b->folder));
	snprintf(b->path, sizeof(b->path), "%s/node", b->folder);
	snprintf(b->nvram, sizeof(b->nvram), "%s/node.nvram", b->folder);
	file = fopen(b->path, "w");
	CHECK(file && fputs(node_file, file) >= 0 && fclose(file) == 0);
	start_node(b);
}

static void end(struct fixture *b)
{
	wire_detach(&b->client);
	sma_soft_close(b->soft);
	remove(b->path);
	remove(b->nvram);
	CHECK_EQUAL(rmdir(b->folder), 0);
}

/* ---- Sets ---- */

/* Set entry 1 of the P_Keys of a port, all others to 0. */
static struct wire_packet set_pkey(unsigned port, uint16_t key, uint32_t tid)
{
	struct wire_packet packet = wire_method(wire_directed(P_KEY_TABLE, tid), SET);

	wire_put32(packet.mad + 20, port << 16);
	wire_put16(packet.mad + AT_DATA + 2, key);
	return packet;
}

static struct wire_packet set_lft(uint8_t port, uint32_t tid)
{
	struct wire_packet packet = wire_method(wire_directed(LFT, tid), SET);

	memset(packet.mad + AT_DATA, port, SMA_BLOCK_SIZE);
	return packet;
}

/* The lease period of port 0 is kept as well; the LIDs are there because they must be. */
static struct wire_packet set_lease(unsigned seconds, uint32_t tid)
{
	struct wire_packet packet = wire_method(wire_directed(PORT_INFO, tid), SET);
	uint8_t *info = packet.mad + AT_DATA;

	sma_component_set(info, SMA_PortInfo_M_KeyLeasePeriod, seconds);
	sma_component_set(info, SMA_PortInfo_LID, 1);
	sma_component_set(info, SMA_PortInfo_MasterSMLID, 1);
	return packet;
}

static void put(struct fixture *b, struct wire_client *client, struct wire_packet packet)
{
	CHECK(wire_send(client, &packet));
	wire_work(&b->bed);
}

/* Whether an answer is there: to the request with this TID, and a good one. */
static bool has_answer(struct wire_client *client, uint32_t tid)
{
	struct wire_packet answer;

	if (!wire_receive(client, &answer))
		return false;
	CHECK_EQUAL((uint32_t)wire_tid(&answer), tid);
	CHECK_EQUAL(answer.status, 0);
	CHECK_EQUAL(answer.mad[AT_METHOD], GET_RESPONSE);
	CHECK_EQUAL(wire_get16(answer.mad + AT_STATUS) & 0x7FFF, 0);
	return true;
}

static bool has_nothing(struct wire_client *client)
{
	struct wire_packet answer;

	return !wire_receive(client, &answer);
}

/* Let the node continue when there is something to do. */
static void await(struct fixture *b)
{
	struct pollfd fd = {.fd = sma_soft_fd(b->soft), .events = POLLIN};

	CHECK_EQUAL(poll(&fd, 1, LIMIT_MS), 1);
	wire_work(&b->bed);
}

static void await_answer(struct fixture *b, struct wire_client *client, uint32_t tid)
{
	struct pollfd fd = {.fd = client->data, .events = POLLIN};

	while (poll(&fd, 1, 0) == 0)
		await(b);
	CHECK(has_answer(client, tid));
}

/* ---- the disk ---- */

static void test_waits(void)
{
	struct wire_client other;
	struct stat status;
	struct fixture b = {0};

	begin(&b);
	CHECK(wire_attach(&other, &b.bed, NULL, false));
	slow_disk_hold();
	put(&b, &b.client, set_pkey(0, 0x8001, 1));
	CHECK(slow_disk_await());
	CHECK(stat(b.nvram, &status) < 0);
	put(&b, &b.client, wire_directed(NODE_INFO, 2)); /* a Get is answered */
	CHECK(has_answer(&b.client, 2));
	put(&b, &b.client, wire_directed(P_KEY_TABLE, 3));
	CHECK(has_answer(&b.client, 3));
	put(&b, &other, set_lft(1, 4)); /* and what is not kept */
	CHECK(has_answer(&other, 4));
	put(&b, &other, set_lease(60, 5));
	put(&b, &b.client, set_pkey(0, 0x8001, 6)); /* repeated: nothing new, and no better kept */
	CHECK(has_nothing(&b.client) && has_nothing(&other));
	slow_disk_go();
	await_answer(&b, &b.client, 1);
	CHECK_EQUAL(stat(b.nvram, &status), 0);
	await_answer(&b, &other, 5);
	await_answer(&b, &b.client, 6);
	slow_disk_hold(); /* it is there: the disk is no longer needed */
	put(&b, &b.client, set_pkey(0, 0x8001, 7));
	CHECK(has_answer(&b.client, 7));
	slow_disk_go();
	wire_detach(&other);
	end(&b);
}

/* P_Keys of data ports are not kept. */
static void test_not_kept(void)
{
	struct fixture b = {0};

	begin(&b);
	slow_disk_hold();
	put(&b, &b.client, set_pkey(1, 0x8001, 1));
	CHECK(has_answer(&b.client, 1));
	slow_disk_go();
	CHECK(access(b.nvram, F_OK) < 0);
	end(&b);
}

/* What was answered is there after the end, however it ends. */
static void test_restart(void)
{
	struct wire_packet answer, get = wire_directed(P_KEY_TABLE, 2);
	struct fixture b = {0};

	begin(&b);
	put(&b, &b.client, set_pkey(0, 0x8005, 1));
	await_answer(&b, &b.client, 1);
	wire_die(&b.client);
	sma_soft_close(b.soft);
	start_node(&b);
	CHECK(wire_exchange(&b.client, &get, &answer));
	CHECK_EQUAL(wire_get16(answer.mad + AT_DATA + 2), 0x8005);
	slow_disk_hold();
	put(&b, &b.client, set_pkey(0, 0x8006, 3));
	CHECK(has_nothing(&b.client));
	slow_disk_go();
	sma_soft_close(b.soft); /* which waits for the disk, and answers then */
	CHECK(has_answer(&b.client, 3));
	wire_die(&b.client);
	start_node(&b);
	CHECK(wire_exchange(&b.client, &get, &answer));
	CHECK_EQUAL(wire_get16(answer.mad + AT_DATA + 2), 0x8006);
	end(&b);
}

/* What cannot be written holds for now: the Set is answered, and the log says it once. */
static void test_error(void)
{
	struct wire_packet answer, get = wire_directed(P_KEY_TABLE, 9);
	struct fixture b = {0};

	logged_start(false);
	begin(&b);
	slow_disk_fail(EIO);
	for (uint32_t tid = 1; tid < 4; tid++) {
		put(&b, &b.client, set_pkey(0, (uint16_t)(0x8000 + tid), tid));
		await_answer(&b, &b.client, tid);
	}
	CHECK_EQUAL(logged_with("node.nvram cannot be written: Input/output error; keys set now are lost"),
	            1);
	CHECK(wire_exchange(&b.client, &get, &answer));
	CHECK_EQUAL(wire_get16(answer.mad + AT_DATA + 2), 0x8003);
	slow_disk_fail(0);
	put(&b, &b.client, set_pkey(0, 0x8004, 5));
	await_answer(&b, &b.client, 5);
	CHECK_EQUAL(logged_with("node.nvram is written again"), 1);
	end(&b);
	logged_stop();
}

/* ---- those who wait ---- */

/* Of more Sets than can be held the last come back as if they were lost. */
static void test_too_many(void)
{
	struct wire_packet answer;
	struct fixture b = {0};

	begin(&b);
	slow_disk_hold();
	for (uint32_t tid = 1; tid <= HELD_COUNT; tid++)
		put(&b, &b.client, set_pkey(0, (uint16_t)tid, tid));
	CHECK(has_nothing(&b.client));
	put(&b, &b.client, set_pkey(0, 0x8001, 1000));
	CHECK(wire_receive(&b.client, &answer));
	CHECK_EQUAL(answer.status, WIRE_TIMED_OUT);
	CHECK_EQUAL((uint32_t)wire_tid(&answer), 1000);
	slow_disk_go();
	for (uint32_t tid = 1; tid <= HELD_COUNT; tid++)
		await_answer(&b, &b.client, tid);
	put(&b, &b.client, set_pkey(0, 0x8001, 1001));
	await_answer(&b, &b.client, 1001);
	end(&b);
}

/* The client that gets the place of one that died gets none of its answers. */
static void test_dead(void)
{
	struct wire_client dead;
	struct fixture b = {0};

	begin(&b);
	CHECK(wire_attach(&dead, &b.bed, NULL, false));
	slow_disk_hold();
	put(&b, &dead, set_pkey(0, 0x8001, 1));
	put(&b, &b.client, set_pkey(0, 0x8002, 2));
	wire_die(&dead);
	CHECK(wire_attach(&dead, &b.bed, NULL, false));
	CHECK_EQUAL(dead.slot, 1);
	slow_disk_go();
	await_answer(&b, &b.client, 2);
	CHECK(has_nothing(&dead));
	wire_detach(&dead);
	end(&b);
}

/* A client that takes nothing for a while loses no answer. */
static void test_slow_client(void)
{
	struct wire_packet get = wire_directed(NODE_INFO, 2);
	struct wire_packet answer;
	struct fixture b = {0};
	unsigned asked = 0;
	unsigned answered = 0;
	bool kept = false;

	begin(&b);
	slow_disk_hold();
	put(&b, &b.client, set_pkey(0, 0x8001, 1));
	for (unsigned rounds = 0; rounds < 3; rounds++) { /* until answers wait for the client */
		while (wire_send(&b.client, &get))
			asked++;
		wire_work(&b.bed);
	}
	slow_disk_go();
	await(&b); /* the disk has it; the client is not ready yet */
	while (!kept || answered < asked) {
		if (!wire_receive(&b.client, &answer)) {
			await(&b);
			continue;
		}
		kept = kept || (uint32_t)wire_tid(&answer) == 1;
		answered += (uint32_t)wire_tid(&answer) == 2;
	}
	CHECK_EQUAL(answered, asked);
	end(&b);
}

static const struct unit_test tests[] = {
	{"a Set waits for the disk, and nothing else does", test_waits},
	{"what is not kept does not wait", test_not_kept},
	{"what was set is there after a restart", test_restart},
	{"a disk with errors", test_error},
	{"more Sets than can be held", test_too_many},
	{"a client that dies while its Set waits", test_dead},
	{"a client that does not take its answers", test_slow_client},
};

int main(void)
{
	return UNIT_MAIN("soft_kept", tests);
}
