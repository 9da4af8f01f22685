// SPDX-License-Identifier: BSD-2-Clause
/* Who may listen as the master agent: the user of the listening process, as the system reports it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/agentx/credentials.h"
#include "sma/log.h"
#include "tests/agent/session_fixture.h"
#include "tests/logged.h"
#include "tests/unit.h"

enum { OWN = 4001, OWNER = 4002, PERMITTED = 4003, STRANGER = 4004, RETRY_MS = 1200 };

/* ---- the system, where a test says so ---- */

static struct {
	bool lies;
	uid_t peer;
	int error; /* of getsockopt; 0: none */
} fake;

int __real_getsockopt(int fd, int level, int option, void *value, socklen_t *size);
int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *size);
uid_t __wrap_geteuid(void);

int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *size)
{
	const struct ucred peer = {.pid = 1, .uid = fake.peer, .gid = 0};

	if (!fake.lies || level != SOL_SOCKET || option != SO_PEERCRED)
		return __real_getsockopt(fd, level, option, value, size);
	if (fake.error) {
		errno = fake.error;
		return -1;
	}
	if (CHECK(*size >= sizeof(peer)))
		memcpy(value, &peer, sizeof(peer));
	return 0;
}

uid_t __wrap_geteuid(void)
{
	return fake.lies ? OWN : getuid();
}

/* ---- the rule ---- */

static char folder[UNIT_FOLDER_SIZE];

/* Its user is not root, and not this process's as far as that knows. */
static uid_t owner_of_folder(void)
{
	CHECK(unit_folder(folder));
	if (getuid() != 0)
		return getuid();
	CHECK(chown(folder, OWNER, (gid_t)-1) == 0);
	return OWNER;
}

static int check(uid_t peer, const char *path, char *why, size_t size)
{
	struct address address;

	fake.peer = peer;
	CHECK_EQUAL(address_parse(path, &address), 0);
	return credentials_check(-1, &address, PERMITTED, why, size);
}

static void test_rule(void)
{
	const uid_t owner = owner_of_folder();
	const struct {
		const char *path;
		uid_t peer;
		bool good;
	} cases[] = {
		{"/nonexistent/master", 0, true},
		{"/nonexistent/master", OWN, true},
		{"/nonexistent/master", PERMITTED, true},
		{"/nonexistent/master", owner, false},
		{"/nonexistent/master", STRANGER, false},
		{"PLACE/master", owner, true},
		{"PLACE/master", STRANGER, false},
		{"PLACE/none/master", owner, false}, /* the folder, not one above it */
		{"/master", 0, true},
		{"/master", owner, false},
		{"unix:master", STRANGER, false},
		{"tcp:127.0.0.1:705", STRANGER, true},
		{"tcp6:[::1]:705", STRANGER, true},
	};

	fake.lies = true;
	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		bool inside = strncmp(cases[i].path, "PLACE", 5) == 0;
		char path[UNIT_FOLDER_SIZE + 32];
		char why[256] = "before";

		snprintf(path, sizeof(path), "%s%s", inside ? folder : "", cases[i].path + (inside ? 5 : 0));
		unit_case("user %u at %s", cases[i].peer, cases[i].path);
		CHECK_EQUAL(check(cases[i].peer, path, why, sizeof(why)), cases[i].good ? 0 : -EPERM);
		CHECK_EQUAL(why[0] == '\0', cases[i].good);
	}
	fake.lies = false;
	CHECK(rmdir(folder) == 0);
}

static void test_reason(void)
{
	char why[256];

	fake.lies = true;
	CHECK_EQUAL(check(STRANGER, "/nonexistent/master", why, sizeof(why)), -EPERM);
	CHECK(strstr(why, "user 4004 listens there") != NULL);
	CHECK(strstr(why, "(4001)") != NULL);
	CHECK(strstr(why, "\"agentXPeer 4004\" in ibsmad.conf") != NULL);
	fake.error = EINVAL;
	CHECK_EQUAL(check(0, "/nonexistent/master", why, sizeof(why)), -EINVAL);
	CHECK(strstr(why, strerror(EINVAL)) != NULL);
	fake.error = 0;
	fake.lies = false;
}

/* ---- the session ---- */

/* A stranger gets no Open, one line reports it, and snmpd is served once it listens instead. */
static void test_stranger(void)
{
	static struct session_fixture fixture;

	fake.lies = true;
	fake.peer = STRANGER;
	master_open(&fixture.master, false);
	agentlib_set_address(fixture.master.address);
	logged_start(false);
	for (unsigned i = 1; i <= 5; i++) {
		session_fixture_pass(RETRY_MS);
		session_fixture_accept(&fixture);
		session_fixture_work();
		CHECK(!master_take(&fixture.master, &fixture.pdu));
		CHECK(master_is_left(&fixture.master));
	}
	CHECK_EQUAL(logged_with("agentXPeer 4004"), 1);
	CHECK_EQUAL(logged_with(fixture.master.address), 1);
	CHECK_EQUAL(logged_level(SMA_LOG_WARNING), 1);
	CHECK_EQUAL(session_last_failure()->kind, SESSION_NOT_PERMITTED);
	session_permit_peer(STRANGER);
	session_fixture_pass(RETRY_MS);
	session_fixture_accept(&fixture);
	session_fixture_come_up(&fixture);
	session_fixture_close(&fixture);
	session_permit_peer(SESSION_NOBODY);
	fake.lies = false;
}

/* By TCP nothing is known of who listens. */
static void test_stranger_tcp(void)
{
	static struct session_fixture fixture;

	fake.lies = true;
	fake.peer = STRANGER;
	session_fixture_open(&fixture, true);
	session_fixture_close(&fixture);
	fake.lies = false;
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"who may listen", test_rule},
		{"the reason", test_reason},
		{"a stranger on the socket", test_stranger},
		{"a stranger by TCP", test_stranger_tcp},
	};

	return !session_fixture_init() ? EXIT_FAILURE : UNIT_MAIN("session credentials", tests);
}
