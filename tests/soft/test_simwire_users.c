// SPDX-License-Identifier: BSD-2-Clause
/* Who may use a simulator wire. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sma/log.h"
#include "sma/soft/wire/users.h"
#include "tests/logged.h"
#include "tests/soft/wire_client.h"
#include "tests/unit.h"

enum { STRANGER = 4004, OTHER = 4005, MINUTE = 60000, START = 1000 };

/* ---- the rule ---- */

static void test_rule(void)
{
	struct users peers = {.user = SMA_NOBODY};

	logged_start(false);
	CHECK(users_allow(&peers, 0, "w", START));
	CHECK(users_allow(&peers, geteuid(), "w", START));
	CHECK(!users_allow(&peers, STRANGER, "w", START));
	CHECK(!users_allow(&peers, SMA_NOBODY, "w", START)); /* that is none */
	peers.user = STRANGER;
	CHECK(users_allow(&peers, STRANGER, "w", START));
	CHECK(!users_allow(&peers, OTHER, "w", START));
	CHECK(!users_allow(&peers, SMA_NOBODY, "w", START));
	CHECK(users_allow(&peers, 0, "w", START));
	logged_stop();
}

/* A refusal is logged once a minute for each user, and for as many as can be remembered. */
static void test_log(void)
{
	struct users peers = {.user = SMA_NOBODY};

	logged_start(false);
	for (unsigned i = 0; i < 1000; i++)
		users_allow(&peers, STRANGER, "fixture", START + i);
	CHECK_EQUAL(logged_with("user 4004 may not use the wire \"fixture\""), 1);
	CHECK_EQUAL(logged_with("\"wireUser 4004\" in ibsmad.conf"), 1);
	users_allow(&peers, OTHER, "fixture", START + 1000);
	CHECK_EQUAL(logged_with("\"wireUser 4005\""), 1);
	users_allow(&peers, STRANGER, "fixture", START + MINUTE - 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 2);
	users_allow(&peers, STRANGER, "fixture", START + MINUTE);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 3);
	for (unsigned i = 0; i < 1000; i++)
		users_allow(&peers, 5000 + i, "fixture", START + 10 * MINUTE);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 3 + USERS_LOGGED);
	logged_stop();
}

/* ---- the wire ---- */

/* Send as another user, which root may. */
static void send_as(int fd, uid_t user, const void *bytes, size_t size)
{
	const struct ucred credentials = {.pid = getpid(), .uid = user, .gid = getegid()};
	struct iovec part = {.iov_base = (void *)bytes, .iov_len = size};
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(credentials))];
	} control = {.header = {.cmsg_len = CMSG_LEN(sizeof(credentials)),
	                        .cmsg_level = SOL_SOCKET,
	                        .cmsg_type = SCM_CREDENTIALS}};
	const struct msghdr header = {.msg_iov = &part,
	                              .msg_iovlen = 1,
	                              .msg_control = &control,
	                              .msg_controllen = sizeof(control)};

	memcpy(CMSG_DATA(&control.header), &credentials, sizeof(credentials));
	CHECK_EQUAL(sendmsg(fd, &header, 0), size);
}

/* The type of the answer to a control message of another user. */
static int control_as(struct wire_client *client, uid_t user, uint32_t type)
{
	uint32_t message[WIRE_CONTROL_SIZE / 4] = {0xDEADBEEF, client->slot, type, 4, client->process};

	send_as(client->control, user, message, sizeof(message));
	wire_work(client->bed);
	if (recv(client->control, message, sizeof(message), 0) != sizeof(message))
		return -1;
	return (int)message[2];
}

/* Not one control message of another user does anything. */
static void test_control(void)
{
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	logged_start(false);
	CHECK(wire_attach(&client, &bed, NULL, false));
	for (uint32_t type = WIRE_CONNECT; type < WIRE_UNKNOWN; type++) {
		unit_case("type %u", type);
		CHECK_EQUAL(control_as(&client, STRANGER, type), WIRE_ERROR);
	}
	unit_case(NULL);
	CHECK_EQUAL(wire_bed_counters(&bed).refused, WIRE_UNKNOWN - WIRE_CONNECT);
	CHECK_EQUAL(logged_with("user 4004 may not use the wire"), 1);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	CHECK_EQUAL(control_as(&client, 0, WIRE_GET_PORT), WIRE_GET_PORT);
	simwire_permit_user(bed.wire, STRANGER);
	CHECK_EQUAL(control_as(&client, STRANGER, WIRE_GET_PORT), WIRE_GET_PORT);
	CHECK_EQUAL(control_as(&client, OTHER, WIRE_GET_PORT), WIRE_ERROR);
	logged_stop();
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* Who is no longer permitted is cut off. */
static void test_data(void)
{
	uint8_t message[WIRE_DATA_SIZE] = {0};
	struct wire_packet answer, get = wire_directed(NODE_INFO, 1);
	struct wire_client client;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	logged_start(false);
	CHECK(wire_attach(&client, &bed, NULL, true));
	send_as(client.data, STRANGER, message, sizeof(message));
	wire_work(&bed);
	CHECK_EQUAL(wire_bed_counters(&bed).malformed, 0); /* it was not looked at */
	CHECK_EQUAL(logged_with("user 4004 may not use the wire"), 1);
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	CHECK(!wire_send(&client, &get));
	logged_stop();
	wire_die(&client);
	CHECK(wire_attach(&client, &bed, NULL, false));
	CHECK(wire_exchange(&client, &get, &answer));
	wire_detach(&client);
	wire_bed_close(&bed);
}

/* The name of a client that died may be anybody's: what is for the client does not go there. */
static void test_name(void)
{
	const uint8_t mad[MAD_SIZE] = {1, CLASS_ROUTED, 1, TRAP};
	struct wire_client dead, thief, other;
	struct wire_packet got;
	struct wire_bed bed;

	wire_bed_open(&bed, SMA_NODE_CA);
	CHECK(wire_attach(&dead, &bed, NULL, true));
	wire_die(&dead);
	thief = dead;
	wire_client_reopen(&thief);
	CHECK(wire_attach(&other, &bed, NULL, false)); /* makes the wire look who is still there */
	simwire_trap(bed.wire, 1, mad, WIRE_LID);
	CHECK(!wire_receive(&thief, &got));
	CHECK_EQUAL(state_get(bed.state, 1, SMA_PortInfo_IsSM), 0);
	wire_die(&thief);
	wire_detach(&other);
	wire_bed_close(&bed);
}

static const struct unit_test tests[] = {
	{"root, the own user and one more", test_rule}, {"refusals in the log", test_log},
	{"the name of a client that died", test_name},  {"control messages of another user", test_control},
	{"packets of another user", test_data},
};

/* Nobody but root can send as another user. */
int main(void)
{
	const size_t others = geteuid() == 0 ? 0 : 2;

	return unit_main("simwire_peer", tests, UNIT_COUNT(tests) - others);
}
